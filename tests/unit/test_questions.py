"""A run asks whether a plane separates its points: after which passes, with how much work, and what follows."""

from __future__ import annotations

import _thread
import signal
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from data.small_sets import noisy_teacher
from novikoff.data.problem import problem_of
from novikoff.perceptron.orders import Order
from novikoff.perceptron.plan import Plan
from novikoff.perceptron.questions import LOOK
from novikoff.perceptron.result import Result
from novikoff.perceptron.run import Run
from novikoff.perceptron.scheme import Scheme
from novikoff.perceptron.stops import Interrupt, Stops
from novikoff.perceptron.train import train


@dataclass
class Answer:
    """What a question is answered with."""

    separable: bool | None


@dataclass
class Known:
    """Answers every question alike from its k-th on, and remembers the questions."""

    says: bool | None
    since: int = 1
    asked: list[tuple[int, int, float | None]] = field(default_factory=list)  # plane, work, seconds
    has_plane: bool = True
    computed: list[tuple[int, int, float | None]] = field(default_factory=list)

    def numbers(self, problem: Any) -> int:
        return 5

    def decide(self, problem: Any, plane: int, mistakes: Any, work: int, seconds: Any) -> tuple[Answer | None, int]:
        self.asked.append((plane, work, seconds))
        late = self.says is not None and len(self.asked) >= self.since
        return (Answer(self.says) if late else None), 7

    def plane(self, problem: Any, plane: int, answer: Any, work: int, seconds: Any) -> np.ndarray | None:
        assert answer.separable
        self.computed.append((plane, work, seconds))
        return np.full(problem.d + 1, 0.5) if self.has_plane else None


def begun(decider: Any = None, limits: Stops | None = None, keep: str = "average", order: str = "cyclic") -> Run:
    problem, _ = problem_of(*noisy_teacher())
    plan = Plan(Order(order), keep=keep, stops=limits or Stops(max_passes=400))
    run = Run.begin(problem, plan, np.zeros(problem.d + 1))
    run.questions.decider = decider
    return run


def same(a: Result, b: Result) -> bool:
    """Whether two runs made the same looks and returned the same bits."""
    histories = [{k: v for k, v in r.history.items() if k != "seconds"} for r in (a, b)]
    counts = [(r.passes, r.looks, r.updates, r.errors, r.mistakes.tolist(), r.plane.tobytes()) for r in (a, b)]
    return counts[0] == counts[1] and histories[0] == histories[1]


@pytest.mark.parametrize("keep", ["auto", "average", "vote"])
def test_no_plane_ends_the_run_after_twenty_passes(keep: str) -> None:
    known = Known(False)
    result = train(begun(known, keep=keep))
    assert (result.stop_reason, result.passes, len(known.asked)) == ("not_separable", 20, 1)
    assert result.verdict.separable is False
    assert same(result, train(begun(limits=Stops(max_passes=20), keep=keep)))


@pytest.mark.parametrize(("since", "passes"), [(1, 20), (2, 20), (3, 40), (4, 80)])
def test_questions_come_after_passes_10_20_40_80(since: int, passes: int) -> None:
    known = Known(False, since)
    result = train(begun(known))
    assert (result.stop_reason, result.passes, len(known.asked)) == ("not_separable", passes, since)


def test_the_work_is_that_of_the_looks_less_what_was_spent() -> None:
    known = Known(None)
    train(begun(known, Stops(max_passes=100)))
    n = len(noisy_teacher()[1])
    assert [work for _, work, _ in known.asked] == [n * p * (5 + LOOK) - 7 * k for k, p in enumerate((10, 20, 40, 80))]


@pytest.mark.parametrize("keep", ["average", "last", "vote"])
def test_a_plane_lets_a_textbook_run_continue_to_its_last_pass_and_nothing_is_asked_again(keep: str) -> None:
    known = Known(True)
    result = train(begun(known, keep=keep))
    assert (result.stop_reason, result.passes, len(known.asked)) == ("max_passes", 400, 1)
    assert result.verdict.separable is True
    assert not known.computed, "what these keeps return is never computed in another way"
    assert same(result, train(begun(limits=Stops(max_passes=400, train_patience=None), keep=keep)))


@pytest.mark.parametrize(("since", "passes"), [(1, 20), (2, 20), (3, 40)])
def test_keep_auto_ends_with_a_computed_plane_after_pass_20_or_when_it_is_proved(since: int, passes: int) -> None:
    known = Known(True, since)
    result = train(begun(known, keep="auto"))
    assert (result.stop_reason, result.passes, len(known.asked)) == ("separable", passes, since)
    n = len(noisy_teacher()[1])
    assert known.computed == [(0, n * passes * (5 + LOOK) - 7 * since, None)]
    assert result.plane.tolist() == [0.5] * result.plane.size
    run = train(begun(limits=Stops(max_passes=passes), keep="auto"))
    assert (result.updates, result.mistakes.tolist()) == (run.updates, run.mistakes.tolist())


def test_keep_auto_goes_on_if_no_plane_fits_into_binary64_and_computes_it_once() -> None:
    known = Known(True, has_plane=False)
    result = train(begun(known, Stops(max_passes=100), keep="auto"))
    assert (result.stop_reason, result.passes, len(known.computed)) == ("max_passes", 100, 1)
    assert result.verdict.separable is True
    assert same(result, train(begun(limits=Stops(max_passes=100, train_patience=None), keep="auto")))


@pytest.mark.parametrize(("error", "reason"), [(TimeoutError, "max_seconds"), (KeyboardInterrupt, "interrupted")])
def test_time_or_ctrl_c_while_a_plane_is_computed_end_the_run_with_its_average(error: Any, reason: str) -> None:
    class Slow(Known):
        def plane(self, *_: Any) -> Any:
            raise error

    result = train(begun(Slow(True), Stops(max_passes=100, max_seconds=500.0), keep="auto"))
    assert (result.stop_reason, result.passes) == (reason, 20)
    assert result.plane.tobytes() == train(begun(limits=Stops(max_passes=20), keep="auto")).plane.tobytes()


def test_undecided_changes_nothing() -> None:
    known = Known(None)
    result = train(begun(known, Stops(max_passes=100)))
    assert (result.stop_reason, result.verdict, len(known.asked)) == ("max_passes", None, 4)
    assert same(result, train(begun(limits=Stops(max_passes=100))))


def test_keep_last_ends_by_its_limit_which_is_the_reason_and_has_the_proof() -> None:
    result = train(begun(Known(False), Stops(max_passes=100), keep="last"))
    assert (result.stop_reason, result.passes) == ("max_passes", 100)
    assert result.verdict.separable is False


def test_the_pocket_continues() -> None:
    result = train(begun(Known(False), Stops(max_passes=100), keep="pocket"))
    assert (result.stop_reason, result.passes) == ("max_passes", 100)
    assert result.verdict.separable is False


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (Stops(max_passes=99), "max_passes"),
        (Stops(max_passes=400, train_patience=100), "train_stalled"),
        (Stops(max_passes=100, train_patience=None), "max_passes"),
        (Stops(max_passes=400, max_updates=50), "max_updates"),
    ],
)
def test_short_runs_chosen_patience_and_other_limits_never_ask(limits: Stops, reason: str) -> None:
    known = Known(False)
    assert train(begun(known, limits)).stop_reason == reason
    assert not known.asked


def test_a_question_gets_the_rest_of_the_time() -> None:
    known = Known(False)
    assert train(begun(known, Stops(max_passes=100, max_seconds=500.0))).stop_reason == "not_separable"
    ((_, _, seconds),) = known.asked
    assert seconds is not None
    assert 0 < seconds < 500


def test_a_question_cut_by_the_time_ends_the_run_as_max_seconds() -> None:
    class Slow(Known):
        def decide(self, *_: Any) -> Any:
            raise TimeoutError

    result = train(begun(Slow(False), Stops(max_passes=100, max_seconds=500.0)))
    assert (result.stop_reason, result.passes, result.verdict) == ("max_seconds", 10, None)


def test_nothing_is_asked_about_points_that_a_cycle_or_the_pocket_has_settled() -> None:
    known = Known(False)
    problem, _ = problem_of(*nv.example("xor"))
    run = Run.begin(problem, Plan(order=Order("shuffle", 0), keep="average"), np.zeros(3))
    run.questions.decider = known
    assert (train(run).stop_reason, known.asked) == ("cycle", [])
    run = begun(known, keep="pocket")
    run.passes, run.keep.errors = 10, 0
    run.questions.after_pass(run)
    assert not known.asked


def test_ctrl_c_ends_the_question_and_keeps_the_weights() -> None:
    class Pressed(Known):
        def decide(self, *_: Any) -> Any:
            raise KeyboardInterrupt

    result = train(begun(Pressed(False), Stops(max_passes=100)))
    assert (result.stop_reason, result.verdict) == ("interrupted", None)
    assert same(result, train(begun(limits=Stops(max_passes=10))))


def test_one_ctrl_c_is_enough_in_a_question_and_none_is_lost_after_it(keyboard: None) -> None:
    class Slow(Known):
        def decide(self, *_: Any) -> Any:
            _thread.interrupt_main()
            time.sleep(0.01)
            return Answer(False), 0

    before = signal.getsignal(signal.SIGINT)
    assert train(begun(Slow(False), Stops(max_passes=100))).stop_reason == "interrupted"
    assert signal.getsignal(signal.SIGINT) is before
    with Interrupt() as pressed:
        with Interrupt.at_once(), pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        assert not pressed
        signal.raise_signal(signal.SIGINT)
        assert pressed


def test_a_run_that_is_continued_has_no_answers_and_one_at_rest_no_decider() -> None:
    run = begun(Known(True), Stops(max_passes=100))
    assert train(run).verdict.separable
    run.rest(None)
    assert (run.questions.decider, run.questions.answers) == (None, {})
    problem, _ = problem_of(*noisy_teacher())
    assert run.go_on(problem, Plan(keep="average")).questions.answers == {}


def many(decider: Any, scheme: str = "ova", keep: str = "auto", factors: tuple[float, ...] = (1.0,) * 3) -> Run:
    X, y = nv.example("iris")
    problem, classes = problem_of(X, y, fit_intercept=True, many=True)
    how = Scheme(scheme, len(classes))
    plan = Plan(Order("auto"), keep=keep, stops=Stops(max_passes=100), factors=factors)
    run = Run.begin(problem, plan, np.zeros((how.planes, 5)), None, how)
    run.questions.decider = decider
    return run


def test_each_plane_that_still_makes_mistakes_is_asked_about() -> None:
    known = Known(False)
    result = train(many(known))
    assert [plane for plane, _, _ in known.asked] == [1, 2]  # setosa is separated in the first passes
    assert (result.stop_reason, result.passes, sorted(result.verdicts)) == ("not_separable", 20, [1, 2])


def test_many_classes_run_on_while_a_plane_is_not_settled() -> None:
    result = train(many(Known(False, since=2)))
    assert result.passes == 20  # the other plane is settled at pass 20
    assert train(many(Known(None))).stop_reason == "max_passes"
    assert train(many(Known(True), keep="average")).stop_reason == "max_passes"


class Versicolor(Known):
    """Of iris: versicolor is separable, virginica not."""

    def decide(self, problem: Any, plane: int, *limits: Any) -> tuple[Answer | None, int]:
        return Answer(plane == 1), super().decide(problem, plane, *limits)[1]


def test_of_many_classes_each_separable_plane_that_still_errs_is_computed() -> None:
    known = Known(True)
    result, run = train(many(known)), train(many(None))
    assert (result.stop_reason, result.passes) == ("separable", 20)
    assert [plane for plane, _, _ in known.computed] == [1, 2]
    assert result.plane[1:].tolist() == [[0.5] * 5] * 2
    assert result.plane[0].tobytes() == run.plane[0].tobytes(), "setosa's plane has separated its points"
    known = Versicolor(True)
    result = train(many(known))
    assert (result.stop_reason, result.passes, [plane for plane, _, _ in known.computed]) == ("not_separable", 20, [1])
    assert result.plane[1].tolist() == [0.5] * 5
    assert result.plane[2].tolist() != [0.5] * 5


def test_classes_of_unequal_weight_go_on_while_one_of_them_is_not_separable_and_compute_nothing_before() -> None:
    known = Versicolor(True)
    result = train(many(known, factors=(1.0, 2.0, 1.0)))
    assert (result.stop_reason, result.passes) == ("not_separable", 100)
    assert [(plane, work) for plane, work, _ in known.computed] == [(1, 150 * 100 * (5 + LOOK) - 7)]
    assert train(many(Known(True), factors=(1.0, 2.0, 1.0))).passes == 20
