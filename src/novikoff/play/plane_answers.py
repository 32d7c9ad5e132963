"""Answer questions about points: verdict with proof, margins, the user's own plane, many orders or starts."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.certify.decide.decide import decide
from novikoff.data.text.format_numbers import plain
from novikoff.errors import InputError, UndecidedError
from novikoff.maxmargin.margin import Margin, margin
from novikoff.play.answers import Settings
from novikoff.play.posted_points import choice, numbers_of, points_of, positive, start_of, truth, whole

SECONDS = 5.0
RUNS = 100
MOST_UPDATES = 100_000


def load() -> None:
    """Decide examples until compiled code is loaded, so that a drag never waits for it."""
    rng = np.random.default_rng(0)
    for n in (4, 200, 200, 200):
        X = np.round(rng.standard_normal((n, 2)) * 8) / 2
        X = X[X[:, 0] + 2 * X[:, 1] != 0]
        y = np.where(X[:, 0] + 2 * X[:, 1] > 0, 1, -1)
        if abs(int(y.sum())) < len(y):
            decide(X, y)
            _ = margin(X, y).mistake_bound
        labels = np.where(np.arange(len(X)) % 2, 1, -1)
        _ = decide(X, labels).obstruction


def verdict(request: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """Return whether a plane separates the points, with the proof; with margin: true also the margins and the bound."""
    X, y = points_of(request)
    bias = truth(request, "bias", True)
    found = decide(X, y, fit_intercept=bias, max_time=SECONDS)
    info: dict[str, Any] = {"separable": found.separable, "kind": found.kind, "n": found.n, "d": found.d,
                            "bias": bias, "how": found.how}  # fmt: skip
    if found.separable:
        info |= {"w": [str(v) for v in found.w or ()], "b": str(found.b)}
        if truth(request, "margin", False):
            start, rate = start_of(request, X.shape[1] + bias), positive(request, "eta")
            with suppress(UndecidedError):  # the verdict stands without its margin
                info["margin"] = _margins(margin(X, y, fit_intercept=bias, max_time=SECONDS), start, rate)
    elif found.separable is False and found.obstruction is not None:
        info |= {"support": list(found.indices), "weights": [str(v) for v in found.weights]}
        info["obstruction"] = found.obstruction.to_dict()
    if found.separable is not None and truth(request, "certificate", False):
        info |= {"certificate": found.certificate().record(), "text": found.explain()}
    return info


def _margins(m: Margin, start: list[Fraction] | None, rate: Fraction) -> dict[str, Any]:
    """Return both margins, R² and the mistake bound: (R/γ)², or the bound from another start."""
    sides = {"geometric": m.geometric, "padded": m.padded}
    info: dict[str, Any] = {
        name: {
            "gamma": list(width.gamma),
            "gamma2": None if width.gamma2 is None else plain(width.gamma2),
            "w": width.plane[0].tolist(),
            "b": float(width.plane[1]),
            "touching": width.indices.tolist(),
        }
        for name, width in sides.items()
    }
    low, high = m.radius2
    bound = int(np.floor(m.mistake_bound[1]))
    if start is not None and any(start):
        bound = m.mistake_bound_from(start, rate)
    return info | {"radius2": plain(high) if low == high else None, "radius": m.radius, "bound": bound}


def line(request: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """Return loss, mistakes and signed distances of the user's own plane."""
    from novikoff.scoring.loss_of_plane import perceptron_loss
    from novikoff.scoring.plane_margins import margins

    X, y = points_of(request)
    w, b = numbers_of(request.get("w"), "w"), numbers_of([request.get("b", 0)], "b")[0]
    found = margins(X, y, w=w, b=b)
    return {
        "loss": perceptron_loss(X, y, w=w, b=b),
        "mistakes": int((found.sides * y <= 0).sum()),
        "sides": found.sides.tolist(),
        "distances": found.distances.tolist(),
        "smallest": float(found.distances.min()),
    }


def runs(request: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """Return the planes and updates of many runs in random orders, or from random starts."""
    from novikoff.theory.experiments.orders_and_starts import orders_experiment, starts_experiment

    X, y = points_of(request)
    if len(X) > 500:
        raise InputError(f"found {len(X):,} points, expected at most 500 for many runs", "X")
    bias = truth(request, "bias", True)
    if decide(X, y, fit_intercept=bias, max_time=SECONDS).separable is not True:
        raise InputError("found points that no line was found to separate; many runs need separable points", "X")
    many = orders_experiment if choice(request, "vary", ("orders", "starts")) == "orders" else starts_experiment
    found = many(X, y, fit_intercept=bias, trials=RUNS,
                 seed=whole(request, "seed", 0, 0, 2**31), max_updates=MOST_UPDATES)  # fmt: skip
    return found.to_dict()
