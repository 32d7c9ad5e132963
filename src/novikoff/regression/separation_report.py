"""The report of `separation`: rows, coefficients, the proof, and its text."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from novikoff.data.format_numbers import count
from novikoff.errors import UndecidedError
from novikoff.proof.certificate import Certificate
from novikoff.regression.coefficients import ALIASED, FINITE, MINUS, NOT_UNIQUE, PLUS, UNDECIDED
from novikoff.regression.separation_proof import SeparationEvidence
from novikoff.separate.facial_reduction import COMPLETE, OVERLAP, QUASI
from novikoff.separate.obstruction import plain_label

SHOWN = 10  # rows or names listed
FULL = 20  # coefficients listed, if there are more: of those that are not finite
MULTINOMIAL = "multinomial"
TEST = "a likelihood-ratio test (the standard error and Wald test of an infinite estimate mean nothing)"


@dataclass(eq=False)
class Separation:
    """Whether the maximum-likelihood estimates exist, row by row and coefficient by coefficient; exact.

    kind: complete, quasi-complete (both: no finite estimate of all coefficients exists), overlap (all are finite) or
    undecided.
    rows: numbers (from 0, in the user's file or table) of the separated rows: their fitted probability goes to 0 or 1,
    their fitted mean to 0; of three classes or more, that of at least one class goes to 0.
    coefficients: name → finite, +inf, -inf, not-unique (the data do not determine it: both signs occur among the
    directions that separate), aliased, undecided.
    classes: the labels of rows −x and of rows x: +inf is of the logit of the second; None for counts. Of three or more,
    the first is the reference: +inf is of the logit of the class in the coefficient's name against it.
    direction: integers w, one for each name: ⟨w, z⟩ > 0 on the separated rows and 0 on all others.
    held, held_signs, held_weights: rows z = ±x that add up to zero with these positive integer weights, and span all
    rows that are not separated: no direction can separate any of those.
    references: the names of aliased columns that are reference levels of factors.
    pairs, held_against: with three classes or more a row x of class y is a row z for every other class c; pairs are
    (row, place of c in classes) of those that are separated: P(c | x) goes to 0. held_against: c of the held rows.
    """

    family: str
    n: int
    names: tuple[str, ...]
    evidence: SeparationEvidence = field(repr=False)
    kind: str = UNDECIDED
    rank: int | None = None
    coefficients: dict[str, str] = field(default_factory=dict)
    aliases: dict[str, tuple[str, ...]] = field(default_factory=dict)  # aliased column → the kept ones it is made of
    rows: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    direction: tuple[int, ...] | None = None
    held: tuple[int, ...] = ()
    held_signs: tuple[int, ...] = ()
    held_weights: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    classes: tuple[Any, ...] | None = None
    references: tuple[str, ...] = ()
    pairs: tuple[tuple[int, int], ...] = ()
    held_against: tuple[int, ...] = ()
    causes: tuple[str, ...] = ()
    named: Callable[[int], int | str] | None = None  # the name of each row, where rows have names

    def __post_init__(self) -> None:
        self.coefficients = self.coefficients or dict.fromkeys(self.names, UNDECIDED)

    @property
    def separated(self) -> bool:
        """Whether some estimate does not exist; raises UndecidedError if time was up before that was known."""
        if self.kind == UNDECIDED:
            raise UndecidedError("separation: stopped by max_time; nothing is claimed. Give more time with max_time")
        return self.kind != OVERLAP

    def __bool__(self) -> bool:
        return self.separated

    @property
    def infinite(self) -> tuple[str, ...]:
        """The names of the coefficients whose estimate goes to +inf or -inf."""
        return self._with_fate(PLUS, MINUS)

    @property
    def not_unique(self) -> tuple[str, ...]:
        """The names of the coefficients whose estimate the data do not determine."""
        return self._with_fate(NOT_UNIQUE)

    @property
    def row_names(self) -> tuple[int | str, ...]:
        """The separated rows as messages refer to them: numbers from 1, or [names] in a frame's index."""
        rows: list[int] = self.rows.tolist()
        return tuple(i + 1 if self.named is None else self.named(i) for i in rows)

    def _with_fate(self, *limits: str) -> tuple[str, ...]:
        return tuple(name for name, fate in self.coefficients.items() if fate in limits)

    @property
    def advice(self) -> str:
        """What one column causes, and one sentence on what to do next."""
        return " ".join((*self.causes, self._advised()))

    def _advised(self) -> str:
        if self.kind == UNDECIDED:
            return "Undecided: allow more time."
        aliased = _listed([name for name, fate in self.coefficients.items() if fate == ALIASED])
        if self.kind == OVERLAP:
            drop = f"drop {aliased}, which the other columns determine; the other" if aliased else "fit as usual: all"
            return f"{drop[0].upper()}{drop[1:]} maximum-likelihood estimates exist and are unique."
        names = _listed((*self.infinite, *self.not_unique)) or "some coefficients"
        if self.family == "poisson":
            return (
                f"Drop the {count(len(self.rows), 'separated row')} and then the columns that became redundant, "
                f"or penalise the likelihood. {self._poisson_estimates()}"
            )
        if self.kind == COMPLETE:
            return (
                "Do not report a fit without a penalty: the data are predicted perfectly, and "
                f"{self._without_estimates()}; penalise (Firth, ridge), use fewer columns, or collect more rows."
            )
        same = "; the finite estimates do not change if the separated rows are removed"
        return (
            f"Do not report a finite estimate of {names}: penalise the likelihood (Firth, ridge) or merge or drop "
            f"columns{'' if self.family == MULTINOMIAL else same}."
        )

    @property
    def remedies(self) -> str:
        """One line on the methods for separated data; '' if all estimates exist."""
        if self.kind in (OVERLAP, UNDECIDED):
            return ""
        if self.family == "poisson":
            return f"drop separated rows (Correia, Guimarães and Zylkin) · Firth's penalty (brglm2) · {TEST}"
        exact = "" if self.family == MULTINOMIAL else "exact logistic regression (Stata exlogistic, SAS EXACT) · "
        firth = "brglm2" if self.family == MULTINOMIAL else "logistf, brglm2"
        return f"Firth's penalty ({firth}) · {exact}merge rare levels · drop a column · {TEST}"

    def _poisson_estimates(self) -> str:
        finite = [name for name, fate in self.coefficients.items() if fate == FINITE]
        none = self._without_estimates()
        none = f"{none[0].upper()}{none[1:]}"
        return f"{none}; those of {_listed(finite)} stay what they are." if finite else f"{none}."

    def _without_estimates(self) -> str:
        """Format which estimates do not exist."""
        info = []
        if self.infinite:
            info.append(f"no estimate of {_listed(self.infinite)} is finite")
        if self.not_unique:
            them = "it" if len(self.not_unique) == 1 else "them"
            info.append(f"{_listed(self.not_unique)} can be anything: the data do not determine {them}")
        return ", and ".join(info) or "some coefficients have no estimate"

    def certificate(self, file: Mapping[str, Any] | None = None) -> Certificate:
        """Return the proof that `save` writes. file: how the points were read from a file, for the checkers."""
        if self.kind == UNDECIDED:
            raise UndecidedError("separation: stopped by max_time; there is no proof. Give more time with max_time")
        return self.evidence.certificate(self, file)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the proof as a certificate, which `nv.verify` and the standalone checker check."""
        self.certificate().save(path)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values; integers of any size as texts.

        References, remedies, and with three classes or more the pairs, are there where the report has them.
        """
        many = self.family == MULTINOMIAL
        return {
            "kind": self.kind,
            "separated": None if self.kind == UNDECIDED else self.separated,
            "family": self.family,
            "n": self.n,
            "rank": self.rank,
            "coefficients": dict(self.coefficients),
            "aliases": {name: list(on) for name, on in self.aliases.items()},
            "classes": None if self.classes is None else [plain_label(c) for c in self.classes],
            "rows": self.rows.tolist(),
            "direction": None if self.direction is None else [str(v) for v in self.direction],
            "held": list(self.held),
            "held_signs": list(self.held_signs),
            "held_weights": [str(v) for v in self.held_weights],
            "notes": list(self.notes),
            "advice": self.advice,
            **({"references": list(self.references)} if self.references else {}),
            **({"remedies": self.remedies} if self.remedies else {}),
            **({"pairs": [list(pair) for pair in self.pairs], "held_against": list(self.held_against)} if many else {}),
        }

    def __str__(self) -> str:
        rank, after = "" if self.rank is None else f", rank {self.rank}", list[str]()
        of = f"{count(self.n, 'row')}, {count(len(self.names), 'coefficient')}{rank}"
        rows = [(name, _info(self, name)) for name in self.names]
        if len(rows) > FULL:
            others = [(name, info) for name, info in rows if info != FINITE]
            finite, rows = len(rows) - len(others), others[:FULL]
            after = [f"… {len(others) - FULL:,} more: coefficients has all"] if len(others) > FULL else []
            after += [f"{count(finite, 'coefficient')} {'is' if finite == 1 else 'are'} finite"] if finite else []
        rows = [("coefficient", "estimate"), *rows]
        width = max(len(name) for name, _ in rows)
        table = [f"{name:<{width}}  {info}" for name, info in rows]
        notes = [*(f"note: {note}" for note in self.notes), self.advice]
        notes += [f"next: {self.remedies}"] if self.remedies else []
        first = f"{MEANING[self.kind]} ({of})"
        return "\n".join([first, *_separated(self), "", *table, *after, *_sides(self), "", *notes])

    def _repr_html_(self) -> str:
        """Return the report for a notebook."""
        from novikoff.pages.displays import text_display

        return text_display(str(self))

    def __repr__(self) -> str:
        info = ", ".join(f"{name}: {fate}" for name, fate in self.coefficients.items() if fate != FINITE)
        return f"Separation({self.kind}, {len(self.rows):,} of {count(self.n, 'row')}{'; ' if info else ''}{info})"


MEANING = {
    COMPLETE: "COMPLETE SEPARATION: estimates do not exist",
    QUASI: "QUASI-COMPLETE SEPARATION: some estimates do not exist",
    OVERLAP: "OVERLAP: the estimates exist",
    UNDECIDED: "UNDECIDED: stopped by max_time",
}


def _info(report: Separation, name: str) -> str:
    if report.coefficients[name] != ALIASED:
        return report.coefficients[name]
    if name in report.references:
        return "reference level"
    on = report.aliases[name]
    return f"aliased: determined by {_listed(on)}" if on else "aliased: all zero"


def _separated(report: Separation) -> list[str]:
    """Format the separated rows, numbered from 1."""
    if not len(report.rows):
        return []
    some = ", ".join(map(str, report.row_names[:SHOWN])) + (", …" if len(report.rows) > SHOWN else "")
    how = "numbered from 1" if report.named is None else "by their names in the index"
    which = "" if len(report.rows) == report.n else f", {how}: {some}"
    some_class = " from at least one other class" if report.family == MULTINOMIAL else ""
    return [f"{len(report.rows):,} of {count(report.n, 'row')} separated{some_class}{which}"]


def _sides(report: Separation) -> list[str]:
    """Format which class the coefficients are about."""
    if report.classes is None or None in report.classes:
        return []
    if len(report.classes) > 2:
        return [f"(coefficients of the multinomial logit: of each class against {report.classes[0]})"]
    negative, positive = report.classes
    return [f"(coefficients of the logit of {positive}, against {negative})"]


def _listed(names: Sequence[str]) -> str:
    shown = [*names[:SHOWN], *([f"{len(names) - SHOWN:,} more"] if len(names) > SHOWN else [])]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}" if shown else ""
