"""Files to read, made once and kept where `data` keeps its arrays; never part of the project.

svmlight   `data.text`: about 72 pairs a row, columns to 47,000, numbers of 7 digits, or of 17, or all of them 1
vw         the same points in the words of vw: `1 | 17:0.1234567 …`
csv        Gaussian numbers of 7 digits, a hundred columns, the label last; the same as Parquet
gz         a file packed
"""

from __future__ import annotations

import gzip
import os
import shutil
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import numpy as np

from benchmarks import data

FORMS = {"7 digits": "%d:%.7g", "17 digits": "%d:%.17g"}
ONES = 14  # pairs a row
AT_ONCE = 1_000  # rows
WIDTH = 100  # of tables


def svmlight(n: int, d: int, form: str = "7 digits") -> Path:
    """Sparse rows, columns from 1."""
    return _file(f"text-{n}-{d}-{form.replace(' ', '-')}.svm", lambda: _sparse_lines(n, d, "%d ", FORMS[form]))


def ones(n: int) -> Path:
    """Sparse rows of ones."""
    return _file(f"ones-{n}.svm", lambda: _lines_of_ones(n))


def vowpal(n: int, d: int, form: str = "7 digits") -> Path:
    """The same rows for vw, a namespace without a name."""
    return _file(f"text-{n}-{d}-{form.replace(' ', '-')}.vw", lambda: _sparse_lines(n, d, "%d | ", FORMS[form]))


def csv(n: int) -> Path:
    """A table with a header; the label is the last column, 0 or 1."""
    return _file(f"table-{n}.csv", lambda: _table_lines(n))


def parquet(n: int) -> Path:
    """The numbers of the CSV file as they are read, in row groups of 65,536."""
    path = data.folder() / f"table-{n}.parquet"
    if not path.exists():
        import pyarrow.csv
        import pyarrow.parquet

        part = path.with_suffix(f".{os.getpid()}")
        pyarrow.parquet.write_table(pyarrow.csv.read_csv(csv(n)), part, row_group_size=1 << 16)
        part.replace(path)
    return path


def packed(path: Path) -> Path:
    """The file as .gz."""
    target = path.with_name(f"{path.name}.gz")
    if not target.exists():
        part = target.with_suffix(f".{os.getpid()}")
        with open(path, "rb") as file, gzip.open(part, "wb", compresslevel=6) as out:
            shutil.copyfileobj(file, out)
        part.replace(target)
    return target


def head(path: Path, rows: int) -> Path:
    """The file's first lines."""
    target = path.with_name(f"head-{rows}-{path.name}")
    if not target.exists():
        with open(path, "rb") as file:
            target.write_bytes(b"".join(islice(file, rows)))
    return target


def _sparse_lines(n: int, d: int, label: str, pair: str) -> Iterator[str]:
    X, y = data.text(n, d)
    for lo in range(0, n, AT_ONCE):
        rows = X[lo : lo + AT_ONCE]
        columns, values, starts = (rows.indices + 1).tolist(), rows.data.astype(float).tolist(), rows.indptr.tolist()
        for r, sign in enumerate(y[lo : lo + AT_ONCE].tolist()):
            a, b = starts[r], starts[r + 1]
            numbers = [v for two in zip(columns[a:b], values[a:b], strict=True) for v in two]
            yield label % sign + (" ".join([pair] * (b - a)) % tuple(numbers)) + "\n"


def _lines_of_ones(n: int) -> Iterator[str]:
    r = np.random.default_rng(6)
    line = " ".join(["%d", *["%d:1"] * ONES]) + "\n"
    for lo in range(0, n, AT_ONCE):
        rows = np.empty((min(AT_ONCE, n - lo), 1 + ONES), np.int64)
        rows[:, 0] = 2 * r.integers(0, 2, len(rows)) - 1
        rows[:, 1:] = 1 + 9 * np.arange(ONES) + r.integers(0, 9, (len(rows), ONES))
        yield from (line % tuple(row) for row in rows.tolist())


def _table_lines(n: int) -> Iterator[str]:
    r = np.random.default_rng(5)
    w = r.standard_normal(WIDTH)
    yield ",".join([*(f"x{j}" for j in range(1, WIDTH + 1)), "label"]) + "\n"
    line = ",".join(["%.7g"] * WIDTH) + ",%d\n"
    for lo in range(0, n, AT_ONCE):
        X = r.standard_normal((min(AT_ONCE, n - lo), WIDTH))
        for row, score in zip(X.tolist(), (X @ w).tolist(), strict=True):
            yield line % (*row, score > 0)


def _file(name: str, lines: Callable[[], Iterator[str]]) -> Path:
    """The file of that name, made at most once."""
    path = data.folder() / name
    if not path.exists():
        part = path.with_suffix(f".{os.getpid()}")
        with open(part, "w", encoding="utf-8") as file:
            file.writelines(lines())
        part.replace(path)
    return path
