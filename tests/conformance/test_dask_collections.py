"""dask arrays and data frames as X and y: the same bits as in memory, clear refusals."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from distributed import Client

import novikoff as nv
from data.clusters import cluster, separable_points
from novikoff.data.dask_rows import DaskRows
from novikoff.data.problem import problem_of
from novikoff.engines import partitions

pytestmark = [pytest.mark.compiled, pytest.mark.timeout(300)]
FORMS = ("array", "array of unknown lengths", "float32", "integers", "frame")


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with cluster(2, processes=False) as one:
        yield one


@pytest.fixture(autouse=True)
def in_this_thread() -> Iterator[None]:
    """Collections are computed in this thread, unless an engine has a cluster."""
    with dask.config.set(scheduler="synchronous"):
        yield


def collections(form: str, rows: int = 70) -> tuple[Any, Any, np.ndarray, np.ndarray]:
    """(X, y) of dask, and the same numbers in memory."""
    X, y = separable_points(400)
    if form == "float32":
        X = np.float32(X)
    if form == "integers":
        X = np.round(1000 * X).astype(np.int32)
    if form == "frame":
        frame = pd.DataFrame(X, columns=list("abcde")).assign(y=y)
        lazy = dd.from_pandas(frame, npartitions=7)
        return lazy[list("abcde")], lazy["y"], X, y
    lazy = da.from_array(X, chunks=(rows, -1))
    if form == "array of unknown lengths":
        lazy = lazy[lazy[:, 0] < np.inf]
    return lazy, da.from_array(y, chunks=101), X, y


@pytest.mark.parametrize("form", FORMS)
def test_decide_margin_and_verify_give_the_bits_of_memory(
    form: str, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(partitions, "NUMBERS", 400)
    lazy, labels, X, y = collections(form)
    wanted = nv.decide(X, y)
    for engine in (None, nv.engine("dask", client)):
        found = nv.decide(lazy, labels, engine=engine)
        assert found.certificate().record() == wanted.certificate().record()
        assert nv.verify(found, lazy, labels, engine=engine) == "complete"
    assert nv.margin(lazy, labels).padded.gamma2 == nv.margin(X, y).padded.gamma2


@pytest.mark.parametrize("rows", [1, 7, 200, 5000])
def test_blocks_of_any_size_are_the_same_rows(rows: int) -> None:
    X, y = np.arange(60.0).reshape(20, 3), np.arange(20) % 2
    problem = problem_of(da.from_array(X, chunks=(rows, -1)), y)[0]
    assert isinstance(problem.rows, DaskRows)
    for which in (slice(0, 20), slice(3, 11), slice(5, 5)):
        assert problem.part(which).rows.tolist() == X[which].tolist()
    for which in (np.array([13, 2, 2, 19]), np.arange(20) % 3 == 0):
        assert problem.part(which).rows.tolist() == X[which].tolist()
    with dask.config.set(scheduler="synchronous"):
        assert problem.rows.lazy_rows(3, 11).compute().tolist() == X[3:11].tolist()


@pytest.mark.parametrize(
    ("form", "kind"),
    [*((form, "Perceptron") for form in FORMS), ("array", "many"), ("frame", "MaxMargin"), ("float32", "SoftMargin")],
)
def test_predictions_are_those_of_memory(form: str, kind: str) -> None:
    lazy, _, X, y = collections(form)
    given: Any = pd.DataFrame(X, columns=list("abcde")) if form == "frame" else X
    labels = np.array(["no", "maybe", "yes"])[y + (X[:, 0] > 1)] if kind == "many" else y
    model = nv.Perceptron(max_iter=3) if kind in ("Perceptron", "many") else getattr(nv, kind)()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", nv.NotSeparatedWarning)
        model.fit(given, labels)
    for method in ("predict", "decision_function"):
        found, wanted = getattr(model, method)(lazy), getattr(model, method)(given)
        assert found.dtype == wanted.dtype
        assert found.tolist() == wanted.tolist()


def test_a_dask_collection_predicts_lazily_by_its_own_map() -> None:
    """As the guide says."""
    lazy, _, X, y = collections("array")
    frame = pd.DataFrame(X, columns=list("abcde"))
    clf = nv.MaxMargin().fit(frame, y)
    parts = dd.from_pandas(frame, npartitions=3).map_partitions(clf.predict, meta=("y", y.dtype))
    assert parts.compute().tolist() == clf.predict(frame).tolist()
    clf.fit(X, y)
    assert lazy.map_blocks(clf.predict, dtype=y.dtype, drop_axis=1).compute().tolist() == clf.predict(X).tolist()


REFUSED: list[tuple[Any, str]] = [
    (da.ones((6, 4), chunks=(3, 2)), r"X: found a dask array split by columns \(blocks of 2, 2 columns\).*rechunk"),
    (da.ones(6, chunks=3), "X: Expected 2D array, got 1D array instead"),
    (da.ones((6, 2), chunks=(3, 2)).astype(complex), "X: found a dask array of complex128; numbers were expected"),
    (da.ones((6, 2), chunks=(3, 2)).map_blocks(sp.csr_array), "X: found a dask array of sparse blocks; dense blocks"),
    (da.ones((0, 2), chunks=(3, 2)), r"X: Found array with 0 sample"),
    (dd.from_pandas(pd.DataFrame({"a": [1.0] * 6, "t": list("abcdef")}), npartitions=2), "X: column 't' holds"),
]


@pytest.mark.parametrize(("X", "message"), REFUSED)
def test_what_has_no_rows_of_numbers_is_refused(X: Any, message: str) -> None:
    with pytest.raises(nv.InputError, match=message):
        nv.decide(X, np.arange(6) % 2)


def test_a_bad_number_is_named_and_labels_must_fit(client: Client) -> None:
    X = np.ones((300, 2))
    X[217, 1] = np.nan
    for engine in (None, nv.engine("dask", client)):
        with pytest.raises(nv.InputError, match=r"NaN: row 218 \(217 counted from 0\), column 2"):
            nv.decide(da.from_array(X, chunks=(50, -1)), np.arange(300) % 2, engine=engine)
    with pytest.raises(nv.InputError, match="300 rows and 10 labels"):
        nv.decide(da.from_array(X, chunks=(50, -1)), np.arange(10) % 2)


def test_what_needs_all_rows_in_memory_says_so(client: Client) -> None:
    lazy, labels, _, _ = collections("array")
    with pytest.raises(nv.InputError, match=r"X: found a dask collection, which fit trains on only with mix=True"):
        nv.Perceptron().fit(lazy, labels)
    for what, call in (("a soft margin", nv.SoftMargin().fit), ("separation", nv.separation)):
        with pytest.raises(nv.InputError, match=rf"X: found a dask collection, and {what} needs all rows in memory"):
            call(lazy, labels)


def test_a_cluster_is_used_by_fit_only_with_mix(client: Client) -> None:
    X, y = nv.example("or")
    with pytest.raises(nv.InputError, match=r"engine: engine\('dask', .*only with mix=True"):
        nv.Perceptron(engine=nv.engine("dask", client)).fit(X, y)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("parts", [1, 5])
@pytest.mark.filterwarnings("ignore::novikoff.NotSeparatedWarning")
def test_mixing_gives_the_bits_of_memory(form: str, parts: int, client: Client) -> None:
    X, y, there, labels = collections(form)
    wanted = nv.Perceptron(mix=True, partitions=parts, max_iter=6).fit(there, labels)
    for engine in (None, nv.engine("dask", client)):
        found = nv.Perceptron(mix=True, partitions=parts, max_iter=6, engine=engine).fit(X, y)
        assert found.coef_.tobytes() == wanted.coef_.tobytes()
        assert found.n_mistakes_.tolist() == wanted.n_mistakes_.tolist()


def test_the_columns_of_a_frame_are_remembered_and_compared() -> None:
    lazy, labels, X, _ = collections("frame")
    frame = pd.DataFrame(X, columns=list("abcde"))
    clf = nv.Perceptron(mix=True, partitions=2).fit(lazy, labels)
    assert clf.feature_names_in_.tolist() == list("abcde")
    assert clf.predict(frame).tolist() == clf.predict(lazy).tolist()
    for other in (list("edcba"), list("abcd")):
        with pytest.raises(ValueError, match="feature names should match"):
            clf.predict(frame[other])
        with pytest.raises(ValueError, match="feature names should match"):
            clf.predict(lazy[other])


def test_another_number_of_columns_is_refused() -> None:
    lazy, _, X, y = collections("array")
    clf = nv.Perceptron(max_iter=50).fit(X, y)
    for method in (clf.predict, clf.decision_function):
        with pytest.raises(ValueError, match=r"X has 3 features, but Perceptron is expecting 5 features"):
            method(lazy[:, :3])


@pytest.mark.parametrize("form", FORMS)
def test_score_is_that_of_the_rows_in_memory(form: str) -> None:
    lazy, labels, X, y = collections(form)
    clf = nv.Perceptron(max_iter=3, keep="last", random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", nv.NotSeparatedWarning)
        clf.fit(np.asarray(X)[:60], y[:60])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # names of columns
        assert clf.score(lazy, labels) == clf.score(lazy, y) == clf.score(np.asarray(X), y)
    assert 0.5 < clf.score(np.asarray(X), y) < 1.0
