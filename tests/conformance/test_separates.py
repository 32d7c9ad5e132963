"""Separable sets are separated: by default, every time, and it is said.

500 points of unit norm in 10 dimensions, labelled by a teacher through the origin, with a margin of at least γ: the
default fit must separate 20 of 20 sets for γ = 0.01, 0.002 and 0.0005. scikit-learn's default Perceptron separates none
of these sets, and does not warn.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import novikoff as nv

SEEDS = range(20)
MARGINS = [0.01, 0.002, 0.0005]
N, D = 500, 10


def separable(gamma: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Unit rows with |x·t| ≥ γ for a unit teacher t, labelled by the side."""
    rng = np.random.default_rng([seed, round(1 / gamma)])
    teacher = rng.standard_normal(D)
    teacher /= np.linalg.norm(teacher)
    X = rng.standard_normal((2 * N, D))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    X = X[np.abs(X @ teacher) >= gamma][:N]
    return X, np.where(X @ teacher > 0, 1, -1)


@pytest.mark.compiled
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("gamma", MARGINS)
def test_the_default_fit_separates(gamma: float, seed: int) -> None:
    """`Perceptron().fit` separates, says how, does not warn, and predicts every training point."""
    X, y = separable(gamma, seed)
    assert X.shape == (N, D)
    clf = nv.Perceptron().fit(X, y)
    assert clf.stop_reason_ in ("separated", "separable")
    assert (clf.predict(X) == y).all()
    assert (nv.margins(X, y, clf.coef_[0], clf.intercept_[0]).sides == y).all()
    assert (clf.history_["mistakes"][-1] == 0) == (clf.stop_reason_ == "separated")
    assert clf.n_iter_ <= 20


LIMITS = {
    "max_passes": {"max_iter": 3},
    "max_updates": {"max_updates": 50},
    "max_seconds": {"max_time": 1e-9},
    "train_stalled": {"train_patience": 1},
}


@pytest.mark.parametrize("reason", LIMITS)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_limit_warns_once_in_words(reason: str, seed: int) -> None:
    """If a limit stops a run, exactly one warning says which, and how many errors are left."""
    X, y = separable(0.0005, seed)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        clf = nv.Perceptron(keep="pocket", **LIMITS[reason]).fit(X, y)
    assert clf.stop_reason_ == reason
    assert [w.category for w in caught] == [nv.NotSeparatedWarning]
    errors = int(np.count_nonzero(clf.predict(X) != y))
    assert errors > 0
    said = str(caught[0].message)
    assert reason in said
    assert f"{errors} of 500" in said


@pytest.mark.parametrize("gamma", MARGINS)
def test_scikit_learns_default_stops_without_a_warning_before_it_separates(gamma: float) -> None:
    """The reason for this test file: on the same sets the usual Perceptron leaves errors, and says nothing."""
    from sklearn.linear_model import Perceptron

    separated = 0
    for seed in SEEDS:
        X, y = separable(gamma, seed)
        separated += bool((Perceptron().fit(X, y).predict(X) == y).all())  # a warning would be an error here
    assert separated == 0
