"""Parquet files of one pattern whose columns have other types: numbers are joined, else the file is named."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

import novikoff as nv
from commands import novikoff


def parts(folder: Path, second: Any) -> Path:
    """The pattern of two files of 40 rows; second: the values of column b in the second one."""
    X = np.arange(80).reshape(40, 2) % 7
    for k, b in enumerate((X[:, 1] + 0.5, second(X[:, 1]))):
        table = pyarrow.table({"a": X[:, 0], "b": b, "y": ["no", "yes"] * 20})
        pyarrow.parquet.write_table(table, folder / f"part-{k}.parquet", row_group_size=10)
    return folder / "part-*.parquet"


@pytest.mark.parametrize("verb", ["fit", "certify", "margin"])
@pytest.mark.parametrize("memory", [(), ("--memory", "1K")])
def test_texts_in_a_column_of_numbers_name_the_file(verb: str, memory: tuple[str, ...], tmp_path: Path) -> None:
    said = novikoff(verb, parts(tmp_path, lambda b: [str(value) for value in b]), *memory)
    assert said.code == 3
    assert f"novikoff: error: {tmp_path / 'part-1.parquet'}" in said.err
    assert "column 'b'" in said.err
    assert "string" in said.err


def test_whole_numbers_and_fractions_are_joined(tmp_path: Path) -> None:
    """The same numbers as rows in memory and as rows in temporary files."""
    pattern = parts(tmp_path, lambda b: b)
    found = [nv.decide(nv.read(pattern, **how)).certificate().record() for how in ({}, {"memory": "1K"})]
    assert found[0] == found[1]


def test_a_whole_number_that_no_double_is_names_the_files(tmp_path: Path) -> None:
    with pytest.raises(nv.InputError, match=r"part-1\.parquet, column 'b': 9007199254740993 .* cannot be stored"):
        nv.read(parts(tmp_path, lambda b: b + 2**53 + 1))


def test_a_program_that_ends_while_a_file_is_read_writes_no_error(tmp_path: Path) -> None:
    code = f"import novikoff as nv; points = nv.read({str(parts(tmp_path, lambda b: b + 0.5))!r}, memory='1K'); "
    code += "points.rows[:5]"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
