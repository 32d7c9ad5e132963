"""scikit-learn's own checks of SoftMargin: every one passes, both checks of sample weights included."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import novikoff as nv

LOSSES = ("hinge", "squared_hinge", "logistic")

KINDS = [nv.SoftMargin(loss=loss, bias=bias) for loss in LOSSES for bias in ("padded", "free")]


@parametrize_with_checks([*KINDS, nv.SoftMargin(loss="squared_hinge", penalty="l1", multi_class="ovo")])
@pytest.mark.compiled
def test_scikit_learns_checks(estimator: Any, check: Any) -> None:
    """No failure is expected."""
    check(estimator)


def test_it_works_in_pipelines_and_searches() -> None:
    X, y = nv.example("breast-cancer")
    pipe = make_pipeline(StandardScaler(), nv.SoftMargin(loss="logistic"))
    assert cross_val_score(pipe, X, y, cv=3).mean() > 0.96
    search = GridSearchCV(pipe, {"softmargin__C": [0.01, 1.0]}, cv=3).fit(X, y)
    assert search.best_score_ > 0.96
    assert clone(pipe).get_params()["softmargin__loss"] == "logistic"


def test_probabilities_exist_with_the_logistic_loss_only() -> None:
    X, y = nv.example("iris")
    clf = nv.SoftMargin(loss="logistic").fit(X, y)
    p = clf.predict_proba(X)
    assert p.shape == (150, 3)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    assert (clf.classes_[p.argmax(axis=1)] == clf.predict(X)).all()
    np.testing.assert_allclose(clf.predict_log_proba(X), np.log(p))
    for other in (nv.SoftMargin(), nv.SoftMargin(loss="logistic", multi_class="ovo")):
        assert not hasattr(other, "predict_proba")
        with pytest.raises(AttributeError, match="predict_proba"):
            other.predict_proba(X)


pytestmark = pytest.mark.slow  # where the compiler is off


def test_Z13_mean_loss_plus_regulariser_is_the_same_problem() -> None:
    """½λ|w|² + mean loss has the optimum of C = 1/(λn)."""
    from scipy.optimize import minimize

    X, y = nv.example("iris")
    X, signs = X[50:], np.where(y[50:] == y[-1], 1.0, -1.0)
    rate = 0.01

    def notes(w: np.ndarray) -> float:
        m = signs * (X @ w[:-1] + w[-1])
        return float(np.logaddexp(0.0, -m).mean() + 0.5 * rate * w @ w)

    best = minimize(notes, np.zeros(5), method="BFGS", options={"gtol": 1e-10})
    clf = nv.SoftMargin(loss="logistic", C=1 / (rate * len(X))).fit(X, signs)
    np.testing.assert_allclose([*clf.coef_[0], *clf.intercept_], best.x, rtol=1e-3)
    assert notes(np.array([*clf.coef_[0], *clf.intercept_])) <= best.fun * (1 + 1e-12)


@pytest.mark.parametrize("threshold", [0.5, 4.0])
def test_Z13_the_perceptron_loss_with_a_threshold_is_the_hinge(threshold: float) -> None:
    """½|w|² + C Σ max(0, t − m) at w = t·u is t²·(hinge objective of u with C/t)."""
    X, y = nv.example("iris")
    X, signs, C = X[50:], np.where(y[50:] == y[-1], 1.0, -1.0), 2.0
    clf = nv.SoftMargin(C=C / threshold).fit(X, signs)
    w = threshold * np.array([*clf.coef_[0], *clf.intercept_])
    m = signs * (X @ w[:-1] + w[-1])
    own = 0.5 * w @ w + C * np.maximum(0.0, threshold - m).sum()
    np.testing.assert_allclose(own, threshold**2 * clf.objective_, rtol=1e-12)
    with pytest.raises(ValueError, match="only optimum is w = 0"):
        nv.SoftMargin(loss="perceptron").fit(X, signs)


def test_Z11_the_soft_margin_depends_on_no_order() -> None:
    """Shuffled rows give the same plane to within the gaps."""
    X, y = nv.example("breast-cancer")
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    first = nv.SoftMargin().fit(X, y)
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(y))
        other = nv.SoftMargin().fit(X[order], y[order])
        bound = np.sqrt(2 * first.gap_) + np.sqrt(2 * other.gap_)
        assert np.linalg.norm(first.coef_ - other.coef_) <= bound + 1e-14
