"""What a training run says of itself: why it ended, what it counted, which weights it returns, and what it proved."""

from __future__ import annotations

import itertools
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from sklearn import linear_model

import novikoff as nv
from data.choices import ORDERS
from data.kernel_mode import RunKernels
from data.limits import limits, observer
from data.problems import draws
from data.small_sets import fit_quietly, noisy_teacher
from oracles.gallant import gallant_errors, noisy_set
from oracles.passes import BLOCK, rows_of_pass

KEEPS = ("last", "pocket", "average", "vote")
BATCH = {"order": "batch", "keep": "last", "train_patience": None}


@pytest.fixture(autouse=True)
def _limits_may_warn() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", nv.NotSeparatedWarning)
        yield


def fit(X: Any, y: Any, *valid: Any, **how: Any) -> nv.Perceptron:
    given = {name: how.pop(name) for name in ("coef_init", "intercept_init", "observer") if name in how}
    return fit_quietly(nv.Perceptron(**{"order": "cyclic", "keep": "pocket"} | how), X, y, *valid, **given)


def padded(X: Any, y: Any) -> np.ndarray:
    """Signed points with the 1 of the bias."""
    signs = np.where(np.asarray(y) == np.unique(y)[1], 1, -1)
    return signs[:, None] * np.column_stack([X, np.ones(len(X))])


def plane(clf: Any, k: int = 0) -> list[float]:
    return [*clf.coef_[k].tolist(), float(clf.intercept_[k])]


# ---- why it ends


def test_a_time_limit_ends_a_run_inside_its_first_pass() -> None:
    with limits(stretch=400):
        timed = fit(*noisy_teacher(400), max_iter=None, train_patience=None, keep="last", max_time=1e-9)
    assert timed.stop_reason_ == "max_seconds"
    assert timed.n_looks_ < 400


@pytest.mark.parametrize("keep", KEEPS)
def test_ctrl_c_ends_the_run_keeps_the_best_weights_and_is_python_s_own_again(keep: str, keyboard: None) -> None:
    X, y = noisy_teacher(60)
    before = signal.getsignal(signal.SIGINT)
    ended: list[int] = []

    def press(run: Any) -> None:
        ended.append(1)
        if len(ended) == 3:
            signal.raise_signal(signal.SIGINT)

    clf = nv.Perceptron(keep=keep, order="cyclic", max_iter=None, train_patience=None)
    with pytest.raises(KeyboardInterrupt):
        fit_quietly(clf, X, y, observer=observer(press))
    assert clf.stop_reason_ == "interrupted"
    assert clf.n_iter_ in (3, 4), "it is heard in the next stretch of looks"
    assert clf.coef_.any()
    assert keep != "pocket" or int((clf.predict(X) != y).sum()) == min(clf.history_["pocket_errors"])
    assert signal.getsignal(signal.SIGINT) is before


def test_outside_the_main_thread_the_keyboard_is_left_alone() -> None:
    found: list[nv.Perceptron] = []
    thread = threading.Thread(target=lambda: found.append(fit(*nv.example("or"))))
    thread.start()
    thread.join()
    assert found[0].stop_reason_ == "separated"


@pytest.mark.parametrize(("keep", "passes"), [("last", 1), ("average", 20), ("vote", 20)])
def test_a_proof_at_the_first_rows_leaves_the_average_and_the_vote_twenty_passes(keep: str, passes: int) -> None:
    """Two equal rows with opposite labels bring w back to 0 at once: proved, but the run would not repeat itself."""
    X, y = noisy_teacher(60)
    X, y = np.vstack([X[:1], X[:1], X]), np.concatenate([[1, -1], y])
    clf = fit(X, y, keep=keep)
    assert (clf.stop_reason_, clf.n_iter_) == ("cycle", passes)
    assert clf.cycle_counts_.tolist() == [1, 1] + [0] * 60
    assert clf.coef_.any() == (keep != "last")


def test_a_return_by_rounding_claims_nothing() -> None:
    """Rows (−1, 1) and (2e-17, 1e-17) without bias freeze w although (0, 1) separates them."""
    X, y = np.array([[-1.0, 1.0], [-2e-17, -1e-17]]), np.array([1, -1])
    clf = fit(X, y, fit_intercept=False, keep="last")
    assert (clf.stop_reason_, clf.cycle_counts_) == ("rounding", None)
    assert fit(X, y, fit_intercept=False, coef_init=[[0.0, 1.0]]).stop_reason_ == "separated"


@pytest.mark.parametrize("how", [{"schedule": "inverse"}, {"class_weight": {-1: 1.0, 1: 2.0}}])
def test_with_a_schedule_or_class_weights_no_cycle_is_claimed(how: dict[str, Any]) -> None:
    X, y = nv.example("xor")
    assert fit(X, y, max_iter=50, keep="last", train_patience=None, **how).stop_reason_ == "max_passes"


@pytest.mark.parametrize("multi_class", ["ovo", "ova"])
def test_planes_that_separate_all_their_points_end_the_run(multi_class: str) -> None:
    X, y = nv.example("wine")
    clf = fit(X / X.max(axis=0), y, multi_class=multi_class, keep="last", max_iter=4000, train_patience=None)
    assert (clf.stop_reason_, clf.history_["updates"][-1]) == ("separated", 0)
    assert clf.score(X / X.max(axis=0), y) == 1.0


# ---- what it counts


@pytest.mark.parametrize("keep", KEEPS)
def test_history_has_one_entry_for_each_pass_and_column(keep: str) -> None:
    clf = fit(*noisy_teacher(60), keep=keep, max_iter=7)
    columns = {"pass", "updates", "mistakes", "loss", "errors", "norm", "pocket_errors", "valid_errors", "seconds"}
    assert set(clf.history_) == columns
    assert {len(column) for column in clf.history_.values()} == {7}
    assert clf.history_["pass"] == [1, 2, 3, 4, 5, 6, 7]
    assert sum(clf.history_["updates"]) == clf.n_updates_ == int(clf.n_mistakes_.sum())
    assert np.diff(clf.history_["seconds"]).min() >= 0
    assert (None in clf.history_["errors"]) == (keep != "pocket"), "counted only where the pocket counts anyway"


@pytest.mark.parametrize("order", ["cyclic", "batch"])
def test_loss_and_norm_of_a_pass(order: str) -> None:
    """Z10: the sum of −min(y·score, 0) over the looks of the pass, and the length of the weights with the bias."""
    X, y = noisy_teacher(50)
    clf = fit(X, y, order=order, keep="last", eta0=0.5, max_iter=5)
    w = np.zeros(4)
    for loss, norm in zip(clf.history_["loss"], clf.history_["norm"], strict=True):
        total, step = 0.0, np.zeros(4)
        for z in padded(X, y):
            if w @ z <= 0:
                total -= w @ z
                w, step = (w + 0.5 * z, step) if order == "cyclic" else (w, step + 0.5 / 50 * z)
        w = w + step
        assert (loss, norm) == (pytest.approx(total, rel=1e-12), pytest.approx(np.linalg.norm(w), rel=1e-12))


def test_labels_of_validation_points_are_matched_by_value() -> None:
    (X, y), (V, v) = noisy_teacher(200), noisy_teacher(100, seed=0)
    text = fit(X, np.where(y > 0, "b", "a"), V, np.where(v > 0, "b", "a"), max_iter=20)
    assert text.coef_.tobytes() == fit(X, y, V, v, max_iter=20).coef_.tobytes()


def test_the_held_out_part_is_a_fraction_of_each_class() -> None:
    X, y = noisy_teacher(100)
    y = np.repeat([-1, 1], [90, 10])
    fits = [fit(X, y, early_stopping=True, validation_fraction=0.2, random_state=s, max_iter=1) for s in (1, 2)]
    assert {clf.n_looks_ for clf in fits} == {80}
    assert fits[0].n_mistakes_.tolist() != fits[1].n_mistakes_.tolist()
    few = fit(X, y, early_stopping=True, validation_fraction=0.2, random_state=1, max_iter=None)
    assert max(few.history_["valid_errors"]) <= 20


def test_blocks_of_65536_rows_are_shuffled_and_then_the_rows_inside_each() -> None:
    n = 2 * BLOCK + 9
    rng = np.random.default_rng(0)
    X, y = rng.integers(-(10**6), 10**6, (n, 1)).astype(float), rng.choice([-1, 1], n)
    clf = fit(X, y, order="shuffle", random_state=5, keep="last", max_iter=1)
    w = b = 0
    mistakes = np.zeros(n, int)
    values, signs = X[:, 0].astype(int).tolist(), y.tolist()
    rows = rows_of_pass("shuffle", n, 5, 0)
    assert sorted(rows.tolist()) == list(range(n))
    for i in rows.tolist():
        if signs[i] * (w * values[i] + b) <= 0:
            w, b, mistakes[i] = w + signs[i] * values[i], b + signs[i], 1
    assert (plane(clf), clf.n_mistakes_.tolist()) == ([w, b], mistakes.tolist())


# ---- the default run: ten passes in order, then shuffled ones; separating weights, or the average from pass 11 on


def in_fractions(X: np.ndarray, signs: np.ndarray, passes: int, seed: int = 0) -> tuple[list[Any], list[Any], bool]:
    """(last weights, mean of the weights after each look from pass 11 on or of all, whether a pass was clean)."""
    Z = [[*map(Fraction, x.tolist()), Fraction(1)] for x in X]
    w, sums, looks = [Fraction(0)] * len(Z[0]), [Fraction(0)] * len(Z[0]), 0
    for number in range(passes):
        clean = True
        if number == 10:
            sums, looks = [Fraction(0)] * len(w), 0
        for i in range(len(Z)) if number < 10 else rows_of_pass("shuffle", len(Z), seed, number).tolist():
            s = int(signs[i])
            if s * sum(a * b for a, b in zip(w, Z[i], strict=True)) <= 0:
                w, clean = [a + s * b for a, b in zip(w, Z[i], strict=True)], False
            sums, looks = [a + b for a, b in zip(sums, w, strict=True)], looks + 1
        if clean:
            return w, w, True
    return w, [a / looks for a in sums], False


@pytest.mark.parametrize("passes", [1, 10, 11, 25])
def test_the_default_run_is_that_in_fractions(passes: int) -> None:
    rng = np.random.default_rng(5)
    X = rng.integers(-9, 10, (40, 3)).astype(float)
    y = np.where(X @ rng.normal(size=3) + 5 * rng.normal(size=40) > 0, 1, 0)
    for seed in (0, 5):
        clf = nv.Perceptron(max_iter=passes, random_state=seed, train_patience=None).fit(X, y)
        last, average, clean = in_fractions(X, 2 * y - 1, passes, seed)
        assert not clean
        assert plane(clf) == pytest.approx([float(v) for v in average], rel=1e-12)
        assert (clf.n_looks_, clf.order_) == (passes * 40, "cyclic" if passes < 11 else "shuffle")
        kept = nv.Perceptron(max_iter=passes, random_state=seed, keep="last", train_patience=None).fit(X, y)
        assert [Fraction(v) for v in plane(kept)] == last
    seeds = [nv.Perceptron(random_state=seed, max_iter=25).fit(X, y) for seed in (None, 0, 1)]
    assert [clf.seed_ for clf in seeds] == [0, 0, 1]
    assert seeds[0].coef_.tobytes() == seeds[1].coef_.tobytes() != seeds[2].coef_.tobytes()
    y3 = rng.integers(0, 3, 40)
    X[y3 == 2] += 60  # this class is separated in the first passes
    clf = nv.Perceptron(max_iter=passes, multi_class="ova", train_patience=None).fit(X, y3)
    for k in range(3):
        _, wanted, _ = in_fractions(X, np.where(y3 == k, 1, -1), passes)
        assert plane(clf, k) == pytest.approx([float(v) for v in wanted], rel=1e-11)


@pytest.mark.parametrize("keep", [*KEEPS, "auto"])
@pytest.mark.parametrize("rule", ["perceptron", "margin", "pa1"])
def test_asking_whether_a_plane_separates_changes_nothing_that_is_learned(rule: str, keep: str) -> None:
    X, y = nv.example("iris")
    X, y = X[y != "setosa"], y[y != "setosa"]
    for order in ("auto", "shuffle"):
        how: dict[str, Any] = {"rule": rule, "keep": keep, "random_state": 1, "C": 0.1, "order": order}
        asked = nv.Perceptron(max_iter=100, **how).fit(X, y)
        assert asked.verdict_.separable is False
        assert asked.verdict_.check(X, y)
        plain = nv.Perceptron(max_iter=asked.n_iter_, train_patience=None, **how).fit(X, y)
        assert plain.verdict_ is None
        if asked.random_from_ is None:
            assert asked.coef_.tobytes() == plain.coef_.tobytes()
            assert asked.n_mistakes_.tolist() == plain.n_mistakes_.tolist()


# ---- one update after each pass


def test_Z10a_a_batch_update_is_the_mean_of_the_mistakes() -> None:
    X, y = nv.example("cornwell")
    clf = fit(X, y, **BATCH, max_updates=1, eta0=2.0)
    assert plane(clf) == (2.0 / 4 * padded(X, y).sum(axis=0)).tolist()
    assert (clf.n_updates_, clf.n_iter_, clf.n_looks_, clf.stop_reason_) == (1, 2, 8, "max_updates")
    weighted = fit(X, y, **BATCH, max_updates=1, class_weight={-1: 3.0, 1: 0.5})
    assert plane(weighted) == (np.where(np.asarray(y) > 0, 0.5, 3.0) @ padded(X, y) / 4).tolist()
    N, labels = noisy_teacher(40)
    N = np.rint(4 * N)
    runs = [fit(N, labels, **BATCH, eta0=eta, max_iter=30) for eta in (1.0, 0.1)]
    assert runs[0].n_mistakes_.tolist() == runs[1].n_mistakes_.tolist()
    for clf, eta in zip(runs, (1.0, 0.1), strict=True):
        assert plane(clf) == (clf.n_mistakes_ @ padded(N, labels) * (eta / 40)).tolist()
        assert (clf.history_["updates"], clf.n_looks_) == ([1] * 30, 30 * 40)


def test_a_batch_sum_of_zero_is_a_cycle_and_a_pocket_goes_on_in_random_draws() -> None:
    X, y = nv.example("xor")
    for keep in ("auto", "last", "average"):
        clf = fit(X, y, order="batch", keep=keep)
        assert (clf.stop_reason_, clf.n_iter_, clf.cycle_counts_.tolist()) == ("cycle", 1, [1, 1, 1, 1])
    pocket = fit(X, y, order="batch", keep="pocket")
    assert (pocket.stop_reason_, pocket.random_from_) == ("not_separable", 2)


def test_a_batch_pass_that_the_clock_cuts_short_makes_no_update() -> None:
    with limits(stretch=8):
        clf = fit(*noisy_teacher(30), **BATCH, max_time=1e-9)
    assert (clf.stop_reason_, clf.n_updates_, plane(clf)) == ("max_seconds", 0, [0.0] * 4)
    assert 0 < clf.n_looks_ < 30


# ---- mixing


def test_mixing_ends_by_its_limits_and_a_round_is_whole_or_not_made() -> None:
    X, y = noisy_teacher(40)
    mix: dict[str, Any] = {"mix": True, "partitions": 3, "keep": "last", "train_patience": None}
    assert fit(X, y, **mix, max_iter=4).stop_reason_ == "max_passes"
    clf = fit(X, y, **mix, max_updates=20)
    assert clf.stop_reason_ == "max_updates"
    assert clf.n_updates_ >= 20 > sum(clf.history_["updates"][:-1])
    clf = fit(X, y, **mix, max_iter=None, max_time=1e-9)
    assert (clf.stop_reason_, clf.n_iter_, clf.n_updates_, plane(clf)) == ("max_seconds", 0, 0, [0.0] * 4)
    clf = fit(X, y, mix=True, partitions=3, keep="auto", order="auto", max_iter=None)
    assert clf.stop_reason_ == "train_stalled"
    clf = fit(X, y, mix=True, partitions=3, max_iter=None, early_stopping=True, random_state=0)
    assert (clf.stop_reason_, clf.partition_rows_.sum(), clf.n_mistakes_.size) == ("valid_stalled", 36, 3)


def test_the_bound_of_a_known_margin_is_P_times_that_of_one_partition() -> None:
    X, y = np.array([[1.0, 0.0], [0.0, -1.0], [0.0, 1.0], [-1.0, 0.0]]), [1, -1, 1, -1]
    clf = nv.Perceptron(mix=True, partitions=2, fit_intercept=False, known_margin=0.5**0.5).fit(X, y)
    assert clf.mistake_bound_ == pytest.approx(4.0)
    assert clf.n_updates_ <= 4
    with pytest.warns(UserWarning, match=r"more than P·\(R/γ\)²"):
        nv.Perceptron(mix=True, partitions=2, fit_intercept=False, known_margin=5.0).fit(X, y)


def test_partitions_depend_on_the_number_of_rows_alone() -> None:
    for n, table in ((70_000, [35_000, 35_000]), (65_536, [65_536])):
        X, y = np.random.default_rng(0).normal(size=(n, 2)), np.arange(n) % 2
        assert fit(X, y, mix=True, max_iter=1, keep="last").partition_rows_.tolist() == table
    with_three = fit(*noisy_teacher(40), mix=True, partitions=3, max_iter=1)
    assert with_three.partition_rows_.tolist() == [13, 13, 14]


# ---- several classes


def test_Z15_the_mean_of_joint_planes() -> None:
    X, y = np.array([[1.0], [2.0], [4.0], [-3.0], [-1.0], [0.5]]), np.array([0, 1, 2, 0, 1, 2])
    W, total = np.zeros((3, 2)), np.zeros((3, 2))
    for t in range(24):
        z, a = np.append(X[t % 6], 1.0), y[t % 6]
        rival = max((k for k in range(3) if k != a), key=lambda k: (W[k] @ z, -k))
        if W[a] @ z <= W[rival] @ z:
            W[a] += z
            W[rival] -= z
        total += W
    clf = fit(X, y, multi_class="joint", keep="average", max_iter=4, train_patience=None)
    assert np.allclose(np.column_stack([clf.coef_, clf.intercept_]), total / 24)


def test_coefficients_changed_by_hand_are_used_by_predict() -> None:
    X, y = nv.example("iris")
    clf = fit(X, y, multi_class="ova", keep="last", max_iter=5)
    clf.coef_, clf.intercept_ = np.zeros_like(clf.coef_), np.array([0.0, 1.0, 0.0])
    assert set(clf.predict(X)) == {"versicolor"}


def test_only_a_count_says_that_a_plane_separates() -> None:
    """The ordered sum of the first point is 1, its exact score −2: no update is needed, and the point is wrong."""
    X, y = np.array([[-3.0, 2.0**60, -(2.0**60)], [-9.0, 0.0, 0.0]]), np.array([1, 0])
    for keep, order in itertools.product(("last", "pocket"), ("cyclic", "shuffle", "first")):
        how = {"keep": keep, "order": order, "rule": "pa", "max_iter": 4, "train_patience": None, "random_state": 0}
        clf = fit(X, y, **how, coef_init=[[1.0, 1.0, 1.0]], intercept_init=[1.0])
        assert (clf.stop_reason_, clf.n_updates_, clf.history_["errors"][-1]) == ("max_passes", 0, 1)


# ---- the pocket goes on when it is known that no plane separates the points, and sets that one separates are separated


def errors_of(clf: Any, X: np.ndarray, y: np.ndarray) -> int:
    """Points that are not on their own side of the plane, in whole numbers or floats far from a tie."""
    return int((np.where(y == clf.classes_[1], 1, -1) * (X @ clf.coef_[0] + clf.intercept_[0]) <= 0).sum())


@pytest.mark.parametrize("order", ORDERS)
def test_R7a_xor_with_the_pocket_ends_with_one_error_and_its_proof(order: str) -> None:
    X, y = nv.example("xor")
    none, zero, other = (fit(X, y, order=order, random_state=seed) for seed in (None, 0, 3))
    assert errors_of(other, X, y) == 1 == other.history_["pocket_errors"][-1]
    assert other.stop_reason_ == "not_separable"  # one error is the fewest: the cycle, in pass 1, did not end the run
    if other.cycle_counts_ is None:  # `decide` was sooner
        assert other.verdict_.check(X, y)
    else:
        assert other.cycle_counts_.any()
        assert not (other.cycle_counts_ @ padded(X, y)).any()
    assert other.random_from_ is not None or order in ("first", "random")  # which find it by themselves
    if order in ("cyclic", "auto"):  # draws begin in the pass after the cycle, and are those of random_state or of 0
        assert none.random_from_ == zero.random_from_ == other.random_from_ == 2
        assert none.n_mistakes_.tolist() == zero.n_mistakes_.tolist()
        assert none.coef_.tobytes() == zero.coef_.tobytes()
        drawn = {tuple(fit(X, y, order=order, random_state=seed).n_mistakes_) for seed in range(8)}
        assert len(drawn) > 1


def test_R7_R7a_more_passes_never_give_more_errors() -> None:
    rng = np.random.default_rng(5)
    for k in range(draws(6)):
        X, y = noisy_set(rng)
        errors = [errors_of(fit(X, y, max_iter=passes, order=ORDERS[k % 6], random_state=1), X, y)
                  for passes in (1, 2, 5, 30, 100, 200, 400, 900)]  # fmt: skip
        assert all(b <= a for a, b in itertools.pairwise(errors)), errors


@pytest.mark.parametrize("n", [20, 60, 200])
def test_automatic_patience_is_100_passes_and_10_000_looks_without_a_better_pocket(n: int) -> None:
    rng = np.random.default_rng(n)
    X, y = rng.standard_normal((n, 2)), rng.choice([-1, 1], n)
    clf = fit(X, y, order="auto")
    assert (clf.stop_reason_, clf.verdict_.separable) == ("train_stalled", False)
    pocket = clf.history_["pocket_errors"]
    assert clf.n_iter_ - (pocket.index(pocket[-1]) + 1) == max(100, -(-10_000 // n))
    assert clf.random_from_ is not None


@pytest.mark.compiled
@pytest.mark.parametrize(("order", "sets"), [("cyclic", 60), ("shuffle", 20), ("random", 20)])
def test_R7a_on_noisy_sets_the_pocket_errs_no_more_than_gallants_with_as_many_looks(order: str, sets: int) -> None:
    rng = np.random.default_rng(2026)
    more = []
    for k in range(draws(sets)):
        X, y = noisy_set(rng)
        clf = fit(X, y, random_state=k, order=order)
        assert errors_of(clf, X, y) == clf.history_["pocket_errors"][-1]
        more.append(errors_of(clf, X, y) - gallant_errors(X, y, clf.n_looks_, k))
    assert np.median(more) <= 0
    assert np.percentile(more, 95) <= 1


def test_without_any_limit_a_proof_ends_the_run() -> None:
    rng = np.random.default_rng(1)
    X, y = np.repeat(rng.integers(-2, 3, (6, 2)), 2, axis=0).astype(float), np.tile([0, 1], 6)
    assert nv.Perceptron(max_iter=None, train_patience=None).fit(X, y).stop_reason_ == "cycle"


@pytest.mark.compiled
@pytest.mark.parametrize("gamma", [0.01, 0.002, 0.0005])
def test_the_default_separates_20_of_20_sets_of_this_margin_and_scikit_learns_none(gamma: float) -> None:
    """500 unit points in 10 dimensions, labelled by a plane through the origin; it is said how, without a warning."""
    for seed in range(20):
        rng = np.random.default_rng([seed, round(1 / gamma)])
        teacher = rng.standard_normal(10)
        X = rng.standard_normal((1000, 10))
        X /= np.linalg.norm(X, axis=1, keepdims=True)
        scores = X @ (teacher / np.linalg.norm(teacher))
        X, y = X[np.abs(scores) >= gamma][:500], np.where(scores > 0, 1, -1)[np.abs(scores) >= gamma][:500]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            clf = nv.Perceptron().fit(X, y)
            assert (linear_model.Perceptron().fit(X, y).predict(X) != y).any()  # and says nothing
        assert clf.stop_reason_ in ("separated", "separable")
        assert (clf.predict(X) == y).all()
        assert (nv.margins(X, y, clf.coef_[0], clf.intercept_[0]).sides == y).all()
        assert (clf.history_["mistakes"][-1] == 0) == (clf.stop_reason_ == "separated")
        assert clf.n_iter_ <= 20


FUNCTIONS, FILES = 210, 48  # that a fit of four points runs; these numbers only fall


def test_a_small_fit_goes_from_fit_to_the_update_in_five_functions_of_four_files(run_kernels: RunKernels) -> None:
    """`fit`, `train`, a pass: in the interpreter, which tells each call."""
    run_kernels("interpreted")
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [-1, -1, -1, 1]
    ran: set[tuple[str, str]] = set()
    ways: list[list[tuple[str, str]]] = []

    def called(frame: Any, event: str, _: Any) -> None:
        if event == "call" and "<" not in frame.f_code.co_name and "novikoff" in frame.f_code.co_filename.split("/"):
            ran.add((frame.f_code.co_filename, frame.f_code.co_name))
            if frame.f_code.co_name == "add_row":
                way, at = [], frame.f_back
                while at is not None and (not way or way[-1][1] != "fit"):
                    if "novikoff" in at.f_code.co_filename.split("/"):
                        way.append((at.f_code.co_filename, at.f_code.co_name))
                    at = at.f_back
                ways.append(way)

    nv.Perceptron().fit(X, y)  # what is imported once is not counted
    sys.setprofile(called)
    try:
        clf = nv.Perceptron().fit(X, y)
    finally:
        sys.setprofile(None)
    assert len(ways) >= clf.n_updates_ > 0
    for way in ways:
        assert len(way) <= 5, way
        assert len({file for file, _ in way}) <= 4, way
        assert way[-1][1] == "fit"
    assert len(ran) <= FUNCTIONS
    assert len({file for file, _ in ran}) <= FILES
