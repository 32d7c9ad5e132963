"""Points, and files of them in every format."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.parquet
import zstandard


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


def written(folder: Path, form: str, X: np.ndarray, y: np.ndarray) -> Path:
    """The points as a file of that form; row groups, blocks and frames are small."""
    path, rows = folder / f"t.{form}", list(zip(X.tolist(), y.tolist(), strict=True))
    if form.startswith("svm"):
        lines = [f"{k} " + " ".join(f"{j + 1}:{v!r}" for j, v in enumerate(x) if v) + "\n" for x, k in rows]
    elif form[:3] in ("csv", "tsv"):
        comma = "\t" if form.startswith("tsv") else ","
        lines = [comma.join(map(repr, [*x, k])) + "\n" for x, k in rows]
    elif form == "npz":
        np.savez(path, X=X, y=y)
        return path
    else:
        table = pyarrow.table({**{f"f{j}": X[:, j] for j in range(X.shape[1])}, "y": y})
        if form == "parquet":
            pyarrow.parquet.write_table(table, path, row_group_size=37)
        else:
            with pyarrow.OSFile(str(path), "wb") as file, pyarrow.ipc.new_file(file, table.schema) as writer:
                writer.write_table(table, max_chunksize=41)
        return path
    raw = "".join(lines).encode()
    if form.endswith("gz"):
        raw = gzip.compress(raw)
    elif form.endswith("zst"):
        raw = b"".join(zstandard.compress(raw[i : i + 999]) for i in range(0, len(raw), 999))
    path.write_bytes(raw)
    return path
