"""The same run from every storage: 300 problems, each from every storage that holds its numbers exactly.

Blocks are made tiny, so that a dozen rows already come in several. What must agree with dense float64 to the bit: the
weights, the mistakes at every row, the looks, the reason for stopping, the history, predictions and scores.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import novikoff as nv
from data.choices import allowed_for_many
from data.kernel_mode import RunKernels
from data.small_sets import fit_quietly
from data.storages import STORAGES, held, storages_of
from novikoff.data import contiguous_blocks, storages
from novikoff.kernels.compile import compiler_is_off
from oracles.twins import KINDS, problem

BATCHES, PROBLEMS = 1 if compiler_is_off() else 6, 50
WHOLE = ("whole", "bits", "bytes", "sparse")


def drawn(rng: np.random.Generator, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Points of many kinds: whole numbers that small types hold, and the troubles of `problems`."""
    kind = [*WHOLE, *KINDS][k % (len(WHOLE) + len(KINDS))]
    if kind in KINDS:
        p = problem(kind, rng)
        return p.X, p.y
    n, d = int(rng.integers(6, 40)), int(rng.integers(1, 12))
    low, high = {"whole": (-3, 4), "bits": (0, 2), "bytes": (0, 100), "sparse": (0, 5)}[kind]
    X = rng.integers(low, high, (n, d)).astype(np.float64)
    if kind == "sparse":
        X[rng.random((n, d)) < 0.7] = 0.0
    y = rng.integers(0, int(rng.integers(2, 5)), n)
    y[:2] = 0, 1
    return X, y


def choices(rng: np.random.Generator, classes: int) -> dict[str, Any]:
    how = {
        "keep": str(rng.choice(["last", "pocket", "average", "vote"])),
        "order": str(rng.choice(["cyclic", "cyclic", "shuffle", "random"])),
        "max_iter": int(rng.choice([1, 1, 3, 6])),
        "rule": str(rng.choice(["perceptron", "perceptron", "margin", "pa1"])),
        "multi_class": str(rng.choice(["ova", "ovo", "joint"])),
        "fit_intercept": bool(rng.integers(2)),
        "random_state": 3,
    }
    how |= {"rule": "perceptron"} if how["multi_class"] == "joint" else {}
    return how | ({} if classes == 2 or allowed_for_many(how["multi_class"], how["keep"]) else {"keep": "average"})


def fitted(X: Any, y: np.ndarray, how: dict[str, Any]) -> nv.Perceptron:
    return fit_quietly(nv.Perceptron(**how), X, y)


def bits_of(clf: nv.Perceptron, X: Any) -> dict[str, Any]:
    """Everything that must not depend on the storage."""
    history = {name: column for name, column in clf.history_.items() if name not in ("seconds", "loss", "norm")}
    return {
        "weights": (clf.coef_.tobytes(), clf.intercept_.tobytes()),
        "mistakes": clf.n_mistakes_.tolist(),
        "counts": (clf.n_iter_, clf.n_updates_, clf.n_looks_, clf.stop_reason_),
        "history": history,
        "classes": clf.predict(X).tolist(),
        "signs": np.sign(clf.decision_function(X)).tolist() if clf.classes_.size == 2 else None,
    }


@pytest.fixture
def tiny_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (contiguous_blocks, storages):
        monkeypatch.setattr(module, "NUMBERS", 16)


@pytest.mark.parametrize("batch", range(BATCHES))
def test_every_storage_gives_the_same_bits(batch: int, tiny_blocks: None, run_kernels: RunKernels) -> None:
    if not compiler_is_off():
        run_kernels("compiled")
    rng = np.random.default_rng(batch)
    met: set[str] = set()
    for k in range(PROBLEMS if not compiler_is_off() else PROBLEMS // 5):
        X, y = drawn(rng, k)
        how = choices(rng, len(set(y.tolist())))
        if len(set(y.tolist())) > 2 and how["rule"] == "perceptron" and how["multi_class"] == "joint":
            how["order"] = "cyclic"
        expected = bits_of(fitted(X, y, how), X)
        for name, stored in storages_of(X):
            found = bits_of(fitted(stored, y, how), stored)
            assert found == expected, (name, k, how)
            met.add(name)
    assert met == set(STORAGES)


def chunks(stored: Any, n: int, size: int) -> Iterator[Any]:
    """The rows cut into chunks, as the storage's own package cuts them."""
    for lo in range(0, n, size):
        if isinstance(stored, pd.DataFrame):
            yield stored.iloc[lo : lo + size]
        elif isinstance(stored, pl.DataFrame | pa.Table):
            yield stored.slice(lo, min(size, n - lo))
        else:
            yield (stored.tocsr() if getattr(stored, "format", "") == "coo" else stored)[lo : lo + size]


@pytest.mark.parametrize("batch", range(BATCHES))
def test_every_storage_streams_the_same_bits(batch: int, tiny_blocks: None, run_kernels: RunKernels) -> None:
    """100 problems, in chunks of 1, 7, 1000 and n rows, in turn; every third stream is pickled on the way."""
    if not compiler_is_off():
        run_kernels("compiled")
    rng = np.random.default_rng(100 + batch)
    for k in range(PROBLEMS // 3 + 1 if not compiler_is_off() else PROBLEMS // 10):
        X, y = drawn(rng, k)
        how = choices(rng, len(set(y.tolist()))) | {"order": "cyclic", "max_iter": 10}
        how["keep"] = {"vote": "average"}.get(how["keep"], how["keep"])
        whole = nv.Perceptron(**how).partial_fit(X, y)
        expected = (whole.coef_.tobytes(), whole.intercept_.tobytes(), whole.n_mistakes_.tolist(), whole.n_looks_)
        for at, (name, stored) in enumerate(storages_of(X)):
            size = (1, 7, 1000, len(y))[(at + k) % 4]
            clf = nv.Perceptron(**how)
            for lo, chunk in zip(range(0, len(y), size), chunks(stored, len(y), size), strict=True):
                clf.partial_fit(chunk, y[lo : lo + size])
                clf = pickle.loads(pickle.dumps(clf)) if (at + k) % 3 == 0 else clf
            found = (clf.coef_.tobytes(), clf.intercept_.tobytes(), clf.n_mistakes_.tolist(), clf.n_looks_)
            assert found == expected, (name, size, k, how)


def test_eight_bit_numbers_have_kernels_of_their_own(tiny_blocks: None, monkeypatch: pytest.MonkeyPatch) -> None:
    storages = 20 if compiler_is_off() else 60
    for k, dtype in enumerate(("int8", "uint8", "bool")):
        rng = np.random.default_rng(k)
        X = rng.integers(*{"int8": (-128, 128), "uint8": (0, 256), "bool": (0, 2)}[dtype], (storages, 64)).astype(dtype)
        assert contiguous_blocks.dense_rows(X).dtype.itemsize == 1
        y = rng.integers(0, 3, storages)
        for keep in ("last", "pocket", "average"):
            how = {"keep": keep, "max_iter": 4}
            wide = X.astype(np.float64)
            assert bits_of(fitted(X, y, how), X) == bits_of(fitted(wide, y, how), wide)


def test_what_is_held() -> None:
    assert held(np.array([1.0, 2.0]), "int8")
    assert not held(np.array([200.0]), "int8")
    assert not held(np.array([0.1]), "float32")
