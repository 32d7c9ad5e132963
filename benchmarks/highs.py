"""Separable or not by linear programming: HiGHS, one thread, its own tolerances, no proof.

    feasible   is there a w with Aw ≥ 1
    slack      the largest t with Aw ≥ t, |w| ≤ 1
    konis      the largest Σ Aw with Aw ≥ 0, |w| ≤ 1 (Konis 2007)
    gordan     are there λ ≥ 0 with Aᵀλ = 0, Σ λ = 1

The rows of A are the signed, padded points. Times include making the model from arrays.
"""

from __future__ import annotations

from typing import Any

import highspy
import numpy as np

INF = highspy.kHighsInf
LIMIT = 150.0  # seconds
FORMULATIONS = ("feasible", "slack", "konis", "gordan")


def separable(X: np.ndarray, y: np.ndarray, formulation: str, limit: float = LIMIT, bias: bool = True) -> bool | None:
    """What HiGHS says; None if it does not know."""
    A = np.ones((len(X), X.shape[1] + bias))
    A[:, : X.shape[1]] = X
    A *= y[:, None]
    n, D = A.shape
    zero, one, free = np.zeros, np.ones, (lambda size: np.full(size, INF))
    if formulation == "feasible":
        found = _solved(zero(D), -free(D), free(D), A, one(n), free(n), limit)
        return _feasible(found)
    if formulation == "slack":
        costs = np.append(zero(D), -1.0)
        found = _solved(costs, -one(D + 1), one(D + 1), np.hstack([A, -one((n, 1))]), zero(n), free(n), limit)
        return _above_zero(found)
    if formulation == "konis":
        return _above_zero(_solved(-A.sum(axis=0), -one(D), one(D), A, zero(n), free(n), limit))
    right = np.append(zero(D), 1.0)
    found = _solved(zero(n), zero(n), free(n), np.vstack([A.T, one(n)]), right, right, limit)
    held = _feasible(found)
    return None if held is None else not held


def _solved(costs: Any, low: Any, high: Any, M: Any, least: Any, most: Any, limit: float) -> highspy.Highs:
    """min ⟨costs, v⟩ with low ≤ v ≤ high, least ≤ Mv ≤ most."""
    m, n = M.shape
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = n, m
    model.col_cost_, model.col_lower_, model.col_upper_ = costs, low, high
    model.row_lower_, model.row_upper_ = least, most
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.arange(0, m * n + 1, n, dtype=np.int32)
    model.a_matrix_.index_ = np.tile(np.arange(n, dtype=np.int32), m)
    model.a_matrix_.value_ = np.ascontiguousarray(M).ravel()
    solver = highspy.Highs()
    for name, value in (("output_flag", False), ("threads", 1), ("time_limit", limit), ("solver", "simplex")):
        solver.setOptionValue(name, value)
    solver.passModel(model)
    solver.run()
    return solver


def _feasible(solver: highspy.Highs) -> bool | None:
    status, words = solver.getModelStatus(), highspy.HighsModelStatus
    no = (words.kInfeasible, words.kUnboundedOrInfeasible)
    return True if status == words.kOptimal else False if status in no else None


def _above_zero(solver: highspy.Highs) -> bool | None:
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    return bool(-solver.getInfo().objective_function_value > 1e-9)
