"""The statements of the notes about the soft margin."""

from __future__ import annotations

import numpy as np
import pytest

import novikoff as nv

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
