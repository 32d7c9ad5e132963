"""An error about a row of several files names the file, and the row's number there, however the rows are read."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

import novikoff as nv
from commands import novikoff
from novikoff.engines import partitions
from novikoff.errors import NumberedRowError
from novikoff.io import text_blocks

ROWS, BAD = 120, 87  # in each file; the row (from 0) with an error in part-1
READ = {
    "in memory": (),
    "in temporary files": ("--memory", "1"),
    "threads": ("--memory", "1", "--engine", "threads", "--workers", "2"),
}


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_blocks, "BLOCK", 600)
    monkeypatch.setattr(partitions, "NUMBERS", 60)


def written(folder: Path, value: float, gap: int | None = None) -> str:
    """The pattern of three files: a value in row BAD of the second, and a missing one in the row `gap`."""
    rng = np.random.default_rng(1)
    for k in range(3):
        X = np.round(rng.normal(size=(ROWS, 2)), 2)
        y = (X[:, 0] > 0).astype(int)
        if k == 1:
            X[BAD, 1] = value
        label = [None if k == 1 and i == gap else int(v) for i, v in enumerate(y)]
        table = pyarrow.table({"a": X[:, 0], "b": X[:, 1], "label": label})
        pyarrow.parquet.write_table(table, folder / f"part-{k}.parquet", row_group_size=50)
    return str(folder / "part-*.parquet")


@pytest.mark.parametrize("read", READ)
@pytest.mark.parametrize(
    "command",
    [
        ("fit",),
        ("fit", "--scale"),
        ("fit", "--holdout", "0.01"),
        ("fit", "--scale", "--holdout", "0.01"),
        ("fit", "--mix", "--partitions", "5"),
        ("certify",),
        ("margin",),
    ],
)
def test_a_number_that_is_none_is_named(command: tuple[str, ...], read: str, tmp_path: Path) -> None:
    if read == "threads" and command[0] == "fit" and "--mix" not in command:
        pytest.skip("training is sequential")
    pattern = written(tmp_path, np.nan)
    verb, *options = command
    output = ("-o", tmp_path / "m.nvk") if verb == "fit" else ()
    told = novikoff(verb, pattern, *options, *READ[read], *output)
    assert told.code == 3
    error = told.err.splitlines()[-1]
    assert error.startswith(f"novikoff: error: {tmp_path / 'part-1.parquet'}: "), error
    assert f"row {BAD + 1}" in error
    assert ("column 'b'" in error) or ("column 2 (counted from 1)" in error)
    assert not (tmp_path / "m.nvk").exists()


def test_rows_that_were_left_out_are_counted(tmp_path: Path) -> None:
    """Rows without a label are left out; the number is that in the file."""
    pattern = written(tmp_path, np.inf, gap=3)
    with pytest.raises(nv.InputError, match=rf"part-1\.parquet: column 'b', row {BAD + 1}: found inf"):
        nv.decide(nv.read(pattern, missing="drop", memory="1"))


@pytest.mark.parametrize("memory", [None, "1"])
def test_numbers_that_are_too_large_are_named(memory: str | None, tmp_path: Path) -> None:
    pattern = written(tmp_path, 1e200)
    told = novikoff("fit", pattern, *([] if memory is None else ["--memory", memory]), "-o", tmp_path / "m.nvk")
    assert told.code == 3
    assert f"row {BAD + 1 + ROWS} (largest 1e+200)" in told.err


def test_several_files_are_prepared_without_the_rows_that_are_held_out(tmp_path: Path) -> None:
    pattern = written(tmp_path, 0.5)
    told = [
        novikoff("fit", pattern, *more, "--scale", "--holdout", "0.1", "--json", "-o", tmp_path / "m.nvk").json
        for more in ((), ("--memory", "1"))
    ]
    assert told[0]["w"] == told[1]["w"]
    assert told[0]["test"] == told[1]["test"]


def test_the_errors_can_be_sent_between_processes() -> None:
    error = pickle.loads(pickle.dumps(NumberedRowError("X: found nan in ", 1234, "; mend it")))
    assert str(error) == "X: found nan in row 1235 (1234 counted from 0); mend it"
    placed = pickle.loads(pickle.dumps(error.at("part.csv", 99_999)))
    assert (placed.file, placed.row) == ("part.csv", 99_999)
    assert str(placed) == "part.csv: found nan in row 100,000; mend it"


def test_a_damaged_page_is_named_with_its_row_group(tmp_path: Path) -> None:
    pattern = written(tmp_path, 0.5)
    path = tmp_path / "part-1.parquet"
    group = pyarrow.parquet.ParquetFile(path).metadata.row_group(1).column(0)
    first = group.dictionary_page_offset or group.data_page_offset
    content = bytearray(path.read_bytes())
    content[first : first + group.total_compressed_size] = b"\xff" * group.total_compressed_size
    path.write_bytes(content)
    for memory in ((), ("--memory", "1")):
        told = novikoff("certify", pattern, *memory)
        assert (told.code, f"{path}, row group 2: cannot be read" in told.err) == (3, True), told.err
