"""Answer questions about points: verdict with proof, margins, many orders or starts."""

from __future__ import annotations

import warnings
from fractions import Fraction
from typing import Any, cast

import numpy as np

from novikoff.certify.decide.decide import decide
from novikoff.data.text.format_numbers import plain
from novikoff.errors import InputError, UndecidedError
from novikoff.maxmargin.margin import Margin, margin
from novikoff.play.answers import Settings
from novikoff.play.posted_points import choice, points_of, positive, start_of, truth, whole

SECONDS = 5.0
RUNS = 100
MOST_UPDATES = 100_000
MOST_PASSES = 1_000  # of a run that is made many times: some seconds


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
        _ = cast(Any, decide(X, labels)).obstruction


def verdict(request: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """Return whether a plane separates the points, with the proof; with margin: true also the margins and the bound."""
    X, y = points_of(request)
    bias = truth(request, "bias", True)
    found: Any = decide(X, y, fit_intercept=bias, max_time=SECONDS)
    info: dict[str, Any] = {"separable": found.separable, "kind": found.kind, "n": found.n, "d": found.d,
                            "bias": bias, "how": found.how}  # fmt: skip
    if found.separable:
        info |= {"w": [str(v) for v in found.w or ()], "b": str(found.b)}
        if truth(request, "margin", False):
            start, rate = start_of(request, X.shape[1] + bias), positive(request, "eta")
            try:
                info["margin"] = _margins(margin(X, y, fit_intercept=bias, max_time=SECONDS), start, rate)
            except (InputError, UndecidedError) as error:  # the verdict stands without its margin
                info["no_margin"] = str(error)
    elif found.separable is False and found.obstruction is not None:
        info |= {"support": list(found.indices), "weights": [str(v) for v in found.weights]}
        info["obstruction"] = found.obstruction.to_dict()
    if found.separable is not None and truth(request, "certificate", False):
        info |= {"certificate": found.certificate().record(), "text": found.explain()}
    return info


def _margins(m: Margin, start: list[Fraction] | None, rate: Fraction) -> dict[str, Any]:
    """Return both margins, R² and the mistake bound, ⌊(R/γ)²⌋ or that of another start, as digits: it may be long.

    is_exact: whether it is ⌊(R/γ)²⌋; else it is a little more than that, since γ or R is known between bounds.
    """
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
    bound = m.mistake_bound_from(start or [0] * (m.d + m.fit_intercept), rate)
    return info | {"radius2": plain(high) if low == high else None, "radius": m.radius, "bound": str(bound),
                   "is_exact": m.padded.gamma2 is not None and low == high}  # fmt: skip


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
    _check_passes(X, y, bias)
    found = many(X, y, fit_intercept=bias, trials=RUNS,
                 seed=whole(request, "seed", 0, 0, 2**31), max_updates=MOST_UPDATES)  # fmt: skip
    return found.to_dict()


def _check_passes(X: np.ndarray, y: np.ndarray, bias: bool) -> None:
    """Make one run, and refuse points on which it needs so many passes that many runs take too long."""
    import novikoff as nv

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        first = nv.Perceptron(keep="last", order="shuffle", random_state=0, fit_intercept=bias, max_iter=MOST_PASSES)
        if first.fit(X, y).stop_reason_ == "separated":
            return
    bound = margin(X, y, fit_intercept=bias, max_time=SECONDS).mistake_bound_from([0] * (X.shape[1] + bias))
    most = f"{bound:,}" if bound < 10**15 else f"about 10^{len(str(bound)) - 1}"
    raise InputError(
        f"found points so near to each other that a run needs more than {MOST_PASSES:,} passes (at most "
        f"{most} mistakes), and {RUNS} runs take too long here; move them apart, or use novikoff theory experiment", "X"
    )  # fmt: skip
