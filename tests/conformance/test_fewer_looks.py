"""Leaving out rows that are surely right changes nothing: the run with it is the run without it and the twin's.

Rows are left out from pass 2 on, whatever the data (`fewer.ALWAYS`): dense and compressed sparse rows, float64, float32
with and without float32 as a filter, every keep. With the compiler off fewer problems are run, with one keep each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from data.kernel_mode import RunKernels
from data.problems import LASTING, lasting
from novikoff.data.problem import problem_of
from novikoff.kernels.compile import compiler_is_off
from novikoff.perceptron.orders import Order
from novikoff.perceptron.plan import Plan
from novikoff.perceptron.rates import Rates
from novikoff.perceptron.run import skip_policy
from novikoff.perceptron.run.observer import Observer
from novikoff.perceptron.run.result import Result
from novikoff.perceptron.run.run import Run
from novikoff.perceptron.skip_bounds import LOOKED
from novikoff.perceptron.stops import Stops
from novikoff.perceptron.train import train
from novikoff.scoring import scorer
from oracles.twins import KINDS, Problem, Rounded, near_ties, problem, rounded

KEEPS = ("last", "pocket", "average", "vote")  # those of the twin

pytestmark = pytest.mark.twins

PROBLEMS = 16 if compiler_is_off() else 72
STORAGES: dict[str, tuple[Callable[[Any], Any], int]] = {
    "dense float64": (np.ascontiguousarray, 10**6),
    "csr float64": (sp.csr_matrix, 10**6),
    "dense float32": (lambda X: X.astype(np.float32), 10**6),
    "dense float32 filtered": (lambda X: X.astype(np.float32), 1),
    "csr float32": (lambda X: sp.csr_matrix(X.astype(np.float32)), 10**6),
}
Maker = Callable[[np.random.Generator, int], Problem]
FAMILIES: dict[str, Maker] = {
    "lasting": lambda rng, k: lasting(list(LASTING)[k % len(LASTING)], rng),
    "random": lambda rng, k: problem(list(KINDS)[k % len(KINDS)], rng),
    "near ties": lambda rng, k: near_ties(rng),
}


@dataclass(frozen=True)
class How:
    """What a run is asked for, besides its points."""

    passes: int = 30
    eta0: float = 1.0
    max_updates: int | None = None
    start: tuple[float, ...] | None = None  # the bias last


def drawn(p: Problem, rng: np.random.Generator) -> How:
    """Long runs; some with η = 0.1 from a start that is not zero, some with a limit of updates."""
    d = p.X.shape[1]
    start = (*rng.integers(-3, 4, d).tolist(), int(rng.integers(-3, 4)) if p.fit_intercept else 0)
    return How(
        passes=int(rng.integers(2, 50)),
        eta0=float(rng.choice([1.0, 1.0, 0.1, 3.0])),
        max_updates=int(rng.integers(1, 60)) if rng.random() < 0.2 else None,
        start=tuple(map(float, start)) if rng.random() < 0.3 else None,
    )


def begun(X: Any, p: Problem, how: How, keep: str) -> Run:
    stored, _ = problem_of(X, p.y, fit_intercept=p.fit_intercept)
    start = np.array(how.start or [0.0] * (stored.d + 1))
    stops = Stops(how.passes, how.max_updates, None, None)
    return Run.begin(stored, Plan(Order("cyclic"), keep, stops, Rates(how.eta0, None, not start.any())), start)


def slow(p: Problem, how: How, keep: str) -> Rounded:
    start = how.start or (0.0,) * (p.X.shape[1] + 1)
    limits = {"passes": how.passes, "max_updates": how.max_updates, "cycles": True, "keep": keep}
    y, w0, b0 = p.y.tolist(), start[:-1], start[-1]
    return rounded(p.X, y, fit_intercept=p.fit_intercept, eta0=how.eta0, w0=w0, b0=b0, **limits)


def assert_twin(result: Result, twin: Rounded, p: Problem, how: How, keep: str) -> None:
    """The run is the twin's run, to the bit."""
    stop = result.stop_reason
    if stop == "cycle" and twin.stop != stop and keep != "last":  # proved earlier: the keep was given some more passes
        twin, stop = slow(p, replace(how, passes=result.passes), keep), "max_passes"
        assert twin.cycle_counts is not None
    assert (stop, result.looks, result.passes) == (twin.stop, twin.looks, twin.passes)
    assert result.mistakes.tolist() == np.bincount(twin.rows, minlength=len(p.y)).tolist()
    w, b = twin.pockets[-1][0] if keep == "pocket" else twin.average if keep == "average" else (twin.w, twin.b)
    assert np.append(result.w, result.b).tobytes() == np.array([*w, b]).tobytes()
    assert (None if result.cycle_counts is None else result.cycle_counts.tolist()) == twin.cycle_counts
    if keep == "vote":
        log = result.run.keep.logs()[0][:, :2].tolist()
        assert log == [list(pair) for pair in zip(twin.rows, twin.at_looks, strict=True)]


def assert_same_run(left: Result, plain: Result) -> None:
    """With rows left out and without: the same in everything that is told."""
    assert left.plane.tobytes() == plain.plane.tobytes()
    info = ("stop_reason", "passes", "looks", "updates", "errors")
    assert [getattr(left, name) for name in info] == [getattr(plain, name) for name in info]
    assert left.mistakes.tolist() == plain.mistakes.tolist()
    assert {**left.history, "seconds": 0} == {**plain.history, "seconds": 0}
    assert np.array_equal(left.cycle_counts, plain.cycle_counts) or left.cycle_counts is plain.cycle_counts
    for mine, theirs in ((left.run.S.w, plain.run.S.w), (left.run.S.u, plain.run.S.u)):
        assert mine.tobytes() == theirs.tobytes()
    if left.voters is not None:
        assert left.run.keep.logs()[0].tolist() == plain.run.keep.logs()[0].tolist()


def check(p: Problem, how: How, keep: str, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """One problem, one keep, every storage; how many rows were left out after the last snapshot, of how many."""
    twin = slow(p, how, keep)
    out = of = 0
    for name, (store, columns) in STORAGES.items():
        if "float32" in name and not p.float32:
            continue
        monkeypatch.setattr(scorer, "FILTERED", columns)
        results = []
        for when in (skip_policy.ALWAYS, skip_policy.NEVER):
            monkeypatch.setattr(skip_policy, "WHEN", when)
            results.append(train(begun(store(p.X), p, how, keep)))
        try:
            assert_same_run(*results)
            if results[0].stop_reason != "rounding":
                assert_twin(results[0], twin, p, how, keep)
        except AssertionError as error:
            error.add_note(f"{p.kind} from {name}, keep {keep}, bias {p.fit_intercept}: {how}")
            raise
        here, n = results[0].run.kind.fewer, len(p.y)  # type: ignore[attr-defined]
        if here.angles is not None and results[0].looks % n == 0:
            of += n * (here.passes + 1)
            out += n * (here.passes + 1) - int(here.angles.cnt[LOOKED])
    return out, of


@pytest.mark.parametrize("interval", [0, 3, 1000])
@pytest.mark.parametrize("family", FAMILIES)
def test_fewer_looks_same_run(
    family: str, interval: int, run_kernels: RunKernels, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often a snapshot is taken, mistakes, looks, weights and history are those of the run without."""
    run_kernels("compiled")
    monkeypatch.setattr(skip_policy, "INTERVAL", interval)
    rng = np.random.default_rng([31, interval, len(family)])
    left_out = []
    for k in range(PROBLEMS):
        p = FAMILIES[family](rng, k)
        left_out.append(check(p, drawn(p, rng), KEEPS[(k + interval) % len(KEEPS)], monkeypatch))
    out, of = map(sum, zip(*left_out, strict=True))
    assert out > of * (0.15 if family == "lasting" else 0.02), (out, of)  # or this test says nothing


@pytest.mark.parametrize("keep", KEEPS)
def test_a_pass_in_pieces(keep: str, run_kernels: RunKernels, monkeypatch: pytest.MonkeyPatch) -> None:
    """Short stretches and a queue of one: the pass goes on where it was."""
    run_kernels("compiled")
    monkeypatch.setattr("novikoff.perceptron.run.plane_arrays.NUMBERS_AT_ONCE", 20)
    monkeypatch.setattr("novikoff.perceptron.keeps.pocket.QUEUE", 1)
    rng = np.random.default_rng(32)
    for k in range(PROBLEMS // 4):
        p = lasting(list(LASTING)[k % len(LASTING)], rng)
        check(p, drawn(p, rng), keep, monkeypatch)


@pytest.mark.parametrize("family", FAMILIES)
def test_in_the_interpreter(family: str, run_kernels: RunKernels, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernels carried out by the interpreter leave out rows too, and the run is the same."""
    run_kernels("interpreted")
    rng = np.random.default_rng([34, len(family)])
    for k in range(6):
        p = FAMILIES[family](rng, k)
        check(p, replace(drawn(p, rng), passes=8), KEEPS[k % len(KEEPS)], monkeypatch)


@pytest.mark.parametrize("keep", KEEPS)
def test_a_run_that_goes_on(keep: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run continued, then continued on other points: nothing of the old angles is used."""
    rng = np.random.default_rng(33)
    for _ in range(PROBLEMS // 4):
        parts = [lasting("teacher", rng)] * 2 + [lasting("teacher", rng)]
        d = min(p.X.shape[1] for p in parts)
        runs: list[list[Result]] = []
        for when in (skip_policy.ALWAYS, skip_policy.NEVER):
            monkeypatch.setattr(skip_policy, "WHEN", when)
            run = begun(np.ascontiguousarray(parts[0].X[:, :d]), parts[0], How(6), keep)
            results = [train(run)]
            for before, now in pairwise(parts):
                X = np.ascontiguousarray(now.X[:, :d])
                stored, _ = problem_of(X, now.y, fit_intercept=before.fit_intercept)
                results.append(train(results[-1].run.go_on(stored, run.plan)))  # type: ignore[attr-defined]
            runs.append(results)
        for left, plain in zip(*runs, strict=True):
            assert_same_run(left, plain)


def teacher(n: int, d: int, seed: int) -> Problem:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    return Problem("teacher", X, np.where(X @ rng.standard_normal(d) > 0.0, 1.0, -1.0), True)


class Notes(Observer):
    """Writes down after each pass whether it left out rows."""

    def __init__(self, seen: list[tuple[int, bool]]) -> None:
        self.seen = seen

    def end_pass(self, run: Any) -> None:
        self.seen.append((run.passes, run.kind.fewer.angles is not None))


def switching(p: Problem, monkeypatch: pytest.MonkeyPatch, how: How) -> Iterator[tuple[int, bool]]:
    """(pass, whether it leaves out rows) of a run under the rule, which must be the run without."""
    monkeypatch.setattr(skip_policy, "ENOUGH", 0)
    seen: list[tuple[int, bool]] = []
    results = []
    for when in (skip_policy.IF_IT_PAYS, skip_policy.NEVER):
        monkeypatch.setattr(skip_policy, "WHEN", when)
        run = begun(p.X, p, how, "last")
        results.append(train(run, [Notes(seen)]))
    assert_same_run(*results)
    assert not any(on for _, on in seen[results[0].passes :])
    yield from seen[: results[0].passes]


@pytest.mark.compiled
def test_it_is_tried_at_pass_16_and_stays_where_it_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    when = list(switching(teacher(4000, 8, 1), monkeypatch, How(60)))
    assert when == [(number, number >= 17) for number in range(1, 61)]


@pytest.mark.compiled
def test_it_is_left_where_it_does_not_pay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Labels by chance: as many mistakes as ever, w turns and turns."""
    monkeypatch.setattr(skip_policy, "PROMISING", -1.0)
    rng = np.random.default_rng(5)
    p = Problem("labels", rng.standard_normal((2000, 20)), rng.choice([-1.0, 1.0], 2000), True)
    on = [number for number, on in switching(p, monkeypatch, How(100)) if on]
    assert on == [17, 37, 77]  # for one pass each: then it is seen that nothing is saved


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("n", "choice"),
    [
        (2000, {}),  # 16,000 numbers: too few
        (4000, {"order": Order("shuffle")}),
        (4000, {"order": Order("first")}),
        (4000, {"factors": (1.0, 2.0)}),
        (4000, {"rule": "margin"}),
        (4000, {"rates": Rates(1.0, lambda k: 1.0 / k)}),
    ],
)
def test_it_is_only_for_rows_in_order_and_equal_steps(
    n: int, choice: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(skip_policy, "WHEN", skip_policy.IF_IT_PAYS)
    monkeypatch.setattr(skip_policy, "ENOUGH", 0)
    p = teacher(n, 8, 2)
    stored, _ = problem_of(p.X, p.y)
    plan = Plan(keep="last", stops=Stops(40, None, None, None))
    run = Run.begin(stored, Plan(**{**vars(plan), **choice}), np.zeros(9))
    train(run)
    assert run.kind.fewer.angles is None
    assert run.kind.fewer.next_try == skip_policy.NO_TRY


def test_a_run_at_rest_holds_no_angles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(skip_policy, "WHEN", skip_policy.ALWAYS)
    run = begun(teacher(40, 3, 3).X, teacher(40, 3, 3), How(5), "last")
    train(run)
    assert run.kind.fewer.angles is not None
    assert run.kind.fewer.angles.rows.nbytes + run.kind.fewer.angles.tau.nbytes == 8 * 40 + 4
    run.rest(None)
    assert run.kind.fewer.angles is None
