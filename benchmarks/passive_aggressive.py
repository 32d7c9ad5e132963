"""What does a passive-aggressive fit cost?

    fit     Perceptron(rule="pa1", order="shuffle").fit  against scikit-learn's PassiveAggressiveClassifier, five passes
    steps   the same  against rule="perceptron": as many looks, more updates, and sums in order

Real sets: news20 (sparse, 20 classes), covtype_10k (dense, 7 classes), a9a (sparse, 2 classes); keep="last" and
keep="average", which is average=True of the peer. Both shuffle the rows before each pass, both one-vs-all, C = 1.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import partial
from typing import Any

from benchmarks import real
from benchmarks.harness import Row, Size, interleave, timed

NAMES = ("news20", "covtype_10k", "a9a")
PASSES = 5
FASTER = 1.2
PEER = "scikit-learn PassiveAggressiveClassifier"
KEEPS = ("last", "average")


def ask(size: Size) -> Iterator[Row]:
    """The rows of this question, set by set; a set that is not there is named as skipped."""
    for name in NAMES:
        if reason := real.why_absent(name):
            yield Row(f"{name}: skipped", None, "", note=reason)
        else:
            yield from one_set(name, *real.load(name)[:2], min(size.repeats, 9))


def one_set(name: str, X: Any, y: Any, repeats: int) -> Iterator[Row]:
    """Both keeps against the peer, and against the perceptron."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the peer is deprecated in favour of SGDClassifier(learning_rate="pa1")
        jobs = [timed("rule=perceptron", partial(ours, X, y, "perceptron", "last"))]
        for keep in KEEPS:
            jobs.append(timed(f"pa1, keep={keep}", partial(ours, X, y, "pa1", keep)))
            jobs.append(timed(f"{PEER}, keep={keep}", partial(theirs, X, y, keep == "average")))
        rounds = interleave(jobs, repeats)
    for keep in KEEPS:
        what = f"{name}: fit, rule=pa1, keep={keep}, {PASSES} passes"
        yield rounds.speed(what, f"pa1, keep={keep}", f"{PEER}, keep={keep}", FASTER)
    yield rounds.time(f"{name}: fit, rule=pa1, keep=last, {PASSES} passes", "pa1, keep=last", "rule=perceptron")


def ours(X: Any, y: Any, rule: str, keep: str) -> None:
    """Fit ours."""
    import novikoff as nv

    how: dict[str, Any] = {"order": "shuffle", "max_iter": PASSES, "train_patience": None, "random_state": 0}
    nv.Perceptron(rule=rule, keep=keep, **how).fit(X, y)


def theirs(X: Any, y: Any, average: bool) -> None:
    """Fit the peer."""
    from sklearn.linear_model import PassiveAggressiveClassifier

    PassiveAggressiveClassifier(C=1.0, max_iter=PASSES, tol=None, average=average, random_state=0).fit(X, y)
