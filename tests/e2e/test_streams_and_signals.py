"""Closed streams, and Ctrl-C at any moment of the start: an exit code of ours, one line on stderr, no traceback."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from commands import novikoff
from examples import STRESS

pytestmark = pytest.mark.skipif(os.name != "posix", reason="streams and signals of another kind")
ROWS = "a,b,label\n1,2,x\n3,4,y\n5,1,x\n"
# what is written to stdout once Ctrl-C is heard: what comes before is the start of Python itself
LISTENING = """
import sys
from novikoff.__main__ import Keyboard, run
listen = Keyboard.listen
Keyboard.listen = lambda keyboard: (listen(keyboard), print("listening", flush=True))
sys.exit(run())
"""
PRESSES = 200 if STRESS else 20


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


def pressed(after: float, *args: object) -> tuple[int, str, str]:
    """A command with Ctrl-C so many seconds after it hears it: (exit code, answer, what is said)."""
    command = [sys.executable, "-c", LISTENING, *map(str, args)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stdout.readline() == "listening\n"
        time.sleep(after)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
        return process.returncode, out, err


def test_ctrl_c_while_modules_are_imported_ends_with_130_and_no_traceback(folder: Path, tmp_path: Path) -> None:
    command = ("fit", folder / "new.csv", "--max-passes", 3, "--quiet", "-o", tmp_path / "m.nvk")
    begin = time.perf_counter()
    assert subprocess.run([sys.executable, "-c", LISTENING, *map(str, command)], capture_output=True).returncode == 0
    span = time.perf_counter() - begin
    (tmp_path / "m.nvk").unlink()
    chance, broken_off = random.Random(0), 0
    for _ in range(PRESSES):
        code, out, err = pressed(chance.uniform(0.0, span), *command)
        assert code in (0, 130), err
        assert "Traceback" not in err
        assert "Error" not in err
        assert "ignored" not in err
        if code == 130 and not out:
            broken_off += 1
            assert err.strip() == "novikoff: interrupted"
        assert not list(tmp_path.glob(".*.part"))
    assert broken_off >= PRESSES // 4, "Ctrl-C came too late to tell"


def test_an_interrupt_that_became_another_error_is_an_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    """An import that is broken off may fail as an ImportError."""
    from novikoff.__main__ import run

    def broken_off() -> int:
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            raise ImportError("numpy.core.multiarray failed to import") from None
        return 0

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        monkeypatch.setattr("sys.unraisablehook", sys.unraisablehook)
        monkeypatch.setattr("atexit.register", lambda *_: None)
        monkeypatch.setattr("novikoff.cli.main", broken_off)
        assert run() == 130
        monkeypatch.setattr("novikoff.cli.main", lambda: [][0])
        with pytest.raises(IndexError):
            run()
    finally:
        signal.signal(signal.SIGINT, before)
