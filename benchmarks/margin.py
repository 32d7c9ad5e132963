"""How fast is the widest plane found, with a proof of how wide it is?

    ours       nv.margin(X, y, gap=1e-6): the geometric margin between proved bounds, from the arrays as they are given
    clarabel   min |w|² subject to y(w·x + b) ≥ 1, its model built from the same arrays, default tolerances; no proof

On small sets LIBSVM and LIBLINEAR are shown too, by scikit-learn's SVC and LinearSVC with C = 1e8 and 1e6 (LIBLINEAR
penalises the bias: it solves another problem). The notes say how far each is from the proved margin. On small sets a
figure is the mean of ten calls.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

import novikoff as nv
from benchmarks import data
from benchmarks.harness import FULL, Figures, Job, Row, Size, interleave, timed

FASTER = 8.0
GAP = 1e-6
REPEATS = 3  # of sets that take clarabel seconds
LARGE = 500_000  # numbers: such sets
SETS = ((10, 1_000), (50, 1_000), (50, 10_000), (50, 100_000), (200, 2_000), (200, 20_000))  # columns, rows
OURS, CLARABEL = "nv.margin, gap 1e-6", "clarabel"

Plane = tuple[np.ndarray, float]
Points = tuple[str, np.ndarray, np.ndarray]


def ask(size: Size) -> Iterator[Row]:
    """The rows of this question, set by set."""
    for what, X, y in sets(size):
        repeats = min(size.repeats, REPEATS) if X.size > LARGE else size.repeats
        jobs = [_job(OURS, ours, X, y), _job(CLARABEL, clarabel_plane, X, y)]
        rounds = interleave(jobs, repeats)
        gamma = ours(X, y).gamma
        low, high = gamma
        off = short_by(X, y, clarabel_plane(X, y), high)
        note = f"{what}: proved to {(high - low) / high:.0e}; clarabel's plane falls short of it by {off:.0e}."
        yield rounds.speed(what, OURS, CLARABEL, FASTER, note=note)
        if X.shape[0] <= SETS[0][1]:
            yield from _others(what, X, y, high)


def _job(name: str, call: Any, X: np.ndarray, y: np.ndarray) -> Job:
    """One call, or on small sets the mean of ten."""
    calls = 1 if X.size > LARGE // 10 else 10

    def job() -> Figures:
        (seconds,) = timed(name, lambda: [call(X, y) for _ in range(calls)])().values()
        return {name: seconds / calls}

    return job


def _others(what: str, X: np.ndarray, y: np.ndarray, high: float) -> Iterator[Row]:
    """Solvers that are often used for it, for information."""
    for name, plane in (("LIBSVM", libsvm_plane), ("LIBLINEAR", liblinear_plane)):
        rounds = interleave([_job(OURS, ours, X, y), _job(name, plane, X, y)], 1)
        off = short_by(X, y, plane(X, y), high)
        yield rounds.speed(what, OURS, name, note=f"{what}: {name}'s plane falls short of the widest by {off:.0e}.")


def sets(size: Size) -> Iterator[Points]:
    """(name, points, signs): digits 3 and 8; Gaussian points with a Gaussian teacher's labels, seed 2."""
    X, y = nv.example("digits")
    which = (y == 3) | (y == 8)
    yield "digits 3/8, 357 × 64", X[which], np.where(y[which] == 3, 1.0, -1.0)
    share = size.dense[0] / FULL.dense[0]
    for d, n in SETS:
        n = max(60, round(n * share)) if n * d > LARGE or share < 0.05 else n
        points, signs = data.teacher(n, d, 0.0)
        yield f"teacher, {n:,} × {d}", points, signs.astype(np.float64)


def ours(X: np.ndarray, y: np.ndarray) -> Any:
    """The widest plane with its proved interval."""
    return nv.margin(X, y, gap=GAP).geometric


def clarabel_plane(X: np.ndarray, y: np.ndarray) -> Plane:
    """The plane of an interior-point solver."""
    import clarabel
    import scipy.sparse as sp

    n, d = X.shape
    settings = clarabel.DefaultSettings()
    settings.verbose, settings.max_threads = False, 1
    P = sp.csc_matrix(sp.diags(np.r_[np.ones(d), 0.0]))
    A = sp.csc_matrix(-np.column_stack([X, np.ones(n)]) * y[:, None])
    cones = [clarabel.NonnegativeConeT(n)]
    found = np.array(clarabel.DefaultSolver(P, np.zeros(d + 1), A, -np.ones(n), cones, settings).solve().x)
    return found[:d], float(found[d])


def libsvm_plane(X: np.ndarray, y: np.ndarray) -> Plane:
    """LIBSVM's, at most 300,000 steps."""
    from sklearn.svm import SVC

    return _fitted(SVC(kernel="linear", C=1e8, tol=1e-6, cache_size=500, max_iter=300_000), X, y)


def liblinear_plane(X: np.ndarray, y: np.ndarray) -> Plane:
    """LIBLINEAR's, at most 5,000 passes."""
    from sklearn.svm import LinearSVC

    return _fitted(LinearSVC(C=1e6, loss="hinge", tol=1e-7, max_iter=5_000, intercept_scaling=10.0), X, y)


def _fitted(solver: Any, X: np.ndarray, y: np.ndarray) -> Plane:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        solver.fit(X, y)
    return solver.coef_[0], float(solver.intercept_[0])


def short_by(X: np.ndarray, y: np.ndarray, plane: Plane, high: float) -> float:
    """How much less than the widest a plane's margin is, as a part of it; more than 1: it does not separate."""
    w, b = plane
    return 1.0 - float((y * (X @ w + b)).min() / np.linalg.norm(w)) / high
