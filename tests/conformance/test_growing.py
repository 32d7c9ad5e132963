"""R2: a stream whose columns grow is the stream that knew them all from the start, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import novikoff as nv
from data.problems import draws

PROBLEMS = draws(36)


pytestmark = pytest.mark.usefixtures("both_modes")


def bits_of(clf: nv.Perceptron) -> tuple[Any, ...]:
    return (
        clf.coef_.shape, clf.coef_.tobytes(), clf.intercept_.tobytes(), clf.n_updates_, clf.n_looks_,
        clf.n_mistakes_.tolist(), clf.classes_.tolist(), clf.n_features_in_,
    )  # fmt: skip


def narrow(X: sp.csr_array) -> sp.csr_array:
    """The rows with as many columns as they have numbers for."""
    return sp.csr_array((X.data, X.indices, X.indptr), shape=(X.shape[0], int(X.indices.max(initial=0)) + 1))


def stream(seed: int) -> tuple[sp.csr_array, np.ndarray, dict[str, Any]]:
    """Rows in which later columns come later, labels of two to four classes, and choices."""
    rng = np.random.default_rng(seed)
    n, d, K = int(rng.integers(20, 60)), int(rng.integers(3, 30)), 2 + seed % 3
    X = rng.integers(-3, 4, (n, d)) * (rng.random((n, d)) < 0.4)
    X[np.arange(d) > 2 + np.arange(n)[:, None] * d // n] = 0
    X[-1, -1] = 1
    how = {
        "keep": ["last", "average", "pocket"][seed // 3 % 3],
        "multi_class": str(rng.choice(["ova", "ovo", "joint"])),
        "fit_intercept": bool(rng.integers(2)),
        "class_weight": [None, {0: 0.3, 1: 2.5}][int(rng.integers(2))],
    }
    if how["multi_class"] == "joint" and how["keep"] == "pocket" and K > 2:
        how["keep"] = "last"
    if how["multi_class"] != "joint":
        how["rule"] = str(rng.choice(["perceptron", "margin", "pa1"]))
    return sp.csr_array(X.astype(float)), rng.integers(0, K, n), how


def test_R2_columns_that_come_later_change_nothing() -> None:
    grew = 0
    for seed in range(PROBLEMS):
        X, y, how = stream(seed)
        wanted = bits_of(nv.Perceptron(**how).partial_fit(X, y))
        for chunk in (1, 6, 25):
            clf, widths = nv.Perceptron(**how), []
            for lo in range(0, len(y), chunk):
                clf.partial_fit(narrow(X[lo : lo + chunk]), y[lo : lo + chunk], grow=True)
                widths.append(clf.n_features_in_)
                assert clf.coef_.shape[1] == widths[-1]
            assert bits_of(clf) == wanted, (seed, chunk, how)
            grew += len(set(widths)) > 2
    assert grew > PROBLEMS


def test_a_bad_row_in_new_columns_leaves_the_stream_as_it_was() -> None:
    for seed in range(6):
        X, y, how = stream(seed)
        clf = nv.Perceptron(**how).partial_fit(narrow(X[:10]), y[:10], grow=True)
        before = bits_of(clf)
        bad = X[10:20].toarray()
        bad[3, -1] = np.nan
        with pytest.raises(nv.InputError, match="NaN"):
            clf.partial_fit(sp.csr_array(bad), y[10:20], grow=True)
        assert bits_of(clf) == before
        clf.partial_fit(X[10:], y[10:], grow=True)
        assert bits_of(clf) == bits_of(nv.Perceptron(**how).partial_fit(X, y))


def test_only_where_it_is_asked_for_and_only_sparse() -> None:
    X, y, how = stream(1)
    clf = nv.Perceptron(**how).partial_fit(X[:10, :3], y[:10])
    with pytest.raises(ValueError, match="features"):
        clf.partial_fit(X[10:], y[10:])
    with pytest.raises(nv.InputError, match="sparse rows"):
        clf.partial_fit(X[10:].toarray(), y[10:], grow=True)


@pytest.mark.filterwarnings("ignore::novikoff.estimators.perceptron_estimator.NotSeparatedWarning")
def test_a_fit_goes_on_as_a_stream_of_more_columns() -> None:
    rng = np.random.default_rng(0)
    X, y = sp.csr_array(rng.integers(-2, 3, (40, 5)).astype(float)), rng.integers(0, 2, 40)
    narrow_fit = nv.Perceptron(max_iter=1, keep="last").fit(X[:20, :3], y[:20])
    wide_fit = nv.Perceptron(max_iter=1, keep="last").fit(
        sp.csr_array(np.hstack([X[:20, :3].toarray(), np.zeros((20, 2))])), y[:20]
    )
    grown, wide = narrow_fit.partial_fit(X[20:], y[20:], grow=True), wide_fit.partial_fit(X[20:], y[20:])
    assert bits_of(grown) == bits_of(wide)
