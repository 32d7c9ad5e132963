"""Show results in a notebook: the `_repr_html_` of verdicts, margins, separation reports, traces and estimators.

Static HTML with inline SVG, without script. Text and lines take the colour of the notebook's theme; the two class
colours have a contrast of at least 3 on white and on black. Nothing that takes long is computed to show a result.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from novikoff.data.text.format_numbers import BEYOND, WIDE, bounds, count, exact, marked_once, short, sum_of
from novikoff.errors import UndecidedError
from novikoff.pages.markup import Markup, element
from novikoff.pages.page_frame import static_text
from novikoff.pages.plane_pictures import margin_figure, verdict_figure
from novikoff.pages.tables import facts, table
from novikoff.pages.trace_page import plane_figures

SMALL = 1_000_000  # numbers of the points up to which everything is computed
SHORT_BITS = 60  # of a fraction that is written out
MOST_STEPS = 50  # updates of a trace that are listed
MOST_NAMES = 100  # coefficients of a report that are listed
TOUCHING = "rows of the data that touch"  # numbered as there, also if only some rows or classes are selected
MOST_PLANES = 10  # planes of a multiclass model that are listed


def display(*content: Any) -> str:
    """Return content as a fragment for a notebook, with its style."""
    style = element("style", Markup(static_text("display.css")))
    return element("div", style, *content, class_="novikoff-display")


# ---- verdicts and margins ------------------------------------------------------------------------------------------


def verdict_display(verdict: Any) -> str:
    """Return a verdict with its proof, and a picture for two features."""
    if verdict.separable is None or not verdict.has_points or verdict.n * verdict.d > SMALL:
        return display(element("pre", str(verdict)))
    picture = verdict_figure(verdict)
    return display(element("pre", verdict.explain()), "" if picture is None else picture)


def margin_display(margin: Any) -> str:
    """Return both margins, the radius and the mistake bound, and a picture for two features."""
    known = margin.n * margin.d <= SMALL or "padded" in vars(margin)
    rows = margin_rows(margin, known)
    title = f"Margin of {count(margin.n, 'point')} with {count(margin.d, 'feature')}"
    later = [] if known else [element("p", "padded, radius and mistake_bound are computed when they are first used")]
    picture = margin_figure(margin) if margin.n * margin.d <= SMALL else None
    return display(
        table(title, ["quantity", "proved"], rows, row_headers=True), *later, "" if picture is None else picture
    )


def margin_rows(margin: Any, known: bool = True) -> list[tuple[str, str]]:
    """Return the names and values of a margin; known: whether the padded margin and the radius are to be had."""
    rows: list[tuple[str, str]] = []
    if margin.fit_intercept:
        rows += _width_rows("geometric margin", margin.geometric)
    if not known:
        return rows
    try:
        rows += _width_rows("padded margin γ" if margin.fit_intercept else "margin γ", margin.padded)
        low, high = margin.radius2
        R2 = exact(high) if low == high and is_short(high) else f"≈ {float(high):,.10g}"
        bound = margin.mistake_bound
    except UndecidedError as error:
        return [*rows, ("not found in time", str(error))]
    rows.append(("R², the largest squared length", R2))
    rows.append(("mistakes at most (R/γ)²", between(*bound) if bound[0] != bound[1] else _number(bound[0])))
    return rows


def _width_rows(name: str, width: Any) -> list[tuple[str, str]]:
    low, high = width.gamma
    if low == float("inf"):
        return [(name, "unbounded: there is only one class")]
    square = f" (γ² = {exact(width.gamma2)} exactly)" if is_short(width.gamma2) else ""
    rows = [(name, between(low, high) + square)]
    named = name.removesuffix(" γ")
    return [*rows, (f"{named}: {TOUCHING}", _rows_in_words(width.touching.tolist()))]


def is_short(value: Fraction | None) -> bool:
    """Return whether a number is given and has few digits; long ones may have a million."""
    return value is not None and value.numerator.bit_length() + value.denominator.bit_length() <= SHORT_BITS


def between(low: float, high: float) -> str:
    """Return two doubles that enclose a number, `0.1 to 0.2`, or the number itself if it is a double."""
    if math.isinf(high):
        return BEYOND
    return " to ".join(dict.fromkeys(bounds(low, high)))


def _number(value: float) -> str:
    return f"{int(value):,}" if value == int(value) else between(value, value)


def _rows_in_words(rows: Sequence[int]) -> str:
    """Return `3: rows 1, 4 and 7`, numbered from 1 and cut after a dozen."""
    shown = ", ".join(f"{row + 1:,}" for row in rows[:WIDE])
    return f"{len(rows):,}: {shown}" + (f" and {len(rows) - WIDE:,} more" if len(rows) > WIDE else "")


# ---- reports and traces --------------------------------------------------------------------------------------------


def separation_display(report: Any) -> str:
    """Return the estimates of a separation report as a table, with its sentences."""
    estimates = report.estimates()
    more = len(estimates) - MOST_NAMES
    lines = [*report.closing(), *([f"{more:,} more coefficients are in `coefficients`"] if more > 0 else [])]
    rows = table("Maximum-likelihood estimates", ["coefficient", "estimate"], estimates[:MOST_NAMES], row_headers=True)
    return display(*(element("p", line) for line in report.headline()), rows,
                   *(element("p", line) for line in lines if line))  # fmt: skip


def trace_display(trace: Any) -> str:
    """Return the ending of a run, its first updates, and for two features the first and the last state."""
    more = len(trace.steps) - MOST_STEPS
    rows = [trace.cells(step) for step in trace.steps[:MOST_STEPS]]
    steps = table("Every update" if more <= 0 else f"The first {MOST_STEPS} updates", trace.header(), rows)
    rest = [element("p", f"{more:,} more updates: to_html() returns a page with all of them")] if more > 0 else []
    pictures = plane_figures(trace, stepping=False) if trace.d == 2 and trace.points else []
    return display(element("pre", "\n".join(trace.ending())), steps, *rest,
                   element("div", *pictures, class_="pictures"))  # fmt: skip


# ---- estimators ----------------------------------------------------------------------------------------------------


def estimator_display(
    name: str,
    parameters: Sequence[tuple[str, str]],
    results: Sequence[tuple[str, str]] | None,
    planes: Sequence[str] = (),
) -> str:
    """Return an estimator: its parameters that differ from the defaults, what a fit found, and its planes.

    results: None for an estimator that is not fitted.
    """
    chosen = element("p", "All parameters have their default values.")
    if parameters:
        rows = [(key, element("code", value)) for key, value in parameters]
        chosen = table("Parameters that differ from the defaults", ["parameter", "value"], rows, row_headers=True)
    found = element("p", "Not fitted.") if results is None else facts(results)
    return display(
        element("p", element("strong", name)), chosen, found, element("pre", "\n".join(planes)) if planes else ""
    )


def planes_in_words(estimator: Any) -> list[str]:
    """Return the planes of a fitted estimator as equations if they are few and short; otherwise an empty list."""
    if estimator.n_features_in_ > WIDE or len(estimator.coef_) > MOST_PLANES:
        return []
    names = [*map(str, getattr(estimator, "feature_names_in_", ())), ""]
    if len(names) == 1:
        names = [*(f"x{j}" for j in range(1, estimator.n_features_in_ + 1)), ""]
    planes = zip(estimator.coef_.tolist(), estimator.intercept_.tolist(), strict=True)
    return [plane_in_words([*w, b], names) for w, b in planes]


def plane_in_words(weights: Sequence[float], names: Sequence[str]) -> str:
    """Return `4·x1 − 1/2·x2 + 1 = 0`; long numbers are rounded and marked ≈."""
    return marked_once(sum_of([Fraction(v) for v in weights], names, short) + " = 0")
