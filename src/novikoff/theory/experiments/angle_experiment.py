"""Follow the angle between the perceptron's weights and a teacher, with both envelopes of the convergence proof.

    ⟨w, w*⟩ ≥ n·η·δ        ‖w‖ ≤ η·√n·R        cosine = ⟨w, w*⟩/‖w‖ ≥ √n·δ/R

Beside it an unbiased random walk of as many steps, w ← w ± x with signs by chance: there ‖w‖ and |⟨w, w*⟩| both grow
like √n, and the cosine does not grow.

From the notes: S9 (Sompolinsky, the angle to a teacher), S9a (the same under an unbiased random walk).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.arguments import argument_checks
from novikoff.data.format_numbers import at_most
from novikoff.theory.experiments.experiment_table import Experiment
from novikoff.theory.experiments.perceptron_runs import rows_of_updates, signed_problem, teacher_draw
from novikoff.theory.experiments.trials import check_draws, check_trials, sizes_of

POINTS_OF_CURVE = 200


def angle_experiment(N: int = 20, P: int = 100, seed: int = 0, max_updates: int = 100_000) -> Experiment:
    """Return ⟨w, w*⟩, ‖w‖ and their cosine after each update of one run, both envelopes, and a random walk.

    ⟨w, w*⟩ ≥ n·δ,   ‖w‖ ≤ √n·R

    Parameters
    ----------
    N, P : numbers of dimensions and points
    seed : of the draw
    max_updates : limit of the run

    Examples
    --------
    >>> import novikoff as nv
    >>> found = nv.angle_experiment(N=5, P=20)
    >>> all(row["overlap"] >= row["overlap_bound"] and row["norm"] <= row["norm_bound"] for row in found.rows)
    True
    """
    check_trials(1, seed)
    argument_checks.whole("max_updates", max_updates, 1, optional=False)
    (N,), (P,) = sizes_of("N", [N]), sizes_of("P", [P], 2)
    check_draws([(N, P)])
    rng = np.random.default_rng([seed, N, P])
    X, y, teacher = teacher_draw(rng, N, P)
    Z = y[:, None] * X
    used, separated = rows_of_updates(signed_problem(X, y), max_updates)
    delta, R = float((Z @ teacher).min()), float(np.linalg.norm(Z, axis=1).max())
    walk = Z[rng.integers(P, size=len(used))] * (2 * rng.integers(2, size=len(used)) - 1)[:, None]
    rows = [_row(n, w, v, teacher, delta, R) for n, w, v in _curves(Z[used], walk)]
    bound = (R / delta) ** 2
    notes = (
        f"{len(used):,} updates of at most (R/δ)² = {at_most(bound, ',.0f')}"
        + ("; every point is on its own side" if separated else f"; stopped after {max_updates:,} updates"),
    )
    return Experiment("angle", seed, 1, rows, [], notes)


def _curves(updates: np.ndarray, walk: np.ndarray) -> list[tuple[int, np.ndarray, np.ndarray]]:
    """Return (n, w, the walk) after some of the numbers n of updates, the last one included."""
    many = len(updates)
    chosen = np.unique(np.linspace(1, many, min(many, POINTS_OF_CURVE)).round().astype(int))
    w, v = np.cumsum(updates, axis=0), np.cumsum(walk, axis=0)
    return [(int(n), w[n - 1], v[n - 1]) for n in chosen]


def _row(n: int, w: np.ndarray, v: np.ndarray, teacher: np.ndarray, delta: float, R: float) -> dict[str, Any]:
    overlap, norm = float(w @ teacher), float(np.linalg.norm(w))
    walk, length = float(v @ teacher), float(np.linalg.norm(v))
    return {"update": n, "overlap": overlap, "overlap_bound": n * delta, "norm": norm, "norm_bound": n**0.5 * R,
            "cosine": overlap / norm, "cosine_bound": n**0.5 * delta / R, "walk_overlap": walk, "walk_norm": length,
            "walk_cosine": walk / length if length else 0.0}  # fmt: skip
