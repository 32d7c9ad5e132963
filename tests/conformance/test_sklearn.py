"""scikit-learn's own checks, with no expected failure, and what its users do with an estimator.

`NotSeparatedWarning` is ignored, and no other warning: the checks fit on data that no plane separates, and a limit then
speaks.
"""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import novikoff as nv
from novikoff.perceptron import KEEPS, ORDERS

pytestmark = pytest.mark.filterwarnings("ignore::novikoff.estimators.NotSeparatedWarning")

CHECKED = [
    nv.Perceptron(),
    nv.Perceptron(keep="last"),
    nv.Perceptron(keep="average"),
    nv.Perceptron(keep="vote"),
    nv.Perceptron(order="random", random_state=0),
    nv.Perceptron(warm_start=True),
]


@parametrize_with_checks(CHECKED)
@pytest.mark.compiled  # 10,000 passes over sets that no plane separates
def test_scikit_learns_checks(estimator: Any, check: Any) -> None:
    """Every check of scikit-learn's `check_estimator` passes."""
    check(estimator)


def small_breast_cancer() -> tuple[np.ndarray, np.ndarray]:
    X, y = load_breast_cancer(return_X_y=True)
    return X[::6], y[::6]


def fitted(**how: Any) -> tuple[nv.Perceptron, np.ndarray, np.ndarray]:
    X, y = small_breast_cancer()
    return nv.Perceptron(max_iter=5, **how).fit(X, y), X, y


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("sparse", [False, True])
def test_pickle(keep: str, sparse: bool) -> None:
    """A fitted estimator goes through pickle and predicts as before."""
    clf, X, y = fitted(keep=keep)
    if sparse:
        clf = clone(clf).fit(sp.csr_matrix(X), y)
    again = pickle.loads(pickle.dumps(clf))
    assert (again.predict(X) == clf.predict(X)).all()
    assert again.decision_function(X).tolist() == clf.decision_function(X).tolist()
    assert again.get_params() == clf.get_params()


def test_a_pickle_does_not_carry_the_data() -> None:
    """Without warm_start the training data are not kept: the pickle is small; a vote keeps the rows it names, once."""
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((5000, 20)), np.arange(5000) % 2
    assert len(pickle.dumps(nv.Perceptron(max_iter=1).fit(X, y))) < 0.2 * X.nbytes
    assert len(pickle.dumps(nv.Perceptron(max_iter=3, keep="vote").fit(X, y))) < 2 * X.nbytes


def test_clone_and_parameters() -> None:
    """`clone` copies the parameters and nothing that was learned; `set_params` and `repr` know every parameter."""
    clf, X, _ = fitted(keep="average", order="shuffle", eta0=0.5, random_state=3)
    other = clone(clf)
    assert other.get_params() == clf.get_params()
    with pytest.raises(NotFittedError):
        other.predict(X)
    other.set_params(eta0=2.0)
    assert (other.eta0, clf.eta0) == (2.0, 0.5)
    assert "eta0=2.0" in repr(other)


def test_warm_start_goes_on() -> None:
    """warm_start: two fits of three passes are one fit of six, to the bit; the counts go on too."""
    for order in ORDERS:
        for keep in KEEPS:
            X, y = small_breast_cancer()
            how: dict[str, Any] = {"order": order, "keep": keep, "random_state": 1, "train_patience": None}
            warm = nv.Perceptron(max_iter=3, warm_start=True, **how).fit(X, y).fit(X, y)
            whole = nv.Perceptron(max_iter=6, **how).fit(X, y)
            assert warm.coef_.tobytes() == whole.coef_.tobytes()
            assert (warm.n_updates_, warm.n_looks_, warm.n_iter_) == (whole.n_updates_, whole.n_looks_, whole.n_iter_)
            assert warm.n_mistakes_.tolist() == whole.n_mistakes_.tolist()
            assert warm.decision_function(X).tolist() == whole.decision_function(X).tolist()


@pytest.mark.parametrize("keep", KEEPS)
def test_warm_start_across_storages(keep: str) -> None:
    """A run may go on from another storage of the same numbers: float64, then float32, then CSR, and no bit tells."""
    rng = np.random.default_rng(2)
    X, y = rng.standard_normal((120, 64)).astype(np.float32), rng.choice([-1, 1], 120)
    X[:2] = -X[2:4]
    stores = [X.astype(np.float64), X, sp.csr_matrix(X), sp.csr_matrix(X.astype(np.float64)), X]
    warm = nv.Perceptron(keep=keep, max_iter=2, warm_start=True)
    for store in stores:
        warm.fit(store, y)
    whole = nv.Perceptron(keep=keep, max_iter=2 * len(stores)).fit(X, y)
    if whole.n_iter_ == 2 * len(stores):
        assert warm.coef_.tobytes() == whole.coef_.tobytes()
        assert warm.n_mistakes_.tolist() == whole.n_mistakes_.tolist()


def test_pipeline_search_and_cross_validation() -> None:
    """It works in a pipeline, in a grid search and under cross-validation."""
    X, y = load_breast_cancer(return_X_y=True)
    pipe = make_pipeline(StandardScaler(), nv.Perceptron(max_iter=10))
    assert pipe.fit(X, y).score(X, y) > 0.95
    assert cross_val_score(pipe, X, y, cv=3).mean() > 0.9
    search = GridSearchCV(pipe, {"perceptron__keep": list(KEEPS)}, cv=2).fit(X, y)
    assert search.best_params_["perceptron__keep"] in KEEPS
    assert search.best_score_ > 0.9


@pytest.mark.parametrize("wrapper", [OneVsRestClassifier, OneVsOneClassifier])
def test_many_classes_by_scikit_learns_wrappers(wrapper: Any) -> None:
    """scikit-learn's own wrappers for many classes work around the estimator."""
    X, y = load_iris(return_X_y=True)
    assert wrapper(nv.Perceptron(max_iter=50)).fit(X, y).score(X, y) > 0.6


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "bool"])
def test_data_frames(dtype: str) -> None:
    """A data frame gives its feature names and the same bits as its array; other names are refused, order included."""
    rng = np.random.default_rng(4)
    X = rng.integers(0, 2, (40, 3)).astype(dtype)
    y = np.where(np.arange(40) % 2, "yes", "no")
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    clf = nv.Perceptron(max_iter=5).fit(frame, pd.Series(y))
    assert clf.feature_names_in_.tolist() == ["a", "b", "c"]
    assert clf.n_features_in_ == 3
    assert clf.coef_.tobytes() == nv.Perceptron(max_iter=5).fit(X, y).coef_.tobytes()
    assert clf.predict(frame).tolist() == nv.Perceptron(max_iter=5).fit(X, y).predict(X).tolist()
    with pytest.raises(ValueError, match="feature names"):
        clf.predict(frame[["c", "b", "a"]])
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        clf.predict(X)


def test_mixed_columns_of_a_frame() -> None:
    """Columns of several numeric types are taken by value; a text column is refused by name of the argument."""
    frame = pd.DataFrame({"a": [1, 2, 3, 4], "b": [0.5, 1.5, -1.0, 0.0], "c": [True, False, True, False]})
    clf = nv.Perceptron(max_iter=20).fit(frame, [0, 1, 0, 1])
    assert clf.coef_.tobytes() == nv.Perceptron(max_iter=20).fit(frame.to_numpy(float), [0, 1, 0, 1]).coef_.tobytes()
    with pytest.raises(nv.InputError, match="X"):
        nv.Perceptron().fit(frame.assign(d=["x", "y", "z", "w"]), [0, 1, 0, 1])


def test_categories_and_strings_as_labels() -> None:
    """pandas' own string and category columns serve as labels."""
    X, y = nv.example("spam")
    for dtype in ("string", "category", object):
        clf = nv.Perceptron().fit(X, pd.Series(y, dtype=dtype))
        assert clf.predict(X).tolist() == y.tolist()


def test_the_column_vector_y_is_told_about() -> None:
    """y of shape (n, 1) is taken with scikit-learn's own warning."""
    from sklearn.exceptions import DataConversionWarning

    X, y = nv.example("or")
    with pytest.warns(DataConversionWarning):
        clf = nv.Perceptron().fit(X, y[:, None])
    assert clf.predict(X).tolist() == y.tolist()


def test_the_warning_is_a_convergence_warning() -> None:
    """Code that already filters scikit-learn's ConvergenceWarning hears ours too."""
    from sklearn.exceptions import ConvergenceWarning

    assert issubclass(nv.NotSeparatedWarning, ConvergenceWarning)
    X, y = nv.example("xor")
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        with pytest.raises(nv.NotSeparatedWarning):
            nv.Perceptron().fit(X, y)
