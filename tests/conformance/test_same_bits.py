"""The same bits from every storage: 1,000 random and 1,000 near-tie problems against the twins.

Each problem is run from dense float64, dense float32 (with and without float32 as a filter) and compressed sparse rows
of both widths and both sizes of index. The mistakes in their order, the looks, the reason for stopping and every bit of
the weights must be those of the rounded twin; where no update rounds, also those of the fraction twin.

The compiler takes even these tiny problems here, but for one smaller run by the interpreter. With the compiler off
(NUMBA_DISABLE_JIT=1) two fifths of the problems run, still from every storage, with one keep, in turn, not two.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from data.kernel_mode import RunKernels
from novikoff.data.problem import problem_of
from novikoff.kernels.compile import compiler_is_off
from novikoff.perceptron import KEEPS
from novikoff.perceptron.orders import Order
from novikoff.perceptron.plan import Plan
from novikoff.perceptron.rates import Rates
from novikoff.perceptron.result import Result
from novikoff.perceptron.run import Run
from novikoff.perceptron.stops import Stops
from novikoff.perceptron.trace import trace
from novikoff.perceptron.train import train
from novikoff.scoring import scorer
from oracles.twins import KINDS, Problem, Rounded, near_ties, problem, rounded

pytestmark = pytest.mark.twins
ORDERS = ("cyclic", "first", "shuffle", "random")  # batch has tests of its own

# 50 problems times 4 orders times 5 batches: 1,000 of either family; 400 with the compiler off, or as another CPU
BATCHES = 2 if compiler_is_off() or "NUMBA_CPU_NAME" in os.environ else 5
PROBLEMS = 50
FILTER, NO_FILTER = 1, 10**6  # columns from which on float32 is a filter

Maker = Callable[[np.random.Generator, int], Problem]
FAMILIES: dict[str, Maker] = {
    "random": lambda rng, k: problem(list(KINDS)[k % len(KINDS)], rng),
    "near ties": lambda rng, k: near_ties(rng),
}


@dataclass(frozen=True)
class How:
    """Everything a run is asked for, besides its points."""

    order: str
    seed: int = 0
    eta0: float = 1.0
    passes: int = 5
    max_updates: int | None = None
    start: tuple[float, ...] | None = None  # the bias last
    schedule: Callable[[int], float] | None = None

    @property
    def from_zero(self) -> bool:
        return self.schedule is None and not any(self.start or ())


def drawn(order: str, p: Problem, rng: np.random.Generator) -> How:
    """A run of one order with chance in all the rest."""
    d = p.X.shape[1]
    start = [*rng.integers(-3, 4, d).tolist(), int(rng.integers(-3, 4)) if p.fit_intercept else 0]
    return How(
        order=order,
        seed=int(rng.integers(1000)),
        eta0=float(rng.choice([1.0, 1.0, 0.1, 3.0])),
        passes=int(rng.integers(1, 7)),
        max_updates=int(rng.integers(1, 20)) if rng.random() < 0.2 else None,
        start=tuple(map(float, start)) if rng.random() < 0.25 else None,
        schedule=(lambda k: 1.0 / k) if rng.random() < 0.1 else None,
    )


def dense64(X: Any) -> Any:
    return np.ascontiguousarray(X, np.float64)


def dense32(X: Any) -> Any:
    return np.ascontiguousarray(X, np.float32)


def csr(value: type, index: type) -> Callable[[Any], Any]:
    def store(X: Any) -> Any:
        S = sp.csr_matrix(X).astype(value)
        S.indices, S.indptr = S.indices.astype(index), S.indptr.astype(index)
        return S

    return store


STORAGES: dict[str, tuple[Callable[[Any], Any], int]] = {
    "dense float64": (dense64, NO_FILTER),
    "csr float64 int32": (csr(np.float64, np.int32), NO_FILTER),
    "csr float64 int64": (csr(np.float64, np.int64), NO_FILTER),
    "dense float32": (dense32, NO_FILTER),
    "dense float32 filtered": (dense32, FILTER),
    "csr float32 int32": (csr(np.float32, np.int32), NO_FILTER),
    "csr float32 int64": (csr(np.float32, np.int64), NO_FILTER),
}


def storages_of(p: Problem) -> Iterator[tuple[str, Any, int]]:
    """Every storage that holds these numbers exactly."""
    for name, (store, columns) in STORAGES.items():
        if p.float32 or "float32" not in name:
            yield name, store(p.X), columns


def fast(X: Any, p: Problem, how: How, keep: str) -> Result:
    """The run as the package makes it."""
    stored, _ = problem_of(X, p.y, fit_intercept=p.fit_intercept)
    start = np.array(how.start or [0.0] * (stored.d + 1))
    rates = Rates(how.eta0, how.schedule, not start.any(), stored.n if how.order == "batch" else 1)
    stops = Stops(how.passes, how.max_updates, None, None)
    return train(Run.begin(stored, Plan(Order(how.order, how.seed), keep, stops, rates), start))


def slow(p: Problem, how: How, keep: str, max_updates: int | None = None) -> Rounded:
    """The run as the rounded twin makes it."""
    start = how.start or (0.0,) * (p.X.shape[1] + 1)
    return rounded(
        p.X,
        p.y.tolist(),
        order=how.order,
        seed=how.seed,
        fit_intercept=p.fit_intercept,
        eta0=how.eta0,
        w0=start[:-1],
        b0=start[-1],
        passes=how.passes,
        max_updates=how.max_updates if max_updates is None else max_updates,
        keep="average" if keep == "auto" else keep,
        schedule=how.schedule,
        cycles=True,
    )


def bits(w: Any, b: float) -> bytes:
    return np.array([*w, b], np.float64).tobytes()


def handed_back(twin: Rounded, keep: str) -> bytes:
    """The bits of the weights that the keep hands back."""
    if keep == "pocket":
        return bits(*twin.pockets[-1][0])
    averaged = keep == "average" or (keep == "auto" and twin.stop != "separated")
    return bits(*twin.average) if averaged and twin.average else bits(twin.w, twin.b)


def naive_votes(p: Problem, how: How) -> list[int]:
    """Σ looks that a vector lasted · the exact side on which it has the row; a factor η would round the vectors."""
    twin = slow(p, replace(how, eta0=1.0) if how.from_zero else how, "vote")
    votes = []
    for x in p.X.tolist():
        padded = [*map(Fraction, x), Fraction(int(p.fit_intercept))]
        sides = (sum(Fraction(a) * v for a, v in zip((*w, b), padded, strict=True)) for (w, b), _ in twin.votes)
        votes.append(sum(n * ((s > 0) - (s < 0)) for (_, n), s in zip(twin.votes, sides, strict=True)))
    return votes


def assert_same(result: Result, twin: Rounded, p: Problem, keep: str) -> None:
    """The run is the twin's run, to the bit."""
    assert result.updates == len(twin.votes) - 1
    assert result.mistakes.tolist() == np.bincount(twin.rows, minlength=len(p.y)).tolist()
    assert (result.stop_reason, result.looks, result.passes) == (twin.stop, twin.looks, twin.passes)
    assert bits(result.w, result.b) == handed_back(twin, keep)
    assert (None if result.cycle_counts is None else result.cycle_counts.tolist()) == twin.cycle_counts
    if keep == "pocket":
        assert result.history["pocket_errors"] == [errors for _, errors in twin.pockets]
        assert result.errors == twin.pockets[-1][1]
    if keep == "vote":
        assert result.run.keep.log()[:, :2].tolist() == [
            list(pair) for pair in zip(twin.rows, twin.at_looks, strict=True)
        ]


def assert_loop(result: Result, p: Problem, how: How, keep: str) -> None:
    """A run that says `rounding` made the twin's updates up to there, and the twin is then where it was before."""
    twin = slow(p, how, "last", max_updates=result.updates)
    assert result.mistakes.tolist() == np.bincount(twin.rows, minlength=len(p.y)).tolist()
    if keep == "last":
        assert bits(result.w, result.b) == bits(twin.w, twin.b)
    seen = [vector for vector, _ in twin.votes]
    assert seen[-1] in seen[:-1]


def check(p: Problem, how: How, keep: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One problem, one keep, every storage."""
    twin = slow(p, how, keep)
    votes = naive_votes(p, how) if keep == "vote" and len(twin.rows) < 12 else None
    for name, X, columns in storages_of(p):
        monkeypatch.setattr(scorer, "FILTERED", columns)
        result = fast(X, p, how, keep)
        try:
            if result.stop_reason == "rounding":
                assert_loop(result, p, how, keep)
                continue
            assert_same(result, twin, p, keep)
            if votes is not None and result.voters is not None:
                again = scorer.Scorer(problem_of(X, p.y, fit_intercept=p.fit_intercept)[0])
                again.survey()
                assert result.voters.votes(again).tolist() == votes
        except AssertionError as error:
            error.add_note(f"{p.kind} from {name}, keep {keep}, bias {p.fit_intercept}: {how}")
            raise


def batch(family: str, order: str, number: int, count: int) -> Iterator[tuple[int, Problem, How]]:
    """The problems of one batch: the same ones in every run of the tests."""
    rng = np.random.default_rng([zlib.crc32(f"{family} {order}".encode()), number])
    for k in range(count):
        p = FAMILIES[family](rng, k)
        yield k, p, drawn(order, p, rng)


@pytest.mark.parametrize("number", range(BATCHES))
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("order", ORDERS)
def test_same_mistakes_and_bits_from_every_storage(
    order: str, family: str, number: int, run_kernels: RunKernels, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Mistakes, looks and weights are those of the rounded twin, whatever the storage, for every keep."""
    run_kernels("compiled")
    for k, p, how in batch(family, order, number, PROBLEMS):
        for more in range(1 if compiler_is_off() else 2):
            check(p, how, KEEPS[(k + more) % len(KEEPS)], monkeypatch)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("order", ORDERS)
def test_the_interpreter_gives_the_same_bits(
    order: str, family: str, run_kernels: RunKernels, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tiny problems never wait for the compiler: carried out by the interpreter, the kernels give the same bits."""
    run_kernels("interpreted")
    for k, p, how in batch(family, order, BATCHES, 24):
        check(p, how, KEEPS[k % len(KEEPS)], monkeypatch)


@pytest.mark.parametrize("mode", ["compiled", "interpreted"])
@pytest.mark.parametrize("family", FAMILIES)
def test_Z10a_batch_has_the_same_bits_from_every_storage(
    family: str, mode: str, run_kernels: RunKernels, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One update after each pass: mistakes, looks and weights are those of the rounded twin, whatever the storage."""
    run_kernels(mode)
    keeps = [keep for keep in KEEPS if keep != "vote"]
    for k, p, how in batch(family, "batch", BATCHES, 100 if mode == "compiled" else 30):
        check(p, how, keeps[k % len(keeps)], monkeypatch)


@pytest.mark.compiled
@pytest.mark.parametrize("keep", KEEPS)
def test_from_the_interpreter_to_the_compiler(
    keep: str, run_kernels: RunKernels, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that grows large begins in the interpreter, goes on in machine code, and no bit tells."""
    run_kernels(300)
    for _, p, how in batch("near ties", "cyclic", BATCHES + 1, 25):
        check(p, how, keep, monkeypatch)


def no_update_rounds(p: Problem, twin: Rounded, how: How) -> bool:
    """Whether every product and every sum of the twin's updates is a number of binary64."""
    w = [*map(Fraction, how.start or (0.0,) * (p.X.shape[1] + 1))]
    for k, row in enumerate(twin.rows, start=1):
        eta = 1.0 if how.from_zero else how.eta0 * (how.schedule(k) if how.schedule else 1.0)
        steps = [Fraction(eta) * int(p.y[row]) * Fraction(v) for v in [*p.X[row].tolist(), float(p.fit_intercept)]]
        w = [a + step for a, step in zip(w, steps, strict=True)]
        if any(Fraction(float(v)) != v for v in [*steps, *w]):
            return False
    return True


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("order", ORDERS)
def test_the_fraction_twin_agrees_where_no_update_rounds(
    order: str, family: str, run_kernels: RunKernels, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no update rounds, the lecture's run in fractions makes the same mistakes at the same looks."""
    run_kernels("compiled")
    exact = 0
    for number in range(BATCHES):
        for _, p, how in batch(family, order, number, PROBLEMS):
            twin = slow(p, how, "last")
            if how.schedule or not twin.rows or not no_update_rounds(p, twin, how):
                continue
            exact += 1
            stored = list(storages_of(p))
            for _, X, columns in stored[exact % len(stored) :][: 1 if compiler_is_off() else 2]:
                monkeypatch.setattr(scorer, "FILTERED", columns)
                assert_lecture(p, how, fast(X, p, how, "vote"))
    assert exact >= 10  # of those drawn: or this test says nothing


def assert_lecture(p: Problem, how: How, result: Result) -> None:
    """The fast run is a beginning of the run in fractions, and ends as that does unless a limit of passes ended it."""
    d = p.X.shape[1] + p.fit_intercept
    eta = 1 if how.from_zero else Fraction(how.eta0)
    limit = result.updates if result.stop_reason == "max_updates" else result.updates + 1
    t = trace(
        p.X,
        p.y.astype(int),
        order=how.order,
        fit_intercept=p.fit_intercept,
        eta0=eta,
        w0=None if how.start is None else how.start[:d],
        seed=how.seed,
        max_updates=limit,
    )
    steps = t.steps[: result.updates]
    assert [[step.row, step.looks] for step in steps] == result.run.keep.log()[: len(steps), :2].tolist()
    if t.stop_reason == "cycle" and result.stop_reason != "cycle":  # proved; the vote goes on for some passes
        return
    scale = Fraction(how.eta0) if how.from_zero else 1
    assert [*result.w.tolist(), result.b][:d] == [float(v * scale) for v in steps[-1].w]
    if result.stop_reason != "max_passes":
        assert (result.stop_reason, result.looks) == (t.stop_reason, t.n_looks)
        assert (None if result.cycle_counts is None else tuple(result.cycle_counts.tolist())) == t.cycle_counts


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("exponent", [-560, -300, 300])
def test_rates_far_from_one(exponent: int, keep: str, run_kernels: RunKernels, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rate of 2^±300 or less from a start that is not zero: the bound on |w| must not underflow, nor overflow."""
    run_kernels("compiled")
    rng = np.random.default_rng(21)
    up = 440 if exponent < 0 else -300
    for k in range(120):
        p = near_ties(rng)
        if p.fit_intercept or "scaled" in p.kind or p.kind in ("subnormals", "against_tiny_weights"):
            continue
        start = (2.0 ** (exponent + up - 80), *[0.0] * p.X.shape[1])  # lost in the first update
        how = How(ORDERS[k % 4], seed=k, eta0=2.0**exponent, start=start)
        check(Problem(p.kind, np.ldexp(p.X, up), p.y, False), how, keep, monkeypatch)


def longer(rng: np.random.Generator, k: int) -> Problem:
    """More rows than are tidied, scored or queued together; every second one so wide that float32 is a filter."""
    n, d = int(rng.integers(130, 260)), (60 if k % 2 else int(rng.integers(2, 9)))
    X = rng.standard_normal((n, d)).astype(np.float32).astype(float)
    X[n // 2 :] = np.roll(-X[: n - n // 2], 1, axis=0)
    X[rng.random((n, d)) < 0.3] = 0.0
    y = np.where(X @ rng.standard_normal(d) + 0.3 * rng.standard_normal(n) > 0, 1.0, -1.0)
    return Problem("longer", X, y, bool(k // 2 % 2))


@pytest.mark.parametrize("at_once", [1 << 22, 700])
@pytest.mark.parametrize(
    ("order", "keep"),
    [(order, keep) for order in (*ORDERS, "batch") for keep in KEEPS[:4] if (order, keep) != ("batch", "vote")],
)  # not "auto": the twin averages from the first look on
def test_longer_runs_and_shorter_stretches(
    order: str, keep: str, at_once: int, run_kernels: RunKernels, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However a pass is cut into stretches and a shuffle into blocks, the run is the twin's."""
    run_kernels("compiled")
    monkeypatch.setattr("novikoff.perceptron.run_state.NUMBERS_AT_ONCE", at_once)
    if at_once == 700:
        monkeypatch.setattr("novikoff.perceptron.orders.BLOCK", 48)
        monkeypatch.setattr("novikoff.perceptron.rates.AHEAD", 50)
    rng = np.random.default_rng([24, at_once])
    for k in range(2 if compiler_is_off() else 4):
        schedule = (lambda j: 1.0 + 1.0 / j) if k == 1 else None
        passes = 4 if compiler_is_off() else 12
        check(longer(rng, k), How(order, seed=k, passes=passes, schedule=schedule), keep, monkeypatch)


def whole_near_ties(rng: np.random.Generator, n: int = 12) -> Problem:
    """Whole a, b of 30 bits: after the first row w = (a, b, 1), and (b + r, −a, δ − r·a) scores δ = −1, 0 or 1."""
    a, b = (int(v) | 1 for v in rng.integers(2**29, 2**30, 2))
    rows = [[a, b, 1]]
    for r in rng.integers(-4, 5, n - 1).tolist():
        rows.append([b + r, -a, int(rng.integers(-1, 2)) - r * a])
    return Problem(
        "whole near ties", np.array(rows, float), np.array([1.0, -1.0, *rng.choice([-1.0, 1.0], n - 2)]), False
    )


@pytest.mark.parametrize("keep", KEEPS)
def test_whole_numbers_beyond_the_reach_of_binary64(
    keep: str, run_kernels: RunKernels, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Products of 2^60 that cancel to −1, 0 or 1: being whole does not make a rounded sum right."""
    run_kernels("compiled")
    rng = np.random.default_rng(23)
    for k in range(25):
        check(whole_near_ties(rng), How(ORDERS[k % 4], seed=k, passes=2), keep, monkeypatch)


INTEGER_TYPES = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.float16, np.float32, np.float64]


@pytest.mark.parametrize("keep", KEEPS)
def test_other_storages_of_whole_numbers(keep: str, run_kernels: RunKernels) -> None:
    """Integers and floats of all sizes, Fortran order, every second row of a larger array, CSC and others."""
    run_kernels("compiled")
    rng = np.random.default_rng(22)
    for k in range(8):
        X = rng.integers(0, 5, (int(rng.integers(8, 30)), 4)).astype(float)
        p = Problem("whole", X, np.where(rng.permutation(len(X)) % 2, 1.0, -1.0), bool(k % 2))
        orders = ORDERS if keep == "vote" else (*ORDERS, "batch")
        how = How(orders[k % len(orders)], seed=k)
        twin = slow(p, how, keep)
        twice = np.repeat(X, 2, axis=0)[::2]
        stored = [X.astype(kind) for kind in INTEGER_TYPES] + [np.asfortranarray(X), twice, X.tolist()]
        stored += [make(X) for make in (sp.csc_matrix, sp.coo_matrix, sp.lil_array, sp.csr_array)]
        stored += [sp.csr_matrix(X.astype(kind)) for kind in (np.int8, np.int64, np.uint8)]
        for rows in stored:
            assert_same(fast(rows, p, how, keep), twin, p, keep)
