"""How well does it classify what it never saw?

    accuracy = points of the test part put into their class / points of the test part

One recipe for every set, nothing chosen by its test part: order="shuffle", 20 passes, one-vs-all, all else default;
seeds 0 to 9 (0 to 4 for mnist), as for the peer. The peer is scikit-learn's Perceptron with all defaults, its figures
those of the README beside the data; that its seed 0 gives the README's figure here too shows that the data were
prepared alike.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from typing import Any

from benchmarks import real
from benchmarks.harness import Row, Size

PASSES = 20
SEEDS = {"mnist": 5}  # else 10
RECIPE = (
    f'ours: order="shuffle", {PASSES} passes, one-vs-all, all else default, for each seed of the peer; '
    "median [lowest–highest] of the seeds"
)


@dataclass(frozen=True)
class Score(Row):
    """An accuracy over seeds, the peer's, and the accuracy it must reach."""

    seeds: tuple[float, ...] = ()
    reference: real.Reference | None = None

    @property
    def holds(self) -> bool | None:
        """Whether the bar is reached, to the four digits that the README has."""
        return None if self.bar is None else round(self.ours, 4) >= self.bar

    @property
    def bar_in_words(self) -> str:
        return "" if self.bar is None else f"≥ {self.bar:.4f}"

    def cells(self) -> tuple[str, ...]:
        ours, theirs = f"{self.ours:.4f}", "" if self.theirs is None else f"{self.theirs:.4f}"
        if len(self.seeds) > 1 and self.bar is None:
            ours += f" [{min(self.seeds):.4f}–{max(self.seeds):.4f}]"
        if self.reference is not None:
            theirs += f" [{self.reference.lowest:.4f}–{self.reference.highest:.4f}]"
        holds = {None: "", True: "yes", False: "NO"}[self.holds]
        return self.what, ours, self.peer, theirs, "", self.bar_in_words, holds


def ask(size: Size) -> Iterator[Row]:
    """The answers, set by set; a set that is not there is named as skipped."""
    for name in real.SETS:
        if reason := real.why_absent(name):
            yield Row(f"{name}: skipped", None, "", note=reason)
        else:
            yield from one_set(name, real.load(name), min(size.repeats, SEEDS.get(name, 10)))


def one_set(name: str, parts: real.Parts, seeds: int) -> Iterator[Row]:
    """Average and pocket over all seeds, the better of the two, and other rules once."""
    reference, found = real.SETS[name][1], {}
    for keep in ("average", "pocket"):
        found[keep] = tuple(accuracy(parts, keep=keep, random_state=seed) for seed in range(seeds))
        yield _against(f"{name}: keep={keep}", found[keep], reference)
    better = tuple(map(max, found["average"], found["pocket"]))
    what = f"{name}: the better of the two, lowest of {seeds} seeds"
    peer = "scikit-learn Perceptron, highest seed"
    yield Score(what, min(better), "", peer, reference.highest, bar=reference.highest, seeds=better, note=RECIPE)
    for rule in ("margin", "pa1"):
        yield _against(f"{name}: rule={rule}, keep=average", (accuracy(parts, rule=rule, keep="average"),), reference)
    what, peer = f"{name}: scikit-learn Perceptron, seed 0, here", "the README's figure"
    yield Score(what, peers(parts), "", peer, reference.seed_0)


def _against(what: str, seeds: tuple[float, ...], reference: real.Reference) -> Score:
    peer = "scikit-learn Perceptron"
    return Score(what, median(seeds), "", peer, reference.median, seeds=seeds, reference=reference)


def accuracy(parts: real.Parts, **how: Any) -> float:
    """Our test accuracy after at most 20 passes."""
    import novikoff as nv

    learner = nv.Perceptron(**{"order": "shuffle", "max_iter": PASSES, "random_state": 0, "multi_class": "ova"} | how)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", nv.NotSeparatedWarning)
        learner.fit(parts.X, parts.y)
    return float(learner.score(parts.X_test, parts.y_test))


def peers(parts: real.Parts) -> float:
    """scikit-learn's test accuracy with seed 0."""
    from sklearn.linear_model import Perceptron

    return float(Perceptron(random_state=0).fit(parts.X, parts.y).score(parts.X_test, parts.y_test))
