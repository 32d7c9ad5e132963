"""Margins against brute force in fractions: the truth is always between the bounds, and is the exact answer."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import novikoff as nv
from examples import examples
from oracles import nearest_points as hulls

NUMBERS = {
    "whole": st.integers(-3, 3).map(float),
    "quarters": st.integers(-20, 20).map(lambda v: v / 4),
    "decimals": st.integers(-30, 30).map(lambda v: v / 10),
    "far": st.integers(-3, 3).map(lambda v: 1e9 + v),
    "thin": st.integers(0, 3).map(lambda v: 1.0 + v * 2.0**-52),
    "wild": st.tuples(st.integers(-9, 9), st.integers(-40, 40)).map(lambda v: v[0] * 2.0 ** v[1]),
}


@st.composite
def points(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, bool]:
    """A few points of one or two dimensions, with both signs, and whether there is a bias."""
    d = draw(st.integers(1, 2))
    number = NUMBERS[draw(st.sampled_from(sorted(NUMBERS)))]
    rows = draw(st.lists(st.tuples(*[number] * d), min_size=2, max_size=5))
    signs = draw(st.lists(st.sampled_from([1, -1]), min_size=len(rows), max_size=len(rows)))
    signs[0], signs[1] = 1, -1
    return np.array(rows), np.array(signs), draw(st.booleans())


def truth(X: np.ndarray, y: np.ndarray, bias: bool) -> tuple[Fraction, Fraction]:
    padded = hulls.padded2(X.tolist(), y.tolist(), bias)
    return padded, hulls.geometric2(X.tolist(), y.tolist()) if bias else padded


def request(X: np.ndarray, y: np.ndarray, bias: bool, **how: Any) -> Any:
    try:
        return nv.margin(X, y, fit_intercept=bias, **how)
    except nv.NotSeparableError as error:
        if not error.verdict.check(X, y):
            pytest.fail("the proof does not hold")
        return None


@given(points())
@examples(300)
def test_the_exact_margins_are_those_of_brute_force(given: tuple[np.ndarray, np.ndarray, bool]) -> None:
    X, y, bias = given
    padded, geometric = truth(X, y, bias)
    m = request(X, y, bias)
    assert (m is None) == (padded == 0)
    if m is not None:
        assert (m.padded.gamma2, m.geometric.gamma2) == (padded, geometric)
        for width in (m.padded, m.geometric):
            low, high = width.gamma
            assert Fraction(low) ** 2 <= width.gamma2 <= Fraction(high) ** 2
            assert high <= np.nextafter(low, np.inf)


@pytest.mark.parametrize("gap", [1e-3, 1e-9, 1e-15])
@given(points())
@examples(100)
def test_the_truth_is_between_the_bounds_of_floats(gap: Any, given: tuple[np.ndarray, np.ndarray, bool]) -> None:
    X, y, bias = given
    padded, geometric = truth(X, y, bias)
    m = request(X, y, bias, gap=gap)
    assert (m is None) == (padded == 0)
    if m is not None:
        for width, gamma2 in ((m.padded, padded), (m.geometric, geometric)):
            assert 0 < Fraction(width.gamma[0]) ** 2 <= gamma2 <= Fraction(width.gamma[1]) ** 2


@given(points(), st.randoms(use_true_random=False))
@examples(60)
def test_order_copies_and_labels_change_nothing(given: tuple[np.ndarray, np.ndarray, bool], random: Any) -> None:
    """Rows permuted, rows taken twice, labels exchanged: the same margins; the plane is the same, or turned around."""
    X, y, bias = given
    m = request(X, y, bias)
    if m is None:
        return
    order = random.sample(range(len(y)), len(y)) + random.choices(range(len(y)), k=2)
    other = nv.margin(X[order], y[order], fit_intercept=bias)
    turned = nv.margin(X, -y, fit_intercept=bias)
    for name in ("padded", "geometric"):
        one, two, three = (getattr(found, name) for found in (m, other, turned))
        assert one.gamma == two.gamma == three.gamma
        assert one.plane[0].tolist() == two.plane[0].tolist() == (-three.plane[0]).tolist()
        assert one.plane[1] == two.plane[1] == -three.plane[1]
        assert sorted({order[i] for i in two.touching}) == sorted({*one.touching.tolist()} & {*order})
    assert m.mistake_bound == other.mistake_bound == turned.mistake_bound


@given(points(), st.lists(st.integers(-9, 9), min_size=3, max_size=3), st.sampled_from([0.25, 1, 3]))
@examples(60)
def test_no_run_makes_more_updates_than_its_bound(
    given: tuple[np.ndarray, np.ndarray, bool], start: list[int], eta: float
) -> None:
    """T4 and S10a: from 0 and from any start, with any rate."""
    X, y, bias = given
    m = request(X, y, bias)
    if m is None or m.mistake_bound[1] > 1e4:
        return
    assert m.finished
    assert m.updates <= m.mistake_bound[1]
    w0 = start[: m.d + bias]
    made = m.made_from(w0, eta)
    assert made.finished
    assert made.updates <= m.mistake_bound_from(w0, eta)
    assert m.mistake_bound_from([0] * (m.d + bias), eta) == int(m.radius2[1] / m.padded.gamma2)


# ---- rows of very different sizes ------------------------------------------------------------------------------------


def scaled_problem(rng: np.random.Generator, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Three to five points of the plane, both classes, rows times powers of ten from 10^-k to 10^k."""
    n = int(rng.integers(3, 6))
    X = rng.integers(-4, 5, (n, 2)) * 10.0 ** rng.integers(-k, k + 1, (n, 1))
    return X, np.array([1, -1, *rng.choice([1, -1], n - 2)])


@pytest.mark.parametrize("k", [0, 8, 12, 15, 20, 25])
def test_rows_of_all_sizes_have_the_margin_of_brute_force(k: int) -> None:
    """A plane is accepted only where the pairs of its corral are the nearest that its rows can make."""
    rng = np.random.default_rng(k)
    separable = 0
    for _ in range(120):
        X, y = scaled_problem(rng, k)
        padded, geometric = truth(X, y, True)
        m = request(X, y, True)
        assert (m is None) == (padded == 0)
        if m is not None:
            separable += 1
            for width, gamma2 in ((m.padded, padded), (m.geometric, geometric)):
                low, high = (Fraction(end) ** 2 for end in width.gamma)
                assert low <= gamma2 <= high, (X.tolist(), y.tolist())
                assert width.gamma2 in (None, gamma2), (X.tolist(), y.tolist())
    assert separable > 40
