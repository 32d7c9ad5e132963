"""Which estimators scikit-learn's checks are run on, and the few thresholds that some of them miss, with their scores.

Two checks want an accuracy; nothing else may be listed here. `check_class_weight_classifiers` weighs class 0 ten
million times as much as the others and wants more than 87 % of noise put into it (scikit-learn's own
PassiveAggressiveClassifier gets 64 %); `check_classifiers_train` wants more than 83 % of three overlapping blobs
right. With `pa` and `pa2` a step is a thousand times the one that would do, each overshoots the last, and the run is
refused before its numbers overflow: there is no score.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.datasets import make_blobs
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from sklearn.utils import shuffle

import novikoff as nv
from data.choices import KEEPS, RULES, SCHEMES, allowed_for_many

Choice = tuple[str, str, str]  # multi_class, keep, rule
PASSES = 100  # of the estimators checked beside the default one
WEIGHTS, TRAIN = "check_class_weight_classifiers", "check_classifiers_train"
REFUSED = -1.0  # instead of a score
EARLY = 0.7  # with early stopping on five validation points

PRODUCT: list[Choice] = [
    (multi_class, keep, rule)
    for multi_class in SCHEMES
    for keep in KEEPS
    for rule in RULES
    if allowed_for_many(multi_class, keep, rule)
]
# every keep with every rule, every way of many classes with every keep and rule it has
PAIRS: list[Choice] = [
    ("ova", "last", "perceptron"),
    ("ovo", "pocket", "perceptron"),
    *(("joint", keep, "perceptron") for keep in KEEPS),
    *((("ova", "ovo")[(k + r) % 2], keep, rule) for k, keep in enumerate(KEEPS) for r, rule in enumerate(RULES[1:])),
]
PAIRS = [choice for choice in PAIRS if allowed_for_many(*choice)]


def missed(choice: Choice) -> dict[str, float]:
    """The thresholds that a combination misses, and its score."""
    return {WEIGHTS: REFUSED} if choice[2] in ("pa", "pa2") else {}


def estimator(choice: Choice) -> nv.Perceptron:
    """The estimator of a combination."""
    multi_class, keep, rule = choice
    return nv.Perceptron(multi_class=multi_class, keep=keep, rule=rule, max_iter=PASSES)


def expected_failures(made: nv.Perceptron) -> dict[str, str]:
    """For scikit-learn: the checks that an estimator fails, each with its score."""
    if made.early_stopping:
        return {WEIGHTS: f"score {EARLY}"}
    if made.max_iter != PASSES:
        return {}
    scores = missed((made.multi_class, made.keep, made.rule))
    return {check: "refused" if score == REFUSED else f"score {score}" for check, score in scores.items()}


def score(check: str, made: nv.Perceptron) -> float:
    """The score that a check computes, on its three classes; REFUSED where the fit is."""
    try:
        return _weights(made) if check == WEIGHTS else _train(made)
    except nv.InputError as error:
        if "would pass 2^500" not in str(error):
            raise
        return REFUSED


def _weights(made: Any) -> float:
    X, y = make_blobs(centers=3, random_state=0, cluster_std=20)
    X, X_test, y, _ = train_test_split(X, y, test_size=0.5, random_state=0)
    made.set_params(class_weight={0: 1000, 1: 0.0001, 2: 0.0001}, max_iter=1000, random_state=0).fit(X, y)
    return float(np.mean(made.predict(X_test) == 0))


def _train(made: Any) -> float:
    X, y = shuffle(*make_blobs(n_samples=300, random_state=0), random_state=7)
    X = StandardScaler().fit_transform(X)
    return float(made.fit(X, y).score(X, y))


# ---- MaxMargin


class SeparableMaxMargin(nv.MaxMargin):
    """MaxMargin that, where no plane separates the labels, fits on labels nearby that one separates.

    The checks about NaN, dtypes, sparse points, repeated fits and numbers of columns then run to their end.
    """

    def fit(self, X: Any, y: Any = None) -> SeparableMaxMargin:
        try:
            return super().fit(X, y)
        except nv.NotSeparableError:
            return super().fit(X, separable_labels(X, y))


def separable_labels(X: Any, y: Any) -> np.ndarray:
    """The two labels of y, placed by a plane: least squares gives its direction, the widest gap nearby its place.

    "Nearby": within a tenth of the points of where the direction would put the number of points of the first class.
    """
    A = np.asarray(X.toarray() if sp.issparse(X) else X).astype(float)
    classes, place = np.unique(np.ravel(np.asarray(y)), return_inverse=True)
    centred = A - A.mean(axis=0)
    along = centred @ np.linalg.lstsq(centred, place - place.mean(), rcond=None)[0]
    ordered = np.sort(along)
    n, first = len(ordered), int(np.count_nonzero(place == 0))
    low, high = max(1, first - n // 10), min(n - 1, first + n // 10)
    cut = low + int(np.argmax(ordered[low : high + 1] - ordered[low - 1 : high]))
    return classes[(along >= ordered[cut]).astype(int)]
