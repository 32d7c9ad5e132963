"""Peak memory does not grow with a file that stays on the disk, or with a stream."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.compiled
GROWTH, AGAINST_THE_FIRST = 1.1, 1.5
PROGRAM = "import sys; from novikoff.cli import main; sys.exit(main(sys.argv[1:]))"
MAPPING = re.compile(r"^[0-9a-f]+-[0-9a-f]+ .*?(\(deleted\))?\nSize:.*?\nRss: +(\d+)", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> list[Path]:
    """Rows of about 800 bytes, of numbers like 0.123 or of one digit: 1,000 rows; 20 MB; and 100 MB."""
    folder, chance = tmp_path_factory.mktemp("rows"), np.random.default_rng(0)
    many, value = (90, "0.%03d") if request.param == "thousandths" else (160, "%d")
    most, lines = 1000 if many == 90 else 10, []
    for k in range(2500):
        columns, values = np.unique(chance.integers(1, 1000, many)).tolist(), chance.integers(1, most, many).tolist()
        lines.append(f"{k % 2} " + " ".join(f"{j}:{value % v}" for j, v in zip(columns, values, strict=False)) + "\n")
    paths = [folder / name for name in ("first.svm", "small.svm", "large.svm")]
    for path, text in zip(paths, (lines[:1000], lines * 10, lines * 50), strict=True):
        path.write_text("".join(text))
    return paths


def peak(*args: object, stdin: Path | None = None) -> int:
    """Kilobytes that a command had at most, without the pages of temporary files: the system takes these back."""
    most, command = 0, [sys.executable, "-c", PROGRAM, *map(str, args)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with open(stdin or "/dev/null", "rb") as file, subprocess.Popen(command, stdin=file, **quiet) as run:
        while run.poll() is None:
            mapped = MAPPING.findall(Path(f"/proc/{run.pid}/smaps").read_text())
            most = max(most, sum(int(size) for deleted, size in mapped if not deleted))
            time.sleep(0.02)
    assert run.returncode == 0
    return most


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc here")
@pytest.mark.parametrize("files", ["digits"], indirect=True)
def test_fit_from_a_file(files: list[Path], tmp_path: Path) -> None:
    requested = ["--max-passes", 1, "--holdout", 0.1, "-o", tmp_path / "model.nvk", "--memory"]
    order = (
        files[1],
        files[0],
        files[1],
        *files[1:],
    )  # the first one may compile; a look may miss the peak of a short run
    _, first, *small, large = (peak("fit", path, *requested, "1M") for path in order)
    assert large <= GROWTH * max(small)
    assert large <= AGAINST_THE_FIRST * first
    assert peak("fit", files[2], *requested, "4G") > AGAINST_THE_FIRST * first, "the file is too small to tell"


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc here")
@pytest.mark.parametrize("files", ["thousandths"], indirect=True)
def test_fit_from_a_stream(files: list[Path]) -> None:
    order = (files[1], files[0], files[1], *files[1:])
    _, first, *small, large = (peak("fit", "-", "--format", "svm", "--max-passes", 1, stdin=path) for path in order)
    assert large <= GROWTH * max(small)
    assert large <= AGAINST_THE_FIRST * first


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Parquet files of 80 columns: 1,500 rows, 2 row groups of 20,000, and 10. (A run keeps ten bytes for each row.)"""
    import pyarrow
    import pyarrow.parquet

    folder, chance = tmp_path_factory.mktemp("tables"), np.random.default_rng(0)
    X = chance.normal(size=(20_000, 80)).round(4)
    columns = {f"f{j}": X[:, j] for j in range(80)} | {"y": (X.sum(axis=1) > chance.normal(size=len(X))).astype(int)}
    table = pyarrow.table(columns)
    paths = [folder / "first.parquet", folder / "small.parquet", folder / "large.parquet"]
    for path, part, groups in zip(paths, [table[:1500], table, table], [1, 2, 10], strict=True):
        with pyarrow.parquet.ParquetWriter(path, table.schema) as file:
            for _ in range(groups):
                file.write_table(part)
    return paths


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc here")
def test_fit_predict_and_evaluate_from_parquet(tables: list[Path], tmp_path: Path) -> None:
    model = tmp_path / "model.nvk"
    fit = ["--max-passes", 1, "--quiet", "-o", model, "--memory", "1k"]
    answers, quiet = ["-o", tmp_path / "answers.txt"], ["--quiet"]
    for command in (["fit", None, *fit], ["predict", model, None, *answers], ["evaluate", model, None, *quiet]):
        order = (
            tables[1],
            tables[0],
            tables[1],
            *tables[1:],
        )  # the first one may compile; a look may miss the peak of a short run
        _, first, *small, large = (peak(*(path if a is None else a for a in command)) for path in order)
        assert large <= GROWTH * max(small), command[0]
        assert large <= AGAINST_THE_FIRST * first, command[0]
