"""Long runs of what the suite does shortly: `make stress`. STRESS_ROUNDS sets how many rounds (default 100)."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from data.kernel_mode import RunKernels
from data.problems import LASTING, lasting
from novikoff.data.problem import Problem, problem_of
from novikoff.perceptron import FIXED_ORDERS, KEEPS, RULES
from novikoff.perceptron.orders import Order
from novikoff.perceptron.plan import Plan
from novikoff.perceptron.rates import Rates
from novikoff.perceptron.run import Run
from novikoff.perceptron.stops import Stops
from novikoff.perceptron.train import train
from novikoff.scoring import scorer
from oracles.twins import KINDS, near_ties, problem, rounded

ROUNDS = int(os.environ.get("STRESS_ROUNDS", "100")) if os.environ.get("STRESS") else 1


@pytest.mark.twins
@pytest.mark.parametrize("round_number", range(ROUNDS))
def test_the_perceptron_rule_against_the_rounded_twin(round_number: int, run_kernels: RunKernels) -> None:
    """40 problems a round, compiled, every order and rule: the same updates and bits as the twin."""
    run_kernels("compiled")
    rng = np.random.default_rng([2026, round_number])
    for k in range(40):
        p = near_ties(rng) if k % 2 else problem(list(KINDS)[k % len(KINDS)], rng)
        size = np.abs(p.X[p.X != 0])
        tame = not size.size or (size.max() < 1e60 and size.min() > 1e-60)
        rule = RULES[int(rng.integers(len(RULES)))] if tame else "perceptron"
        order, keep = FIXED_ORDERS[int(rng.integers(len(FIXED_ORDERS)))], ("last", "pocket", "average")[k % 3]
        passes, seed = int(rng.integers(1, 12)), int(rng.integers(1000))
        how = {"order": order, "seed": seed, "fit_intercept": p.fit_intercept, "passes": passes, "keep": keep}
        twin = rounded(p.X, p.y.tolist(), cycles=True, rule=rule, **how)
        rates = Rates(1.0, None, rule == "perceptron")
        plan = Plan(Order(order, seed), keep, Stops(passes, None, None, None), rates, rule=rule)
        stored = Problem(np.ascontiguousarray(p.X), p.y.astype(np.int8), p.X.shape[1], float(p.fit_intercept))
        result = train(Run.begin(stored, plan, np.zeros(stored.d + 1)))
        if result.stop_reason == "rounding":
            continue
        w, b = twin.pockets[-1][0] if keep == "pocket" else twin.average if keep == "average" else (twin.w, twin.b)
        assert np.append(result.w, result.b).tobytes() == np.array([*w, b]).tobytes(), (p.kind, rule, how)
        assert (result.stop_reason, result.looks) == (twin.stop, twin.looks), (p.kind, rule, how)


@pytest.mark.twins
@pytest.mark.parametrize("round_number", range(ROUNDS))
def test_long_runs_against_the_rounded_twin(
    round_number: int, run_kernels: RunKernels, monkeypatch: pytest.MonkeyPatch
) -> None:
    """1,000 runs a round or a few more, compiled, in order: looks, updates and bits are the twin's."""
    run_kernels("compiled")
    rng = np.random.default_rng([2027, round_number])
    runs = k = 0
    while runs < (1000 if os.environ.get("STRESS") else 60):
        k += 1
        p = [lasting(list(LASTING)[k // 3 % len(LASTING)], rng), near_ties(rng), problem(list(KINDS)[k % 12], rng)][
            k % 3
        ]
        passes, keep = int(rng.integers(2, 40)), KEEPS[int(rng.integers(4))]
        most = int(rng.integers(1, 80)) if rng.random() < 0.2 else None
        start = np.zeros(p.X.shape[1] + 1)
        if rng.random() < 0.3:
            start[: start.size - 1 + p.fit_intercept] = rng.integers(-3, 4, start.size - 1 + p.fit_intercept)
        eta = float(rng.choice([1.0, 0.1, 3.0]))
        how = {"fit_intercept": p.fit_intercept, "max_updates": most, "keep": keep, "eta0": eta, "cycles": True}
        where = {"w0": start[:-1].tolist(), "b0": float(start[-1])}
        twin = rounded(p.X, p.y.tolist(), passes=passes, **how, **where)
        plan = Plan(Order("cyclic"), keep, Stops(passes, most, None, None), Rates(eta, None, not start.any()))
        proved = False
        for X, columns in stored_in_all_ways(p.X, p.float32):
            monkeypatch.setattr(scorer, "FILTERED", columns)
            result = train(Run.begin(problem_of(X, p.y, fit_intercept=p.fit_intercept)[0], plan, start))
            runs += 1
            if result.stop_reason == "rounding":
                continue
            if result.stop_reason == "cycle" != twin.stop and not proved:  # earlier: the keep was given more passes
                twin = rounded(p.X, p.y.tolist(), passes=result.passes, **how, **where)
                assert twin.cycle_counts is not None
                proved = True
            w, b = twin.pockets[-1][0] if keep == "pocket" else twin.average if keep == "average" else (twin.w, twin.b)
            info = p.kind, type(X), X.dtype, columns, how, where, passes
            assert np.append(result.w, result.b).tobytes() == np.array([*w, b]).tobytes(), info
            assert result.mistakes.tolist() == np.bincount(twin.rows, minlength=len(p.y)).tolist(), info
            assert (result.looks, result.passes) == (twin.looks, twin.passes), info
            assert result.stop_reason == ("cycle" if proved else twin.stop), info
            if keep == "vote":
                assert result.run.keep.log()[:, 1].tolist() == twin.at_looks, info


def stored_in_all_ways(X: np.ndarray, float32: bool) -> list[tuple[Any, int]]:
    """(points, columns from which on float32 is a filter) for every storage with its own kernels."""
    stored: list[tuple[Any, int]] = [(np.ascontiguousarray(X), 10**6), (sp.csr_matrix(X), 10**6)]
    if float32:
        X = X.astype(np.float32)
        stored += [(X, 10**6), (X, 1), (sp.csr_matrix(X), 10**6)]
    return stored
