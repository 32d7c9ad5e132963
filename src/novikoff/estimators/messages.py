"""Warn when a run ends before every point is on its own side, and report its passes."""

from __future__ import annotations

import sys
import warnings
from types import FrameType
from typing import Any

from novikoff.data.format_numbers import at_least, at_most, bound_in_words, count
from novikoff.kernels.compile import compile_time
from novikoff.perceptron import SETTLED
from novikoff.perceptron.observer import Observer
from novikoff.perceptron.result import Result
from novikoff.perceptron.run import Run
from novikoff.perceptron.stops import REASONS

LONG, MANY = 10.0, 10 * SETTLED  # seconds and passes from which on a run without other output reports itself


class NotSeparated(UserWarning):
    """The run ended before every point was on its own side: which rule ended it, and what is left."""


def caller_level() -> int:
    """Return the `stacklevel` with which a warning of the calling function names the user's line.

    A parallel process or thread does not have that line: there it names the line of scikit-learn or joblib that fits.
    """
    frame, level, fits = sys._getframe(1), 1, 0
    while frame.f_back is not None and _package(frame) in ("novikoff", "sklearn", "joblib"):
        fits = fits or level * _fits_many(frame)
        frame, level = frame.f_back, level + 1
    return fits if fits and _package(frame) in ("multiprocessing", "threading", "concurrent") else level


_ONE_FIT = ("base", "callback", "compose", "pipeline", "utils")  # modules of scikit-learn that call fit once


def _package(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]


def _fits_many(frame: FrameType) -> bool:
    """Return whether a function of scikit-learn or joblib that fits several estimators is running."""
    package, _, rest = str(frame.f_globals.get("__name__", "")).partition(".")
    return package == "joblib" or (package == "sklearn" and rest.partition(".")[0] not in _ONE_FIT)


def warn_of(result: Result, n: int, classes: int, in_classes: bool, kind: type[Warning], plane: str) -> None:
    """Warn if a limit ended the run. in_classes: the rows are sorted by class. plane: of `plane_of`."""
    together = result.stop_reason == "separated" and bool(result.errors)  # planes that are right apart
    if (result.stop_reason in ("separated", "separable", "valid_stalled") or result.errors == 0) and not together:
        return
    where = "on the wrong side" if classes == 2 else "in a wrong class"
    left = (
        f"the weights kept (pocket) have {_errors(result.errors, n)} {where}"
        if result.errors is not None
        else f"the last pass made {count(result.last_pass_mistakes, 'mistake')}"
    )
    if result.run is not None and result.run.plan.keep == "auto" and result.stop_reason != "separated":
        left += (
            ", and the average of the weights is returned"
            if classes == 2
            else (", and the average is returned of each plane that does not separate its points")
        )
    if isinstance(result.errors, int) and result.errors == 1 and _no_plane_of(result):
        left += f", and no {plane} has fewer"
    said = f"{result.stop_reason}: {_why(result, plane)} ({_made(result)}); {left}."
    warnings.warn(f"{said}{_advice(result)}{_SORTED if in_classes else ''}", kind, stacklevel=caller_level())


def warn_of_margin(
    mistakes: int,
    bound: float | None,
    gamma: Any,
    kind: type[Warning],
    plane: str,
    result: Result | None = None,
    formula: str = "(R/γ)²",
) -> None:
    """Warn if no plane has this margin: more mistakes than the theorem allows, or no plane at all (R2)."""
    if bound is not None and result is not None and _no_plane_of(result):
        warnings.warn(
            f"known_margin: no {plane} separates the points, so none has a margin of {gamma!r}, and "
            f"{formula} = {bound_in_words(bound)} bounds nothing",
            kind,
            stacklevel=caller_level(),
        )
    elif bound is not None and mistakes > bound * (1.0 + 1e-9):
        warnings.warn(
            f"known_margin: {mistakes:,} mistakes, more than {formula} = {at_least(bound, ',.6g')}; so no {plane} has "
            f"a margin of {gamma!r} on these points",
            kind,
            stacklevel=caller_level(),
        )


def _no_plane_of(result: Result) -> bool:
    """Return whether it is proved that no plane separates the points."""
    return result.cycle_counts is not None or (result.verdict is not None and not result.verdict.separable)


def _why(result: Result, plane: str) -> str:
    reason, no_plane = result.stop_reason, ""
    if result.verdict is not None and not result.verdict.separable:
        rows = count(len(result.verdict.support), "row")
        no_plane = f"no {plane} separates the points: `verdict_` proves it with {rows}"
    elif result.cycle_counts is not None and reason != "cycle":
        no_plane = f"no {plane} separates the points: `cycle_counts_` proves it"
    if reason == "separated":
        return "each plane separates its training points, but the combined prediction still makes errors"
    if reason == "not_separable":
        return no_plane or (
            f"some planes of the run have points that no {plane} separates: `verdict_` proves it for "
            f"{sum(not one.separable for one in result.verdicts.values())} of {len(result.w)} planes"
        )
    return f"{REASONS[reason].format(plane=plane)}{f', and {no_plane}' if no_plane else ''}"


def _advice(result: Result) -> str:
    if result.verdict is not None and result.verdict.separable:
        return _SEPARABLE
    if result.stop_reason == "separated":
        return " With ovo='vote' the pairs vote, and no point is wrong where all of them separate."
    some = sum(bool(one.separable) for one in result.verdicts.values())
    if some and result.run.plan.keep != "auto":
        return (
            f" For {some} of {len(result.w)} planes it is proved that their points are separable: `verdict_` has a "
            "plane for each of them, and keep='auto' returns one."
        )
    known = bool(result.verdicts) or result.cycle_counts is not None
    return "" if known and result.stop_reason == "max_passes" else _ADVICE.get(result.stop_reason, "")


def _made(result: Result) -> str:
    drawn = "" if result.random_from is None else f", from pass {result.random_from:,} on with rows drawn at random"
    return f"{count(result.updates, 'update')} in {count(result.passes, 'pass')}{drawn}"


def _errors(errors: float, n: int) -> str:
    if isinstance(errors, int):
        return f"{errors:,} of {n:,} training points"
    return f"training points of weight {errors:,.6g}"


_SORTED = " The rows are sorted by class, which slows training down: try order='shuffle'."
_SEPARABLE = (
    " The points are separable, which is proved: `verdict_.w`, `verdict_.b` are a plane that has each of them on its "
    "own side. keep='auto' returns such a plane, `MaxMargin` the widest one."
)
_ADVICE = {
    "max_passes": " Raise max_iter to go on; no number of passes is enough if no plane separates the points.",
    "max_updates": " Raise max_updates to go on.",
    "max_seconds": " Raise max_time to go on.",
    "cycle": " `cycle_counts_` is the proof.",
    "train_stalled": " To go on: train_patience=None runs to max_iter, train_patience=K waits for K passes without "
    "better weights.",
}


class LongRun(Observer):
    """Prints a line on stderr about a run of many passes after 10, 20, 40, … seconds: a default run ends earlier."""

    def __init__(self) -> None:
        self.due = LONG

    def end_pass(self, run: Run) -> None:
        row = run.last_pass()
        if run.reason is None and run.passes >= MANY and row["seconds"] >= self.due:
            self.due = 2.0 * row["seconds"]
            most = run.plan.stops.max_passes
            print(
                f"novikoff: fit: pass {run.passes:,}{'' if most is None else f' of at most {most:,}'}, "
                f"{count(row['mistakes'], 'mistake')}, {row['seconds']:.0f} s; to end earlier, set max_iter or "
                "max_time, or press Ctrl-C, which keeps the weights so far",
                file=sys.stderr,
            )


class PassReport(Observer):
    """Prints a line after passes 1, 2, 4, 8, … and how long the compiler took."""

    def begin(self, run: Run) -> None:
        self.before, self.printed = compile_time.compiled, 0

    def end_pass(self, run: Run) -> None:
        row = run.last_pass()
        number = int(row["pass"])
        if number & (number - 1) == 0 and number > self.printed:  # a round of mixing that was cut short has no row
            self.printed = number
            kept = "" if row["pocket_errors"] is None else f"  errors of the pocket {row['pocket_errors']:,}"
            print(f"pass {number:>6,}  mistakes {row['mistakes']:>10,}{kept}  {row['seconds']:.2f} s", flush=True)

    def end(self, run: Run) -> None:
        if compile_time.compiled > self.before:
            print(f"compiling {compile_time.compiled - self.before:.2f} s, not counted towards max_time", flush=True)


def report_stream(row: dict[str, Any]) -> None:
    """Print a line when the rows of a stream pass a power of two."""
    bound = "" if row["mistake_bound"] is None else f" of at most {at_most(row['mistake_bound'], ',.0f')} = (R/γ)²"
    share = row["mistakes"] / max(1, row["looks"])
    print(f"looks {row['looks']:>10,}  mistakes {row['mistakes']:>10,}{bound}  ({share:.2%} of the looks)", flush=True)
