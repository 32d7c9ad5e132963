"""The pictures that the notes show or describe, as panels of data; in files and on axes they are drawn as they are."""

from __future__ import annotations

import math
import os
import re
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pytest
import scipy.sparse as sp
from matplotlib import pyplot
from matplotlib.figure import Figure
from matplotlib.path import Path as Outline
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import novikoff as nv
from commands import novikoff
from data.small_sets import fit_quietly

MOST_POINTS = 2_000  # that a display draws
CORNWELL, XOR, IRIS = nv.example("cornwell"), nv.example("xor"), nv.example("iris")
FITTED = nv.Perceptron().fit(*CORNWELL)


def ax() -> Any:
    return Figure().add_subplot()


def drawn(clf: Any, X: Any, y: Any = None, **how: Any) -> Any:
    return nv.BoundaryDisplay.from_estimator(clf, X, y, ax=ax(), **how)


def by_hand(labels: Any = CORNWELL[1], axes: Any = None) -> Any:
    return nv.BoundaryDisplay.from_plane(CORNWELL[0], labels, [4.0, -0.5], 1.0, ax=ax() if axes is None else axes)


# ---- a plane among its points


def test_S2_w_is_orthogonal_to_the_line_and_the_widest_margin_has_its_true_width_and_touching_points() -> None:
    X, y = CORNWELL
    panel = drawn(FITTED, X, y).panels[0]
    (line,), (arrow,) = panel.named("boundary"), panel.named("w")
    along = np.array([line.x[1] - line.x[0], line.y[1] - line.y[0]])
    assert abs(along @ np.subtract(arrow.end, arrow.start)) < 1e-12
    (widest,), (band,), (rings,) = panel.named("widest"), panel.named("band"), panel.named("touching")
    assert widest.x == pytest.approx([-0.5, -0.5])
    assert (band.x.min(), band.x.max()) == pytest.approx((-1, 0))  # half-width 1/2
    assert sorted(zip(rings.x, rings.y, strict=True)) == [(-1, -1), (-1, 3), (0, 1.5)]
    assert "widest margin 0.5" in panel.title
    distance = nv.margins(X, y, FITTED.coef_[0], FITTED.intercept_[0]).distances.min()
    assert f"smallest distance {distance:.4g}" in panel.title
    assert drawn(FITTED, X, y, proof=False).panels[0].named("band") == []


def test_T4a_the_margin_of_the_plane_and_the_ball_of_radius_R() -> None:
    X, y = nv.example("tao")
    m = nv.margin(X, y, fit_intercept=False)
    (panel,) = drawn(nv.Perceptron(fit_intercept=False).fit(X, y), X, y, ball=True).panels
    (ball,), (band,) = panel.named("ball"), panel.named("band")
    assert np.allclose(np.hypot(ball.x, ball.y), m.radius)
    w = np.array([1.0, 1.0]) / np.sqrt(2)
    assert np.isclose(np.abs(np.column_stack([band.x, band.y]) @ w).max(), m.padded.gamma[0])
    assert len(panel.named("touching")[0].x) == 4


def test_hulls_that_meet_are_drawn_with_their_common_point() -> None:
    X, y = XOR
    panel = drawn(fit_quietly(nv.Perceptron(), X, y), X, y).panels[0]
    (common,) = panel.named("common")
    assert (common.x.tolist(), common.y.tolist()) == ([0.5], [0.5])
    for label in (-1, 1):
        (edges,) = panel.named(f"edges {label}")
        assert set(zip(edges.x, edges.y, strict=True)) == {tuple(row) for row in X[y == label].tolist()}
    (panel,) = nv.HullsDisplay.from_verdict(nv.decide(X, y), X, y, ax=ax()).panels
    assert panel.named("common")[0].x.tolist() == [0.5]
    assert "4 of 4 points prove it" in panel.title
    X = np.array([[0.0, 0], [4, 0], [0, 4], [1, 1]])
    (panel,) = nv.HullsDisplay(nv.decide(X, [0, 0, 0, 1]), X, [0, 0, 0, 1]).panels
    assert len(panel.named("hull 0")[0].x) == 3
    assert panel.named("common")[0].y.tolist() == [1]
    X = np.array([[1.0, 1], [2, 2]])
    (panel,) = nv.HullsDisplay(nv.decide(X, [0, 1], fit_intercept=False), X, [0, 1]).panels
    assert all(label.endswith(("and 0", "both", "(−)", "(+)")) for label in panel.labels)  # through the origin


def test_one_or_many_features_are_at_their_true_side_and_distance() -> None:
    X, y = IRIS[0], np.where(IRIS[1] == "setosa", "setosa", "others")
    clf = nv.Perceptron().fit(X, y)
    distance = clf.decision_function(X) / np.linalg.norm(clf.coef_)
    for points in (X, sp.csr_matrix(X)):
        (panel,) = drawn(clf, points, y).panels
        for label in ("setosa", "others"):
            assert panel.named(f"class {label}")[0].x == pytest.approx(distance[y == label])
        assert panel.named("boundary")[0].x.tolist() == [0, 0]
        assert panel.named("band")[0].x.max() == pytest.approx(np.abs(distance).min())
        assert "in 4 dimensions" in panel.x_label
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((30, 1000)), np.repeat([0, 1], 15)
    (panel,) = drawn(nv.Perceptron().fit(X, y), X, y).panels
    assert "in 1,000 dimensions" in panel.x_label
    assert (panel.named("class 1")[0].x > 0).all()
    X, y = [[0.0], [1], [3], [4]], ["a", "a", "b", "b"]
    clf = nv.Perceptron().fit(X, y)
    (panel,) = drawn(clf, X, y).panels
    assert panel.named("boundary")[0].x.tolist() == [-clf.intercept_[0] / clf.coef_[0, 0]] * 2
    assert panel.y_ticks == ("a", "b")
    (panel,) = nv.BoundaryDisplay.from_plane([[-1.0], [1]], ["a", "b"], [2.0], 0.0, ax=ax()).panels
    assert "threshold 0" in panel.labels


def test_wrong_points_are_counted_exactly_and_axes_may_differ() -> None:
    X, y = np.array([[0.0, 0], [1, 1000], [2, 0], [3, 1000]]), [0, 0, 1, 1]
    display = nv.BoundaryDisplay.from_plane(X, y, [1, 0], -2, proof=False, ax=ax())
    assert display.wrong == 1  # a point on the line is not on its own side
    assert display.panels[0].title.startswith("1 of 4 points are not")
    assert (display.panels[0].equal, display.panels[0].named("w")) == (False, [])
    for w, b, said in (([1, 0], 50, "the line is outside this picture"),
                       ([0, 0], 1, "all weights are 0: there is no line")):  # fmt: skip
        (panel,) = nv.BoundaryDisplay.from_plane(X, y, w, b, ax=ax()).panels
        assert panel.named("outside")[0].text == said


def test_many_points_are_thinned_and_this_is_said() -> None:
    X = np.random.default_rng(0).standard_normal((MOST_POINTS + 500, 2))
    y = (X[:, 0] > 0).astype(int)
    (panel,) = nv.BoundaryDisplay.from_plane(X, y, [1, 0], ax=ax()).panels
    assert f"{MOST_POINTS:,} of {len(y):,} points are drawn" in panel.title
    assert f"all {len(y):,} points" in panel.title
    assert sum(len(panel.named(f"class {k}")[0].x) for k in (0, 1)) == MOST_POINTS


def test_a_pipeline_and_a_loaded_model_draw_their_own_space(tmp_path: Path) -> None:
    X, y = IRIS[0][:100, :2], IRIS[1][:100]
    (panel,) = drawn(fit_quietly(make_pipeline(StandardScaler(), nv.Perceptron(max_iter=20)), X, y), X, y).panels
    marks = [*panel.named("class setosa"), *panel.named("class versicolor")]
    assert abs(np.concatenate([one.x for one in marks]).mean()) < 1e-9
    clf = nv.MaxMargin().fit(X, y)
    nv.save(clf, tmp_path / "m.nvk")
    line = drawn(nv.load(tmp_path / "m.nvk"), X, y).panels[0].named("boundary")[0]
    assert np.column_stack([line.x, line.y]) @ clf.coef_[0] + clf.intercept_[0] == pytest.approx([0, 0], abs=1e-9)


def test_the_smallest_numbers_that_are_drawn_have_a_true_picture(tmp_path: Path) -> None:
    """Points of 1e-138: the band of the widest plane is inside the picture; of smaller ones it is said."""
    X = np.round(np.random.default_rng(4).normal(size=(20, 2)), 2)
    X[:, 0] += np.sign(X[:, 0])
    y = np.where(X[:, 0] > 0, "a", "b")
    (panel,) = nv.BoundaryDisplay.from_plane(X * 1e-138, y, [-1.0, 0.0], 0.0).panels
    (band,), (ends,) = panel.named("band"), panel.named("widest")
    assert all(np.isfinite(values).all() for values in (band.x, band.y, ends.x, ends.y))
    assert np.abs(band.x).max() <= 1.5 * np.abs(X * 1e-138).max()
    rows = [f"{a!r},{b!r},{c}" for (a, b), c in zip((X * 1e-170).tolist(), y, strict=True)]
    (tmp_path / "p.csv").write_text("\n".join(["u,v,y", *rows]) + "\n")
    told = novikoff("fit", tmp_path / "p.csv", "--plot", tmp_path / "x.png")
    assert (told.code, (tmp_path / "x.png").exists()) == (3, False)
    assert "p.csv: numbers too small to draw: the largest is" in told.err
    assert "multiply X by a large number first" in told.err


# ---- several classes, errors, the proof of convergence, capacity


@pytest.mark.parametrize("how", [{"multi_class": "ova"}, {"multi_class": "ovo"}, {"multi_class": "ovo", "ovo": "sum"},
                                 {"multi_class": "joint"}])  # fmt: skip
def test_Z15a_every_training_point_is_in_the_region_of_its_predicted_class(how: dict[str, str]) -> None:
    X, y = IRIS[0][:, 2:], IRIS[1]
    clf = fit_quietly(nv.Perceptron(**how, max_iter=12), X, y)
    display = nv.RegionsDisplay.from_estimator(clf, X, y, ax=ax())
    found = np.zeros((len(y), 3), bool)
    for k, polygon in display.polygons[0]:
        found[:, k] |= Outline(polygon).contains_points(X)
    alone = found.sum(axis=1) == 1
    assert alone.mean() > 0.95
    assert (clf.classes_[found.argmax(axis=1)] == clf.predict(X))[alone].all()
    items = display.panels[0].items
    assert sum(item.name.startswith("plane") for item in items) == 3
    assert len({item.hatch for item in items if item.name.startswith("region")}) == 3  # readable without colour
    assert sum(label.startswith("predicted") for label in display.panels[0].labels) == 3


def test_Z15a_one_vs_all_and_one_vs_one_with_the_balance_of_each_problem() -> None:
    X, y = IRIS[0][:, 2:], IRIS[1]
    fitted = [fit_quietly(nv.Perceptron(multi_class=s, max_iter=12), X, y) for s in ("ova", "ovo")]
    panels = nv.RegionsDisplay.from_estimator(fitted, X, y, balance=True, ax=Figure().subplots(2, 2).ravel()).panels
    assert [panel.title.partition(",")[0] for panel in panels[:2]] == ["one-vs-all", "one-vs-one"]
    assert [panel.named("negative")[0].y.tolist() for panel in panels[2:]] == [[100] * 3, [50] * 3]


def test_Z14_errors_against_passes_are_those_of_the_history() -> None:
    X, y = nv.example("breast-cancer")
    clf = fit_quietly(nv.Perceptron(keep="pocket", early_stopping=True, max_iter=12, random_state=0), X / 100, y)
    panel = nv.ErrorCurveDisplay.from_estimator(clf, ax=ax()).panels[0]
    for column in ("mistakes", "errors", "pocket_errors", "valid_errors"):
        (curve,) = panel.named(column)
        assert (curve.x.tolist(), curve.y.tolist()) == (clf.history_["pass"], clf.history_[column])
    assert f"stopped: {clf.stop_reason_}" in panel.title
    assert panel.named("end")[0].x.tolist() == [clf.n_iter_] * 2
    assert panel.labels[-1] == f"end: {clf.stop_reason_}"
    assert panel.y_whole
    once = nv.ErrorCurveDisplay(FITTED).panels[0]
    assert once.named("errors")[0].x.tolist() == [FITTED.n_iter_]  # counted once: a point
    assert once.y_label == panel.y_label == "mistakes or errors"
    assert nv.ErrorCurveDisplay(fit_quietly(nv.Perceptron(), *XOR)).panels[0].y_label == "mistakes"
    weighted = fit_quietly(nv.Perceptron(class_weight={-1: 1, 1: 2}), *XOR)
    assert "weighted" in nv.ErrorCurveDisplay(weighted).panels[0].y_label


@pytest.mark.parametrize("name", ["tao", "cornwell", "or", "spam"])
def test_the_curves_of_the_convergence_proof_hold_the_run_between_them(name: str) -> None:
    X, y = nv.example(name)
    trace = nv.trace(X, y, fit_intercept=name != "tao", eta0="1/2")
    (panel,) = nv.BoundDisplay.from_trace(trace, X, y, ax=ax()).panels
    m = nv.margin(X, y, fit_intercept=name != "tao")
    (norm,), (overlap,), (bound,) = (panel.named(n) for n in ("under", "over", "bound"))
    assert len(norm.x) == len(trace.steps) + 1
    assert (norm.y <= np.sqrt(norm.x) * m.radius / 2 + 1e-9).all()
    assert (overlap.y >= overlap.x * m.padded.gamma[0] / 2 - 1e-9).all()
    assert (overlap.y <= norm.y + 1e-9).all()
    ends = [panel.named(which)[0].y[-1] for which in ("ceiling", "floor")]
    assert ends[0] == pytest.approx(ends[1], rel=0.05)  # both curves meet where the bound is, rounded down
    assert len(trace.steps) <= bound.x[0] == int(m.mistake_bound[1])
    assert panel.title == f"{len(trace.steps)} mistakes of at most {bound.x[0]:.0f}"


def test_S5_the_fraction_is_drawn_as_counted_is_one_half_at_P_2N_and_steps_there() -> None:
    fractions, counts = nv.CoverDisplay([5, 65, 300]).panels
    for N in (5, 65, 300):
        (curve,), (logs,) = fractions.named(f"theory {N}"), counts.named(f"log count {N}")
        for x, y, log in zip(curve.x, curve.y, logs.y, strict=True):
            P = round(x * N)
            assert y == pytest.approx(float(nv.separable_fraction(P, N)), rel=1e-9, abs=1e-12)
            assert log == pytest.approx(x if P <= N else math.log2(nv.cover_count(P, N)) / N, rel=1e-9)
        assert curve.y[curve.x == 2].tolist() == [0.5]
    five, many = fractions.named("theory 5")[0], fractions.named("theory 65")[0]
    assert many.y[many.x == 1.6] > five.y[five.x == 1.6]  # the step is steeper
    assert many.y[many.x == 2.4] < five.y[five.x == 2.4]
    assert (len(fractions.named("counts 5")), fractions.named("counts 65")) == (1, [])
    assert fractions.labels == ["N = 5", "N = 65", "N = 300"]


def test_S5_measured_fractions_have_their_intervals_about_the_curve() -> None:
    found = nv.capacity_experiment(N=[3, 4], ratios=["1", "2", "5"], trials=20, seed=1)
    display = nv.CoverDisplay.from_experiment(found, ax=ax())
    (panel,) = display.panels
    for N in (3, 4):
        rows = [row for row in found.rows if row["N"] == N]
        (marks,) = panel.named(f"measured {N}")
        assert marks.x.tolist() == [row["P"] / N for row in rows]
        assert marks.y.tolist() == [row["separable"] / 20 for row in rows]
        true = [float(nv.separable_fraction(row["P"], N)) for row in rows]
        assert ((marks.low <= marks.y) & (marks.y <= marks.high) & (marks.low <= true) & (true <= marks.high)).all()
    assert panel.x_limits[1] > 5
    assert "confidence intervals" in panel.title
    assert "95 %" in nv.CoverDisplay([3], found.rows[:3], level=0.95).panels[0].title
    assert display.ax_.get_ylabel() == "C(P, N) / 2^P"


# ---- bad input


def test_bad_input_is_a_sentence() -> None:
    clf, (X, y) = FITTED, CORNWELL
    three = fit_quietly(nv.Perceptron(max_iter=2), *IRIS)
    line = [[1], [2], [3]], [0, 1, 0]
    cases: list[tuple[Any, str]] = [
        (lambda: drawn(nv.Perceptron(), X, y), "estimator: found Perceptron without coef_; .* call fit first"),
        (lambda: drawn(nv.Perceptron(keep="vote").fit(X, y), X, y), "keep='vote' predicts by the votes"),
        (lambda: drawn(clf, X[:, :1], y), "X: found 1 columns; 2 were expected"),
        (lambda: drawn(clf, X, None), "y: found none"),
        (lambda: drawn(clf, X, [1, 1, -1, 7]), r"y: found 7; one of the classes \[-1, 1\] was expected"),
        (lambda: drawn(clf, X * 1e200, y), "X: found nan, infinity or a number beyond 1e"),
        (lambda: drawn(clf, X, y, proof="yes"), "proof: found 'yes'; True, False or 'auto' was expected"),
        (lambda: drawn(three, *IRIS), "found 3 classes; two were expected: RegionsDisplay"),
        (lambda: drawn(clf, [["a", "b"]], [1]), "X: found values that are not numbers"),
        (lambda: nv.BoundaryDisplay.from_plane(X, y, [1, 2, 3], 0), "w: found 3 numbers for points with 2 features"),
        (lambda: nv.BoundaryDisplay.from_plane([[1.0], [2]], [0, 1], [0], 0), "there is no plane to draw"),
        (lambda: nv.RegionsDisplay.from_estimator(clf, X, y), "found 2 classes; more than two were expected"),
        (lambda: nv.RegionsDisplay.from_estimator(three, *IRIS), "found 4 features; regions are drawn"),
        (lambda: nv.HullsDisplay(nv.decide(*line), *line), "X: found 1 features; hulls are drawn for two"),
        (lambda: nv.HullsDisplay(nv.decide(X, y), X, y), "verdict: found one that does not say 'not separable'"),
        (lambda: nv.HullsDisplay(nv.decide(*XOR), X[:3], y[:3]), "X: found 3 points; 4 were expected"),
        (lambda: nv.ErrorCurveDisplay.from_estimator(nv.MaxMargin().fit(X, y)), "found no passes"),
        (lambda: by_hand().save("all.gif"), r"the ending \.gif is not a picture's; \.png, \.pdf"),
        (lambda: by_hand().save("all"), r"the ending \(none\)"),
        (lambda: by_hand().save("missing/all.png"), "cannot be written"),
        (lambda: nv.CoverDisplay([5]).plot(ax=ax()), r"ax: found 1; .* 2 panels: a sequence of 2 Axes was expected"),
        (lambda: by_hand(axes="x"), r"ax: found str \('x'\); this display has 1 panel: one Axes was expected"),
    ]
    for call, sentence in cases:
        with pytest.raises(nv.InputError, match=sentence):
            call()


# ---- files and axes


@pytest.mark.parametrize("kind", ["png", "pdf", "svg", "jpg", "webp"])
def test_a_picture_has_the_same_bytes_each_time_and_in_any_style(kind: str, tmp_path: Path) -> None:
    before = dict(matplotlib.rcParams)
    by_hand().save(tmp_path / f"a.{kind}")
    with matplotlib.rc_context({"lines.linewidth": 9, "text.usetex": True, "figure.facecolor": "black"}):
        by_hand().save(tmp_path / f"b.{kind}")
    assert (tmp_path / f"a.{kind}").read_bytes() == (tmp_path / f"b.{kind}").read_bytes()
    assert dict(matplotlib.rcParams) == before


def test_what_is_drawn_on_axes_is_the_panel_with_texts_as_they_are(tmp_path: Path) -> None:
    (X, y), axes = CORNWELL, ax()
    found = by_hand(axes=axes)
    (panel,) = found.panels
    assert (found.ax_, found.figure_) == (axes, axes.figure)
    (line,) = (one for one in axes.lines if one.get_gid() == "boundary")
    (wanted,) = panel.named("boundary")
    assert np.array_equal(line.get_xydata(), np.column_stack([wanted.x, wanted.y]))
    for label in (-1, 1):
        (marks,) = (one for one in axes.collections if one.get_gid() == f"class {label}")
        assert sorted(marks.get_offsets().tolist()) == sorted(X[label == y].tolist())
    assert [text.get_text() for text in axes.get_legend().get_texts()] == panel.labels
    assert (axes.get_title(), axes.get_xlabel(), axes.get_ylabel()) == (panel.title, panel.x_label, panel.y_label)
    axes = ax()
    found = by_hand(["_cost in $ and $x^$ \x1b[31m"] * 2 + ["b" * 200] * 2, axes)
    texts = [text.get_text().replace(r"\$", "$") for text in axes.get_legend().get_texts()]
    assert any("cost in $ and $x^$ ?[31m" in text for text in texts)  # and no formula
    assert max(map(len, texts)) <= 80
    found.save(tmp_path / "a.svg")
    assert "cost in $ and $x^$ ?[31m" in (tmp_path / "a.svg").read_text("utf-8")


def test_every_display_fits_in_its_own_figure() -> None:
    """Titles, labels of axes and legends, also those beside a picture with equal units."""
    flowers, kinds = IRIS[0][:, 2:], IRIS[1]
    many = fit_quietly(nv.Perceptron(max_iter=20), flowers, kinds)
    for display in (
        nv.BoundaryDisplay.from_estimator(FITTED, *CORNWELL, ball=True),
        nv.BoundDisplay.from_trace(nv.trace(*CORNWELL), *CORNWELL),
        nv.HullsDisplay.from_verdict(nv.decide(*XOR), *XOR),
        nv.RegionsDisplay.from_estimator([many, many], flowers, kinds, balance=True),
        nv.ErrorCurveDisplay.from_estimator(FITTED),
        nv.CoverDisplay([5]).plot(),
    ):
        figure = pyplot.gcf()
        figure.canvas.draw()
        width, height = figure.canvas.get_width_height()
        for one in figure.axes:
            left, bottom, right, top = one.get_tightbbox().extents
            assert min(left, bottom) >= 0, display
            assert (right <= width, top <= height) == (True, True), display
        pyplot.close(figure)


# ---- the command line


def table(path: Path, classes: int = 2, features: int = 2) -> Path:
    """A small table with names: the class is the third of the first feature, from 0."""
    X = np.random.default_rng(1).integers(0, 30, (40, features))
    rows = [",".join([*map(str, x), "abc"[int(x[0] * classes // 30)]]) for x in X]
    path.write_text("\n".join([",".join([*["height", "width", "depth"][:features], "kind"]), *rows]) + "\n")
    return path


DRAWN: list[tuple[str, list[str]]] = [
    ("fit 2x1.csv", ["threshold", "Errors against passes", "stopped: separated"]),
    ("fit 2x2.csv", ["height", "width", "a (−)", "b (+)", "w·x + b = 0", "widest margin", "Errors against passes"]),
    ("fit 2x3.csv", ["signed distance from the plane in 3 dimensions", "first principal direction in the plane"]),
    ("fit 3x2.csv --multi ova", ["one-vs-all, 3 planes", "Balance of the 3 problems", "Errors against passes"]),
    ("fit 3x3.csv --multi ova", ["Errors against passes"]),
    ("fit --example xor --features poly2", ["in 5 dimensions", "all 4 points are on their own side"]),
    ("fit --example xor", ["point in both", "hull of 2 of 1", "2 of 4 points are not on their own side"]),
    ("fit --example tao", ["blue (−)", "red (+)", "w·x = 0"]),
    ("fit --example retina --max-passes 2", ["in 400 dimensions"]),
    ("fit --example digits --max-passes 1 --multi ova", ["Errors against passes"]),
    ("theory capacity -N 5 -N 65", ["P / N"]),
    ("theory capacity -N 3 --ratio 2 --simulate 20", ["N = 3, theory", "N = 3, measured", "95 % intervals", "P / N"]),
]


@pytest.mark.parametrize(("command", "texts"), DRAWN, ids=[command for command, _ in DRAWN])
def test_commands_draw_what_they_found(
    command: str, texts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if ".csv" in command:
        name = command.split()[1]
        table(tmp_path / name, int(name[0]), int(name[2]))
    told = novikoff(*command.split(), "--plot", "p.svg")
    assert told.code == 0, told.err
    assert "wrote p.svg" in told.err
    svg = Path("p.svg").read_text("utf-8")
    assert [text for text in texts if text not in svg] == []


def test_fit_writes_the_same_answer_and_model_with_a_picture(tmp_path: Path) -> None:
    found = []
    for name, more in (("a.nvk", ()), ("b.nvk", ("--plot", tmp_path / "p.pdf"))):
        document = novikoff("fit", "--example", "cornwell", "-o", tmp_path / name, "--json", *more).json
        del document["seconds"], document["model"]
        found.append((document, (tmp_path / name).read_bytes()))
    assert found[0] == found[1]
    assert (tmp_path / "p.pdf").read_bytes().startswith(b"%PDF")


def test_bad_pictures_are_refused_before_anything_is_computed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    table(Path("t.csv"), 3, 3)
    long = f"theory capacity -N 50 --simulate {10**7} --plot"  # would take hours
    for command, code, words in (
        (f"{long} a.gif", 2, ".gif is not a picture's; .png, .pdf"),
        (f"{long} -", 2, "--plot: -: the ending (none) is not a picture's; .png, .pdf, .svg"),
        (f"{long} missing/a.png", 3, "cannot be written"),
        (f"{long} a.png --csv a.png", 2, "a.png"),
        ("fit --example cornwell --keep vote -o m.nvk --plot p.png", 2, "--keep vote predicts by the votes"),
        ("fit - --max-passes 1 -o m.nvk --plot p.png", 2, "a stream keeps no points to draw"),
        ("fit t.csv --soft hinge -o m.nvk --plot p.png", 3, "3 classes and 3 features; soft margins are drawn for"),
        ("fit t.csv --plot t.csv", 2, "t.csv"),
        (f"{long} a.png", 3, "pip install 'novikoff[plot]'"),
    ):
        if "pip" in words:
            monkeypatch.setattr("importlib.util.find_spec", lambda name, package=None: None)
        told = novikoff(*command.split())
        assert (told.code, words in told.err) == (code, True), told.err
    with pytest.raises(nv.InputError, match=re.escape("pip install 'novikoff[plot]'")):
        nv.CoverDisplay([5]).plot()
    assert os.listdir() == ["t.csv"]
