"""`fit --soft` and `cv --soft`: fit a soft margin instead of a perceptron, and report the proved gap."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import click

from novikoff.cli.options.class_weights import by_class, in_words
from novikoff.cli.options.learning_options import option_of
from novikoff.cli.options.row_options import options
from novikoff.cli.parts import Parts, facts, of_parts, timed_fit
from novikoff.cli.text import formatting
from novikoff.cli.text.option_names import SOFT_OPTIONS, error_in_options
from novikoff.cli.text.option_table import spelled, typed
from novikoff.data.format_numbers import at_most
from novikoff.errors import InputError
from novikoff.estimators import allowed_values as values
from novikoff.estimators.parameter_table import Option, Parameter
from novikoff.estimators.soft_margin_parameters import SOFT_MARGIN
from novikoff.softmargin import LOSS_NAMES, PERCEPTRON_LOSS

OPTIONS: dict[str, Option] = {n: info.option for n, info in SOFT_MARGIN.items() if isinstance(info.option, Option)}
UNUSED = "a soft margin does not use it"
LIMITED = f"{UNUSED}; --gap, --max-passes and --max-seconds end the fit"
ONE_THREAD = "one thread solves a soft margin; leave it out"
OF_A_PERCEPTRON = {  # option: why a soft margin does not use it, and what to do
    **dict.fromkeys(
        ("rule", "keep", "order", "eta", "ovo", "schedule", "known_margin", "tie", "w0"), f"{UNUSED}; leave it out"
    ),
    **dict.fromkeys(("max_updates", "stall_train", "stall_valid"), LIMITED),
    **dict.fromkeys(("engine", "workers", "scheduler", "mix", "partitions"), ONE_THREAD),
    **dict.fromkeys(("checkpoint", "resume"), "a soft margin has no checkpoints; leave it out"),
    "bias": "a soft margin always has a bias; --soft-bias says whether it is penalized",
    "pa_c": f"{UNUSED}; --C is the factor of its losses",
    "threshold": f"{UNUSED}; --soft hinge has the threshold 1, and another one only scales w and C",
    "valid_file": f"{UNUSED}; --C auto chooses C on held-out rows, and --test FILE tests the result",
    "from_model": "a soft margin cannot be continued; fit all rows together",
    "expect": "a soft margin may misclassify points; leave it out",
}
HEADS = {
    "gap": "SOLVED",
    "precision": "SOLVED to the precision of binary64",
    "interrupted": "INTERRUPTED",
    "stalled": "STOPPED: no further progress (try --scale, or a smaller --C)",
    "max_iter": "STOPPED: maximum passes (--max-passes)",
    "max_time": "STOPPED: time limit (--max-seconds)",
}
PRECISE = 1e-6  # a larger relative gap at the precision of binary64 is no solution


def number_or_auto(text: str) -> float | str:
    """Parse a number greater than 0, or `auto`."""
    if text == "auto":
        return text
    try:
        near = float(formatting.positive(text))
    except OverflowError:
        near = math.inf
    if not 0.0 < near < math.inf:
        raise click.BadParameter(f"{text} is beyond the range of binary64, 5e-324 to 1.8e308")
    return near


class _Words(click.Choice[str]):
    """A choice that says why the perceptron loss is none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "perceptron" and self.choices == LOSS_NAMES:
            self.fail(PERCEPTRON_LOSS.replace("novikoff.Perceptron", "fit without --soft"), param, ctx)
        return super().convert(value, param, ctx)


def _option(info: Parameter) -> Callable[[Any], Any]:
    """Return the option of a parameter, as a decorator."""
    words = info.allowed.words if isinstance(info.allowed, values.OneOf) else None
    return option_of(info, type=number_or_auto if words is None else _Words(words))


soft_options = options(*(_option(SOFT_MARGIN[name]) for name in OPTIONS))


def check_soft(ctx: click.Context, request: Mapping[str, Any]) -> None:
    """Raise UsageError for options that the chosen estimator does not use, before any row is read."""
    if request["soft"] is None:
        for name, option in OPTIONS.items():
            if name != "loss" and typed(ctx, option.key):
                raise click.UsageError(f"{option.flag}: only a soft margin uses it; add --soft hinge", ctx)
        return
    for name, why in OF_A_PERCEPTRON.items():
        if typed(ctx, name):
            raise click.UsageError(f"{spelled(ctx, name)}: {why}", ctx)
    if request["multi"] == "joint":
        raise click.UsageError("--multi joint: a soft margin has ova and ovo; choose one of them", ctx)
    try:
        soft_estimator(ctx, {**request, "class_weight": None}).check_parameters()
    except InputError as error:
        raise click.UsageError(error_in_options(error, SOFT_OPTIONS), ctx) from None


def soft_estimator(ctx: click.Context, request: Mapping[str, Any], classes: Iterable[Any] = ()) -> Any:
    """Return the estimator that the options choose. classes: those of the rows, which --class-weight may name."""
    from novikoff.estimators.soft_margin_estimator import SoftMargin

    limit = request["max_seconds"]
    return SoftMargin(
        **{name: request[option.key] for name, option in OPTIONS.items()},
        multi_class=request["multi"] if typed(ctx, "multi") else "auto",
        random_state=request["seed"],
        class_weight=by_class(request["class_weight"], classes),
        max_iter=request["max_passes"] if typed(ctx, "max_passes") else None,
        max_time=None if limit is None else formatting.binary64(limit, "--max-seconds"),
    )


def fit_soft(ctx: click.Context, parts: Parts, request: Mapping[str, Any]) -> tuple[Any, float]:
    """Return the fitted estimator and the seconds it took; a limit is part of the report instead of a warning."""
    from novikoff.estimators.soft_margin_estimator import GapNotReachedWarning

    clf = soft_estimator(ctx, request, parts.counts)
    try:
        return clf, timed_fit(clf, parts, GapNotReachedWarning)
    except InputError as error:
        raise InputError(error_in_options(error, SOFT_OPTIONS)) from error


def describe_soft(clf: Any, parts: Parts, seconds: float) -> dict[str, Any]:
    """Return the document that `--json` prints; gap and objective of each plane are lists for several planes.

    A gap that is not proved (the numbers are too large) is None.
    """
    import numpy as np

    many = len(clf.classes_) > 2
    errors = int((clf.predict(parts.X) != np.asarray(parts.y)).sum())
    gaps = [gap if math.isfinite(gap) else None for gap in np.atleast_1d(clf.gap_).tolist()]
    objectives = [P if math.isfinite(P) else None for P in np.atleast_1d(clf.objective_).tolist()]
    return (
        facts(clf, len(parts.y), errors, seconds)
        | of_parts(clf, parts)
        | {
            "soft": clf.loss,
            "penalty": clf.penalty,
            "soft_bias": clf.bias,
            "C": clf.C_,
            "path": clf.path_,
            "gap": gaps if many else gaps[0],
            "objective": objectives if many else objectives[0],
            "relative_gap": largest_share(gaps, objectives),
            "hard_margin": clf.hard_margin_,
            "solver": clf.solver_ if many else clf.solver_[0],
            "steps": int(clf.n_iter_),
        }
    )


def largest_share(gaps: Iterable[float | None], objectives: Iterable[float | None]) -> float | None:
    """Return the largest gap relative to its objective; None if one is not proved."""
    shares = []
    for gap, objective in zip(gaps, objectives, strict=True):
        if gap is None or objective is None:
            return None
        shares.append(gap / max(objective, 1e-300))
    return max(shares)


def soft_outcome(fit: Mapping[str, Any]) -> tuple[str, list[str]]:
    """Format how a fit ended: the errors and the gap in words; and the details."""
    name, reason = fit["soft"].replace("_", " "), fit["stop_reason"]
    planes = "" if fit["multi"] is None else " of every plane"
    head = HEADS[reason]
    if reason == "precision" and (fit["relative_gap"] is None or fit["relative_gap"] > PRECISE):
        head = "STOPPED: precision of binary64 (try --scale, or a smaller --C)"
    if fit["relative_gap"] is None:
        proved = "nothing is proved, because the numbers are too large"
    else:
        proved = f"the objective{planes} is at most {at_most(fit['relative_gap'])} of itself above its minimum, proved"
    auto = " (chosen on held-out points)" if fit["path"] else ""
    weights = f", {in_words(fit['class_weight'])}" if "class_weight" in fit else ""
    solved = f"{name} loss, {fit['penalty']} penalty, C = {fit['C']:g}{auto}{weights}, {fit['soft_bias']} bias"
    n, wrong = f"{fit['n']:,}", fit["train_errors"]
    errors = f"{wrong:,} of {n} training points wrong" if wrong else f"all {n} training points right"
    lines = [f"gap    {proved}", f"soft   {solved}"]
    if fit["hard_margin"]:
        lines.append("margin at least 0.999 of the maximum margin, proved")
    return f"{head}  {errors}", lines
