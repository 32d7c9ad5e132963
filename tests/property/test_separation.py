"""Infinite estimates against brute force, their proofs in fractions, and what must not change the answer."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import novikoff as nv
from data.degenerate import degenerate
from examples import STRESS, examples
from oracles import rays as rays

PROBLEMS = 100_000 if STRESS else 1_500
FLIP = {"+inf": "-inf", "-inf": "+inf"}


def table_of(X: np.ndarray, bias: bool) -> tuple[list[list[Fraction]], list[int]]:
    """The rows in fractions, and the columns' order: the intercept, or the first constant column, comes first.

    Columns that depend on earlier ones are aliased, so the intercept is asked about first; the report keeps the order
    of the table (`ordered`).
    """
    rows = [[Fraction(v) for v in x] for x in X.tolist()]
    if not bias:
        return rows, list(range(X.shape[1]))
    constant = [j for j in range(X.shape[1]) if X[0, j] and (X[:, j] == X[0, j]).all()]
    if not constant:
        return [[Fraction(1), *x] for x in rows], [-1, *range(X.shape[1])]
    order = [constant[0], *(j for j in range(X.shape[1]) if j != constant[0])]
    return [[x[j] for j in order] for x in rows], order


def ordered(r: Any, order: list[int]) -> Any:
    """The report with its columns in this order; −1: an intercept that was added, which is reported first."""
    if -1 in order:
        return r
    names = [r.names[j] for j in order]
    direction = None if r.direction is None else tuple(r.direction[j] for j in order)
    return replace(r, names=tuple(names), direction=direction, coefficients={n: r.coefficients[n] for n in names})


def agrees(r: Any, table: list[list[Fraction]], sides: list[list[int]]) -> bool:
    """The answer is that of brute force, and the proofs hold in fractions."""
    kind, separated, limits = rays.answer(table, sides)
    info = (r.kind, r.rows.tolist(), list(r.coefficients.values()))
    return info == (kind, separated, limits) and proved(r, table, sides)


def proved(r: Any, table: list[list[Fraction]], sides: list[list[int]]) -> bool:
    """The direction separates just the rows named; the held rows add up to zero and span all others."""
    S = set(r.rows.tolist())
    w = [Fraction(v) for v in r.direction] if r.direction is not None else [Fraction(0)] * len(table[0])
    for i, (x, signs) in enumerate(zip(table, sides, strict=True)):
        if any((s * rays.dot(w, x) > 0) != (i in S) or s * rays.dot(w, x) < 0 for s in signs):
            return False
    held = [[s * v for v in table[i]] for i, s in zip(r.held, r.held_signs, strict=True)]
    if any(s not in sides[i] for i, s in zip(r.held, r.held_signs, strict=True)) or min(r.held_weights, default=1) <= 0:
        return False
    if any(sum(m * z[j] for m, z in zip(r.held_weights, held, strict=True)) for j in range(len(w))):
        return False
    others = [x for i, (x, signs) in enumerate(zip(table, sides, strict=True)) if i not in S and signs]
    return rays.rank(held) == rays.rank([*held, *others])


@pytest.mark.timeout(0)
def test_degenerate_problems_have_the_answer_of_brute_force() -> None:
    rng = np.random.default_rng(4)
    seen: Counter[str] = Counter()
    for _ in range(PROBLEMS):
        X, y, bias = degenerate(rng)
        r = nv.separation(X, y, fit_intercept=bias)
        table, order = table_of(X, bias)
        assert agrees(ordered(r, order), table, [[int(s)] for s in y]), (X, y, bias)
        seen.update([r.kind, *r.coefficients.values()])
    for word in ("complete", "quasi-complete", "overlap", "finite", "+inf", "-inf", "not-unique", "aliased"):
        assert seen[word] > PROBLEMS // 20, seen


def test_counts_and_poisson_have_the_answer_of_brute_force() -> None:
    rng = np.random.default_rng(5)
    seen: Counter[str] = Counter()
    for k in range(400):
        X, y, bias = degenerate(rng)
        if k % 2:
            values = np.where(y > 0, rng.integers(1, 4, len(y)), 0)
            r = nv.separation(X, values, family="poisson", fit_intercept=bias)
            sides = [[1, -1] if v > 0 else [-1] for v in values]
            table, order = table_of(X, bias)
        else:
            trials = rng.integers(0, 3, len(y)) * 2
            trials[0] = 2
            values = np.where(rng.random(len(y)) < 0.3, trials // 2, np.where(y > 0, trials, 0))
            r = nv.separation(X, values, counts=trials, fit_intercept=bias, response="successes")
            sides = [[1] * (v > 0) + [-1] * (v < t) for v, t in zip(values.tolist(), trials.tolist(), strict=True)]
            used = trials > 0
            order = table_of(X[used], bias)[1]
            table = [[Fraction(1) if j < 0 else Fraction(x[j]) for j in order] for x in X.tolist()]
        assert agrees(ordered(r, order), table, sides), (X, values, bias)
        seen.update([r.kind, *r.coefficients.values()])
    for word in ("complete", "quasi-complete", "overlap", "finite", "+inf", "-inf", "not-unique", "aliased"):
        assert seen[word] > 10, seen


def problem(seed: int) -> tuple[np.random.Generator, np.ndarray, np.ndarray, bool]:
    rng = np.random.default_rng(seed)
    X, y, bias = degenerate(rng)
    y[:2] = 1, -1
    return rng, X, y, bias


def info(r: Any) -> tuple[str, list[int], dict[str, str]]:
    return r.kind, r.rows.tolist(), r.coefficients


@examples(120)
@given(st.integers(0, 2**32))
def test_the_table_does_not_depend_on_the_order_of_rows_or_on_units(seed: int) -> None:
    rng, X, y, bias = problem(seed)
    r = nv.separation(X, y, fit_intercept=bias)
    order = rng.permutation(len(X))
    moved = nv.separation(X[order], y[order], fit_intercept=bias)
    assert (moved.kind, moved.coefficients) == (r.kind, r.coefficients)
    assert sorted(order[moved.rows].tolist()) == r.rows.tolist()
    units = np.ldexp(1.0, rng.integers(-30, 30, X.shape[1]))
    assert info(nv.separation(X * units, y, fit_intercept=bias)) == info(r)
    twice = [*range(len(X)), *rng.integers(0, len(X), 3).tolist()]
    assert nv.separation(X[twice], y[twice], fit_intercept=bias).coefficients == r.coefficients


@examples(120)
@given(st.integers(0, 2**32))
def test_a_negated_column_flips_its_sign_and_other_labels_flip_all(seed: int) -> None:
    rng, X, y, bias = problem(seed)
    names = [f"c{j}" for j in range(X.shape[1])]
    r = nv.separation(X, y, names, fit_intercept=bias)
    flipped = X.copy()
    j = int(rng.integers(X.shape[1]))
    flipped[:, j] *= -1
    expected = {name: FLIP.get(fate, fate) if name == names[j] else fate for name, fate in r.coefficients.items()}
    assert nv.separation(flipped, y, names, fit_intercept=bias).coefficients == expected
    other = nv.separation(X, -y, names, fit_intercept=bias)
    assert other.coefficients == {name: FLIP.get(fate, fate) for name, fate in r.coefficients.items()}
    assert (other.kind, other.rows.tolist()) == (r.kind, r.rows.tolist())


@examples(60)
@given(st.integers(0, 2**32))
def test_many_copies_of_some_rows_hide_none_of_the_others(seed: int) -> None:
    """Only some rows are looked at one by one then; those that are there once must be found."""
    rng, X, y, bias = problem(seed)
    rows = np.repeat(np.arange(len(X)), rng.choice([1, 70], len(X)))
    rows = rng.permutation(np.concatenate([rows, np.full(70, rng.integers(len(X)))]))
    r, many = nv.separation(X, y, fit_intercept=bias), nv.separation(X[rows], y[rows], fit_intercept=bias)
    assert (many.kind, many.rank, many.coefficients) == (r.kind, r.rank, r.coefficients)
    assert many.rows.tolist() == np.flatnonzero(np.isin(rows, r.rows)).tolist()
    table, order = table_of(X[rows], bias)
    assert proved(ordered(many, order), table, [[int(s)] for s in y[rows]])


@examples(60)
@given(st.integers(0, 2**32))
def test_counts_say_what_their_rows_written_out_say(seed: int) -> None:
    """Successes out of trials, as one row for each trial."""
    rng, X, _, bias = problem(seed)
    trials = rng.integers(1, 4, len(X))
    successes = np.where(rng.random(len(X)) < 0.5, trials, rng.integers(0, trials + 1))
    r = nv.separation(X, successes, counts=trials, fit_intercept=bias, response="successes")
    rows = np.repeat(np.arange(len(X)), trials)
    labels = np.concatenate([[1] * s + [0] * (t - s) for s, t in zip(successes, trials, strict=True)])
    if labels.min() == labels.max():
        return
    plain = nv.separation(X[rows], labels, fit_intercept=bias)
    assert (plain.kind, plain.coefficients) == (r.kind, r.coefficients)
    assert sorted({int(rows[i]) for i in plain.rows}) == r.rows.tolist()
    parts = nv.separation(X, successes / trials, counts=trials, fit_intercept=bias, response="proportions")
    assert info(parts) == info(r)


def test_brute_force_knows_the_rule() -> None:
    """Section 2.2's Z: rows (1,−1), (1,−1), (0,1) are all separated and both coefficients go to +inf."""
    assert rays.answer([[1, -1], [1, -1], [0, 1]], [[1]] * 3) == ("complete", [0, 1, 2], ["+inf", "+inf"])
    assert rays.answer([[1, -2], [1, 0], [1, 0], [1, 2]], [[-1], [-1], [1], [1]])[2] == ["finite", "+inf"]
    assert rays.answer([[0, 2], [0, 1]], [[1], [1]])[2] == ["aliased", "+inf"]
