"""Separable or not, with proof: `decide` against HiGHS without proof.

    ratio of one instance = best of the peer's runs / best of ours
    a row                 = the median over its instances (or the 5th percentile where it says so)

Ours is the whole call on arrays: labels coded, rows checked, answer and exact proof. The peer is the formulation of
`benchmarks.highs` that is fastest on the first instances of the row and answers all of them rightly; its model is made
from the same arrays. Instances come from fixed seeds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from statistics import median
from typing import Any, NamedTuple

import numpy as np

import novikoff as nv
from benchmarks import data, highs
from benchmarks.harness import FULL, Row, Size, interleave, timed
from novikoff.separate.decide import decided
from novikoff.separate.proof_points import ProofPoints
from novikoff.separate.separator_search import perceptron

Points = tuple[Any, np.ndarray]
ASKED = (True, "auto", None)  # a bias, the proof, no limit of time
TRIED = 5  # instances on which the formulations are compared


class Pair(NamedTuple):
    """The best times of both on one instance."""

    ours: float
    theirs: float

    @property
    def ratio(self) -> float:
        return self.theirs / self.ours


def ask(size: Size) -> Iterator[Row]:
    """The rows of this question."""
    share = size.dense[0] / FULL.dense[0]

    def count(n: int, least: int = 2) -> int:
        return max(least, round(n * share))

    yield from threshold(count(200), count(20), (65, 100, 200) if share >= 0.1 else (5, 10, 20))
    if share >= 1:
        yield thousand()
    yield against("small calls, n < 200, d < 15", small(count(200)), 15, 10, tried=20, unit="µs")
    many, more = count(10_000, 300), count(100_000, 600)
    for n, d in ((many, 10), (many, 50), (more, 10), (more, 50)):
        yield against(f"separable, {n:,} × {d}", [data.teacher(n, d, 0.0)], 2, 25, tried=1)
    for n, d in ((more, 10), (more, 20), (more, 50)):
        yield against(f"overlap, {n:,} × {d}", [overlap(n, d)], 2, 50, tried=1)
    for distance in (1e-9, 1e-11, 1e-13):
        yield against(f"distance {distance:g}, {many:,} × 50", [near(many, 50, distance)], 3, 20, tried=1)
    yield from growth(many)
    yield exact_check(count(1_000_000, 1000), size.repeats)
    yield from large(count(10_000_000, 1000))
    yield wide(count(2000, 50), count(50_000, 200), size.repeats)


# ---- against HiGHS -------------------------------------------------------------------------------------------------


def threshold(instances: int, few: int, columns: Sequence[int]) -> Iterator[Row]:
    """Gaussian points, labels by chance, two points for a column: separable or not is a coin (Cover)."""
    low, high = columns[0], columns[-1]
    drawn = np.random.default_rng(20).integers(low, high, instances, endpoint=True).tolist()
    pairs, peer, note = race([by_chance(N, seed) for seed, N in enumerate(drawn)], 5)
    what = f"threshold P/N = 2, N {low} to {high}, {instances} instances"
    yield info(f"{what}: median", pairs, peer, 15, note)
    yield info(f"{what}: 5th percentile", pairs, peer, 3, note, share=0.05)
    for N in columns:
        yield against(f"threshold, N = {N}, {few} instances", [by_chance(N, 1000 + s) for s in range(few)], 5)


def thousand(N: int = 1000, formulation: str = "konis", limit: float = 900.0) -> Row:
    """One instance, one run of the peer, in the formulation that is best at N = 200: the others would take minutes."""
    X, y = by_chance(N, 0)
    ours = min(seconds(nv.decide, X, y)[0] for _ in range(3))
    theirs, said = seconds(highs.separable, X, y, formulation, limit)
    note = "" if said is not None else f"threshold, N = {N}: HiGHS stopped by its limit of {limit:g} seconds."
    peer = f"HiGHS {formulation}"
    return Row(f"threshold, N = {N}, one instance", ours, "s", peer, theirs, theirs / ours, "the speed", 10, note)


def against(
    what: str, instances: Sequence[Points], runs: int, bar: float | None = None, tried: int = TRIED, unit: str = "ms"
) -> Row:
    """The median row of some instances."""
    pairs, peer, note = race(instances, runs, tried)
    return info(what, pairs, peer, bar, note, unit=unit)


def info(
    what: str, pairs: list[Pair], peer: str, bar: float | None, note: str, share: float = 0.5, unit: str = "ms"
) -> Row:
    ratio = float(np.quantile([pair.ratio for pair in pairs], share))
    ours, theirs = median(pair.ours for pair in pairs), median(pair.theirs for pair in pairs)
    return Row(what, ours, unit, peer, theirs, ratio, "the speed", bar, f"{what.partition(':')[0]}: {note}")


def race(instances: Sequence[Points], runs: int, tried: int = TRIED) -> tuple[list[Pair], str, str]:
    """Both on every instance; the peer's name, and what is to be said of it."""
    answers = [bool(nv.decide(X, y)) for X, y in instances]  # proved; and everything is compiled
    peer, note = best_formulation(list(zip(instances, answers, strict=True))[:tried], min(runs, 3))
    pairs, lost = [], 0
    for (X, y), answer in zip(instances, answers, strict=True):
        ours = [seconds(nv.decide, X, y)[0] for _ in range(runs)]
        theirs, said = zip(*(seconds(highs.separable, X, y, peer) for _ in range(runs)), strict=True)
        pairs.append(Pair(min(ours), min(theirs)))
        lost += said[0] is not answer
    note += f"; HiGHS {peer} wrong or without an answer on {lost} of {len(pairs)}" if lost else ""
    return pairs, f"HiGHS {peer}", note


def best_formulation(instances: Sequence[tuple[Points, bool]], runs: int) -> tuple[str, str]:
    """The fastest that is right on all of these, and the figures of all."""
    figures = {}
    for name in highs.FORMULATIONS:
        took, wrong = [], False
        for points, answer in instances:
            times, said = zip(*(seconds(highs.separable, *points, name) for _ in range(runs)), strict=True)
            took.append(min(times))
            wrong |= said[0] is not answer
        figures[name] = (wrong, median(took))
    words = [
        f"{name} {took * 1e3:.1f} ms{' (not always right)' if bad else ''}" for name, (bad, took) in figures.items()
    ]
    return min(figures, key=figures.__getitem__), ", ".join(words)


def seconds(call: Callable[..., Any], *arguments: Any) -> tuple[float, Any]:
    """CPU time of a call, and what it gave."""
    start = time.process_time()
    answer = call(*arguments)
    return time.process_time() - start, answer


# ---- ours alone ----------------------------------------------------------------------------------------------------


def growth(n: int) -> Iterator[Row]:
    """The exponent of the time in n and in d, by least squares on logarithms."""
    rows = [n, 3 * n, 10 * n, 30 * n, 100 * n]
    yield exponent("separable, n at d = 20", rows, lambda m: data.teacher(m, 20, 0.0))
    yield exponent("overlap, n at d = 20 (flat)", rows, lambda m: overlap(m, 20), bar=0.15)
    yield exponent("separable, d at n = 20 d", [10, 20, 40, 80, 160], lambda d: data.teacher(20 * d, d, 0.0))
    yield exponent("threshold, N", [50, 100, 200, 400], lambda N: by_chance(N, 5))


def exponent(what: str, sizes: list[int], points: Callable[[int], Points], bar: float | None = None) -> Row:
    times = []
    for size in sizes:
        X, y = points(size)
        coded = ProofPoints.of(X, y, True)
        times.append(min(seconds(decided, coded, *ASKED)[0] for _ in range(5)))
    slope = float(np.polyfit(np.log(sizes), np.log(times), 1)[0])
    words = ", ".join(f"{size:,}: {took * 1e3:.1f} ms" for size, took in zip(sizes, times, strict=True))
    return Row(f"growth exponent, {what}", round(slope, 2), "", bar=bar, note=f"{what}: {words}.")


def exact_check(n: int, repeats: int) -> Row:
    """The signs of all rows, exact, against one product of matrix and vector."""
    X, y = data.teacher(n, 50, 0.0)
    points = ProofPoints.of(X, y, True)
    verdict = nv.decide(X, y)
    plane = [*verdict.w, verdict.b]
    w = np.array(plane[:-1], np.float64)
    rounds = interleave([timed("check", lambda: points.margins(plane)), timed("X @ w", lambda: X @ w)], repeats)
    return rounds.time(f"exact check of all rows, {n:,} × 50", "check", "X @ w", 1.3)


def large(n: int) -> Iterator[Row]:
    """Many rows, after their labels are coded."""
    X, y = overlap(n, 20)
    coded = ProofPoints.of(X, y, True)
    times = [seconds(decided, coded, *ASKED)[0] for _ in range(5)]
    yield Row(f"overlap, {n:,} × 20, labels coded", median(times), "s", bar=0.2)
    w = np.random.default_rng(4).standard_normal(20)
    w /= np.linalg.norm(w)
    m = X @ w
    y = np.where(m > 0, 1, -1)
    X += np.multiply.outer(np.maximum(np.abs(m), 0.2) * y - m, w)
    coded = ProofPoints.of(X, y, True)
    rounds = interleave(
        [
            timed("decide", lambda: decided(coded, *ASKED)),
            timed("perceptron to convergence", lambda: perceptron(coded.problem, 1000, None)),
        ],
        2,
    )
    yield rounds.time(f"wide gap, {n:,} × 20, labels coded", "decide", "perceptron to convergence", 3, unit="s")


def wide(n: int, d: int, repeats: int) -> Row:
    """Sparse rows, more columns than rows, labels by chance: separable."""
    X = data.text(n, d, flipped=0.0)[0].astype(np.float64)
    y = np.random.default_rng(8).choice([-1, 1], n)
    times = [seconds(nv.decide, X, y) for _ in range(repeats + 1)]
    row = f"sparse, {n:,} × {d:,}, {X.nnz:,} numbers, {'' if times[0][1] else 'not '}separable"
    return Row(row, median(took for took, _ in times[1:]), "s", bar=0.2)


# ---- instances -----------------------------------------------------------------------------------------------------


def by_chance(N: int, seed: int) -> Points:
    """Two Gaussian points for each column, labels by chance."""
    return data.labels(2 * N, N, seed)


def small(count: int, seed: int = 6) -> list[Points]:
    """10 to 199 points in 1 to 14 columns: half of them a teacher's, half labelled by chance."""
    r = np.random.default_rng(seed)
    made = []
    for k in range(count):
        n, d = int(r.integers(10, 200)), int(r.integers(1, 15))
        X = r.standard_normal((n, d))
        y = np.where(X @ r.standard_normal(d) + 0.3 > 0, 1, -1) if k % 2 else r.choice([-1, 1], n)
        if (y == y[0]).all():
            y[0] = -y[0]
        made.append((X, y))
    return made


def overlap(n: int, d: int, shift: float = 1.0, seed: int = 7) -> Points:
    """Two Gaussian clouds that overlap."""
    r = np.random.default_rng(seed)
    y = r.choice([-1, 1], n)
    X = r.standard_normal((n, d))
    X[:, 0] += shift * y
    return X, y


def near(n: int, d: int, distance: float, seed: int = 9) -> Points:
    """A teacher's points, one in twenty of them at about this distance from the plane."""
    r = np.random.default_rng(seed)
    w = r.standard_normal(d)
    w /= np.linalg.norm(w)
    X = r.standard_normal((n, d))
    m = X @ w
    y = np.where(m > 0, 1, -1)
    k = max(2, n // 20)
    X[:k] += ((distance * (1 + r.random(k))) * y[:k] - m[:k])[:, None] * w
    return X, y
