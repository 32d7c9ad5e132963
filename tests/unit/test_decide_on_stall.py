"""A stall asks once whether there is a plane at all: when, with how much time, and what follows from the answer."""

from __future__ import annotations

import _thread
import pickle
import signal
import subprocess
import sys
import time
import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from data.small_sets import noisy_teacher
from novikoff.data.problem import problem_of
from novikoff.estimators import decide_on_stall
from novikoff.perceptron import stops
from novikoff.perceptron.orders import Order
from novikoff.perceptron.plan import Plan
from novikoff.perceptron.run.result import Result
from novikoff.perceptron.run.run import Run
from novikoff.perceptron.stops import Interrupt, Stops
from novikoff.perceptron.train import train

pytestmark = pytest.mark.filterwarnings("ignore::novikoff.estimators.perceptron_estimator.NotSeparatedWarning")


def narrow() -> tuple[np.ndarray, np.ndarray]:
    """Points that a plane separates, but the perceptron not in some hundred passes."""
    X = np.array([[0.0, 1.0], [1.0, 1.0], [0.0, -1.0], [1.0, -1.0], [1e6, 1.0], [1e6, 1.0 - 1e-3]])
    return X, np.array([1, 1, -1, -1, 1, -1])


@dataclass
class Answer:
    """What a question is answered with."""

    separable: bool | None


@dataclass
class ReadRequest:
    """Answers every question alike, and counts them."""

    says: bool | None
    seconds: list[float | None] = field(default_factory=list)

    def __call__(self, seconds: float | None) -> Answer | None:
        self.seconds.append(seconds)
        return None if self.says is None else Answer(self.says)


def begun(on_stall: Any = None, limits: Stops | None = None, keep: str = "average") -> Run:
    problem, _ = problem_of(*noisy_teacher())
    run = Run.begin(problem, Plan(keep=keep, stops=limits or Stops(max_passes=400)), np.zeros(problem.d + 1))
    run.on_stall = on_stall
    return run


def same(a: Result, b: Result) -> bool:
    """Whether two runs made the same looks and handed back the same bits."""
    histories = [{k: v for k, v in r.history.items() if k != "seconds"} for r in (a, b)]
    counts = [(r.passes, r.looks, r.updates, r.errors, r.mistakes.tolist(), r.plane.tobytes()) for r in (a, b)]
    return counts[0] == counts[1] and histories[0] == histories[1]


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stall needs 100 passes, but no ten million looks."""
    monkeypatch.setattr(stops, "AUTO_LOOKS", 0)


# ---- the loop, whoever answers -------------------------------------------------------------------------------------


@pytest.mark.usefixtures("soon")
def test_no_plane_ends_the_run_where_it_stalled() -> None:
    request = ReadRequest(False)
    result = train(begun(request))
    assert (result.stop_reason, request.seconds) == ("not_separable", [None])
    assert result.verdict.separable is False
    assert same(result, train(begun(limits=Stops(max_passes=400, train_patience=100))))
    assert result.passes < 400


@pytest.mark.usefixtures("soon")
def test_a_plane_lets_the_run_go_on_to_its_last_pass_and_nobody_asks_again() -> None:
    request = ReadRequest(True)
    result = train(begun(request))
    assert (result.stop_reason, result.passes, len(request.seconds)) == ("max_passes", 400, 1)
    assert result.verdict.separable is True
    assert same(result, train(begun(limits=Stops(max_passes=400, train_patience=None))))


@pytest.mark.usefixtures("soon")
def test_undecided_is_as_if_nobody_had_asked() -> None:
    request = ReadRequest(None)
    result = train(begun(request))
    assert (result.stop_reason, result.verdict, len(request.seconds)) == ("train_stalled", None, 1)
    assert same(result, train(begun()))


@pytest.mark.usefixtures("soon")
def test_without_a_last_pass_a_stall_stays_an_end() -> None:
    result = train(begun(ReadRequest(True), Stops(max_passes=None)))
    assert (result.stop_reason, result.verdict.separable) == ("train_stalled", True)
    assert train(begun(ReadRequest(False), Stops(max_passes=None))).stop_reason == "not_separable"


@pytest.mark.parametrize(("says", "reason"), [(True, "max_passes"), (False, "not_separable"), (None, "max_passes")])
def test_the_last_of_a_hundred_passes_asks(says: bool | None, reason: str) -> None:
    request = ReadRequest(says)
    result = train(begun(request, Stops(max_passes=100)))
    assert (result.stop_reason, result.passes, len(request.seconds)) == (reason, 100, 1)


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (Stops(max_passes=99), "max_passes"),
        (Stops(max_passes=400, train_patience=100), "train_stalled"),
        (Stops(max_passes=400, train_patience=None), "max_passes"),
        (Stops(max_passes=400, max_updates=50), "max_updates"),
    ],
)
def test_short_runs_chosen_patience_and_other_limits_never_ask(limits: Stops, reason: str) -> None:
    request = ReadRequest(False)
    assert train(begun(request, limits)).stop_reason == reason
    assert not request.seconds


def test_what_is_left_of_the_time_is_handed_on() -> None:
    request = ReadRequest(False)
    assert train(begun(request, Stops(max_passes=100, max_seconds=500.0))).stop_reason == "not_separable"
    assert request.seconds[0] is not None
    assert 0 < request.seconds[0] < 500


def test_nobody_is_asked_when_no_time_is_left() -> None:
    request = ReadRequest(False)
    run = begun(request, Stops(max_passes=100, max_seconds=500.0))
    run.reason, run.clock = "max_passes", time.perf_counter() - 1000
    run.decide_if_stalled()
    assert (run.reason, request.seconds) == ("max_passes", [])


def test_nobody_is_asked_where_the_pocket_is_a_plane() -> None:
    request = ReadRequest(False)
    run = begun(request, keep="pocket")
    run.reason, run.keep.errors = "max_passes", 0
    run.decide_if_stalled()
    assert (run.reason, request.seconds) == ("max_passes", [])


def test_a_cycle_needs_no_other_proof() -> None:
    request = ReadRequest(False)
    problem, _ = problem_of(*nv.example("xor"))
    run = Run.begin(problem, Plan(order=Order("shuffle", 0)), np.zeros(3))
    run.on_stall = request
    assert (train(run).stop_reason, request.seconds) == ("not_separable", [])
    assert run.cycle_counts is not None


def test_ctrl_c_ends_the_question_and_keeps_the_weights() -> None:
    def pressed(seconds: float | None) -> None:
        raise KeyboardInterrupt

    result = train(begun(pressed, Stops(max_passes=100)))
    assert (result.stop_reason, result.verdict) == ("interrupted", None)
    assert same(result, train(begun(limits=Stops(max_passes=100))))


def test_one_ctrl_c_is_enough_in_a_question_and_none_is_lost_after_it(keyboard: None) -> None:
    def slow(seconds: float | None) -> Answer:
        _thread.interrupt_main()
        time.sleep(0.01)
        return Answer(False)

    before = signal.getsignal(signal.SIGINT)
    assert train(begun(slow, Stops(max_passes=100))).stop_reason == "interrupted"
    assert signal.getsignal(signal.SIGINT) is before
    with Interrupt() as pressed:
        with Interrupt.at_once(), pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        assert not pressed
        signal.raise_signal(signal.SIGINT)
        assert pressed


def test_a_run_that_goes_on_knows_no_verdict_and_one_at_rest_no_points() -> None:
    run = begun(ReadRequest(True), Stops(max_passes=100))
    assert train(run).verdict.separable
    run.rest(None)
    assert run.on_stall is None
    assert run.verdict is None
    problem, _ = problem_of(*noisy_teacher())
    assert run.go_on(problem, Plan(keep="average")).verdict is None


# ---- who is asked, and about what ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "D", "yes"),
    [
        (100, 5, True),
        (10**9, 66, True),
        (10**9, 67, False),
        (2000, 50_000, False),
        (5, 12_000, True),
        (5, 12_001, False),
    ],
)
def test_the_size_alone_says_whether_an_answer_comes_in_seconds(n: int, D: int, yes: bool) -> None:
    assert decide_on_stall.answerable(n, D) is yes


def test_points_too_many_and_wide_are_not_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = noisy_teacher()
    assert nv.Perceptron(max_iter=100).fit(X, y).verdict_.separable is False
    monkeypatch.setattr(decide_on_stall, "WORK", 4**3 - 1)
    clf = nv.Perceptron(max_iter=100).fit(X, y)
    assert (clf.stop_reason_, clf.verdict_) == ("max_passes", None)


def test_an_undecided_verdict_is_no_verdict() -> None:
    assert decide_on_stall.decided(*noisy_teacher(), fit_intercept=True, seconds=1e-9) is None


def test_a_fit_in_little_time_claims_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = noisy_teacher()
    monkeypatch.setattr(
        "novikoff.estimators.learner.decided", lambda X, y, bias, *_: decide_on_stall.decided(X, y, bias, 1e-9)
    )
    clf = nv.Perceptron(max_iter=100, max_time=1000.0).fit(X, y)
    assert (clf.stop_reason_, clf.verdict_) == ("max_passes", None)


@pytest.mark.slow
def test_a_verdict_is_stored_without_the_points() -> None:
    X, y = noisy_teacher(500, 4)
    for warm_start in (False, True):
        clf = nv.Perceptron(max_iter=100, warm_start=warm_start).fit(X, y)
        verdict = clf.verdict_
        assert clf.stop_reason_ == "max_passes"
        bare = pickle.dumps(nv.Perceptron(max_iter=100, warm_start=warm_start, train_patience=None).fit(X, y))
        assert len(pickle.dumps(clf)) < len(bare) + 2000, "the 500 points have 16,000 bytes"
        again = pickle.loads(pickle.dumps(clf)).verdict_
        for one in (verdict, again):
            assert (one.kind, one.support, one.weights) == ("overlap", verdict.support, verdict.weights)
            assert one.check(X, y)
        with pytest.raises(nv.InputError, match="decide again"):
            again.save("proof.json")


def test_the_kind_is_known_without_the_points() -> None:
    X = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 0.0], [0.5, 1.0], [0.5, -1.0]])
    y = np.array([0, 0, 1, 1, 1])
    clf = nv.Perceptron(max_iter=100, order="random", random_state=0, rule="pa1", keep="last").fit(X, y)
    assert clf.stop_reason_ == "not_separable"
    assert pickle.loads(pickle.dumps(clf)).verdict_.kind == nv.decide(X, y).kind
    y = np.array([0, 0, 1, 1, 0])
    clf.fit(X, y)
    assert clf.stop_reason_ == "not_separable"
    verdict = pickle.loads(pickle.dumps(clf)).verdict_
    assert verdict.kind == nv.decide(X, y).kind == "quasi-complete"
    assert verdict.separated.tolist() == [3, 4]


@pytest.mark.slow
def test_validation_many_classes_and_streams_do_not_ask() -> None:
    X, y = noisy_teacher(200)
    aside = nv.Perceptron(max_iter=100, early_stopping=True, valid_patience=1000, random_state=0).fit(X, y)
    given = nv.Perceptron(max_iter=100, valid_patience=1000).fit(X, y, X_valid=X, y_valid=y)
    many = nv.Perceptron(max_iter=100).fit(X, np.arange(200) % 3)
    assert {(clf.stop_reason_, clf.verdict_) for clf in (aside, given, many)} == {("max_passes", None)}
    assert nv.Perceptron().partial_fit(X, y).verdict_ is None
    request = nv.Perceptron(max_iter=100).fit(X, y)
    assert request.verdict_ is not None
    assert request.partial_fit(X, y).verdict_ is None


def test_a_separated_run_has_no_verdict() -> None:
    assert nv.Perceptron().fit(*nv.example("and")).verdict_ is None


@pytest.mark.slow
def test_a_warm_start_in_halves_ends_as_the_whole_run() -> None:
    for X, y in (noisy_teacher(), narrow()):
        whole = nv.Perceptron(max_iter=400).fit(X, y)
        halves = nv.Perceptron(max_iter=200, warm_start=True).fit(X, y).fit(X, y)
        assert whole.verdict_ is not None
        assert whole.stop_reason_ == halves.stop_reason_
        assert np.array_equal(whole.coef_, halves.coef_)
        assert repr(whole.verdict_) == repr(halves.verdict_)
        short = nv.Perceptron(max_iter=50, warm_start=True)
        for _ in range(4):
            assert short.fit(X, y).verdict_ is None


def test_labels_in_a_column_are_warned_of_once() -> None:
    X, y = noisy_teacher()
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        nv.Perceptron(max_iter=100).fit(X, y[:, None])
    assert [w.category.__name__ for w in seen] == ["DataConversionWarning", "NotSeparatedWarning"]


@pytest.mark.slow
def test_a_fit_that_never_stalls_does_not_load_the_exact_numbers() -> None:
    script = (
        "import sys, warnings, novikoff as nv\nwarnings.simplefilter('ignore')\n"
        "clf = nv.Perceptron().fit(*nv.example('and')); X, y = nv.example('iris')\n"
        "nv.Perceptron(max_iter=99).fit(X[50:], y[50:])\n"
        "print('flint' in sys.modules)\n"
        "nv.Perceptron(max_iter=100).fit(X[50:], y[50:])\n"
        "print('flint' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.split() == ["False", "True"]


# ---- in words ------------------------------------------------------------------------------------------------------


def test_the_warning_says_what_is_proved() -> None:
    X, y = noisy_teacher()
    with pytest.warns(nv.NotSeparatedWarning) as seen:
        clf = nv.Perceptron(max_iter=100).fit(X, y)
    rows, errors = len(clf.verdict_.support), clf.history_["pocket_errors"][-1]
    said = str(seen[0].message)
    proof = f"no plane separates the points: `verdict_` proves it with {rows} rows ("
    assert said.startswith(f"max_passes: the limit of passes was reached, and {proof}")
    assert f"from pass {clf.random_from_} on with rows drawn at random); the weights kept (pocket) have" in said
    assert f"have {errors} of 60 training points on the wrong side" in said
    with pytest.warns(nv.NotSeparatedWarning) as seen:
        nv.Perceptron(max_iter=100, keep="last").fit(X, y)
    assert str(seen[0].message).startswith(f"not_separable: {proof}")


def test_the_warning_says_that_a_plane_is_known() -> None:
    X, y = narrow()
    with pytest.warns(nv.NotSeparatedWarning) as seen:
        clf = nv.Perceptron(max_iter=100).fit(X, y)
    assert (clf.stop_reason_, clf.verdict_.separable) == ("max_passes", True)
    said = str(seen[0].message)
    assert "The points are separable, which is proved: the perceptron needs more passes." in said
    assert "`verdict_.w`, `verdict_.b` are a plane" in said
    assert "no number of passes is enough" not in said
    w, b = np.array(clf.verdict_.w, object), clf.verdict_.b
    assert ((X.astype(object) @ w + b) * y > 0).all()
