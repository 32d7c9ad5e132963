"""A million degenerate problems against brute force: `make stress`."""

from __future__ import annotations

import os

import numpy as np
import pytest

import novikoff as nv
from data.degenerate import degenerate
from oracles.supports import answer

STRESS = bool(os.environ.get("STRESS"))
PROBLEMS = int(os.environ.get("STRESS_PROBLEMS", "1000000")) if STRESS else 20


@pytest.mark.timeout(0)
def test_none_of_a_million_degenerate_problems_is_wrong_or_undecided() -> None:
    rng = np.random.default_rng(31)
    for _ in range(PROBLEMS):
        X, y, bias = degenerate(rng)
        signs = [1] * len(y) if abs(y.sum()) == len(y) else y.tolist()
        kind, separated = answer(X.tolist(), signs, bias)
        v = nv.decide(X, y, fit_intercept=bias)
        assert (v.separable, v.kind, v.separated.tolist()) == (kind == "complete", kind, separated), (X, y, bias)
        assert v.check(X, y), (X, y, bias)
