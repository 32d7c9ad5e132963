"""kill -9 while a file is written: nothing is left beside the target, or the next run to the same target removes it."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from commands import novikoff

KILLED = """
import os, signal, sys
from novikoff.cli import main
place, without = sys.argv[1:3]
if without == "named":
    del os.O_TMPFILE
def killed(*args, **how):
    os.kill(os.getpid(), signal.SIGKILL)
setattr(os, place, killed)
main(sys.argv[3:])
"""
WRITES = {
    "npz": ("convert", "points.csv", "out.npz"),
    "table": ("convert", "points.csv", "out.csv"),
    "model": ("fit", "points.csv", "--quiet", "-o", "out.nvk"),
    "predictions": ("predict", "model.nvk", "points.csv", "-o", "out.txt"),
    "certificate": ("certify", "points.csv", "-o", "out.json"),
}
OLD = b"what was there before\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with points and a model."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "points.csv").write_text("a,b,label\n" + "1,2,x\n3,4,y\n" * 50)
    assert novikoff("fit", "points.csv", "--quiet", "-o", "model.nvk").code == 0
    return tmp_path


def killed(place: str, command: tuple[str, ...], how: str = "") -> None:
    """The command in a process that SIGKILL ends where it first calls this function of `os`."""
    script = [sys.executable, "-c", KILLED, place, how, *command]
    assert subprocess.run(script, capture_output=True).returncode == -signal.SIGKILL


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.mark.compiled
@pytest.mark.skipif(not hasattr(__import__("os"), "O_TMPFILE"), reason="files without a name are of Linux")
@pytest.mark.parametrize("old", [False, True])
@pytest.mark.parametrize("name", WRITES)
def test_a_kill_leaves_nothing(name: str, old: bool, here: Path) -> None:
    """Neither before the file is complete, nor before it gets its name."""
    target = here / WRITES[name][-1]
    if old:
        target.write_bytes(OLD)
    before = names(here)
    for place in ("fsync", "link"):
        killed(place, WRITES[name])
        assert names(here) == before
        assert not old or target.read_bytes() == OLD
    assert novikoff(*WRITES[name]).code == 0
    assert names(here) == before | {target.name}
    assert target.read_bytes() != OLD


@pytest.mark.compiled
@pytest.mark.parametrize(("name", "how", "place"), [
    *((name, "named", place) for name in WRITES for place in ("fsync", "replace")),
    *((name, "", "replace") for name in WRITES),  # a file with a name again, for an instant, as it replaces the old one
])  # fmt: skip
def test_the_next_run_removes_what_a_kill_left(name: str, how: str, place: str, here: Path) -> None:
    command = WRITES[name]
    target = here / command[-1]
    target.write_bytes(OLD)
    before = names(here)
    killed(place, command, how)
    killed(place, command, how)
    assert len(names(here) - before) == 1, "the second run removed what the first one left"
    assert novikoff(*command).code == 0
    assert names(here) == before | {target.name}


@pytest.mark.compiled
def test_a_run_leaves_the_files_of_another_one_that_still_writes(here: Path) -> None:
    """Of the same target, at the same time; the last one to end has its way."""
    script = f"import os; del os.O_TMPFILE\n{WAITS}"
    with subprocess.Popen(
        [sys.executable, "-c", script, *WRITES["table"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == b"writes\n"
        (draft,) = here.glob(".out.csv.*")
        (here / "out.csv").write_bytes(OLD)
        assert novikoff(*WRITES["table"]).code == 0
        assert draft.exists()
        (here / "out.csv").write_bytes(OLD)
        process.communicate(b"\n", timeout=60)
        assert process.returncode == 0
    assert (here / "out.csv").read_bytes() != OLD
    assert not list(here.glob(".*"))


WAITS = """
import sys
from novikoff.cli import main
fsync = os.fsync
def waits(handle):
    os.fsync = fsync
    print("writes", flush=True)
    sys.stdin.readline()
    fsync(handle)
os.fsync = waits
sys.exit(main(sys.argv[1:]))
"""
