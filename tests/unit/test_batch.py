"""The order batch: one update after each pass, with the mean of its mistakes; what it supports and what it refuses."""

from __future__ import annotations

import re
import warnings
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import novikoff as nv
from data.small_sets import fit_quietly, noisy_teacher
from novikoff.errors import InputError
from novikoff.estimators.messages import NotSeparated
from novikoff.perceptron import run_state
from novikoff.perceptron.observer import Observer
from oracles.twins import rounded

CORNWELL = nv.example("cornwell")


def batch(X: Any, y: Any, *valid: Any, order: str = "batch", **how: Any) -> nv.Perceptron:
    more = {name: how.pop(name) for name in ("coef_init", "intercept_init", "observer") if name in how}
    return fit_quietly(nv.Perceptron(order=order, **how), X, y, *valid, **more)


def padded(X: Any, y: Any) -> np.ndarray:
    """Signed points with the 1 of the bias."""
    signs = np.where(np.asarray(y) == np.unique(y)[1], 1, -1)
    return signs[:, None] * np.column_stack([X, np.ones(len(X))])


def test_the_first_update_is_the_mean_of_all_signed_points() -> None:
    """From w = 0 every point is a tie, so a mistake: w = (η/n)·Σ y·x."""
    X, y = CORNWELL
    clf = batch(X, y, keep="last", max_updates=1, eta0=2.0)
    assert [*clf.coef_[0], *clf.intercept_] == (2.0 / 4 * padded(X, y).sum(axis=0)).tolist()
    assert (clf.n_updates_, clf.n_iter_, clf.n_looks_, clf.stop_reason_) == (1, 2, 8, "max_updates")
    assert clf.n_mistakes_.tolist() == [1, 1, 1, 1]


def test_the_weights_are_the_rate_over_n_times_the_added_points() -> None:
    X, y = noisy_teacher(40)
    X = np.rint(4 * X)
    for eta in (1.0, 0.1):
        clf = batch(X, y, keep="last", eta0=eta, max_iter=30, train_patience=None)
        assert [*clf.coef_[0], *clf.intercept_] == (clf.n_mistakes_ @ padded(X, y) * (eta / 40)).tolist()
        assert clf.n_mistakes_.sum() == sum(clf.history_["mistakes"])
        assert clf.history_["updates"] == [1] * 30
        assert (clf.n_updates_, clf.n_looks_) == (30, 30 * 40)


def test_no_decision_depends_on_the_rate() -> None:
    X, y = noisy_teacher(40)
    runs = [batch(X, y, eta0=eta, max_iter=15) for eta in (1.0, 0.1, 7.0)]
    for clf in runs[1:]:
        assert clf.n_mistakes_.tolist() == runs[0].n_mistakes_.tolist()
        assert clf.predict(X).tolist() == runs[0].predict(X).tolist()


def test_the_loss_of_a_pass_is_n_times_the_loss_of_the_weights_before_it() -> None:
    """Z10a: w does not change in a pass, so its loss is that of one plane, and falls where the steps are small."""
    X, y = noisy_teacher(50)
    planes = [batch(X, y, keep="last", max_updates=k, eta0=0.5) for k in range(1, 8)]
    clf = batch(X, y, keep="last", max_iter=8, eta0=0.5)
    assert clf.history_["loss"][0] == 0.0
    for before, loss in zip(planes, clf.history_["loss"][1:], strict=True):
        assert loss == pytest.approx(50 * nv.perceptron_loss(X, y, before.coef_[0], before.intercept_[0]), rel=1e-12)


@pytest.mark.parametrize("keep", ["auto", "last", "average", "pocket"])
def test_the_keeps_return_what_they_say(keep: str) -> None:
    X, y = noisy_teacher(30)
    clf = batch(X, y, keep=keep, max_iter=8, train_patience=None, eta0=0.5)
    twin = rounded(X, y, order="batch", passes=8, keep="average" if keep == "auto" else keep, eta0=0.5)
    w, b = {"last": (twin.w, twin.b), "pocket": twin.pockets[-1][0] if twin.pockets else None}.get(keep) or twin.average
    assert clf.coef_[0].tolist() == list(w)
    assert clf.intercept_[0] == b
    if keep == "pocket":
        z = [[Fraction(v) for v in row] for row in padded(X, y).tolist()]
        vectors = [[Fraction(v) for v in (*w, b)] for (w, b), _ in twin.votes]
        errors = [sum(sum(a * v for a, v in zip(w, x, strict=True)) <= 0 for x in z) for w in vectors]
        assert clf.history_["pocket_errors"][-1] == min(errors)


def test_the_pocket_counts_the_start() -> None:
    X, y = CORNWELL
    clf = batch(X, y, keep="pocket", max_iter=1, coef_init=[[4.0, -0.5]], intercept_init=[-2.0])
    wrong = int((padded(X, y) @ [4.0, -0.5, -2.0] <= 0).sum())
    assert wrong > 0
    assert clf.history_["pocket_errors"][0] <= wrong


def test_a_sum_of_zero_is_a_cycle_and_a_proof() -> None:
    """XOR: the four signed points sum to zero, so the first update changes nothing."""
    X, y = nv.example("xor")
    for keep in ("auto", "last", "average"):
        clf = batch(X, y, keep=keep)
        assert (clf.stop_reason_, clf.n_iter_, clf.cycle_counts_.tolist()) == ("cycle", 1, [1, 1, 1, 1])
        assert not (clf.cycle_counts_ @ padded(X, y)).any()
    pocket = batch(X, y, keep="pocket")
    assert (pocket.stop_reason_, pocket.random_from_) == ("not_separable", 2)


def test_a_longer_cycle_is_found_by_counting_updates() -> None:
    X, y = [[1.0], [1.0], [1.0], [2.0]], [1, 1, -1, -1]
    clf, t = batch(X, y, keep="last", train_patience=None), nv.trace(X, y, order="batch")
    assert (clf.stop_reason_, clf.cycle_counts_.tolist()) == ("cycle", list(t.cycle_counts))
    assert clf.n_updates_ == len(t.steps) > 1
    since = t.updates_before_return()
    assert t.steps[-1].w == (t.steps[since - 1].w if since else t.start)
    assert sum(len(step.points) for step in t.steps[since:]) == sum(t.cycle_counts)


class Pressed(Observer):
    """Ends a run within pass 3, as Ctrl-C or the clock would."""

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def after_looks(self, run: Any) -> None:
        if run.passes == 3 and run.shown >= 8:
            run.reason = self.reason


@pytest.mark.parametrize("reason", ["max_seconds", "interrupted"])
def test_a_pass_that_is_cut_short_makes_no_update(reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_state, "NUMBERS_AT_ONCE", 8)
    X, y = noisy_teacher(30)
    clf = batch(X, y, keep="last", observer=Pressed(reason))
    two = batch(X, y, keep="last", max_iter=2)
    assert (clf.stop_reason_, clf.n_updates_, clf.n_iter_) == (reason, 2, 3)
    assert 60 < clf.n_looks_ < 90
    assert clf.coef_.tobytes() == two.coef_.tobytes()
    assert clf.n_mistakes_.tolist() == two.n_mistakes_.tolist()


def test_a_limit_of_updates_ends_the_run_after_the_pass_that_needs_one_more() -> None:
    X, y = noisy_teacher(30)
    clf = batch(X, y, keep="last", max_updates=4)
    assert (clf.stop_reason_, clf.n_updates_, clf.n_iter_, clf.n_looks_) == ("max_updates", 4, 5, 150)
    assert clf.coef_.tobytes() == batch(X, y, keep="last", max_iter=4).coef_.tobytes()
    assert clf.history_["mistakes"][-1] == int((padded(X, y) @ [*clf.coef_[0], *clf.intercept_] <= 0).sum())
    assert clf.n_mistakes_.sum() == sum(clf.history_["mistakes"][:-1])


@pytest.mark.parametrize("schedule", ["inverse", "inverse-sqrt", lambda k: 1.0 if k % 2 else 0.5])
def test_a_schedule_counts_updates(schedule: Any) -> None:
    X, y = noisy_teacher(30)
    clf = batch(X, y, keep="last", schedule=schedule, max_iter=12, eta0=0.5, train_patience=None)
    named = {"inverse": lambda k: 1 / k, "inverse-sqrt": lambda k: 1 / k**0.5}.get(schedule, schedule)
    twin = rounded(X, y, order="batch", passes=12, eta0=0.5, schedule=named)
    assert clf.coef_[0] == pytest.approx(twin.w, rel=1e-12)


def test_class_weights_multiply_the_points_of_a_class() -> None:
    X, y = CORNWELL
    Z, clf = padded(X, y), batch(X, y, keep="last", max_updates=1, class_weight={-1: 3.0, 1: 0.5})
    weights = np.where(np.asarray(y) > 0, 0.5, 3.0)
    assert [*clf.coef_[0], *clf.intercept_] == (weights @ Z / 4).tolist()


def test_validation_points_choose_among_the_passes() -> None:
    X, y = noisy_teacher(60)
    clf = batch(X, y, X[:20], y[:20], max_iter=20, keep="last")
    valid = clf.history_["valid_errors"]
    assert int((clf.predict(X[:20]) != y[:20]).sum()) <= min(valid)
    held = batch(X, y, early_stopping=True, random_state=1, keep="last", max_iter=5)
    assert held.n_looks_ == 54 * held.n_iter_  # a tenth of each class is held out, and n is what is left


def test_warm_start_continues_with_as_many_rows() -> None:
    X, y = noisy_teacher(30)
    clf = batch(X, y, warm_start=True, max_iter=3)
    fit_quietly(clf, sp.csr_array(X), y)
    assert clf.coef_.tobytes() == batch(X, y, max_iter=6).coef_.tobytes()
    with pytest.raises(InputError, match="divides each step by the number of rows, 30 in the last fit and 29 now"):
        clf.fit(X[:-1], y[:-1])


def test_known_margin_bounds_the_mistakes_by_n_times_as_many() -> None:
    X, y = CORNWELL
    m = nv.margin(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        clf = nv.Perceptron(order="batch", known_margin=m.padded.gamma[0]).fit(X, y)
    assert clf.mistake_bound_ == pytest.approx(4 * m.mistake_bound[0], rel=1e-6)
    assert clf.n_mistakes_.sum() <= clf.mistake_bound_
    with pytest.warns(NotSeparated, match=r"5 mistakes, more than n·\(R/γ\)² = [\d.]+; so no plane has a margin"):
        nv.Perceptron(order="batch", known_margin=5.0).fit(X, y)


def test_weights_that_would_be_too_large_are_refused() -> None:
    X, y = [[2.0**498], [2.0**497], [-(2.0**498)], [-(2.0**498)]], [1, 1, -1, -1]
    with pytest.raises(InputError, match=r"2\^500"):
        nv.Perceptron(order="batch", fit_intercept=False, keep="last").fit(X, y)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"rule": "margin"}, "rule: 'margin' with order='batch', which adds the mean of all mistakes"),
        ({"rule": "pa1"}, "rule: 'pa1' with order='batch'"),
        ({"keep": "vote"}, "keep: 'vote' with order='batch', whose weights change once a pass; use 'average'"),
        ({"class_weight": "balanced", "known_margin": 1.0}, "known_margin"),
        ({"schedule": "never"}, "'schedule' parameter"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(how: dict[str, Any], message: str) -> None:
    X, y = CORNWELL
    with pytest.raises(InputError, match=re.escape(message)):
        nv.Perceptron(order="batch", **how).fit(X, y)


def test_streams_and_many_classes_are_refused() -> None:
    X, y = nv.example("iris")
    with pytest.raises(InputError, match="order: 'batch' is for two classes, found 3; use 'cyclic' or 'shuffle'"):
        nv.Perceptron(order="batch").fit(X, y)
    assert not hasattr(nv.Perceptron(order="batch"), "partial_fit")
    with pytest.raises(InputError, match="order: 'batch' with partial_fit; the rows of a stream"):
        nv.Perceptron(order="batch").partial_fit(X[:2], y[:2])


def test_every_message_of_the_order_names_an_order_that_works() -> None:
    X, y = CORNWELL
    with pytest.raises(InputError, match=r"order: found 'bach', expected one of cyclic, first, shuffle, random, batch"):
        nv.trace(X, y, order="bach")


def test_a_trace_has_no_page_and_is_escaped_in_notebooks() -> None:
    t = nv.trace([[0, 0], [1, 1]], ["<b>", "&"], order="batch")
    with pytest.raises(InputError, match="found 'batch'; the page to step through shows updates of one point"):
        t.to_html()
    assert t._repr_html_().startswith("<pre>")
    assert "&lt;b&gt;" in t._repr_html_()
    assert "<b>" not in t._repr_html_()
