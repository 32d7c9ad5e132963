"""Convert a response to signs of rows: for each row x, whether x, −x or both are rows of Z.

    estimates are finite along w   unless   ⟨w, z⟩ ≥ 0 for all z in Z, and > 0 for one of them

    binomial, labels        z = x for the positive class (see `positive_class`), −x for the other
    multinomial             three or more classes: see `multinomial`
    binomial, counts        x where a success was counted, −x where a failure was
    poisson                 x and −x where y > 0, −x where y = 0

A row with both signs is held: ⟨w, x⟩ ≥ 0 and ⟨w, −x⟩ ≥ 0. A row with none (no trials) has no effect. (Binomial: Albert
and Anderson 1984; Poisson: Correia, Guimarães and Zylkin.)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from novikoff.data.format_numbers import count
from novikoff.data.labels import check_labels, classes_of, labels_of
from novikoff.data.plain_files import label_text
from novikoff.data.positive_class import positive_place
from novikoff.errors import InputError, counted

FAMILIES = ("binomial", "poisson")
RESPONSES = ("auto", "labels", "successes", "proportions")
SHOWN = 5  # classes in a message


class Sides(NamedTuple):
    """For each of the user's rows, whether x and whether −x is a row of Z; and notes."""

    plus: np.ndarray
    minus: np.ndarray
    notes: tuple[str, ...] = ()
    classes: tuple[Any, ...] | None = None  # of labels: the class of −x, that of x; of more, the reference first
    codes: np.ndarray | None = None  # the place of each row's class, if there are three or more
    kind: str = "labels"  # what the response contains, as `separation_check` names it
    only: tuple[Any, Any] | None = None  # of one class: as classes, with None for the class that does not occur

    @property
    def used(self) -> np.ndarray:
        """The numbers of the rows that take part."""
        return np.flatnonzero(self.plus | self.minus)


class Choice(NamedTuple):
    """Which class is modelled: the positive one of two, or the one that the others are compared with."""

    positive: Any = None
    reference: Any = None

    def __bool__(self) -> bool:
        return self.positive is not None or self.reference is not None


def sides_of(
    y: Any,
    n: int,
    family: str,
    counts: Any = None,
    response: str = "auto",
    chosen: Choice = Choice(),  # noqa: B008
) -> Sides:
    """Return the signs of the n rows under the response y."""
    if chosen and (family == "poisson" or response in ("successes", "proportions")):
        name = "positive" if chosen.positive is not None else "reference"
        raise InputError("a class was given, which is for labels; omit it for counts and proportions", name)
    if family == "poisson":
        return _poisson(y, n, counts, response)
    if counts is None and response in ("auto", "labels"):
        return _labels(y, n, chosen)
    trials = np.ones(n) if counts is None else _column("counts", counts, n)
    if counts is None and response == "successes":
        raise InputError("response: 'successes' without counts; give the number of trials of each row as counts")
    require("counts", trials, trials < 0, "a number of trials is 0 or more")
    kind = _kind(y, trials, response)
    if kind == "labels":
        return _left_out(_frequencies(y, n, trials, chosen))
    return _left_out({"successes": _successes, "proportions": _proportions}[kind](y, n, trials)._replace(kind=kind))


def _poisson(y: Any, n: int, counts: Any, response: str) -> Sides:
    if counts is not None or response != "auto":
        raise InputError("counts, response: they are for family='binomial'; a Poisson response is its own count")
    numbers = _column("y", y, n)
    require("y", numbers, numbers < 0, "a Poisson response is 0 or more")
    return Sides(numbers > 0, np.ones(n, bool), kind="poisson")


def _labels(y: Any, n: int, chosen: Choice) -> Sides:
    labels = labels_of(y)
    _check_size("y", labels.size, n)
    if not (labels == labels[0]).all():
        if labels.dtype.kind == "f" and (labels != np.floor(labels)).any() and ((labels >= 0) & (labels <= 1)).all():
            raise InputError(
                "y: proportions between 0 and 1; give the number of trials of each row as counts, or say "
                "response='proportions'"
            )
        classes, codes = classes_of(labels)
        if len(classes) > 2:
            return _many(classes.tolist(), codes, chosen)
        last = _positive(classes.tolist(), chosen)
        signs = codes if last else -codes
        return Sides(signs > 0, signs < 0, (), (classes.tolist()[1 - last], classes.tolist()[last]))
    check_labels(labels)
    last = labels.dtype.kind not in "biuf" or bool(labels[0] > 0)
    said = f"y holds one class only, {labels.tolist()[0]!r}: any model that always says so fits it, and nothing else"
    label = labels.tolist()[0]
    only = (None, label) if last else (label, None)
    return Sides(np.full(n, last), np.full(n, not last), (f"{said} can be learned from these rows",), only=only)


def _positive(classes: list[Any], chosen: Choice) -> int:
    """Return the place of the modelled one of two classes."""
    if chosen.reference is None:
        return positive_place(classes, chosen.positive)
    last = 1 - class_place(classes, chosen.reference)
    if chosen.positive is not None and positive_place(classes, chosen.positive) != last:
        raise InputError(f"{chosen.reference!r} is the positive class, too; give one of the two", "reference")
    return last


def _many(classes: list[Any], codes: np.ndarray, chosen: Choice) -> Sides:
    """Return the classes of three or more, the reference first: by default the one that sorts first."""
    if chosen.positive is not None:
        raise InputError(
            f"is for two classes, and y has {len(classes)}; each is compared with the reference class, and reference= "
            "selects that",
            "positive",
        )
    first = 0 if chosen.reference is None else class_place(classes, chosen.reference)
    order = [first, *(k for k in range(len(classes)) if k != first)]
    places = np.empty(len(classes), np.int64)
    places[order] = np.arange(len(classes))
    there = np.ones(codes.size, bool)
    numbers = all(isinstance(c, int | float) and c >= 0 for c in classes)
    said = f"y has whole numbers, taken as {len(classes)} classes of a multinomial logit; if they are counts, say "
    notes = (f"{said}family='poisson'",) if numbers else ()
    return Sides(there, ~there, notes, tuple(classes[k] for k in order), places[codes])


def class_place(classes: list[Any], wanted: Any) -> int:
    """Return the place of the reference class; raise InputError if there is no such class."""
    same = [k for k, c in enumerate(classes) if type(c) is type(wanted) and c == wanted]
    same = same or [k for k, c in enumerate(classes) if label_text(str(c)) == label_text(str(wanted))]
    if len(same) != 1:
        shown = ", ".join(repr(c) for c in classes[:SHOWN]) + (", …" if len(classes) > SHOWN else "")
        raise InputError(f"found {wanted!r}; expected one of the classes, {shown}", "reference")
    return same[0]


def _kind(y: Any, trials: np.ndarray, response: str) -> str:
    """Return what y contains, if counts are given."""
    if response != "auto":
        return response
    labels = labels_of(y)
    if labels.dtype.kind not in "iuf":
        return "labels"
    if (labels != np.floor(labels)).any():
        return "proportions"
    if labels.max() > 1 or trials.max() <= 1:
        return "successes"
    raise InputError(
        f"y: only 0 and 1, with counts up to {trials.max():g}: labels of all trials, or numbers of successes? "
        "Set response='labels' or response='successes'"
    )


def _frequencies(y: Any, n: int, trials: np.ndarray, chosen: Choice) -> Sides:
    """Return the signs of labels that each stand for a number of rows."""
    sides = _labels(y, n, chosen)
    return sides._replace(plus=sides.plus & (trials > 0), minus=sides.minus & (trials > 0), kind="frequencies")


def _successes(y: Any, n: int, trials: np.ndarray) -> Sides:
    successes = _column("y", y, n)
    require("y", successes, successes < 0, "a number of successes is 0 or more")
    require("y", successes, successes > trials, "there are no more successes than trials (counts)")
    return Sides(successes > 0, successes < trials)


def _proportions(y: Any, n: int, trials: np.ndarray) -> Sides:
    part = _column("y", y, n)
    require("y", part, (part < 0) | (part > 1), "a proportion is between 0 and 1")
    return Sides((part > 0) & (trials > 0), (part < 1) & (trials > 0))


def _left_out(sides: Sides) -> Sides:
    none = int((~(sides.plus | sides.minus)).sum())
    if none == sides.plus.size:
        raise InputError("counts: no row has a trial; there is nothing to fit")
    said = f"{none:,} row{'s' if none > 1 else ''} without trials {'were' if none > 1 else 'was'} ignored"
    return sides._replace(notes=(*sides.notes, said)) if none else sides


def _column(name: str, values: Any, n: int) -> np.ndarray:
    """Return one finite number for each row."""
    try:
        column = np.asarray(values, np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name}: found {values!r:.60}; one number for each row was expected") from None
    if column.ndim != 1:
        raise InputError(f"{name}: found an array of shape {column.shape}; one number for each row was expected")
    _check_size(name, column.size, n)
    require(name, column, ~np.isfinite(column), "drop the rows where it is missing, or fill it in")
    return column


def _check_size(name: str, size: int, n: int) -> None:
    if size != n:
        raise InputError(f"X and {name}: {count(n, 'row')} and {count(size, 'value')}; give one for each row")


def require(name: str, column: np.ndarray, bad: np.ndarray, expected: str) -> None:
    """Raise InputError for the first bad number; it names the row."""
    if bad.any():
        at = int(np.argmax(bad))
        many = int(bad.sum())
        more = f" (and in {many - 1:,} more)" if many > 1 else ""
        raise RowError(f"{name}: found {column[at]:g}", at, f"{more}; {expected}")


class RowError(InputError):
    """A fault in one row of a response; `called` names the row as the user does."""

    def __init__(self, before: str, row: int, after: str) -> None:
        super().__init__(f"{before} in {counted(row)}{after}")
        self.parts = before, row, after

    def called(self, place: Callable[[int], int | str]) -> InputError:
        """Return the same error with the user's name of the row."""
        before, row, after = self.parts
        return InputError(f"{before} in row {place(row)}{after}")
