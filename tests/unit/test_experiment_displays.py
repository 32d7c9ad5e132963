"""What the displays of experiments draw: the coordinates of curves and marks, and the labels."""

from __future__ import annotations

import math

import pytest
from matplotlib.figure import Figure

import novikoff as nv


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


def test_a_curve_of_many_dimensions_resolves_the_step() -> None:
    (curve,) = nv.CoverDisplay([10**6], counts=False).panels[0].named("theory 1000000")
    assert 200 < len(curve.x) < 400
    assert ((curve.y > 0.02) & (curve.y < 0.98)).sum() > 20


def test_the_axis_ends_at_twelve_points_for_each_parameter() -> None:
    rows = [{"N": 5, "P": P, "measured": 0.0, "low": 0.0, "high": 0.1} for P in (50, 10**5)]
    fractions, counts = nv.CoverDisplay([5], rows).panels
    (curve,) = counts.named("log count 5")
    assert curve.x[-1] == 12
    assert curve.y[-1] == pytest.approx(math.log2(nv.cover_count(60, 5)) / 5, rel=1e-6)
    assert fractions.named("measured 5")[0].x.tolist() == [10]


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


def test_with_a_bias_the_parameters_are_one_more() -> None:
    panel = nv.CoverDisplay.from_sizes(4, fit_intercept=True, ax=Figure().add_subplot()).panels[0]
    (curve,) = panel.named("theory 4")
    assert curve.y[curve.x == 2].tolist() == [0.5]
    assert panel.x_label == "P / (N + 1)"


def test_another_experiment_is_a_sentence() -> None:
    worst = nv.worst_case(["1/2"])
    with pytest.raises(nv.InputError, match="experiment: found that of 'worst'; the result of the experiment 'capac"):
        nv.CoverDisplay.from_experiment(worst)
    with pytest.raises(nv.InputError, match="experiment: found list"):
        nv.CoverDisplay.from_experiment([])  # type: ignore[arg-type]
