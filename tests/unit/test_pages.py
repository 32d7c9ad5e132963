"""The parts of a page: escaping, frame, tables, drawings."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novikoff.pages import drawing
from novikoff.pages.legends import class_legend
from novikoff.pages.markup import Markup, element, escaped
from novikoff.pages.page_frame import page, static_text
from novikoff.pages.tables import facts, table
from novikoff.pages.window import BOTTOM, HEIGHT, RIGHT, TOP, WIDTH, Window
from oracles.html_tree import parsed

EVIL = "<script>alert('x')</script> & \"y\""
ordinary = st.floats(-1e6, 1e6, allow_nan=False)


@given(st.text())
def test_any_text_comes_back_from_the_page(text: str) -> None:
    tree = parsed(element("p", text, title=text))
    clean = re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]", "\ufffd", text)
    assert tree.one("p").text.replace("\r", "\n") == clean.replace("\r", "\n")
    assert [node.name for node in tree.all()] == ["p"]
    escaped(text).encode("utf-8")


def test_data_in_a_table_and_a_list_is_text() -> None:
    tree = parsed(table(EVIL, [EVIL], [[EVIL]], row_headers=True) + facts([(EVIL, EVIL)]) + class_legend([EVIL]))
    assert not tree.all("script")
    assert [node.text for node in tree.all() if node.name in ("th", "dt", "dd")] == [EVIL] * 4
    assert tree.one("p", "caption").text == EVIL


def test_a_page_is_one_file_and_allows_only_its_own_style_and_script() -> None:
    tree = parsed(page(EVIL, element("p", "text"), script="trace.js"))
    policy = next(m["content"] for m in tree.all("meta") if "http-equiv" in m.attributes)
    assert policy.startswith("default-src 'none'")
    for name in ("style", "script"):
        text = tree.one(name).text
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in policy
    assert tree.one("title").text == EVIL
    assert not re.search(r"""(https?:|//[a-z])""", tree.one("style").text)
    assert [m["href"] for m in tree.all("link")] == ["data:,"]
    without = parsed(page("t"))
    assert "script-src 'none'" in str([m.attributes for m in without.all("meta")])
    assert not without.all("script")


def test_both_themes_and_print_have_every_colour() -> None:
    style = static_text("page.css")
    light, dark, paper = (set(re.findall(r"(--\w+):", part)) for part in re.findall(r":root \{(.*?)\}", style, re.S))
    assert light == dark == paper == set(re.findall(r"var\((--\w+)\)", style)) | {"--sixth"}


def test_the_script_has_the_margins_of_the_pictures() -> None:
    named = f"WIDTH = {WIDTH:g}, HEIGHT = {HEIGHT:g}, RIGHT = {RIGHT:g}, TOP = {TOP:g}, BOTTOM = {BOTTOM:g};"
    assert named in static_text("trace.js")


@pytest.mark.parametrize("text", ["page.css", "trace.js"])
def test_static_files_do_not_end_their_own_element(text: str) -> None:
    assert "</" not in static_text(text)


def test_the_static_files_are_in_the_package() -> None:
    folder = Path(drawing.__file__).parent / "static"
    assert {path.name for path in folder.iterdir()} == {"display.css", "page.css", "trace.js"}


# ---- drawings ------------------------------------------------------------------------------------------------------


@given(ordinary, ordinary, ordinary)
def test_the_ends_of_a_line_are_on_the_line_and_on_the_edge(a: float, b: float, c: float) -> None:
    window = Window(-3.0, 5.0, -2.0, 4.0)
    ends = drawing.clipped_line(window, a, b, c)
    corners = [a * x + b * y + c for x in (-3.0, 5.0) for y in (-2.0, 4.0)]
    size = max(abs(a), abs(b))
    if ends is None:
        assert size == 0 or min(corners) > -1e-9 * (size + abs(c)) or max(corners) < 1e-9 * (size + abs(c))
        return
    for x, y in ends:
        assert abs(a * x + b * y + c) <= 1e-9 * (size * 10 + abs(c))
        assert -3 - 1e-9 <= x <= 5 + 1e-9
        assert -2 - 1e-9 <= y <= 4 + 1e-9
        assert min(abs(x + 3), abs(x - 5), abs(y + 2), abs(y - 4)) < 1e-9


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=1))
def test_no_point_is_outside_the_hull(points: list[tuple[int, int]]) -> None:
    corners = drawing.hull(points)
    assert set(corners) <= set(points)
    if len(corners) < 3:
        return
    for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
        turns = [(b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) for p in points]
        assert min(turns) == 0


@pytest.mark.parametrize("shape", drawing.SHAPES)
def test_each_shape_is_one_element_at_its_point(shape: str) -> None:
    window = Window(0.0, 1.0, 0.0, 1.0)
    node = parsed(drawing.mark(window, 0.5, 0.5, shape)).all()[0]
    assert node["class"] == shape
    x, y = window.at(0.5, 0.5)
    if shape == "circle":
        found = (float(node["cx"]), float(node["cy"]))
    elif shape == "square":
        found = (float(node["x"]) + float(node["width"]) / 2, float(node["y"]) + float(node["height"]) / 2)
    else:
        corners = [tuple(map(float, pair.split(","))) for pair in node["points"].split()]
        found = (sum(p[0] for p in corners) / len(corners), sum(p[1] for p in corners) / len(corners))
    assert found == pytest.approx((x, y), abs=1.0)


def test_a_curve_is_cut_at_the_edge_of_the_window() -> None:
    node = parsed(drawing.curve(Window(0.0, 1.0, 0.0, 1.0), [(0.0, -5.0), (1.0, 9.0)])).one("polyline")
    (_, low), (_, high) = (tuple(map(float, pair.split(","))) for pair in node["points"].split())
    assert (low, high) == (HEIGHT - BOTTOM, TOP)


def test_markup_is_not_escaped_twice() -> None:
    assert element("p", Markup("<b>x</b>")) == "<p><b>x</b></p>"


@pytest.mark.parametrize(("file", "edge"), [("page.css", "var(--paper)"), ("display.css", "--jp-layout-color0")])
def test_marks_have_an_edge_in_the_colour_of_the_paper(file: str, edge: str) -> None:
    """Where marks overlap, their shapes can be told apart without colour."""
    (rule,) = re.findall(r"\.drawing :is\(\.circle, \.square[^)]*\) \{(.*?)\}", static_text(file), re.S)
    assert f"stroke: {edge}" in rule or f"stroke: var({edge}" in rule


def luminance(colour: str) -> float:
    """Relative luminance of #rrggbb, as in WCAG 2."""
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_the_two_class_colours_differ_from_the_paper_and_in_greyscale() -> None:
    for theme in re.findall(r":root \{(.*?)\}", static_text("page.css"), re.S):
        inks = dict(re.findall(r"(--\w+): (#[0-9a-f]+)", theme))
        paper = "#ffffff" if inks["--paper"] == "#fff" else inks["--paper"]
        assert min(contrast(inks["--red"], paper), contrast(inks["--blue"], paper)) >= 3
        assert contrast(inks["--red"], inks["--blue"]) >= 1.7
