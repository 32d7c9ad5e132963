"""What do many classes cost?

    one pass    all planes of a scheme, trained side by side  against  one plane of ours on the same rows
    fit         Perceptron(multi_class="ova", keep="last", order="cyclic").fit  against scikit-learn's, as many passes;
                without a rule that looks at all planes between the passes, and with one (train_patience)

The one plane separates the classes of even number from the odd ones. Pass 1 sees the rows for the first time; a later
pass is the mean of passes 2 and 3. What is compared are the compiled looks, updates and all.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import partial
from statistics import fmean
from typing import Any

import numpy as np
from sklearn.linear_model import Perceptron as SklearnPerceptron

import novikoff as nv
from benchmarks import data, yardsticks
from benchmarks.harness import Figures, Job, Row, Size, interleave, timed
from novikoff.data.problem import Problem, problem_of
from novikoff.perceptron.orders import Order
from novikoff.perceptron.plan import Plan
from novikoff.perceptron.run import Run
from novikoff.perceptron.scheme import Scheme
from novikoff.perceptron.stops import Stops

PASSES = 3
SCHEMES = {"ova": "one-vs-all", "ovo": "one-vs-one", "joint": "joint"}
ONE_PASS = {"dense float32": {"ova": 2.0, "ovo": 4.0, "joint": 3.0}}  # the time of one plane's pass
FASTER = {"dense float32": 12.0, "CSR float32": 1.8}
FASTER_BY_PASS = {"CSR float32": 1.3}
ONE, PEER = "one plane", "scikit-learn Perceptron"


def ask(size: Size) -> Iterator[Row]:
    """The rows of this question, storage by storage."""
    for name, X, y in storages(size):
        yield from _passes(name, X, y, size.repeats)
        yield from _fits(name, X, y, size.repeats)


def storages(size: Size) -> Iterator[tuple[str, Any, np.ndarray]]:
    """Points of many classes, dense and sparse."""
    yield "dense float32", *data.digits(*size.digits)
    X, _ = data.text(*size.topics)
    yield "CSR float32", X, _topics(X)


def _topics(X: Any, classes: int = 20) -> np.ndarray:
    """The best of twenty Gaussian teachers."""
    return np.argmax(X @ np.random.default_rng(3).standard_normal((X.shape[1], classes)), axis=1)


def _passes(name: str, X: Any, y: np.ndarray, repeats: int) -> Iterator[Row]:
    """Single passes, from inside one run."""
    two, many = problem_of(X, y % 2)[0], problem_of(X, y, many=True)[0]
    jobs: list[Job] = [partial(_one, two), *(partial(_several, many, scheme) for scheme in SCHEMES)]
    rounds = interleave(jobs, repeats)
    bars, classes = ONE_PASS.get(name, {}), len(np.unique(y))
    for scheme, words in SCHEMES.items():
        planes = Scheme(scheme, classes).planes
        for when in ("pass 1", "later pass"):
            what = f"{name}: {words}, {planes} planes, {when}"
            yield rounds.time(what, f"{scheme}, {when}", f"{ONE}, {when}", bars.get(scheme))


def _one(problem: Problem) -> Figures:
    return _by_visit(ONE, yardsticks.passes(problem, "last", PASSES).looks)


def _several(problem: Problem, scheme: str) -> Figures:
    return _by_visit(scheme, several(problem, scheme).looks)


def several(problem: Problem, name: str) -> yardsticks.Passes:
    """Passes of the planes of a scheme from w = 0; `problem.y` holds class numbers."""
    scheme = Scheme(name, int(problem.y.max()) + 1)
    plan = Plan(Order("cyclic"), "last", Stops(max_passes=PASSES, train_patience=None), factors=(1.0,) * scheme.classes)
    return yardsticks.watch(lambda: Run.begin(problem, plan, np.zeros((scheme.planes, problem.d + 1)), None, scheme))


def _by_visit(name: str, seconds: list[float]) -> dict[str, float]:
    """The first pass, and the mean of the later ones."""
    return {f"{name}, pass 1": seconds[0], f"{name}, later pass": fmean(seconds[1:] or seconds)}


def _fits(name: str, X: Any, y: np.ndarray, repeats: int) -> Iterator[Row]:
    """Whole fits, input checks and all."""

    def ours(patience: int | None) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", nv.NotSeparatedWarning)
            nv.Perceptron(keep="last", order="cyclic", max_iter=PASSES, train_patience=patience).fit(X, y)

    def theirs() -> None:
        SklearnPerceptron(max_iter=PASSES, tol=None, shuffle=False, n_jobs=1).fit(X, y)

    plain, by_pass = timed("fit", partial(ours, None)), timed("fit by pass", partial(ours, PASSES))
    rounds = interleave([plain, by_pass, timed(PEER, theirs)], min(repeats, 7))
    what = f"{name}: fit, one-vs-all, {PASSES} passes"
    yield rounds.speed(what, "fit", PEER, FASTER.get(name))
    yield rounds.speed(f"{what}, a rule between them", "fit by pass", PEER, FASTER_BY_PASS.get(name))
