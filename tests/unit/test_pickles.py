"""Answers survive a pickle and a copy: they still speak of their points."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import novikoff as nv
from data.choices import SCHEDULES

STORAGES = [np.asarray, np.float32, np.int8, sp.csr_matrix, sp.csc_matrix]


def pickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


@pytest.fixture(params=[pickled, copy.deepcopy])
def again(request: pytest.FixtureRequest) -> Callable[[Any], Any]:
    return request.param  # type: ignore[no-any-return]


@pytest.mark.parametrize("store", STORAGES)
@pytest.mark.parametrize("name", ["or", "xor"])
def test_a_verdict(again: Callable[[Any], Any], store: Any, name: str) -> None:
    X, y = nv.example(name)
    X = store(np.asarray(X))
    verdict = nv.decide(X, y)
    other = again(verdict)
    assert (other.kind, other.support, other.w, other.b) == (verdict.kind, verdict.support, verdict.w, verdict.b)
    assert other.check(X, y)
    assert other.explain() == verdict.explain()
    assert other.certificate().record() == verdict.certificate().record()


def test_a_verdict_about_wide_rows(again: Callable[[Any], Any]) -> None:
    rng = np.random.default_rng(3)
    X, y = rng.integers(0, 9, (40, 60)).astype(np.uint8), np.arange(40) % 2
    assert again(nv.decide(X, y)).check(X, y)


def test_a_margin_and_a_removal(again: Callable[[Any], Any]) -> None:
    m = nv.margin(*nv.example("or"))
    other = again(m)
    assert other.geometric.gamma == m.geometric.gamma
    assert other.mistake_bound == m.mistake_bound
    assert other.updates == m.updates
    found = nv.removal(*nv.example("xor"))
    assert again(found).rows == found.rows
    assert again(found).rest.w == found.rest.w


def test_an_error_keeps_its_verdict(again: Callable[[Any], Any]) -> None:
    X, y = nv.example("xor")
    with pytest.raises(nv.NotSeparableError) as raised:
        nv.margin(X, y)
    other = again(raised.value)
    assert str(other) == str(raised.value)
    assert other.verdict.check(X, y)


@pytest.mark.filterwarnings("ignore::novikoff.estimators.sklearn_classifier.NotSeparatedWarning")
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_a_stream_and_a_warm_start(again: Callable[[Any], Any], schedule: str) -> None:
    X, y = nv.example("cornwell")
    for clf in (
        nv.Perceptron(schedule=schedule).partial_fit(X, y),
        nv.Perceptron(schedule=schedule, warm_start=True, max_updates=2).fit(X, y),
    ):
        other = again(clf)
        for one in (clf, other):
            one.fit(X, y) if one.warm_start else one.partial_fit(X, y)
        assert other.coef_.tolist() == clf.coef_.tolist()
