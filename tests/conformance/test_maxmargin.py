"""MaxMargin: scikit-learn's checks, Z11, and what its users do with it."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

import novikoff as nv
from oracles.sklearn_checks import SeparableMaxMargin

FREE, PADDED = SeparableMaxMargin(), SeparableMaxMargin(bias="padded")


@parametrize_with_checks([FREE, PADDED])
def test_scikit_learns_checks(estimator: Any, check: Any) -> None:
    """Every check passes; where its labels overlap, on labels that a plane separates."""
    check(estimator)


def setosa() -> tuple[np.ndarray, np.ndarray]:
    X, y = load_iris(return_X_y=True)
    return X, np.where(y == 0, "setosa", "other")


# ---- Z11 -------------------------------------------------------------------------------------------------------------


@pytest.mark.compiled
@pytest.mark.parametrize("bias", ["free", "padded"])
def test_Z11_the_widest_plane_is_the_same_in_30_orders(bias: str) -> None:
    """Z11: to the bit, and each time proved to have the same margin."""
    X, y = setosa()
    rng = np.random.default_rng(11)
    first = nv.MaxMargin(bias=bias).fit(X, y)
    for _ in range(30):
        order = rng.permutation(len(y))
        other = nv.MaxMargin(bias=bias).fit(X[order], y[order])
        assert other.coef_.tobytes() == first.coef_.tobytes()
        assert other.intercept_.tobytes() == first.intercept_.tobytes()
        assert other.margin_ == first.margin_
        assert sorted(order[other.support_]) == first.support_.tolist()


@pytest.mark.compiled
def test_Z11_perceptron_planes_differ_by_order_and_start() -> None:
    """Z11: 40 orders and 40 starts end in many different planes; every one separates, none is wider than γ."""
    X, y = setosa()
    signs = np.where(y == "setosa", 1, -1)  # setosa sorts last
    rng = np.random.default_rng(12)
    widest_one = nv.MaxMargin().fit(X, y)
    planes = set()
    for k in range(80):
        order = rng.permutation(len(y)) if k < 40 else np.arange(len(y))
        start = {} if k < 40 else {"coef_init": rng.standard_normal((1, 4)), "intercept_init": rng.standard_normal(1)}
        clf = nv.Perceptron().fit(X[order], y[order], **start)
        m = nv.margins(X, signs, clf.coef_[0], float(clf.intercept_[0]))
        assert clf.stop_reason_ == "separated"
        assert (m.sides == signs).all()
        assert m.distances.min() < widest_one.margin_[1]
        planes.add((clf.coef_.tobytes(), clf.intercept_.tobytes()))
    assert len(planes) > 40


# ---- use -------------------------------------------------------------------------------------------------------------


def test_it_is_the_plane_of_a_hard_support_vector_machine() -> None:
    X, y = setosa()
    ours, theirs = nv.MaxMargin().fit(X, y), SVC(kernel="linear", C=1e9, tol=1e-9).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-5)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-5)
    assert set(theirs.support_) <= set(ours.support_)
    np.testing.assert_allclose(ours.dual_coef_ @ X[ours.support_], ours.coef_, rtol=1e-12)


def test_overlap_raises_the_verdict_and_a_refused_parameter_is_reported_once() -> None:
    X, y = nv.example("xor")
    with pytest.raises(nv.NotSeparableError, match="no plane") as refused:
        nv.MaxMargin().fit(X, y)
    assert refused.value.verdict.check(X, y)
    with pytest.raises(nv.InputError, match=r"^bias: found 'none'; 'free' or 'padded' was expected$"):
        nv.MaxMargin(bias="none").fit(X, y)


@pytest.mark.parametrize("store", [np.asarray, sp.csr_matrix, pd.DataFrame, lambda X: X.astype(np.float32)])
def test_storages_pickle_and_clone(store: Any) -> None:
    X, y = np.round(setosa()[0] * 8) / 8, setosa()[1]
    clf = nv.MaxMargin().fit(store(X), y)
    plain = nv.MaxMargin().fit(X, y)
    assert clf.coef_.tobytes() == plain.coef_.tobytes()
    assert clf.predict(store(X)).tolist() == y.tolist()
    again = pickle.loads(pickle.dumps(clf))
    assert again.decision_function(store(X)).tolist() == clf.decision_function(store(X)).tolist()
    with pytest.raises(NotFittedError):
        clone(clf).predict(store(X))


def test_rounding_that_costs_a_point_is_told() -> None:
    """Whole points 2^50 away: they are separable, but (w, b) in binary64 cannot say where the plane is."""
    X, y = np.array([[1, 0], [2, -1], [3, -3], [-1, -2]]) + 2.0**50, [0, 1, 0, 0]
    with pytest.warns(nv.NotSeparatedWarning, match="rounded to binary64 it has 1 of 4"):
        clf = nv.MaxMargin().fit(X, y)
    assert clf.margin_ == nv.MaxMargin().fit(X - 2.0**50, y).margin_
