"""Long runs (STRESS=1): explanations and removals against brute force."""

from __future__ import annotations

from itertools import combinations

import numpy as np

import novikoff as nv
from data.degenerate import degenerate
from oracles import supports as supports

REMOVALS = 2_000


def test_removals_are_the_smallest() -> None:
    rng = np.random.default_rng(99)
    for _ in range(REMOVALS):
        X, y, bias = degenerate(rng)
        found = nv.removal(X, y, fit_intercept=bias)

        def separable(out: tuple[int, ...], X: np.ndarray = X, y: np.ndarray = y, bias: bool = bias) -> bool:
            kept = [i for i in range(len(y)) if i not in out]
            return not kept or supports.answer(X[kept].tolist(), y[kept].tolist(), bias)[0] == "complete"

        assert separable(found.rows)
        least = next(k for k in range(len(y) + 1) if any(map(separable, combinations(range(len(y)), k))))
        assert found.at_least == len(found.rows) == least
