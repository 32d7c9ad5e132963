"""Dense rows in bulk: the answers of the kernels, by NumPy."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from novikoff.data.problem import unlabelled
from novikoff.errors import InputError
from novikoff.scoring.numpy_scores import NUMBERS, Bulk, scorer_of
from novikoff.scoring.scorer import Scorer


def exact(X: np.ndarray, w: np.ndarray, b: float) -> list[Fraction]:
    """⟨w, x⟩ + b of each row."""
    weights = [Fraction(v) for v in w.tolist()]
    return [sum((p * Fraction(x) for p, x in zip(weights, row, strict=True)), Fraction(b)) for row in X.tolist()]


def sign(value: Any) -> int:
    return int(value > 0) - int(value < 0)


def hard_rows(chance: np.random.Generator, d: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows on the plane, and as near to it as numbers go: whole, tenths, tiny, large, of very different sizes."""
    w = chance.integers(-9, 10, d) / chance.choice([1.0, 10.0, 3.0])
    X = chance.integers(-9, 10, (120, d)) / np.repeat([1.0, 10.0, 7.0, 2.0**-540], 30)[:, None]
    X[::2, -1] = -(X[::2, :-1] @ w[:-1]) / (w[-1] or 1.0)
    X[90:] *= 2.0 ** chance.integers(-540, 400, (30, d))
    X[::7] = 0.0
    X[5::14] = np.nextafter(X[4::14][: len(X[5::14])], np.inf)
    return X, w


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_signs_are_those_of_fractions(seed: int, kind: type) -> None:
    chance = np.random.default_rng(seed)
    X, w = hard_rows(chance, 2 + seed % 4)
    X = np.clip(X, -1e30, 1e30).astype(kind)
    for b in (0.0, 0.1, -3.0):
        found = Bulk(unlabelled(X)).scores(w, b)
        right = exact(X.astype(np.float64), w, b)
        assert [sign(s) for s in found] == [sign(s) for s in right]
        assert not np.signbit(found[found == 0]).any()
        near = [float(s) for s in right]
        size = np.abs(X.astype(np.float64)) @ np.abs(w) + abs(b)
        assert (np.abs(found - near) <= 1e-14 * size + 5e-324).all()


@pytest.mark.parametrize("seed", range(6))
def test_classes_are_those_of_the_kernels(seed: int) -> None:
    chance = np.random.default_rng(seed)
    X, _ = hard_rows(chance, 4)
    X = np.clip(X, -1e100, 1e100)
    planes = chance.integers(-3, 4, (5, 5)) / chance.choice([1.0, 10.0])
    planes[3] = planes[1]  # every row that they win is a tie
    answers = []
    for judge in (Bulk(unlabelled(X)), Scorer(unlabelled(X), filtered=False)):
        judge.survey()
        answers.append(judge.classes(planes).tolist())
    assert answers[0] == answers[1]
    scores = [exact(X, plane[:-1], float(plane[-1])) for plane in planes]
    assert answers[0] == [max(range(5), key=lambda k: scores[k][i]) for i in range(len(X))]


def test_a_score_is_the_same_in_any_company() -> None:
    chance = np.random.default_rng(0)
    X, w = chance.normal(size=(3 * NUMBERS // 7, 7)), chance.normal(size=7)
    whole = Bulk(unlabelled(X)).scores(w, 0.5)
    some = [Bulk(unlabelled(X[a : a + size])).scores(w, 0.5) for a, size in ((0, 1), (1, 1000), (4000, 13))]
    assert np.array_equal(whole[:1], some[0])
    assert np.array_equal(whole[1:1001], some[1])
    assert np.array_equal(whole[4000:4013], some[2])


def test_clear_rows_and_ties_of_whole_numbers_need_no_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Bulk, "kernel", lambda *_: pytest.fail("a kernel was asked for"))
    X = np.random.default_rng(0).integers(-5, 6, (5000, 3)).astype(np.float64)
    found = Bulk(unlabelled(X)).scores(np.array([1.0, -2.0, 1.0]), 0.0)
    assert (found == 0).any()
    assert np.array_equal(found, X @ [1.0, -2.0, 1.0])


@pytest.mark.parametrize(
    ("value", "said"),
    [(np.nan, "contains NaN: row 2002 .2001 counted from 0., column 2"), (np.inf, "infinity"), (1e200, "too large")],
)
def test_faults_are_told_with_their_row(value: float, said: str) -> None:
    X = np.ones((3000, 20))
    X[2001, 1] = value
    for answer in (lambda judge: judge.scores(np.ones(20), 0.0), lambda judge: judge.survey()):
        with pytest.raises(InputError, match=said):
            answer(Bulk(unlabelled(X)))


def test_only_many_dense_rows_are_taken_in_bulk() -> None:
    from scipy.sparse import csr_matrix

    X = np.ones((1001, 20))
    assert type(scorer_of(unlabelled(csr_matrix(X)), True)) is Scorer
    assert type(scorer_of(unlabelled(X), False)) is Scorer
    assert type(scorer_of(unlabelled(X[:1000]), True)) is Scorer  # few numbers: the interpreter
    assert type(scorer_of(unlabelled(X), True)) is Bulk
