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
from novikoff.softmargin.losses import LOSSES

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
