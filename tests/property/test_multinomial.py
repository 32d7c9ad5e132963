"""Any of three classes and more against brute force in fractions, and what must not change the answer."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np

import novikoff as nv
from oracles import rays
from oracles.stacked_rows import likelihood_ratio, stacked_rows

PROBLEMS = 200


def problem(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, bool]:
    """A tiny table of small integers with three classes."""
    n, d = int(rng.integers(3, 7)), int(rng.integers(1, 3))
    X = rng.integers(-2, 3, (n, d)).astype(float)
    if rng.random() < 0.3:
        X[:, -1] = X[:, 0] * rng.integers(-1, 3)
    y = np.concatenate([[0, 1, 2], rng.integers(0, 3, n - 3)])
    if rng.random() < 0.4:  # nearly separated: the class rises with the first column
        y = np.argsort(np.argsort(X[:, 0] + 0.01 * y, kind="stable")) * 3 // n
    return X, y, bool(rng.random() < 0.5) and d == 1


def table_of(X: np.ndarray, bias: bool) -> list[list[Fraction]]:
    return [[*([Fraction(1)] if bias else []), *map(Fraction, x)] for x in X.tolist()]


def proved(r: Any, table: list[list[Fraction]], codes: list[int]) -> bool:
    """The direction separates just the pairs named; the held rows add up to zero and span all others."""
    rows, pairs = stacked_rows(table, codes, 3)
    w = [Fraction(v) for v in r.direction] if r.direction is not None else [Fraction(0)] * len(rows[0])
    separated = set(r.pairs)
    for z, (i, c) in zip(rows, pairs, strict=True):
        score = likelihood_ratio(w, table[i], codes[i], c)
        if score != rays.dot(w, z) or score < 0 or (score > 0) != ((i, c) in separated):
            return False
    at = dict(zip(pairs, rows, strict=True))
    held = [at[i, c] for i, c in zip(r.held, r.held_against, strict=True)]
    if min(r.held_weights, default=1) <= 0 or set(r.held_signs) - {1}:
        return False
    if any(sum(m * z[j] for m, z in zip(r.held_weights, held, strict=True)) for j in range(len(w))):
        return False
    others = [z for pair, z in at.items() if pair not in separated]
    return rays.rank(held) == rays.rank([*held, *others])


def test_three_classes_have_the_answer_of_brute_force() -> None:
    rng = np.random.default_rng(11)
    seen: Counter[str] = Counter()
    for _ in range(PROBLEMS):
        X, y, bias = problem(rng)
        if bias and (X[0] == X).all():
            continue  # a constant column is the intercept
        r = nv.separation(X, y, fit_intercept=bias)
        table = table_of(X, bias)
        rows, pairs = stacked_rows(table, y.tolist(), 3)
        kind, separated, limits = rays.answer(rows, [[1]] * len(rows))
        assert (r.kind, list(r.coefficients.values())) == (kind, limits), (X, y, bias)
        assert list(r.pairs) == [pairs[k] for k in separated], (X, y, bias)
        assert r.rows.tolist() == sorted({pairs[k][0] for k in separated})
        assert proved(r, table, y.tolist()), (X, y, bias)
        assert (r.family, r.classes) == ("multinomial", (0, 1, 2))
        seen.update([r.kind, *r.coefficients.values()])
    for word in ("complete", "quasi-complete", "overlap", "finite", "+inf", "-inf", "not-unique", "aliased"):
        assert seen[word] > 5, seen


def test_another_reference_keeps_kind_and_pairs() -> None:
    rng = np.random.default_rng(12)
    for _ in range(40):
        X, y, bias = problem(rng)
        r = nv.separation(X, y, fit_intercept=bias)
        for reference in (1, 2):
            other = nv.separation(X, y, fit_intercept=bias, reference=reference)
            assert (other.kind, other.rows.tolist(), other.rank) == (r.kind, r.rows.tolist(), r.rank)
            assert other.classes is not None
            assert other.classes[0] == reference
            assert sorted((i, other.classes[c]) for i, c in other.pairs) == sorted(r.pairs)


def by_linear_programs(X: np.ndarray, codes: np.ndarray, K: int) -> tuple[str, list[tuple[int, int]], list[str]]:
    """Kind, separated pairs and limits by linear programs in floats; X of small integers, with the intercept's 1."""
    from scipy.optimize import linprog

    rows, pairs = stacked_rows(X.tolist(), codes.tolist(), K)
    Z = np.array(rows, float)
    separated, w = [], np.zeros(Z.shape[1])
    while True:  # as many rows as possible, one more each time
        left = [i for i in range(len(Z)) if i not in separated]
        goal = -Z[left].sum(axis=0)
        found = linprog(goal, A_ub=-Z, b_ub=np.zeros(len(Z)), bounds=(-1, 1), method="highs")
        new = [i for i in left if Z[i] @ found.x > 1e-7]
        if not new:
            break
        separated, w = sorted({*separated, *new}), w + found.x
    limits = []
    for j in range(Z.shape[1]):
        ends = []
        for sign in (1, -1):
            goal = np.zeros(Z.shape[1])
            goal[j] = -sign
            found = linprog(goal, A_ub=-Z, b_ub=np.zeros(len(Z)), bounds=(-1, 1), method="highs")
            ends.append(sign * found.x[j] > 1e-7)
        limits.append({(0, 0): "finite", (1, 0): "+inf", (0, 1): "-inf", (1, 1): "not-unique"}[ends[0], ends[1]])
    kind = "overlap" if not separated else "complete" if len(separated) == len(Z) else "quasi-complete"
    return kind, [pairs[i] for i in separated], limits


def test_tables_with_dummies_have_the_answer_of_linear_programs() -> None:
    seen: Counter[str] = Counter()
    for seed in range(25):
        rng = np.random.default_rng(seed)
        n, K = int(rng.integers(25, 60)), int(rng.integers(3, 5))
        g, x = rng.integers(0, 4, n), rng.integers(-4, 5, n)
        y = rng.integers(0, K, n)
        if seed % 2:  # a level that is not in all classes
            y[g == 3] = rng.choice(K, 2, replace=False)[rng.integers(0, 2, int((g == 3).sum()))]
        y[:K] = np.arange(K)
        X = np.column_stack([np.eye(4)[g][:, 1:], x])
        r = nv.separation(X, y)
        kind, pairs, limits = by_linear_programs(np.column_stack([np.ones(n), X]), y, K)
        assert (r.kind, list(r.pairs), list(r.coefficients.values())) == (kind, pairs, limits), seed
        seen.update([r.kind, *limits])
    assert min(seen[word] for word in ("overlap", "quasi-complete", "finite", "+inf", "-inf")) > 2, seen
