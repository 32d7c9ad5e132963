"""What the displays of models draw: the line from w, true sides and distances, hulls, regions, errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from matplotlib.figure import Figure

import novikoff as nv
from data.small_sets import fit_quietly
from novikoff.pages.panel import Marks
from novikoff.pages.plane_pictures import MOST_POINTS
from novikoff.plot.displays.fitted_planes import fitted_planes
from novikoff.plot.displays.point_marks import drawable_points


def fit(name: str, **how: Any) -> tuple[Any, Any, Any]:
    X, y = nv.example(name)
    return fit_quietly(nv.Perceptron(**how), X, y), X, y


def ax() -> Any:
    return Figure().add_subplot()


def drawn(clf: Any, X: Any, y: Any = None, **how: Any) -> Any:
    return nv.BoundaryDisplay.from_estimator(clf, X, y, ax=ax(), **how)


def test_the_line_satisfies_the_equation_and_w_is_orthogonal_to_it() -> None:
    clf, X, y = fit("cornwell")
    display = drawn(clf, X, y)
    (panel,) = display.panels
    (line,), (arrow,) = panel.named("boundary"), panel.named("w")
    ends = np.column_stack([line.x, line.y])
    assert ends @ clf.coef_[0] + clf.intercept_[0] == pytest.approx([0, 0], abs=1e-12)
    direction = np.subtract(arrow.end, arrow.start)
    assert direction @ (ends[1] - ends[0]) == pytest.approx(0, abs=1e-12)
    assert direction @ clf.coef_[0] > 0
    assert np.array(arrow.start) @ clf.coef_[0] + clf.intercept_[0] == pytest.approx(0, abs=1e-12)
    assert panel.equal
    assert display.ax_.get_aspect() == 1
    assert [len(m.x) for m in (*panel.named("class -1"), *panel.named("class 1"))] == [2, 2]
    assert panel.title.startswith("all 4 points are on their own side")


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


def test_the_ball_contains_all_points_and_one_touches_it() -> None:
    clf, X, y = fit("tao", fit_intercept=False)
    panel = drawn(clf, X, y, ball=True).panels[0]
    (ball,) = panel.named("ball")
    assert np.hypot(ball.x, ball.y) == pytest.approx(np.ones(len(ball.x)))
    assert ball.label == "ball of radius 1 around 0"
    assert panel.labels.count("w·x = 0") == 1


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


def test_the_other_class_as_positive_mirrors_the_picture() -> None:
    clf, X, y = fit("cornwell")
    fitted = fitted_planes(clf, X, y)
    here, there = nv.BoundaryDisplay(fitted).panels[0], nv.BoundaryDisplay(fitted.mirrored()).panels[0]
    way = [np.subtract(p.named("w")[0].end, p.named("w")[0].start) for p in (here, there)]
    assert way[0] == pytest.approx(-way[1])
    assert "-1 (+)" in there.labels
    assert there.title == here.title


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


def test_schemes_side_by_side_with_the_balance_of_each_problem() -> None:
    X, y = nv.example("iris")
    X, y = X[:130, :2], y[:130]
    models = [fit_quietly(nv.Perceptron(multi_class=scheme, max_iter=15), X, y) for scheme in ("ova", "ovo")]
    figure = Figure()
    axes = [figure.add_subplot(2, 2, k) for k in range(1, 5)]
    display = nv.RegionsDisplay.from_estimator(models, X, y, balance=True, ax=axes)
    first, second, all_others, pairs = display.panels
    assert (first.title, second.title) == ("one-vs-all, 3 planes", "one-vs-one, votes, 3 planes")
    assert all_others.named("positive")[0].y.tolist() == [50, 50, 30]
    assert all_others.named("negative")[0].y.tolist() == [80, 80, 100]
    assert pairs.named("positive")[0].y.tolist() == [50, 30, 30]
    assert pairs.named("negative")[0].y.tolist() == [50, 50, 50]
    assert pairs.x_ticks == ("versicolor\nsetosa", "virginica\nsetosa", "virginica\nversicolor")


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
    assert isinstance(mark, Marks)
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


def test_a_run_far_below_its_bound_does_not_show_where_the_curves_meet() -> None:
    X, y = [[0.0], [1.0], [1.0 + 2**-10]], [0, 0, 1]
    trace = nv.trace([[-5.0], [5.0], [0.1]], [0, 1, 1])
    panel = nv.BoundDisplay(trace, [[-5.0], [5.0], [0.1]], [0, 1, 1]).panels[0]
    assert panel.named("bound") == [] or panel.named("bound")[0].x[0] <= 12 * len(trace.steps)
    assert "of at most" in nv.BoundDisplay(nv.trace(X, y, w0=[1, 1]), X, y).panels[0].title
    with pytest.raises(nv.InputError, match="trace: found list; a trace was expected"):
        nv.BoundDisplay([], X, y)  # type: ignore[arg-type]
    with pytest.raises(nv.InputError, match="trace: found no update"):
        nv.BoundDisplay(nv.trace([[1, 2], [2, 0]], [1, -1], w0=[-2, 1, 1]), [[1, 2], [2, 0]], [1, -1])


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
        (lambda: nv.RegionsDisplay([fitted_planes(clf, X, y)]), "found 2 classes; more than two were expected"),
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


def test_points_of_one_class_are_drawn_with_a_fitted_plane() -> None:
    clf, X, y = fit("cornwell")
    (panel,) = drawn(clf, X[:2], y[:2]).panels
    assert len(panel.named("class -1")) == 1
    assert panel.named("class 1") == []
    assert drawable_points(X[:2], y[:2]).classes == [-1]


def test_a_pipeline_is_drawn_in_the_units_of_its_last_step_and_the_axes_say_so() -> None:
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    X, y = nv.example("and")
    clf = make_pipeline(StandardScaler(), nv.Perceptron()).fit(X, y)
    display = nv.BoundaryDisplay.from_estimator(clf, X, y, ax=Figure().add_subplot())
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("x0 (prepared)", "x1 (prepared)")
    alone = make_pipeline(nv.Perceptron()).fit(X, y)
    assert "prepared" not in nv.BoundaryDisplay.from_estimator(alone, X, y, ax=Figure().add_subplot()).ax_.get_xlabel()


def test_a_hull_of_two_points_is_one_segment() -> None:
    display = nv.HullsDisplay.from_verdict(nv.decide(*nv.example("xor")), *nv.example("xor"), ax=Figure().add_subplot())
    edges = [item for item in display.panels[0].items if str(item.name).startswith("edges")]
    assert [len(item.x) for item in edges] == [2, 2]


def test_every_display_fits_in_its_own_figure() -> None:
    """Titles, labels of axes and legends, also those beside a picture with equal units."""
    from matplotlib import pyplot

    clf, X, y = fit("cornwell")
    flowers, kinds = nv.example("iris")
    many = fit_quietly(nv.Perceptron(max_iter=20), flowers[:, 2:], kinds)
    for display in (
        nv.BoundaryDisplay.from_estimator(clf, X, y, ball=True),
        nv.BoundDisplay.from_trace(nv.trace(X, y), X, y),
        nv.HullsDisplay.from_verdict(nv.decide(*nv.example("xor")), *nv.example("xor")),
        nv.RegionsDisplay.from_estimator([many, many], flowers[:, 2:], kinds, balance=True),
        nv.ErrorCurveDisplay.from_estimator(clf),
        nv.CoverDisplay([5]).plot(),
    ):
        figure = pyplot.gcf()
        figure.canvas.draw()
        width, height = figure.canvas.get_width_height()
        for one in figure.axes:
            left, bottom, right, top = one.get_tightbbox().extents
            assert left >= 0, display
            assert bottom >= 0, display
            assert right <= width, display
            assert top <= height, display
        pyplot.close(figure)
