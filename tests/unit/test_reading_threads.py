"""Rows of svmlight files are the same, and so is the first error, however many threads read them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from novikoff.errors import InputError
from novikoff.io.reader import open_source, read
from novikoff.io.reading import Reading
from novikoff.io.rows import read_rows


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
        read_rows(open_source(path, Reading(readers=readers)))


@pytest.mark.parametrize("readers", [0, 2, 5])
def test_rows_of_a_file_are_the_same_however_many_threads_read_it(tmp_path: Path, readers: int) -> None:
    path = tmp_path / "a.svm"
    path.write_text(lines(12_000))
    found = read_rows(open_source(path, Reading(readers=readers)))
    X, y = read(path).X, read(path).y
    numbers = found.raw.numbers
    assert numbers.data.tobytes() == X.data.tobytes()
    assert np.array_equal(numbers.indices, X.indices)
    assert np.array_equal(numbers.indptr, X.indptr)
    assert np.array_equal(found.y, y)


def test_a_column_0_after_many_rows_numbers_all_columns_from_0(tmp_path: Path) -> None:
    path = tmp_path / "a.svm"
    path.write_text(lines(12_000) + "\n1 0:5\n")
    X = read(path).X
    assert X.shape == (12_001, 60)
    assert X.indices[0] == 1
    assert X[12_000, 0] == 5
