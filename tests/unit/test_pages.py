"""The parts of a page: escaping, frame, tables, drawings."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

from novikoff.pages import panel_svg
from novikoff.pages.markup import Markup, element, escaped
from novikoff.pages.page_frame import page, static_text
from novikoff.pages.panel import SHAPES, Curve, Marks, Note, Panel, Region, class_look
from novikoff.pages.panel_svg import MOST_CLASSES, drawn, panel_figure
from novikoff.pages.polygons import convex_hull
from novikoff.pages.tables import facts, table
from novikoff.pages.window import BOTTOM, HEIGHT, RIGHT, TOP, WIDTH, Window
from oracles.html_tree import parsed

EVIL = "<script>alert('x')</script> & \"y\""


@given(st.text())
def test_any_text_comes_back_from_the_page(text: str) -> None:
    tree = parsed(element("p", text, title=text))
    clean = re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]", "\ufffd", text)
    assert tree.one("p").text.replace("\r", "\n") == clean.replace("\r", "\n")
    assert [node.name for node in tree.all()] == ["p"]
    escaped(text).encode("utf-8")


def test_data_in_a_table_and_a_list_is_text() -> None:
    marks = Marks(np.zeros(1), np.zeros(1), EVIL, name=EVIL)
    panel = Panel((marks, Note(0.0, 0.0, EVIL)), EVIL, EVIL, EVIL, (-1.0, 1.0), (-1.0, 1.0), y_ticks=(EVIL,))
    tree = parsed(table(EVIL, [EVIL], [[EVIL]], row_headers=True) + facts([(EVIL, EVIL)]) + panel_figure(panel, EVIL))
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
    assert light == dark == paper == set(re.findall(r"var\((--\w+)\)", style)) - {"--color"}


def test_the_script_has_the_margins_of_the_pictures() -> None:
    named = f"WIDTH = {WIDTH:g}, HEIGHT = {HEIGHT:g}, RIGHT = {RIGHT:g}, TOP = {TOP:g}, BOTTOM = {BOTTOM:g};"
    assert named in static_text("trace.js")


@pytest.mark.parametrize("text", ["page.css", "trace.js"])
def test_static_files_do_not_end_their_own_element(text: str) -> None:
    assert "</" not in static_text(text)


def test_the_static_files_are_in_the_package() -> None:
    folder = Path(panel_svg.__file__).parent / "static"
    assert {path.name for path in folder.iterdir()} == {"display.css", "page.css", "trace.js"}


# ---- drawings ------------------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=1))
def test_no_point_is_outside_the_hull(points: list[tuple[int, int]]) -> None:
    corners = convex_hull(points)
    assert set(corners) <= set(points)
    if len(corners) < 3:
        return
    for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
        turns = [(b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) for p in points]
        assert min(turns) == 0


@pytest.mark.parametrize("shape", SHAPES[:MOST_CLASSES])
def test_each_shape_is_one_element_at_its_point(shape: str) -> None:
    window = Window(0.0, 1.0, 0.0, 1.0)
    node = parsed(drawn(Marks(np.array([0.5]), np.array([0.5]), shape=shape), window.at)).one(kind=shape)
    x, y = window.at(0.5, 0.5)
    if shape == "circle":
        found = (float(node["cx"]), float(node["cy"]))
    else:
        corners = [tuple(map(float, pair.split(","))) for pair in node["points"].split()]
        found = (sum(p[0] for p in corners) / len(corners), sum(p[1] for p in corners) / len(corners))
    assert found == pytest.approx((x, y), abs=1.0)


def test_every_item_is_an_element_with_its_colour_and_its_name() -> None:
    line, band = np.array([0.0, 1.0]), np.array([0.0, 1.0, 1.0])
    items = (
        Curve(line, line, "line", class_look(0)[0], "dashed", name="own"),
        Region(band, band[::-1], "band", class_look(1)[0], name="area"),
        Note(0.5, 0.5, "here"),
    )
    tree = parsed(panel_figure(Panel(items, "said", "across", "up", (0.0, 1.0), (0.0, 1.0)), "a line"))
    curve, area = ([node for node in tree.all() if node.attributes.get("data-of") == name] for name in ("own", "area"))
    assert (curve[0].name, curve[0]["class"], area[0].name, area[0]["class"]) == (
        "polyline", "curve blue", "polygon", "area red",
    )  # fmt: skip
    assert curve[0]["stroke-dasharray"]
    assert [node.text for node in tree.one("ul").all("li")] == ["line", "band"]
    assert {"here", "across", "up"} <= {node.text for node in tree.all("text")}
    assert tree.one("figcaption").text.startswith("said")
    assert tree.all("svg")[0]["aria-label"] == "a line"


def test_markup_is_not_escaped_twice() -> None:
    assert element("p", Markup("<b>x</b>")) == "<p><b>x</b></p>"


@pytest.mark.parametrize(("file", "edge"), [("page.css", "var(--paper)"), ("display.css", "--jp-layout-color0")])
def test_marks_have_an_edge_in_the_colour_of_the_paper(file: str, edge: str) -> None:
    """Where marks overlap, their shapes can be told apart without colour."""
    (rule,) = re.findall(r"\.drawing \.mark \{(.*?)\}", static_text(file), re.S)
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
