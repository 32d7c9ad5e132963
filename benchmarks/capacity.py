"""The capacity experiment, each draw decided with a proof: against the same experiment through HiGHS, without proofs.

    N = 65, P/N = 0.2, 0.4, … 4: twenty sizes, the same draws for both

Ours is the whole experiment, CPU time. HiGHS decides the first draws of each size, in the formulation that is fastest
on them; its time is that of as many draws as ours has. Two processes are compared with one by wall time, after one
experiment that starts them.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

import novikoff as nv
from benchmarks import highs
from benchmarks.harness import CORES, FULL, Row, Size
from novikoff.theory.experiments.capacity_experiment import RATIOS, capacity_experiment, cells_of, random_labelling

FASTER, TWO = 8, 1.6
SEED = 1


def ask(size: Size) -> Iterator[Row]:
    """The rows of this question."""
    share = size.dense[0] / FULL.dense[0]
    N, trials = (65, 2000) if share >= 1 else (65, 50) if share >= 0.1 else (5, 4)
    few = max(2, trials // 200)
    capacity_experiment(N, RATIOS, 2, SEED)  # compile
    begin = time.process_time()
    found = capacity_experiment(N, RATIOS, trials, SEED)
    ours = time.process_time() - begin
    peer, theirs, note = through_highs(N, trials, few)
    what = f"N = {N}, {len(found.rows)} sizes, {trials:,} draws each"
    yield Row(what, ours, "s", peer, theirs, theirs / ours, "the speed", FASTER, note)
    yield two_processes(what, N, trials)


def through_highs(N: int, trials: int, few: int) -> tuple[str, float, str]:
    """The fastest formulation, the seconds it would take for all draws, and what is to be said."""
    sums = dict.fromkeys(highs.FORMULATIONS, 0.0)
    wrong = dict.fromkeys(highs.FORMULATIONS, 0)
    cells = cells_of([N], RATIOS)
    for cell in cells:
        for t in range(few):
            X, y = random_labelling(np.random.default_rng([SEED, *cell, t]), cell)
            if abs(int(y.sum())) == len(y):
                continue
            answer = bool(nv.decide(X, y, fit_intercept=False))
            for name in sums:
                begin = time.process_time()
                said = highs.separable(X, y, name, bias=False)
                sums[name] += time.process_time() - begin
                wrong[name] += said is not answer
    best = min(sums, key=lambda name: (wrong[name] > 0, sums[name]))
    words = [f"{name} {1e3 * sums[name] / (few * len(cells)):.1f} ms a draw, {wrong[name]} wrong" for name in sums]
    return (
        f"HiGHS {best}",
        sums[best] * trials / few,
        f"capacity: the time of HiGHS is scaled from {few} draws of each size; {'; '.join(words)}",
    )


def two_processes(what: str, N: int, trials: int) -> Row:
    """One process against two, by wall time."""
    times, before = list[float](), os.sched_getaffinity(0) if CORES else CORES
    if CORES:
        os.sched_setaffinity(0, CORES)
    for workers in (1, 2):
        with nv.engine("dask", workers) as engine:
            capacity_experiment(N, RATIOS, 100, SEED, engine=engine)  # starts them
            times.append(_wall(N, trials, engine))
    if CORES:
        os.sched_setaffinity(0, before)
    return Row(f"two processes, {what}", times[1], "s", "one process", times[0], times[0] / times[1], "the speed", TWO)


def _wall(N: int, trials: int, engine: Any) -> float:
    begin = time.perf_counter()
    capacity_experiment(N, RATIOS, trials, SEED, engine=engine)
    return time.perf_counter() - begin
