"""Points, and files of them in every format."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pyarrow.parquet
import zstandard

import novikoff as nv

Rows = list[tuple[list[float], Any]]


def points(seed: int, classes: int = 2) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(20, 400)), int(rng.integers(1, 9))
    X = np.round(rng.normal(size=(n, d)) * 10.0 ** rng.integers(-3, 4), 3)
    X[rng.random((n, d)) < 0.4] = 0
    X[0] = 1.0  # every column occurs
    scores = X @ rng.normal(size=(d, classes)) + rng.normal(size=(n, classes))
    y = scores.argmax(axis=1) if classes > 2 else (scores[:, 0] > 0).astype(int)
    y[: classes + 1] = [*range(classes), 0]
    return X, y


def svm(rows: Rows) -> list[str]:
    return [f"{k} " + " ".join(f"{j + 1}:{v!r}" for j, v in enumerate(x) if v) for x, k in rows]


def csv(rows: Rows, comma: str = ",") -> list[str]:
    names = [f"f{j}" for j in range(len(rows[0][0]))]
    return [comma.join([*names, "y"]), *(comma.join(map(repr, [*x, k])) for x, k in rows)]


LINES: dict[str, Callable[[Rows], list[str]]] = {
    "svm": svm, "csv": csv, "tsv": lambda rows: csv(rows, "\t"),
}  # fmt: skip
PACK: dict[str, Callable[[bytes], bytes]] = {
    "": bytes, "gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "zst": zstandard.compress,
}  # fmt: skip


def written(folder: Path, form: str, X: np.ndarray, y: np.ndarray, piece: int = 999) -> Path:
    """The points as a file of that form; blocks of rows are small, and frames of zst hold `piece` bytes."""
    path, (kind, _, packing) = folder / f"t.{form}", form.partition(".")
    if kind in LINES:
        rows = list(zip(X.tolist(), y.tolist(), strict=True))
        raw = "".join(f"{line}\n" for line in LINES[kind](rows)).encode()
        step = piece if packing == "zst" else len(raw)
        path.write_bytes(b"".join(PACK[packing](raw[i : i + step]) for i in range(0, len(raw), step)))
    elif kind == "npz":
        np.savez(path, X=X, y=y)
    else:
        _table(
            path, kind, pyarrow.table({**{f"f{j}": X[:, j] for j in range(X.shape[1])}, "y": y}), max(37, piece // 99)
        )
    return path


def spilled(path: Path) -> tuple[Any, np.ndarray]:
    """The rows and labels of a file, written to temporary files and mapped."""
    points = nv.read(path, memory="1")
    return points.X, np.asarray(points.y)


def _table(path: Path, kind: str, table: Any, rows: int) -> None:
    if kind == "parquet":
        pyarrow.parquet.write_table(table, path, row_group_size=rows)
        return
    with pyarrow.OSFile(str(path), "wb") as file, pyarrow.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table, max_chunksize=rows)
