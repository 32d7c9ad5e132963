"""Closed streams: an exit code of ours, one line on stderr, no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from commands import novikoff

pytestmark = pytest.mark.skipif(os.name != "posix", reason="streams and signals of another kind")
ROWS = "a,b,label\n1,2,x\n3,4,y\n5,1,x\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    there = tmp_path_factory.mktemp("streams")
    (there / "new.csv").write_text(ROWS)
    assert novikoff("fit", there / "new.csv", "-o", there / "m.nvk", "--quiet").code == 0
    return there


def shell(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    """A command in a shell, which closes streams as people do."""
    words = f"exec '{sys.executable}' -m novikoff {line}"
    return subprocess.run(["sh", "-c", words], cwd=folder, capture_output=True, text=True, input=ROWS)


@pytest.mark.parametrize(
    "line", ["predict m.nvk new.csv", "explain m.nvk", "fit new.csv -o x.nvk", "predict m.nvk - --format csv <&-"]
)
def test_an_answer_without_a_place_is_an_error_before_anything_is_done(line: str, folder: Path) -> None:
    done = shell(folder, f"{line} >&-")
    assert done.returncode == 3
    assert done.stderr == "novikoff: error: standard output is closed; redirect it to a file or to /dev/null\n"
    assert not (folder / "x.nvk").exists()


@pytest.mark.parametrize("verb", ["predict m.nvk", "evaluate m.nvk", "fit --max-passes 1", "fit", "certify"])
def test_a_closed_standard_input_is_told(verb: str, folder: Path) -> None:
    done = shell(folder, f"{verb} - --format csv <&-")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == (
        "novikoff: error: standard input: cannot be read (it is closed); name a file, or send the rows to it\n"
    )


def test_a_closed_stderr_changes_no_answer_and_no_file(folder: Path) -> None:
    """The next file that is opened must not get the number of stderr."""
    whole = shell(folder, "predict m.nvk new.csv")
    assert whole.returncode == 0
    for closed in ("2>&-", "2>&- <&-"):
        done = shell(folder, f"predict m.nvk new.csv {closed}")
        assert (done.returncode, done.stdout, done.stderr) == (0, whole.stdout, "")
        done = shell(folder, f"fit new.csv --max-passes 50 -o again.nvk {closed}")
        assert done.returncode == 0
        assert shell(folder, "explain again.nvk").returncode == 0
    assert shell(folder, "predict m.nvk - --format csv 2>&-").stdout == whole.stdout
    done = shell(folder, "predict m.nvk nothing.csv 2>&-")
    assert (done.returncode, done.stdout) == (3, "")
