"""Shares, areas and their intervals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.optimize import brentq
from sklearn.metrics import confusion_matrix, precision_score, recall_score, roc_auc_score

from novikoff.scoring.metrics import PredictionCounts, Z, auc, newcombe, wilson


@given(st.integers(1, 300), st.data())
def test_wilson_holds_the_shares_that_a_test_would_not_reject(n: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, n))
    lower, upper = wilson(k, n)
    assert 0 <= lower <= k / n <= upper <= 1
    for end, free in ((lower, k > 0), (upper, k < n)):
        assert not free or (end - k / n) ** 2 - Z * Z * end * (1 - end) / n == pytest.approx(0, abs=1e-12)


scores = st.lists(st.integers(-3, 3), min_size=1, max_size=30)


@given(scores, scores)
def test_the_area_is_the_share_of_pairs_and_its_interval_is_around_it(above: list[int], below: list[int]) -> None:
    pairs = [(a > b) + (a == b) / 2 for a in above for b in below]
    found = auc(np.array(below, float), np.array(above, float))
    assert found == pytest.approx(sum(pairs) / len(pairs), abs=1e-15)
    truth = [1] * len(above) + [0] * len(below)
    assert found == pytest.approx(roc_auc_score(truth, [*above, *below]))
    assert found is not None
    lower, upper = newcombe(found, len(above), len(below))
    assert 0 <= lower <= found <= upper <= 1


def test_known_intervals() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(15, 148) == pytest.approx((0.0624, 0.1605), abs=5e-5)  # Newcombe 1998, table I, method 3
    assert wilson(0, 20) == pytest.approx((0, 0.1611), abs=5e-5)
    assert auc(np.ones(3), np.zeros(0)) is None
    lower, upper = newcombe(1.0, 20, 30)
    assert upper == 1.0

    def equation(theta: float) -> float:
        inner = 1 + 24 * (1 - theta) / (2 - theta) + 24 * theta / (1 + theta)
        return (1 - theta) ** 2 - Z * Z * theta * (1 - theta) * inner / 600

    assert lower == pytest.approx(brentq(equation, 0.2, 1 - 1e-9), abs=1e-9)
    assert newcombe(1.0, 2000, 3000).lower > lower


def test_the_area_s_interval_covers_as_often_as_it_says() -> None:
    rng, held, runs = np.random.default_rng(0), 0, 400
    truth = 0.7602499389065233  # P(N(1,1) > N(0,1)) = Φ(1/√2)
    for _ in range(runs):
        area = auc(rng.normal(0, 1, 50), rng.normal(1, 1, 30))
        assert area is not None
        lower, upper = newcombe(area, 30, 50)
        held += lower <= truth <= upper
    assert 0.92 <= held / runs <= 0.985


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=60), st.integers(1, 7))
def test_counts_are_scikit_learn_s_in_chunks_of_any_size(pairs: list[tuple[int, int]], size: int) -> None:
    truth, called = (np.array(side) for side in zip(*pairs, strict=True))
    judge = PredictionCounts(["a", "b", "c"])
    for lo in range(0, len(pairs), size):
        judge.look(truth[lo : lo + size], called[lo : lo + size], np.zeros(0))
    judged = judge.judged()
    assert judged.confusion.tolist() == confusion_matrix(truth, called, labels=[0, 1, 2]).tolist()
    assert (judged.accuracy.value, judged.auc) == ((truth == called).mean(), None)
    for k in range(3):
        for ours, theirs in ((judged.precision(k), precision_score), (judged.recall(k), recall_score)):
            expected = theirs(truth, called, labels=[k], average="macro", zero_division=np.nan)
            assert ours.value is None if np.isnan(expected) else ours.value == pytest.approx(expected)
