"""What must hold of every preparation: chunks do not matter, statistics are exact, storage does not matter."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from novikoff.errors import InputError
from novikoff.prepare import Divide, Hash, OneHot, Preparation, Products, Raw, Scale, UnitRows, Words
from novikoff.prepare.moments import Moments

numbers = st.one_of(
    st.integers(-5, 5).map(float),
    st.integers(-(2**53), 2**53).map(float),
    st.floats(-1e100, 1e100, allow_subnormal=False).filter(lambda x: x == 0 or abs(x) > 1e-100),
)
tables = arrays(np.float64, array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=12), elements=numbers)
texts = st.lists(st.sampled_from(["free", "cash", "Now", "été", "x", "call me", "£5"]), max_size=6).map(" ".join)


@given(tables)
def test_means_and_variances_are_the_exact_ones_rounded_once(X: np.ndarray) -> None:
    for rows in (X, sp.csr_matrix(X)):
        moments = Moments(X.shape[1])
        moments.look(rows)
        means, variances = moments.mean(), moments.variance([""] * X.shape[1])
        for j, column in enumerate(X.T):
            exact = [Fraction(x) for x in column.tolist()]
            mean = sum(exact, Fraction(0)) / len(exact)
            assert means[j] == float(mean)
            assert variances[j] == float(sum((x - mean) ** 2 for x in exact) / len(exact))


@given(
    arrays(
        np.float64,
        array_shapes(min_dims=2, max_dims=2, max_side=6),
        elements=st.floats(allow_nan=False, allow_infinity=False),
    )
)
def test_the_sums_are_exact_over_all_of_binary64(X: np.ndarray) -> None:
    moments = Moments(X.shape[1])
    moments.look(X)
    for mean, column in zip(moments.mean(), X.T, strict=True):
        assert mean == float(sum(map(Fraction, column.tolist()), Fraction(0)) / len(column))


@st.composite
def raws(draw: Any) -> Raw:
    """Rows of every kind, and sometimes sparse numbers."""
    n = draw(st.integers(1, 12))
    d = draw(st.integers(1, 4))
    X = draw(arrays(np.float64, (n, d), elements=numbers))
    words = draw(st.lists(texts, min_size=n, max_size=n))
    words[0] += " word here"
    colors = draw(st.lists(st.sampled_from(["red", "blue", ""]), min_size=n, max_size=n))
    return Raw(sp.csr_matrix(X) if draw(st.booleans()) else X, None, {"mail": words}, {"color": colors})


def chunks_of(raw: Raw, cuts: list[int]) -> list[Raw]:
    ends = [0, *sorted(cut % (raw.n + 1) for cut in cuts), raw.n]
    return [raw.part(slice(a, b)) for a, b in pairwise(ends)]


def bits(X: Any) -> tuple[Any, ...]:
    if not sp.issparse(X):
        return X.shape, X.tobytes()
    return X.shape, X.indptr.tolist(), X.indices.tolist(), X.data.tobytes()


preparations = st.tuples(
    st.sampled_from([(), (Scale(),), (Scale(False),), (Divide(3.0),)]),
    st.sampled_from([(), (Words(tfidf=True, min_df=1),), (Hash(3),)]),
    st.sampled_from([(), (Products(),), (UnitRows(),), (Products(), UnitRows())]),
).map(lambda parts: (*parts[0], *parts[1], *parts[2], OneHot()))


@given(raws(), preparations, st.lists(st.integers(0, 100), max_size=4))
def test_how_rows_are_cut_into_chunks_changes_no_bit(raw: Raw, steps: tuple[Any, ...], cuts: list[int]) -> None:
    whole, cut = Preparation(*steps), Preparation(*steps)
    chunks = chunks_of(raw, cuts)
    try:
        whole.fit(raw)
    except InputError as problem:
        with pytest.raises(InputError, match=re.escape(str(problem))):
            cut.fit(iter(chunks))
        return
    cut.fit(iter(chunks))
    record, kept = whole.to_record()
    record_of_chunks, kept_of_chunks = cut.to_record()
    assert record == record_of_chunks
    assert {name: a.tobytes() for name, a in kept.items()} == {name: a.tobytes() for name, a in kept_of_chunks.items()}
    try:
        X = whole.transform(raw)
    except InputError:
        return  # a product beyond binary64
    assert bits(X) == bits(Preparation(*steps).fit_transform(raw))
    made = [cut.transform(chunk) for chunk in chunks if chunk.n]
    assert bits(X) == bits(sp.vstack(made, format="csr") if sp.issparse(X) else np.vstack(made))


@given(raws(), st.permutations(range(12)))
def test_the_order_of_the_training_rows_changes_no_statistic(raw: Raw, order: list[int]) -> None:
    order = [i for i in order if i < raw.n]
    shuffled = Raw(
        raw.numbers[order],
        None,
        {"mail": [raw.text["mail"][i] for i in order]},
        {"color": [raw.categories["color"][i] for i in order]},
    )
    try:
        one = Preparation(Scale(), OneHot(), Words(True, 1)).fit(raw).to_record()
    except InputError:
        return  # a variance outside of binary64
    other = Preparation(Scale(), OneHot(), Words(True, 1)).fit(shuffled).to_record()
    assert one[0] == other[0]
    assert {name: a.tobytes() for name, a in one[1].items()} == {name: a.tobytes() for name, a in other[1].items()}


def places(node: Any) -> list[tuple[Any, Any]]:
    """(container, key) of everything in a document."""
    keys = list(node) if isinstance(node, dict) else list(range(len(node))) if isinstance(node, list) else []
    return [place for key in keys for place in ((node, key), *places(node[key]))]


garbage = st.recursive(
    st.none() | st.booleans() | st.integers() | st.just(10**400) | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
RICH = Raw([[1.0], [2.5]], ["age"], {"mail": ["free cash", "cash"]}, {"color": ["red", "blue"]})


@given(st.sampled_from([(Words(True, 1), Scale()), (Hash(5), Divide(2)), (Products(), UnitRows())]), st.data())
def test_a_record_with_garbage_in_it_is_refused_or_works(steps: tuple[Any, ...], data: Any) -> None:
    record, kept = Preparation(*steps, OneHot()).fit(RICH).to_record()
    document = json.loads(json.dumps(record))
    node, key = data.draw(st.sampled_from(places(document)))
    node[key] = data.draw(garbage)
    with suppress(InputError):
        Preparation.from_record(document, kept).transform(RICH)


@given(tables, st.sampled_from([(), (Scale(False),), (Scale(True),), (Divide(7),), (Products(),), (UnitRows(),)]))
def test_dense_and_sparse_numbers_become_the_same_numbers(X: np.ndarray, steps: tuple[Any, ...]) -> None:
    try:
        dense = Preparation(*steps).fit_transform(Raw(X))
    except InputError:
        return
    sparse = Preparation(*steps).fit_transform(Raw(sp.csr_matrix(X)))
    sparse = sparse.toarray() if sp.issparse(sparse) else sparse
    np.testing.assert_array_equal(dense, sparse)
