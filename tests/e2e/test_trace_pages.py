"""The page of a run: its numbers are those of the trace, its curves obey the two inequalities of the proof."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import novikoff as nv
from oracles.html_tree import Node, parsed


def run_on(name: str, **how: Any) -> tuple[Any, Any]:
    """The trace of an example, and its margin, if there is one."""
    X, y = nv.example(name)
    bias = name not in ("tao",)
    trace = nv.trace(X, y, fit_intercept=bias, **how)
    try:
        return trace, nv.margin(X, y, fit_intercept=bias)
    except nv.NotSeparableError:
        return trace, None


def test_columns_have_the_names_of_a_frame_unless_these_are_numbers() -> None:
    X, y = nv.example("cornwell")
    named, plain = (nv.trace(pd.DataFrame(X, columns=names), y) for names in (["height", "width"], None))
    assert named.ending()[0].endswith("4·height − 1/2·width + 1 = 0")
    assert plain.ending()[0].endswith("4·x1 − 1/2·x2 + 1 = 0")
    assert (named.names, plain.names, plain.axis_names) == (("height", "width"), None, ["x1", "x2"])
    assert named.to_dict() == plain.to_dict()  # JSON names columns by their numbers
    assert nv.report(pd.DataFrame(X), y).names is None


def page_of(trace: Any, margin: Any = None, title: str | None = None) -> Node:
    return parsed(trace.to_html(margin, title))


def named(tree: Node, name: str) -> list[Node]:
    """The items of a picture with this name, but for the dots of the cursor."""
    return [node for node in tree.all() if node.attributes.get("data-of") == name and node.name != "circle"]


@pytest.mark.parametrize(
    ("name", "updates", "most"),
    [("tao", 2, 2), ("cornwell", 9, 55), ("or", 9, 27), ("spam", 4, 15)],
)
def test_the_budget_is_the_bound_of_the_lecture(name: str, updates: int, most: int) -> None:
    """k of at most ⌊(R/γ)²⌋; on Tao's points the bound is met with equality."""
    trace, margin = run_on(name)
    tree = page_of(trace, margin)
    bar = tree.by_id("bar")
    assert (bar["value"], bar["max"]) == (str(updates), str(most))
    assert f"of at most {most} mistakes are made" in tree.one(kind="budget").text


def test_the_table_has_every_update_exactly() -> None:
    trace, margin = run_on("cornwell")
    rows = page_of(trace, margin).by_id("table").rows()
    assert rows[0] == trace.header()
    assert rows[1:] == [trace.cells(step) for step in trace.steps]
    assert rows[-1] == ["9", "5", "4", "+", "(0, 3/2, 1)", "−3", "13/4", "(4, −1/2, 1)", "0"]


def test_the_ending_is_that_of_the_text() -> None:
    trace, _ = run_on("xor")
    lead = page_of(trace).all("pre")[0].text
    assert lead.startswith("NOT SEPARABLE")
    assert lead in trace.to_text()
    assert "No plane separates the points, so no bound limits the number of mistakes." in trace.to_html()


def test_the_picture_has_one_mark_for_each_point_and_the_line_of_the_last_weights() -> None:
    trace, margin = run_on("cornwell")
    plane = page_of(trace, margin).by_id("plane")
    assert [len(plane.all(kind=shape)) for shape in ("circle", "square")] == [2, 2]
    (line,) = [node for node in plane.all("line") if node.attributes.get("data-of") == "after"]
    x0, x1, y0, y1, left = map(float, plane["data-window"].split())
    for end in ("1", "2"):
        x = x0 + (float(line[f"x{end}"]) - left) / (466 - left) * (x1 - x0)
        y = y0 + (332 - float(line[f"y{end}"])) / 308 * (y1 - y0)
        assert 4 * x - y / 2 + 1 == pytest.approx(0, abs=0.02)
    (normal,) = [node for node in plane.all("line") if node.attributes.get("data-of") == "normal"]
    direction = [float(normal["x2"]) - float(normal["x1"]), float(normal["y1"]) - float(normal["y2"])]
    assert direction[0] / direction[1] == pytest.approx(4 / -0.5, rel=0.05)  # S2: w is orthogonal to the line
    assert len(named(plane, "widest")) == len(named(plane, "band")) == 1


@pytest.mark.parametrize(
    ("d", "sentence"),
    [(1, "The points have one feature: a picture of the plane needs two."), (3, "The points have 3 features")],
)
def test_other_dimensions_have_a_sentence_instead_of_the_plane(d: int, sentence: str) -> None:
    tree = page_of(nv.trace([[1] * d, [2] * d], [1, -1]))
    assert "plane" not in tree.ids()
    assert sentence in tree.by_id("pictures").text


def test_many_columns_show_the_length_of_w() -> None:
    rng = np.random.default_rng(0)
    trace = nv.trace(rng.integers(-3, 4, (6, 30)), [1, -1] * 3)
    assert page_of(trace).by_id("table").rows()[0][6] == "‖w‖² after"


def test_more_than_2000_points_are_thinned_and_this_is_said() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(-50, 51, (2500, 2)) + np.array([[200, 0]]) * (np.arange(2500) % 2)[:, None]
    tree = page_of(nv.trace(X, np.arange(2500) % 2, max_updates=3))
    marks = tree.by_id("plane")
    assert len(marks.all(kind="circle")) + len(marks.all(kind="square")) == 2000
    assert "2,000 of 2,500 points are drawn, evenly thinned." in tree.by_id("pictures").text


def test_labels_and_row_names_are_text() -> None:
    frame = pd.DataFrame({"a": [1, 2, -1], "b": [0, 1, 1]}, index=["<i>", "<b>one</b>", "&"])
    trace = nv.trace(frame, ["<u>x</u>", "<u>x</u>", "<s>"])
    tree = page_of(trace, title="<script>alert(1)</script>")
    assert not [node for node in tree.all() if node.name in ("u", "b", "i", "s")]
    assert len(tree.all("script")) == 1
    assert tree.one("h1").text == "A perceptron run on <script>alert(1)</script>"


@pytest.mark.parametrize("other", [([[9, 9], [1, 2]], [1, -1]), ([[1], [2]], [1, -1])])
def test_a_margin_of_other_points_is_refused(other: tuple[Any, Any]) -> None:
    trace = nv.trace([[1, 2], [2, 0]], [1, -1])
    with pytest.raises(nv.InputError, match=r"margin: found that of .* expected novikoff\.margin of the same points"):
        trace.to_html(nv.margin(*other))


def test_extreme_runs_have_a_page() -> None:
    """Numbers beyond floats, no update at all, a run that was stopped."""
    assert "too far apart or too close together" in nv.trace([["1e390", "0"], ["-1e395", "1"]], [1, -1]).to_html()
    assert "updates</dt><dd>0</dd>" in nv.trace([[1, 2], [2, 0]], [1, -1], w0=[-2, 1, 1]).to_html()
    stopped = nv.trace([[1, 2], [2, 0]], [1, -1], max_updates=1)
    assert "No bound is shown: it needs the margin of a plane that separates the points." in stopped.to_html()


FREE_SCALES = " The axes have different scales, so angles are not drawn as they are."


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
    at = lambda x, y: (left + (x - x0) / (x1 - x0) * (466 - left), 332 - (y - y0) / (y1 - y0) * 308)  # noqa: E731
    drawn = sorted((float(c["cx"]), float(c["cy"])) for c in plane.all("circle", "circle"))
    assert np.array(drawn) == pytest.approx(np.array(sorted(at(*p) for p in X[y == 1].tolist())), abs=0.06)
    assert drawn[-1][0] - drawn[0][0] > 200


def test_a_report_on_different_units_says_it_in_each_caption() -> None:
    tree = parsed(nv.report(*units(), max_time=5).to_html())
    for name in ("data", "verdict", "margin"):
        (caption,) = tree.by_id(name).all("figcaption")
        assert FREE_SCALES in caption.text
        marks = [float(c["cx"]) for c in tree.by_id(name).all("circle", "circle")[:-1]]
        assert max(marks) - min(marks) > 200
