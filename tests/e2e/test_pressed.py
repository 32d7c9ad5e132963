"""Ctrl-C in a cross-validation and in a stream, and streams whose rows come slowly."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

import novikoff as nv
from commands import answer, novikoff
from novikoff.cli import stream_fit
from novikoff.cli.text.progress import Progress
from novikoff.cli.verbs import cv
from novikoff.io import text_blocks
from novikoff.perceptron.run import Run

STREAM = ("fit", "-", "--format", "svm", "--max-passes", 1)
LINES = [f"{1 if k % 3 else -1} 1:{k % 7} 2:{k % 5 - 2} 3:{k % 3}\n".encode() for k in range(400)]
LONG_ENOUGH = 60.0  # seconds after which a test that waits for nothing is over


@contextlib.contextmanager
def open_pipe(pieces: list[bytes], monkeypatch: pytest.MonkeyPatch, close: bool = False) -> Iterator[None]:
    """Standard input is a pipe with these bytes, whose writer stays there if it does not close."""
    reads, writes = os.pipe()
    over = threading.Event()

    def write() -> None:
        with open(writes, "wb", buffering=0) as file:
            for piece in pieces:
                file.write(piece)
            if not close:
                over.wait(LONG_ENOUGH)

    with open(reads, "rb") as file:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=file))
        thread = threading.Thread(target=write)
        thread.start()
        yield
        over.set()
        thread.join()


def pressed_after(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def on_rows(_: Progress, seen: int, *__: object) -> None:
        if seen >= rows:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Progress, "on_rows", on_rows)


@pytest.mark.usefixtures("keyboard")
def test_ctrl_c_ends_a_cross_validation_and_the_parts_that_were_tested_are_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fit, begin = cv.estimator_of, Run.begin_pass
    parts: list[int] = []

    def estimator_of(*args: object) -> object:
        parts.append(1)
        return fit(*args)  # type: ignore[arg-type]

    def begin_pass(run: Run) -> None:
        if len(parts) == 3:
            signal.raise_signal(signal.SIGINT)
        begin(run)

    monkeypatch.setattr(cv, "estimator_of", estimator_of)
    monkeypatch.setattr(Run, "begin_pass", begin_pass)
    info = novikoff("cv", "--example", "breast-cancer", "--max-passes", 3)
    assert info.code == 130
    assert info.out == ""
    assert info.err.startswith("novikoff: interrupted\nfold 1   accuracy")
    assert [line.split()[1] for line in info.err.splitlines()[1:]] == ["1", "2"]
    assert len(parts) == 3


@pytest.mark.usefixtures("keyboard")
def test_ctrl_c_in_a_stream_that_stays_open_keeps_what_was_learned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pressed_after(len(LINES), monkeypatch)
    with open_pipe(LINES, monkeypatch):
        info = novikoff(*STREAM, "-o", tmp_path / "m.nvk")
    assert info.code == 130, info.err
    assert "INTERRUPTED  each row was predicted and then learned, once" in info.out
    assert f"on {len(LINES)} rows" in info.out
    assert f"model  {tmp_path / 'm.nvk'}" in info.out
    monkeypatch.undo()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"".join(LINES))))
    assert novikoff(*STREAM, "-o", tmp_path / "whole.nvk").code == 0
    assert nv.load(tmp_path / "m.nvk").coef_.tolist() == nv.load(tmp_path / "whole.nvk").coef_.tolist()


@pytest.mark.usefixtures("keyboard")
@pytest.mark.parametrize("lines", [[], [b"1 1:3\n", b"1 1:4\n"]])
def test_ctrl_c_before_two_classes_were_seen_leaves_no_model(
    lines: list[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pressed(*_: object) -> object:
        return signal.raise_signal(signal.SIGINT)

    if lines:
        pressed_after(1, monkeypatch)
    else:
        monkeypatch.setattr(stream_fit.Chunks, "prepared", pressed)
    with open_pipe(lines, monkeypatch):
        info = novikoff(*STREAM, "-o", tmp_path / "m.nvk")
    assert (info.code, info.out) == (130, "")
    assert "novikoff: interrupted" in info.err
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("keyboard")
def test_rows_that_were_learned_while_ctrl_c_was_pressed_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    begin = stream_fit.mistakes_of

    def pressed(learner: object) -> int:
        monkeypatch.setattr(stream_fit, "mistakes_of", begin)
        raise KeyboardInterrupt

    monkeypatch.setattr(stream_fit, "mistakes_of", pressed)
    with open_pipe([b"".join(LINES)], monkeypatch):
        document = answer(*STREAM, code=130)
    assert document["stop_reason"] == "interrupted"
    assert document["n"] == len(LINES)


@pytest.mark.parametrize("step", [1, 17, 300])
@pytest.mark.parametrize("kind", ["svm", "csv"])
def test_however_a_pipe_comes_in_pieces_the_model_is_the_same(
    kind: str, step: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [b"a,b,class\n", *(b"%d,%d,%s\n" % (k % 7, k % 5, b"xy"[k % 3 == 0 :][:1]) for k in range(200))]
    text = b"".join(LINES if kind == "svm" else rows)[:-1]  # the last line has no newline
    seen: list[int] = []
    monkeypatch.setattr(Progress, "on_rows", lambda _, rows, *__: seen.append(rows))
    monkeypatch.setattr(text_blocks, "WAIT", 0.0)
    monkeypatch.setattr(text_blocks, "STEP", step)
    how = ("fit", "-", "--format", kind, "--max-passes", 1, "-o")
    with open_pipe([text], monkeypatch, close=True):
        assert novikoff(*how, tmp_path / "pieces.nvk").code == 0
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text)))
    assert novikoff(*how, tmp_path / "whole.nvk").code == 0
    pieces, whole = nv.load(tmp_path / "pieces.nvk"), nv.load(tmp_path / "whole.nvk")
    assert (pieces.coef_.tolist(), pieces.intercept_) == (whole.coef_.tolist(), whole.intercept_)
    assert seen[-1] == (len(LINES) if kind == "svm" else 200)
    assert len(seen) > 5


@pytest.mark.filterwarnings("always")
def test_a_margin_that_no_plane_has_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("novikoff.io.text_blocks.BLOCK", 100)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"".join(LINES))))
    info = novikoff(*STREAM, "--known-margin", "5")
    assert info.code == 0
    assert info.err.count("so no plane has a margin") == 1
