"""The prepared matrix is that of scikit-learn's transformers, bit by bit, on the real sets as their README asks."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from benchmarks import raw, real, recipe
from benchmarks.accuracy import accuracy
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfVectorizer
from sklearn.preprocessing import OneHotEncoder, PolynomialFeatures, StandardScaler, normalize

from novikoff.prepare import Hash, OneHot, Preparation, Products, Raw, Scale, UnitRows, Words

Find = Callable[[str], Path]


def same_bits(ours: Any, theirs: Any) -> None:
    """The same numbers in the same places; explicit zeros do not count."""
    assert ours.shape == theirs.shape
    if sp.issparse(ours):
        ours, theirs = sp.csr_matrix(ours, copy=True), sp.csr_matrix(theirs, copy=True)
        for X in (ours, theirs):
            X.sum_duplicates()
            X.eliminate_zeros()
        np.testing.assert_array_equal(ours.indptr, theirs.indptr)
        np.testing.assert_array_equal(ours.indices, theirs.indices)
        ours, theirs = ours.data, theirs.data
    assert np.asarray(ours, np.float64).tobytes() == np.asarray(theirs, np.float64).tobytes()


def messages(find: Find) -> tuple[list[str], list[str]]:
    parts = real.sms_spam_texts(find("sms_spam"))
    return parts.X, parts.X_test


@pytest.mark.parametrize(
    ("step", "theirs"),
    [
        (Words(), CountVectorizer()),
        (Words(min_df=3), CountVectorizer(min_df=3)),
        (Words(tfidf=True), TfidfVectorizer(min_df=2)),
        (Words(tfidf=True, min_df=1), TfidfVectorizer()),
        (Hash(10), HashingVectorizer(n_features=1 << 10, norm=None)),
        (Hash(20), HashingVectorizer(n_features=1 << 20, norm=None)),
    ],
)
def test_words_of_short_messages(step: Any, theirs: Any, shared_data: Find) -> None:
    learn, test = messages(shared_data)
    prep, theirs = Preparation(step).fit(Raw(text={"text": learn})), theirs.fit(learn)
    for texts in (learn, test):
        same_bits(prep.transform(Raw(text={"text": texts})), theirs.transform(texts))
    if hasattr(theirs, "get_feature_names_out"):
        assert list(prep.names) == [f"word:{word}" for word in theirs.get_feature_names_out()]


def test_what_is_learned_from_a_set_is_kept_as_plain_data(shared_data: Find) -> None:
    learn, test = messages(shared_data)
    prep = Preparation(Words(tfidf=True)).fit(
        Raw(text={"text": part}) for part in (learn[:7], learn[7:3000], learn[3000:])
    )
    record, arrays = prep.to_record()
    loaded = Preparation.from_record(json.loads(json.dumps(record)), arrays)
    same_bits(loaded.transform(Raw(text={"text": test})), TfidfVectorizer(min_df=2).fit(learn).transform(test))


def test_categories_of_adult_and_numbers_scaled(shared_data: Find) -> None:
    parts = raw.adult(shared_data("adult"))
    numbers, learn = parts.rows.numbers, np.array(list(parts.rows.categories.values()), dtype=object).T
    test = np.array(list(parts.test.categories.values()), dtype=object).T
    theirs = OneHotEncoder(handle_unknown="ignore").fit(learn)
    prep = Preparation(OneHot(), Scale()).fit(parts.rows)
    X, prepared = prep.transform(parts.rows), prep.apply(parts.test)
    assert X.shape[1] == 108
    same_bits(X[:, 6:], theirs.transform(learn))
    same_bits(prepared.X[:, 6:], theirs.transform(test))
    assert sum(prepared.unknown.values()) == 0
    assert_scaled(X[:, :6].toarray(), numbers, prep)


def test_covtype_scaled(shared_data: Find) -> None:
    parts = raw.SETS["covtype_10k"](shared_data("covtype_10k"))
    prep = Preparation(Scale()).fit(parts.rows)
    assert_scaled(prep.transform(parts.rows), parts.rows.numbers, prep)


def assert_scaled(ours: np.ndarray, X: np.ndarray, prep: Preparation) -> None:
    """Given our statistics, scikit-learn's bits; its own statistics are rounded on the way (on covtype to 1.7e-13)."""
    (scale,) = [step for step, _ in prep.columns.steps() if isinstance(step, Scale)]
    theirs = StandardScaler().fit(X)
    np.testing.assert_allclose(scale.mean, theirs.mean_, rtol=1e-12)
    np.testing.assert_allclose(scale.deviation, theirs.scale_, rtol=1e-12)
    np.testing.assert_allclose(ours, theirs.transform(X), rtol=1e-10, atol=1e-13)
    theirs.mean_, theirs.scale_ = scale.mean, scale.deviation
    same_bits(ours, theirs.transform(X))


def test_rows_of_news20_have_length_1(shared_data: Find) -> None:
    parts = raw.SETS["news20"](shared_data("news20"))
    same_bits(Preparation(UnitRows()).fit_transform(parts.test), normalize(parts.test.numbers))


def test_pixels_of_mnist_are_divided(shared_data: Find) -> None:
    parts = raw.SETS["mnist"](shared_data("mnist"))
    same_bits(Preparation(*parts.steps).fit_transform(parts.test), parts.test.numbers / 255.0)


def test_products_are_scikit_learns() -> None:
    X = np.random.default_rng(0).normal(size=(30, 7)) * (np.random.default_rng(1).random((30, 7)) < 0.4)
    theirs = PolynomialFeatures(2, include_bias=False).fit(X)
    for rows in (X, sp.csr_matrix(X)):
        prep = Preparation(Products()).fit(Raw(rows))
        same_bits(prep.transform(Raw(rows)), theirs.transform(rows))
    assert len(prep.names) == theirs.n_output_features_
    spelled = [name.replace(" ", "·").replace("^2", "²") for name in theirs.get_feature_names_out(list("abcdefg"))]
    assert list(Preparation(Products()).fit(Raw(X, list("abcdefg"))).names) == spelled


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["sms_spam", "a9a"])
def test_the_recipe_reaches_its_bar(name: str, shared_data: Find) -> None:
    parts = raw.SETS[name](shared_data(name)).prepared()
    assert accuracy(parts, **recipe.RECIPE, random_state=0) >= recipe.BARS[name]
