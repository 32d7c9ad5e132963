"""Answer with the weights that a perceptron returns: last, pocket or average, and its errors on held-out points."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.play.answers import Settings
from novikoff.play.posted_points import choice, points_of, positive, start_of, truth, whole

RULES = ("perceptron", "margin", "pa", "pa1", "pa2")
KEEPS = ("auto", "last", "pocket", "average", "vote")
ORDERS = ("auto", "cyclic", "first", "shuffle", "random", "batch")
SECONDS = 5.0


def fit(request: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """Fit a Perceptron to the points that are not held out; `test`: the indices of those that are."""
    import novikoff as nv

    X, y = points_of(request)
    held = held_out(request.get("test", []), len(X))
    if len(set(y[~held].tolist())) < 2:
        raise InputError("the points that are not held out have one class; hold out fewer", "test")
    bias = truth(request, "bias", True)
    start = [float(value) for value in start_of(request, X.shape[1] + bias) or ()]
    model = nv.Perceptron(
        rule=choice(request, "rule", RULES), keep=choice(request, "keep", KEEPS),
        order=choice(request, "order", ORDERS), eta0=float(positive(request, "eta")), fit_intercept=bias,
        max_updates=whole(request, "max_updates", 1_000, 1, 100_000), max_time=SECONDS, threshold=1.0, C=1.0,
        random_state=whole(request, "seed", 0, 0, 2**31),
    )  # fmt: skip
    inits = {"coef_init": start[: X.shape[1]], **({"intercept_init": start[-1]} if any(start) and bias else {})}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X[~held], y[~held], **(inits if any(start) else {}))
    wrong = model.predict(X) != y
    return {
        "w": model.coef_[0].tolist(),
        "b": float(model.intercept_[0]),
        "stop_reason": model.stop_reason_,
        "updates": int(model.n_updates_),
        "passes": int(model.n_iter_),
        "train": {"n": int((~held).sum()), "errors": int(wrong[~held].sum())},
        "test": {"n": int(held.sum()), "errors": int(wrong[held].sum())},
    }


def held_out(indices: Any, n: int) -> np.ndarray:
    """Return a mask of the points with these indices."""
    mask = np.zeros(n, bool)
    if not isinstance(indices, list) or not all(type(i) is int and 0 <= i < n for i in indices):
        raise InputError(f"expected a list of whole numbers from 0 to {n - 1:,}", "test")
    mask[indices] = True
    return mask
