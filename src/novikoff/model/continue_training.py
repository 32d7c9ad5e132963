"""Continue training a loaded model: a file stores the weights, not the state of a run or of a stream.

`warm_start=True` after loading starts a new run from the loaded weights: counts, history, pocket, average and votes
start over. `partial_fit` starts a stream from them, as it does after `fit`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.data.problem import Problem
from novikoff.errors import InputError
from novikoff.perceptron.orders import Order
from novikoff.perceptron.plan import Plan
from novikoff.perceptron.rates import Rates
from novikoff.perceptron.run import Run
from novikoff.perceptron.scheme import TWO_CLASSES, Scheme


@dataclass(frozen=True)
class FromWeights:
    """Replace a resumable run: continues as a new run from these planes (w, b)."""

    plan: Plan  # a warm start uses its seed and rates
    planes: np.ndarray
    scheme: Scheme
    known_margin: float | None

    def go_on(self, problem: Problem, plan: Plan, valid: Problem | None = None) -> Run:
        """Start a run from these weights on the given points."""
        if self.known_margin is not None and self.planes.any():
            raise InputError(
                f"known_margin: {self.known_margin!r}, but the bound (R/γ)² is for a start at 0 and a loaded model "
                "keeps no counts; use a new estimator, or omit known_margin"
            )
        return Run.begin(problem, plan, self.planes, valid, self.scheme)


def ready_to_go_on(clf: Any) -> Any:
    """Return the loaded perceptron, ready for further training."""
    K = len(clf.classes_)
    planes = np.column_stack([clf.coef_, clf.intercept_])
    from_zero = clf._chosen.get("rule") == "perceptron" and not planes.any()
    rates = Rates(float(clf._chosen.get("eta0", 1.0)), None, from_zero)
    scheme = clf.scheme_of_many() if K > 2 else TWO_CLASSES
    plan = Plan(Order(clf._chosen.get("order", "cyclic"), clf.seed_), rates=rates)
    clf._run = FromWeights(plan, planes, scheme, clf._chosen.get("known_margin")) if K > 1 else None
    return clf
