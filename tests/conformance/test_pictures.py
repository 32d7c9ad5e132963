"""The pictures that the notes show or describe, each by its id: what is drawn, not how it looks."""

from __future__ import annotations

import numpy as np

import novikoff as nv


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


def test_S9_S9a_the_angle_with_both_envelopes_and_the_random_walk() -> None:
    overlap, norm, cosine = nv.AngleDisplay(nv.angle_experiment(N=20, P=100, seed=1)).panels
    assert (overlap.named("overlap")[0].y >= overlap.named("overlap_bound")[0].y - 1e-12).all()
    assert (norm.named("norm")[0].y <= norm.named("norm_bound")[0].y + 1e-12).all()
    assert np.allclose(np.diff(overlap.named("overlap_bound")[0].y, 2), 0, atol=1e-9)  # n·δ, a straight line
    assert np.allclose(np.diff(norm.named("norm_bound")[0].y ** 2, 2), 0, atol=1e-6)  # √n·R
    run, walk = cosine.named("cosine")[0].y, cosine.named("walk_cosine")[0].y
    assert run[-1] > 0.8 > 0.5 > abs(walk[-1])


def test_Z11_a_hundred_orders_and_a_hundred_starts_beside_the_widest_plane() -> None:
    X, y = nv.example("cornwell")
    for experiment in (nv.orders_experiment, nv.starts_experiment):
        lines, _ = nv.OrdersDisplay(experiment(X, y), X, y).panels
        drawn = lines.named("run")
        assert len(drawn) == 100
        assert len({tuple(np.round(curve.x, 9)) for curve in drawn}) > 1
        assert lines.named("widest")[0].x.tolist() == [-0.5, -0.5]
