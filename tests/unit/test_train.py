"""The training loop: stopping rules, the clock, Ctrl-C, cycles, history, warm starts, validation."""

from __future__ import annotations

import _thread
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_matrix

import novikoff as nv
from data.kernel_mode import RunKernels
from data.small_sets import noisy_teacher
from novikoff.data.problem import problem_of
from novikoff.kernels import dense
from novikoff.perceptron import rules
from novikoff.perceptron.orders import Order
from novikoff.perceptron.plan import Plan
from novikoff.perceptron.rates import Rates
from novikoff.perceptron.result import COLUMNS, Result
from novikoff.perceptron.run import Run
from novikoff.perceptron.stops import Best, Stops, patience_is_over
from novikoff.perceptron.train import train


@pytest.fixture(autouse=True)
def _limits_may_warn() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", nv.NotSeparatedWarning)
        yield


def run(X: Any, y: Any, *, bias: bool = True, **choices: Any) -> Result:
    problem, _ = problem_of(X, y, fit_intercept=bias)
    return train(Run.begin(problem, Plan(**choices), np.zeros(problem.d + 1)))


# ---- stopping ------------------------------------------------------------------------------------------------------


def test_a_mistake_free_pass_always_ends_the_run() -> None:
    X, y = nv.example("cornwell")
    assert run(X, y, stops=Stops(max_passes=None, train_patience=None)).stop_reason == "separated"


def test_every_limit_stops_alone() -> None:
    X, y = noisy_teacher(400)
    passes = run(X, y, stops=Stops(max_passes=3))
    assert (passes.stop_reason, passes.passes, passes.looks) == ("max_passes", 3, 1200)
    updates = run(X, y, stops=Stops(max_updates=50))
    assert (updates.stop_reason, updates.updates) == ("max_updates", 50)
    stalled = run(X, y, stops=Stops(train_patience=4))
    assert stalled.stop_reason == "train_stalled"
    pocket = stalled.history["pocket_errors"]
    assert pocket[-5] == pocket[-1], "four passes without a better pocket"
    assert len(pocket) == 5 or pocket[-6] > pocket[-5], "and not more than four"


def test_the_first_rule_that_is_met_ends_the_run() -> None:
    X, y = noisy_teacher(400)
    together = Stops(max_passes=2, max_updates=10_000, max_seconds=60, train_patience=50)
    assert run(X, y, stops=together).stop_reason == "max_passes"


def test_a_run_that_needs_exactly_the_allowed_updates_is_separated() -> None:
    X, y = nv.example("tao")
    assert run(X, y, bias=False, stops=Stops(max_updates=2)).stop_reason == "separated"
    assert run(X, y, bias=False, stops=Stops(max_updates=1)).stop_reason == "max_updates"


def test_automatic_patience_counts_passes_without_progress_and_looks() -> None:
    stops = Stops(max_passes=None)
    assert stops.after_pass(500, 200, False, 0) is None
    assert stops.after_pass(500, 200, True, 0) == "train_stalled"
    for keep in ("last", "average", "vote"):
        assert [patience_is_over(keep, looks, 100, 0) for looks in (9_999_999, 10_000_000)] == [False, True]
        assert not patience_is_over(keep, 10**9, 99, 0)
    assert [patience_is_over("pocket", 10**9, 100, looks) for looks in (9_999, 10_000)] == [False, True]
    assert [patience_is_over("auto", looks, 20, 0) for looks in (99_999, 100_000)] == [False, True]
    assert not patience_is_over("auto", 10**9, 19, 0)


def test_best_counts_the_passes_since_something_was_lower() -> None:
    best = Best()
    assert [best.offer(count) for count in (5, 5, 7, 4)] == [True, False, False, True]
    assert (best.lowest, best.since) == (4, 0)


@pytest.mark.compiled
def test_the_clock_is_heard_inside_a_pass() -> None:
    X, y = noisy_teacher(300_000, 40)
    result = run(X, y, keep="last", stops=Stops(max_seconds=1e-4))
    assert result.stop_reason == "max_seconds"
    assert 0 < result.looks < 300_000, "it ended inside the first pass"


@pytest.mark.compiled
@pytest.mark.parametrize("keep", ["last", "pocket", "average", "vote"])
def test_ctrl_c_ends_the_run_and_keeps_the_best_weights(
    keep: str, keyboard: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y = noisy_teacher(20_000, 5)
    begin, begun = Run.begin_pass, []

    def pressed_in_the_third(course: Run) -> None:
        begun.append(1)
        if len(begun) == 3:
            _thread.interrupt_main()
        begin(course)

    monkeypatch.setattr(Run, "begin_pass", pressed_in_the_third)
    result = run(X, y, keep=keep, stops=Stops(max_passes=None, max_seconds=None, train_patience=None))
    assert result.stop_reason == "interrupted"
    assert result.w.any()
    if keep == "pocket":
        assert result.errors == min(e for e in result.history["pocket_errors"])


def test_ctrl_c_is_python_s_own_again_after_the_run() -> None:
    before = signal.getsignal(signal.SIGINT)
    run(*nv.example("or"))
    assert signal.getsignal(signal.SIGINT) is before


def test_outside_the_main_thread_the_keyboard_is_left_alone() -> None:
    results: list[Result] = []
    thread = threading.Thread(target=lambda: results.append(run(*nv.example("or"))))
    thread.start()
    thread.join()
    assert results[0].stop_reason == "separated"


# ---- returns -------------------------------------------------------------------------------------------------------


def test_xor_comes_back_after_four_updates_and_the_counts_are_the_proof() -> None:
    result = run(*nv.example("xor"), keep="last")
    assert (result.stop_reason, result.updates) == ("cycle", 4)
    assert result.cycle_counts is not None
    assert result.cycle_counts.tolist() == [1, 1, 1, 1]


@pytest.mark.slow
@pytest.mark.parametrize("order", ["cyclic", "first", "shuffle", "random"])
def test_a_cycle_found_in_a_later_window_sums_to_zero(order: str) -> None:
    rng = np.random.default_rng(3)
    found = 0
    for _ in range(30):
        X = rng.integers(-2, 3, (8, 2)).astype(float)
        y = rng.choice([-1, 1], 8)
        if abs(y.sum()) == 8:
            continue
        result = run(X, y, order=Order(order, 1), stops=Stops(max_passes=3000))
        assert result.stop_reason == "separated" or result.cycle_counts is not None
        if result.cycle_counts is not None:
            found += 1
            Z = y[:, None] * np.column_stack([X, np.ones(8)])
            assert result.cycle_counts.min() >= 0
            assert result.cycle_counts.any()
            assert not (result.cycle_counts @ Z).any()
    assert found > 3


@pytest.mark.parametrize(("keep", "passes"), [("last", 1), ("average", 20), ("vote", 20)])
def test_a_proof_at_the_first_rows_leaves_the_average_and_the_vote_twenty_passes(keep: str, passes: int) -> None:
    """Two equal rows with opposite labels bring w back to 0 at once: proved, but the run would not repeat itself."""
    X, y = noisy_teacher(60)
    X, y = np.vstack([X[:1], X[:1], X]), np.concatenate([[1, -1], y])
    result = run(X, y, keep=keep)
    assert (result.stop_reason, result.passes) == ("cycle", passes)
    assert result.cycle_counts is not None
    assert result.cycle_counts.tolist() == [1, 1] + [0] * 60
    assert result.w.any() == (keep != "last")


def test_a_return_by_rounding_claims_nothing() -> None:
    """Rows (−1, 1) and (2e-17, 1e-17) without bias freeze w although (0, 1) separates them."""
    X, y = np.array([[-1.0, 1.0], [-2e-17, -1e-17]]), np.array([1, -1])
    for rows in (X, csr_matrix(X)):
        result = run(rows, y, bias=False)
        assert result.stop_reason == "rounding"
        assert result.cycle_counts is None
    separating = Plan(stops=Stops(max_passes=5))
    problem, _ = problem_of(X, y, fit_intercept=False)
    assert train(Run.begin(problem, separating, np.array([0.0, 1.0, 0.0]))).stop_reason == "separated"


def test_with_a_schedule_or_class_weights_no_cycle_is_claimed() -> None:
    X, y = nv.example("xor")
    harmonic = Rates(1.0, lambda k: 1.0 / k)
    assert run(X, y, rates=harmonic, stops=Stops(max_passes=50)).stop_reason == "max_passes"
    assert run(X, y, factors=(1.0, 2.0), stops=Stops(max_passes=50)).stop_reason == "max_passes"


# ---- history -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("keep", ["last", "pocket", "average", "vote"])
def test_history_has_one_entry_for_each_pass_and_column(keep: str) -> None:
    X, y = noisy_teacher(60)
    result = run(X, y, keep=keep, stops=Stops(max_passes=7))
    assert set(result.history) == set(COLUMNS)
    assert {len(column) for column in result.history.values()} == {7}
    assert result.history["pass"] == [1, 2, 3, 4, 5, 6, 7]
    assert sum(result.history["updates"]) == result.updates == int(result.mistakes.sum())
    assert np.diff(result.history["seconds"]).min() >= 0


def test_errors_are_in_the_history_only_where_they_are_counted_anyway() -> None:
    X, y = noisy_teacher(60)
    assert None not in run(X, y, stops=Stops(max_passes=3)).history["errors"]
    assert run(X, y, keep="last", stops=Stops(max_passes=3)).history["errors"] == [None] * 3


def test_the_loss_of_a_pass_is_the_perceptron_loss_of_its_looks() -> None:
    X, y = noisy_teacher(50)
    result = run(X, y, keep="last", rates=Rates(0.5), stops=Stops(max_passes=3))
    w, b = np.zeros(3), 0.0
    for loss in result.history["loss"]:
        total = 0.0
        for x, label in zip(X, y, strict=True):
            m = label * (w @ x + b)
            if m <= 0:
                total -= m
                w, b = w + 0.5 * label * x, b + 0.5 * label
        assert loss == pytest.approx(total, rel=1e-12)


def test_the_norm_is_that_of_the_weights_with_their_bias() -> None:
    X, y = noisy_teacher(50)
    result = run(X, y, keep="last", rates=Rates(0.1), stops=Stops(max_passes=2))
    assert result.history["norm"][-1] == pytest.approx(np.hypot(np.linalg.norm(result.w), result.b))


# ---- going on ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("keep", ["last", "pocket", "average", "vote"])
@pytest.mark.parametrize("order", ["cyclic", "shuffle", "random"])
def test_two_fits_of_a_warm_start_are_one_long_fit(keep: str, order: str) -> None:
    X, y = noisy_teacher(80)
    choices = {"keep": keep, "order": order, "eta0": 0.1, "random_state": 3}
    whole = nv.Perceptron(max_iter=6, **choices).fit(X, y)
    halves = nv.Perceptron(max_iter=3, warm_start=True, **choices).fit(X, y).fit(X, y)
    assert whole.coef_.tobytes() == halves.coef_.tobytes()
    assert whole.intercept_.tobytes() == halves.intercept_.tobytes()
    assert np.array_equal(whole.n_mistakes_, halves.n_mistakes_)
    assert (whole.n_looks_, whole.n_iter_) == (halves.n_looks_, halves.n_iter_)
    assert np.array_equal(whole.decision_function(X), halves.decision_function(X))


def test_validation_points_choose_the_weights() -> None:
    X, y = noisy_teacher(200)
    V, v = noisy_teacher(100, seed=0)
    for keep in ("last", "pocket", "average", "vote"):
        clf = nv.Perceptron(keep=keep, max_iter=200, valid_patience=3).fit(X, y, X_valid=V, y_valid=v)
        counted = clf.history_["valid_errors"]
        scores = clf.decision_function(V) * v
        assert int((scores <= 0).sum()) == min(counted)
        assert clf.stop_reason_ == "valid_stalled"
        assert len(counted) == int(np.argmin(counted)) + 4


def test_the_held_out_part_is_a_fraction_of_each_class() -> None:
    from novikoff.perceptron.keeps.validation import hold_out

    y = np.repeat(np.array([-1, 1], np.int8), [90, 10])
    kept = hold_out(y, 0.2, seed=1)
    assert (np.count_nonzero(~kept[:90]), np.count_nonzero(~kept[90:])) == (18, 2)
    assert not np.array_equal(kept, hold_out(y, 0.2, seed=2))


def test_a_stretch_is_short_enough_to_hear_the_clock() -> None:
    wide = np.zeros((10, 3_000_000), np.float32)
    wide[:5, 0] = 1.0
    problem, _ = problem_of(wide, [0] * 5 + [1] * 5)
    assert Run.begin(problem, Plan(), np.zeros(problem.d + 1)).most == 1


def test_fit_reaches_the_rule_through_train_and_the_pass(run_kernels: RunKernels) -> None:
    """Fit, train, the looks of a pass: no other function of the package is on the way to the update."""
    run_kernels("interpreted")  # so that calls are seen
    package, seen = str(Path(nv.__file__).parent), set()

    def call(frame: Any, event: str, _: object) -> None:
        if event == "call" and frame.f_code in (rules.perceptron.__code__, dense.add_row.__code__):
            names = [
                f.f_code.co_name for f, _ in traceback.walk_stack(frame) if f.f_code.co_filename.startswith(package)
            ]
            seen.add(tuple(reversed(names[: names.index("fit") + 1])))

    X, y = nv.example("or")
    sys.setprofile(call)
    try:
        nv.Perceptron(keep="last").fit(X, y)
    finally:
        sys.setprofile(None)
    way = ("fit", "train", "make_pass", "make_looks", "pass_one")
    assert seen == {(*way, "add_row"), (*way, "step_of", "perceptron")}


def test_a_warning_names_the_line_of_the_caller() -> None:
    X, y = nv.example("xor")
    with pytest.warns(nv.NotSeparatedWarning) as caught:
        nv.Perceptron(max_iter=2).fit(X, y)
    assert [warning.filename for warning in caught] == [__file__]
