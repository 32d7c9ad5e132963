"""Peers of the question `softmargin`: LIBLINEAR and scikit-learn, run down a ladder of tolerances.

They solve the same problem, ½|w|² (or |w|₁) + C Σ loss with a column of ones, and do not know how far they are from the
optimum: the true objective of their weights is computed outside the clock. Each run is a process of its own, ended at
its cap.
"""

from __future__ import annotations

import multiprocessing
import os
import time
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
import scipy.sparse as sp

LADDER = (1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8, 1e-10)
LIBLINEAR = {"hinge": (3,), "squared_hinge": (1, 2), "logistic": (0, 7)}
LIBLINEAR_L1 = {"squared_hinge": (5,), "logistic": (6,)}
WIDE = 5000  # columns from which a d × d matrix is too large
Run = Callable[[float], tuple[float, np.ndarray]]  # tolerance: CPU seconds and the weights, the bias last


def times(
    X: Any, y: np.ndarray, loss: str, C: float, l1: bool, lower: float, gaps: tuple[float, ...], cap: float
) -> dict[str, dict[str, float | None]]:
    """For each peer and gap the CPU seconds of the first run within it of the lower bound; None if none is."""
    padded = sp.hstack([X, np.ones((X.shape[0], 1))]).tocsr() if sp.issparse(X) else _dense(X)
    found: dict[str, dict[str, float | None]] = {}
    for peer, run in _peers(padded, y, loss, C, l1).items():
        figures: dict[str, float | None] = {str(gap): None for gap in gaps}
        for tolerance in LADDER:
            answer = _in_a_process(run, tolerance, cap)
            if answer is None:
                break
            seconds, w = answer
            short = (objective(padded, y, loss, C, w, l1) - lower) / lower
            for gap in gaps:
                if short <= gap and figures[str(gap)] is None:
                    figures[str(gap)] = seconds
            if all(value is not None for value in figures.values()):
                break
        found[peer] = figures
    return found


def _dense(X: np.ndarray) -> np.ndarray:
    return np.hstack([X, np.ones((len(X), 1), X.dtype)]).astype(np.float64)


def objective(X: Any, y: np.ndarray, loss: str, C: float, w: np.ndarray, l1: bool = False) -> float:
    """½|w|² + C Σ loss, or |w|₁ + C Σ loss."""
    m = y * (X @ w)
    z = np.maximum(1.0 - m, 0.0)
    each = {"hinge": z, "squared_hinge": z * z, "logistic": np.logaddexp(0.0, -m)}[loss]
    return float((np.abs(w).sum() if l1 else 0.5 * w @ w) + C * each.sum())


def _peers(X: Any, y: np.ndarray, loss: str, C: float, l1: bool) -> dict[str, Run]:
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import LinearSVC

    peers: dict[str, Run] = {}
    if find_spec("liblinear") is not None:
        from liblinear.liblinearutil import problem

        converted = problem(y, sp.csr_matrix(X))
        for number in (LIBLINEAR_L1 if l1 else LIBLINEAR)[loss]:
            peers[f"liblinear -s {number}"] = _liblinear(converted, number, C, X.shape[1])
    common: dict[str, Any] = {"C": C, "fit_intercept": False}
    if l1:
        if loss == "logistic":
            more: dict[str, Any] = {"l1_ratio": 1.0, "solver": "saga", "max_iter": 10**5, "random_state": 0}
            peers["saga"] = _sklearn(lambda e: LogisticRegression(**common, **more, tol=e), X, y)
        return peers
    if loss == "hinge":
        more = {"loss": "hinge", "dual": True, "max_iter": 10**7, "random_state": 0}
        peers["LinearSVC"] = _sklearn(lambda e: LinearSVC(**common, **more, tol=e), X, y)
    if loss == "logistic":
        peers["lbfgs"] = _sklearn(lambda e: LogisticRegression(**common, tol=e, max_iter=10**5), X, y)
        if X.shape[1] <= WIDE:
            more = {"max_iter": 10**4, "solver": "newton-cholesky"}
            peers["newton-cholesky"] = _sklearn(lambda e: LogisticRegression(**common, **more, tol=e), X, y)
    return peers


def _liblinear(converted: Any, number: int, C: float, d: int) -> Run:
    from liblinear.liblinearutil import parameter, train

    def run(tolerance: float) -> tuple[float, np.ndarray]:
        start = time.process_time()
        model = train(converted, parameter(f"-s {number} -c {C} -e {tolerance} -q"))
        seconds = time.process_time() - start
        w = np.array(model.w[:d])
        return seconds, w if model.label[0] == 1 else -w

    return run


def _sklearn(make: Callable[[float], Any], X: Any, y: np.ndarray) -> Run:
    def run(tolerance: float) -> tuple[float, np.ndarray]:
        estimator = make(tolerance)
        start = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            estimator.fit(X, y)
        return time.process_time() - start, estimator.coef_.ravel()

    return run


def _in_a_process(run: Run, tolerance: float, cap: float) -> tuple[float, np.ndarray] | None:
    """The answer of a run, or None if it takes longer than its cap (twice, on a busy machine) or fails."""
    context = multiprocessing.get_context("fork")
    receive, send = context.Pipe(False)

    def body() -> None:
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        send.send(run(tolerance))
        os._exit(0)

    process = context.Process(target=body)
    process.start()
    send.close()
    answer = None
    if receive.poll(2.0 * cap + 2.0):
        try:
            answer = receive.recv()
        except EOFError:
            answer = None
    process.kill()
    process.join()
    return answer if answer is not None and answer[0] <= cap else None
