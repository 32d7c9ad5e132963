"""Answer with every update of a run in exact fractions, as JSON, CSV, LaTeX or text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from novikoff.errors import InputError, NotSeparableError, UndecidedError
from novikoff.perceptron import RULES, TRACED_ORDERS
from novikoff.perceptron.trace import trace
from novikoff.perceptron.trace_tables import Trace
from novikoff.play.answers import Settings
from novikoff.play.posted_points import choice, points_of, positive, start_of, truth, whole

MOST_UPDATES = 2_000
MOST_PRODUCTS = 4_000_000  # points times columns times updates: some seconds
MOST_WEIGHTS = 200_000  # columns times updates
MOST_PASSIVE = 100  # updates of a passive-aggressive rule, whose fractions grow with each one
FIELDS = ("number", "pass_number", "row", "score", "eta", "w", "errors_after")  # of a step; the page knows the point
BATCH_FIELDS = ("number", "pass_number", "rows", "sum", "eta", "w", "errors_after")
FORMATS = {"latex": ("trace.tex", "to_latex"), "csv": ("trace.csv", "to_csv"), "text": ("trace.txt", "to_text"),
           "html": ("replay.html", "to_html")}  # fmt: skip
SECONDS = 5.0
PRODUCTS = ("x1", "x2", "x1²", "x1·x2", "x2²")


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
    from novikoff.maxmargin.margin import margin

    X, y = points_of(request)
    try:
        found = margin(X, y, fit_intercept=truth(request, "bias", True), max_time=SECONDS, positive=1)
        _ = found.padded, found.radius2
    except (NotSeparableError, UndecidedError):
        return None
    return found
