"""Small files that unpack to more than the memory limit: exit 3, the limit and the way out named, memory bounded.

Rows of numbers in Parquet files go to temporary files, as those of texts that unpack to at most 64 times their size.
"""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

import novikoff as nv
from commands import novikoff
from damage.bombs import ROWS, bombs, noise, packed, peak, repeated
from novikoff.errors import InputError

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc here"),
]
LIMIT, SPARE = 40 << 20, 220 << 20  # bytes; the libraries of Arrow, which unpack zst, take 40 MB of the spare ones
SIZE = 400 << 20  # of what is unpacked


@pytest.mark.parametrize("name", bombs(SIZE))
def test_what_is_unpacked_counts_against_the_limit(name: str, tmp_path: Path) -> None:
    make, options = bombs(SIZE)[name]
    make(tmp_path / name)
    code, said, memory = peak("fit", tmp_path / name, "--max-passes", 1, "--memory", LIMIT, *options)
    if name == "zeros.parquet":  # its rows go to temporary files
        assert (code, "written to temporary files" in said) == (0, True), said
        return
    assert code == 3, said
    assert "--memory" in said
    assert name in said
    assert memory <= LIMIT + SPARE
    assert f"{LIMIT:,}" in said or "depends on the memory limit" in said or "bytes are needed" in said


def test_a_test_file_and_a_file_of_python_count_too(tmp_path: Path) -> None:
    head, noisy, line = ROWS["csv"]
    packed(tmp_path / "b.csv.gz", head.encode() + noise(noisy, 120_000), repeated(line.encode(), SIZE))
    (tmp_path / "a.csv").write_text("a,b,label\n1,2,x\n2,1,y\n")
    code, said, memory = peak("fit", tmp_path / "a.csv", "--test", tmp_path / "b.csv.gz", "--memory", LIMIT)
    assert code == 3, said
    assert f"the limit of {LIMIT:,} bytes" in said
    assert memory <= LIMIT + SPARE
    with pytest.raises(InputError, match=f"the limit of {LIMIT:,} bytes; raise the limit"):
        nv.read(tmp_path / "b.csv.gz", memory=LIMIT)


def test_a_stream_passes_in_constant_memory_however_long_it_is(tmp_path: Path) -> None:
    """predict holds nothing: the length of what is unpacked does not count."""
    head, noisy, line = ROWS["csv"]
    packed(tmp_path / "long.csv.gz", head.encode() + noise(noisy, 100), repeated(line.encode(), SIZE // 8))
    (tmp_path / "a.csv").write_text("a,b,label\n1,2,x\n2,1,y\n")
    assert novikoff("fit", tmp_path / "a.csv", "-o", tmp_path / "m.nvk", "--quiet").code == 0
    code, said, memory = peak("predict", tmp_path / "m.nvk", tmp_path / "long.csv.gz", "-o", tmp_path / "out.txt")
    assert code == 0, said
    assert memory <= SPARE


def test_a_file_within_the_limit_is_read_as_ever(tmp_path: Path) -> None:
    X = np.arange(12.0).reshape(6, 2)
    text = "a,b,label\n" + "".join(f"{a!r},{b!r},{'xy'[k % 2]}\n" for k, (a, b) in enumerate(X.tolist()))
    with gzip.open(tmp_path / "a.csv.gz", "wt") as file:
        file.write(text)
    points = nv.read(tmp_path / "a.csv.gz", memory="1M")
    assert points.X.tolist() == X.tolist()
