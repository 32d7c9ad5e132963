"""The statistician's question: do the estimates exist, and if not, which rows and which coefficients are to blame?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from novikoff.certify.clock import Clock, TimeIsUpError
from novikoff.certify.coefficients import ALIASED, FINITE, UNDECIDED, Fates
from novikoff.certify.design import Design, by_formula, design_of
from novikoff.certify.engine import strict_by_floats
from novikoff.certify.exact import Circuit, Separator
from novikoff.certify.facial import COMPLETE, OVERLAP, QUASI, Faces, staged
from novikoff.certify.families import FAMILIES, RESPONSES, Sides, sides_of
from novikoff.certify.held import Held, hold
from novikoff.certify.quotient import Quotient
from novikoff.certify.rowspace import independent_columns, spanning
from novikoff.certify.signed import Signed
from novikoff.certify.whole import primitive
from novikoff.errors import InputError, UndecidedError
from novikoff.perceptron import choices
from novikoff.points.rows import rows_of

NOTHING = Faces(OVERLAP, None, np.zeros(0, np.int64), [], [])
MOST = 50_000_000  # numbers that are taken as whole numbers
SHOWN = 10  # rows named one by one


@dataclass(frozen=True, eq=False)
class Separation:
    """Whether the maximum-likelihood estimates exist, row by row and coefficient by coefficient; exact.

    kind: complete, quasi-complete (both: some estimates are infinite), overlap (all are finite) or undecided.
    rows: numbers (from 0) of the separated rows: their fitted probability goes to 0 or 1, their fitted mean to 0.
    coefficients: name → finite, +inf, -inf, infinite (not finite; the sign depends on the path), aliased, undecided.
    direction: whole numbers w, one for each name: ⟨w, z⟩ > 0 on the separated rows and 0 on all others.
    held, held_signs, held_weights: rows z = ±x that add up to zero with these positive whole weights, and span all
    rows that are not separated: no direction can separate any of those.
    """

    kind: str
    family: str
    n: int
    rank: int | None
    names: tuple[str, ...]
    coefficients: dict[str, str]
    aliases: dict[str, tuple[str, ...]]  # aliased column → the kept columns that it is a combination of
    rows: np.ndarray
    direction: tuple[int, ...] | None = None
    held: tuple[int, ...] = ()
    held_signs: tuple[int, ...] = ()
    held_weights: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def separated(self) -> bool:
        """Whether some estimate is infinite; UndecidedError if time was up before that was known."""
        if self.kind == UNDECIDED:
            raise UndecidedError("separation: stopped by max_time; nothing is claimed. Give more time with max_time")
        return self.kind != OVERLAP

    def __bool__(self) -> bool:
        return self.separated

    @property
    def infinite(self) -> tuple[str, ...]:
        """The names of the coefficients whose estimate is not finite."""
        return tuple(name for name, fate in self.coefficients.items() if fate not in (FINITE, ALIASED, UNDECIDED))

    @property
    def advice(self) -> str:
        """One sentence on what to do next."""
        if self.kind == UNDECIDED:
            return "Give it more time: nothing is claimed."
        aliased = _listed([name for name, fate in self.coefficients.items() if fate == ALIASED])
        if self.kind == OVERLAP:
            drop = f"drop {aliased}, which the other columns determine; the other" if aliased else "fit as usual: all"
            return f"{drop[0].upper()}{drop[1:]} maximum-likelihood estimates exist and are unique."
        names = _listed(self.infinite)
        if self.family == "poisson":
            return (
                f"Drop the {_count(len(self.rows), 'separated row')} and then the columns that became redundant, "
                f"or penalise the likelihood: no estimate of {names} is finite, and the finite ones stay what they are."
            )
        if self.kind == COMPLETE:
            return (
                "Do not report a fit without a penalty: the data are predicted perfectly and no estimate of "
                f"{names} is finite; penalise (Firth, ridge), use fewer columns, or collect more rows."
            )
        return (
            f"Do not report a finite estimate of {names}: penalise the likelihood (Firth, ridge) or merge or drop "
            "columns; the estimates called finite stay what they are when the separated rows are left out."
        )

    def renumbered(self, rows: Sequence[int]) -> Separation:
        """The same report where row i is called rows[i]: of a table that is a part of another."""
        numbers = np.asarray(rows, np.int64)
        return replace(self, rows=numbers[self.rows], held=tuple(int(numbers[i]) for i in self.held))

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON takes it; whole numbers of any size as texts."""
        return {
            "kind": self.kind,
            "separated": None if self.kind == UNDECIDED else self.separated,
            "family": self.family,
            "n": self.n,
            "rank": self.rank,
            "coefficients": dict(self.coefficients),
            "aliases": {name: list(on) for name, on in self.aliases.items()},
            "rows": self.rows.tolist(),
            "direction": None if self.direction is None else [str(v) for v in self.direction],
            "held": list(self.held),
            "held_signs": list(self.held_signs),
            "held_weights": [str(v) for v in self.held_weights],
            "notes": list(self.notes),
            "advice": self.advice,
        }

    def __str__(self) -> str:
        rank = "" if self.rank is None else f", rank {self.rank}"
        of = f"{_count(self.n, 'row')}, {_count(len(self.names), 'coefficient')}{rank}"
        width = max(len("coefficient"), *(len(name) for name in self.names))
        table = [f"{name:<{width}}  {_told(self, name)}" for name in self.names]
        lines = [
            f"{MEANING[self.kind]} ({of})",
            *_separated(self),
            "",
            f"{'coefficient':<{width}}  estimate",
            *table,
            "",
        ]
        return "\n".join([*lines, *(f"note: {note}" for note in self.notes), self.advice])

    def __repr__(self) -> str:
        told = ", ".join(f"{name}: {fate}" for name, fate in self.coefficients.items() if fate != FINITE)
        return f"Separation({self.kind}, {len(self.rows):,} of {self.n:,} rows{'; ' if told else ''}{told})"


MEANING = {
    COMPLETE: "COMPLETE SEPARATION: estimates do not exist",
    QUASI: "QUASI-COMPLETE SEPARATION: some estimates do not exist",
    OVERLAP: "OVERLAP: the estimates exist",
    UNDECIDED: "UNDECIDED: stopped by max_time",
}


def _told(report: Separation, name: str) -> str:
    if report.coefficients[name] != ALIASED:
        return report.coefficients[name]
    on = report.aliases[name]
    return f"aliased: determined by {_listed(on)}" if on else "aliased: all zero"


def _separated(report: Separation) -> list[str]:
    """The separated rows in words, numbered from 1."""
    if not len(report.rows):
        return []
    some = ", ".join(str(i + 1) for i in report.rows[:SHOWN].tolist()) + (", …" if len(report.rows) > SHOWN else "")
    which = "" if len(report.rows) == report.n else f", numbered from 1: {some}"
    return [f"{len(report.rows):,} of {_count(report.n, 'row')} separated{which}"]


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' if number != 1 else ''}"


def _listed(names: Sequence[str]) -> str:
    shown = [*names[:SHOWN], *([f"{len(names) - SHOWN:,} more"] if len(names) > SHOWN else [])]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}" if shown else ""


def separation(
    X: Any,
    y: Any,
    names: Sequence[str] | None = None,
    family: str = "binomial",
    counts: Any = None,
    fit_intercept: bool = True,
    response: str = "auto",
    max_time: float | None = None,
) -> Separation:
    """Whether the maximum-likelihood estimates of a regression exist; if not: which rows, which coefficients.

    Every row z = ±x of the model (see `families`) is separated, ⟨w, z⟩ > 0 for some w with ⟨w, z⟩ ≥ 0 everywhere, or
    held by rows that add up to zero. +inf: the estimate of that coefficient, of the logit of the class that sorts last
    or of the log of the mean, grows beyond all bounds.

    From the notes: T1 Z7 (a strict plane, or none), C4 (a criterion for "not separable").

    Parameters
    ----------
    X, y : a table (n, d) in any storage and the response; or a formula, "y ~ x1 + C(g)", and a data frame (needs
        formulaic: pip install 'novikoff[formula]')
    names : of the columns; by default those of a data frame or design matrix, else x1, x2, …
    family : "binomial" (logit, probit, cloglog: any link that goes from 0 to 1) or "poisson" (log link)
    counts : binomial: how many trials each row stands for; with a formula also the name of a column
    fit_intercept : whether there is an intercept, "(Intercept)"; a column that is constant takes its place. A formula
        says this itself
    response : what y is when counts are given: "labels", "successes" or "proportions"; "auto" finds out
    max_time : seconds after which it stops; what is known by then is told, the rest is "undecided"

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
    X = getattr(X, "__wrapped__", X)
    n = _rows(X)
    sides = sides_of(y, n, family, counts, response)
    used = np.flatnonzero(sides.plus | sides.minus)
    design = design_of(X, names, bool(fit_intercept), None if used.size == n else used)
    _demand_room(used.size, len(design.names))
    return _Question(design, sides, used, between).answer(n, family)


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
            self.told["notes"] = ("stopped by max_time",)
        notes = (*self.sides.notes, *self.design.notes, *self.told.pop("notes", ()))
        return Separation(family=family, n=n, names=names, notes=notes, **self.told)

    def _solve(self, Z: Sequence[Sequence[int]]) -> Separator | Circuit:
        return strict_by_floats(Z, self.between)

    def _find(self) -> None:
        """Fill in what is told, step by step: what is there when time is up holds."""
        columns, aliased = independent_columns(self.table, self.design.places, self.between)
        self._tell_aliased(columns, aliased)
        plus, minus = self.sides.plus[self.used], self.sides.minus[self.used]
        both, single = np.flatnonzero(plus & minus), np.flatnonzero(plus ^ minus)
        held = Held(len(columns))
        if both.size:
            pairs = Quotient(self.table, both, np.ones(both.size, np.int64), columns, None, self.between)
            held.join_pairs(pairs, spanning(pairs, self.between))
        signed = Quotient(self.table, single, np.where(plus[single], 1, -1), columns, None, self.between)
        rest = hold(held, signed, self.between)
        faces = staged(rest, None, self._solve) if rest.D and rest.n else NOTHING
        if faces.held:
            held.join(rest, faces.held, faces.weights)
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
