"""Twenty thousand problems of bad scale: the exact margin is always between the bounds of floats: `make stress`."""

from __future__ import annotations

import os
from fractions import Fraction

import numpy as np
import pytest

import novikoff as nv

PROBLEMS = int(os.environ.get("STRESS_PROBLEMS", "20000")) if os.environ.get("STRESS") else 60


def problem(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, bool]:
    """Points of 1 to 8 dimensions: plain, whole, with columns or rows of all sizes, or far away; halved by a plane."""
    n, d, kind = int(rng.integers(4, 60)), int(rng.integers(1, 9)), int(rng.integers(5))
    X = rng.standard_normal((n, d))
    if kind == 1:
        X = np.round(X * 3)
    if kind == 2:
        X *= 10.0 ** rng.integers(-6, 7, d)
    if kind == 3:
        X = np.round(X * 8) / 8 + 2.0 ** rng.integers(0, 40)
    if kind == 4:
        X *= 10.0 ** rng.integers(-4, 5, (n, 1))
    side = (X - X.mean(axis=0)) @ rng.standard_normal(d)
    return X, np.where(side > np.median(side), 1, -1), bool(rng.integers(2))


@pytest.mark.timeout(0)
@pytest.mark.compiled
def test_the_exact_margin_is_always_between_the_bounds_of_floats() -> None:
    rng = np.random.default_rng(41)
    for _ in range(PROBLEMS):
        X, y, bias = problem(rng)
        if len(set(y.tolist())) < 2:
            continue
        try:
            exact = nv.margin(X, y, fit_intercept=bias)
        except nv.NotSeparableError as error:
            if error.verdict.separable or not error.verdict.check(X, y):
                pytest.fail(f"{X!r}, {y!r}, {bias}: refused without a proof")
            continue
        wanted = exact.padded.gamma2, exact.geometric.gamma2
        for gap in (None, 1e-6, 1e-12):
            m = nv.margin(X, y, fit_intercept=bias, gap=gap)
            for width, gamma2 in zip((m.padded, m.geometric), wanted, strict=True):
                low, high = (Fraction(end) ** 2 for end in width.gamma)
                assert gamma2 is not None, (X, y, bias)
                assert 0 < low <= gamma2 <= high, (X, y, bias)
