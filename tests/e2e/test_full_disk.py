"""A full disk, a file that may not grow, a folder that may not be written to: exit 3, and what was there stays."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commands import novikoff
from novikoff.perceptron import checkpoint

ROWS, COLUMNS = 9000, 3000
OLD = b"what was there before\n"
# what is written: the command, the file that it writes, and whether that is there before
WRITES = {
    "model": ("fit", "{here}/wide.svm", "--max-passes", "2", "--quiet", "-o", "out.nvk"),
    "model of a stream": ("fit", "-", "--format", "svm", "--max-passes", "1", "--quiet", "-o", "out.nvk"),
    "predictions": ("predict", "{here}/wide.nvk", "{here}/long.svm", "-o", "out.txt"),
    "scores": ("predict", "{here}/wide.nvk", "{here}/long.svm", "--scores", "-o", "out.txt"),
    "onnx": ("convert", "{here}/wide.nvk", "out.onnx"),
    "svmlight": ("convert", "{here}/long.svm", "out.svm"),
    "table": ("convert", "{here}/noise.npz", "out.csv"),
    "npz": ("convert", "{here}/noise.npz", "out.npz"),
    "certificate": ("certify", "{here}/wide.svm", "-o", "out.json"),
    "trace": ("trace", "--example", "spam", "--csv", "out.csv"),
}


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files to read, on a disk with room; a model among them."""
    folder = tmp_path_factory.mktemp("here")
    rng = np.random.default_rng(0)
    pairs = " ".join(f"{j + 1}:{v}" for j, v in enumerate(np.round(rng.normal(size=COLUMNS), 3).tolist()))
    (folder / "wide.svm").write_text(
        "".join(f"{label} {pairs.replace(':', sign)}\n" for label, sign in ((1, ":"), (2, ":-"))).replace("--", "")
    )
    (folder / "long.svm").write_text("".join(f"{1 + i % 2} {1 + i % COLUMNS}:{i}.5\n" for i in range(ROWS)))
    np.savez(folder / "noise.npz", X=rng.normal(size=(1500, 4)), y=np.arange(1500) % 2)
    assert (
        novikoff("fit", str(folder / "wide.svm"), "--max-passes", "2", "--quiet", "-o", str(folder / "wide.nvk"))[0]
        == 0
    )
    return folder


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own, of 512 KiB."""
    place = tmp_path / "disk"
    place.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=512k", "novikoff-test", place], capture_output=True, text=True
    )
    if made.returncode:
        pytest.skip(f"a disk of its own cannot be mounted here: {made.stderr.strip()}")
    yield place
    os.chdir(tmp_path)
    subprocess.run(["umount", place], check=True)


def fill(disk: Path) -> None:
    """Leave no room but the 4 KiB that a name may need."""
    with open(disk / "filler", "wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            pass
        file.truncate(max(0, file.tell() - 4096))


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def refused(
    command: tuple[str, ...],
    here: Path,
    why: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    to_the_end: bool = False,
) -> None:
    """The command fails with this reason, and the folder stays as it was."""
    monkeypatch.chdir(folder)
    args = [word.format(here=here) for word in command]
    before = contents(folder)
    with open(here / "wide.svm", "rb") as file:
        monkeypatch.setattr("sys.stdin", type("In", (), {"buffer": file, "isatty": lambda _: False}))
        code, out, err = novikoff(*args)
    assert code == 3, err
    assert out == ""
    line = err.splitlines()[-1]
    assert line.startswith(f"novikoff: error: {args[-1]}"), err
    assert line.endswith(why) if to_the_end else why in line, err
    assert "Traceback" not in err
    assert "ignored" not in err
    assert contents(folder) == before


@pytest.mark.compiled
@pytest.mark.parametrize("old", [True, False])
@pytest.mark.parametrize("name", [name for name in WRITES if name != "trace"])  # its pages are small
def test_a_full_disk(name: str, old: bool, disk: Path, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The old file is named only where there was one."""
    command = WRITES[name]
    if old:
        (disk / command[-1]).write_bytes(OLD)
    fill(disk)
    unchanged = "; the old file is unchanged" if old else ""
    why = f"(No space left on device); free some space, or use another disk{unchanged}"
    refused(command, here, why, disk, monkeypatch, to_the_end=True)


@pytest.mark.compiled
@pytest.mark.parametrize("room", [0, 200_000])
def test_a_disk_that_is_too_small_for_rows_beyond_memory(
    room: int, disk: Path, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without any room, and with room for some of the rows; the output is as it was."""
    fill(disk)
    os.truncate(disk / "filler", max(0, (disk / "filler").stat().st_size - room))
    command = ("fit", "{here}/long.svm", "--memory", "1K", "-o", "out.nvk", "--quiet", "--spill", ".")
    refused(command, here, "rows larger than the memory limit cannot be written there (", disk, monkeypatch)


@pytest.mark.compiled
def test_a_full_disk_leaves_the_old_cache(disk: Path, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(disk)
    (here / "small.csv").write_text("a,b,label\n1,2,x\n3,4,y\n")
    assert novikoff("convert", str(here / "small.csv"), "out.nvc")[0] == 0
    fill(disk)
    why = "(No space left on device); free some space, or use another disk"
    refused(("convert", "{here}/noise.npz", "new.nvc"), here, why, disk, monkeypatch, to_the_end=True)
    command = ("convert", "{here}/noise.npz", "out.nvc")
    refused(command, here, f"{why}; the old folder is unchanged", disk, monkeypatch, to_the_end=True)
    assert novikoff("fit", "out.nvc", "--quiet")[0] == 0


@pytest.mark.compiled
def test_a_full_disk_in_the_middle_of_a_run(disk: Path, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run ends with exit 3; the checkpoint before is whole, no model is written, and the run goes on later."""
    monkeypatch.setattr(checkpoint, "AT_LEAST", 0.0)
    monkeypatch.setattr(checkpoint, "SHARE", 0)
    monkeypatch.chdir(disk)
    save, many = checkpoint.save_file, []

    def fuller(*args: Any) -> str:
        many.append(1)
        if len(many) == 3:
            fill(disk)
        return save(*args)

    monkeypatch.setattr(checkpoint, "save_file", fuller)
    args = ("fit", str(here / "noise.npz"), "--max-passes", "6", "--quiet", "-o", str(here / "run.nvk"))
    code, out, err = novikoff(*args, "--checkpoint", "ck")
    assert (code, out) == (3, "")
    assert "ck/run.ckpt: cannot be written (No space left on device); free some space" in err
    assert err.strip().endswith("the old file is unchanged")
    assert not (here / "run.nvk").exists()
    assert [path.name for path in (disk / "ck").iterdir()] == ["run.ckpt"]
    (disk / "filler").unlink()
    assert novikoff(*args, "--checkpoint", "ck", "--resume")[0] == 0
    assert novikoff(*args[:-1], str(here / "whole.nvk"))[0] == 0
    assert (here / "run.nvk").read_bytes() == (here / "whole.nvk").read_bytes()


@pytest.mark.compiled
@pytest.mark.parametrize("name", WRITES)
def test_a_folder_that_may_not_be_written_to(
    name: str, disk: Path, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a disk that is there to be read only: root is refused too."""
    command = WRITES[name]
    (disk / command[-1]).write_bytes(OLD)
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
    refused(command, here, "cannot be written (", disk, monkeypatch)


LIMITED = """
import resource, sys
from novikoff.cli import main
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["model", "table"])
def test_a_file_that_may_not_grow(name: str, here: Path, tmp_path: Path) -> None:
    """RLIMIT_FSIZE, which needs no rights: a process of its own is refused in the middle of a write."""
    command = [word.format(here=here) for word in WRITES[name]]
    (tmp_path / command[-1]).write_bytes(OLD)
    made = subprocess.run([sys.executable, "-c", LIMITED, *command], cwd=tmp_path, capture_output=True, text=True)
    assert made.returncode == 3, made.stderr
    assert f"{command[-1]}: cannot be written (File too large); free some space" in made.stderr
    assert made.stderr.count("\n") == 1
    assert contents(tmp_path) == {command[-1]: OLD}


@pytest.mark.compiled
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_an_answer_that_cannot_be_written(here: Path) -> None:
    for command in (("predict", str(here / "wide.nvk"), str(here / "long.svm")), ("explain", str(here / "wide.nvk"))):
        with open("/dev/full", "wb") as full:
            made = subprocess.run(
                [sys.executable, "-m", "novikoff", *command], stdout=full, stderr=subprocess.PIPE, text=True
            )
        assert made.returncode == 3, made.stderr
        assert "the output cannot be written (No space left on device)" in made.stderr
        assert "Traceback" not in made.stderr
        assert "ignored" not in made.stderr
