"""The statistician's question: do the estimates exist, and if not, which rows and which coefficients are to blame?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from novikoff.certify.clock import Clock, TimeIsUpError
from novikoff.certify.coefficients import ALIASED, FINITE, UNDECIDED, Fates
from novikoff.certify.collinear import collinear
from novikoff.certify.design import Design, by_formula, design_of
from novikoff.certify.estimates import Separation
from novikoff.certify.facial import COMPLETE, QUASI, Faces
from novikoff.certify.families import FAMILIES, RESPONSES, RowError, Sides, sides_of
from novikoff.certify.held import MOST, Held, reduced
from novikoff.certify.quotient import Quotient
from novikoff.certify.rowspace import independent_columns, spanning
from novikoff.certify.signed import Signed
from novikoff.certify.whole import primitive
from novikoff.errors import InputError
from novikoff.perceptron import choices
from novikoff.points.labelled import Labelled, unpacked_in_memory
from novikoff.points.numbering import origin_of, place_of, row_names_of
from novikoff.points.rows import rows_of
from novikoff.unknown import known_arguments

COLUMNS = 6  # named in a note


@known_arguments
def separation(
    X: Any,
    y: Any = None,
    names: Sequence[str] | None = None,
    family: str = "binomial",
    counts: Any = None,
    fit_intercept: bool = True,
    response: str = "auto",
    max_time: float | None = None,
    positive: Any = None,
) -> Separation:
    """Whether the maximum-likelihood estimates of a regression exist; if not: which rows, which coefficients.

    Every row z = ±x of the model (see `families`) is separated, ⟨w, z⟩ > 0 for some w with ⟨w, z⟩ ≥ 0 everywhere, or
    held by rows that add up to zero. +inf: the estimate of that coefficient, of the logit of the positive class or of
    the log of the mean, grows beyond all bounds.

    From the notes: T1 Z7 (a strict plane, or none), C4 (a criterion for "not separable"), T7a (the positive class).

    Parameters
    ----------
    X, y : a table (n, d) in any storage and the response; or points of `read`, alone; or a formula,
        "y ~ x1 + C(g)", and a data frame (needs formulaic: pip install 'novikoff[formula]')
    names : of the columns; by default those of a data frame or design matrix, else x1, x2, …
    family : "binomial" (logit, probit, cloglog: any link that goes from 0 to 1) or "poisson" (log link)
    counts : binomial: how many trials each row stands for; with a formula also the name of a column
    fit_intercept : whether there is an intercept, "(Intercept)"; a column that is constant is the intercept. A formula
        says this itself
    response : what y is when counts are given: "labels", "successes" or "proportions"; "auto" finds out
    max_time : seconds after which it stops; what is known by then is told, the rest is "undecided"
    positive : the class whose logit is meant, as of `decide`: of `+` and `-`, yes and no, true and false, spam and ham
        the first, of any other two labels the one that sorts last

    Rows are numbered as in the file or frame, from 0; `row_names` has the names of a frame's index.

    Examples
    --------
    >>> import novikoff as nv
    >>> r = nv.separation([[-2], [0], [0], [2]], [0, 0, 1, 1], names=["dose"])
    >>> r.kind, r.rows.tolist(), r.coefficients
    ('quasi-complete', [0, 3], {'(Intercept)': 'finite', 'dose': '+inf'})
    """
    choices.one_of("family", family, FAMILIES)
    choices.one_of("response", response, RESPONSES)
    choices.truth("fit_intercept", fit_intercept)
    if max_time is not None:
        choices.positive("max_time", max_time)
    between = Clock(max_time)
    if isinstance(X, str):
        counts = _named(counts, y)
        X, y = by_formula(X, y)
        fit_intercept = False
    if names is None and isinstance(X, Labelled):
        names = getattr(X, "names", None)
    X = getattr(X, "__wrapped__", X)
    origin, named = origin_of(X), row_names_of(X)
    X, y = unpacked_in_memory(X, y, "separation")
    n = _rows(X)
    try:
        sides = sides_of(y, n, family, counts, response, positive)
    except RowError as error:
        raise error.called(place_of(origin, named)) from None
    used = np.flatnonzero(sides.plus | sides.minus)
    design = design_of(X, names, bool(fit_intercept), None if used.size == n else used)
    _demand_room(used.size, len(design.names))
    answer = replace(_Question(design, sides, used, between).answer(n, family), named=named, classes=sides.classes)
    return answer if origin is None else answer.renumbered(origin)


def _demand_room(n: int, D: int) -> None:
    """InputError where the rows that are looked at as whole numbers would not fit."""
    if min(n, 8 * D) * D > MOST:
        raise InputError(
            f"X: {n:,} rows and {D:,} columns are too many to be taken as whole numbers; give fewer columns, or ask "
            "novikoff.decide whether the rows are separable"
        )


def _named(counts: Any, frame: Any) -> Any:
    """The counts themselves, where a formula's user gave the name of their column."""
    if not isinstance(counts, str):
        return counts
    try:
        return frame[counts]
    except KeyError:
        raise InputError(f"counts: {counts!r} is no column of the data frame") from None


def _rows(X: Any) -> int:
    rows = rows_of(X)
    return int((X if isinstance(rows, tuple) else rows).shape[0])


@dataclass
class _Question:
    """The steps: columns that are aliased, rows with both signs, facial reduction of the rest, the coefficients."""

    design: Design
    sides: Sides
    used: np.ndarray
    between: Clock
    told: dict[str, Any] = field(default_factory=dict)

    def answer(self, n: int, family: str) -> Separation:
        names = self.design.names
        nothing = np.zeros(0, np.int64)
        self.told = {"kind": UNDECIDED, "rank": None, "coefficients": dict.fromkeys(names, UNDECIDED), "aliases": {}}
        self.told |= {"rows": nothing}
        self.table = Signed(self.design.problem)
        self.table.judge.survey()
        try:
            self._find()
        except TimeIsUpError:
            self.told["notes"] = (*self.told.get("notes", ()), "stopped by max_time")
        notes = (*self.sides.notes, *self.design.notes, *self.told.pop("notes", ()))
        return Separation(family=family, n=n, names=names, notes=notes, **self.told)

    def _find(self) -> None:
        """Fill in what is told, step by step: what is there when time is up holds."""
        columns, aliased = independent_columns(self.table, self.design.order, self.between)
        self._tell_aliased(columns, aliased)
        self._tell_collinear(columns)
        plus, minus = self.sides.plus[self.used], self.sides.minus[self.used]
        both, single = np.flatnonzero(plus & minus), np.flatnonzero(plus ^ minus)
        held = Held(len(columns))
        if both.size:
            pairs = Quotient(self.table, both, np.ones(both.size, np.int64), columns, None, self.between)
            held.join_pairs(pairs, spanning(pairs, self.between))
        signed = Quotient(self.table, single, np.where(plus[single], 1, -1), columns, None, self.between)
        rest, faces = reduced(held, signed, self.between)
        whole = single.size and faces.separated.size == self.used.size
        self.told["kind"] = QUASI if faces.kind == COMPLETE and not whole else faces.kind
        self.told["rows"] = self.used[single[faces.separated]]
        self._tell_held(held)
        self._tell_fates(columns, signed, rest, faces, held)

    def _tell_aliased(self, columns: list[int], aliased: dict[int, list[int]]) -> None:
        name = dict(zip(self.design.places, self.design.names, strict=True))
        self.told["rank"] = len(columns)
        self.told["aliases"] = {name[j]: tuple(name[k] for k in on) for j, on in aliased.items()}
        self.told["coefficients"] |= {name[j]: ALIASED for j in aliased}

    def _tell_collinear(self, columns: list[int]) -> None:
        """A note where the last digits of the numbers decide."""
        found = collinear(self.table, columns, self.between)
        if found is not None:
            condition, together = found
            name = dict(zip(self.design.places, self.design.names, strict=True))
            few = [name[j] for j in sorted(together)]
            listed = ", ".join(few[:COLUMNS]) + (", …" if len(few) > COLUMNS else "")
            said = f"columns {listed} are collinear up to rounding (condition number about {condition:.0e})"
            self.told["notes"] = (f"{said}: the last digits may decide this answer; leave one of them out",)

    def _tell_fates(self, columns: list[int], signed: Quotient, rest: Quotient, faces: Faces, held: Held) -> None:
        name = dict(zip(self.design.places, self.design.names, strict=True))
        if faces.w is None:
            self.told["coefficients"] |= {name[j]: FINITE for j in columns}
            return
        w = rest.plane(faces.w)
        self.told["direction"] = tuple(primitive([w[j] for j in self.design.places]))
        separated = signed.rows(faces.separated)
        if held.basis:
            separated = separated.within(held.space())
        fates = Fates(separated, [w[j] for j in columns], self.between)
        try:
            fates.settle()
        finally:
            self.told["coefficients"] |= {name[j]: told for j, told in zip(columns, fates.told, strict=True)}

    def _tell_held(self, held: Held) -> None:
        relation = sorted(held.relation.items())
        self.told["held"] = tuple(int(self.used[i]) for (i, _), _ in relation)
        self.told["held_signs"] = tuple(sign for (_, sign), _ in relation)
        self.told["held_weights"] = tuple(m for _, m in relation)
