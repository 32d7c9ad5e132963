"""Counting the pocket's candidates beside the looks of the next pass: the same counts, and the same run to the bit.

The slow reference is exact: each count is Σ [y·(⟨c, x⟩ + b·pad) ≤ 0] in fractions.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
import scipy.sparse

from novikoff.data.problem import Problem, problem_of
from novikoff.kernels.compile import bind, interpreted
from novikoff.perceptron import passes
from novikoff.perceptron.candidates.counting_pass import make_counting
from novikoff.perceptron.orders import Order
from novikoff.perceptron.plan import Plan
from novikoff.perceptron.run import look_ahead
from novikoff.perceptron.run.observer import Observer
from novikoff.perceptron.run.result import Result
from novikoff.perceptron.run.run import Run
from novikoff.perceptron.stops import Stops
from novikoff.perceptron.train import train

STORAGES = ("float64", "float32", "int8", "csr64", "csr32")
NEVER = 1 << 62


def _points(seed: int, n: int, d: int, scale: float, noise: float) -> tuple[np.ndarray, np.ndarray]:
    """Small whole numbers times a power of two: scores of 0 are frequent, and float32 and int8 hold the numbers."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-3, 4, (n, d)).astype(float)
    y = np.where(X @ rng.integers(-2, 3, d) + rng.normal(0, noise, n) > 0, 1, -1)
    y[:2] = -1, 1
    return X * scale, y


def _stored(X: np.ndarray, storage: str) -> Any:
    if storage.startswith("csr"):
        return scipy.sparse.csr_array(X.astype("f4" if storage == "csr32" else "f8"))
    return X.astype(storage)


def _errors(X: np.ndarray, y: np.ndarray, plane: np.ndarray, pad: float) -> list[int]:
    """Negative and positive points on the wrong side of the plane or on it, counted in fractions."""
    w, b = [Fraction(c) for c in plane[:-1].tolist()], Fraction(float(plane[-1])) * Fraction(pad)
    wrong = [0, 0]
    for row, side in zip(X.tolist(), y.tolist(), strict=True):
        score = sum((Fraction(x) * c for x, c in zip(row, w, strict=True)), b)
        wrong[side > 0] += side * score <= 0
    return wrong


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("scale", [1.0, 2.0**-140, 2.0**110, 2.0**-230, 2.0**230])
@pytest.mark.parametrize("d", [5, 70])
def test_counts_beside_the_looks_are_exact_and_change_no_look(
    storage: str, d: int, scale: float, compiled: bool
) -> None:
    if abs(np.log2(scale)) > 140 and storage not in ("float64", "csr64"):
        pytest.skip("float32 does not hold the numbers")
    if scale != 1.0 and storage == "int8":
        pytest.skip("8 bits do not hold the numbers")
    n = 60 if compiled else 25
    X, y = _points(d, n, d, scale, 3.0)
    problem = problem_of(_stored(X, storage), y)[0]
    rng = np.random.default_rng(1)
    for candidates in (1, 2, 3):
        states = []
        run = Run.begin(problem, Plan(Order("cyclic"), "pocket", Stops(max_passes=1)), np.zeros(d + 1))
        run.scorer.survey()
        run.note_radius()
        start = X[:8].T @ y[:8].astype(float)
        run.S.w[0], run.S.num[0, 0] = start, scale
        run.copy_weights()
        planes = np.stack([np.append(start, scale) * k for k in (1.0, 2.0, -1.0)])[:candidates]
        planes[-1, rng.integers(0, d)] += scale
        for beside in (False, True):
            S = look_ahead._copied(run.S)
            rows = look_ahead._candidates(run, planes) if beside else look_ahead.NO_ROWS
            make = make_counting(passes.IN_ORDER) if beside else passes.make(passes.IN_ORDER, False, False)
            verbs = run.scorer.verbs
            go = bind(make, verbs) if compiled else interpreted(make, verbs)
            ended = go(problem.rows, problem.y, rows, 0, n, S.first_plane())
            states.append((ended, S))
        (ended, S), (ended2, S2) = states
        assert ended == ended2
        for name in ("w", "v", "mistakes", "queue"):
            np.testing.assert_array_equal(getattr(S, name), getattr(S2, name))
        want = [_errors(X, y, plane, problem.pad) for plane in planes]
        assert rows.errors[:candidates].tolist() == want


class _Seen(Observer):
    """What observers see at the end of each pass."""

    def __init__(self) -> None:
        self.rows: list[Any] = []

    def end_pass(self, run: Run) -> None:
        last = {name: value for name, value in run.last_pass().items() if name != "seconds"}
        kept = None if run.keep.planes is None else run.keep.planes.tolist()
        self.rows.append((last, run.S.w.tolist(), run.S.num[0, 0], run.S.mistakes.tolist(), kept, run.tally(),
                          run.reason, run.random_from))  # fmt: skip


def _train(problem: Problem, plan: Plan, smallest: int, valid: Problem | None = None) -> tuple[Result, list[Any]]:
    seen = _Seen()
    with patch.object(look_ahead, "SMALLEST", smallest):
        run = Run.begin(problem, plan, np.zeros(problem.d + 1), valid)
        result = train(run, [seen])
    seen.rows.append((result.plane.tolist(), result.errors, result.stop_reason, result.passes, result.updates))
    return result, seen.rows


STOPS = {
    "passes": Stops(max_passes=7, train_patience=None),
    "patience": Stops(max_passes=60, train_patience=2),
    "updates": Stops(max_passes=40, max_updates=130, train_patience=None),
    "auto": Stops(max_passes=130),
}


@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("order", ["cyclic", "shuffle", "auto", "random", "first"])
@pytest.mark.parametrize("stops", STOPS)
def test_the_run_is_the_same_as_with_candidates_counted_at_once(storage: str, order: str, stops: str) -> None:
    for seed, noise in ((0, 1.0), (1, 6.0), (2, 0.0)):
        X, y = _points(seed, 50, 4 if seed else 70, 1.0, noise)
        problem = problem_of(_stored(X, storage), y)[0]
        factors = (1.0, 1.0) if seed else (1.0, 3.0)
        plan = Plan(Order(order, 3), "pocket", STOPS[stops], factors=factors)
        (_, want), (_, got) = _train(problem, plan, NEVER), _train(problem, plan, 0)
        assert got == want


def test_the_run_is_the_same_with_validation_points() -> None:
    X, y = _points(5, 80, 6, 1.0, 4.0)
    problem, valid = problem_of(X[:50], y[:50])[0], problem_of(X[50:], y[50:])[0]
    plan = Plan(Order("cyclic"), "pocket", Stops(max_passes=40, train_patience=None, valid_patience=9))
    assert _train(problem, plan, 0, valid)[1] == _train(problem, plan, NEVER, valid)[1]


def _looks(problem: Problem, plan: Plan, smallest: int) -> tuple[int, int]:
    """(looks made by compiled passes, looks of the run)."""
    made = 0
    compiled_pass = Run.compiled_pass

    def watched(run: Run, looks: int) -> Any:
        def call(*arguments: Any) -> Any:
            nonlocal made
            ended = kernel(*arguments)
            made += ended[1] - arguments[3]
            return ended

        kernel = compiled_pass(run, looks)
        return call

    with patch.object(Run, "compiled_pass", watched):
        result, _ = _train(problem, plan, smallest)
    return made, result.looks


@pytest.mark.parametrize("stops", STOPS)
def test_at_most_one_pass_is_thrown_away(stops: str) -> None:
    X, y = _points(1, 50, 4, 1.0, 6.0)
    problem, plan = problem_of(X, y)[0], Plan(Order("cyclic"), "pocket", STOPS[stops])
    made, looks = _looks(problem, plan, 0)
    assert looks <= made <= looks + 50 + (50 if stops == "auto" else 0)  # auto: random draws from some pass on
    if stops == "passes":
        assert made == looks


def test_candidates_are_not_counted_again_where_the_next_pass_counts_them() -> None:
    X, y = _points(1, 50, 4, 1.0, 6.0)
    problem, plan = problem_of(X, y)[0], Plan(Order("cyclic"), "pocket", STOPS["passes"])
    counted = []
    count = Run.count

    def watched(run: Run, sets: np.ndarray) -> np.ndarray:
        counted.append((run.passes, len(sets)))
        return count(run, sets)

    with patch.object(Run, "count", watched):
        _train(problem, plan, 0)
    assert counted[-1][0] == 7
    assert all(number <= 2 or number == 7 for number, _ in counted)


def test_looks_made_ahead_are_dropped_if_the_pass_begins_from_another_state() -> None:
    X, y = _points(1, 50, 4, 1.0, 6.0)
    problem, plan = problem_of(X, y)[0], Plan(Order("cyclic"), "pocket", STOPS["passes"])

    class Weigh(Observer):
        def end_pass(self, run: Run) -> None:
            if run.passes == 3:
                run.weigh((1.0, 2.0))

    ends = []
    for smallest in (0, NEVER):
        with patch.object(look_ahead, "SMALLEST", smallest):
            run = Run.begin(problem, plan, np.zeros(problem.d + 1))
            ends.append(train(run, [Weigh()]).plane.tolist())
            assert run.kind.ahead is None  # type: ignore[union-attr]
    assert ends[0] == ends[1]


def test_ctrl_c_ends_the_looks_ahead_and_the_run_keeps_its_best() -> None:
    X, y = _points(1, 50, 4, 1.0, 6.0)
    problem, plan = problem_of(X, y)[0], Plan(Order("cyclic"), "pocket", Stops(max_passes=50, train_patience=None))
    with patch.object(look_ahead, "SMALLEST", 0), patch.object(look_ahead.Interrupt, "is_pressed", lambda: True):
        run = Run.begin(problem, plan, np.zeros(problem.d + 1))
        run.most = 20  # three stretches a pass
        pressed = train(run)
    with patch.object(look_ahead, "SMALLEST", NEVER):
        want = train(Run.begin(problem, plan, np.zeros(problem.d + 1)))
    assert pressed.plane.tolist() == want.plane.tolist()
    assert pressed.history["errors"] == want.history["errors"]


def test_the_time_limit_ends_the_looks_ahead() -> None:
    X, y = _points(1, 50, 4, 1.0, 6.0)
    problem, plan = problem_of(X, y)[0], Plan(Order("cyclic"), "pocket", Stops(max_seconds=5.0, train_patience=None))
    with patch.object(look_ahead, "SMALLEST", 0):
        run = Run.begin(problem, plan, np.zeros(problem.d + 1))
        run.most = 20  # three stretches a pass
        run.surveyed, run.passes = True, 1
        planes = run.S.present[:, :].reshape(1, -1)
        with patch.object(look_ahead, "clock", lambda: run.clock + 6.0):
            assert look_ahead.look_ahead(run, planes) is None
        assert run.kind.ahead.run.shown == 20  # type: ignore[union-attr]
