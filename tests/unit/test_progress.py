"""Progress within a pass: a bar on a terminal, doubling lines elsewhere, and nothing when it is quiet."""

from __future__ import annotations

import math
import re
import sys
import time
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from novikoff.cli.text import progress
from novikoff.cli.text.progress import Progress, duration
from novikoff.kernels import compile
from novikoff.perceptron import run_state

LINE = (
    r"pass (\d) of at most 3: ([\d,]+) of 500 rows, [\d,]+ rows/s, ≈[\d,]+ (?:s|min) left at most; "
    r"\d+ updates?, \d+ mistakes?"
)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every look at the clock takes a second, and stretches are short."""
    seconds = iter(range(10**9))
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(seconds)))
    monkeypatch.setattr(run_state, "NUMBERS_AT_ONCE", 40)


def fit(shown: Progress) -> nv.Perceptron:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 4))
    clf = nv.Perceptron(max_iter=3, keep="last", train_patience=None)
    return clf.fit(X, (X[:, 0] + rng.normal(size=500) > 0).astype(int), observer=shown)


@pytest.mark.filterwarnings("ignore::novikoff.estimators.sklearn_classifier.NotSeparatedWarning")
@pytest.mark.usefixtures("clock")
class TestWithinAPass:
    def test_lines_come_at_doubling_seconds(self, capsys: pytest.CaptureFixture[str]) -> None:
        began = time.perf_counter()
        fit(Progress(False, 500))
        seconds = time.perf_counter() - began
        lines = [re.fullmatch(LINE, line) for line in capsys.readouterr().err.splitlines() if " of 500 rows, " in line]
        assert all(lines)
        done = [500 * (int(line[1]) - 1) + int(line[2]) for line in lines if line]
        assert 4 <= len(done) <= 1 + math.log2(seconds / progress.LONG)
        assert done == sorted(done)
        assert (np.diff(done)[2:] >= 1.5 * np.diff(done)[1:-1]).all(), done

    def test_a_terminal_has_a_bar(self, monkeypatch: pytest.MonkeyPatch) -> None:
        shown: list[Any] = []
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
        monkeypatch.setattr(Progress, "show", lambda self, *info: shown.append(info))
        fit(Progress(False, 500))
        inside = [(re.fullmatch(LINE, text), share) for text, share in shown if " of 500 rows, " in text]
        assert len(inside) > 60
        assert all(
            info and (int(info[1]) - 1 + int(info[2]) / 500) / 3 == pytest.approx(share) for info, share in inside
        )
        places = [(int(info[1]), share) for info, share in inside if info]
        assert places == sorted(places)

    def test_quiet_is_quiet(self, capsys: pytest.CaptureFixture[str]) -> None:
        fit(Progress(True, 500))
        assert capsys.readouterr().err == ""


def shown_by(monkeypatch: pytest.MonkeyPatch, n: int, **how: Any) -> list[tuple[str, float | None]]:
    """What a terminal shows of a run on n rows, if every look at the clock takes a second."""
    shown: list[Any] = []
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(Progress, "show", lambda self, *info: shown.append(info))
    rng = np.random.default_rng(0)
    clf = nv.Perceptron(keep="last", train_patience=None, **how)
    clf.fit(rng.normal(size=(n, 4)), np.arange(n) % 2, observer=Progress(False, n))
    return shown


@pytest.mark.filterwarnings("ignore::novikoff.estimators.sklearn_classifier.NotSeparatedWarning")
@pytest.mark.usefixtures("clock")
class TestTheWholeRun:
    def test_the_bar_of_small_data_shows_the_share_of_the_passes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        shown = shown_by(monkeypatch, 30, max_iter=40)
        passes = [int(re.match(r"pass (\d+) of at most 40: ", text)[1]) for text, _ in shown]  # type: ignore[index]
        assert passes == sorted(passes)
        assert passes[0] <= 3
        for number, (text, share) in zip(passes, shown, strict=True):
            assert share is not None
            assert (number - 1) / 40 <= share <= number / 40, text

    def test_the_time_left_is_that_of_the_passes_left(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for text, share in shown_by(monkeypatch, 30, max_iter=40):
            said = re.search(r"([\d,]+) rows/s, ≈(\d+) (s|min) left at most", text)
            if said is None:  # there is no speed of the first rows yet
                continue
            assert share is not None
            left = 30 * 40 * (1 - share) / max(1, int(said[1].replace(",", "")))
            size = 60 if said[3] == "min" else 1
            assert left * 0.5 - size <= int(said[2]) * size <= left * 2 + size, text

    def test_a_limit_of_seconds_counts_too(self, monkeypatch: pytest.MonkeyPatch) -> None:
        shown = shown_by(monkeypatch, 30, max_iter=10**6, max_time=200.0)
        assert len(shown) > 5
        shares = [share for _, share in shown if share is not None]
        assert shares == sorted(shares)
        assert shares[-1] > 0.9
        assert re.search(r"≈\d+ s left at most", shown[-1][0])

    def test_without_a_limit_there_is_no_share(self, monkeypatch: pytest.MonkeyPatch) -> None:
        shown = shown_by(monkeypatch, 30, max_iter=None, max_updates=300)
        assert shown
        for text, share in shown:
            assert share is None
            assert " of at most " not in text
            assert " left" not in text


def test_compiling_does_not_count_in_the_speed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    monkeypatch.setattr(compile, "compile_time", SimpleNamespace(seconds=0.0))
    shown = Progress(quiet=False)
    shown.on_rows(100, 0)
    now[0], compile.compile_time.seconds = 64.0, 60.0
    shown.on_rows(4_100, 0)
    assert capsys.readouterr().err == "4,100 rows: 0 mistakes (0.00%); 1,000 rows/s\n"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "1 s"), (0.2, "1 s"), (99, "99 s"), (99.5, "2 min"), (7_200, "120 min"), (10_801, "4 h"), (1e9, "277,778 h")],
)
def test_a_time_has_one_unit(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_the_speed_of_a_stream_does_not_count_its_start(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    shown = Progress(quiet=False)
    for seconds, rows in ((60.0, 100), (60.001, 400), (61.0, 1100), (63.0, 9100)):
        now[0] = seconds
        shown.due = 0.0
        shown.on_rows(rows, 0)
    speeds = [line.partition("; ")[2] for line in capsys.readouterr().err.splitlines()]
    assert speeds == ["", "", "1,000 rows/s", "3,000 rows/s"]  # a millisecond says nothing
