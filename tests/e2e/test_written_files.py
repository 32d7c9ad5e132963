"""What a command writes: whole or not at all, on a full disk and after kill -9; permissions are kept."""

from __future__ import annotations

import os
import random
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import novikoff as nv
from commands import novikoff
from examples import STRESS

pytestmark = pytest.mark.skipif(os.name != "posix", reason="permissions and signals of another kind")
OLD = b"what was there before\n"
WRITES = {  # what is written: the command, whose last word is the file
    "model": "fit {here}/wide.svm --max-passes 2 --quiet -o out.nvk",
    "predictions": "predict {here}/wide.nvk {here}/long.svm -o out.txt",
    "svmlight": "convert {here}/long.svm out.svm",
    "table": "convert {here}/noise.npz out.csv",
    "npz": "convert {here}/noise.npz out.npz",
    "certificate": "certify {here}/wide.svm -o out.json",
    "page": "trace --example spam --html out.html",
}


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files to read, on a disk with room; a model among them. What is written from them takes more than 4 KiB."""
    folder, rng, columns = tmp_path_factory.mktemp("here"), np.random.default_rng(0), 3000
    pairs = [f"{j + 1}:{v}" for j, v in enumerate(np.round(rng.normal(size=columns), 3).tolist())]
    other = [pair.replace(":-", ":") if ":-" in pair else pair.replace(":", ":-") for pair in pairs]
    (folder / "wide.svm").write_text(f"1 {' '.join(pairs)}\n2 {' '.join(other)}\n")
    (folder / "long.svm").write_text("".join(f"{1 + i % 2} {1 + i % columns}:{i}.5\n" for i in range(9000)))
    np.savez(folder / "noise.npz", X=rng.normal(size=(1500, 4)), y=np.arange(1500) % 2)
    assert novikoff("fit", folder / "wide.svm", "--max-passes", 2, "--quiet", "-o", folder / "wide.nvk").code == 0
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# ---- full disks ----------------------------------------------------------------------------------------------------


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A disk of its own of 512 KiB, which is the current folder."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=512k", "novikoff-test", str(place)]
    if (made := subprocess.run(mount, capture_output=True, text=True)).returncode:
        pytest.skip(f"a disk of its own cannot be mounted here: {made.stderr.strip()}")
    with monkeypatch.context() as patch:
        patch.chdir(place)
        yield place
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


def refused(line: str, here: Path, why: str, folder: Path) -> str:
    """The command fails with this reason, which is returned, and the folder stays as it was."""
    before, words = contents(folder), line.format(here=here).split()
    told = novikoff(*words)
    assert (told.code, told.out, "Traceback" in told.err) == (3, "", False), told.err
    last = told.err.splitlines()[-1]
    assert last.startswith("novikoff: error: ")
    assert why in last
    assert contents(folder) == before
    return last


@pytest.mark.parametrize("old", [True, False])
@pytest.mark.parametrize("name", WRITES)
def test_a_full_disk(name: str, old: bool, disk: Path, here: Path) -> None:
    """The old file is named only where there was one."""
    target = WRITES[name].split()[-1]
    if old:
        (disk / target).write_bytes(OLD)
    fill(disk)
    said = refused(WRITES[name], here, "(No space left on device); free some space, or use another disk", disk)
    assert said.startswith(f"novikoff: error: {target}")
    assert said.endswith("; the old file is unchanged" if old else "use another disk")


def test_a_disk_that_is_too_small_for_rows_beyond_memory(disk: Path, here: Path) -> None:
    fill(disk)
    refused("fit {here}/long.svm --memory 1K --quiet --spill . -o out.nvk", here, "No space left on device", disk)


@pytest.mark.parametrize("name", WRITES)
def test_a_disk_that_may_not_be_written_to(name: str, disk: Path, here: Path) -> None:
    """Of a disk that is there to be read only root is refused too."""
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
    assert refused(WRITES[name], here, "cannot be written (", disk).startswith(
        f"novikoff: error: {WRITES[name].split()[-1]}"
    )


LIMITED = "import resource, sys; from novikoff.cli import main; " \
          "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)); sys.exit(main(sys.argv[1:]))"  # fmt: skip


@pytest.mark.parametrize("name", ["model", "table"])
def test_a_file_that_may_not_grow(name: str, here: Path, tmp_path: Path) -> None:
    words = WRITES[name].format(here=here).split()
    (tmp_path / words[-1]).write_bytes(OLD)
    done = subprocess.run([sys.executable, "-c", LIMITED, *words], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 3, done.stderr
    assert f"{words[-1]}: cannot be written (File too large); free some space" in done.stderr
    assert contents(tmp_path) == {words[-1]: OLD}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_an_answer_that_cannot_be_written(here: Path) -> None:
    command = [sys.executable, "-m", "novikoff", "predict", str(here / "wide.nvk"), str(here / "long.svm")]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 3
    assert "the output cannot be written (No space left on device)" in done.stderr
    assert not any(word in done.stderr for word in ("Traceback", "ignored"))


# ---- kill -9 -------------------------------------------------------------------------------------------------------

KILLED = """
import os, signal, sys
from novikoff.cli import main
place, without = sys.argv[1:3]
if without == "named" and hasattr(os, "O_TMPFILE"):
    del os.O_TMPFILE
setattr(os, place, lambda *args, **how: os.kill(os.getpid(), signal.SIGKILL))
main(sys.argv[3:])
"""


@pytest.mark.parametrize(("how", "place"), [("", "fsync"), ("named", "replace")])
@pytest.mark.parametrize("name", WRITES)
def test_a_kill_leaves_the_old_file_and_the_next_run_cleans_up(
    name: str, how: str, place: str, here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed where it first calls this function of `os`: before the file is complete, or before it gets its name."""
    monkeypatch.chdir(tmp_path)
    words = WRITES[name].format(here=here).split()
    target = tmp_path / words[-1]
    target.write_bytes(OLD)
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", KILLED, place, how, *words], capture_output=True)
        if done.returncode != -signal.SIGKILL:  # it did without this function
            assert done.returncode in (0, 1)
            return
        assert target.read_bytes() == OLD
    assert len(list(tmp_path.iterdir())) <= 2, "the second run removed what the first one left"
    assert novikoff(*words).code in (0, 1)
    assert [path.name for path in tmp_path.iterdir()] == [target.name]
    assert target.read_bytes() != OLD


@pytest.mark.compiled
@pytest.mark.parametrize("options", ["--keep average --order shuffle", "--keep pocket --multi ova", "--memory 1K"])
def test_a_run_that_is_killed_again_and_again_ends_with_the_same_model(
    options: str, here: Path, tmp_path: Path
) -> None:
    """SIGKILL at random instants; each attempt goes on from the checkpoint that was written last."""
    words = f"fit {here}/noise.npz --stall-train off --max-passes 12000 --quiet {options} -o".split()
    assert novikoff(*words, tmp_path / "whole.nvk").code == 0
    kept = [*words, str(tmp_path / "run.nvk"), "--checkpoint", str(tmp_path / "state"), "--resume"]
    chance, kills, latest = random.Random(options), 0, 1.5
    for _ in range(100 if STRESS else 12):
        with subprocess.Popen([sys.executable, "-m", "novikoff", *kept], stderr=subprocess.PIPE) as process:
            time.sleep(chance.uniform(0.1 * latest, latest))
            process.kill()
            kills += process.wait() == -signal.SIGKILL
        if (tmp_path / "run.nvk").exists():
            if kills:
                break
            (tmp_path / "run.nvk").unlink()  # the machine is fast: once more from the start, killed earlier
            shutil.rmtree(tmp_path / "state")
            latest /= 2
    assert kills
    done = novikoff(*kept)
    assert done.code == 0, done.err
    assert (tmp_path / "run.nvk").read_bytes() == (tmp_path / "whole.nvk").read_bytes()


# ---- permissions ---------------------------------------------------------------------------------------------------


def by_predict(path: Path) -> None:
    (path.parent / "in.csv").write_text("a,label\n1,x\n2,y\n")
    assert novikoff("fit", path.parent / "in.csv", "-o", path.parent / "by.nvk", "--quiet").code == 0
    info = novikoff("predict", path.parent / "by.nvk", path.parent / "in.csv", "-o", path, "--quiet")
    if info.code:
        raise nv.InputError(info.err)


WRITERS: dict[str, Callable[[Path], object]] = {
    "predict": by_predict,
    "save": lambda path: nv.save(nv.Perceptron().fit(*nv.example("or")), path),
    "certificate": lambda path: nv.decide(*nv.example("or")).save(path),
}


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("writer", WRITERS)
def test_permissions_links_and_the_umask_are_kept(writer: str, tmp_path: Path) -> None:
    write, before = WRITERS[writer], os.umask(0o022)
    try:
        for number, given in enumerate((0o600, 0o640, 0o666, 0o755)):
            path = tmp_path / f"file-{number}"
            path.touch()
            path.chmod(given)
            write(path)
            assert (mode(path), path.stat().st_size > 0) == (given, True)
        for number, umask in enumerate((0o022, 0o077)):
            os.umask(umask)
            write(tmp_path / f"new-{number}")
            assert mode(tmp_path / f"new-{number}") == 0o666 & ~umask
        (tmp_path / "link").symlink_to("file-0")
        write(tmp_path / "link")
        assert (tmp_path / "link").is_symlink()
        path = tmp_path / "kept"
        path.write_text("kept")
        path.chmod(0o444)
        with pytest.raises(nv.InputError, match=r"read-only\); make it writable \(chmod u\+w\), or name another file"):
            write(path)
        assert (path.read_text(), mode(path)) == ("kept", 0o444)
        assert not list(tmp_path.glob(".*"))
    finally:
        os.umask(before)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
def test_the_owner_and_the_group_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "theirs"
    path.touch()
    path.chmod(0o640)
    os.chown(path, 12345, 23456)
    WRITERS["save"](path)
    assert (path.stat().st_uid, path.stat().st_gid, mode(path)) == (12345, 23456, 0o640)


def test_standard_input_is_an_input(tmp_path: Path) -> None:
    path = tmp_path / "a.svm"
    path.write_text("1 1:1\n0 2:1\n")
    command = [sys.executable, "-m", "novikoff", "fit", "-", "--format", "svm", "-o", str(path)]
    with path.open() as file:
        done = subprocess.run(command, stdin=file, capture_output=True, text=True, timeout=120)
    assert (done.returncode, "as standard input" in done.stderr) == (2, True)
    assert path.read_text() == "1 1:1\n0 2:1\n"
