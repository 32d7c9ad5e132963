"""The digest that threads compute while the points are used for something else is that of all rows at once."""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import novikoff as nv
from novikoff.data import digest
from novikoff.data.problem import unlabelled
from novikoff.engines.parallel_digest import digest_ahead


@pytest.fixture(autouse=True)
def many(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few numbers are many, and partitions are small."""
    monkeypatch.setattr(digest, "FEW", 0)


def rows(n: int, seed: int) -> sp.csr_array:
    """Sparse rows, some of them empty, with zeros that are stored."""
    X = sp.random_array((n, 30), density=0.2, rng=np.random.default_rng(seed), format="csr")
    X.data[:: 1 + seed] = 0
    return X


LABELS = ([0, 1], ["no", "yes, and a long text"], [0.5, 2.0], ["α", "β", "γ"], [7])


@pytest.mark.parametrize("labels", LABELS, ids=str)
@pytest.mark.parametrize("n", [1, 2 * digest.BLOCK + 3])
@pytest.mark.parametrize("storage", ["sparse", "dense", "mixed columns"])
def test_the_digest_ahead_of_its_use_is_the_same(n: int, labels: list[Any], storage: str) -> None:
    X, y = rows(n, 2), np.array(labels)[np.arange(n) * 5 % len(labels)]
    if storage == "mixed columns":
        X.indices[:2] = X.indices[:2][::-1].copy()
    problem = unlabelled(X.toarray() if storage == "dense" else X)
    with digest_ahead(problem, y) as found:
        assert found() == digest.digest_of(problem, y)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_not_finite_is_told_by_its_row(bad: float) -> None:
    X = rows(3 * digest.BLOCK, 1)
    X.data[X.indptr[2 * digest.BLOCK + 7]] = bad
    row = int(np.searchsorted(X.indptr, X.indptr[2 * digest.BLOCK + 7], "right"))
    with (
        digest_ahead(unlabelled(X), np.arange(X.shape[0]) % 2) as found,
        pytest.raises(nv.InputError, match=f"contains .*row {row}"),
    ):
        found()


def test_an_error_meanwhile_ends_the_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[Any] = []
    original = digest.block_digests
    monkeypatch.setattr(
        digest,
        "block_digests",
        lambda *rows: (hashed.append(rows), time.sleep(0.01), original(*rows))[2],
    )
    n = 100 * digest.BLOCK
    with (
        pytest.raises(ZeroDivisionError),
        digest_ahead(unlabelled(sp.eye_array(n, format="csr")), np.arange(n) % 2),
    ):
        raise ZeroDivisionError
    assert len(hashed) < 50
    for thread in threading.enumerate():
        if thread.name.startswith("novikoff digest"):
            thread.join(10)
            assert not thread.is_alive()
