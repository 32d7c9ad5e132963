"""Gallant's pocket algorithm with ratchet, written plainly (Perceptron-based learning algorithms, 1990); noisy sets.

Rows are drawn at random. A vector whose run of right looks is longer than that of the pocket is counted on all rows,
and replaces the pocket, run and all, if it has fewer errors. Nothing here is shared with the package.
"""

from __future__ import annotations

import numpy as np


def noisy_set(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """20 to 200 points in 1 to 5 columns, of which a share lies on the wrong side of a plane; some in whole numbers."""
    n, d = int(rng.integers(20, 201)), int(rng.integers(1, 6))
    X = rng.standard_normal((n, d))
    y = np.where(X @ rng.standard_normal(d) + 0.3 * rng.standard_normal() > 0, 1, -1)
    y = np.where(rng.random(n) < rng.uniform(0.02, 0.25), -y, y)
    X = X if rng.random() < 0.6 else np.rint(2 * X) / (1 if rng.random() < 0.5 else 2)
    y[0] = -y[1]
    return X, y


def gallant_errors(X: np.ndarray, y: np.ndarray, looks: int, seed: int) -> int:
    """The errors of the pocket after so many looks."""
    Z = np.column_stack([X, np.ones(len(X))]) * y[:, None]
    w, run, counted = np.zeros(Z.shape[1]), 0, False
    errors, longest = len(Z), 0
    for row in np.random.default_rng(seed).integers(0, len(Z), looks):
        z = Z[row]
        if z @ w <= 0:
            w, run, counted = w + z, 0, False
            continue
        run += 1
        if run > longest and not counted:
            here, counted = int((Z @ w <= 0).sum()), True
            if here < errors:
                errors, longest = here, run
    return errors
