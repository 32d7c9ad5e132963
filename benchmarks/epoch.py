"""What does one pass over the points cost?

    fit        Perceptron(keep="last", order="cyclic", max_iter=1).fit  against scikit-learn's, rows in the given order
    exact      a pass with exact decisions  against the same binary64 pass without them
    memory     a pass  against one read of the same bytes
    average    keep="average"  against keep="last"
    passes     fit of five passes  against scikit-learn's
    updates    fit on labels by chance, where every second look is an update, as many passes as scikit-learn's

Pass 1 sees the rows for the first time (norms, NaN, columns in order); a later pass is the mean of passes 2 and 3.
Ours and the plain passes start from w = 0 and make the same mistakes; where they do not, a note says so. The compiled
looks have a bar; the whole training loop around them (history, saved weights, memory for the counts) is shown beside.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import partial
from statistics import fmean
from typing import Any

import numpy as np
from sklearn.linear_model import Perceptron as SklearnPerceptron, SGDClassifier

import novikoff as nv
from benchmarks import data, yardsticks
from benchmarks.harness import Figures, Job, Rounds, Row, Size, interleave, timed
from novikoff.data.problem import Problem, problem_of

PASSES = 3
UPDATING = 20  # passes over labels by chance
UPDATES = 2.0
FIVE_PASSES, FIVE_FASTER = 5, {"CSR": 1.8}
FASTER = {"dense float32": 4.0, "dense float64": 3.0, "CSR float32": 1.7, "CSR float64": 1.7}
EXACT, FIRST_VISIT = 1.15, 1.25
MEMORY = {"dense": 1.4, "CSR": 1.7}
AVERAGE = {"dense": 1.15, "CSR": 1.5}

READ, GATHER = "one read of the same bytes", "one product with the weights"
PARTS = {"looks": "compiled looks", "loop": "whole training loop"}

ONE_PASS = {"max_iter": 1, "tol": None, "shuffle": False}
PEERS = {
    "scikit-learn Perceptron": lambda: SklearnPerceptron(**ONE_PASS),
    "scikit-learn SGDClassifier(perceptron)": lambda: SGDClassifier(
        loss="perceptron", penalty=None, learning_rate="constant", eta0=1.0, **ONE_PASS
    ),
    "scikit-learn SGDClassifier(hinge)": lambda: SGDClassifier(loss="hinge", **ONE_PASS),
}


def ask(size: Size) -> Iterator[Row]:
    """The rows of this question, storage by storage."""
    for name, X, y in storages(size):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", nv.NotSeparatedWarning)
            yield from _fits(name, X, y, size.repeats)
            yield _five(name, X, y, size.repeats)
            yield from _passes(name, problem_of(X, y)[0], size.repeats)
    yield from _updates(size)


def storages(size: Size) -> Iterator[tuple[str, Any, np.ndarray]]:
    """The points in each storage that has its own kernels."""
    for kind, make, shape in (("dense", data.dense, size.dense), ("CSR", data.text, size.text)):
        X, y = make(*shape)
        yield f"{kind} float32", X, y
        yield f"{kind} float64", X.astype(np.float64), y


def _fits(name: str, X: Any, y: np.ndarray, repeats: int) -> Iterator[Row]:
    """Whole fits, input checks and all."""

    def fit(keep: str) -> Job:
        return timed(f"fit, keep={keep}", lambda: nv.Perceptron(keep=keep, order="cyclic", max_iter=1).fit(X, y))

    peers = [timed(peer, partial(_fit_new, new, X, y)) for peer, new in PEERS.items()]
    rounds = interleave([fit("last"), fit("average"), *peers], repeats)
    for peer in PEERS:
        bar = FASTER[name] if peer == "scikit-learn Perceptron" else None
        yield rounds.speed(f"{name}: fit, keep=last, one pass", "fit, keep=last", peer, bar)
    bar = AVERAGE[name.split()[0]]
    yield rounds.time(f"{name}: fit, keep=average, one pass", "fit, keep=average", "fit, keep=last", bar)


def _five(name: str, X: Any, y: np.ndarray, repeats: int) -> Row:
    """Whole fits of five passes; points that a plane separates would end them sooner."""

    def ours() -> None:
        nv.Perceptron(keep="last", order="cyclic", max_iter=FIVE_PASSES, train_patience=None).fit(X, y)

    peer = SklearnPerceptron(**ONE_PASS | {"max_iter": FIVE_PASSES})
    rounds = interleave([timed("fit", ours), timed("scikit-learn Perceptron", partial(peer.fit, X, y))], repeats)
    bar = FIVE_FASTER.get(name.split()[0])
    return rounds.speed(f"{name}: fit, keep=last, {FIVE_PASSES} passes", "fit", "scikit-learn Perceptron", bar)


def _updates(size: Size) -> Iterator[Row]:
    """Fits that make as many updates as labels can ask for."""
    n, d = size.dense[0] // 10, size.dense[1] // 2
    X, y = data.labels(n, d)

    def ours() -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", nv.NotSeparatedWarning)
            nv.Perceptron(keep="last", order="cyclic", max_iter=UPDATING, train_patience=None).fit(X, y)

    peer = SklearnPerceptron(**ONE_PASS | {"max_iter": UPDATING})
    rounds = interleave([timed("fit", ours), timed("scikit-learn Perceptron", partial(peer.fit, X, y))], size.repeats)
    what = f"dense float64: fit, keep=last, labels by chance, {UPDATING} passes"
    yield rounds.speed(what, "fit", "scikit-learn Perceptron", UPDATES, note=f"Labels by chance: {n:,} × {d} numbers.")


def _fit_new(new: Callable[[], Any], X: Any, y: np.ndarray) -> None:
    new().fit(X, y)


def _passes(name: str, problem: Problem, repeats: int) -> Iterator[Row]:
    """Single passes, from inside one run."""
    jobs: list[Callable[[Problem], Figures]] = [
        _read,
        _plain,
        partial(_ours, keep="last"),
        partial(_ours, keep="average"),
    ]
    rounds = interleave([partial(job, problem) for job in jobs], repeats)
    kind, note = name.split()[0], _same_mistakes(problem)
    for when, bar in (("pass 1", FIRST_VISIT), ("later pass", EXACT)):
        for part, limit in (("looks", bar), ("loop", None)):
            what = f"{name}: {when}, {PARTS[part]}"
            yield rounds.time(what, f"last {part}, {when}", f"plain {when}", limit, note=note)
    yield from _against_memory(name, problem, rounds, MEMORY[kind])
    for when in ("pass 1", "later pass"):
        what = f"{name}: keep=average, {when}, {PARTS['looks']}"
        yield rounds.time(what, f"average looks, {when}", f"last looks, {when}", AVERAGE[kind])


def _against_memory(name: str, problem: Problem, rounds: Rounds, bar: float) -> Iterator[Row]:
    """A later pass against one read of the same bytes, and what others need who do less."""
    size, seconds = sum(words.nbytes for words in yardsticks.bytes_of(problem)), rounds.typical(READ)
    said = [f"{name}: one read of its {size / 1e6:,.0f} MB runs at {size / 1e9 / seconds:.1f} GB/s"]
    others = {"plain later pass": "the plain pass without exactness"}
    if problem.sparse:
        others[GATHER] = "one product of all values with their weights, no rows and no decisions,"
    for other, words in others.items():
        ratio = rounds.ratio(other, READ)
        said.append(f"{words} is itself at {ratio:.2f}×, {'over' if ratio > bar else 'within'} the bar of {bar:g}×")
    what = f"{name}: later pass, {PARTS['looks']}"
    yield rounds.time(what, "last looks, later pass", READ, bar, note="; ".join(said) + ".")
    for other in others:
        yield rounds.time(f"{name}: {other} (a yardstick, not ours)", other, READ)


def _read(problem: Problem) -> Figures:
    read = {READ: yardsticks.read(problem)}
    return read | {GATHER: yardsticks.gather(problem)} if problem.sparse else read


def _plain(problem: Problem) -> Figures:
    seconds, _ = yardsticks.plain(problem, PASSES)
    return _by_visit("plain ", seconds)


def _ours(problem: Problem, keep: str) -> Figures:
    run = yardsticks.passes(problem, keep, PASSES)
    return _by_visit(f"{keep} looks, ", run.looks) | _by_visit(f"{keep} loop, ", run.loop)


def _by_visit(name: str, seconds: list[float]) -> dict[str, float]:
    """The first pass, and the mean of the later ones."""
    return {f"{name}pass 1": seconds[0], f"{name}later pass": fmean(seconds[1:])}


def _same_mistakes(problem: Problem) -> str:
    """A note where the plain pass took another way than the exact one."""
    ours = yardsticks.passes(problem, "last", PASSES).result.history["mistakes"]
    _, plain = yardsticks.plain(problem, PASSES)
    return "" if ours == plain[: len(ours)] else f"The plain passes went astray: {plain} mistakes, exactly {ours}."
