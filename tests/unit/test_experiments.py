"""Experiments: the theory holds, results depend on the seed alone, an interrupted one is resumed."""

from __future__ import annotations

import pytest

import novikoff as nv
from novikoff import capacity_experiment

pytestmark = [pytest.mark.compiled, pytest.mark.slow]


def test_S5_measured_fractions_are_inside_their_intervals() -> None:
    found = capacity_experiment(N=5, ratios=["1.4", "1.6", "1.8", "2", "2.2", "2.4", "3"], trials=500, seed=1,
                                level=0.999)  # fmt: skip
    more = capacity_experiment(N=65, ratios=["1.4", "1.8", "2", "2.2", "2.6"], trials=300, seed=1, level=0.999)
    for row in [*found.rows, *more.rows]:
        assert row["low"] <= row["theory"] <= row["high"]
    at_two = next(row for row in more.rows if row["P"] == 130)
    assert at_two["theory"] == 0.5


def test_S11_the_smallest_margin_has_the_exponents_of_the_notes() -> None:
    found = nv.margin_experiment(seed=1)
    assert [(fit["in"], fit["theory"]) for fit in found.fits] == [("P", -1.0), ("N", -0.5)]
    for fit in found.fits:
        low, high = fit["interval"]
        assert low <= fit["theory"] <= high
        assert high - low < 0.3
    for row in found.rows:
        assert 0.7 < row["median"] / row["theory"] < 1.4


def test_S11_convergence_stays_below_the_bound_and_limited_runs_are_censored() -> None:
    found = nv.convergence_experiment(N=(5, 10), P=(20, 40), trials=40, seed=1)
    assert all(row["largest_ratio_to_bound"] <= 1 and row["median"] < row["P2N"] for row in found.rows)
    assert {fit["in"] for fit in found.fits} == {"P", "N"}
    some = nv.convergence_experiment(N=5, P=40, trials=40, seed=1, max_updates=30)
    assert 0 < some.rows[0]["censored"] <= 40
    assert "(censored)" in some.to_text()
    assert some.rows[0]["longest"] is None or some.rows[0]["longest"] <= 30


def test_S12_updates_of_the_worst_case_grow_as_the_bound_does() -> None:
    rows = nv.worst_case().rows
    assert all(row["finished"] and row["updates"] <= row["bound"] for row in rows)
    ratios = [row["ratio"] for row in rows[1:]]
    assert ratios == sorted(ratios)
    assert ratios[-1] == pytest.approx(0.4, rel=0.01)
    for row in rows:  # the derivation: 1 + m updates, m the first with δ(1 + mδ) > 1/2
        m = (
            next(m for m in range(10**7) if row["delta"] * (1 + m * row["delta"]) > 0.5)
            if row["delta"] > 0.01
            else None
        )
        assert m is None or row["updates"] in (m + 1, m + 2)
    m = nv.margin([[0.5, 1], [1, 1 / 8], [1, -1 / 8]], [1, 1, -1], fit_intercept=False)
    assert m.mistake_bound == pytest.approx((80, 80))
    assert m.updates == 26


def test_Z11_orders_and_starts_give_different_planes_that_all_separate() -> None:
    X, y = nv.example("cornwell")
    for experiment in (nv.orders_experiment, nv.starts_experiment):
        found = experiment(X, y, trials=100, seed=1)
        assert len({tuple(row["plane"]) for row in found.rows}) > 1
        for row in found.rows:
            assert row["separated"]
            assert (nv.margins(X, y, row["plane"][:-1], row["plane"][-1]).sides == y).all()
    assert max(row["updates"] for row in nv.orders_experiment(X, y, seed=2).rows) <= 55
    with pytest.raises(nv.NotSeparableError):
        nv.orders_experiment(*nv.example("xor"))


def test_S4_discrete_points_are_in_general_position_more_often_in_high_dimension() -> None:
    found = nv.position_experiment(N=[2, 8, 30], trials=30, seed=1)
    fractions = [row["fraction"] for row in found.rows]
    assert fractions == sorted(fractions)
    assert fractions[-1] > 0.9
    assert [row["undecided"] for row in found.rows] == [0, 0, 0]
    once = nv.position_experiment(N=2, P=[3], trials=20)
    assert nv.position_experiment(N=[2, 2], P=[3, 3], trials=20).rows == once.rows  # repeated sizes are drawn once
    lines = once.to_csv().splitlines()
    assert lines[0].split(",") == list(once.rows[0])
    assert len(once.to_text().splitlines()) == 2
    assert str(once) == once.to_text()
