"""The mistake bound of the notes, and the page about margins."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine

import novikoff as nv


@pytest.mark.parametrize(
    ("name", "gamma2", "bound"),
    [
        ("tao", Fraction(1, 2), 2),
        ("cornwell", Fraction(1, 5), 55),
        ("or", Fraction(1, 9), 27),
        ("and", Fraction(1, 17), 51),
        ("spam", Fraction(1, 3), 15),
    ],
)
def test_T4_R5_S10_C7_Z9_the_slides(name: str, gamma2: Fraction, bound: int) -> None:
    """γ² is rational, the bound is a whole number, and both are found exactly."""
    X, y = nv.example(name)
    m = nv.margin(X, y, fit_intercept=name != "tao")
    assert m.padded.gamma2 == gamma2
    assert m.mistake_bound == (bound, bound)
    assert Fraction(m.padded.gamma[0]) ** 2 <= gamma2 <= Fraction(m.padded.gamma[1]) ** 2
    assert m.finished
    assert m.updates <= bound
    assert m.shortest[0] <= 1 / math.sqrt(gamma2) <= m.shortest[1]


def test_S10a_taos_points_from_afar() -> None:
    """22 updates from (−10, −10); −10·√2 + n/√2 ≤ √(200 + n) up to n = 42."""
    X, y = nv.example("tao")
    m = nv.margin(X, y, fit_intercept=False)
    assert m.made_from([-10, -10]) == (22, True)
    assert m.mistake_bound_from([-10, -10]) == 42
    assert m.mistake_bound_from([-10, -10], Fraction(1, 2)) > 42
    assert m.mistake_bound_from([0, 0]) == m.updates == 2


# ---- one cell of a table is a typing error or a fill value ---------------------------------------------------------


@pytest.mark.parametrize("size", [*(10.0**k for k in range(6, 17)), 9.97e36])
@pytest.mark.parametrize("load", [load_iris, load_wine])
def test_a_margin_never_grows_by_adding_a_row(load: Any, size: float) -> None:
    """36 of 231 grew at 1e15. Both ends are checked by the checker that is handed out, too."""
    X, y = load(return_X_y=True)
    y = np.where(y == 0, "a", "b")
    rng = np.random.default_rng(int(math.log10(size)))
    for _ in range(4):
        row, column, sign = int(rng.integers(len(y))), int(rng.integers(X.shape[1])), float(rng.choice([-1, 1]))
        changed = X.copy()
        changed[row, column] = sign * size
        others = np.arange(len(y)) != row
        before = nv.margin(X[others], y[others])
        try:
            after = nv.margin(changed, y)
        except nv.NotSeparableError as error:
            if not error.verdict.check(changed, y):
                pytest.fail("the proof does not hold")
            continue
        assert after.geometric.gamma[0] <= before.geometric.gamma[1]
        assert after.padded.gamma[0] <= before.padded.gamma[1]
        assert nv.verify(after.certificate().record(), changed, y, slow=True) == "complete"
