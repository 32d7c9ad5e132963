"""Preparation: what comes out, what it is called, and what is reported."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import novikoff as nv
from data.raw_rows import MAILS, XOR, everything, mails
from novikoff.errors import InputError
from novikoff.prepare import (
    Divide,
    Hash,
    OneHot,
    Preparation,
    Products,
    Raw,
    Scale,
    UnitRows,
    Words,
    contributions,
    raw_contributions,
    requested,
)
from novikoff.prepare.imputation import Impute
from novikoff.prepare.products import pair

# ---- what comes out ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("read", "first"),
    [
        ({"label": 0, "text": [], "categories": [2], "width": 4}, "x2"),
        ({"label": 0, "text": [1], "categories": [2], "width": 5}, "x4"),
        ({"label": 0, "text": [], "categories": [], "width": 3}, "x1"),  # numbers alone are counted by themselves
        ({"label": 0, "text": [], "categories": [2], "width": None}, "x1"),
        ({"label": 0, "text": 7, "categories": {}, "width": 3}, "x1"),  # of a file that anybody may have written
        ({"categories": [0, -1, 10**9], "width": 3}, "x2"),
        ("read", "x1"),
    ],
)
def test_numbers_without_names_are_called_by_their_place_in_a_table_of_categories(read: Any, first: str) -> None:
    prep = Preparation(OneHot()).fit(Raw(np.ones((1, 2)), None, {}, {"x3": ["red"]}))
    prep.report["read"] = read
    assert (prep.names[0], prep.names[2]) == (first, "x3=red")


def test_numbers_categories_and_words_stand_side_by_side_with_their_names() -> None:
    prep = Preparation(Words(), OneHot(), Scale())
    X = prep.fit_transform(everything())
    words = ["word:call", "word:cash", "word:free", "word:me", "word:now"]
    assert list(prep.names) == ["age", "same", "color=blue", "color=green", "color=red", *words]
    assert X.shape == (4, len(prep.names))
    np.testing.assert_array_equal(X.toarray()[0, 2:], [0, 0, 1, 0, 1, 1, 0, 1])
    assert prep.report == {
        "rows": 4,
        "numbers": {"columns": 2, "centred": True, "constant_columns": 1},
        "categories": {"color": {"categories": 3}},
        "text": {"mail": {"texts": 4, "words": 5, "words_left_out": 0}},
        "columns": 10,
    }


def test_the_order_in_which_steps_are_named_does_not_matter() -> None:
    one = Preparation(UnitRows(), Products(), Words(), OneHot(), Scale()).fit(everything())
    other = Preparation(Scale(), OneHot(), Words(), Products(), UnitRows()).fit(everything())
    assert (one.transform(everything()) != other.transform(everything())).nnz == 0
    assert list(one.names) == list(other.names)


def test_numbers_without_a_step_pass_as_they_are() -> None:
    X = np.array([[1, 2], [3, 4]], dtype=np.int8)
    assert Preparation().fit_transform(Raw(X)) is not None
    np.testing.assert_array_equal(Preparation().fit_transform(Raw(X)), X)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "uint8", "int64", "bool"])
@pytest.mark.parametrize("step", [Divide(3), Scale(), Scale(False), UnitRows(), Products(), OneHot()])
def test_numbers_of_any_type_are_prepared_in_binary64(step: Any, dtype: str) -> None:
    X = np.array([[1, 0], [0, 1], [1, 1], [1, 0]]).astype(dtype)
    categories = {"color": list("abab")} if step.on == "categories" else {}
    sparse = sp.csr_matrix(X.astype(np.float64)).astype("float32" if dtype == "float16" else dtype)
    for rows in (X, np.asfortranarray(X), sparse):
        made = Preparation(step).fit_transform(Raw(rows, categories=categories))
        expected = Preparation(step).fit_transform(Raw(rows.astype(np.float64), categories=categories))
        assert made.dtype == np.float64
        assert (made != expected).sum() == 0


def test_a_sparse_matrix_is_not_changed_and_entries_named_twice_are_summed() -> None:
    X = sp.csr_matrix((np.array([100, 100, 1], np.int8), [1, 1, 0], [0, 3]), shape=(1, 2))
    assert Raw(X).numbers.toarray().tolist() == [[1, 200]]
    assert X.indices.tolist() == [1, 1, 0]


def test_a_scaled_column_has_mean_0_and_variance_1_and_a_constant_one_stays_constant() -> None:
    X = Preparation(Scale()).fit_transform(Raw(np.array([[1.0, 7.0], [2.0, 7.0], [6.0, 7.0]])))
    np.testing.assert_allclose(X.mean(axis=0), 0, atol=1e-15)
    np.testing.assert_allclose(X.var(axis=0), [1, 0], rtol=1e-15)


def test_a_column_is_constant_only_if_every_number_in_it_is_the_same() -> None:
    near = np.array([[1.0], [1.0 + 2**-52], [1.0]])  # scikit-learn calls this one constant
    prep = Preparation(Scale()).fit(Raw(near))
    assert prep.report["numbers"]["constant_columns"] == 0
    assert len(set(prep.transform(Raw(near)).ravel())) == 2
    tenths = np.full((10, 1), 0.1)  # whose rounded mean is not 0.1
    assert Preparation(Scale()).fit_transform(Raw(tenths)).tolist() == [[0.0]] * 10


def test_sparse_numbers_are_scaled_without_centring_unless_asked() -> None:
    dense = np.array([[0.0, 2.0], [0.0, 4.0], [3.0, 0.0]])
    raw = Raw(sp.csr_matrix(dense))
    X = Preparation(Scale()).fit_transform(raw)
    assert X.nnz == 3
    np.testing.assert_array_equal(X.toarray(), Preparation(Scale(centre=False)).fit_transform(Raw(dense)))
    centred = Preparation(Scale(centre=True)).fit_transform(raw)
    np.testing.assert_array_equal(centred, Preparation(Scale()).fit_transform(Raw(dense)))


def test_what_was_fitted_dense_is_applied_alike_to_sparse_rows() -> None:
    dense = np.array([[0.0, 2.0], [0.0, 4.0], [3.0, 0.5]])
    for scale in (Scale(True), Scale(False)):
        prep = Preparation(scale).fit(Raw(dense))
        made = prep.transform(Raw(sp.csr_matrix(dense)))
        np.testing.assert_array_equal(made.toarray() if sp.issparse(made) else made, prep.transform(Raw(dense)))


def test_a_step_that_was_used_once_can_be_used_again_for_other_rows() -> None:
    words = Words()
    Preparation(words).fit(mails())
    other = Preparation(words).fit(mails(["another text"]))
    assert list(other.names) == ["word:another", "word:text"]
    assert list(other.fit(mails()).names) == [f"word:{word}" for word in ("call", "cash", "free", "me", "now")]


def test_a_failed_fit_leaves_what_was_learned_before() -> None:
    prep = Preparation(Words()).fit(mails())
    with pytest.raises(InputError):
        prep.fit([mails(), Raw(text={"other": ["x"]})])
    assert len(prep.names) == 5


def test_xor_becomes_separable_by_products_of_pairs() -> None:
    y = [0, 1, 1, 0]
    prep = requested(features="poly2")
    Z = prep.fit_transform(Raw(XOR))
    assert list(prep.names) == ["x1", "x2", "x1²", "x1·x2", "x2²"]
    assert nv.decide(XOR, y).separable is False
    verdict = nv.decide(Z, y)
    assert verdict.separable is True
    assert nv.decide(prep.fit_transform(Raw(sp.csr_matrix(XOR))), y).separable is True


@pytest.mark.parametrize("d", [1, 2, 5, 17])
def test_the_pairs_are_counted_row_after_row(d: int) -> None:
    assert [pair(k, d) for k in range(d * (d + 1) // 2)] == [(a, b) for a in range(d) for b in range(a, d)]


# ---- streams -------------------------------------------------------------------------------------------------------


def test_what_learns_nothing_prepares_a_stream_as_it_comes() -> None:
    raw = Raw(np.arange(12.0).reshape(4, 3), None, {"mail": MAILS})
    steps = (Hash(4), Divide(3), Products(), UnitRows())
    prep = Preparation(*steps)
    taken: list[int] = []

    def chunks() -> Iterator[Raw]:
        for i in (0, 2, 2):  # the last is empty
            taken.append(i)
            yield raw.part(slice(i, i + 2) if len(taken) < 3 else slice(0, 0))

    coming = prep.stream(chunks())
    first = next(coming)
    assert taken == [0]  # nothing is read ahead
    made = sp.vstack([first.X, *(prepared.X for prepared in coming)], format="csr")
    whole = Preparation(*steps).fit(raw)
    assert (made != whole.transform(raw)).nnz == 0
    assert prep.report == whole.report


@pytest.mark.parametrize(
    ("step", "raw"),
    [(Words(), mails()), (OneHot(), Raw(categories={"color": ["red"]})), (Scale(), Raw(XOR))],
    ids=["words", "one-hot", "scale"],
)
def test_what_must_see_all_rows_first_prepares_no_stream(step: Any, raw: Raw) -> None:
    with pytest.raises(InputError, match=r"(text=|one_hot=True|scale=True): it must be fitted on all rows first"):
        next(Preparation(step).stream([raw]))


# ---- words ---------------------------------------------------------------------------------------------------------


def test_bytes_are_utf8_or_else_latin1_text_by_text() -> None:
    raw = mails(["café".encode(), "café".encode("latin-1"), b"plain text", "été"])
    assert raw.text["mail"] == ["café", "café", "plain text", "été"]
    assert raw.latin1 == 1
    assert Preparation(Words()).fit(raw).report["texts_read_as_latin1"] == 1


def test_rare_words_are_left_out_and_counted() -> None:
    prep = Preparation(Words(min_df=2)).fit(mails())
    assert list(prep.names) == ["word:call", "word:cash", "word:free", "word:now"]
    assert prep.report["text"]["mail"] == {"texts": 4, "words": 4, "words_left_out": 1}


def test_unknown_words_are_left_out_later() -> None:
    prep = Preparation(Words()).fit(mails())
    assert prep.transform(mails(["nothing of it"])).nnz == 0


def test_several_text_columns_have_words_of_their_own() -> None:
    raw = Raw(text={"subject": ["free cash"], "body": ["cash now"]})
    prep = Preparation().fit(raw)
    assert list(prep.names) == ["subject:cash", "subject:free", "body:cash", "body:now"]
    hashed = Preparation(Hash(2)).fit(raw)
    assert hashed.names[0] == "subject:hash:0"
    assert hashed.names[7] == "body:hash:3"


def test_a_billion_names_are_made_one_by_one() -> None:
    names = Preparation(Hash(30)).fit(mails()).names
    assert len(names) == 2**30
    assert names[2**30 - 1] == names[-1] == f"hash:{2**30 - 1}"
    assert names[3:5] == ("hash:3", "hash:4")
    with pytest.raises(IndexError):
        names[2**30]


# ---- categories ----------------------------------------------------------------------------------------------------


def test_an_unknown_category_is_a_row_of_zeros_and_is_counted() -> None:
    prep = Preparation(OneHot()).fit(Raw(categories={"color": ["red", "blue"], "size": ["s", "s"]}))
    prepared = prep.apply(Raw(categories={"color": ["pink", "red", ""], "size": ["s", "s", "xl"]}))
    np.testing.assert_array_equal(prepared.X.toarray(), [[0, 0, 1], [0, 1, 1], [0, 0, 0]])
    assert prepared.unknown == {"color": 2, "size": 1}


# ---- explaining ----------------------------------------------------------------------------------------------------


def test_contributions_sum_to_the_score() -> None:
    rng = np.random.default_rng(0)
    raw = everything()
    prep = Preparation(Words(tfidf=True, min_df=1), OneHot(), Scale(), Products()).fit(raw)
    X = prep.transform(raw)
    clf = nv.Perceptron(rule="pa1").fit(X, [0, 1, 0, 1])
    w = rng.normal(size=X.shape[1])
    for i in range(raw.n):
        parts = contributions(prep, clf.coef_[0], raw.part(slice(i, i + 1)), clf.intercept_[0])
        assert math.fsum(part.product for part in parts) == pytest.approx(clf.decision_function(X)[i], rel=1e-13)
        assert all(part.product == part.value * part.weight for part in parts)
        assert parts[-1].name == "bias"
        sizes = [abs(part.product) for part in parts[:-1]]
        assert sizes == sorted(sizes, reverse=True)
        parts = contributions(prep, w, raw.part(slice(i, i + 1)))
        assert math.fsum(part.product for part in parts) == pytest.approx(float((X[i] @ w)[0]), rel=1e-12)


def test_each_contribution_has_its_value_before_the_preparation() -> None:
    numbers = np.array([[1.0, 20.0], [3.0, np.nan], [5.0, 60.0], [2.0, 10.0]])
    rows = Raw(numbers, ["a", "b"], {"t": ["free cash", "call", "cash", "me"]}, {"c": ["x", "y", "x", ""]}, gaps=True)
    prep = Preparation(Impute("median", "most-frequent", True), Scale(), OneHot(), Products()).fit(rows)
    w = np.ones(len(prep.names))
    for k in range(rows.n):
        row = rows.part(slice(k, k + 1))
        found = raw_contributions(prep, w, row)
        assert [part for part, _ in found] == contributions(prep, w, row)
        raw = {part.name: value for part, value in found}
        assert raw["a"] == numbers[k, 0]
        assert raw["b"] == (None if k == 1 else numbers[k, 1])
        assert ("b is missing" in raw) == (k == 1)
        category = f"c={'x' if k in (0, 2, 3) else 'y'}"
        assert raw[category] == (None if k == 3 else category[2:])
        others = {name for name in raw if "·" in name or "²" in name or name.startswith("word:")}
        assert others
        assert all(raw[name] is ... for name in others)


def test_sparse_numbers_have_their_value_before_scaling() -> None:
    rows = Raw(sp.csr_matrix([[0.0, 2.0], [4.0, 0.0], [8.0, 6.0]]))
    prep = Preparation(Scale()).fit(rows)
    found = raw_contributions(prep, [1.0, 1.0], rows.part(slice(2, 3)))
    assert {part.name: value for part, value in found} == {"x1": 8.0, "x2": 6.0}
    assert all(part.value != value for part, value in found)


def test_a_hashed_column_is_named_by_the_words_of_the_text_that_fall_there() -> None:
    prep = Preparation(Hash(1)).fit(mails())
    parts = contributions(prep, [1.0, 10.0], mails(["free cash now"]))
    words = {word: Hash(1).column_of(word) for word in ("free", "cash", "now")}
    for part in parts:
        named = part.name.removeprefix("word:").split("+")
        assert named == sorted(word for word, column in words.items() if [1.0, 10.0][column] == part.weight)


def test_explain_takes_one_row_and_the_right_number_of_weights() -> None:
    prep = Preparation().fit(mails())
    with pytest.raises(InputError, match=r"explain: found 4 rows, expected one"):
        contributions(prep, np.ones(5), mails())
    with pytest.raises(InputError, match=r"explain: 4 weights for 5 prepared columns"):
        contributions(prep, np.ones(4), mails(["free"]))


def test_the_room_opens_without_scikit_learn() -> None:
    code = "import sys, novikoff.prepare; print([m for m in ('sklearn', 'scipy', 'numba') if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
