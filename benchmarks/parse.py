"""How fast does a file come into memory?

    ours       novikoff.io.reader: svmlight as compressed sparse rows of float64, CSV as a float64 table; every cell is
               checked, every number is the binary64 number nearest to its digits
    peers      scikit-learn's load_svmlight_file; pyarrow.csv.read_csv, polars.read_csv and numpy.loadtxt, of which the
               fastest counts

CPU time in one process on one core, the page cache warm, the first round (compiling, importing) not counted: there is
no start-up in these figures.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks import files
from benchmarks.harness import Row, Size, interleave, timed
from novikoff.io.reader import read

SVMLIGHT, CSV = 15.0, 1.0
REPEATS = 3
OURS, SKLEARN = "novikoff.io.reader", "scikit-learn load_svmlight_file"
TABLES = "pyarrow.csv.read_csv", "polars.read_csv", "numpy.loadtxt"


def ask(size: Size) -> Iterator[Row]:
    """The rows of this question."""
    repeats, columns = min(size.repeats, REPEATS), size.text[1]
    for form in files.FORMS:
        path = files.svmlight(size.file, columns, form)
        yield against_sklearn(f"svmlight, {form}, {_size(path)}", path, repeats, SVMLIGHT)
    ones = files.ones(14 * size.file)
    yield against_sklearn(f"svmlight, all numbers 1, {_size(ones)}", ones, repeats)
    packed = files.packed(files.svmlight(size.file, columns))
    yield against_sklearn(f"svmlight, 7 digits, .gz, {_size(packed)}", packed, 1)
    yield from tables(files.csv(size.file * 11 // 10), repeats)
    yield parquet(files.parquet(size.file * 11 // 10), repeats)


def against_sklearn(what: str, path: Path, repeats: int, bar: float | None = None) -> Row:
    """Ours against scikit-learn's loader; both must have read the same."""
    from sklearn.datasets import load_svmlight_file

    ours, (X, y) = read(path), load_svmlight_file(str(path))
    if not (np.array_equal(ours.X.data, X.data) and np.array_equal(ours.X.indices, X.indices)):
        raise AssertionError(f"{path}: the two readers differ")
    del ours, X, y
    jobs = [timed(OURS, lambda: read(path)), timed(SKLEARN, lambda: load_svmlight_file(str(path)))]
    return interleave(jobs, repeats).speed(what, OURS, SKLEARN, bar, "s")


def tables(path: Path, repeats: int) -> Iterator[Row]:
    """Ours against the three, and against the fastest of them."""
    import polars
    import pyarrow
    import pyarrow.csv

    alone = pyarrow.csv.ReadOptions(use_threads=False)
    calls = (
        lambda: pyarrow.csv.read_csv(path, alone),
        lambda: polars.read_csv(path),
        lambda: np.loadtxt(path, delimiter=",", skiprows=1),
    )
    jobs = [timed(name, call) for name, call in zip(TABLES, calls, strict=True)]
    rounds = interleave([timed(OURS, lambda: read(path)), *jobs], repeats)
    best = min(TABLES, key=rounds.typical)
    for peer in TABLES:
        yield rounds.speed(f"CSV, {files.WIDTH} columns, {_size(path)}", OURS, peer, CSV if peer == best else None, "s")


def parquet(path: Path, repeats: int) -> Row:
    """Ours, the label apart, against a table of pyarrow."""
    import pyarrow.parquet

    peer = "pyarrow.parquet.read_table"
    jobs = [
        timed(OURS, lambda: read(path)),
        timed(peer, lambda: pyarrow.parquet.read_table(path, use_threads=False)),
    ]
    return interleave(jobs, repeats).speed(f"Parquet, {files.WIDTH} columns, {_size(path)}", OURS, peer, None, "s")


def _size(path: Path) -> str:
    return f"{path.stat().st_size / 1e6:.0f} MB"
