"""Rows that threads copy to their place are those that are added one chunk after the other."""

from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from novikoff.errors import InputError
from novikoff.io.parsing.growing_arrays import GrowingRows
from novikoff.io.parsing.placed_rows import PlacedRows
from novikoff.io.reader import read, source_of
from novikoff.io.reading import Reading
from novikoff.io.stream.read_all import read_all


def chunks_of(count: int, seed: int, wide_from: int | None = None) -> list[Any]:
    r, parts = np.random.default_rng(seed), []
    for number in range(count):
        counts = r.integers(0, 9, r.integers(0, 40))
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        kind = np.int64 if wide_from is not None and number >= wide_from else np.int32
        columns = r.integers(1, 10**15 if kind == np.int64 else 10**6, starts[-1]).astype(kind)
        parts.append((r.standard_normal(starts[-1]), columns, starts))
    return parts


def placed(parts: list[Any], total: int | None, threads: int, first: int = 1) -> PlacedRows:
    """The rows of chunks whose threads begin in any order; every chunk says that it has 100 bytes of text."""
    into, order = PlacedRows(total), list(enumerate(parts))
    into.first = first
    if threads >= len(parts):
        random.Random(len(parts)).shuffle(order)
    with ThreadPoolExecutor(threads) as pool:
        done = list(pool.map(lambda one: (one[0], into.place(one[0], one[1], 100)), order))
    for number, chunk in done:
        assert len(chunk) == len(parts[number][2]) - 1
        assert chunk.nbytes == sum(part.nbytes for part in parts[number])
    return into


@pytest.mark.parametrize("wide_from", [None, 0, 7])
@pytest.mark.parametrize("total", [None, 1, 2000, 10**6])
@pytest.mark.parametrize(("threads", "seed"), [(1, 0), (2, 1), (3, 2), (20, 3)])
def test_the_arrays_are_those_of_chunks_in_order(threads: int, seed: int, total: int | None, wide_from: Any) -> None:
    parts = chunks_of(20, seed, wide_from)
    for first in (0, 1):
        expected = GrowingRows(parts).rows(first)
        found = placed(parts, total, threads).rows(first)
        for one, other in zip(found, expected, strict=True):
            assert one.dtype == other.dtype
            assert one.tobytes() == other.tobytes()


def test_a_thread_whose_turn_does_not_come_ends() -> None:
    into, (part,) = PlacedRows(None), chunks_of(1, 5)
    waits = threading.Thread(target=into.place, args=(1, part, 1))
    waits.start()
    into.stop()
    waits.join(10)
    assert not waits.is_alive()
    assert len(into.rows()[2]) == 1


def lines(count: int, bad: int | None = None) -> str:
    rows = [f"{k % 2} " + " ".join(f"{j}:{k + j / 8}" for j in range(1, 60)) for k in range(count)]
    if bad is not None:
        rows[bad] = "1 1:x"
    return "\n".join(rows)


@pytest.mark.parametrize("readers", [0, 1, 2, 5])
@pytest.mark.parametrize("bad", [0, 4000, 11_000, 11_999])
def test_an_error_ends_all_threads_and_is_the_first_one(tmp_path: Path, readers: int, bad: int) -> None:
    path = tmp_path / "a.svm"
    path.write_text(lines(12_000, bad) + "\n1 2:y\n")
    with pytest.raises(InputError, match=f"line {bad + 1}, byte 3: found '1:x'"):
        read_all(source_of(path, Reading(readers=readers)))


@pytest.mark.parametrize("readers", [0, 2, 5])
def test_rows_of_a_file_are_the_same_however_many_threads_read_it(tmp_path: Path, readers: int) -> None:
    path = tmp_path / "a.svm"
    path.write_text(lines(12_000))
    source = source_of(path, Reading(readers=readers))
    found = read_all(source)
    assert source.into is None
    X, y = read(path).X, read(path).y
    values, columns, starts = found.held.sparse.rows(source.first_column)
    assert values.tobytes() == X.data.tobytes()
    assert np.array_equal(columns, X.indices)
    assert np.array_equal(starts, X.indptr)
    assert np.array_equal(found.labels, y)


def test_a_column_0_after_many_rows_numbers_all_columns_from_0(tmp_path: Path) -> None:
    path = tmp_path / "a.svm"
    path.write_text(lines(12_000) + "\n1 0:5\n")
    X = read(path).X
    assert X.shape == (12_001, 60)
    assert X.indices[0] == 1
    assert X[12_000, 0] == 5
