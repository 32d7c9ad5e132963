"""What cannot be prepared is refused: what was found, what was expected, and the name of the option."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from data.raw_rows import MAILS, XOR, mails
from novikoff.errors import InputError
from novikoff.prepare import Divide, Hash, OneHot, Preparation, Raw, Scale, products, requested


def wild() -> sp.csr_matrix:
    X = sp.csr_matrix(XOR)
    X.indices[0] = 7
    return X


BAD: list[tuple[str, Any]] = [
    (r"text='mail': no words in 2 texts", lambda: Preparation().fit(mails(["", "a b c"]))),
    (r"text='mail': no words in 1 texts", lambda: Preparation(Hash(4)).fit(mails(["!"]))),
    (
        r"tfidf=True: none of the 2 different words of column 'mail' is in 2 texts",
        lambda: requested(tfidf=True).fit(mails(["free cash"])),
    ),
    (r"min_df: found 0, expected a whole number", lambda: requested(min_df=0)),
    (r"hash_bits: found 0, expected a whole number from 1 to 30", lambda: requested(hash_bits=0)),
    (r"hash_bits: found 31, expected", lambda: requested(hash_bits=31)),
    (r"hash_bits: found True, expected", lambda: Hash(True)),
    (r"hash_bits= with tfidf=True: .* choose one", lambda: requested(hash_bits=18, tfidf=True)),
    (r"hash_bits= with min_df=: .* choose one", lambda: requested(hash_bits=18, min_df=2)),
    (r"tfidf=True: there is no text column; name it with text=", lambda: requested(tfidf=True).fit(Raw(XOR))),
    (r"min_df=3: there is no text column; name it with text=", lambda: requested(min_df=3).fit(Raw(XOR))),
    (r"hash_bits=: there is no text column", lambda: requested(hash_bits=3).fit(Raw(XOR))),
    (r"one_hot=True: there are no columns of categories", lambda: requested(one_hot=True).fit(Raw(XOR))),
    (
        r"one_hot=True: column 'id' has more than 10 categories;",
        lambda: Preparation(OneHot(10)).fit(Raw(categories={"id": [str(i) for i in range(11)]})),
    ),
    (r"one_hot=True: a limit of 0", lambda: OneHot(0)),
    (
        r"column 'color' holds categories, not numbers; add one_hot=True",
        lambda: Preparation().fit(Raw(categories={"color": ["red"]})),
    ),
    (r"scale=True: there are no numeric columns", lambda: requested(scale=True).fit(mails())),
    (
        r"scale=True: the variance of column 'x2'",
        lambda: requested(scale=True).fit(Raw([[0.0, 1e-200], [0.0, 2e-200]])),
    ),
    (r"scale=True: the variance of column 'x1'", lambda: requested(scale=True).fit(Raw([[1e200], [2e200]]))),
    (r"scale=True: centre=1", lambda: Scale(1)),  # type: ignore[arg-type]
    (r"scale_by: found 0, expected", lambda: requested(scale_by=0)),
    (r"scale_by: found nan, expected", lambda: requested(scale_by=float("nan"))),
    (r"scale_by= and scale=True: both are for the numbers; choose one", lambda: requested(scale=True, scale_by=2)),
    (
        r"scale_by=: a prepared number is beyond binary64",
        lambda: requested(scale_by=1e-300).fit_transform(Raw([[1e300]])),
    ),
    (
        r"features='poly2': a prepared number is beyond",
        lambda: requested(features="poly2").fit_transform(Raw([[1e300]])),
    ),
    (r"features: found 'poly3', expected poly2", lambda: requested(features="poly3")),
    (
        r"features='poly2': 10,000 columns would become 50,015,000",
        lambda: requested(features="poly2").fit(Raw(sp.csr_matrix((2, 10_000)))),
    ),
    (
        r"normalize=True, row 2: its largest number is 1e\+200",
        lambda: requested(normalize=True).fit_transform(Raw([[1.0], [1e200]])),
    ),
    (
        r"normalize=True, row 1: its largest number is 1e-200",
        lambda: requested(normalize=True).fit_transform(Raw([[1e-200]])),
    ),
    (
        r"column 'age', row 2 \(1 counted from 0\): found nan, expected a finite number; .*missing='drop'",
        lambda: Raw([[1.0], [np.nan]], ["age"]),
    ),
    (
        r"column 2, row 3 \(2 counted from 0\): found inf",
        lambda: Raw(sp.csr_matrix(([1.0, np.inf], [0, 1], [0, 1, 1, 2]), (3, 2))),
    ),
    (r"column 'mail', row 2: found NoneType None, expected a text", lambda: mails(["free", None])),
    (r"column 'color', row 1: found int 3, expected a category", lambda: Raw(categories={"color": [3]})),  # type: ignore[list-item]
    (r"column 'a': used twice", lambda: Raw(XOR, ["a", "b"], {"a": MAILS})),
    (r"column 'a': used twice", lambda: Raw(XOR, ["a", "a"])),
    (r"names: 1 names for 2 columns", lambda: Raw(XOR, ["a"])),
    (r"column 'mail': 4 rows, but the numbers have 2", lambda: Raw([[1.0], [2.0]], None, {"mail": MAILS})),
    (r"no columns", lambda: Raw()),
    (r"column 'mail': found one text, expected a list", lambda: Raw(text={"mail": "free cash"})),
    (r"numbers: indices: found index .* expected 0 to 1", lambda: Raw(wild())),
    (r"numbers: found complex128", lambda: Raw(sp.csr_matrix([[1j]]))),
    (r"numbers: Expected 2D array, got 1D", lambda: Raw([1.0, 2.0])),
    (r"numbers: found <U1, expected real numbers", lambda: Raw([["a"]])),
    (r"numbers: 9007199254740993 .* cannot be stored exactly", lambda: Raw([[2**53 + 1]])),
    (r"this preparation is not fitted", lambda: Preparation().transform(mails())),
    (r"no rows to prepare", lambda: Preparation().fit([])),
    (r"no rows to prepare", lambda: Preparation().fit([mails([])])),
    (r"no rows to prepare", lambda: Preparation().fit(mails()).transform(mails([]))),
    (
        r"text column 'mail': missing, but it was in training",
        lambda: Preparation().fit(mails()).transform(Raw(XOR)),
    ),
    (
        r"text column 'mail': it was not in training",
        lambda: Preparation().fit(Raw(XOR)).transform(Raw(XOR, None, {"mail": MAILS})),
    ),
    (r"number column 'b': missing", lambda: Preparation().fit(Raw(XOR, ["a", "b"])).transform(Raw(XOR, ["a", "c"]))),
    (
        r"numbers: found 1 columns, expected 2 as in training",
        lambda: Preparation().fit(Raw(XOR)).transform(Raw(XOR[:, :1])),
    ),
]


@pytest.mark.parametrize(("words", "call"), BAD, ids=[words[:40] for words, _ in BAD])
def test_what_cannot_be_prepared_is_refused_by_the_name_of_its_option(words: str, call: Any) -> None:
    with pytest.raises(InputError, match=words):
        call()


def test_dense_products_that_are_too_large_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(products, "NUMBERS", 10)
    prep = requested(features="poly2").fit(Raw(XOR))
    with pytest.raises(InputError, match=r"features='poly2': 4 rows of 5 products"):
        prep.transform(Raw(XOR))


def test_columns_in_another_order_are_put_in_order_by_their_names() -> None:
    prep = Preparation(Divide(2)).fit(Raw(XOR, ["a", "b"]))
    np.testing.assert_array_equal(prep.transform(Raw(XOR[:, ::-1], ["b", "a"])), XOR / 2)
