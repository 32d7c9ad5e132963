"""What do the defaults give on real data, and in what time?

    accuracy = points of the test part put into their class / points of the test part, mean over the seeds

`Perceptron()` with all defaults, against the documented recipe (`recipe.RECIPE`, order="shuffle"), `SoftMargin()`, and
scikit-learn's Perceptron, LinearSVC and LogisticRegression with their defaults. Splits, features and seeds are those of
the README beside the data. Time: CPU seconds of all fits.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import sqrt
from statistics import mean
from typing import Any

from benchmarks import real, tables
from benchmarks.harness import Row, Size
from benchmarks.recipe import RECIPE

WITHIN = 0.01  # of the recipe's mean accuracy
SLOWER = 3.0  # times the recipe's time, at most
SEEDS = {"mnist": 2, "newsgroups20": 2, "news20": 2}  # else 5


@dataclass(frozen=True)
class Accuracy(Row):
    """An accuracy, the peer's, and the least it must be."""

    @property
    def holds(self) -> bool | None:
        return None if self.bar is None else self.ours is not None and self.ours >= self.bar

    @property
    def bar_in_words(self) -> str:
        return "" if self.bar is None else f"≥ {self.bar:.4f}"

    def cells(self) -> tuple[str, ...]:
        figures = ["" if value is None else f"{value:.4f}" for value in (self.ours, self.theirs)]
        holds = {None: "", True: "yes", False: "NO"}[self.holds]
        return self.what, figures[0], self.peer, figures[1], "", self.bar_in_words, holds


def ask(size: Size) -> Iterator[Row]:
    """The answers, set by set, then the means; a set that is not there is named as skipped."""
    loaders = {name: loader for name, (loader, _) in real.SETS.items()} | tables.TABLES
    sums: dict[str, list[float]] = {}
    for name, loader in loaders.items():
        if reason := real.why_absent(name):
            yield Row(f"{name}: skipped", None, "", note=reason)
            continue
        parts = loader(real.folder() / name)
        found = {who: measured(parts, make, seeds(name, size)) for who, make in learners().items()}
        for who, (accuracy, seconds) in found.items():
            sums.setdefault(who, []).append(accuracy)
            sums.setdefault(f"{who}, time", []).append(seconds)
        (ours, spent), (recipe, its) = found["defaults"], found["recipe"]
        error = sqrt(max(recipe * (1 - recipe), 1e-9) / len(parts.y_test))
        yield Accuracy(f"{name}: defaults", ours, "", "recipe", recipe, bar=recipe - 2 * error)
        for who in list(found)[2:]:
            yield Accuracy(f"{name}: defaults", ours, "", who, found[who][0])
        yield Row(f"{name}: time of a fit", spent, "ms", "recipe", its, spent / its, "the time", bar=SLOWER)
        yield Row(f"{name}: time of a fit", spent, "ms", "LinearSVC", found["LinearSVC"][1])
    if sums:
        ours, recipe = mean(sums["defaults"]), mean(sums["recipe"])
        yield Accuracy("mean of the sets: defaults", ours, "", "recipe", recipe, bar=recipe - WITHIN)
        for who in ("SoftMargin", "scikit-learn Perceptron", "LinearSVC", "LogisticRegression"):
            yield Accuracy("mean of the sets: defaults", ours, "", who, mean(sums[who]))


def seeds(name: str, size: Size) -> int:
    """How many seeds a set is measured with."""
    return min(size.repeats, SEEDS.get(name, 5))


def learners() -> dict[str, Callable[[int], Any]]:
    """The learners by name, made from a seed."""
    from sklearn.linear_model import LogisticRegression, Perceptron
    from sklearn.svm import LinearSVC

    import novikoff as nv

    return {
        "defaults": lambda seed: nv.Perceptron(random_state=seed),
        "recipe": lambda seed: nv.Perceptron(**RECIPE, order="shuffle", random_state=seed),
        "SoftMargin": lambda seed: nv.SoftMargin(),
        "scikit-learn Perceptron": lambda seed: Perceptron(random_state=seed),
        "LinearSVC": lambda seed: LinearSVC(random_state=seed),
        "LogisticRegression": lambda seed: LogisticRegression(),
    }


def measured(parts: real.Parts, make: Callable[[int], Any], many: int) -> tuple[float, float]:
    """(mean test accuracy, CPU seconds of one fit); models of one optimum need one seed."""
    accuracies, spent = [], 0.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        learner = make(0)
        if type(learner).__name__ in ("SoftMargin", "LinearSVC", "LogisticRegression"):
            many = 1
        else:
            learner.fit(parts.X, parts.y)  # compiled code and caches are ready
        for seed in range(many):
            learner = make(seed)
            began = time.process_time()
            learner.fit(parts.X, parts.y)
            spent += time.process_time() - began
            accuracies.append(float(learner.score(parts.X_test, parts.y_test)))
    return mean(accuracies), spent / many
