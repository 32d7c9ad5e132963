"""nv.SoftMargin: weights of rows, the chosen C, several classes, warnings, memory."""

from __future__ import annotations

import tracemalloc
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import novikoff as nv

LOSS_NAMES = ["hinge", "squared_hinge", "logistic"]


def points(n: int = 80, d: int = 3, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n, d))
    return X, np.where(X[:, 0] + 0.8 * draw.normal(size=n) > 0, "yes", "no")


@pytest.mark.parametrize("loss", LOSS_NAMES)
@pytest.mark.parametrize("bias", ["padded", "free"])
def test_a_weight_of_k_equals_k_copies(loss: str, bias: str) -> None:
    """Both optima are the same: the distance is at most the sum of √(2·gap)."""
    X, y = points()
    weights = np.random.default_rng(1).integers(0, 4, y.size)
    weighted = nv.SoftMargin(loss=loss, bias=bias).fit(X, y, sample_weight=weights)
    copied = nv.SoftMargin(loss=loss, bias=bias).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    bound = np.sqrt(2 * weighted.gap_) + np.sqrt(2 * copied.gap_)
    assert np.linalg.norm(weighted.coef_ - copied.coef_) <= bound + 1e-15
    assert weighted.stop_reason_ == copied.stop_reason_ == "gap"
    np.testing.assert_allclose(weighted.objective_, copied.objective_, rtol=1e-11)


def test_class_weights_multiply_the_weights_of_rows() -> None:
    X, y = points()
    by_class = nv.SoftMargin(class_weight={"yes": 3.0}).fit(X, y)
    by_row = nv.SoftMargin().fit(X, y, sample_weight=np.where(y == "yes", 3.0, 1.0))
    np.testing.assert_allclose(by_class.coef_, by_row.coef_, rtol=1e-9)
    balanced = nv.SoftMargin(class_weight="balanced").fit(X, y)
    share = y.size / (2 * np.array([(y == "no").sum(), (y == "yes").sum()]))
    same = nv.SoftMargin(class_weight=dict(zip(["no", "yes"], share.tolist(), strict=True))).fit(X, y)
    np.testing.assert_allclose(balanced.coef_, same.coef_, rtol=1e-9)


def test_it_agrees_with_scikit_learn() -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import SVC

    X, y = points()
    for C in (0.1, 10.0):
        ours = nv.SoftMargin(loss="logistic", bias="free", C=C).fit(X, y)
        theirs = LogisticRegression(C=C, tol=1e-10, max_iter=10_000).fit(X, y)
        np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-5)
        np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-4, atol=1e-6)
        np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-4)
        svm = SVC(kernel="linear", C=C, tol=1e-8).fit(X, y)
        np.testing.assert_allclose(nv.SoftMargin(bias="free", C=C).fit(X, y).coef_, svm.coef_, rtol=1e-4)


@pytest.mark.parametrize(("loss", "penalty"), [("hinge", "l2"), ("squared_hinge", "l2"), ("logistic", "l1")])
def test_the_automatic_C_has_the_fewest_held_out_errors(loss: str, penalty: str) -> None:
    X, y = points(200)
    clf = nv.SoftMargin(loss=loss, penalty=penalty, C="auto", gap=1e-8, random_state=1).fit(X, y)
    errors = np.array(clf.path_["errors"])
    assert len(clf.path_["C"]) == len(errors) == 11
    assert clf.path_["C"][int(np.argmin(errors))] == clf.C_
    assert max(clf.path_["gap"]) <= 1e-3
    again = nv.SoftMargin(loss=loss, penalty=penalty, C=clf.C_, gap=1e-8).fit(X, y)
    assert abs(again.objective_ - clf.objective_) <= again.gap_ + clf.gap_ + 1e-14 * clf.objective_


@pytest.mark.parametrize(
    ("loss", "columns", "used"),
    [("hinge", 2, "ovo"), ("squared_hinge", 2, "ovo"), ("logistic", 2, "ova"), ("hinge", 300, "ova")],
)
def test_the_automatic_scheme_takes_pairs_that_are_no_larger_than_the_points(
    loss: str, columns: int, used: str
) -> None:
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1, 2], 30)  # three pairs, 3·(columns + 1) weights
    X = sp.csr_matrix(np.hstack([rng.normal(size=(90, 2)), np.zeros((90, columns - 2))]))
    clf = nv.SoftMargin(loss=loss).fit(X, y)
    assert clf.multi_class_ == used == ("ovo" if loss != "logistic" and 3 * (columns + 1) <= X.nnz else "ova")
    np.testing.assert_array_equal(clf.coef_, nv.SoftMargin(loss=loss, multi_class=used).fit(X, y).coef_)
    assert nv.SoftMargin(loss=loss).fit(X[:60], y[:60]).multi_class_ == "ova"  # two classes have one plane


def test_as_C_grows_the_plane_is_the_maximum_margin_plane() -> None:
    X, y = nv.example("cornwell")
    best = nv.MaxMargin().fit(X, y)
    for C in (1e3, 1e8):
        clf = nv.SoftMargin(C=C, bias="free").fit(X, y)
        assert clf.hard_margin_
        np.testing.assert_allclose(clf.coef_, best.coef_, rtol=1e-6, atol=1e-12)
        np.testing.assert_allclose(clf.intercept_, best.intercept_, rtol=1e-6, atol=1e-9)
    assert not nv.SoftMargin(C=1e-3).fit(X, y).hard_margin_


def test_a_limit_warns_and_precision_does_not() -> None:
    X, y = points()
    with pytest.warns(UserWarning, match=r"max_iter=1 ended the fit at a proved relative gap of .*1e-12"):
        clf = nv.SoftMargin(max_iter=1).fit(X, y)
    assert clf.stop_reason_ == "max_iter"
    assert clf.gap_ > 1e-12 * clf.objective_
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert nv.SoftMargin(gap=1e-19).fit(X, y).stop_reason_ == "precision"


def test_columns_of_very_different_sizes_end_with_a_warning() -> None:
    X, y = points()
    X[:, 1] = 1.7e18 + 1e16 * X[:, 1]  # nanoseconds
    with pytest.warns(UserWarning, match=r"no further progress at a proved relative gap of .*standardize"):
        clf = nv.SoftMargin().fit(X, y)
    assert clf.stop_reason_ == "stalled"
    assert clf.gap_ <= clf.objective_ * (1 + 1e-9)  # the minimum is at least 0


@pytest.mark.parametrize("loss", LOSS_NAMES)
@pytest.mark.parametrize("bias", ["padded", "free"])
def test_features_that_are_all_zero_give_the_larger_class(loss: str, bias: str) -> None:
    clf = nv.SoftMargin(loss=loss, bias=bias).fit(np.zeros((10, 2)), [0] * 7 + [1] * 3)
    assert not clf.coef_.any()
    assert clf.intercept_[0] < 0
    assert clf.stop_reason_ == "gap"


# ---- memory: at most 1.25 times X beside it, without a float64 copy; of rows in Fortran order one copy more


def dense(dtype: Any, order: Any) -> np.ndarray:
    return np.asarray(np.random.default_rng(0).normal(size=(40_000, 50)), dtype=dtype, order=order)


def wide() -> Any:
    matrix = sp.random(6_000, 20_000, 0.01, format="csr", random_state=0, dtype=np.float64)
    matrix.indices, matrix.indptr = matrix.indices.astype(np.int32), matrix.indptr.astype(np.int32)
    return matrix


SQUARED, LOGISTIC, PAIRS = {"loss": "squared_hinge"}, {"loss": "logistic", "bias": "free"}, {"multi_class": "ovo"}
MEMORY: list[tuple[str, Callable[[], Any], list[dict[str, Any]]]] = [
    ("float32", lambda: dense(np.float32, "C"), [{}, SQUARED, LOGISTIC, PAIRS]),
    ("float64", lambda: dense(np.float64, "C"), [{}]),
    ("float32, Fortran", lambda: dense(np.float32, "F"), [LOGISTIC]),
    ("float64, Fortran", lambda: dense(np.float64, "F"), [{}]),
    ("sparse", wide, [SQUARED, LOGISTIC]),
]


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize(("storage", "make", "fits"), MEMORY, ids=[name for name, *_ in MEMORY])
def test_a_fit_takes_little_memory(storage: str, make: Callable[[], Any], fits: list[dict[str, Any]]) -> None:
    X = make()
    size = X.nbytes if isinstance(X, np.ndarray) else X.data.nbytes + X.indices.nbytes + X.indptr.nbytes
    first = X[:, 0] if isinstance(X, np.ndarray) else np.asarray(X.sum(axis=1)).ravel()
    y = (first + np.random.default_rng(1).normal(size=len(first)) * first.std() > np.median(first)).astype(int)
    for how in fits:
        labels = np.where(first > np.quantile(first, 0.7), 2, y) if how is PAIRS else y
        nv.SoftMargin(**how, gap=1e-3).fit(X, labels)  # what is compiled needs memory, too
        tracemalloc.start()
        try:
            nv.SoftMargin(**how, gap=1e-3).fit(X, labels)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert peak <= (1.25 + ("Fortran" in storage)) * size, (how, peak / size)
