"""Parse option values and format results for the command line.

Numbers are read exactly as typed (1/2, 0.5, −3, 2e-3). Points are numbered from 1 in all output.

From the notes: Z12 (Zhang, "Proof: No Separating Hyperplane").
"""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import click

from novikoff.cli.text.label_names import label_words
from novikoff.data import EXAMPLES
from novikoff.data.format_numbers import bound_in_words, by_what, count as count, short, sum_of, vector
from novikoff.data.plain_files import plane_of
from novikoff.errors import InputError, MeasuredLabelsError, NumberedRowError
from novikoff.perceptron import SETTLED

RETURNED = {
    "last": "the last weights",
    "pocket": "the pocket weights",
    "average": "the averaged weights",
    "vote": "the vote of all weights",
    "auto": "the averaged weights",
}
STOPS = {
    "max_passes": "maximum passes",
    "max_updates": "maximum updates",
    "max_seconds": "time limit",
    "train_stalled": "no progress on the training points",
    "valid_stalled": "no progress on the validation points",
    "not_separable": "no {plane} separates the points of the planes that still make mistakes, which is proved",
    "separable": "the decision proved the points separable before the run had separated them",
    "cycle": "the weights returned to an earlier value",
    "rounding": "rounding repeats the weights",
}
PROOF_TERMS = 12  # a longer sum is cut; --json has all of it
PROOF_DIGITS = 6  # a sum of longer weights is not written out; --json has them
PLANE_TERMS = 10
FEW_FEATURES = 50  # up to here the numbers of a plane, or of a point, are in a document
FEW_POINTS = 20  # too few to hold some out
MOST_NAMED = 3  # planes of many classes in a line
PAIRS_BY = {"vote": " by votes", "sum": " by summed scores", None: ""}  # how one-vs-one decides
_NUMBER = re.compile(r"[+-]?([0-9]+(/[0-9]+)?|([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?)")


# ---- reading -------------------------------------------------------------------------------------------------------


def exact(text: str) -> Fraction:
    """Parse a number exactly as typed."""
    plain = text.strip().replace("−", "-")
    if not _NUMBER.fullmatch(plain):
        raise click.BadParameter(f"{text!r} is not a number (write 2, -0.5, 1/3 or 2e-3)")
    try:
        return Fraction(plain)
    except (ZeroDivisionError, ValueError):  # 1/0, or thousands of digits
        raise click.BadParameter(f"{text[:40]!r} cannot be used as a number") from None


def positive(text: str) -> Fraction:
    """Parse a number greater than 0."""
    if (number := exact(text)) <= 0:
        raise click.BadParameter(f"{text} is not greater than 0")
    return number


def seconds(text: str) -> float:
    """Parse a number greater than 0 as a double."""
    try:
        near = float(positive(text))
    except OverflowError:
        near = 0.0
    if not near:
        raise click.BadParameter(f"{text} seconds are too many or too few")
    return near


def part(text: str) -> Fraction:
    """Parse a number between 0 and 1."""
    if (number := positive(text)) >= 1:
        raise click.BadParameter(f"{text} is not less than 1")
    return number


def numbers(text: str) -> tuple[Fraction, ...]:
    """Parse numbers separated by commas."""
    return tuple(exact(number) for number in text.split(","))


def binary64(x: Fraction, option: str) -> float:
    """Return the nearest binary64 number; reject infinity, and 0 for a nonzero number."""
    try:
        near = float(x)
    except OverflowError:
        near = math.inf
    if math.isinf(near) or (x and not near):
        raise InputError(f"{option}: the number is too {'large' if near else 'small'} for binary64 arithmetic")
    return near


def patience(text: str) -> int | str | None:
    """Parse the number of passes without progress before stopping: an integer, `auto`, or `off` (None)."""
    if text in ("auto", "off"):
        return "auto" if text == "auto" else None
    if not (text.isascii() and text.isdigit() and int(text)):
        raise click.BadParameter(f"{text!r} is neither auto, off nor an integer of at least 1")
    return int(text)


def examples(ctx: click.Context, param: click.Parameter, begun: str) -> list[str]:
    """Return the names for TAB completion."""
    return [name for name in EXAMPLES if name.startswith(begun)]


def of_labels(error: InputError, name: str, label: str | int | None = None) -> InputError:
    """Name the data in an estimator's error about y or X, and the label's column."""
    if isinstance(error, MeasuredLabelsError):
        return InputError(f"{label_words(label) or 'the label'} {error.found}; --label names another column", file=name)
    return InputError(error.message, file=name) if error.argument in ("X", "y") else error


@contextlib.contextmanager
def about(name: str, rows: Sequence[int] | None = None, label: str | int | None = None) -> Iterator[None]:
    """Name the file in an estimator's error about X or y. rows: the numbers of its rows there; label: its column."""
    try:
        yield
    except InputError as error:
        if error.file is not None:
            raise
        if isinstance(error, NumberedRowError):
            raise error.at(name, error.row if rows is None else int(rows[error.row])) from error
        raise of_labels(error, name, label) from error


# ---- saying --------------------------------------------------------------------------------------------------------


def outcome(fit: Mapping[str, Any]) -> str:
    """Format the verdict and the training errors, from the `--json` document.

    SEPARATED is about the returned weights, NOT SEPARABLE and SEPARABLE are about the points.
    """
    if fit.get("order") == "stream" or fit["stop_reason"] == "stream_ended":
        return stream_outcome(fit)
    n, errors, reason = f"{fit['n']:,}", fit["train_errors"], fit["stop_reason"]
    if not errors:
        planes = "by a plane that was" if fit["multi"] is None else "some planes"
        how = f", {planes} computed, not learned" if reason == "separable" else ""
        return f"SEPARATED  all {n} {learned(fit)} right (checked exactly){how}"
    one = errors == 1 and fit["separable"] is False and fit["keep"] != "vote"
    few = f", and {'no plane' if fit['bias'] else 'none'} has fewer" if one else ""
    ties = f", of which {count(fit['ties'], 'tie')}" if fit["ties"] and not one else ""
    return f"{_head(fit)}  {errors:,} of {n} {learned(fit)} wrong{ties}{few}"


def _head(fit: Mapping[str, Any]) -> str:
    """Return the first words about a model that makes errors."""
    reason = fit["stop_reason"]
    if reason == "separated":
        return "RUN SEPARATED"
    if fit["separable"] is False or _undivided(fit):
        return f"NOT SEPARABLE{by_what(fit['bias'])} (proved)"
    if reason == "interrupted":
        return "INTERRUPTED"
    known = fit["separable"] or reason == "separable"
    return "SEPARABLE (proved)" if known else f"STOPPED: {_stopped(fit)}"


def _undivided(fit: Mapping[str, Any]) -> list[Any]:
    """Return the planes of many classes whose points are proved not separable: classes, or pairs of them."""
    return [one["plane"] for one in fit.get("planes_decided") or () if not one["separable"]]


def next_step(fit: Mapping[str, Any]) -> str | None:
    """Format what to do next."""
    if fit.get("order") == "stream" or fit["stop_reason"] in ("stream_ended", "interrupted"):
        return None
    test = [] if "test" in fit or fit["n"] < FEW_POINTS else ["--holdout 0.25 keeps a test set"]
    widest = ["novikoff margin finds the widest plane"] if fit.get("separable") else []
    if "soft" in fit:
        steps = [*test, *([] if fit["path"] else ["--C auto chooses C on held-out points"])]
    elif not fit["train_errors"]:
        steps = [*test, *widest]
    elif options := _separating(fit):
        steps = [f"{options} returns weights that separate the points", *test]
    elif fit["separable"]:
        steps = [*widest, *test]
    elif fit["separable"] is False or _undivided(fit):
        steps = ["--soft hinge --C auto allows errors", *test, "novikoff certify prints the proof"]
    else:
        steps = ["novikoff certify decides whether planes separate the points", *test]
    return f"next   {'; '.join(steps)}" if steps else None


def _separating(fit: Mapping[str, Any]) -> str:
    """Return the options with which the same run returns weights that separate the points; none if that is not sure."""
    by_run = fit["stop_reason"] == "separated" and fit["random_from"] is None
    decided = fit["stop_reason"] == "separable" or (fit["separable"] and fit["passes"] > SETTLED)
    if fit["validated"] or not (by_run or decided):
        return ""
    keep = [] if fit["keep"] == "auto" else ["--keep auto"]
    return " ".join([*keep, *(["--ovo vote"] if fit["ovo"] == "sum" else [])])


def run_line(fit: Mapping[str, Any]) -> str:
    """Format the work of a run, why it ended, and which weights it returned."""
    since = fit["random_from"]
    drawn = "" if since is None else f", from pass {since:,} on with rows drawn at random"
    work = f"{count(fit['updates'], 'update')} in {count(fit['passes'], 'pass')}{drawn}"
    return f"run    {'; '.join([work, *_why(fit), f'returned: {_kept(fit)}'])}"


def _why(fit: Mapping[str, Any]) -> list[str]:
    """Format what is known of the points, and what ended the run."""
    reason, proved, plane = fit["stop_reason"], list[str](), plane_of(fit["bias"])
    if fit["separable"] is False and reason != "cycle":
        proved = [f"no {plane} separates the points, proved by {count(len(fit['proof']['support']), 'row')}"]
    elif (some := _undivided(fit)) and fit["multi"] == "ovo":
        proved = [f"no {plane} separates {_named([' and '.join(map(str, pair)) for pair in some])} (proved)"]
    elif some:
        proved = [f"no {plane} separates {_named(some)} from the others (proved)"]
    elif fit["separable"] and fit["train_errors"]:
        proved = [f"a {plane} separates the points, proved by the decision during the run"]
    ended = [_stopped(fit)] if reason in STOPS and not (reason == "not_separable" and proved) else []
    return [*proved, *(["interrupted"] if reason == "interrupted" else ended)]


def _named(names: Sequence[Any]) -> str:
    """List the first names.

    Examples
    --------
    >>> _named(["a and b"]), _named([1, 2, 3, 4, 5])
    ('a and b', '1, 2, 3 and 2 more')
    """
    more = len(names) - MOST_NAMED
    return ", ".join(map(str, names[:MOST_NAMED])) + (f" and {more:,} more" if more > 0 else "")


def _stopped(fit: Mapping[str, Any]) -> str:
    """Format the rule that ended a run."""
    return str(STOPS.get(fit["stop_reason"], fit["stop_reason"])).format(plane=plane_of(fit["bias"]))


def bound(fit: Mapping[str, Any]) -> str:
    """Format the updates and the bound that a known margin implies."""
    batch = fit["order"] == "batch"
    factor = "n·" if batch else "P·" if "mix" in fit else ""
    made, formula = fit["mistakes"] if batch else fit["updates"], f"{factor}(R/γ)²"
    updates = count(made, "mistake" if batch else "update")
    if fit["separable"] is False:
        return (
            f"{updates}; none for this margin: no {plane_of(fit['bias'])} separates the points, so none has any margin"
        )
    info = f"{updates}; at most {formula} = {bound_in_words(fit['mistake_bound'])} for this margin"
    too_many = made > fit["mistake_bound"] * (1.0 + 1e-9)
    return f"{info}: so no {plane_of(fit['bias'])} has this margin on these points" if too_many else info


def partitions(rows: Sequence[int]) -> str:
    """Format the partitions of a run with mixing; rows: of each.

    Examples
    --------
    >>> partitions([3, 3, 4]), partitions([5])
    ('3 partitions of 3 to 4 rows', '1 partition of 5 rows')
    """
    fewest, most = min(rows), max(rows)
    return f"{count(len(rows), 'partition')} of {f'{fewest:,} to ' if fewest < most else ''}{count(most, 'row')}"


def stream_outcome(fit: Mapping[str, Any]) -> str:
    """Format the result of one pass over a stream."""
    share = fit["mistakes"] / max(1, fit["looks"])
    info = f"{count(fit['mistakes'], 'mistake')} on {count(fit['looks'], 'row')} ({share:.2%})"
    most = fit["mistake_bound"]
    bound = "" if most is None else f", at most (R/γ)² = {bound_in_words(most)} for this margin"
    end = "INTERRUPTED" if fit["stop_reason"] == "interrupted" else "STREAM ENDED"
    return f"{end}  each row was predicted and then learned, once: {info}{bound}."


def learned(fit: Mapping[str, Any]) -> str:
    """Format which points are counted: training points, and points held out for validation."""
    aside = fit.get("set_aside", 0)
    return f"points ({aside:,} set aside)" if aside else "training points"


def _kept(fit: Mapping[str, Any]) -> str:
    if fit["validated"]:
        return "the weights best on the validation points"
    if fit["keep"] == "auto" and fit["stop_reason"] == "separated":
        return RETURNED["last"]
    if fit["keep"] == "auto" and fit["multi"] is not None:
        computed = ", learned or computed" if fit["stop_reason"] in ("separable", "not_separable") else ""
        return f"of each plane weights that separate its points{computed}, else the average"
    if fit["stop_reason"] == "separable":
        return "the computed plane"
    return RETURNED[fit["keep"]]


def proof(
    rows: Sequence[int],
    counts: Sequence[int] | None,
    signs: Sequence[int],
    points: Sequence[Sequence[float]],
    bias: bool = True,
) -> str:
    """Format why points that sum to zero prove that no plane separates them; counts: None if they are not computed.

    Σ kᵢ·yᵢ·xᵢ = 0, but a plane with every yᵢ·⟨w, xᵢ⟩ > 0 would make the score of that sum greater than 0.
    """
    if counts is None:
        return (
            f"proof  bounds of every rounding error prove that {len(rows):,} points, each with its sign, add up to "
            "zero with positive weights\n       (--json has the points; novikoff certify computes the weights): a "
            f"{plane_of(bias)} with every point on its own side\n       would make the score of that sum positive: "
            "there is none"
        )
    more, long = len(rows) - PROOF_TERMS, max(counts) >= 10**PROOF_DIGITS
    terms = [f"p{row + 1}" if long else f"{k:,}·p{row + 1}" for row, k in zip(rows, counts, strict=True)][:PROOF_TERMS]
    if long:
        named = f"multiples of {', '.join(terms)}{f', … ({more:,} more)' if more > 0 else ''} (--json has them)"
    else:
        named = " + ".join(terms) + (f" + … ({more:,} more: --json has them all)" if more > 0 else "")
    lines = [f"proof  {named}, each point with its sign, add up to zero:"]
    if more <= 0 and not long and len(points[0]) <= PLANE_TERMS:
        vectors = [vector(Fraction(v) for v in x) for x in points]
        total = sum_of([Fraction(k * sign) for k, sign in zip(counts, signs, strict=True)], vectors, short)
        lines.append(f"       {total} = {vector([Fraction(0)] * len(points[0]))}")
    lines.append(
        f"       a {plane_of(bias)} with every point on its own side would make the score of that sum positive: there "
        "is none"
    )
    return "\n".join(lines)
