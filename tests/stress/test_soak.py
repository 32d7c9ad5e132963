"""Long runs of what the suite does shortly: `make stress`. STRESS_ROUNDS sets how many rounds (default 100)."""

from __future__ import annotations

import os

import numpy as np
import pytest

from novikoff.perceptron import KEEPS, ORDERS, RULES
from novikoff.perceptron.course import Plan
from novikoff.perceptron.orders import Order
from novikoff.perceptron.rates import Rates
from novikoff.perceptron.stops import Stops
from novikoff.perceptron.train import Run, train
from novikoff.points.problem import Problem
from novikoff.sides import judge
from twins import KINDS, near_ties, problem, rounded

ROUNDS = int(os.environ.get("STRESS_ROUNDS", "100")) if os.environ.get("STRESS") else 1


@pytest.mark.twins
@pytest.mark.parametrize("round_number", range(ROUNDS))
def test_the_perceptron_rule_against_the_rounded_twin(round_number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """40 problems a round, compiled, every order and rule: the same updates and bits as the twin."""
    monkeypatch.setattr(judge, "INTERPRETED", -1)
    rng = np.random.default_rng([2026, round_number])
    for k in range(40):
        p = near_ties(rng) if k % 2 else problem(list(KINDS)[k % len(KINDS)], rng)
        size = np.abs(p.X[p.X != 0])
        tame = not size.size or (size.max() < 1e60 and size.min() > 1e-60)
        rule = RULES[int(rng.integers(len(RULES)))] if tame else "perceptron"
        order, keep = ORDERS[int(rng.integers(len(ORDERS)))], KEEPS[k % 3]
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
