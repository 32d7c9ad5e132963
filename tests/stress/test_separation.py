"""Infinite estimates of a hundred thousand degenerate problems against brute force: `make stress`."""

from __future__ import annotations

import os

import numpy as np
import pytest

import novikoff as nv
from data.degenerate import degenerate
from oracles import rays as rays

PROBLEMS = int(os.environ.get("STRESS_PROBLEMS", "100000")) if os.environ.get("STRESS") else 20


@pytest.mark.timeout(0)
def test_none_of_many_degenerate_problems_is_wrong_or_undecided() -> None:
    rng = np.random.default_rng(37)
    for _ in range(PROBLEMS):
        X, y, _ = degenerate(rng)
        kind, separated, limits = rays.answer(X.tolist(), [[int(s)] for s in y])
        r = nv.separation(X, y, fit_intercept=False)
        assert (r.kind, r.rows.tolist(), list(r.coefficients.values())) == (kind, separated, limits), (X, y)
