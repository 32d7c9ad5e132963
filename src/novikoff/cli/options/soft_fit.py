"""`fit --soft`: fit a soft margin instead of a perceptron, and report the proved gap."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import click

from novikoff.cli.options.option_checks import spelled, typed
from novikoff.cli.options.row_options import options
from novikoff.cli.options.splits import Parts
from novikoff.cli.text import formatting
from novikoff.estimators.parameters import allowed_values as values
from novikoff.estimators.parameters.parameter_table import Option
from novikoff.estimators.parameters.soft_margin_parameters import SOFT_MARGIN

OPTIONS: dict[str, Option] = {n: info.option for n, info in SOFT_MARGIN.items() if isinstance(info.option, Option)}
OF_A_PERCEPTRON = ("rule", "keep", "order", "eta", "bias", "max_passes", "max_updates", "stall_train", "stall_valid",
                   "ovo", "pa_c", "threshold", "schedule", "known_margin", "tie", "w0", "valid_file", "checkpoint",
                   "resume", "engine", "workers")  # fmt: skip


def number_or_auto(text: str) -> float | str:
    """Parse a number greater than 0, or `auto`."""
    return text if text == "auto" else formatting.seconds(text)


def _option(name: str) -> Callable[[Any], Any]:
    """Return the option of a parameter, as a decorator."""
    info, option = SOFT_MARGIN[name], OPTIONS[name]
    default = info.default if option.default is ... else option.default
    how: dict[str, Any] = {"default": default, "show_default": default is not None, "metavar": option.metavar}
    if isinstance(info.allowed, values.OneOf):
        how["type"] = click.Choice(info.allowed.words)
    else:
        how |= {"type": number_or_auto, "default": default if isinstance(default, str) else f"{default:g}"}
    return click.option(option.flag, help=info.sentence, **how)


soft_options = options(*map(_option, OPTIONS))


def check_soft(ctx: click.Context, request: Mapping[str, Any]) -> None:
    """Raise UsageError for options that the chosen estimator does not use."""
    if request["soft"] is None:
        for name, option in OPTIONS.items():
            if name != "loss" and typed(ctx, option.key):
                raise click.UsageError(f"{option.flag}: only a soft margin uses it; add --soft hinge", ctx)
        return
    for name in OF_A_PERCEPTRON:
        if typed(ctx, name):
            raise click.UsageError(f"{spelled(ctx, name)}: a soft margin does not use it; leave it out", ctx)
    if request["multi"] == "joint":
        raise click.UsageError("--multi joint: a soft margin has ova and ovo; choose one of them", ctx)
    if request["expect"] is not None:
        raise click.UsageError("--expect: a soft margin may misclassify points; leave it out", ctx)


def fit_soft(parts: Parts, request: Mapping[str, Any]) -> tuple[Any, float]:
    """Return the fitted estimator and the seconds it took; a limit is part of the report instead of a warning."""
    from novikoff.data.row_numbers import naming_rows_of_file
    from novikoff.estimators.soft_margin_estimator import GapNotReachedWarning, SoftMargin

    chosen = {name: request[option.key] for name, option in OPTIONS.items()}
    limit = request["max_seconds"]
    clf = SoftMargin(
        **chosen, multi_class=request["multi"] if typed(click.get_current_context(), "multi") else "auto",
        random_state=request["seed"],
        max_time=None if limit is None else formatting.binary64(limit, "--max-seconds"),
    )  # fmt: skip
    begin = time.perf_counter()
    with warnings.catch_warnings(), naming_rows_of_file(parts.rows), formatting.about(parts.name):
        warnings.simplefilter("ignore", GapNotReachedWarning)
        clf.fit(parts.X, parts.y)
    return clf, time.perf_counter() - begin


def describe_soft(clf: Any, parts: Parts, seconds: float, tested: Callable[..., Any]) -> dict[str, Any]:
    """Return the document that `--json` prints; gap and objective of each plane are lists for several planes."""
    import numpy as np

    many = len(clf.classes_) > 2
    errors = int((clf.predict(parts.X) != np.asarray(parts.y)).sum())
    gaps, objectives = np.atleast_1d(clf.gap_), np.atleast_1d(clf.objective_)
    document: dict[str, Any] = {
        "schema": "novikoff/fit/1",
        "stop_reason": clf.stop_reason_,
        "separated": errors == 0,
        "train_errors": errors,
        "n": len(parts.y),
        "d": int(clf.n_features_in_),
        "bias": True,
        "classes": clf.classes_.tolist(),
        "multi": clf.multi_class_ if many else None,
        "ovo": "vote" if many and clf.multi_class_ == "ovo" else None,
        "soft": clf.loss,
        "penalty": clf.penalty,
        "soft_bias": clf.bias,
        "C": clf.C_,
        "path": clf.path_,
        "gap": gaps.tolist() if many else float(gaps[0]),
        "objective": objectives.tolist() if many else float(objectives[0]),
        "relative_gap": float((gaps / np.maximum(objectives, 1e-300)).max()),
        "hard_margin": clf.hard_margin_,
        "solver": clf.solver_ if many else clf.solver_[0],
        "steps": int(clf.n_iter_),
        "seed": request_seed(clf),
        "seconds": seconds,
        "label": parts.known.form.label,
        "model": None,
    } | parts.named
    if document["d"] <= 50:
        w, b = clf.coef_.tolist(), clf.intercept_.tolist()
        document |= {"w": w, "b": b} if many else {"w": w[0], "b": b[0]}
    if len(parts.y_test):
        document["test"] = tested(clf, parts.X_test, parts.y_test)
    return document


def request_seed(clf: Any) -> int:
    """Return the seed of the fit."""
    return int(clf.random_state or 0)


def soft_outcome(fit: Mapping[str, Any]) -> list[str]:
    """Format how a fit ended: the gap in words, and the errors."""
    name = fit["soft"].replace("_", " ")
    planes = "" if fit["multi"] is None else " of every plane"
    low = {"gap": "SOLVED", "precision": "SOLVED to the precision of binary64"}.get(fit["stop_reason"])
    proved = f"the objective{planes} is at most {fit['relative_gap']:.2g} of itself above its minimum, proved"
    head = f"{low}  {proved}" if low else f"STOPPED by {fit['stop_reason']}  {proved}"
    auto = " (chosen on held-out points)" if fit["path"] else ""
    lines = [f"{head}; {name} loss, {fit['penalty']} penalty, C = {fit['C']:g}{auto}, {fit['soft_bias']} bias."]
    if fit["train_errors"]:
        lines.append(f"train  {fit['train_errors']:,} of {formatting.count(fit['n'], 'point')} are misclassified")
    else:
        lines.append(f"train  every one of the {fit['n']:,} points is classified correctly")
    if fit["hard_margin"]:
        lines.append(
            "margin at least 0.999 of the maximum margin; no multiplier reaches C, so a larger C changes little"
        )
    return lines
