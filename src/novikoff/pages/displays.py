"""Show results in a notebook: the `_repr_html_` of verdicts, margins, separation reports, traces and estimators.

Static HTML with inline SVG, without script: the text that `print` shows, and a picture for two features. Text and lines
take the colour of the notebook's theme; the two class colours have a contrast of at least 3 on white and on black.
Nothing that takes long is computed to show a result.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from novikoff.data.format_numbers import BEYOND, WIDE, bounds, plane_equation
from novikoff.pages.markup import Markup, element
from novikoff.pages.page_frame import static_text
from novikoff.pages.plane_pictures import margin_figure, verdict_figure
from novikoff.pages.tables import facts
from novikoff.pages.trace_page import plane_figures

SMALL = 1_000_000  # numbers of the points up to which everything is computed
MOST_STEPS = 50  # updates of a trace that are listed
MOST_PLANES = 10  # planes of a multiclass model that are listed


def display(*content: Any) -> str:
    """Return content as a fragment for a notebook, with its style."""
    style = element("style", Markup(static_text("display.css")))
    return element("div", style, *content, class_="novikoff-display")


def text_display(text: str) -> str:
    """Return a text for a notebook."""
    return display(element("pre", text))


def verdict_display(verdict: Any) -> str:
    """Return a verdict with its proof, and a picture for two features."""
    if verdict.separable is None or not verdict.has_points or verdict.n * verdict.d > SMALL:
        return text_display(str(verdict))
    picture = verdict_figure(verdict)
    return display(element("pre", verdict.explain()), "" if picture is None else picture)


def margin_display(margin: Any) -> str:
    """Return both margins, the radius and the mistake bound, and a picture for two features."""
    if margin.n * margin.d > SMALL:
        return text_display(str(margin) if "padded" in vars(margin) else repr(margin))
    picture = margin_figure(margin)
    return display(element("pre", str(margin)), "" if picture is None else picture)


def trace_display(trace: Any) -> str:
    """Return the updates of a run, or only its ending if they are many; for two features the first and last state."""
    more = f"to_html() returns a page with all {len(trace.steps):,} updates"
    text = str(trace) if len(trace.steps) <= MOST_STEPS else "\n".join([*trace.ending(), more])
    pictures = plane_figures(trace, stepping=False) if trace.d == 2 and trace.points else []
    return display(element("pre", text), element("div", *pictures, class_="pictures"))


def estimator_display(text: str, results: Sequence[tuple[str, str]] | None, planes: Sequence[str] = ()) -> str:
    """Return an estimator: its `repr`, what a fit found, and its planes. results: None if it is not fitted."""
    found = element("p", "Not fitted.") if results is None else facts(results)
    return display(element("pre", text), found, element("pre", "\n".join(planes)) if planes else "")


def between(low: float, high: float) -> str:
    """Return two doubles that enclose a number, `0.1 to 0.2`, or the number itself if it is a double."""
    if math.isinf(high):
        return BEYOND
    return " to ".join(dict.fromkeys(bounds(low, high)))


def planes_in_words(estimator: Any) -> list[str]:
    """Return the planes of a fitted estimator as equations if they are few and short; otherwise an empty list."""
    if estimator.n_features_in_ > WIDE or len(estimator.coef_) > MOST_PLANES:
        return []
    names = list(map(str, getattr(estimator, "feature_names_in_", ())))
    planes = zip(estimator.coef_.tolist(), estimator.intercept_.tolist(), strict=True)
    return [plane_equation(w, b, names) for w, b in planes]
