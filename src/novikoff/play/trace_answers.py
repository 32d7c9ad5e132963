"""Answer with every update of a run in exact fractions, as JSON, CSV, LaTeX or text."""

from __future__ import annotations

from typing import Any

from novikoff.data.exact_points import exact_number
from novikoff.errors import InputError, NotSeparableError, UndecidedError
from novikoff.perceptron import RULES, TRACED_ORDERS
from novikoff.perceptron.trace import trace
from novikoff.perceptron.trace_tables import Trace
from novikoff.play.answers import Settings
from novikoff.play.posted_points import choice, points_of, truth, whole

MOST_UPDATES = 2_000
MOST_LOOKS = 2_000_000  # points times updates: about two seconds
MOST_PASSIVE = 100  # updates of a passive-aggressive rule, whose fractions grow with each one
FIELDS = ("number", "pass_number", "row", "score", "eta", "w", "errors_after")  # of a step; the page knows the point
BATCH_FIELDS = ("number", "pass_number", "rows", "sum", "eta", "w", "errors_after")
FORMATS = {"latex": ("trace.tex", "to_latex"), "csv": ("trace.csv", "to_csv"), "text": ("trace.txt", "to_text"),
           "html": ("replay.html", "to_html")}  # fmt: skip
SECONDS = 5.0
LONGEST = 40  # characters of a number


def run_of(request: dict[str, Any]) -> tuple[Trace, int]:
    """Return the run of a call, and its limit of updates."""
    X, y = points_of(request)
    rule = choice(request, "rule", RULES)
    limit = whole(request, "max_updates", 1_000, 1, MOST_UPDATES)
    limit = max(1, min(limit, MOST_LOOKS // len(X), MOST_PASSIVE if rule.startswith("pa") else limit))
    run = trace(
        X, y, order=choice(request, "order", TRACED_ORDERS), fit_intercept=truth(request, "bias", True),
        eta0=number(request, "eta", "1"), w0=start_of(request), seed=whole(request, "seed", 0, 0, 2**31),
        max_updates=limit, positive=1, rule=rule, threshold=number(request, "threshold", "1"),
        C=number(request, "C", "1"),
    )  # fmt: skip
    return run, limit


def number(request: dict[str, Any], name: str, default: str) -> Any:
    """Return an exact number written as text: 1, 0.5 or 1/2."""
    text = request.get(name, default)
    if not isinstance(text, str | int | float) or isinstance(text, bool) or len(str(text)) > LONGEST:
        raise InputError(f"found {text!r}, expected a number like 1, 0.5 or 1/2", name)
    return exact_number(str(text), name)


def start_of(request: dict[str, Any]) -> list[Any] | None:
    """Return the initial weights of a call, or None for zeros."""
    given = request.get("w0")
    if given is None:
        return None
    if not isinstance(given, list) or len(given) > 200:
        raise InputError("expected a list of numbers", "w0")
    return [number({"w0": value}, "w0", "0") for value in given]


def steps(request: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """Return the run with all its updates; `limit` is the largest number of updates it was allowed."""
    run, limit = run_of(request)
    return run.to_dict(BATCH_FIELDS if run.order == "batch" else FIELDS) | {"limit": limit}


def export(request: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """Return the run as a file: its name and text."""
    kind = choice(request, "format", tuple(FORMATS))
    name, method = FORMATS[kind]
    run, _ = run_of(request)
    how = {"margin": _margin_of(request), "title": "points of the play page"} if kind == "html" else {}
    return {"name": name, "text": getattr(run, method)(**how)}


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
