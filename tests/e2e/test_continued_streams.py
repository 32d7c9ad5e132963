"""A model is trained further on a stream: `fit - --from MODEL`, `nv.load` then `partial_fit`."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import novikoff as nv
from commands import novikoff

COLORS = ("red", "green", "blue")


def csv_rows(lo: int, hi: int) -> list[str]:
    rng = np.random.default_rng(5)
    numbers = rng.integers(-9, 10, (200, 2))
    return [f"{a},{b},free {COLORS[k % 3]} mail {k % 7},{'spam' if 2 * a - b + (k % 3) > 0 else 'ham'}"
            for k, (a, b) in enumerate(numbers.tolist())][lo:hi]  # fmt: skip


def svm_rows(lo: int, hi: int) -> list[str]:
    """Three classes and all 40 columns are in the first rows."""
    rng = np.random.default_rng(6)
    lines = []
    for _ in range(200):
        columns = [*sorted(rng.choice(np.arange(1, 40), 2, replace=False).tolist()), 40]
        lines.append(f"{int(rng.integers(3))} " + " ".join(f"{j}:{int(rng.integers(1, 9))}" for j in columns))
    return lines[lo:hi]


STREAMS: dict[str, tuple[Any, list[str]]] = {
    "csv": (lambda lo, hi: ["a,b,text,label", *csv_rows(lo, hi)], ["--format", "csv", "--columns", "a,b"]),
    "text": (lambda lo, hi: ["a,b,text,label", *csv_rows(lo, hi)],
             ["--format", "csv", "--text", "text", "--hash-bits", "5", "--normalize"]),
    "svm": (svm_rows, ["--format", "svm"]),
    "svm-products": (lambda lo, hi: [f"{1 + k % 2} 1:{k} 3:{k * k % 7}" for k in range(200)][lo:hi],
                     ["--format", "svm", "--features", "poly2"]),
}  # fmt: skip
KEEPS = (["--keep", "last"], ["--keep", "last", "--rule", "pa1", "--pa-C", "0.5"])


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


@pytest.mark.parametrize("keep", KEEPS, ids=["perceptron", "pa1"])
@pytest.mark.parametrize("kind", STREAMS)
def test_from_a_model_a_stream_goes_on_from_its_weights(fit_stream: Any, kind: str, keep: list[str]) -> None:
    rows, options = STREAMS[kind]
    begin = [*options, *keep, "--max-passes", 1]
    fit_stream(rows(0, 200), *begin, "-o", "whole.nvk")
    fit_stream(rows(0, 70), *begin, "-o", "part.nvk")
    fit_stream(rows(70, 71), "--from", "part.nvk", "-o", "part.nvk")
    told = fit_stream(rows(71, 200), "--from", "part.nvk", "-o", "both.nvk")
    assert "from   part.nvk: these points are a stream from its weights" in told.out
    assert "129 points" in told.out
    a, b = nv.load("whole.nvk"), nv.load("both.nvk")
    assert a.coef_.tobytes() == b.coef_.tobytes()
    assert a.intercept_.tobytes() == b.intercept_.tobytes()


def test_a_stream_of_the_command_line_goes_on_in_python_with_a_data_frame(fit_stream: Any) -> None:
    rows, options = STREAMS["text"]
    fit_stream(rows(0, 200), *options, "--keep", "last", "--max-passes", 1, "-o", "whole.nvk")
    fit_stream(rows(0, 90), *options, "--keep", "last", "--max-passes", 1, "-o", "part.nvk")
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


def test_columns_that_the_model_does_not_have_are_ignored_and_counted(fit_stream: Any) -> None:
    fit_stream(["1 1:2", "0 2:3", "1 1:1 2:1"], "--format", "svm", "--max-passes", 1, "-o", "m.nvk")
    fit_stream(["0 1:1 7:5"], "--from", "m.nvk", "-o", "more.nvk")
    assert nv.load("more.nvk").n_features_in_ == 2


def test_a_stream_has_no_checkpoints(fit_stream: Any) -> None:
    told = fit_stream(["1,a", "2,b"], "--format", "csv", "--max-passes", 1, "--checkpoint", "ck", code=2)
    assert "--checkpoint: not available for a stream, which is read once; use a file" in told.err
