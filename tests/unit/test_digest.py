"""The digest in NumPy is that of the trusted checker, from every storage and for every kind of label."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

from data.storages import STORAGES, storages_of
from novikoff.data import digest as module
from novikoff.data.digest import digest_of, label_texts
from novikoff.data.plain_files import label_text
from novikoff.data.problem import unlabelled
from novikoff.errors import InputError
from novikoff.proof.verify import Digest, label_value


def slowly(X: np.ndarray, y: list[Any]) -> str:
    digest = Digest(X.shape[1])
    for label, x in zip(y, X.tolist(), strict=True):
        pairs = [(j, value) for j, value in enumerate(x) if value]
        digest.add(label_value(label_text(label)), [j for j, _ in pairs], [value for _, value in pairs])
    return digest.hexdigest()


def points(kind: str, n: int, d: int) -> np.ndarray:
    rng = np.random.default_rng([n, d])
    if kind == "bits":
        return rng.integers(0, 2, (n, d)).astype(float)
    if kind == "whole":
        return rng.integers(-5, 6, (n, d)).astype(float)
    X = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-300, 300, (n, d))
    X[rng.random((n, d)) < 0.2] = -0.0
    X[0, 0] = 5e-324
    return X


@pytest.mark.parametrize("kind", ["bits", "whole", "real"])
@pytest.mark.parametrize(("n", "d"), [(1, 1), (2, 3), (50, 70), (4096, 2), (4097, 3), (9000, 5)])
def test_every_storage_has_the_digest_of_the_checker(kind: str, n: int, d: int) -> None:
    X = points(kind, n, d)
    y = np.arange(n) % 2
    wanted, tried = slowly(X, y.tolist()), set()
    for name, stored in storages_of(X):
        assert digest_of(unlabelled(stored), y) == wanted, name
        tried.add(name)
    assert len(tried) >= (len(STORAGES) if kind == "bits" and n > 2 else 20)


def test_storages_in_blocks_have_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Data too large for one piece: blocks of storage and blocks of the tree do not end together."""
    from novikoff.data import contiguous_blocks

    for place in (contiguous_blocks, module):
        monkeypatch.setattr(place, "NUMBERS", 1000)
    X = points("bits", 9001, 6)
    y = np.arange(9001) % 2
    in_blocks = {name: unlabelled(stored).in_blocks for name, stored in storages_of(X)}
    assert sum(in_blocks.values()) >= 15
    wanted = slowly(X, y.tolist())
    for name, stored in storages_of(X):
        assert digest_of(unlabelled(stored), y) == wanted, name


LABELS: dict[str, Any] = {
    "int64": np.array([1, 0, 1, 1]),
    "int8": np.array([1, 0, 1, 1], np.int8),
    "uint64": np.array([1, 0, 1, 1], np.uint64),
    "float": np.array([1.0, 0.0, 1.0, 1.0]),
    "minus zero": np.array([1.0, -0.0, 1.0, 1.0]),
    "bool": np.array([True, False, True, True]),
    "list": [1, 0, 1, 1],
    "texts": ["1", "0", "1", "1"],
    "signed texts": ["+1", "0.0", "+1", "+1"],
    "truths": ["True", "False", "True", "True"],
    "bytes": np.array([b"1", b"0", b"1", b"1"]),
    "objects": np.array([1, 0, 1, 1], object),
    "pandas": pd.Series([1, 0, 1, 1]),
    "pandas nullable": pd.Series([1, 0, 1, 1], dtype="Int64"),
    "pandas category": pd.Series(["1", "0", "1", "1"], dtype="category"),
    "polars": pl.Series([1, 0, 1, 1]),
}


@pytest.mark.parametrize("kind", LABELS)
def test_labels_of_every_type_are_the_same_labels(kind: str) -> None:
    X = points("whole", 4, 2)
    assert digest_of(unlabelled(X), LABELS[kind]) == slowly(X, [1, 0, 1, 1])


@pytest.mark.parametrize("y", [["spam", "ham"] * 3, ["a", "bbbbbbbbbbbbb"] * 3, ["ä" * 8, ""] * 3, [-1, 1] * 3,
                               [0.5, 2] * 3, ["b"] * 6, ["x", "y", "zz", "x", "y", "zzzzzzzzzz"], [1, 2, 3] * 2,
                               [10**18, -(10**18)] * 3, [0.1, 1e300] * 3])  # fmt: skip
def test_other_labels_one_class_or_many(y: list[Any]) -> None:
    X = points("real", 6, 3)
    assert digest_of(unlabelled(X), y) == slowly(X, y)
    assert digest_of(unlabelled(sp.csr_matrix(X)), np.array(y)) == slowly(X, y)


def test_each_change_of_the_data_changes_the_digest() -> None:
    X, y = points("whole", 30, 4), np.arange(30) % 2
    digests = {digest_of(unlabelled(X), y)}
    for i in range(30):
        for j in range(4):
            other = X.copy()
            other[i, j] += 1
            digests.add(digest_of(unlabelled(other), y))
        flipped = y.copy()
        flipped[i] ^= 1
        digests.add(digest_of(unlabelled(X), flipped))
    digests |= {
        digest_of(unlabelled(part), y[: len(part)]) for part in (X[:-1], X[:, :-1], np.hstack([X, 0 * X[:, :1]]))
    }
    assert len(digests) == 1 + 30 * 5 + 3


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("store", [np.asarray, sp.csr_matrix, sp.csc_matrix, pd.DataFrame])
def test_what_is_not_finite_is_refused_with_its_place(bad: float, store: Any) -> None:
    X = points("whole", 5000, 3)
    X[4500, 1] = bad
    with pytest.raises(InputError, match=r"row 4501 \(4500 counted from 0\), column 2 \(counted from 1\)"):
        digest_of(unlabelled(store(X)), np.arange(5000) % 2)


@pytest.mark.parametrize(("y", "said"), [
    ([1.0, np.nan], "finite"), ([None, 1], "missing label"), (["1", "1.0"], "the same number"),
    ([1], "2 rows and 1 labels"), ([[1, 2]], "1d array"), ([], "no labels"),
])  # fmt: skip
def test_labels_that_cannot_be_used_are_refused(y: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        digest_of(unlabelled([[1.0], [2.0]]), y)


def test_columns_that_do_not_exist_are_refused() -> None:
    broken = sp.csr_matrix(points("whole", 4, 3))
    broken.indices[0] = 99
    with pytest.raises(InputError, match="column index 99"):
        digest_of(unlabelled(broken), [0, 1, 0, 1])


def test_the_numbers_of_labels() -> None:
    texts, codes = label_texts(["b", "a", "b"])
    assert [texts[k] for k in codes] == ["b", "a", "b"]
