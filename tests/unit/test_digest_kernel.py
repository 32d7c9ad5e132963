"""The digest of many sparse rows by the kernel is that of the slow layout, whatever the rows are."""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import novikoff as nv
from data.kernel_mode import RunKernels
from novikoff.data import digest, digest_kernel
from novikoff.data.problem import unlabelled
from novikoff.engines.engine import SERIAL
from novikoff.engines.parallel_digest import digest_ahead

pytestmark = pytest.mark.bounds


@pytest.fixture(autouse=True)
def many(monkeypatch: pytest.MonkeyPatch, run_kernels: RunKernels) -> None:
    """A few numbers are many and worth compiling, and a slice of rows is short."""
    run_kernels("compiled")
    monkeypatch.setattr(digest_kernel, "FEW", 0)
    monkeypatch.setattr(digest_kernel, "AT_ONCE", 50)


def rows(n: int, seed: int, dtype: Any = np.float64) -> sp.csr_array:
    """Sparse rows, some of them empty, with zeros that are stored."""
    rng = np.random.default_rng(seed)
    X = sp.random_array((n, 30), density=0.2, rng=rng, format="csr", dtype=dtype)
    X.data[:: 1 + seed] = 0
    X.data[1::7] *= -1
    return X


LABELS = ([0, 1], [-1, 1], ["no", "yes, and a long text"], [0.5, 2.0], ["α", "β", "γ"], [7])


@pytest.mark.compiled
@pytest.mark.parametrize("labels", LABELS, ids=str)
@pytest.mark.parametrize("n", [1, 5, digest.BLOCK, 2 * digest.BLOCK + 3])
def test_the_kernel_s_digest_is_the_same(n: int, labels: list[Any]) -> None:
    for dtype in (np.float64, np.float32):
        problem = unlabelled(rows(n, len(labels), dtype))
        y = np.array(labels)[np.arange(n) * 5 % len(labels)]
        assert digest.digest_of(problem, y, digest_kernel.block_digests) == digest.digest_of(problem, y)


@pytest.mark.compiled
def test_it_is_the_kernel_that_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, y = unlabelled(rows(50, 1)), np.arange(50) % 2
    wanted = digest.digest_of(problem, y)
    monkeypatch.setattr(digest, "block_digests", None)
    assert digest.digest_of(problem, y, digest_kernel.block_digests) == wanted


@pytest.mark.compiled
def test_columns_that_do_not_rise_are_mended() -> None:
    X = rows(20, 1)
    mixed = X.copy()
    for lo, hi in zip(X.indptr[:-1], X.indptr[1:], strict=True):
        mixed.indices[lo:hi], mixed.data[lo:hi] = X.indices[lo:hi][::-1], X.data[lo:hi][::-1]
    y = np.arange(20) % 2
    assert digest.digest_of(unlabelled(mixed), y, digest_kernel.block_digests) == digest.digest_of(unlabelled(X), y)


@pytest.mark.compiled
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_not_finite_is_told(bad: float) -> None:
    X = rows(20, 1)
    X.data[5] = bad
    with pytest.raises(nv.InputError, match="contains"):
        digest.digest_of(unlabelled(X), np.arange(20) % 2, digest_kernel.block_digests)


@pytest.mark.compiled
def test_every_row_has_a_label() -> None:
    with pytest.raises(nv.InputError, match="20 rows and 3 labels"):
        digest.digest_of(unlabelled(rows(20, 1)), [0, 1, 0], digest_kernel.block_digests)


def test_other_storages_and_few_numbers_go_the_old_way(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = rows(20, 1), np.arange(20) % 2
    dense = unlabelled(X.toarray())
    assert digest.digest_of(dense, y, digest_kernel.block_digests) == digest.digest_of(dense, y)
    monkeypatch.setattr(digest_kernel, "FEW", 10**9)
    assert digest.digest_of(unlabelled(X), y, digest_kernel.block_digests) == digest.digest_of(dense, y)


def test_the_kernel_as_python() -> None:
    """Row (0: 2.0, 3: −1.0), label of two words; a stored zero is not told."""
    A = np.array([2.0, 0.0, -1.0]), np.array([0, 1, 3]), np.array([0, 3])
    out = np.zeros(8, np.uint64)
    labels, sizes = np.array([[1, 49]], np.uint64), np.array([2])
    assert digest_kernel.lay(A, 0, 1, 4, np.array([0]), labels, sizes, out, out.view(np.float64)) == 7
    assert out[:4].tolist() == [1, 49, 2, 0]
    assert out.view(np.float64)[[4, 6]].tolist() == [2.0, -1.0]
    assert digest_kernel.lay(A, 0, 1, 3, np.array([0]), labels, sizes, out, out.view(np.float64)) == -1


@pytest.mark.compiled
@pytest.mark.parametrize("n", [1, 2 * digest.BLOCK + 3])
@pytest.mark.parametrize("storage", ["sparse", "dense", "mixed columns"])
def test_the_digest_ahead_of_its_use_is_the_same(n: int, storage: str) -> None:
    X, y = rows(n, 2), np.arange(n) % 2
    if storage == "mixed columns":
        X.indices[:2] = X.indices[:2][::-1].copy()
    problem = unlabelled(X.toarray() if storage == "dense" else X)
    with digest_ahead(problem, y, SERIAL) as found:
        assert found() == digest.digest_of(problem, y)


@pytest.mark.compiled
def test_an_error_meanwhile_ends_the_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[int] = []
    original = digest_kernel._Blocks.digest
    monkeypatch.setattr(
        digest_kernel._Blocks,
        "digest",
        lambda self, start: (hashed.append(start), time.sleep(0.01), original(self, start))[2],
    )
    n = 100 * digest.BLOCK
    with (
        pytest.raises(ZeroDivisionError),
        digest_ahead(unlabelled(sp.eye_array(n, format="csr")), np.arange(n) % 2, SERIAL),
    ):
        raise ZeroDivisionError
    assert len(hashed) < 50
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("novikoff digest")]
