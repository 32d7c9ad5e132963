"""What docs/coming-from/scikit-learn.md claims of weights that are the same, and are not, holds in figures."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.linear_model
from sklearn.datasets import load_iris
from sklearn.linear_model import Perceptron

import novikoff as nv
from data.small_sets import labels_in_turn

REMOVED = not hasattr(sklearn.linear_model, "PassiveAggressiveClassifier")  # from scikit-learn 1.10 on

pytestmark = [
    pytest.mark.filterwarnings("ignore::novikoff.estimators.perceptron_estimator.NotSeparatedWarning"),
    pytest.mark.filterwarnings("ignore:Class PassiveAggressiveClassifier is deprecated:FutureWarning"),
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
]


def passive_aggressive(loss: str, C: float, **how: Any) -> Any:
    """scikit-learn's class, as long as it has it; then the words it is to be replaced by."""
    how = {"shuffle": False, "tol": None, "fit_intercept": False} | how
    if not REMOVED:
        return sklearn.linear_model.PassiveAggressiveClassifier(loss=loss, C=C, **how)
    rate = {"hinge": "pa1", "squared_hinge": "pa2"}[loss]
    return sklearn.linear_model.SGDClassifier(loss="hinge", penalty=None, learning_rate=rate, eta0=C, **how)


@pytest.mark.parametrize(("loss", "rule"), [("hinge", "pa1"), ("squared_hinge", "pa2")])
@pytest.mark.parametrize(("average", "keep"), [(False, "last"), (True, "average")])
@pytest.mark.parametrize("weights", [None, "balanced", {0: 2.0, 1: 0.5, 2: 3.0}])
def test_passive_aggressive_weights_are_the_same(loss: str, rule: str, average: bool, keep: str, weights: Any) -> None:
    X, y = labels_in_turn(120, 6, 3, seed=5)
    theirs = passive_aggressive(loss, 0.3, average=average, class_weight=weights, max_iter=4).fit(X, y)
    how: dict[str, Any] = {"multi_class": "ova", "rule": rule, "C": 0.3, "keep": keep, "class_weight": weights}
    ours = nv.Perceptron(fit_intercept=False, max_iter=4, **how)
    assert np.abs(theirs.coef_ - ours.fit(X, y).coef_).max() < 1e-9


@pytest.mark.parametrize(("loss", "rule"), [("hinge", "pa1"), ("squared_hinge", "pa2")])
def test_the_intercept_is_one_more_feature_here_and_is_not_there(loss: str, rule: str) -> None:
    X, y = labels_in_turn(120, 6, 3, seed=5)
    ours = nv.Perceptron(multi_class="ova", rule=rule, C=0.3, keep="last", max_iter=1).fit(X, y)
    whole = np.column_stack([ours.coef_, ours.intercept_])
    ones = passive_aggressive(loss, 0.3, max_iter=1).fit(np.column_stack([X, np.ones(len(X))]), y)
    assert np.abs(ones.coef_ - whole).max() < 1e-9
    theirs = passive_aggressive(loss, 0.3, max_iter=1, fit_intercept=True).fit(X, y)
    assert np.abs(np.column_stack([theirs.coef_, theirs.intercept_]) - whole).max() > 1e-3


@pytest.mark.parametrize("weights", [None, {0: 2.0, 1: 0.5, 2: 3.0}])
@pytest.mark.parametrize("eta0", [1.0, 0.25])
def test_the_perceptron_is_the_same_on_dense_data_and_not_on_sparse(weights: Any, eta0: float) -> None:
    X, y = labels_in_turn(120, 6, 3, seed=5)
    how = {"eta0": eta0, "class_weight": weights, "max_iter": 4}
    ours = nv.Perceptron(multi_class="ova", keep="last", **how).fit(X, y)
    theirs = Perceptron(shuffle=False, tol=None, **how).fit(X, y)
    assert np.abs(theirs.coef_ - ours.coef_).max() < 1e-9
    assert np.abs(theirs.intercept_ - ours.intercept_).max() < 1e-9
    sparse = Perceptron(shuffle=False, tol=None, **how).fit(sp.csr_matrix(X), y)
    assert np.abs(sparse.intercept_ - ours.intercept_).max() > 0.01
    on_sparse = nv.Perceptron(multi_class="ova", keep="last", **how).fit(sp.csr_matrix(X), y)
    assert on_sparse.coef_.tobytes() == ours.coef_.tobytes()


def test_a_plane_here_rests_once_it_separates_and_goes_on_there() -> None:
    X, y = load_iris(return_X_y=True)
    y = y == 0
    ours = nv.Perceptron(rule="pa1", C=0.1, fit_intercept=False, keep="last").fit(X, y)
    assert ours.stop_reason_ == "separated"
    theirs = passive_aggressive("hinge", 0.1, max_iter=50).fit(X, y)
    assert np.abs(theirs.coef_ - ours.coef_).max() > 1e-3
