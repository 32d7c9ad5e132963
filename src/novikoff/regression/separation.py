"""Decide whether maximum-likelihood estimates exist, and if not, which rows and coefficients cause it.

From the notes: T1 Z7 (a strict plane, or none), C4 (a criterion for "not separable"), T7a (the positive class).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

import numpy as np
from numpy.typing import ArrayLike

from novikoff.arguments import argument_checks
from novikoff.arguments.signature_types import Label, Labels, Points
from novikoff.errors import InputError
from novikoff.exact.deadline import Clock, TimeIsUpError
from novikoff.exact.integer_rows import primitive
from novikoff.exact.signed_rows import Signed
from novikoff.exact.subspace import Quotient
from novikoff.regression.causes import causes
from novikoff.regression.coefficients import ALIASED, FINITE, MINUS, NOT_UNIQUE, PLUS, CoefficientLimits
from novikoff.regression.collinear import collinear
from novikoff.regression.design import design_of
from novikoff.regression.multinomial import stacked
from novikoff.regression.response_families import FAMILIES, RESPONSES
from novikoff.regression.separation_input import SeparationInput
from novikoff.regression.separation_proof import SeparationEvidence
from novikoff.regression.separation_report import MULTINOMIAL, Separation
from novikoff.separate.facial_reduction import RowRelation, reduced
from novikoff.separate.row_space import independent_columns, spanning

MOST = 50_000_000  # numbers converted to integers
CAUSES = 3  # named in the advice
COLUMNS = 6  # named in a note


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
    clock = Clock(max_time)
    given = SeparationInput(X, y, names, family, counts, bool(fit_intercept), response, reference)
    sides = given.sides(positive)
    design = design_of(given.points, given.names, given.fit_intercept, sides.used, given.levels)
    parts = max(len(sides.classes) - 1, 1)
    n, D = sides.used.size * parts, len(design.names) * parts
    if min(n, 8 * D) * D > MOST:
        raise InputError(
            f"{n:,} rows and {D:,} columns are too many for exact arithmetic; use fewer columns, or call "
            "novikoff.decide, which tests whether the rows are separable",
            "X",
        )
    if sides.codes is not None:
        design = stacked(design, sides.codes[sides.used], sides.classes)
    table = Signed(design.problem)
    table.judge.survey()
    evidence = SeparationEvidence(given, sides, design, table)
    family = given.family if sides.codes is None else MULTINOMIAL
    report = Separation(family, given.points.n, design.names, evidence)
    report.notes = (*sides.notes, *given.notes, *design.notes)
    report.named = None if given.points.named is None else given.points.called
    report.classes = None if None in sides.classes else sides.classes or None
    plus, minus = sides.plus[design.rows], sides.minus[design.rows]
    try:
        _find(report, evidence, plus, minus, clock)
    except TimeIsUpError:
        report.notes += ("stopped by max_time",)
    if sides.codes is None:
        name = zip(design.places, design.names, strict=True)
        told = {j: one for j, one in name if report.coefficients[one] in (PLUS, MINUS, NOT_UNIQUE)}
        found = causes(table, told, given.label, sides._replace(plus=plus, minus=minus))
        report.causes = tuple(islice(found, CAUSES))
    return report


def _find(report: Separation, evidence: SeparationEvidence, plus: np.ndarray, minus: np.ndarray, clock: Clock) -> None:
    """Fill in the report step by step: aliased columns, rows with both signs, facial reduction of the rest, the limits.

    What is there when the time is up is valid. plus, minus: for each row x of the table whether x, −x is a row of Z.
    """
    table, design = evidence.table, evidence.design
    name = dict(zip(design.places, design.names, strict=True))
    evidence.columns, evidence.aliased = columns, aliased = independent_columns(table, design.order, clock)
    report.rank = len(columns)
    report.aliases = {name[j]: tuple(name[k] for k in relation if k != j) for j, relation in aliased.items()}
    report.coefficients |= {name[j]: ALIASED for j in aliased}
    report.references = tuple(one for one in design.references if one in report.aliases)
    if (near := collinear(table, columns, clock)) is not None:
        few = [name[j] for j in sorted(near[1])]
        said = f"columns {', '.join(few[:COLUMNS])}{', …' if len(few) > COLUMNS else ''} are collinear up to rounding"
        last = "the last digits may decide this answer; leave one of them out"
        report.notes += (f"{said} (condition number about {near[0]:.0e}): {last}",)
    both, single = np.flatnonzero(plus & minus), np.flatnonzero(plus ^ minus)
    related = RowRelation(len(columns))
    if both.size:
        pairs = Quotient(table, both, np.ones(both.size, np.int64), columns, None, clock)
        T = both[spanning(pairs, clock)]
        twice = Quotient(table, np.tile(T, 2), np.repeat([1, -1], T.size), columns, None, clock)
        related.join(twice, range(2 * T.size), [1] * (2 * T.size))
    signed = Quotient(table, single, np.where(plus[single], 1, -1), columns, None, clock)
    faces = reduced(related, signed)
    report.kind = faces.kind(table.n)
    numbers = np.asarray(evidence.given.points.numbers(design.rows), np.int64)
    evidence.relation = sorted(related.relation.items())
    held = [i for (i, _), _ in evidence.relation]
    report.held, report.held_weights = tuple(numbers[held].tolist()), tuple(m for _, m in evidence.relation)
    report.held_signs = tuple(sign for (_, sign), _ in evidence.relation)
    separated = single[faces.separated]
    report.rows = np.unique(numbers[separated])
    if design.against.size:
        report.held_against = tuple(design.against[held].tolist())
        report.pairs = tuple(zip(numbers[separated].tolist(), design.against[separated].tolist(), strict=True))
    if faces.w is None:
        report.coefficients |= {name[j]: FINITE for j in columns}
        return
    report.direction = tuple(primitive([faces.w[j] for j in design.places]))
    apart = signed.rows(faces.separated)
    apart = apart.within(related.space()) if related.basis else apart
    evidence.limits = limits = CoefficientLimits(apart, [faces.w[j] for j in columns], clock)
    try:
        limits.settle()
    finally:
        report.coefficients |= {name[j]: info for j, info in zip(columns, limits.info, strict=True)}
