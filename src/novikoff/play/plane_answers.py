"""Answer questions about points: verdict with proof, margins, every update of a run, a fit, many orders or starts."""

from __future__ import annotations

import warnings
from dataclasses import replace
from fractions import Fraction
from typing import Any, cast

import numpy as np

from novikoff.data.format_numbers import plain
from novikoff.errors import InputError, NotSeparableError, UndecidedError
from novikoff.maxmargin.margin import Margin, margin
from novikoff.perceptron import RULES, TRACED_ORDERS
from novikoff.perceptron.trace import trace
from novikoff.perceptron.trace_tables import Trace
from novikoff.play.answers import Settings
from novikoff.play.posted_points import choice, points_of, positive, start_of, truth, whole
from novikoff.separate.decide import decide

SECONDS = 5.0
RUNS = 100
MOST_UPDATES = 2_000
MOST_PRODUCTS = 4_000_000  # points times columns times updates: some seconds
MOST_WEIGHTS = 200_000  # columns times updates
MOST_PASSIVE = 100  # updates of a passive-aggressive rule, whose fractions grow with each one
FIELDS = ("number", "pass_number", "row", "score", "eta", "w", "errors_after")  # of a step; the page knows the point
BATCH_FIELDS = ("number", "pass_number", "rows", "sum", "eta", "w", "errors_after")
FORMATS = {"latex": ("trace.tex", "to_latex"), "csv": ("trace.csv", "to_csv"), "text": ("trace.txt", "to_text"),
           "html": ("replay.html", "to_html")}  # fmt: skip
PRODUCTS = ("x1", "x2", "x1²", "x1·x2", "x2²")
FIT_RULES = ("perceptron", "margin", "pa", "pa1", "pa2")
KEEPS = ("auto", "last", "pocket", "average", "vote")
ORDERS = ("auto", "cyclic", "first", "shuffle", "random", "batch")


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
    many = orders_experiment if choice(request, "vary", ("orders", "starts")) == "orders" else starts_experiment
    found = many(X, y, fit_intercept=truth(request, "bias", True), trials=RUNS,
                 seed=whole(request, "seed", 0, 0, 2**31), max_updates=MOST_UPDATES)  # fmt: skip
    return found.to_dict()


# ---- one run, update by update ---------------------------------------------------------------------------------------


def run_of(request: dict[str, Any]) -> tuple[Trace, int]:
    """Return the run of a call, and its limit of updates."""
    X, y = points_of(request)
    rule, bias = choice(request, "rule", RULES), truth(request, "bias", True)
    limit = whole(request, "max_updates", 1_000, 1, MOST_UPDATES)
    most = MOST_PASSIVE if rule.startswith("pa") else limit
    limit = max(1, min(limit, most, MOST_PRODUCTS // X.size, MOST_WEIGHTS // X.shape[1]))
    run = trace(
        X, y, order=choice(request, "order", TRACED_ORDERS), fit_intercept=bias,
        eta0=positive(request, "eta"), w0=start_of(request, X.shape[1] + bias),
        seed=whole(request, "seed", 0, 0, 2**31), max_updates=limit, positive=1, rule=rule,
        threshold=positive(request, "threshold"), C=positive(request, "C"),
    )  # fmt: skip
    return run, limit


def steps(request: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """Return the run with all its updates; `limit` is the largest number of updates it was allowed."""
    run, limit = run_of(request)
    return run.to_dict(BATCH_FIELDS if run.order == "batch" else FIELDS) | {"limit": limit}


def export(request: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """Return the run as a file: its name and text."""
    kind = choice(request, "format", tuple(FORMATS))
    name, method = FORMATS[kind]
    run, _ = run_of(request)
    run = _named(run, request)
    how = {"margin": _margin_of(request), "title": "points of the play page"} if kind == "html" else {}
    return {"name": name, "text": getattr(run, method)(**how)}


def _named(run: Trace, request: dict[str, Any]) -> Trace:
    """Return the run with the page's numbers of its points, if some were held out, and the names of products."""
    numbers = request.get("numbers")
    if numbers is not None:
        if not isinstance(numbers, list) or len(numbers) != len(run.counts) or not all(type(i) is int for i in numbers):
            raise InputError("expected a list of whole numbers, one for each point", "numbers")
        run = replace(run, row_names=lambda row: numbers[row])
    return replace(run, names=PRODUCTS) if request.get("features") and run.d == len(PRODUCTS) else run


def _margin_of(request: dict[str, Any]) -> Any:
    """Return the margin of the points, for the bound on the page of a run; None if they have none."""
    X, y = points_of(request)
    try:
        found = margin(X, y, fit_intercept=truth(request, "bias", True), max_time=SECONDS, positive=1)
        _ = found.padded, found.radius2
    except (NotSeparableError, UndecidedError):
        return None
    return found


# ---- a fit -----------------------------------------------------------------------------------------------------------


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
        rule=choice(request, "rule", FIT_RULES), keep=choice(request, "keep", KEEPS),
        order=choice(request, "order", ORDERS), eta0=float(positive(request, "eta")), fit_intercept=bias,
        max_updates=whole(request, "max_updates", 1_000, 1, 100_000), max_time=SECONDS, threshold=1.0, C=1.0,
        random_state=whole(request, "seed", 0, 0, 2**31),
    )  # fmt: skip
    inits: dict[str, Any] = {
        "coef_init": start[: X.shape[1]],
        **({"intercept_init": start[-1]} if any(start) and bias else {}),
    }
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
