"""Windows and their axes: numbers fit into the picture and are those of their ticks; angles are right or it is said."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

import novikoff as nv
from novikoff.pages.panel import Panel
from novikoff.pages.panel_svg import axes
from novikoff.pages.window import (
    BOTTOM,
    DISTORTED,
    FREE_SCALES,
    HEIGHT,
    LEFT,
    RIGHT,
    TOP,
    WIDTH,
    Window,
    text_width,
    tick_text,
    ticks,
    view_around,
)  # fmt: skip
from oracles.html_tree import Node, parsed

ordinary = st.floats(-1e6, 1e6, allow_nan=False)
wide = st.floats(-1e200, 1e200, allow_nan=False)
EDGES = {"start": 0.0, "middle": 0.5, "end": 1.0}


def window_of(points: list[tuple[float, float]], square: bool = True) -> Window | None:
    view = view_around(points, square)
    return None if view is None else Window(*view.x, *view.y)


def numbers_of(text: str) -> float:
    return float(text.replace(",", "").replace("−", "-"))


def spans(tree: Node) -> list[tuple[float, float, str]]:
    """Left and right end of every text of a picture, as wide as it can be."""
    found = []
    for node in tree.all("text"):
        text, part = node.text, EDGES[node["text-anchor"]]
        left = float(node["x"]) - part * text_width(text)
        found.append((left, left + text_width(text), text))
    return found


@given(st.lists(st.tuples(ordinary, ordinary), min_size=1), st.booleans())
def test_a_window_contains_its_points(points: list[tuple[float, float]], square: bool) -> None:
    window = window_of(points, square)
    if window is None:
        return
    for x, y in points:
        px, py = window.at(x, y)
        assert LEFT - 0.01 <= px <= WIDTH - RIGHT + 0.01
        assert TOP - 0.01 <= py <= HEIGHT - BOTTOM + 0.01


@given(st.lists(st.tuples(wide, wide), min_size=1), st.booleans())
def test_every_number_fits_and_says_what_its_tick_is(points: list[tuple[float, float]], square: bool) -> None:
    window = window_of(points, square)
    if window is None:
        return
    tree = parsed(axes(window, Panel(())))
    for left, right, text in spans(tree):
        assert left >= -0.06, text
        assert right <= WIDTH + 0.06, text
    up = [node for node in tree.all("text") if node["text-anchor"] == "end"]
    assert [numbers_of(node.text) for node in up] == ticks(window.y0, window.y1)
    assert len({node.text for node in up}) == len(up)
    below = sorted(span for span in spans(tree) if span[2] not in {node.text for node in up})
    assert all(a[1] <= b[0] for a, b in pairwise(below))


def test_large_numbers_have_all_their_characters() -> None:
    """Of coordinates to ±500,000 the ticks are −500,000, 0 and 500,000; the margin holds them."""
    window = window_of([(-5e5, -5e5), (5e5, 5e5)])
    assert window is not None
    texts = [node.text for node in parsed(axes(window, Panel(()))).all("text") if node["text-anchor"] == "end"]
    assert texts == ["−500,000", "0", "500,000"]
    assert text_width("−500,000") <= LEFT


@pytest.mark.parametrize(("low", "texts"), [(1e5, ["100,000", "100,001", "100,002", "100,003"]), (1e15, [])])
def test_ticks_far_from_zero_differ_or_are_left_out(low: float, texts: list[str]) -> None:
    assert [tick_text(v) for v in ticks(low, low + 3.5)] == texts


@pytest.mark.parametrize("height", [1.0, 1e6 / 9])
def test_a_square_window_has_one_unit_for_both_axes(height: float) -> None:
    view = view_around([(0.0, 0.0), (9 * height, height)])
    assert view is not None
    assert view.equal
    assert view.note == ""
    window = Window(*view.x, *view.y)
    (x0, y0), (x1, y1) = window.at(0.0, 0.0), window.at(height, height)
    assert x1 - x0 == pytest.approx(y0 - y1)


def test_columns_of_different_units_fill_the_window() -> None:
    """A range of 60 beside one of 120,000: with equal units every point would be on one vertical line."""
    points = [(20.0, -60_000.0), (80.0, 60_000.0)]
    view = view_around(points)
    assert view is not None
    assert not view.equal
    assert view.note == FREE_SCALES
    window = Window(*view.x, *view.y)
    (x0, y0), (x1, y1) = (window.at(*p) for p in points)
    assert x1 - x0 > 0.7 * (WIDTH - LEFT - RIGHT)
    assert y0 - y1 > 0.7 * (HEIGHT - TOP - BOTTOM)


@pytest.mark.parametrize(("ratio", "equal"), [(DISTORTED, True), (1.01 * DISTORTED, False), (math.inf, True)])
def test_scales_differ_only_where_ranges_do(ratio: float, equal: bool) -> None:
    view = view_around([(0.0, 0.0), (1.0, 1 / ratio)])
    assert view is not None
    assert view.equal is equal


def test_ranges_too_large_or_too_small_for_floats_have_no_window() -> None:
    assert view_around([(-1e308, 0.0), (1e308, 0.0)]) is None
    assert view_around([(0.0, 0.0), (5e-324, 5e-324)]) is None
    assert view_around([(0.0, 0.0), (1e-290, 1e-290)]) is not None


@given(ordinary, ordinary)
def test_ticks_are_inside_and_evenly_spaced(low: float, high: float) -> None:
    low, high = min(low, high), max(low, high)
    found = ticks(low, high)
    if high - low < 1e-3:
        return
    assert 2 <= len(found) <= 11 or not found
    if not found:  # their digits do not fit
        return
    assert low - 1e-9 * (abs(low) + 1e-9) <= found[0]
    assert found[-1] <= high + 1e-9 * (abs(high) + 1e-9)


def test_long_names_are_shortened_and_have_the_whole_as_their_title() -> None:
    name = "a very long name of a column " * 9
    tree = parsed(axes(Window(0.0, 1.0, 0.0, 1.0), Panel((), x_label=name, y_label="short")))
    (title,) = tree.all("title")
    assert title.text == name
    (long,) = [node for node in tree.all("text") if node.all("title")]
    text = long.text.removesuffix(name)
    assert text.endswith("…")
    assert text_width(text) / 2 <= min(float(long["x"]), WIDTH - float(long["x"]))
    (short,) = [node for node in tree.all("text") if node.text == "short"]
    assert float(short["y"]) < TOP  # above the frame, where no point is


# ---- pages that use them -------------------------------------------------------------------------------------------


def units(n: int = 40) -> tuple[np.ndarray, np.ndarray]:
    """Ages and incomes, separable."""
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.integers(18, 80, n), 1000 * rng.integers(-60, 60, n)]).astype(float)
    return X, (X[:, 1] > 0).astype(int)


def test_a_run_on_different_units_has_no_normal_and_says_why() -> None:
    X, y = units()
    tree = parsed(nv.trace(X, y, max_updates=20).to_html(nv.margin(X, y)))
    assert not [node for node in tree.all("line") if node.attributes.get("data-of") == "normal"]
    assert "orthogonal" not in tree.by_id("pictures").text
    assert tree.by_id("pictures").text.count(FREE_SCALES) == 2
    plane = tree.by_id("plane")
    x0, x1, y0, y1, left = map(float, plane["data-window"].split())
    assert left == LEFT
    window = Window(x0, x1, y0, y1)
    drawn = sorted((float(c["cx"]), float(c["cy"])) for c in plane.all("circle", "circle"))
    assert np.array(drawn) == pytest.approx(np.array(sorted(window.at(*p) for p in X[y == 1].tolist())), abs=0.06)
    assert drawn[-1][0] - drawn[0][0] > 200


def test_a_report_on_different_units_says_it_in_each_caption() -> None:
    tree = parsed(nv.report(*units(), max_time=5).to_html())
    for name in ("data", "verdict", "margin"):
        (caption,) = tree.by_id(name).all("figcaption")
        assert FREE_SCALES in caption.text
        marks = [float(c["cx"]) for c in tree.by_id(name).all("circle", "circle")[:-1]]
        assert max(marks) - min(marks) > 200
