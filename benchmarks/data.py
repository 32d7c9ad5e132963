"""Synthetic points, made once and kept in the folder $NOVIKOFF_BENCH_DATA, or in one of the system's temporary folder.

dense   Gaussian points and a Gaussian teacher's labels, 5 % of them flipped; float32
digits  like scanned digits: numbers in [0, 1], most of them 0, ten classes of four shapes each, blurred; float32
text    compressed sparse rows: Zipf column popularity, log-normal row length (about 72), rows of unit norm, 3 % flipped
teacher Gaussian points, or sparse rows of unit norm, none nearer to the teacher's plane than a margin; float64
labels  Gaussian points, labels by chance; float64
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

Arrays = dict[str, Any]
FOLDER = "NOVIKOFF_BENCH_DATA"


def dense(n: int, d: int, flipped: float = 0.05, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """X (n, d) float32 and labels ±1."""

    def make() -> Arrays:
        r = np.random.default_rng(seed)
        X = r.standard_normal((n, d), dtype=np.float32)
        return {"X": X, "y": _labels(X @ r.standard_normal(d) + 0.1, flipped, r)}

    made = _kept(f"dense-{n}-{d}-{flipped}-{seed}", make)
    return made["X"], made["y"]


def digits(n: int, d: int, classes: int = 10, blur: float = 0.65, seed: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """X (n, d) float32 and labels 0, 1, …; one pass makes about as many mistakes as one over MNIST."""

    def make() -> Arrays:
        r = np.random.default_rng(seed)
        shapes = np.where(r.random((4 * classes, d)) < 0.3, r.random((4 * classes, d)), 0.0).astype(np.float32)
        which, other = r.integers(0, len(shapes), (2, n))
        noise = 0.35 * r.standard_normal((n, d), dtype=np.float32) * (shapes[which] > 0)
        share = r.random((n, 1), dtype=np.float32) * np.float32(blur)
        X = (1 - share) * np.clip(shapes[which] + noise, 0, 1) + share * shapes[other]
        return {"X": X, "y": which % classes}

    made = _kept(f"digits-{n}-{d}-{classes}-{blur}-{seed}", make)
    return made["X"], made["y"]


def text(n: int, d: int, length: int = 75, flipped: float = 0.03, seed: int = 1) -> tuple[Any, np.ndarray]:
    """X (n, d) in compressed sparse rows, float32, and labels ±1."""

    def make() -> Arrays:
        r = np.random.default_rng(seed)
        columns, starts = _zipf_rows(n, d, length, r)
        values = (r.random(columns.size) + 0.1).astype(np.float32)
        norms = np.sqrt(np.add.reduceat(values.astype(np.float64) ** 2, starts[:-1]))
        values /= np.repeat(norms, np.diff(starts)).astype(np.float32)
        X = sp.csr_matrix((values, columns, starts), shape=(n, d))
        y = _labels(X @ r.standard_normal(d) + 1e-9, flipped, r)
        return {"values": values, "columns": columns, "starts": starts.astype(np.int32), "y": y}

    made = _kept(f"text-{n}-{d}-{length}-{flipped}-{seed}", make)
    return sp.csr_matrix((made["values"], made["columns"], made["starts"]), shape=(n, d)), made["y"]


def teacher(n: int, d: int, margin: float, length: int | None = None, seed: int = 2) -> tuple[Any, np.ndarray]:
    """X (n, d) and the labels ±1 of a plane through the origin, every point at an angle to it of `margin` or more.

    length: how many numbers a row has, in compressed sparse rows; None for a dense array.
    """

    def make() -> Arrays:
        r = np.random.default_rng(seed)
        w = r.standard_normal(d)
        w /= np.linalg.norm(w)
        rows: list[np.ndarray] = []
        columns: list[np.ndarray] = []
        while sum(map(len, rows)) < n:
            c = np.tile(np.arange(d), (n, 1)) if length is None else np.sort(r.integers(0, d, (n, length)), axis=1)
            X = r.standard_normal(c.shape) / (1.0 if length is None else np.sqrt(length))
            cosine = np.sum(X * w[c], axis=1) / np.linalg.norm(X, axis=1)
            good = (np.abs(cosine) >= margin) & np.all(np.diff(c, axis=1) > 0, axis=1)
            rows.append(X[good])
            columns.append(c[good].astype(np.int32))
        X, c = np.concatenate(rows)[:n], np.concatenate(columns)[:n]
        return {"X": X, "y": np.where(np.sum(X * w[c], axis=1) > 0, 1, -1)} | ({} if length is None else {"c": c})

    made = _kept(f"teacher-{n}-{d}-{margin}-{length}-{seed}", make)
    if length is None:
        return made["X"], made["y"]
    starts = np.arange(0, n * length + 1, length, dtype=np.int32)
    return sp.csr_matrix((made["X"].ravel(), made["c"].ravel(), starts), shape=(n, d)), made["y"]


def labels(n: int, d: int, seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """X (n, d) and labels ±1 that say nothing."""
    r = np.random.default_rng(seed)
    return r.standard_normal((n, d)), r.choice([-1, 1], n)


def _labels(scores: np.ndarray, flipped: float, r: np.random.Generator) -> np.ndarray:
    """The signs of the scores, a fraction of them flipped."""
    y = np.where(scores > 0, 1, -1)
    y[r.random(y.size) < flipped] *= -1
    return y


def _zipf_rows(n: int, d: int, length: int, r: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Columns and starts of rows whose columns are drawn by popularity, each at most once in a row."""
    lengths = np.clip(r.lognormal(np.log(length) - 0.18, 0.6, n), 4, 600).astype(np.int64)
    popularity = 1.0 / (np.arange(1, d + 1) + 20.0)
    drawn = np.searchsorted(np.cumsum(popularity / popularity.sum()), r.random(int(lengths.sum())))
    columns = r.permutation(d)[np.minimum(drawn, d - 1)]  # popular columns lie anywhere
    entries = np.unique(np.repeat(np.arange(n), lengths) * d + columns)
    starts = np.concatenate([[0], np.cumsum(np.bincount(entries // d, minlength=n))])
    return (entries % d).astype(np.int32), starts


def folder() -> Path:
    """Where everything is kept."""
    path = Path(os.environ.get(FOLDER) or Path(tempfile.gettempdir()) / "novikoff-benchmarks")
    path.mkdir(parents=True, exist_ok=True)
    return path


def _kept(name: str, make: Callable[[], Arrays]) -> Arrays:
    """The arrays of that name, made at most once."""
    path = folder() / f"{name}.npz"
    if not path.exists():
        part = path.with_suffix(f".{os.getpid()}.npz")
        np.savez(part, **make())
        part.replace(path)
    with np.load(path) as kept:
        return dict(kept)
