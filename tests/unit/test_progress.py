"""Progress within a pass: a bar on a terminal, doubling lines elsewhere, and nothing when it is quiet."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from novikoff.cli.text import progress
from novikoff.cli.text.progress import Progress
from novikoff.perceptron.run import plane_arrays

LINE = (
    r"pass (\d) of at most 3: ([\d,]+) of 500 (rows|MB), [\d,]+ rows/s, at most [\d,]+ (?:s|min) left; "
    r"\d+ updates, \d+ mistakes"
)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every look at the clock takes a second, and stretches are short."""
    seconds = iter(range(10**9))
    monkeypatch.setattr(progress.time, "perf_counter", lambda: float(next(seconds)))
    monkeypatch.setattr(plane_arrays, "NUMBERS_AT_ONCE", 40)


def fit(shown: Progress) -> nv.Perceptron:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 4))
    clf = nv.Perceptron(max_iter=3, keep="last", train_patience=None)
    return clf.fit(X, (X[:, 0] + rng.normal(size=500) > 0).astype(int), observer=shown)


@pytest.mark.filterwarnings("ignore::novikoff.estimators.sklearn_glue.sklearn_params.NotSeparatedWarning")
@pytest.mark.usefixtures("clock")
class TestWithinAPass:
    def test_lines_come_at_doubling_seconds(self, capsys: pytest.CaptureFixture[str]) -> None:
        fit(Progress(False, 500))
        lines = [re.fullmatch(LINE, line) for line in capsys.readouterr().err.splitlines() if " of 500 rows" in line]
        assert all(lines)
        by_pass = [[int(line[2]) for line in lines if line and int(line[1]) == k] for k in (1, 2, 3)]
        for looks in by_pass:
            assert 2 <= len(looks) <= 5
            assert looks == sorted(looks)
        gaps = np.diff(by_pass[1])
        assert (gaps[1:] >= 1.5 * gaps[:-1]).all(), by_pass

    def test_a_terminal_has_a_bar(self, monkeypatch: pytest.MonkeyPatch) -> None:
        shown: list[Any] = []
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
        monkeypatch.setattr(Progress, "_show", lambda self, *info: shown.append(info))
        fit(Progress(False, 500, 500_000_000))
        inside = [(re.fullmatch(LINE, text), share) for text, share in shown if " of 500 MB" in text]
        assert len(inside) > 60
        assert all(
            info and (int(info[1]) - 1 + int(info[2]) / 500) / 3 == pytest.approx(share) for info, share in inside
        )
        places = [(int(info[1]), share) for info, share in inside if info]
        assert places == sorted(places)

    def test_quiet_is_quiet(self, capsys: pytest.CaptureFixture[str]) -> None:
        fit(Progress(True, 500))
        assert capsys.readouterr().err == ""


def test_the_speed_of_a_stream_leaves_out_its_start(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [0.0]
    monkeypatch.setattr(progress.time, "perf_counter", lambda: now[0])
    shown = Progress(quiet=False)
    for seconds, rows in ((60.0, 100), (60.001, 400), (61.0, 1100), (63.0, 9100)):
        now[0] = seconds
        shown.on_rows(rows, 0)
    speeds = [line.partition("; ")[2] for line in capsys.readouterr().err.splitlines()]
    assert speeds == ["", "300,000 rows/s", "1,000 rows/s", "3,000 rows/s"]


def test_the_bytes_of_a_file_are_told(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("1,2,0\n3,4,1\n")
    assert nv.read(path, memory=1).rows.file_bytes == 12
