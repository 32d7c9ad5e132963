"""Input that cannot be used: one clear error that names the argument, what was found and the way out.

It comes before anything is changed: an estimator that was fitted before stays as it was.
"""

from __future__ import annotations

import re
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from itertools import product
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import novikoff as nv
from data.choices import allowed
from novikoff.perceptron import KEEPS, ORDERS

X, Y = nv.example("cornwell")
N, D = 150, 60  # more than are checked together, and so wide that float32 is a filter
WAY_OUT = (  # what was expected, or what to do
    "expected|required|needed|must|should|one of|give|use|drop|fill|scale|encode|rebuild|reshape|convert|keep the|leave"
)

pytestmark = pytest.mark.filterwarnings("ignore::novikoff.estimators.perceptron_estimator.NotSeparatedWarning")


def learned(clf: nv.Perceptron) -> dict[str, Any]:
    """All that an estimator knows, arrays copied."""
    return {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in vars(clf).items()}


def assert_unchanged(clf: nv.Perceptron, before: dict[str, Any]) -> None:
    after = vars(clf)
    assert after.keys() == before.keys()
    for name, value in before.items():
        if isinstance(value, np.ndarray):
            assert after[name].tobytes() == value.tobytes(), name
        else:
            assert after[name] is value or after[name] == value, name


@contextmanager
def refused(*words: str) -> Iterator[None]:
    """InputError whose message has all the words (regular expressions) and a way out."""
    with pytest.raises(nv.InputError) as caught:
        yield
    said = str(caught.value)
    for word in (*words, WAY_OUT):
        assert re.search(word, said, re.IGNORECASE), f"{word!r} is not in {said!r}"


def fit_is_refused(rows: Any, y: Any, *words: str, how: dict[str, Any] | None = None, **given: Any) -> None:
    """A fresh fit and a fit of an estimator fitted before are refused, and the latter stays as it was."""
    clf = nv.Perceptron().fit(X, Y)
    clf.set_params(**(how or {}))
    before = learned(clf)
    with refused(*words):
        clf.fit(rows, y, **given)
    assert_unchanged(clf, before)
    with refused(*words):
        nv.Perceptron(**(how or {})).fit(rows, y, **given)


# NaN and infinity

STORES = {
    "dense float64": lambda A: A,
    "dense float32": lambda A: A.astype(np.float32),
    "dense Fortran": np.asfortranarray,
    "csr float64": sp.csr_matrix,
    "csr float32": lambda A: sp.csr_matrix(A.astype(np.float32)),
    "csc float64": sp.csc_matrix,
    "objects": lambda A: A.astype(object),
}


def clouds(n: int = N, d: int = D) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    A = rng.standard_normal((n, d))
    A[rng.random((n, d)) < 0.5] = 0.0
    return A, np.where(np.arange(n) % 2, 1, -1)


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("row", [0, N // 2, N - 1])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("store", STORES)
def test_nan_and_infinity_are_found(store: str, bad: float, row: int) -> None:
    """A NaN or infinity in any row, from any storage, is refused by name, row and column, counted from 1."""
    A, y = clouds()
    A[row, 7] = bad
    what = "NaN" if np.isnan(bad) else "infinity"
    for k, order in enumerate(ORDERS):
        how = {"order": order, "keep": ("last", "pocket", "average")[k % 3], "random_state": 0, "max_iter": 2}
        fit_is_refused(STORES[store](A), y, r"\bX\b", what, rf"row {row + 1}\b", r"column 8\b", how=how)


STOPPED_EARLY: dict[str, dict[str, Any]] = {
    "max_updates": {"max_updates": 1},
    "no updates": {"max_updates": 0},
    "max_seconds": {"max_time": 1e-9},
}


@pytest.mark.parametrize("limit", STOPPED_EARLY)
@pytest.mark.parametrize(("order", "keep"), [pair for pair in product(ORDERS, KEEPS) if allowed(*pair)])
@pytest.mark.parametrize("store", ["dense float64", "dense float32", "csr float64"])
def test_rows_that_a_run_never_reached_are_scanned(store: str, keep: str, order: str, limit: str) -> None:
    """A run that a limit ends before every row was seen scans the rest: a NaN in the last row is found."""
    A, y = clouds()
    A[-1, -1] = np.nan
    how = {"keep": keep, "order": order, "random_state": 0, **STOPPED_EARLY[limit]}
    fit_is_refused(STORES[store](A), y, r"\bX\b", "NaN", rf"row {N}\b", rf"column {D}\b", how=how)


def test_rows_behind_a_cycle_are_scanned() -> None:
    """XOR ends after four looks; a NaN in row 5 is found all the same."""
    A, y = nv.example("xor")
    fit_is_refused(np.vstack([A, [[0.0, np.nan]]]), [*y, 1], "X", "NaN", "row 5", "column 2")


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("keep", KEEPS)
def test_nan_in_what_is_asked(keep: str, store: str, bad: float) -> None:
    """predict, decision_function and score refuse NaN and infinity as fit does."""
    A, y = clouds()
    clf = nv.Perceptron(keep=keep, max_iter=1).fit(A, y)
    A[3, 4] = bad
    before = learned(clf)
    for ask in (clf.predict, clf.decision_function):
        with refused(r"\bX\b", "NaN|infinity", "row 4", "column 5"):
            ask(STORES[store](A))
    assert_unchanged(clf, before)


def test_nan_in_margins_and_in_validation_points() -> None:
    """`margins` names X; a validation set names X_valid."""
    A = X.copy()
    A[2, 1] = np.nan
    with refused("X", "NaN", "row 3", "column 2"):
        nv.margins(A, Y, (1, 1), 1)
    fit_is_refused(X, Y, "X_valid", "NaN", "row 3", "column 2", X_valid=A, y_valid=Y)


def test_nan_among_points_kept_aside() -> None:
    """With a split, a NaN is found whichever side its row falls on, and named by its row in X."""
    A, y = clouds(40, 3)
    for row in range(0, 40, 3):
        B = A.copy()
        B[row, 1] = np.nan
        fit_is_refused(
            B, y, r"\bX\b", "NaN", rf"row {row + 1}\b", "column 2", how={"early_stopping": True, "random_state": 0}
        )


# shapes, lengths, types

SHAPES: dict[str, tuple[Any, Any, list[str]]] = {
    "no rows": (np.empty((0, 3)), Y, ["X", r"0 sample|\(0, 3\)"]),
    "no rows, sparse": (sp.csr_matrix((0, 3)), Y, ["X", r"0 sample|\(0, 3\)"]),
    "no rows and no labels": (np.empty((0, 3)), [], ["X|y", "0 sample|no labels"]),
    "an empty list": ([], Y, ["X", "1D|empty"]),
    "zero features": (np.empty((4, 0)), Y, ["X", r"0 feature|\(4, 0\)"]),
    "zero features, sparse": (sp.csr_matrix((4, 0)), Y, ["X", r"0 feature|\(4, 0\)"]),
    "one dimension": (X[:, 0], Y, ["X", "1D"]),
    "three dimensions": (X[None], Y, ["X", "3D"]),
    "a number": (3.0, Y, ["X", "scalar"]),
    "None": (None, Y, ["X"]),
    "rows of different lengths": ([[1, 2], [3], [4, 5], [6, 7]], Y, ["X"]),
    "too few labels": (X, Y[:-1], ["y", r"\b4\b", r"\b3\b"]),
    "too many labels": (X, [*Y, 1], ["y", r"\b4\b", r"\b5\b"]),
    "too many labels, sparse": (sp.csr_matrix(X), [*Y, 1], ["y", r"\b4\b", r"\b5\b"]),
    "two columns of labels": (X, np.ones((4, 2)), ["y", r"\(4, 2\)"]),
    "no labels": (X, None, ["y", "None"]),
    "a label alone": (X, 1, ["y"]),
}


@pytest.mark.parametrize("case", SHAPES)
def test_shapes_and_lengths(case: str) -> None:
    """Empty input, no features, wrong dimensions and wrong lengths are refused by name and number."""
    rows, y, words = SHAPES[case]
    fit_is_refused(rows, y, *words)


TYPES: dict[str, tuple[Any, list[str]]] = {
    "complex": (X + 1j, ["X", "complex"]),
    "complex, sparse": (sp.csr_matrix(X + 1j), ["X", "complex"]),
    "complex objects": ((X + 1j).astype(object), ["X", "complex"]),
    "strings": (X.astype(str), ["X", "str"]),
    "words": ([["red", "round"], ["blue", "flat"], ["red", "flat"], ["blue", "round"]], ["X", "str"]),
    "one word among numbers": (np.array([[1, 2], [3, "four"], [5, 6], [7, 8]], dtype=object), ["X", "four"]),
    "numbers as strings": (X.astype(str).astype(object), ["X", "str"]),
    "bytes": (X.astype(bytes), ["X", "bytes"]),
    "dates": (np.array([["2020-01-01"]] * 4, "M8[D]"), ["X", "date"]),
    "dictionaries": (np.array([[{"a": 1}]] * 4), ["X", "dict"]),
    "wider than binary64": (X.astype(np.longdouble), ["X", "float128|longdouble"]),
    "whole numbers beyond 2^53": (np.array([[2**53 + 1], [1], [2], [3]]), ["X", r"2\^53"]),
}


@pytest.mark.parametrize("case", TYPES)
def test_types_of_features(case: str) -> None:
    """Complex numbers, text, dates and numbers that binary64 does not hold are refused, with what was found."""
    rows, words = TYPES[case]
    fit_is_refused(rows, Y, *words)
    if rows is not None and np.shape(rows)[1] == 2:
        with refused(*words):
            nv.Perceptron().fit(X, Y).predict(rows)


LABELS: dict[str, tuple[Any, list[str]]] = {
    "one class": ([1, 1, 1, 1], ["y", "one class", r"\b1\b"]),
    "one class of text": (["spam"] * 4, ["y", "one class", "spam"]),
    "real numbers": ([0.5, 1.5, 2.25, 1.0], ["y", "continuous"]),
    "text and numbers": (np.array(["a", 1, "a", 1], dtype=object), ["y", "mixed"]),
    "text and numbers in a list": (["a", 1, "a", 1], ["y", "mixed"]),
    "text and numbers, three": (np.array(["a", 1, "b", 1], dtype=object), ["y", "mixed"]),
    "text and None": (["a", None, "a", None], ["y", "mixed|missing|None"]),
    "text and NaN in a list": (["a", float("nan"), "a", "b"], ["y", "mixed|missing|NaN"]),
    "numbers and None": ([1, None, 1, None], ["y", "mixed|missing|None"]),
    "NaN": ([0, np.nan, 0, 0], ["y", "NaN"]),
    "NaN first": ([np.nan, 0, 0, 1], ["y", "NaN"]),
    "infinity": ([0, np.inf, 0, 0], ["y", "infin"]),
    "complex": ([0, 1j, 0, 0], ["y", "complex"]),
}


@pytest.mark.parametrize("case", LABELS)
def test_labels(case: str) -> None:
    """One class, many classes, mixed types and missing labels are refused, with what was found."""
    y, words = LABELS[case]
    fit_is_refused(X, y, *words)
    with refused(*words):
        nv.margins(X, y, (1, 1), 1)


# numbers too large


@pytest.mark.parametrize("store", ["dense float64", "dense Fortran", "csr float64"])
@pytest.mark.parametrize("row", [0, 2, 3])
def test_points_too_large(store: str, row: int) -> None:
    """A point beyond 2^500, whose products would overflow, is refused in fit, predict and margins, by its row."""
    A = X.copy()
    A[row, 0] = 1e200
    rows = STORES[store](A)
    fit_is_refused(rows, Y, "X", "too large", rf"row {row + 1}\b", r"1e\+200")
    fit_is_refused(rows, Y, "X", "too large", rf"row {row + 1}\b", how={"max_updates": 1})
    with refused("X", "too large", rf"row {row + 1}\b"):
        nv.Perceptron().fit(X, Y).predict(rows)
    with refused("X", "too large", rf"row {row + 1}\b"):
        nv.margins(rows, Y, (1, 1), 1)


WEIGHTS: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "schedule": ({"schedule": lambda k: 1e200}, {}, "schedule"),
    "schedule that explodes": ({"schedule": lambda k: 10.0**k * 1e100}, {}, "schedule"),
    "class_weight": ({"class_weight": {-1: 1e200, 1: 1.0}}, {}, "class_weight"),
    "eta0 and a start": ({"eta0": 1e200}, {"coef_init": [1.0, 1.0]}, "eta0"),
    "coef_init": ({}, {"coef_init": [1e200, 1.0]}, "coef_init"),
    "intercept_init": ({}, {"intercept_init": -1e200}, "intercept_init"),
}


@pytest.mark.parametrize("case", WEIGHTS)
def test_weights_that_would_overflow(case: str) -> None:
    """Weights that would pass 2^500 are refused, and the argument that makes them so large is named."""
    how, given, name = WEIGHTS[case]
    fit_is_refused(np.tile(X, (40, 1)), np.tile(Y, 40), name, how=how, **given)


@pytest.mark.parametrize("eta", [1e308, 1e300, 1e160])
@pytest.mark.parametrize("scale", [1.0, 1e5, 1e100])
@pytest.mark.usefixtures("both_modes")
def test_a_rate_that_overflows_at_the_end(eta: float, scale: float) -> None:
    """From w⁰ = 0 η is multiplied in at the end: weights that would overflow are refused, others predict rightly."""
    try:
        clf = nv.Perceptron(eta0=eta).fit(X * scale, Y)
    except nv.InputError as error:
        if "eta0" not in str(error):
            raise
        return
    assert np.isfinite(clf.coef_).all()
    assert clf.predict(X * scale).tolist() == Y.tolist()
    assert not np.isnan(clf.decision_function(X * scale)).any()


# parameters

VALUES: dict[str, list[Any]] = {
    "rule": ["best", None, 3],
    "keep": ["best", None, 3],
    "order": ["alphabetic", None, 3],
    "eta0": [0, -1.0, np.nan, np.inf, "1", None, True, 1j, Decimal(0)],
    "fit_intercept": ["no", None],
    "max_iter": [0, -1, 1.5, "10", True],
    "max_updates": [-1, 1.5, "10", True],
    "max_time": [0, -1.0, np.nan, np.inf, "1", True],
    "train_patience": [0, -1, 1.5, "never", True],
    "early_stopping": ["yes", None],
    "validation_fraction": [0, 1, -0.1, 1.5, np.nan, "0.1", None, True],
    "valid_patience": [0, -1, 1.5, "5", True],
    "multi_class": ["both", None],
    "schedule": ["falling", None, 0.5],
    "class_weight": ["heavy", 3, [1, 2], {5: 1.0}, {-1: 0}, {-1: -1.0}, {-1: np.nan}, {-1: "1"}, {-1: None}],
    "warm_start": ["yes", None],
    "random_state": [-1, 1.5, "0", True, 2**63],
    "tie": ["zero", None, 0],
    "verbose": ["yes", -1],
    "engine": ["dask", 2],
}
VALUE_CASES = [(name, value) for name, values in VALUES.items() for value in values]


@pytest.mark.parametrize(("name", "value"), VALUE_CASES, ids=[f"{name}={value!r}" for name, value in VALUE_CASES])
def test_parameter_values(name: str, value: Any) -> None:
    """A value that a parameter cannot have is refused: the parameter, the value, what was expected."""
    shown = value if not isinstance(value, dict) else next(iter(value.values() if -1 in value else value))
    fit_is_refused(X, Y, rf"\b{name}\b", re.escape(repr(shown)), how={name: value})


@pytest.mark.parametrize("name", ["fit_intercept", "early_stopping", "warm_start"])
def test_numpys_truth_values_are_truth_values(name: str) -> None:
    """What a grid search puts in is taken: numpy's booleans and whole numbers."""
    A, y = clouds(20, 3)
    for numpys, ours in (
        ({"random_state": np.int32(0), name: np.True_}, {"random_state": 0, name: True}),
        ({"eta0": np.float32(0.5), name: np.False_}, {"eta0": 0.5, name: False}),
    ):
        one = nv.Perceptron(max_iter=np.int64(3), **numpys).fit(A, y)
        other = nv.Perceptron(max_iter=3, **ours).fit(A, y)
        assert one.coef_.tobytes() == other.coef_.tobytes()
        assert one.intercept_.tobytes() == other.intercept_.tobytes()
        assert one.history_ | {"seconds": []} == other.history_ | {"seconds": []}


def test_a_parameter_is_refused_before_the_data_are_looked_at() -> None:
    """With a wrong parameter and wrong data the parameter is named, and nothing was read."""
    fit_is_refused([[np.nan]], [1], "keep", how={"keep": "best"})


@pytest.mark.parametrize("rate", [0.0, -1.0, float("nan"), float("inf"), "fast", None])
def test_what_a_schedule_gives(rate: Any) -> None:
    """A schedule that gives no finite rate above 0 is refused, with what it gave and for which update."""
    fit_is_refused(X, Y, "schedule", re.escape(repr(rate)), "update 1", how={"schedule": lambda k: rate})
    if not isinstance(rate, str) and rate is not None:
        late = {"schedule": lambda k: 1.0 if k < 3 else rate}
        fit_is_refused(X, Y, "schedule", re.escape(repr(rate)), "update 3", how=late)


def test_what_a_schedule_raises_is_the_users_own() -> None:
    """An error inside the schedule comes through as it is, and nothing is changed."""

    def broken(k: int) -> float:
        raise RuntimeError("my own")

    clf = nv.Perceptron().fit(X, Y)
    clf.set_params(schedule=broken)
    before = learned(clf)
    with pytest.raises(RuntimeError, match="my own"):
        clf.fit(X, Y)
    assert_unchanged(clf, before)


STARTS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "too many weights": ({"coef_init": [1, 2, 3]}, ["coef_init", r"\b2 numbers"]),
    "too few weights": ({"coef_init": [1]}, ["coef_init", r"\b2 numbers"]),
    "NaN": ({"coef_init": [1, np.nan]}, ["coef_init", "finite"]),
    "infinity": ({"coef_init": [np.inf, 1]}, ["coef_init", "finite"]),
    "complex": ({"coef_init": [1, 1j]}, ["coef_init"]),
    "words": ({"coef_init": ["one", "two"]}, ["coef_init", "one"]),
    "two biases": ({"intercept_init": [1, 2]}, ["intercept_init"]),
    "bias NaN": ({"intercept_init": np.nan}, ["intercept_init", "finite"]),
    "bias a word": ({"intercept_init": "zero"}, ["intercept_init", "zero"]),
}


@pytest.mark.parametrize("case", STARTS)
def test_starts(case: str) -> None:
    """A start of the wrong length, not finite, or not of numbers is refused."""
    given, words = STARTS[case]
    fit_is_refused(X, Y, *words, **given)


def test_a_bias_to_start_with_needs_a_bias() -> None:
    """intercept_init with fit_intercept=False contradicts itself."""
    fit_is_refused(X, Y, "intercept_init", "fit_intercept", how={"fit_intercept": False}, intercept_init=1.0)


VALID: dict[str, tuple[dict[str, Any], list[str]]] = {
    "X_valid alone": ({"X_valid": X}, ["X_valid", "y_valid"]),
    "y_valid alone": ({"y_valid": Y}, ["X_valid", "y_valid"]),
    "other width": ({"X_valid": X[:, :1], "y_valid": Y}, ["X_valid", r"\b1\b", "2 features"]),
    "other length": ({"X_valid": X, "y_valid": Y[:-1]}, ["y_valid", r"\b3\b"]),
    "other labels": ({"X_valid": X, "y_valid": [0, 0, 1, 1]}, ["y_valid", r"\b0\b"]),
    "no rows": ({"X_valid": X[:0], "y_valid": Y[:0]}, ["X_valid"]),
    "complex": ({"X_valid": X + 1j, "y_valid": Y}, ["X_valid", "complex"]),
    "infinity": ({"X_valid": np.where(X == 3.0, np.inf, X), "y_valid": Y}, ["X_valid", "infinity"]),
}


@pytest.mark.parametrize("case", VALID)
def test_validation_points(case: str) -> None:
    """Validation points must come in pairs with labels, be as wide as X and have its classes."""
    given, words = VALID[case]
    fit_is_refused(X, Y, *words, **given)


def test_a_class_too_small_to_split() -> None:
    """A class of one point cannot be split: the error says to give a validation set."""
    fit_is_refused(X, [0, 1, 1, 1], "validation_fraction", "1 point", "X_valid", how={"early_stopping": True})


def test_predict_asks_for_a_fit_and_the_same_width() -> None:
    """predict before fit, or on another number of features, is refused."""
    from sklearn.exceptions import NotFittedError

    with pytest.raises(NotFittedError):
        nv.Perceptron().predict(X)
    with pytest.raises(ValueError, match=r"3 features.*expecting 2|2 features"):
        nv.Perceptron().fit(X, Y).predict(np.ones((1, 3)))


PLANES: dict[str, tuple[Any, Any, list[str]]] = {
    "too long": ((1, 2, 3), 1, ["w", r"\b3\b", r"\b2\b"]),
    "zero": ((0, 0), 1, ["w", "zero"]),
    "NaN": ((1, np.nan), 1, ["w", "finite"]),
    "words": (("one", "two"), 1, ["w", "one"]),
    "None": (None, 1, ["w"]),
    "bias a word": ((1, 1), "one", [r"\bb\b", "one"]),
    "bias infinite": ((1, 1), np.inf, [r"\bb\b", "finite"]),
    "bias NaN": ((1, 1), np.nan, [r"\bb\b", "finite"]),
}


@pytest.mark.parametrize("case", PLANES)
def test_planes_for_margins(case: str) -> None:
    """margins refuses what is no plane of the right dimension, by the argument's name."""
    w, b, words = PLANES[case]
    with refused(*words):
        nv.margins(X, Y, w, b)


# sparse matrices that are not what they say


def broken(**parts: Any) -> sp.csr_matrix:
    """Cornwell's points as CSR with some of its arrays replaced behind its back."""
    S = sp.csr_matrix(X)
    for name, values in parts.items():
        setattr(S, name, np.array(values, dtype=getattr(S, name).dtype))
    return S


CSR = sp.csr_matrix(X)  # indices 0 1 0 1 0 1 1, indptr 0 2 4 6 7
BROKEN: dict[str, sp.csr_matrix] = {
    "column too large": broken(indices=CSR.indices + 1),
    "column far too large": broken(indices=CSR.indices + 2**30),
    "one column too large, last row": broken(indices=[0, 1, 0, 1, 0, 1, 2]),
    "negative column": broken(indices=CSR.indices - 1),
    "one negative column, last row": broken(indices=[0, 1, 0, 1, 0, 1, -1]),
    "very negative column": broken(indices=CSR.indices - 2**30),
    "column too large between others": broken(indices=[0, 1, 0, 9, 0, 1, 1]),
    "starts that fall": broken(indptr=CSR.indptr[::-1]),
    "starts that fall in the middle": broken(indptr=[0, 4, 2, 6, 7]),
    "starts that do not begin at 0": broken(indptr=[1, 2, 4, 6, 7]),
    "negative starts": broken(indptr=[0, -2, 4, 6, 7]),
    "starts beyond the entries": broken(indptr=[0, 2, 4, 6, 8]),
    "starts far beyond the entries": broken(indptr=[0, 2, 4, 6, 2**31 - 1]),
    "too few starts": broken(indptr=CSR.indptr[:-1]),
    "too many starts": broken(indptr=[*CSR.indptr, 7]),
    "no starts": broken(indptr=[]),
    "too few values": broken(data=CSR.data[:-1]),
    "too few columns": broken(indices=CSR.indices[:-1]),
}


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("case", BROKEN)
def test_broken_sparse_matrices(case: str) -> None:
    """Columns that do not exist and broken row starts are refused everywhere, and nothing is read out of bounds."""
    S = BROKEN[case]
    for how in ({}, {"keep": "vote", "order": "shuffle"}, {"max_updates": 1}, {"order": "first"}):
        fit_is_refused(S, Y, r"\bX\b", how=how)
    fit_is_refused(X, Y, r"\bX_valid\b", X_valid=S, y_valid=Y)
    with refused(r"\bX\b"):
        nv.Perceptron().fit(X, Y).predict(S)
    with refused(r"\bX\b"):
        nv.margins(S, Y, (1, 1), 1)


def test_row_starts_that_agree_with_y_but_not_with_the_matrix() -> None:
    """A matrix of four rows with starts for three is broken, also when y has three labels."""
    with refused(r"\bX\b"):
        nv.Perceptron().fit(BROKEN["too few starts"], [-1, -1, 1])


@pytest.mark.parametrize("kind", ["csc_matrix", "coo_matrix"])
def test_broken_matrices_of_other_kinds(kind: str) -> None:
    """A CSC or coordinate matrix whose indices lie outside it is refused, not converted (tried in a process apart)."""
    name = "indices" if kind == "csc_matrix" else "row"
    program = f"""
import numpy as np, scipy.sparse as sp, novikoff as nv, warnings
warnings.simplefilter("ignore")
S = sp.{kind}(np.ones((4, 3)))
S.{name} = S.{name} + np.int32(2**18)
try:
    nv.Perceptron().fit(S, [0, 1, 0, 1])
except nv.InputError as error:
    print("refused", error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.startswith("refused X"), (done.returncode, done.stdout, done.stderr)


# going on from a fit


def test_what_a_warm_start_cannot_change() -> None:
    """Features, classes, keep, order and bias must be those of the last fit."""
    rng = np.random.default_rng(3)
    A, y = rng.standard_normal((30, 3)), np.arange(30) % 2
    for change, rows, labels in (
        ({}, A[:, :2], y),
        ({}, A, y + 1),
        ({"keep": "last"}, A, y),
        ({"order": "first"}, A, y),
        ({"fit_intercept": False}, A, y),
    ):
        clf = nv.Perceptron(warm_start=True, max_iter=2).fit(A, y)
        clf.set_params(**change)
        before = learned(clf)
        with refused("warm_start"):
            clf.fit(rows, labels)
        assert_unchanged(clf, before)


@pytest.mark.parametrize("keep", KEEPS)
def test_a_refused_warm_start_leaves_the_run_as_it_was(keep: str) -> None:
    """After a fit that was refused at its last row, the next one goes on as if it had never been tried."""
    rng = np.random.default_rng(4)
    A, y = rng.standard_normal((30, 3)), np.where(rng.random(30) < 0.5, 1, -1)
    damaged = A.copy()
    damaged[-1, 0] = np.nan
    one = nv.Perceptron(warm_start=True, max_iter=2, keep=keep).fit(A, y)
    other = nv.Perceptron(warm_start=True, max_iter=2, keep=keep).fit(A, y)
    with refused("X", "NaN", "row 30"):
        other.fit(damaged, y)
    assert other.coef_.tobytes() == one.coef_.tobytes()
    one.fit(A, y)
    other.fit(A, y)
    assert other.coef_.tobytes() == one.coef_.tobytes()
    assert other.n_mistakes_.tolist() == one.n_mistakes_.tolist()
    assert other.decision_function(A).tolist() == one.decision_function(A).tolist()


def test_bad_input_does_not_warn() -> None:
    """The error is all that is said: no warning comes with it."""
    A = X.copy()
    A[-1, 0] = np.inf
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fit_is_refused(A, Y, "X", "infinity")
        fit_is_refused(A.astype(np.float32), Y, "X", "infinity")


def test_weights_changed_by_hand_are_not_gone_on_from_unseen() -> None:
    """A warm start goes on from the state of the last fit: other weights in coef_ are refused, not ignored."""
    clf = nv.Perceptron(warm_start=True, max_iter=1).fit(X, Y)
    clf.coef_ = clf.coef_ + 1.0
    with refused("warm_start", "coef_ or intercept_ was changed", "coef_init"):
        clf.fit(X, Y)
    clf.fit(X, Y, coef_init=clf.coef_, intercept_init=clf.intercept_)


def test_margins_of_tiny_points() -> None:
    tiny = np.array([[3e-200, 4e-200], [-3e-200, -4e-200]])
    for rows in (tiny, sp.csr_matrix(tiny)):
        assert nv.margins(rows, [1, 0], [0.6, 0.8]).angular.tolist() == pytest.approx([1.0, 1.0])
