"""What Python refuses: one table of calls and the words of the error; nothing that was learned before is changed.

Each message names the argument, says what was found and what was expected, and the way out.
"""

from __future__ import annotations

import ast
import pickle
import re
import warnings
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp

import novikoff as nv
from data.limits import limits
from data.small_sets import random_labels
from data.storages import STORAGES

X, Y = nv.example("cornwell")
IRIS = nv.example("iris")
P = nv.Perceptron
WAY_OUT = (  # what was expected, or what to do
    "expected|required|needed|must|should|one of|give|use|drop|fill|scale|encode|rebuild|reshape|convert|keep the|leave"
    "|round|pass X|remove|is for"
)
pytestmark = [pytest.mark.filterwarnings("ignore::novikoff.NotSeparatedWarning"), pytest.mark.bounds]
Words = tuple[str, ...]


def learned(clf: Any) -> dict[str, Any]:
    """All that an estimator knows but its parameters, arrays copied."""
    return {k: v.tobytes() if isinstance(v, np.ndarray) else v for k, v in vars(clf).items() if k.endswith("_")}


def refused(call: Callable[[], Any], *words: str, kind: type[Exception] = nv.InputError) -> None:
    """The call raises an error whose message has all the words (regular expressions)."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        warnings.simplefilter("ignore", nv.NotSeparatedWarning)
        with pytest.raises(kind) as caught:
            call()
    for word in words:
        assert re.search(word, str(caught.value), re.IGNORECASE), f"{word!r} is not in {str(caught.value)!r}"


def fit_refused(rows: Any, y: Any, how: dict[str, Any], given: dict[str, Any], *words: str) -> None:
    """A fresh fit and one of an estimator fitted before are refused, with a way out, and the latter stays as it was."""
    clf = P().fit(X, Y).set_params(**how)
    before = learned(clf)
    refused(lambda: clf.fit(rows, y, **given), *words, WAY_OUT)
    assert learned(clf) == before
    refused(lambda: P(**how).fit(rows, y, **given), *words, WAY_OUT)


# ---- numbers that are none, by their row and column


def clouds(n: int = 60, d: int = 66) -> tuple[np.ndarray, np.ndarray]:
    """More rows than are checked together, and so wide that float32 may be a filter."""
    rng = np.random.default_rng(1)
    A = rng.standard_normal((n, d)).astype(np.float32).astype(float)
    A[rng.random((n, d)) < 0.5] = 0.0
    return A, np.where(np.arange(n) % 2, 1, -1)


PLACED = ("C float64", "C float32", "F float64", "csr float64", "csr float32", "csc", "coo", "objects", "pandas",
          "polars", "pyarrow chunks", "big endian", "every other row")  # fmt: skip


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("store", PLACED)
def test_a_number_that_is_none_is_named_by_its_row_and_column(store: str) -> None:
    """In any row, for every order and keep, also where a limit ends the run before the row is reached."""
    orders = ("cyclic", "first", "shuffle", "random", "batch", "auto")
    limit: tuple[dict[str, Any], ...] = ({}, {"max_updates": 0}, {"max_updates": 1}, {"max_time": 1e-9})
    for k, row in enumerate((0, 30, 59, 1, 40, 59)):
        A, y = clouds()
        A[row, 7] = bad = (np.nan, np.inf, -np.inf)[k % 3]
        what = "NaN" if np.isnan(bad) else "infinity"
        how = {"order": orders[k], "keep": ("last", "pocket", "average")[k % 3], "random_state": 0, "max_iter": 2}
        rows = STORAGES[store][1](A)
        with limits(block=200):
            fit_refused(rows, y, how | limit[k % 4], {}, r"\bX\b", what, rf"row {row + 1}\b", r"column 8\b")
            with pytest.raises(nv.InputError, match=rf"{what}.*row {row + 1}\b"):
                nv.decide(rows, y)
            if hasattr(rows, "columns"):  # a model of points without names
                continue
            with pytest.raises(nv.InputError, match=rf"{what}.*row {row + 1}\b"):
                P().fit(np.nan_to_num(A, posinf=0, neginf=0), y).predict(rows)


def test_a_number_that_is_none_among_points_kept_aside_is_named_by_its_row_in_X() -> None:
    A, y = clouds(40, 3)
    for row in range(0, 40, 7):
        B = A.copy()
        B[row, 1] = np.nan
        how = {"early_stopping": True, "random_state": 0}
        fit_refused(B, y, how, {}, r"\bX\b", "NaN", rf"row {row + 1}\b", "column 2")


def test_bad_rows_that_a_decision_need_not_read_are_refused() -> None:
    A, y = random_labels(4000, 5)  # few rows are needed to see that no plane separates them
    for index, value in ((0, np.nan), (0, np.inf), (-1, 1.0), (2**31 - 1, 1.0)):
        matrix = sp.csr_matrix(A)
        matrix.indices[15_001], matrix.data[15_001] = index, value
        refused(lambda matrix=matrix: nv.decide(matrix, y), r"row 3001|column index")


@pytest.mark.parametrize("store", ["C float64", "F float64", "csr float64"])
def test_points_too_large_are_named_by_their_row(store: str) -> None:
    for row in (0, 3):
        A = X.copy()
        A[row, 0] = 1e200
        rows = STORAGES[store][1](A)
        words = ("X", "too large", rf"row {row + 1}\b", r"1e\+200")
        for how in ({}, {"max_updates": 1}):
            fit_refused(rows, Y, how, {}, *words)
        refused(lambda rows=rows: P().fit(X, Y).predict(rows), *words)
        refused(lambda rows=rows: nv.margins(rows, Y, (1, 1), 1), *words)


# ---- arguments of fit: rows, labels, parameters, what else is given


def big(a: Any, b: Any) -> Any:
    return pd.DataFrame({"a": a, "b": b})


HUGE = [[2.0**498], [2.0**497], [-(2.0**498)], [-(2.0**498)]]
LONG = np.tile(X, (40, 1)), np.tile(Y, 40)
FITS: dict[str, tuple[Any, Any, dict[str, Any], dict[str, Any], Words]] = {
    # shapes and lengths
    "no rows": (np.empty((0, 3)), Y, {}, {}, ("X", r"0 sample|\(0, 3\)")),
    "no rows, sparse": (sp.csr_matrix((0, 3)), Y, {}, {}, ("X", r"0 sample|\(0, 3\)")),
    "an empty list": ([], Y, {}, {}, ("X", "1D|empty")),
    "zero features": (np.empty((4, 0)), Y, {}, {}, ("X", r"0 feature|\(4, 0\)")),
    "zero features, sparse": (sp.csr_matrix((4, 0)), Y, {}, {}, ("X", r"0 feature|\(4, 0\)")),
    "one dimension": (X[:, 0], Y, {}, {}, ("X", "1D")),
    "three dimensions": (X[None], Y, {}, {}, ("X", "3D")),
    "a number": (3.0, Y, {}, {}, ("X", "scalar")),
    "None": (None, Y, {}, {}, ("X",)),
    "rows of different lengths": ([[1, 2], [3], [4, 5], [6, 7]], Y, {}, {}, ("X",)),
    "too few labels": (X, Y[:-1], {}, {}, ("y", r"\b4\b", r"\b3\b")),
    "too many labels": (sp.csr_matrix(X), [*Y, 1], {}, {}, ("y", r"\b4\b", r"\b5\b")),
    "two columns of labels": (X, np.ones((4, 2)), {}, {}, ("y", r"\(4, 2\)")),
    "no labels": (X, None, {}, {}, ("y", "None")),
    "a label alone": (X, 1, {}, {}, ("y",)),
    "starts for three rows": (sp.csr_matrix((3, 2)), [-1, -1, 1, 1], {}, {}, ("y",)),
    # types of features
    "complex": (X + 1j, Y, {}, {}, ("X", "complex")),
    "complex, sparse": (sp.csr_matrix(X + 1j), Y, {}, {}, ("X", "complex")),
    "complex objects": ((X + 1j).astype(object), Y, {}, {}, ("X", "complex")),
    "strings": (X.astype(str), Y, {}, {}, ("X", "str")),
    "one word": (np.array([[1, 2], [3, "four"], [5, 6], [7, 8]], object), Y, {}, {}, ("X", "four")),
    "bytes": (X.astype(bytes), Y, {}, {}, ("X", "bytes")),
    "dates": (np.array([["2020-01-01"]] * 4, "M8[D]"), Y, {}, {}, ("X", "date")),
    "dictionaries": (np.array([[{"a": 1}]] * 4), Y, {}, {}, ("X", "dict")),
    "wider than binary64": (X.astype(np.longdouble), Y, {}, {}, ("X", "float128|longdouble")),
    "whole beyond 2^53": (np.array([[2**53 + 1], [1], [2], [3]]), Y, {}, {}, ("X", r"2\^53")),
    "a decimal": (np.array([[Decimal("0.1")]] * 4, object), Y, {}, {}, ("cannot be stored exactly in binary64",)),
    "a fraction": ([[Fraction(1, 3)]] * 4, Y, {}, {}, ("exactly in binary64|wider",)),
    # columns of frames
    "text column": (big([1.0, 2, 3, 4], list("abcd")), Y, {}, {}, ("column 'b' holds", "drop it, or encode")),
    "categories": (big([1.0, 2, 3, 4], pd.Series([1, 2, 1, 2], dtype="category")), Y, {}, {}, ("column 'b' holds",)),
    "objects": (big([1.0, 2, 3, 4], pd.Series([1, 2, 1, 2], dtype=object)), Y, {}, {}, ("column 'b' holds",)),
    "polars dates": (pl.DataFrame({"b": np.array(["2020-01-01"] * 4, "M8[ms]")}), Y, {}, {}, ("column 'b' holds",)),
    "arrow words": (pa.table({"b": pa.array(list("abab")).dictionary_encode()}), Y, {}, {}, ("holds dictionary",)),
    "missing": (pl.DataFrame({"a": [1, None, 3, 4]}), Y, {}, {}, (r"NaN: row 2 \(1 counted from 0\), column 1",)),
    "missing, pandas": (big(pd.array([1, None, 3, 4], "Int64"), [1, 2, 3, 4]), Y, {}, {}, ("NaN: row 2",)),
    "missing, arrow": (pa.table({"a": [True, None, False, True]}), Y, {}, {}, ("NaN: row 2",)),
    "two of one name": (pd.DataFrame(X, columns=["a", "a"]), Y, {}, {}, ("two columns called 'a'",)),
    "not collected": (pl.DataFrame(X).lazy(), Y, {}, {}, (r"X\.collect\(\)",)),
    # labels
    "one class": (X, [1, 1, 1, 1], {}, {}, ("y", "one class", r"\b1\b")),
    "real labels": (X, [0.5, 1.5, 2.25, 1.0], {}, {}, ("y", "continuous")),
    "text and numbers": (X, np.array(["a", 1, "a", 1], object), {}, {}, ("y", "mixed")),
    "text and None": (X, ["a", None, "a", None], {}, {}, ("y", "mixed|missing|None")),
    "NaN label": (X, [0, np.nan, 0, 0], {}, {}, ("y", "NaN")),
    "NA label": (X, np.array([1, 0, 1, pd.NA], object), {}, {}, ("missing label|mixed",)),
    "infinite label": (X, [0, np.inf, 0, 0], {}, {}, ("y", "infin")),
    "complex label": (X, [0, 1j, 0, 0], {}, {}, ("y", "complex")),
    "masked label": (X, np.ma.array([0, 1, 0, 1], mask=[0, 0, 1, 0]), {}, {}, ("y: found masked labels",)),
    # weights that would pass 2^500
    "schedule": (*LONG, {"schedule": lambda k: 1e200}, {}, ("schedule",)),
    "schedule explodes": (*LONG, {"schedule": lambda k: 10.0**k * 1e100}, {}, ("schedule",)),
    "class_weight": (*LONG, {"class_weight": {-1: 1e200, 1: 1.0}}, {}, ("class_weight",)),
    "eta0 and a start": (*LONG, {"eta0": 1e200}, {"coef_init": [1.0, 1.0]}, ("eta0",)),
    "large coef_init": (X, Y, {}, {"coef_init": [1e200, 1.0]}, ("coef_init",)),
    "large intercept_init": (X, Y, {}, {"intercept_init": -1e200}, ("intercept_init",)),
    "batch": (HUGE, [1, 1, 0, 0], {"order": "batch", "keep": "last", "fit_intercept": False}, {}, (r"2\^500",)),
    # starts
    "too many weights": (X, Y, {}, {"coef_init": [1, 2, 3]}, ("coef_init", r"\b2 numbers")),
    "too few weights": (X, Y, {}, {"coef_init": [1]}, ("coef_init", r"\b2 numbers")),
    "NaN weight": (X, Y, {}, {"coef_init": [1, np.nan]}, ("coef_init", "finite")),
    "complex weight": (X, Y, {}, {"coef_init": [1, 1j]}, ("coef_init",)),
    "words for weights": (X, Y, {}, {"coef_init": ["one", "two"]}, ("coef_init", "one")),
    "two biases": (X, Y, {}, {"intercept_init": [1, 2]}, ("intercept_init",)),
    "bias NaN": (X, Y, {}, {"intercept_init": np.nan}, ("intercept_init", "finite")),
    "bias without": (X, Y, {"fit_intercept": False}, {"intercept_init": 1.0}, ("intercept_init", "fit_intercept")),
    # validation points
    "X_valid alone": (X, Y, {}, {"X_valid": X}, ("X_valid", "y_valid")),
    "y_valid alone": (X, Y, {}, {"y_valid": Y}, ("X_valid", "y_valid")),
    "other width": (X, Y, {}, {"X_valid": X[:, :1], "y_valid": Y}, ("X_valid", r"\b1\b", "2 features")),
    "other length": (X, Y, {}, {"X_valid": X, "y_valid": Y[:-1]}, ("y_valid", r"\b3\b")),
    "other labels": (X, Y, {}, {"X_valid": X, "y_valid": [0, 0, 1, 1]}, ("y_valid", r"\b0\b")),
    "no valid rows": (X, Y, {}, {"X_valid": X[:0], "y_valid": Y[:0]}, ("X_valid",)),
    "infinite": (X, Y, {}, {"X_valid": np.where(X == 3, np.inf, X), "y_valid": Y}, ("X_valid", "infinity")),
    "too small to split": (X, [0, 1, 1, 1], {"early_stopping": True}, {}, ("validation_fraction", "X_valid")),
    # parameters that do not go together
    "batch margin": (X, Y, {"order": "batch", "rule": "margin"}, {}, ("rule: 'margin' with order='batch'",)),
    "batch pa1": (X, Y, {"order": "batch", "rule": "pa1"}, {}, ("rule: 'pa1' with order='batch'",)),
    "batch vote": (X, Y, {"order": "batch", "keep": "vote"}, {}, ("keep: 'vote' with order='batch'", "'average'")),
    "batch classes": (*IRIS, {"order": "batch"}, {}, ("order: 'batch' is for two classes, found 3",)),
    "vote classes": (*IRIS, {"keep": "vote"}, {}, ("keep",)),
    "joint pocket": (*IRIS, {"multi_class": "joint", "keep": "pocket"}, {}, ("keep",)),
    "joint margin": (*IRIS, {"multi_class": "joint", "rule": "margin"}, {}, ("rule",)),
    "mix pa": (X, Y, {"mix": True, "rule": "pa"}, {}, ("rule: 'pa' with mix=True",)),
    "mix vote": (X, Y, {"mix": True, "keep": "vote"}, {}, ("keep: 'vote' with mix=True",)),
    "mix random": (X, Y, {"mix": True, "order": "random"}, {}, ("order: 'random' with mix=True",)),
    "mix schedule": (X, Y, {"mix": True, "schedule": "inverse"}, {}, ("schedule: 'inverse' with mix=True",)),
    "partitions": (X, Y, {"mix": True, "partitions": 5}, {}, ("partitions: found 5 for 4 rows",)),
    "partitions alone": (X, Y, {"partitions": 2}, {}, ("partitions: 2 without mix=True",)),
    "mix start": (X, Y, {"mix": True, "partitions": 4}, {"coef_init": [2.0**499, 0]}, ("number of partitions, 4",)),
    "known margin": (X, Y, {"class_weight": "balanced", "known_margin": 1.0}, {}, ("known_margin",)),
    "parameter first": ([[np.nan]], [1], {"keep": "best"}, {}, ("keep",)),
}


@pytest.mark.parametrize("case", FITS)
def test_what_fit_refuses(case: str) -> None:
    rows, y, how, given, words = FITS[case]
    fit_refused(rows, y, how, given, *words)


VALUES: dict[str, list[Any]] = {
    "rule": ["best", None, 3],
    "keep": ["best", None],
    "order": ["alphabetic", None, 3],
    "eta0": [0, -1.0, np.nan, np.inf, "1", None, True, 1j, Decimal(0)],
    "fit_intercept": ["no", None],
    "max_iter": [0, -1, 1.5, "10", True],
    "max_updates": [-1, 1.5, True],
    "max_time": [0, -1.0, np.nan, np.inf, "1", True],
    "train_patience": [0, -1, 1.5, "never", True],
    "early_stopping": ["yes", None],
    "validation_fraction": [0, 1, -0.1, 1.5, np.nan, None, True],
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


@pytest.mark.parametrize("name", VALUES)
def test_values_that_a_parameter_cannot_have(name: str) -> None:
    """The parameter, the value, what was expected."""
    for value in VALUES[name]:
        shown = value if not isinstance(value, dict) else next(iter(value.values() if -1 in value else value))
        fit_refused(X, Y, {name: value}, {}, rf"\b{name}\b", re.escape(repr(shown)))
    for rate in (0.0, -1.0, float("nan"), float("inf"), "fast", None) if name == "schedule" else ():
        how = {"schedule": lambda k, rate=rate: 1.0 if k < 3 else rate}
        fit_refused(X, Y, how, {}, "schedule", re.escape(repr(rate)), "update 3")


# ---- sparse matrices that are not what they say


def csr_with(**parts: Any) -> sp.csr_matrix:
    """Cornwell's points as CSR with some of its arrays replaced behind its back."""
    S = sp.csr_matrix(X)  # indices 0 1 0 1 0 1 1, indptr 0 2 4 6 7
    for name, values in parts.items():
        setattr(S, name, np.array(values, dtype=getattr(S, name).dtype))
    return S


LIES: dict[str, dict[str, Any]] = {
    "columns too large": {"indices": [1, 2, 1, 2, 1, 2, 2]},
    "columns far too large": {"indices": [2**30, 1, 0, 1, 0, 1, 1]},
    "last column too large": {"indices": [0, 1, 0, 1, 0, 1, 2]},
    "negative column": {"indices": [0, 1, 0, 1, 0, 1, -1]},
    "very negative column": {"indices": [-(2**30), 1, 0, 1, 0, 1, 1]},
    "starts that fall": {"indptr": [7, 6, 4, 2, 0]},
    "starts that fall in the middle": {"indptr": [0, 4, 2, 6, 7]},
    "starts not from 0": {"indptr": [1, 2, 4, 6, 7]},
    "negative starts": {"indptr": [0, -2, 4, 6, 7]},
    "starts beyond the entries": {"indptr": [0, 2, 4, 6, 8]},
    "starts far beyond": {"indptr": [0, 2, 4, 6, 2**31 - 1]},
    "too few starts": {"indptr": [0, 2, 4, 7]},
    "too many starts": {"indptr": [0, 2, 4, 6, 7, 7]},
    "no starts": {"indptr": []},
    "too few values": {"data": [1.0] * 6},
    "too few columns": {"indices": [0, 1, 0, 1, 0, 1]},
}


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("lie", LIES)
def test_sparse_matrices_that_lie_are_refused_everywhere(lie: str) -> None:
    S = csr_with(**LIES[lie])
    for how in ({}, {"keep": "vote", "order": "shuffle"}, {"max_updates": 1}, {"order": "first"}):
        fit_refused(S, Y, how, {}, r"\bX\b")
    fit_refused(X, Y, {}, {"X_valid": S, "y_valid": Y}, r"\bX_valid\b")
    for call in (lambda: P().fit(X, Y).predict(S), lambda: nv.margins(S, Y, (1, 1), 1), lambda: nv.decide(S, Y)):
        refused(call, r"\bX\b")
    if lie == "too few starts":
        refused(lambda: P().fit(S, [-1, -1, 1]), r"\bX\b")


@pytest.mark.parametrize("block", [2, 100])
def test_other_sparse_formats_that_lie_are_refused(block: int) -> None:
    csc, bsr, short, coo = (make(X) for make in (sp.csc_matrix, sp.bsr_matrix, sp.csc_matrix, sp.coo_matrix))
    csc.indptr = np.array([0, 2, 40], np.int32)
    bsr.indptr[-1] = 10**8
    short.indices = short.indices[:1]
    coo.row = coo.row + np.int32(2**18)
    wrong = sp.csc_array(X.astype("int64"))
    wrong.indices[1] = 2**31 - 1
    with limits(block=block):
        for bad in (csc, bsr, short, coo, wrong):
            refused(lambda bad=bad: P().fit(bad, Y), r"^X")
    wide = sp.csr_matrix((np.ones(2), np.array([0, 2**31 + 3]), np.array([0, 1, 2])), shape=(2, 2**31 + 5))
    for ask in (nv.decide, nv.margin, P().fit):
        refused(lambda ask=ask: ask(wide, [0, 1]), "2,147,483,653 columns; expected at most 2,147,483,647")
    entries = sp.csr_matrix((4, 2))
    entries.data = np.broadcast_to(np.float32(1), 2**31 + 8)
    entries.indices = np.broadcast_to(np.int32(0), 2**31 + 8)
    entries.indptr = np.array([0, 1, 2, 3, -(2**31) + 8], np.int32)
    refused(lambda: nv.decide(entries, Y), "2,147,483,656 entries, but the row starts .* 64-bit")
    for kind in ("csr", "csc", "bsr", "coo", "dia", "lil", "dok"):
        large = sp.csr_array(np.array([[2**53 + 1, 0], [0, 1], [1, 1]])).asformat(kind)
        refused(lambda large=large: nv.decide(large, [0, 1, 0]), "9007199254740993")
    for bad in (np.array, np.asfortranarray, pd.DataFrame, pl.DataFrame):
        refused(lambda bad=bad: nv.decide(bad(np.array([[2**63 - 1], [1]])), [0, 1]), str(2**63 - 1))
    good = np.array([[2**60, 1], [3, 4]])  # held exactly
    assert (
        nv.decide(good, [0, 1]).certificate().record() == nv.decide(good.astype(float), [0, 1]).certificate().record()
    )


def test_entries_named_twice_are_summed_as_numbers() -> None:
    values, rows, columns = np.array([100, 100, 1, 1, 1, 1, 1], np.int8), [0, 0, 0, 1, 2, 3, 3], [0, 0, 1, 0, 1, 0, 1]
    twice = [sp.coo_matrix((values, (rows, columns)), shape=(4, 2))]
    twice.append(sp.csr_matrix((values, columns, [0, 3, 4, 5, 7]), shape=(4, 2)))
    dense = np.array([[200.0, 1.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    fits = [P(keep="last", max_iter=1).fit(A, Y).coef_.tolist() for A in (dense, *twice)]
    assert fits[0] == fits[1] == fits[2]


# ---- other calls


A30, Y30 = random_labels(30, 3)
NAMED = pd.DataFrame(X, columns=["a", "b"])
CALLS: dict[str, tuple[Callable[[], Any], Words]] = {
    "margins: too long": (lambda: nv.margins(X, Y, (1, 2, 3), 1), ("w", r"\b3\b", r"\b2\b")),
    "margins: zero": (lambda: nv.margins(X, Y, (0, 0), 1), ("w", "zero")),
    "margins: NaN": (lambda: nv.margins(X, Y, (1, np.nan), 1), ("w", "finite")),
    "margins: words": (lambda: nv.margins(X, Y, ("one", "two"), 1), ("w", "one")),
    "margins: None": (lambda: nv.margins(X, Y, None, 1), ("w",)),
    "margins: bias a word": (lambda: nv.margins(X, Y, (1, 1), "one"), (r"\bb\b", "one")),
    "margins: bias NaN": (lambda: nv.margins(X, Y, (1, 1), np.nan), (r"\bb\b", "finite")),
    "warm: features": (lambda: P(warm_start=True, max_iter=2).fit(A30, Y30).fit(A30[:, :2], Y30), ("warm_start",)),
    "warm: classes": (lambda: P(warm_start=True, max_iter=2).fit(A30, Y30).fit(A30, Y30 + 1), ("warm_start",)),
    "names of X_valid": (
        lambda: P().fit(NAMED, Y, X_valid=NAMED[["b", "a"]], y_valid=Y),
        (r"X_valid: columns \['b', 'a'\]",),
    ),
    "trace: order": (lambda: nv.trace(X, Y, order="bach"), ("order: found 'bach'", "cyclic.*first")),
    "engine: kind": (lambda: nv.engine("gpu"), ("engine: found 'gpu'", "serial.*threads.*dask")),
    "engine: workers": (lambda: nv.engine("threads", 0), ("workers: found 0",)),
    "engine: no engine": (lambda: nv.decide(X, Y, engine="threads"), ("engine",)),
    "stream: vote": (lambda: P(keep="vote").partial_fit(X, Y), ("keep: 'vote' with partial_fit",)),
    "stream: order": (lambda: P(order="shuffle").partial_fit(X, Y), ("order: 'shuffle' with partial_fit",)),
    "stream: batch": (lambda: P(order="batch").partial_fit(X, Y), ("order: 'batch' with partial_fit",)),
    "stream: mix": (lambda: P(mix=True).partial_fit(X, Y), ("mix: True with partial_fit",)),
    "stream: limit": (lambda: P(max_updates=5).partial_fit(X, Y), ("max_updates: 5 with partial_fit",)),
    "stream: time": (lambda: P(max_time=5).partial_fit(X, Y), ("max_time: 5 with partial_fit",)),
    "stream: held out": (lambda: P(early_stopping=True).partial_fit(X, Y), ("early_stopping: True with partial_fit",)),
    "stream: rule changed": (
        lambda: P().partial_fit(X, Y).set_params(rule="margin").partial_fit(X, Y),
        ("partial_fit: rule is 'margin' now and was 'perceptron'",),
    ),
    "stream: weights": (lambda: P(class_weight={0: -1}).partial_fit(X, Y), ("class_weight", "weights")),
}


@pytest.mark.parametrize("case", CALLS)
def test_what_other_calls_refuse(case: str) -> None:
    call, words = CALLS[case]
    refused(call, *words)


CHUNKS: dict[str, tuple[Any, Any, dict[str, Any], str]] = {
    "a new class": ([[1.0, 2.0]], ["c"], {}, "y: found 'c'; one of the classes of this stream"),
    "more features": ([[1.0, 2.0, 3.0]], ["a"], {}, "X has 3 features, but Perceptron is expecting 2 features"),
    "fewer features": ([[1.0]], ["a"], {}, "X has 1 features"),
    "NaN in the last row": ([[1.0, 2.0], [9.0, np.nan]], ["a", "b"], {}, "contains NaN: row 2 .*, column 2"),
    "too large": ([[1.0, 2.0], [9.0, 1e300]], ["a", "b"], {}, "numbers too large at row 2"),
    "fewer labels": ([[1.0, 2.0], [9.0, 1.0]], ["a"], {}, "2 rows and 1 labels"),
    "other classes": ([[1.0, 2.0]], ["a"], {"classes": ["a", "c"]}, "classes: found"),
    "numbers for labels": ([[1.0, 2.0]], [1], {}, "y: found 1"),
    "names": (pd.DataFrame({"b": [1.0], "a": [2.0]}), ["a"], {}, "feature names should match|feature names"),
}


@pytest.mark.parametrize("case", CHUNKS)
def test_a_refused_chunk_leaves_the_model_as_it_was(case: str) -> None:
    rows, y, more, message = CHUNKS[case]
    first: Any = [[1.0, 0.0], [0.0, 1.0], [2.0, 1.0]]
    first = pd.DataFrame(first, columns=["a", "b"]) if case == "names" else first
    clf = P().partial_fit(first, ["a", "b", "a"], classes=["a", "b"])
    before = pickle.dumps(clf)
    with pytest.raises(ValueError, match=message):
        clf.partial_fit(rows, y, **more)
    assert pickle.dumps(clf) == before


def test_a_refused_warm_start_leaves_the_weights_as_they_were() -> None:
    damaged = A30.copy()
    damaged[-1, 0] = np.nan
    for keep in ("auto", "last", "pocket", "average", "vote"):
        one, other = (P(warm_start=True, max_iter=2, keep=keep).fit(A30, Y30) for _ in range(2))
        refused(lambda other=other: other.fit(damaged, Y30), "X", "NaN", "row 30")
        assert learned(other.fit(A30, Y30))["coef_"] == learned(one.fit(A30, Y30))["coef_"]
        assert other.decision_function(A30).tolist() == one.decision_function(A30).tolist()


def test_an_error_inside_a_schedule_is_the_users_own() -> None:
    def broken(k: int) -> float:
        raise RuntimeError("my own")

    clf = P().fit(X, Y).set_params(schedule=broken)
    before = learned(clf)
    refused(lambda: clf.fit(X, Y), "my own", kind=RuntimeError)
    assert learned(clf) == before
    assert P(schedule=lambda k: 1.0 if k <= 50 else 0.0).fit(*nv.example("or")).stop_reason_ == "separated"


@pytest.mark.parametrize("eta", [1e308, 1e300, 1e160])
def test_a_rate_that_overflows_at_the_end_is_refused_or_predicts_rightly(eta: float) -> None:
    for scale in (1.0, 1e5, 1e100):
        if eta * scale > 1e307:  # the weights are a few points times the rate
            refused(lambda scale=scale: P(eta0=eta).fit(X * scale, Y), "eta0")
            continue
        clf = P(eta0=eta).fit(X * scale, Y)
        assert np.isfinite(clf.coef_).all()
        assert clf.predict(X * scale).tolist() == Y.tolist()


@pytest.mark.parametrize("name", ["fit_intercept", "early_stopping", "warm_start"])
def test_numpys_numbers_and_truth_values_are_taken(name: str) -> None:
    A, y = random_labels(20, 3)
    for theirs, ours in (({"random_state": np.int32(0), name: np.True_}, {"random_state": 0, name: True}),
                         ({"eta0": np.float32(0.5), name: np.False_}, {"eta0": 0.5, name: False})):  # fmt: skip
        one, other = P(max_iter=np.int64(3), **theirs).fit(A, y), P(max_iter=3, **ours).fit(A, y)
        assert one.coef_.tobytes() == other.coef_.tobytes()
        assert one.intercept_.tobytes() == other.intercept_.tobytes()


def test_rows_in_errors_are_counted_from_1_and_from_0() -> None:
    bad: Any = [[0.0, 1.0], [1.0, 0.0], [2.0, np.nan]]
    said = r"\brow 3 \(2 counted from 0\)"
    for call in (
        lambda: nv.decide(bad, [0, 1, 1]),
        lambda: nv.margin(np.array(bad), [0, 1, 1]),
        lambda: nv.decide(sp.csr_array(bad), [0, 1, 1]),
        lambda: nv.trace(bad, [0, 1, 1]),
        lambda: nv.SoftMargin().fit([[0.0], [1.0], [2.0]], [0, 1, 1], sample_weight=[1, 1, -1]),
        lambda: nv.separation([[0.0], [1.0], [2.0]], [1, 2, -1], family="poisson"),
    ):
        refused(call, said)
    refused(lambda: nv.decide(pd.DataFrame(bad, index=["a", "b", "c"]), [0, 1, 1]), r"row \[c\],")


def test_nobody_reads_the_message_of_an_error() -> None:
    """Errors have fields: no part of the library searches, cuts or compares the words of an InputError."""
    found = []
    for path in sorted((Path(__file__).parents[2] / "src").rglob("*.py")):
        for handler in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(handler, ast.ExceptHandler) or "InputError" not in ast.unparse(handler.type or handler):
                continue
            name = handler.name
            read = rf"re\..*\b{name}\b|(str\({name}\)|{name}\.message)\.|{name}\.args|.*\b(in|==) str\({name}\)"
            kinds = (ast.Call, ast.Attribute, ast.Compare)
            parts = [ast.unparse(node) for node in ast.walk(handler) if isinstance(node, kinds)]
            found += [f"{path.name}: {part}" for part in parts if re.match(read, part) and name is not None]
    assert not found
