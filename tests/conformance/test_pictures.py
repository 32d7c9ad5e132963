"""The pictures that the notes show or describe, each by its id: what is drawn, not how it looks."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from matplotlib.figure import Figure

import novikoff as nv
from data.small_sets import fit_quietly


def test_S5_the_fraction_against_P_over_N_steps_at_2_and_measured_points_lie_on_it() -> None:
    found = nv.capacity_experiment(N=5, ratios=["1", "2", "3"], trials=200, seed=1)
    panel, counts = nv.CoverDisplay([5, 65], found.rows).panels
    five, many = panel.named("theory 5")[0], panel.named("theory 65")[0]
    assert five.y[five.x == 2] == many.y[many.x == 2] == 0.5
    assert many.y[many.x == 1.6] > five.y[five.x == 1.6]  # the step is steeper
    assert many.y[many.x == 2.4] < five.y[five.x == 2.4]
    (marks,) = panel.named("measured 5")
    assert ((marks.low <= [1, 0.5, 0.0898]) & (marks.high >= [1, 0.5, 0.0898])).all()
    for N in (5, 65):
        (curve,) = counts.named(f"log count {N}")
        assert np.allclose(curve.y[curve.x <= 1], curve.x[curve.x <= 1])  # 2^P labellings up to P = N
        assert (curve.y[curve.x >= 1.6] < curve.x[curve.x >= 1.6]).all()


def test_S2_w_is_orthogonal_to_the_decision_surface() -> None:
    X, y = nv.example("cornwell")
    clf = nv.Perceptron().fit(X, y)
    (panel,) = nv.BoundaryDisplay.from_estimator(clf, X, y, ax=Figure().add_subplot()).panels
    (line,), (arrow,) = panel.named("boundary"), panel.named("w")
    along = np.array([line.x[1] - line.x[0], line.y[1] - line.y[0]])
    assert abs(along @ np.subtract(arrow.end, arrow.start)) < 1e-12


def test_T4a_the_margin_of_the_plane_and_the_ball_of_radius_R() -> None:
    X, y = nv.example("tao")
    clf = nv.Perceptron(fit_intercept=False).fit(X, y)
    m = nv.margin(X, y, fit_intercept=False)
    (panel,) = nv.BoundaryDisplay.from_estimator(clf, X, y, ball=True, ax=Figure().add_subplot()).panels
    (ball,), (band,) = panel.named("ball"), panel.named("band")
    assert np.allclose(np.hypot(ball.x, ball.y), m.radius)
    w = np.array([1.0, 1.0]) / np.sqrt(2)
    assert np.isclose(np.abs(np.column_stack([band.x, band.y]) @ w).max(), m.padded.gamma[0])
    assert len(panel.named("touching")[0].x) == 4


def test_Z14_training_and_validation_error_against_passes() -> None:
    X, y = nv.example("breast-cancer")
    clf = fit_quietly(nv.Perceptron(keep="pocket", max_iter=8), X[:400] / 100, y[:400], X[400:] / 100, y[400:])
    (panel,) = nv.ErrorCurveDisplay(clf).panels
    assert panel.named("valid_errors")[0].y.tolist() == clf.history_["valid_errors"]
    assert panel.named("pocket_errors")[0].y.tolist() == clf.history_["pocket_errors"]
    assert panel.named("mistakes")[0].y.tolist() == clf.history_["mistakes"]
    assert panel.labels[4:] == [f"end: {clf.stop_reason_}"]


def test_Z15a_regions_of_one_vs_all_and_one_vs_one_with_the_balance_of_each_problem() -> None:
    X, y = nv.example("iris")
    X = X[:, 2:]
    fitted = [fit_quietly(nv.Perceptron(multi_class=s, max_iter=12), X, y) for s in ("ova", "ovo")]
    display = nv.RegionsDisplay.from_estimator(fitted, X, y, balance=True, ax=Figure().subplots(2, 2).ravel())
    assert [panel.title.partition(",")[0] for panel in display.panels[:2]] == ["one-vs-all", "one-vs-one"]
    for found in display.polygons:
        assert {k for k, _ in found} == {0, 1, 2}
    assert display.panels[2].named("negative")[0].y.tolist() == [100, 100, 100]
    assert display.panels[3].named("negative")[0].y.tolist() == [50, 50, 50]


MOST_POINTS = 2_000  # that a display draws


def fit(name: str, **how: Any) -> tuple[Any, Any, Any]:
    X, y = nv.example(name)
    return fit_quietly(nv.Perceptron(**how), X, y), X, y


def ax() -> Any:
    return Figure().add_subplot()


def drawn(clf: Any, X: Any, y: Any = None, **how: Any) -> Any:
    return nv.BoundaryDisplay.from_estimator(clf, X, y, ax=ax(), **how)


def test_the_widest_margin_has_its_true_width_and_its_touching_points() -> None:
    clf, X, y = fit("cornwell")
    panel = drawn(clf, X, y).panels[0]
    (widest,), (band,), (rings,) = panel.named("widest"), panel.named("band"), panel.named("touching")
    assert widest.x == pytest.approx([-0.5, -0.5])
    assert (band.x.min(), band.x.max()) == pytest.approx((-1, 0))  # half-width 1/2
    assert sorted(zip(rings.x, rings.y, strict=True)) == [(-1, -1), (-1, 3), (0, 1.5)]
    assert "widest margin 0.5" in panel.title
    distance = nv.margins(X, y, clf.coef_[0], clf.intercept_[0]).distances.min()
    assert f"smallest distance {distance:.4g}" in panel.title
    assert drawn(clf, X, y, proof=False).panels[0].named("band") == []


def test_hulls_that_meet_are_drawn_with_their_common_point() -> None:
    clf, X, y = fit("xor")
    panel = drawn(clf, X, y).panels[0]
    (common,) = panel.named("common")
    assert (common.x.tolist(), common.y.tolist()) == ([0.5], [0.5])
    for label in (-1, 1):
        (edges,) = panel.named(f"edges {label}")
        corners = {(a, b) for a, b in zip(edges.x, edges.y, strict=True)}
        assert corners == {tuple(row) for row in X[y == label].tolist()}
    verdict = nv.decide(X, y)
    display = nv.HullsDisplay.from_verdict(verdict, X, y, ax=ax())
    assert display.panels[0].named("common")[0].x.tolist() == [0.5]
    assert "4 of 4 points prove it" in display.panels[0].title


def test_a_triangle_around_a_point_and_planes_through_the_origin() -> None:
    X = np.array([[0.0, 0], [4, 0], [0, 4], [1, 1]])
    display = nv.HullsDisplay(nv.decide(X, [0, 0, 0, 1]), X, [0, 0, 0, 1])
    (hull,) = display.panels[0].named("hull 0")
    assert len(hull.x) == 3
    assert display.panels[0].named("common")[0].y.tolist() == [1]
    X = np.array([[1.0, 1], [2, 2]])
    ray = nv.HullsDisplay(nv.decide(X, [0, 1], fit_intercept=False), X, [0, 1])
    assert all(label.endswith(("and 0", "both", "(−)", "(+)")) for label in ray.panels[0].labels)


def test_more_features_are_at_their_true_side_and_distance() -> None:
    X, y = nv.example("iris")
    y = np.where(y == "setosa", "setosa", "others")
    clf = nv.Perceptron().fit(X, y)
    for points in (X, sp.csr_matrix(X)):
        (panel,) = drawn(clf, points, y).panels
        distance = clf.decision_function(X) / np.linalg.norm(clf.coef_)
        for label in ("setosa", "others"):
            (marks,) = panel.named(f"class {label}")
            assert marks.x == pytest.approx(distance[y == label])
        (line,), (band,) = panel.named("boundary"), panel.named("band")
        assert line.x.tolist() == [0, 0]
        assert band.x.max() == pytest.approx(np.abs(distance).min())
        assert "in 4 dimensions" in panel.x_label


def test_one_feature_has_a_threshold_and_a_thousand_features_are_drawn() -> None:
    clf = nv.Perceptron().fit([[0.0], [1], [3], [4]], ["a", "a", "b", "b"])
    (panel,) = drawn(clf, [[0.0], [1], [3], [4]], ["a", "a", "b", "b"]).panels
    assert panel.named("boundary")[0].x.tolist() == [-clf.intercept_[0] / clf.coef_[0, 0]] * 2
    assert panel.y_ticks == ("a", "b")
    (panel,) = nv.BoundaryDisplay.from_plane([[-1.0], [1]], ["a", "b"], [2.0], 0.0, ax=ax()).panels
    assert "threshold 0" in panel.labels
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((30, 1000)), np.repeat([0, 1], 15)
    (panel,) = drawn(nv.Perceptron().fit(X, y), X, y).panels
    assert "in 1,000 dimensions" in panel.x_label
    assert (panel.named("class 1")[0].x > 0).all()


def test_wrong_points_are_counted_exactly_and_axes_may_differ() -> None:
    X, y = np.array([[0.0, 0], [1, 1000], [2, 0], [3, 1000]]), [0, 0, 1, 1]
    display = nv.BoundaryDisplay.from_plane(X, y, [1, 0], -2, proof=False, ax=ax())
    assert display.wrong == 1  # a point on the line is not on its own side
    assert display.panels[0].title.startswith("1 of 4 points are not")
    assert not display.panels[0].equal
    assert display.panels[0].named("w") == []
    outside = nv.BoundaryDisplay.from_plane(X, y, [1, 0], 50, ax=ax()).panels[0]
    assert outside.named("outside")[0].text == "the line is outside this picture"
    zero = nv.BoundaryDisplay.from_plane(X, y, [0, 0], 1, ax=ax()).panels[0]
    assert zero.named("outside")[0].text == "all weights are 0: there is no line"


def test_many_points_are_thinned_and_this_is_said() -> None:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((MOST_POINTS + 500, 2))
    y = (X[:, 0] > 0).astype(int)
    (panel,) = nv.BoundaryDisplay.from_plane(X, y, [1, 0], ax=ax()).panels
    assert f"{MOST_POINTS:,} of {len(y):,} points are drawn" in panel.title
    assert f"all {len(y):,} points" in panel.title
    assert sum(len(panel.named(f"class {k}")[0].x) for k in (0, 1)) == MOST_POINTS


def test_a_pipeline_and_a_loaded_model_draw_their_own_space(tmp_path: Any) -> None:
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    X, y = nv.example("iris")
    X, y = X[:100, :2], y[:100]
    pipe = make_pipeline(StandardScaler(), nv.Perceptron(max_iter=20))
    fit_quietly(pipe, X, y)
    (panel,) = drawn(pipe, X, y).panels
    assert (
        abs(np.concatenate([m.x for m in (*panel.named("class setosa"), *panel.named("class versicolor"))]).mean())
        < 1e-9
    )
    clf = nv.MaxMargin().fit(X, y)
    nv.save(clf, tmp_path / "m.nvk")
    line = drawn(nv.load(tmp_path / "m.nvk"), X, y).panels[0].named("boundary")[0]
    assert np.column_stack([line.x, line.y]) @ clf.coef_[0] + clf.intercept_[0] == pytest.approx([0, 0], abs=1e-9)


# more than two classes
@pytest.mark.parametrize("how", [{"multi_class": "ova"}, {"multi_class": "ovo"}, {"multi_class": "ovo", "ovo": "sum"},
                                 {"multi_class": "joint"}])  # fmt: skip
def test_every_training_point_is_in_the_region_of_its_predicted_class(how: dict[str, str]) -> None:
    X, y = nv.example("iris")
    clf = fit_quietly(nv.Perceptron(**how, max_iter=12), X[:, 2:], y)
    display = nv.RegionsDisplay.from_estimator(clf, X[:, 2:], y, ax=ax())
    predicted = clf.predict(X[:, 2:])
    from matplotlib.path import Path

    found = np.zeros((len(y), 3), bool)
    for k, polygon in display.polygons[0]:
        found[:, k] |= Path(polygon).contains_points(X[:, 2:])
    alone = found.sum(axis=1) == 1
    assert alone.mean() > 0.95
    assert (clf.classes_[found.argmax(axis=1)] == predicted)[alone].all()
    assert len([item for item in display.panels[0].items if item.name.startswith("plane")]) == 3
    regions = [item for item in display.panels[0].items if item.name.startswith("region")]
    assert len({item.hatch for item in regions}) == 3  # readable without colour
    assert sum(label.startswith("predicted") for label in display.panels[0].labels) == 3


# errors
def test_errors_against_passes_are_those_of_the_history() -> None:
    X, y = nv.example("breast-cancer")
    clf = fit_quietly(nv.Perceptron(keep="pocket", early_stopping=True, max_iter=12, random_state=0), X / 100, y)
    panel = nv.ErrorCurveDisplay.from_estimator(clf, ax=ax()).panels[0]
    for column in ("mistakes", "errors", "pocket_errors", "valid_errors"):
        (curve,) = panel.named(column)
        assert curve.y.tolist() == clf.history_[column]
        assert curve.x.tolist() == clf.history_["pass"]
    assert f"stopped: {clf.stop_reason_}" in panel.title
    (end,) = panel.named("end")
    assert end.x.tolist() == [clf.n_iter_, clf.n_iter_]
    assert f"end: {clf.stop_reason_}" in panel.labels
    assert panel.y_whole
    few, X, y = fit("cornwell")
    once = nv.ErrorCurveDisplay(few).panels[0]
    (mark,) = once.named("errors")  # counted once: a point, in the legend too, and no line
    assert mark.x.tolist() == [few.n_iter_]
    assert once.y_label == panel.y_label == "mistakes or errors"
    assert nv.ErrorCurveDisplay(fit("xor")[0]).panels[0].y_label == "mistakes"
    weighted = fit_quietly(nv.Perceptron(class_weight={-1: 1, 1: 2}), X, y)
    assert "weighted" in nv.ErrorCurveDisplay(weighted).panels[0].y_label


# proofs
@pytest.mark.parametrize("name", ["tao", "cornwell", "or", "spam"])
def test_the_curves_of_the_convergence_proof_hold_the_run_between_them(name: str) -> None:
    X, y = nv.example(name)
    trace = nv.trace(X, y, fit_intercept=name != "tao", eta0="1/2")
    display = nv.BoundDisplay.from_trace(trace, X, y, ax=ax())
    (panel,) = display.panels
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


# bad input
def test_bad_input_is_a_sentence() -> None:
    clf, X, y = fit("cornwell")
    iris = nv.example("iris")
    three = fit_quietly(nv.Perceptron(max_iter=2), *iris)
    cases: list[tuple[Any, str]] = [
        (lambda: drawn(nv.Perceptron(), X, y), "estimator: found Perceptron without coef_; .* call fit first"),
        (lambda: drawn(fit("cornwell", keep="vote")[0], X, y), "keep='vote' predicts by the votes"),
        (lambda: drawn(clf, X[:, :1], y), "X: found 1 columns; 2 were expected"),
        (lambda: drawn(clf, X, None), "y: found none"),
        (lambda: drawn(clf, X, [1, 1, -1, 7]), r"y: found 7; one of the classes \[-1, 1\] was expected"),
        (lambda: drawn(clf, X * 1e200, y), "X: found nan, infinity or a number beyond 1e"),
        (lambda: drawn(clf, X, y, proof="yes"), "proof: found 'yes'; True, False or 'auto' was expected"),
        (lambda: drawn(three, *iris), "found 3 classes; two were expected: RegionsDisplay"),
        (lambda: drawn(clf, [["a", "b"]], [1]), "X: found values that are not numbers"),
        (lambda: nv.BoundaryDisplay.from_plane(X, y, [1, 2, 3], 0), "w: found 3 numbers for points with 2 features"),
        (lambda: nv.BoundaryDisplay.from_plane([[1.0], [2]], [0, 1], [0], 0), "there is no plane to draw"),
        (lambda: nv.RegionsDisplay.from_estimator(clf, X, y), "found 2 classes; more than two were expected"),
        (lambda: nv.RegionsDisplay.from_estimator(three, *iris), "found 4 features; regions are drawn"),
        (lambda: nv.HullsDisplay(nv.decide([[1], [2], [3]], [0, 1, 0]), [[1], [2], [3]], [0, 1, 0]),
         "X: found 1 features; hulls are drawn for two"),
        (lambda: nv.HullsDisplay(nv.decide(X, y), X, y), "verdict: found one that does not say 'not separable'"),
        (lambda: nv.HullsDisplay(nv.decide(*nv.example("xor")), X[:3], y[:3]), "X: found 3 points; 4 were expected"),
        (lambda: nv.ErrorCurveDisplay.from_estimator(nv.MaxMargin().fit(X, y)), "found no passes"),
    ]  # fmt: skip
    for call, sentence in cases:
        with pytest.raises(nv.InputError, match=sentence):
            call()


def test_the_fraction_is_drawn_as_counted_and_is_one_half_at_P_2N() -> None:
    fractions, counts = nv.CoverDisplay([5, 65, 300]).panels
    for N in (5, 65, 300):
        (curve,) = fractions.named(f"theory {N}")
        (logs,) = counts.named(f"log count {N}")
        for x, y, log in zip(curve.x, curve.y, logs.y, strict=True):
            P = round(x * N)
            assert y == pytest.approx(float(nv.separable_fraction(P, N)), rel=1e-9, abs=1e-12)
            assert log == pytest.approx(math.log2(nv.cover_count(P, N)) / N, rel=1e-9)
            if P <= N:
                assert log == pytest.approx(x, rel=1e-9)
        at_two = curve.y[curve.x == 2]
        assert at_two.tolist() == [0.5]
    assert len(fractions.named("counts 5")) == 1
    assert fractions.named("counts 65") == []
    assert fractions.labels == ["N = 5", "N = 65", "N = 300"]


def test_measured_fractions_have_their_intervals() -> None:
    found = nv.capacity_experiment(N=[3, 4], ratios=["1", "2", "5"], trials=20, seed=1)
    display = nv.CoverDisplay.from_experiment(found, ax=Figure().add_subplot())
    (panel,) = display.panels
    for N in (3, 4):
        rows = [row for row in found.rows if row["N"] == N]
        (marks,) = panel.named(f"measured {N}")
        assert marks.x.tolist() == [row["P"] / N for row in rows]
        assert marks.y.tolist() == [row["separable"] / 20 for row in rows]
        assert (marks.low <= marks.y).all()
        assert (marks.y <= marks.high).all()
    assert panel.x_limits[1] > 5
    assert "confidence intervals" in panel.title
    assert "95 %" in nv.CoverDisplay([3], found.rows[:3], level=0.95).panels[0].title
    assert display.ax_.get_ylabel() == "C(P, N) / 2^P"
