"""Measuring: interleaved repeats, CPU time, medians of ratios, a bar for each ratio.

    ratio = median over rounds of  ours / peer's   (the time)   or   peer's / ours   (the speed)

A round runs every job once, so that what disturbs the machine disturbs all jobs alike; the two figures of a ratio are
always of the same round. One thread, one core, CPU time; whole commands (`command`) on all cores, wall time too.
Standard library only: `one_thread` must act before NumPy is imported.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from importlib.util import find_spec
from statistics import median
from typing import Any

THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS", "POLARS_MAX_THREADS")
CORES = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()  # before `one_thread`
KINDS = ("wall", "CPU", "wall of a hundredth", "CPU of a hundredth")  # figures of a command
VECTOR = ("sse4", "avx", "fma", "bmi", "sha")  # flags of vector instructions and of those that figures depend on
UNITS = {"µs": 1e6, "ms": 1e3, "s": 1.0}

Figures = Mapping[str, float]  # seconds by name
Job = Callable[[], Figures]


@dataclass(frozen=True)
class Size:
    """How large the data are and how often everything is repeated."""

    dense: tuple[int, int]  # rows, columns
    text: tuple[int, int]
    repeats: int
    cold_starts: int = 1
    digits: tuple[int, int] = (200, 64)  # of ten classes
    topics: tuple[int, int] = (200, 1_000)  # text of twenty classes
    file: int = 60  # rows of files; 200,000 make 200 MB


FULL = Size((200_000, 200), (500_000, 47_000), 15, 3, digits=(60_000, 784), topics=(11_000, 100_000), file=200_000)
QUICK = Size((20_000, 200), (20_000, 10_000), 3, digits=(6_000, 784), topics=(2_000, 10_000), file=5_000)


@dataclass(frozen=True)
class Row:
    """One answer: our figure, the peer's, their ratio, and the bar it must keep to."""

    what: str
    ours: float | None  # seconds, or a count where unit is empty; None: not measured
    unit: str
    peer: str = ""
    theirs: float | None = None
    ratio: float | None = None
    word: str = ""  # what the ratio is of: "the time" or "the speed"
    bar: float | None = None
    note: str = ""

    @property
    def holds(self) -> bool | None:
        """Whether the bar is kept (a speed reaches it, all else stays within it); None without a bar.

        A speed that could not be measured does not keep it.
        """
        if self.bar is None:
            return None
        if self.word == "the speed" and self.ratio is None:
            return False
        value = self.ours if self.ratio is None else self.ratio
        return value >= self.bar if self.word == "the speed" else value <= self.bar

    @property
    def bar_in_words(self) -> str:
        """The bar as it is read."""
        if self.bar is None:
            return ""
        speed = self.word == "the speed"
        unit = "×" if speed or self.ratio is not None else f" {self.unit}" if self.unit else ""
        return f"{'≥' if speed else '≤'} {self.bar:g}{unit}"

    def cells(self) -> tuple[str, ...]:
        """The row as a table shows it."""
        ratio = "" if self.ratio is None else f"{self.ratio:.2f}× {self.word}"
        holds = {None: "", True: "yes", False: "NO"}[self.holds]
        ours, theirs = figure(self.ours, self.unit), figure(self.theirs, self.unit)
        return self.what, ours, self.peer, theirs, ratio, self.bar_in_words, holds

    def as_json(self) -> dict[str, Any]:
        """The row for programs; times in seconds."""
        return asdict(self) | {"holds": self.holds}


COLUMNS = ("what", "ours", "peer", "peer's", "ratio", "bar", "holds")


def figure(value: float | None, unit: str) -> str:
    """A time or a count as it is read."""
    if value is None:
        return ""
    return f"{value:g}" if not unit else f"{value * UNITS[unit]:.{2 if unit == 's' else 1}f} {unit}"


class Rounds:
    """The figures of all rounds, and what is said about them."""

    def __init__(self, rounds: list[dict[str, float]]) -> None:
        self.rounds = rounds

    def typical(self, name: str) -> float:
        """The median of one figure."""
        return median(figures[name] for figures in self.rounds)

    def ratio(self, above: str, below: str) -> float:
        """The median of the ratio of two figures of the same round."""
        return median(figures[above] / figures[below] for figures in self.rounds)

    def time(self, what: str, ours: str, peer: str, bar: float | None = None, unit: str = "ms", note: str = "") -> Row:
        """How many times as long as the peer ours takes."""
        ratio = self.ratio(ours, peer)
        return Row(what, self.typical(ours), unit, peer, self.typical(peer), ratio, "the time", bar, note)

    def speed(self, what: str, ours: str, peer: str, bar: float | None = None, unit: str = "ms", note: str = "") -> Row:
        """How many times as fast as the peer ours is."""
        ratio = self.ratio(peer, ours)
        return Row(what, self.typical(ours), unit, peer, self.typical(peer), ratio, "the speed", bar, note)


def interleave(jobs: Sequence[Job], repeats: int) -> Rounds:
    """Run all jobs in turn, `repeats` times, after one round that is not counted."""
    rounds = [_one_round(jobs) for _ in range(repeats + 1)]
    return Rounds(rounds[1:])


def _one_round(jobs: Sequence[Job]) -> dict[str, float]:
    figures: dict[str, float] = {}
    for job in jobs:
        figures |= job()
    return figures


def timed(name: str, call: Callable[[], object]) -> Job:
    """The job that gives the CPU seconds of one call."""

    def job() -> Figures:
        start = time.process_time()
        call()
        return {name: time.process_time() - start}

    return job


def command(name: str, big: Sequence[str], small: Sequence[str]) -> Job:
    """The job that runs a command on all cores, on a big file and on its first hundredth: the program's start-up."""

    def job() -> Figures:
        whole, start = _process(big), _process(small)
        return {f"{name}, {kind}": seconds for kind, seconds in zip(KINDS, (*whole, *start), strict=True)}

    return job


def _process(arguments: Sequence[str]) -> tuple[float, float]:
    """Wall and CPU seconds of a child on all cores."""
    import resource
    import subprocess

    def all_cores() -> None:
        if CORES:
            os.sched_setaffinity(0, CORES)

    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(arguments, capture_output=True, text=True, check=False, preexec_fn=all_cores)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise RuntimeError(f"{' '.join(arguments)}: {done.stderr[-1000:]}")
    return wall, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def compared(rounds: Rounds, what: str, ours: str, peer: str, bar: float, whole: float | None = None) -> Iterator[Row]:
    """Two commands: wall time net of start-up against the bar, then CPU time, then both with the start-up.

    whole: the bar of the wall time with the start-up.

    Net is the median less the median of the start-up; there is no ratio where a start-up took as long as the whole, and
    then the bar is missed.
    """
    for kind, words in (("wall", "wall time"), ("CPU", "CPU time")):
        us, them = (
            rounds.typical(f"{who}, {kind}") - rounds.typical(f"{who}, {kind} of a hundredth") for who in (ours, peer)
        )
        ratio = them / us if us > 0 and them > 0 else None
        least = bar if kind == "wall" else None
        yield Row(f"{what}: {words} net of start-up", us, "s", peer, them, ratio, "the speed", least)
    for kind, words in (("wall", "wall time"), ("CPU", "CPU time")):
        row = rounds.speed(f"{what}: {words} in all", f"{ours}, {kind}", f"{peer}, {kind}", unit="s")
        yield replace(row, peer=peer, bar=whole if kind == "wall" else None)


def one_thread() -> None:
    """Keep this process and its children to one thread on one core, where the system allows it."""
    os.environ.update(dict.fromkeys(THREADS, "1"))
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def cpu() -> str:
    """The CPU's model and the vector instructions it has, as far as the system tells them."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            lines = [line.partition(":") for line in file]
    except OSError:
        return platform.processor() or platform.machine()
    told = {name.strip(): value.strip() for name, _, value in reversed(lines)}
    flags = [flag for flag in told.get("flags", "").split() if flag.startswith(VECTOR)]
    family = ", ".join(f"{name} {told[name]}" for name in ("cpu family", "model") if name in told)
    return f"{told.get('model name', platform.machine())} ({family}; {' '.join(flags) or 'no vector flags told'})"


def setting() -> dict[str, str | int]:
    """What the figures depend on, without naming the machine."""
    packages = ["novikoff", "numpy", "scipy", "numba", "scikit-learn", "highspy", "pyarrow", "polars", "vowpalwabbit"]
    if find_spec("liblinear") is not None:  # the dependency group `bench`
        packages.append("liblinear-official")
    return {
        "python": platform.python_version(),
        **{name: version(name) for name in packages},
        "cores": os.cpu_count() or 1,
        "architecture": platform.machine(),
        "cpu": cpu(),
    }
