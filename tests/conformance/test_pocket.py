"""The pocket goes on when it is known that no plane separates the points (R7a): fewer errors, the same bits."""

from __future__ import annotations

import warnings
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from data.choices import ORDERS
from data.problems import draws
from oracles.gallant import gallant_errors, noisy_set

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.filterwarnings("ignore::novikoff.estimators.perceptron_estimator.NotSeparatedWarning"),
]


def errors_of(clf: Any, X: np.ndarray, y: np.ndarray) -> int:
    """Points that are not on their own side of the plane, in whole numbers or floats far from a tie."""
    signs = np.where(np.asarray(y) == clf.classes_[1], 1, -1)
    return int((signs * (X @ clf.coef_[0] + clf.intercept_[0]) <= 0).sum())


@pytest.mark.parametrize("order", ORDERS)
def test_R7a_xor_with_the_pocket_ends_with_one_error_and_its_proof(order: str) -> None:
    X, y = nv.example("xor")
    clf = nv.Perceptron(keep="pocket", order=order, random_state=3).fit(X, y)
    assert errors_of(clf, X, y) == 1 == clf.history_["pocket_errors"][-1]
    assert clf.stop_reason_ == "not_separable"  # one error is the fewest: the cycle, in pass 1, did not end the run
    Z = y[:, None] * np.column_stack([X, np.ones(4)])
    if clf.cycle_counts_ is None:  # `decide` was sooner
        assert clf.verdict_.check(X, y)
    else:
        assert clf.cycle_counts_.any()
        assert not (clf.cycle_counts_ @ Z).any()
    assert clf.random_from_ is not None or order in ("first", "random")  # which find it by themselves


def test_draws_begin_in_the_pass_after_the_cycle_and_are_those_of_random_state_or_of_0() -> None:
    X, y = nv.example("xor")
    none, zero, other = (nv.Perceptron(keep="pocket", random_state=seed).fit(X, y) for seed in (None, 0, 7))
    assert none.random_from_ == zero.random_from_ == other.random_from_ == 2
    assert none.n_mistakes_.tolist() == zero.n_mistakes_.tolist()
    assert none.coef_.tobytes() == zero.coef_.tobytes()
    assert any(
        nv.Perceptron(keep="pocket", random_state=seed).fit(X, y).n_mistakes_.tolist() != none.n_mistakes_.tolist()
        for seed in range(1, 8)
    )


def test_R7a_more_passes_never_give_more_errors() -> None:
    rng = np.random.default_rng(5)
    for k in range(draws(6)):
        X, y = noisy_set(rng)
        errors = [
            errors_of(
                nv.Perceptron(keep="pocket", max_iter=passes, order=ORDERS[k % 6], random_state=1).fit(X, y), X, y
            )
            for passes in (1, 2, 5, 30, 100, 200, 400, 900)
        ]
        assert all(b <= a for a, b in pairwise(errors)), errors


@pytest.mark.parametrize("n", [20, 60, 200])
def test_automatic_patience_is_100_passes_and_10_000_looks_without_a_better_pocket(n: int) -> None:
    rng = np.random.default_rng(n)
    X = rng.standard_normal((n, 2))
    y = rng.choice([-1, 1], n)
    clf = nv.Perceptron(keep="pocket").fit(X, y)
    assert clf.stop_reason_ == "train_stalled"
    pocket = clf.history_["pocket_errors"]
    last = pocket.index(pocket[-1]) + 1  # the pass in which it became what it is
    assert clf.n_iter_ - last == max(100, -(-10_000 // n))
    assert clf.verdict_.separable is False
    assert clf.random_from_ is not None


@pytest.mark.parametrize(("order", "sets"), [("cyclic", 200), ("shuffle", 60), ("random", 60)])
def test_R7a_on_noisy_sets_the_pocket_errs_no_more_than_gallants_with_as_many_looks(order: str, sets: int) -> None:
    rng = np.random.default_rng(2026)
    more = []
    for k in range(draws(sets)):
        X, y = noisy_set(rng)
        clf = nv.Perceptron(keep="pocket", random_state=k, order=order).fit(X, y)
        errors = errors_of(clf, X, y)
        assert errors == clf.history_["pocket_errors"][-1]
        more.append(errors - gallant_errors(X, y, clf.n_looks_, k))
    assert np.median(more) <= 0
    assert np.percentile(more, 95) <= 1


def test_without_any_limit_a_proof_ends_the_run() -> None:
    rng = np.random.default_rng(1)
    X, y = np.repeat(rng.integers(-2, 3, (6, 2)), 2, axis=0).astype(float), np.tile([0, 1], 6)
    clf = nv.Perceptron(max_iter=None, train_patience=None).fit(X, y)
    assert clf.stop_reason_ == "cycle"


def test_the_warning_and_the_history_have_one_number_for_the_same_weights() -> None:
    X, y = nv.example("xor")
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        clf = nv.Perceptron(keep="pocket", max_iter=1).fit(X, y)
    assert clf.history_["pocket_errors"] == [4]  # w = 0: four ties
    assert "the weights kept (pocket) have 4 of 4 training points on the wrong side" in str(seen[0].message)
