"""Decide whether maximum-likelihood estimates exist, and if not, which rows and coefficients cause it.

From the notes: T1 Z7 (a strict plane, or none), C4 (a criterion for "not separable"), T7a (the positive class).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from novikoff.arguments import argument_checks
from novikoff.arguments.signature_types import Label, Labels, Points
from novikoff.errors import InputError
from novikoff.exact.deadline import Clock, TimeIsUpError
from novikoff.exact.integer_rows import primitive
from novikoff.exact.signed_rows import Signed
from novikoff.exact.subspace import Quotient
from novikoff.regression.causes import one_sided
from novikoff.regression.coefficients import (
    ALIASED,
    FINITE,
    MINUS,
    NOT_UNIQUE,
    PLUS,
    UNDECIDED,
    CoefficientLimits,
)
from novikoff.regression.collinear import collinear
from novikoff.regression.design import Design, design_of
from novikoff.regression.multinomial import stacked
from novikoff.regression.response_families import FAMILIES, RESPONSES, Sides
from novikoff.regression.separation_input import SeparationInput
from novikoff.regression.separation_proof import SeparationEvidence
from novikoff.regression.separation_report import Separation
from novikoff.separate.facial_reduction import COMPLETE, MOST, OVERLAP, QUASI, Faces, RowRelation, reduced
from novikoff.separate.row_space import independent_columns, spanning

COLUMNS = 6  # named in a note
CAUSES = 3  # named in the advice


def separation(
    X: Points,
    y: Labels | None = None,
    names: Sequence[str] | None = None,
    family: str = "binomial",
    counts: ArrayLike | str | int | None = None,
    fit_intercept: bool = True,
    response: str = "auto",
    max_time: float | None = None,
    positive: Label | None = None,
    reference: Mapping[str | int, Label] | None = None,
) -> Separation:
    """Decide whether the maximum-likelihood estimates of a regression exist; if not, find the rows and coefficients.

    Every row z = ±x (see `response_families`) is separated, ⟨w, z⟩ > 0 for some w with ⟨w, z⟩ ≥ 0 everywhere, or
    in the span of rows that add up to zero. +inf: the estimate of that coefficient, of the logit of the positive class
    or of the log of the mean, grows beyond all bounds. Rows are numbered as in the file or frame,
    from 0; `row_names` has the names of a frame's index.

    Parameters
    ----------
    X, y : a table (n, d) in any storage and the response, also as one column; or points of `read`, alone; or a formula,
        "y ~ x1 + C(g)", and a data frame (needs formulaic: pip install 'novikoff[formula]'); or a statsmodels model,
        alone. Three classes or more: a multinomial logit, each class against the reference
    names : of the columns; by default those of a data frame or design matrix, else x1, x2, …
    family : "binomial" (logit, probit, cloglog: any link that goes from 0 to 1) or "poisson" (log link)
    counts : binomial: how many trials each row stands for; or the name or number (from 0) of a column, of X or, with a
        formula, of the data frame
    fit_intercept : whether there is an intercept, "(Intercept)"; a column that is constant is the intercept. A formula
        says this itself
    response : what y is when counts are given: "labels", "successes" or "proportions"; "auto" finds out
    max_time : seconds after which it stops; what is not known by then is "undecided"
    positive : the class whose logit is meant, as of `decide`: of `+` and `-`, yes and no, true and false, spam and ham
        the first, of any other two labels the one that sorts last
    reference : the class that the others are compared with; of three or more by default the one that sorts first. Or
        {factor: level}, for factors that `read` made columns of; by default the first level

    Examples
    --------
    >>> import novikoff as nv
    >>> r = nv.separation([[-2], [0], [0], [2]], [0, 0, 1, 1], names=["dose"])
    >>> r.kind, r.rows.tolist(), r.coefficients
    ('quasi-complete', [0, 3], {'(Intercept)': 'finite', 'dose': '+inf'})
    """
    argument_checks.one_of("family", family, FAMILIES)
    argument_checks.one_of("response", response, RESPONSES)
    argument_checks.truth("fit_intercept", fit_intercept)
    if max_time is not None:
        argument_checks.positive("max_time", max_time)
    between = Clock(max_time)
    given = SeparationInput(X, y, names, family, counts, bool(fit_intercept), response, reference)
    sides, origin = given.sides(positive)
    used = sides.used
    design = design_of(given.X, given.names, given.fit_intercept, None if used.size == given.n else used)
    design = replace(design, notes=(*given.notes, *design.notes)).with_references(given.levels)
    answer = _answer(design, sides, between, given)
    answer = replace(answer, named=given.named, classes=sides.classes)
    return answer if origin is None else answer.renumbered(origin)


def _answer(design: Design, sides: Sides, between: Clock, given: SeparationInput) -> Separation:
    """Return the report with rows numbered as in X."""
    used = sides.used
    if sides.codes is None:
        _check_room(used.size, len(design.names))
        question = _Question(design, sides, used, between)
        found = question.answer(given.n, given.family)
        return replace(
            found,
            causes=question.causes(given.label),
            evidence=_evidence(given, design, sides, question, used, np.zeros(0, np.int64)),
        )
    many = len(sides.classes or ()) - 1
    _check_room(used.size * many, len(design.names) * many)
    stack = stacked(design, sides.codes[used], sides.classes or ())
    rows = np.arange(stack.rows.size)
    one_sided = Sides(np.ones(rows.size, bool), np.zeros(rows.size, bool), sides.notes)
    question = _Question(stack.design, one_sided, rows, between)
    found = question.answer(given.n, "multinomial")
    of = used[stack.rows]
    return replace(
        found,
        evidence=_evidence(given, design, sides, question, of, stack.against),
        rows=np.unique(of[found.rows]),
        pairs=tuple((int(of[i]), int(stack.against[i])) for i in found.rows),
        held=tuple(int(of[i]) for i in found.held),
        held_against=tuple(int(stack.against[i]) for i in found.held),
    )


def _evidence(
    given: SeparationInput, design: Design, sides: Sides, question: _Question, rows: np.ndarray, against: np.ndarray
) -> SeparationEvidence:
    """Return what a certificate is made of."""
    record, table = given.response_record(sides, design.problem.d), question.design.problem
    return SeparationEvidence(
        given.points, given.y, record, design, table, question.columns, rows, against, question.limits
    )


def _check_room(n: int, D: int) -> None:
    """Raise InputError if the rows that are converted to integers would not fit into memory."""
    if min(n, 8 * D) * D > MOST:
        raise InputError(
            f"X: {n:,} rows and {D:,} columns are too many for exact arithmetic; use fewer columns, or call "
            "novikoff.decide, which tests whether the rows are separable"
        )


@dataclass
class _Question:
    """The steps: aliased columns, rows with both signs, facial reduction of the rest, the coefficients."""

    design: Design
    sides: Sides
    used: np.ndarray
    between: Clock
    info: dict[str, Any] = field(default_factory=dict)
    columns: list[int] = field(default_factory=list)  # that are kept
    limits: CoefficientLimits | None = None

    def answer(self, n: int, family: str) -> Separation:
        names = self.design.names
        self.info = {"kind": UNDECIDED, "rank": None, "coefficients": dict.fromkeys(names, UNDECIDED), "aliases": {}}
        self.info["rows"] = np.zeros(0, np.int64)
        self.table = Signed(self.design.problem)
        self.table.judge.survey()
        try:
            self._find()
        except TimeIsUpError:
            self.info["notes"] = (*self.info.get("notes", ()), "stopped by max_time")
        notes = (*self.sides.notes, *self.design.notes, *self.info.pop("notes", ()))
        aliased = {name for name, info in self.info["coefficients"].items() if info == ALIASED}
        references = tuple(name for name in self.design.references if name in aliased)
        return Separation(family=family, n=n, names=names, notes=notes, references=references, **self.info)

    def causes(self, label: str | None) -> tuple[str, ...]:
        """Return a sentence for each of the first columns that separate rows alone."""
        fates, name = self.info["coefficients"], self._name
        places = [j for j in self.columns if fates[name[j]] in (PLUS, MINUS, NOT_UNIQUE)]
        found = one_sided(self.table, places, self.sides.plus[self.used], self.sides.minus[self.used], CAUSES)
        return tuple(one.sentence(name[one.place], label, self.sides) for one in found)

    @property
    def _name(self) -> dict[int, str]:
        """The names of the columns by their places."""
        return dict(zip(self.design.places, self.design.names, strict=True))

    def _find(self) -> None:
        """Fill in the report step by step: what is there when time is up is valid."""
        columns, aliased = independent_columns(self.table, self.design.order, self.between)
        self.columns = columns
        self._report_aliased(columns, aliased)
        self._report_collinear(columns)
        plus, minus = self.sides.plus[self.used], self.sides.minus[self.used]
        both, single = np.flatnonzero(plus & minus), np.flatnonzero(plus ^ minus)
        related = RowRelation(len(columns))
        if both.size:
            pairs = Quotient(self.table, both, np.ones(both.size, np.int64), columns, None, self.between)
            related.join_pairs(pairs, spanning(pairs, self.between))
        signed = Quotient(self.table, single, np.where(plus[single], 1, -1), columns, None, self.between)
        faces = reduced(related, signed)
        whole = faces.separated.size == self.used.size
        self.info["kind"] = OVERLAP if faces.w is None else COMPLETE if whole else QUASI
        self.info["rows"] = self.used[single[faces.separated]]
        self._report_relation(related)
        self._report_limits(columns, signed, faces, related)

    def _report_aliased(self, columns: list[int], aliased: dict[int, list[int]]) -> None:
        name = self._name
        self.info["rank"] = len(columns)
        self.info["aliases"] = {name[j]: tuple(name[k] for k in on) for j, on in aliased.items()}
        self.info["coefficients"] |= {name[j]: ALIASED for j in aliased}

    def _report_collinear(self, columns: list[int]) -> None:
        """Add a note if the last digits of the numbers decide."""
        found = collinear(self.table, columns, self.between)
        if found is not None:
            condition, together = found
            few = [self._name[j] for j in sorted(together)]
            listed = ", ".join(few[:COLUMNS]) + (", …" if len(few) > COLUMNS else "")
            said = f"columns {listed} are collinear up to rounding (condition number about {condition:.0e})"
            self.info["notes"] = (f"{said}: the last digits may decide this answer; leave one of them out",)

    def _report_limits(self, columns: list[int], signed: Quotient, faces: Faces, related: RowRelation) -> None:
        name, w = self._name, faces.w
        if w is None:
            self.info["coefficients"] |= {name[j]: FINITE for j in columns}
            return
        self.info["direction"] = tuple(primitive([w[j] for j in self.design.places]))
        separated = signed.rows(faces.separated)
        if related.basis:
            separated = separated.within(related.space())
        self.limits = limits = CoefficientLimits(separated, [w[j] for j in columns], self.between)
        try:
            limits.settle()
        finally:
            self.info["coefficients"] |= {name[j]: info for j, info in zip(columns, limits.info, strict=True)}

    def _report_relation(self, related: RowRelation) -> None:
        relation = sorted(related.relation.items())
        self.info["held"] = tuple(int(self.used[i]) for (i, _), _ in relation)
        self.info["held_signs"] = tuple(sign for (_, sign), _ in relation)
        self.info["held_weights"] = tuple(m for _, m in relation)
        self.info["held_vectors"] = tuple(vector for vector, _ in relation)
