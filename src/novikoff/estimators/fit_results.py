"""Name the parameters and the results of a fit, for the display of an estimator in a notebook."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from novikoff.data.format_numbers import at_least, at_most, by_what
from novikoff.data.plain_files import plane_of
from novikoff.pages.displays import between, estimator_display, planes_in_words
from novikoff.perceptron.stops import REASONS
from novikoff.softmargin import STOP_REASONS

MOST_CLASSES = 12  # listed by name
SOLVED = "solved"  # of a learner without stopping rules
WHY_ENDED = {
    **STOP_REASONS,
    **REASONS,
    "separated": "the last weights of the run have every point on its own side",
    SOLVED: "the plane of the largest margin is proved",
}
OF_SEVERAL = {  # of the planes of more than two classes
    "separated": "the last weights of the run make no mistake on any point of any plane",
    "not_separable": "no {plane} separates the points of any plane that still makes mistakes, which is proved",
}
OTHERS_PREDICT = {  # where the weights that separate are not those that predict
    "average": "; it predicts with the average of all weights, which may make errors",
    "vote": "; it predicts with the vote of all weights, which may make errors",
}
COUNTS = (("updates", "n_updates_"), ("passes", "n_iter_"), ("looks", "n_looks_"))
NUMBERS = (("C", "C_", format), ("objective", "objective_", at_least), ("proved gap", "gap_", at_most))


def estimator_html(estimator: Any) -> str:
    """Return an estimator for a notebook: HTML without script."""
    if not hasattr(estimator, "coef_"):
        return estimator_display(repr(estimator), None)
    return estimator_display(repr(estimator), fit_results(estimator), planes_in_words(estimator))


def why_ended(reason: str, classes: int, bias: bool, keep: str = "auto") -> str:
    """Return a stop reason as a sentence.

    classes: how many the model has; bias: whether its planes have one; keep: which weights a perceptron keeps.

    Examples
    --------
    >>> why_ended("max_passes", 2, True), why_ended("gap", 3, True)
    ('the limit of passes was reached', 'the requested gap is proved')
    """
    words = OF_SEVERAL if classes > 2 and reason in OF_SEVERAL else WHY_ENDED
    text = words[reason].format(plane=plane_of(bias))
    return text + (OTHERS_PREDICT.get(keep, "") if reason == "separated" else "")


def _with_bias(estimator: Any) -> bool:
    return bool(getattr(estimator, "_with_bias", True))


def fit_results(estimator: Any) -> list[tuple[str, str]]:
    """Return names and values of what a fit found, from the attributes that the estimator has.

    Examples
    --------
    >>> from novikoff import Perceptron
    >>> fit_results(Perceptron().fit([[0, 0], [1, 0], [0, 1], [1, 1]], [0, 1, 1, 1]))[2:4]
    [('updates', '9'), ('passes', '6')]
    """
    found = [("classes", _listed(estimator.classes_.tolist()))]
    if (reason := getattr(estimator, "stop_reason_", None)) is not None:
        keep = getattr(estimator, "keep", "auto")
        why = why_ended(reason, len(estimator.classes_), _with_bias(estimator), keep)
        found.append(("ended by", f"{reason}: {why}"))
    for name, attribute in COUNTS:
        value = getattr(estimator, attribute, None)
        if value is not None:
            name = "steps" if name == "passes" and not hasattr(estimator, "n_looks_") else name
            found.append((name, f"{value:,}"))
    mistakes = getattr(estimator, "n_mistakes_", None)
    if mistakes is not None and estimator.rule == "perceptron":  # other rules also add points that are no mistakes
        found.append(("mistakes", f"{int(np.sum(mistakes)):,}"))
    for name, attribute, write in NUMBERS:
        if hasattr(estimator, attribute):
            found.append((name, _listed([write(v, ".4g") for v in np.atleast_1d(getattr(estimator, attribute))])))
    if hasattr(estimator, "margin_"):
        found.append(("margin", between(*estimator.margin_)))
        found.append(("support points", f"{len(estimator.support_):,}"))
    return [*found, *_verdicts(estimator)]


def _verdicts(estimator: Any) -> Iterator[tuple[str, str]]:
    """Yield what is proved about the points: of two classes, or of how many planes of more."""
    verdict, how = getattr(estimator, "verdict_", None), by_what(_with_bias(estimator))
    if isinstance(verdict, dict):
        planes = len(estimator.coef_)
        for answer, words in ((True, f"separable{how} (proved)"), (False, f"not separable{how} (proved)")):
            if some := sum(one.separable is answer for one in verdict.values()):
                yield f"points of {some:,} of {planes:,} planes", words
    elif verdict is not None and verdict.separable is not None:
        yield "points", f"{'' if verdict.separable else 'not '}separable{how} (proved)"
    elif getattr(estimator, "cycle_counts_", None) is not None:
        yield "points", f"not separable{how} (proved)"


def _listed(values: Sequence[Any]) -> str:
    shown = ", ".join(map(str, values[:MOST_CLASSES]))
    return shown if len(values) <= MOST_CLASSES else f"{shown} and {len(values) - MOST_CLASSES:,} more"
