"""The pictures that the notes show or describe, each by its id: what is drawn, not how it looks."""

from __future__ import annotations

import numpy as np

import novikoff as nv
from data.small_sets import fit_quietly
from novikoff.plot.displays.fitted_planes import fitted_planes


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
    (panel,) = nv.BoundaryDisplay(fitted_planes(clf, X, y)).panels
    (line,), (arrow,) = panel.named("boundary"), panel.named("w")
    along = np.array([line.x[1] - line.x[0], line.y[1] - line.y[0]])
    assert abs(along @ np.subtract(arrow.end, arrow.start)) < 1e-12


def test_T4a_the_margin_of_the_plane_and_the_ball_of_radius_R() -> None:
    X, y = nv.example("tao")
    clf = nv.Perceptron(fit_intercept=False).fit(X, y)
    m = nv.margin(X, y, fit_intercept=False)
    (panel,) = nv.BoundaryDisplay(fitted_planes(clf, X, y), ball=True).panels
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
    fitted = [fitted_planes(fit_quietly(nv.Perceptron(multi_class=s, max_iter=12), X, y), X, y) for s in ("ova", "ovo")]
    display = nv.RegionsDisplay(fitted)
    assert [panel.title.partition(",")[0] for panel in display.panels[:2]] == ["one-vs-all", "one-vs-one"]
    for found in display.polygons:
        assert {k for k, _ in found} == {0, 1, 2}
    assert display.panels[2].named("negative")[0].y.tolist() == [100, 100, 100]
    assert display.panels[3].named("negative")[0].y.tolist() == [50, 50, 50]
