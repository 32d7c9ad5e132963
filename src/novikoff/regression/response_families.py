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

from typing import Any, NamedTuple

import numpy as np

from novikoff.data.format_numbers import count
from novikoff.data.labels import check_labels, classes_of, labels_of
from novikoff.data.plain_files import label_text
from novikoff.data.positive_class import positive_place
from novikoff.data.problem import Problem
from novikoff.errors import InputError

FAMILIES = ("binomial", "poisson")
RESPONSES = ("auto", "labels", "successes", "proportions")
SHOWN = 5  # classes in a message


class Sides(NamedTuple):
    """For each of the user's rows, whether x and whether −x is a row of Z; and notes."""

    plus: np.ndarray
    minus: np.ndarray
    notes: tuple[str, ...] = ()
    classes: tuple[Any, ...] = ()  # of labels: the class of −x, that of x (None: in no row); or the reference first
    codes: np.ndarray | None = None  # the place of each row's class, if there are three or more
    family: str = "labels"  # as a certificate names it

    @property
    def used(self) -> np.ndarray:
        """The numbers of the rows that take part."""
        return np.flatnonzero(self.plus | self.minus)


def sides_of(
    points: Problem, y: Any, family: str, counts: Any, response: str, positive: Any = None, reference: Any = None
) -> Sides:
    """Return the signs of the rows of points under the response y.

    positive: which of two classes is modelled. reference: the class that the others are compared with.
    """
    if family == "poisson" or response in ("successes", "proportions"):
        for name, chosen in (("positive", positive), ("reference", reference)):
            if chosen is not None:
                raise InputError("a class was given, which is for labels; omit it for counts and proportions", name)
    if family == "poisson":
        if counts is not None or response != "auto":
            raise InputError("counts, response: they are for family='binomial'; a Poisson response is its own count")
        numbers = _column(points, "y", y)
        _refuse(points, "y", numbers, numbers < 0, "a Poisson response is 0 or more")
        return Sides(numbers > 0, np.ones(points.n, bool), family="poisson")
    if counts is None and response in ("auto", "labels"):
        return _labels(points, y, positive, reference)
    if counts is None and response == "successes":
        raise InputError("response: 'successes' without counts; give the number of trials of each row as counts")
    trials = np.ones(points.n) if counts is None else _column(points, "counts", counts)
    _refuse(points, "counts", trials, trials < 0, "a number of trials is 0 or more")
    kind = _kind(y, trials) if response == "auto" else response
    if kind == "labels":
        sides = _labels(points, y, positive, reference)
    else:
        numbers, most = _column(points, "y", y), trials if kind == "successes" else 1.0
        if kind == "successes":
            _refuse(points, "y", numbers, numbers < 0, "a number of successes is 0 or more")
            _refuse(points, "y", numbers, numbers > trials, "there are no more successes than trials (counts)")
        else:
            _refuse(points, "y", numbers, (numbers < 0) | (numbers > 1), "a proportion is between 0 and 1")
        sides = Sides(numbers > 0, numbers < most, family=kind)
    none = int((trials <= 0).sum())
    if none == points.n:
        raise InputError("counts: no row has a trial; there is nothing to fit")
    said = f"{none:,} row{'s' if none > 1 else ''} without trials {'were' if none > 1 else 'was'} ignored"
    notes = (*sides.notes, said) if none else sides.notes
    return sides._replace(plus=sides.plus & (trials > 0), minus=sides.minus & (trials > 0), notes=notes)


def _labels(points: Problem, y: Any, positive: Any, reference: Any) -> Sides:
    labels = labels_of(y)
    _check_size(points, "y", labels.size)
    if (labels == labels[0]).all():
        check_labels(labels)
        label, positive_only = labels.tolist()[0], labels.dtype.kind not in "biuf" or bool(labels[0] > 0)
        said = f"y holds one class only, {label!r}: any model that always says so fits it, and nothing else can be "
        plus, classes = np.full(points.n, positive_only), (None, label) if positive_only else (label, None)
        return Sides(plus, ~plus, (f"{said}learned from these rows",), classes)
    if labels.dtype.kind == "f" and (labels != np.floor(labels)).any() and ((labels >= 0) & (labels <= 1)).all():
        raise InputError(
            "proportions between 0 and 1; give the number of trials of each row as counts, or say "
            "response='proportions'",
            "y",
        )
    found, codes = classes_of(labels)
    names = found.tolist()
    if len(names) > 2:
        return _many(names, codes, positive, reference)
    last = positive_place(names, positive) if reference is None else 1 - class_place(names, reference)
    if reference is not None and positive is not None and positive_place(names, positive) != last:
        raise InputError(f"{reference!r} is the positive class, too; give one of the two", "reference")
    signs = codes if last else -codes
    return Sides(signs > 0, signs < 0, (), (names[1 - last], names[last]))


def _many(classes: list[Any], codes: np.ndarray, positive: Any, reference: Any) -> Sides:
    """Return the classes of three or more, the reference first: by default the one that sorts first."""
    if positive is not None:
        raise InputError(
            f"is for two classes, and y has {len(classes)}; each is compared with the reference class, and reference= "
            "selects that",
            "positive",
        )
    first = 0 if reference is None else class_place(classes, reference)
    order = [first, *(k for k in range(len(classes)) if k != first)]
    there, numbers = np.ones(codes.size, bool), all(isinstance(c, int | float) and c >= 0 for c in classes)
    said = f"y has whole numbers, taken as {len(classes)} classes of a multinomial logit; if they are counts, say "
    notes = (f"{said}family='poisson'",) if numbers else ()
    return Sides(there, ~there, notes, tuple(classes[k] for k in order), np.argsort(order)[codes])


def class_place(classes: list[Any], wanted: Any) -> int:
    """Return the place of the reference class; raise InputError if there is no such class."""
    same = [k for k, c in enumerate(classes) if type(c) is type(wanted) and c == wanted]
    same = same or [k for k, c in enumerate(classes) if label_text(str(c)) == label_text(str(wanted))]
    if len(same) != 1:
        shown = ", ".join(repr(c) for c in classes[:SHOWN]) + (", …" if len(classes) > SHOWN else "")
        raise InputError(f"found {wanted!r}; expected one of the classes, {shown}", "reference")
    return same[0]


def _kind(y: Any, trials: np.ndarray) -> str:
    """Return what y contains, if counts are given."""
    labels = labels_of(y)
    if labels.dtype.kind not in "iuf":
        return "labels"
    if (labels != np.floor(labels)).any():
        return "proportions"
    if labels.max() > 1 or trials.max() <= 1:
        return "successes"
    raise InputError(
        f"only 0 and 1, with counts up to {trials.max():g}: labels of all trials, or numbers of successes? "
        "Set response='labels' or response='successes'",
        "y",
    )


def _column(points: Problem, name: str, values: Any) -> np.ndarray:
    """Return one finite number for each row."""
    try:
        column = np.asarray(values, np.float64)
    except (TypeError, ValueError):
        raise InputError(f"found {values!r:.60}; one number for each row was expected", name) from None
    if column.ndim != 1:
        raise InputError(f"found an array of shape {column.shape}; one number for each row was expected", name)
    _check_size(points, name, column.size)
    _refuse(points, name, column, ~np.isfinite(column), "drop the rows where it is missing, or fill it in")
    return column


def _check_size(points: Problem, name: str, size: int) -> None:
    if size != points.n:
        raise InputError(f"X and {name}: {count(points.n, 'row')} and {count(size, 'value')}; give one for each row")


def _refuse(points: Problem, name: str, column: np.ndarray, bad: np.ndarray, expected: str) -> None:
    """Raise InputError for the first bad number; it names the row."""
    if bad.any():
        at, many = int(np.argmax(bad)), int(bad.sum())
        more = f" (and in {many - 1:,} more)" if many > 1 else ""
        raise points.row_error(f"{name}: found {column[at]:g} in ", at, f"{more}; {expected}")
