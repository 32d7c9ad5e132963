"""Long runs (STRESS=1): decimals, explanations and removals against brute force."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np

import novikoff as nv
from data.degenerate import degenerate
from oracles import supports as supports

TABLES, REMOVALS = 20_000, 2_000


def test_decimal_tables_have_the_answer_of_brute_force() -> None:
    chance = random.Random(99)
    for _ in range(TABLES):
        n, d = chance.randint(2, 7), chance.randint(1, 3)
        values = chance.choice([["0.1", "0.2", "0.3", "0.6", "-0.1"], ["1", "2.50", "-3e-1"], ["1e-30", "7", "1e25"]])
        X = [[chance.choice(values) for _ in range(d)] for _ in range(n)]
        y, bias = [chance.randint(0, 1) for _ in range(n)], chance.random() < 0.7
        signs = [1 if label == max(y) else -1 for label in y]
        v = nv.decide(X, y, fit_intercept=bias, numbers="decimal")
        assert (v.kind, v.separated.tolist()) == supports.answer(X, signs, bias)
        v.certificate()


def test_removals_are_minimal_and_between_the_bounds() -> None:
    rng = np.random.default_rng(99)
    for _ in range(REMOVALS):
        X, y, bias = degenerate(rng)
        found = nv.removal(X, y, fit_intercept=bias)

        def separable(out: tuple[int, ...], X: np.ndarray = X, y: np.ndarray = y, bias: bool = bias) -> bool:
            kept = [i for i in range(len(y)) if i not in out]
            return not kept or supports.answer(X[kept].tolist(), y[kept].tolist(), bias)[0] == "complete"

        assert separable(found.rows)
        assert not any(separable(tuple(set(found.rows) - {i})) for i in found.rows)
        least = next(k for k in range(len(y) + 1) if any(map(separable, combinations(range(len(y)), k))))
        assert found.at_least <= least <= found.at_most
