"""A saved stream goes on: `fit - --from MODEL`, `nv.load` then `partial_fit`, `--checkpoint` and `--resume`."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import novikoff as nv
from commands import novikoff
from novikoff.model import describe
from novikoff.model.stream_checkpoint import RowDigest, StreamCheckpoint

COLORS = ("red", "green", "blue")


def csv_rows(lo: int, hi: int) -> list[str]:
    rng = np.random.default_rng(5)
    numbers = rng.integers(-9, 10, (200, 2))
    return [f"{a},{b},free {COLORS[k % 3]} mail {k % 7},{'spam' if 2 * a - b + (k % 3) > 0 else 'ham'}"
            for k, (a, b) in enumerate(numbers.tolist())][lo:hi]  # fmt: skip


def svm_rows(lo: int, hi: int) -> list[str]:
    rng = np.random.default_rng(6)
    lines = []
    for k in range(200):
        columns = sorted(rng.choice(np.arange(1, 3 + k // 4), 2, replace=False).tolist())
        lines.append(f"{int(rng.integers(3))} " + " ".join(f"{j}:{int(rng.integers(1, 9))}" for j in columns))
    return lines[lo:hi]


def json_rows(lo: int, hi: int) -> list[str]:
    cells = [row.split(",") for row in csv_rows(lo, hi)]
    return [json.dumps({"a": int(first), "label": label}) for first, *_, label in cells]


STREAMS: dict[str, tuple[Any, list[str]]] = {
    "csv": (lambda lo, hi: ["a,b,text,label", *csv_rows(lo, hi)], ["--format", "csv", "--columns", "a,b"]),
    "text": (lambda lo, hi: ["a,b,text,label", *csv_rows(lo, hi)],
             ["--format", "csv", "--text", "text", "--hash-bits", "5", "--normalize"]),
    "jsonl": (json_rows, ["--format", "jsonl", "--scale-by", "4"]),
    "svm": (svm_rows, ["--format", "svm"]),
    "svm-products": (lambda lo, hi: [f"{1 + k % 2} 1:{k} 3:{k * k % 7}" for k in range(200)][lo:hi],
                     ["--format", "svm", "--features", "poly2"]),
}  # fmt: skip
KEEPS = (["--keep", "average"], ["--keep", "pocket"], ["--keep", "last", "--rule", "pa1", "--pa-C", "0.5"])


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def fit_stream(here: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run `novikoff fit -` with these lines on standard input."""

    def run(lines: list[str], *args: Any, code: int = 0) -> Any:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("".join(f"{v}\n" for v in lines).encode())))
        told = novikoff("fit", "-", *args)
        assert told.code == code, told.err
        return told

    return run


@pytest.mark.parametrize("keep", KEEPS, ids=["average", "pocket", "pa1"])
@pytest.mark.parametrize("kind", STREAMS)
def test_from_a_model_a_stream_goes_on_as_if_it_had_not_ended(fit_stream: Any, kind: str, keep: list[str]) -> None:
    rows, options = STREAMS[kind]
    begin = [*options, *keep, "--max-passes", 1]
    fit_stream(rows(0, 200), *begin, "-o", "whole.nvk")
    fit_stream(rows(0, 70), *begin, "-o", "part.nvk")
    fit_stream(rows(70, 71), "--from", "part.nvk", "-o", "part.nvk")
    told = fit_stream(rows(71, 200), "--from", "part.nvk", "-o", "both.nvk")
    assert "from   part.nvk: the points before these are counted" in told.out
    assert "200 points" in told.out
    whole, both = describe("whole.nvk"), describe("both.nvk")
    for key in ("sha256", "history", "preparation"):
        whole.pop(key), both.pop(key)
    assert whole == both
    a, b = nv.load("whole.nvk"), nv.load("both.nvk")
    assert a.coef_.tobytes() == b.coef_.tobytes()
    assert a.intercept_.tobytes() == b.intercept_.tobytes()


def test_a_stream_of_the_command_line_goes_on_in_python_with_a_data_frame(fit_stream: Any) -> None:
    rows, options = STREAMS["text"]
    fit_stream(rows(0, 200), *options, "--max-passes", 1, "-o", "whole.nvk")
    fit_stream(rows(0, 90), *options, "--max-passes", 1, "-o", "part.nvk")
    frame = pd.read_csv(io.StringIO("\n".join(rows(90, 200))))
    clf = nv.load("part.nvk")
    for lo in range(0, 110, 25):
        part = frame.iloc[lo : lo + 25]
        clf.partial_fit(part, part["label"])
    assert clf.coef_.tobytes() == nv.load("whole.nvk").coef_.tobytes()
    nv.save(clf, "both.nvk")  # with its preparation
    assert nv.load("both.nvk").predict(frame).tolist() == nv.load("whole.nvk").predict(frame).tolist()
    fit_stream(rows(0, 5), "--from", "both.nvk", "-o", "more.nvk")


def test_a_model_of_a_file_goes_on_with_a_stream(fit_stream: Any, here: Path) -> None:
    (here / "t.csv").write_text("\n".join(["a,b,text,label", *csv_rows(0, 60)]) + "\n")
    assert novikoff("fit", "t.csv", "--columns", "a,b", "--scale", "-o", "f.nvk").code == 0
    fit_stream(["a,b,label", "3,-4,spam", "-5,2,ham"], "--from", "f.nvk", "--format", "csv", "-o", "g.nvk")
    clf, frame = nv.load("f.nvk"), pd.DataFrame({"a": [3, -5], "b": [-4, 2]})
    assert clf.partial_fit(frame, ["spam", "ham"]).coef_.tobytes() == nv.load("g.nvk").coef_.tobytes()


def test_a_class_can_be_added_later(fit_stream: Any) -> None:
    fit_stream(["1,a", "2,b", "0,a"], "--format", "csv", "--no-header", "--max-passes", 1, "-o", "m.nvk")
    fit_stream(["7,c", "8,c"], "--from", "m.nvk", "-o", "m.nvk")
    assert nv.load("m.nvk").classes_.tolist() == ["a", "b", "c"]


@pytest.mark.parametrize(("args", "message"), [
    (["--scale"], "--scale: the model m.nvk has it already; leave it out"),
    (["--keep", "pocket"], "--keep pocket: m.nvk was trained with average; leave it out"),
    (["--max-passes", 2], "--max-passes: --from presents every row of the stream once; leave it out"),
    (["--classes", "ham,spam"], "--classes: the model m.nvk has it already; leave it out"),
])  # fmt: skip
def test_what_the_model_fixes_is_refused(fit_stream: Any, args: list[Any], message: str) -> None:
    rows, options = STREAMS["csv"]
    fit_stream(rows(0, 50), *options, "--keep", "average", "--max-passes", 1, "-o", "m.nvk")
    before = Path("m.nvk").read_bytes()
    assert message in fit_stream(rows(50, 60), "--from", "m.nvk", *args, "-o", "m.nvk", code=2).err
    assert Path("m.nvk").read_bytes() == before
    assert "--from: continues a stream" in novikoff("fit", "m.csv", "--from", "m.nvk").err


def test_a_row_without_a_needed_column_changes_nothing(fit_stream: Any) -> None:
    rows, options = STREAMS["csv"]
    fit_stream(rows(0, 50), *options, "--max-passes", 1, "-o", "m.nvk")
    before = Path("m.nvk").read_bytes()
    assert "'b'" in fit_stream(["a,label", "1,ham"], "--from", "m.nvk", "-o", "m.nvk", code=3).err
    assert Path("m.nvk").read_bytes() == before


# ---- checkpoints ---------------------------------------------------------------------------------------------------


def killed_after(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write a checkpoint after every chunk, and end the run after this many rows as a killed process ends."""
    write = StreamCheckpoint.write

    def written(self: Any, *args: Any, **how: Any) -> None:
        self.due = 0.0
        write(self, *args, **how)
        if rows <= self.digest.rows and not how.get("ended"):
            raise SystemError("killed")

    monkeypatch.setattr(StreamCheckpoint, "write", written)


@pytest.mark.parametrize("kind", ["csv", "text", "svm"])
def test_a_killed_stream_is_resumed_with_the_same_bytes(
    fit_stream: Any, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, options = STREAMS[kind]
    from novikoff.io.stream import compression

    monkeypatch.setattr(compression, "BLOCK", 512)
    args = [*options, "--keep", "average", "--max-passes", 1, "--checkpoint", "ck"]
    fit_stream(rows(0, 200), *args[:-2], "-o", "whole.nvk")
    with monkeypatch.context() as patch:
        killed_after(40, patch)
        with pytest.raises(SystemError, match="killed"):
            fit_stream(rows(0, 200), *args, "-o", "m.nvk")
    assert not Path("m.nvk").exists()
    some = nv.load("ck/stream.nvk")  # a model of the rows so far
    assert 40 <= some.n_looks_ + 1 < 200
    assert "contains an unfinished run" in fit_stream(rows(0, 200), *args, "-o", "m.nvk", code=3).err
    assert "are not those that the checkpoint has seen" in fit_stream(rows(5, 200), *args, "--resume", code=3).err
    assert "has seen" in fit_stream(rows(0, 5), *args, "--resume", code=3).err
    assert "rule is perceptron now" not in fit_stream(rows(0, 200), *args, "--resume", "-o", "m.nvk").err
    assert Path("m.nvk").read_bytes() == Path("whole.nvk").read_bytes()
    fit_stream(rows(0, 200), *args, "-o", "m.nvk")  # the run has ended: a new one may begin
    fit_stream(rows(0, 200), *args, "--resume", "-o", "m.nvk")  # nothing is left to do
    assert Path("m.nvk").read_bytes() == Path("whole.nvk").read_bytes()


def test_other_options_cannot_resume(fit_stream: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rows, options = STREAMS["csv"]
    args = [*options, "--max-passes", 1, "--checkpoint", "ck"]
    fit_stream(rows(0, 200), *args)
    told = fit_stream(rows(0, 200), *args, "--rule", "margin", "--resume", code=3)
    assert "rule is margin now and was perceptron when the checkpoint was written; use the old value" in told.err


def test_the_digest_of_rows_does_not_depend_on_chunks() -> None:
    import scipy.sparse as sp

    X, y = np.arange(24.0).reshape(8, 3), np.array(list("abababab"))
    for rows in (X, sp.csr_array(X)):
        found = set()
        for cuts in ([], [3], [1, 2, 7]):
            digest = RowDigest()
            for lo, hi in zip([0, *cuts], [*cuts, 8], strict=True):
                digest.add(rows[lo:hi], y[lo:hi])
            found.add(digest.hexdigest())
        assert len(found) == 1


@pytest.mark.slow
def test_a_process_that_is_killed_resumes(here: Path) -> None:
    """SIGKILL while standard input is open, after a checkpoint was written."""
    rows, options = STREAMS["csv"]
    command = [sys.executable, "-m", "novikoff", "fit", "-", *options, "--max-passes", "1", "--checkpoint", "ck"]
    lines = rows(0, 1) + rows(0, 200)[1:] * 400
    text = "".join(f"{line}\n" for line in lines)
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin is not None
    half = text.encode()[: len(text) // 2]
    process.stdin.write(half)
    process.stdin.flush()
    for _ in range(300):
        if Path("ck/stream.nvk").exists():
            break
        try:
            process.wait(0.1)
        except subprocess.TimeoutExpired:
            process.stdin.write(b"")
    process.kill()
    process.communicate()
    again = subprocess.run([*command, "--resume", "-o", "m.nvk"], input=text.encode(), capture_output=True)
    assert again.returncode == 0, again.stderr
    whole = subprocess.run([*command[:-2], "-o", "whole.nvk"], input=text.encode(), capture_output=True)
    assert whole.returncode == 0, whole.stderr
    assert Path("m.nvk").read_bytes() == Path("whole.nvk").read_bytes()
