"""What is said while a run goes on and of each fit of a search: a bar on a terminal, lines elsewhere, warnings."""

from __future__ import annotations

import math
import re
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import joblib
import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import novikoff as nv
from commands import novikoff
from data.limits import limits
from data.small_sets import fit_quietly, noisy_teacher
from novikoff.cli.text import progress
from novikoff.cli.text.progress import Progress, duration
from novikoff.estimators import messages
from novikoff.kernels import compile
from novikoff.perceptron.observer import Observer

LINE = (
    r"pass (\d) of at most 3: ([\d,]+) of 500 rows, [\d,]+ rows/s, ≈[\d,]+ (?:s|min) left at most; "
    r"\d+ updates?, \d+ mistakes?"
)
Shown = list[tuple[str, float | None]]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every look at the clock takes a second, and stretches are short."""
    seconds = iter(range(10**9))
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(seconds)))
    with limits(stretch=40):
        yield


def fit(shown: Progress, n: int = 500, **how: Any) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 4))
    choices = {"max_iter": 3, "keep": "last", "train_patience": None} | how
    fit_quietly(nv.Perceptron(**choices), X, (X[:, 0] + rng.normal(size=n) > 0).astype(int), observer=shown)


@pytest.fixture
def bar(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Shown]:
    """What a terminal shows of a run: texts, and the share that is done."""
    shown: Shown = []
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(Progress, "show", lambda self, *info: shown.append(info))

    def of_run(n: int, **how: Any) -> Shown:
        shown.clear()
        fit(Progress(False, n), n, **how)
        return shown

    return of_run


# ---- bars and lines


@pytest.mark.usefixtures("clock")
def test_lines_come_at_doubling_seconds_and_not_when_it_is_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    began = time.perf_counter()
    fit(Progress(False, 500))
    seconds = time.perf_counter() - began
    lines = [re.fullmatch(LINE, line) for line in capsys.readouterr().err.splitlines() if " of 500 rows, " in line]
    assert all(lines)
    done = [500 * (int(line[1]) - 1) + int(line[2]) for line in lines if line]
    assert 4 <= len(done) <= 1 + math.log2(seconds / progress.LONG)
    assert done == sorted(done)
    assert (np.diff(done)[2:] >= 1.5 * np.diff(done)[1:-1]).all(), done
    fit(Progress(True, 500))
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("clock")
def test_the_bar_shows_the_share_of_the_whole_run(bar: Callable[..., Shown]) -> None:
    """Within a pass of many rows, over the passes of few, and of a limit of seconds; without a limit there is none."""
    inside = [(re.fullmatch(LINE, text), share) for text, share in bar(500) if " of 500 rows, " in text]
    assert len(inside) > 60
    shares = [(int(info[1]) - 1 + int(info[2]) / 500) / 3 for info, _ in inside if info]
    assert shares == sorted(shares) == pytest.approx([share for _, share in inside])
    passes = 0
    for text, share in bar(30, max_iter=40):
        passes, before = int(re.match(r"pass (\d+) of at most 40: ", text)[1]), passes  # type: ignore[index]
        assert before <= passes <= before + 3
        assert share is not None
        assert (passes - 1) / 40 <= share <= passes / 40, text
        said = re.search(r"([\d,]+) rows/s, ≈(\d+) (s|min) left at most", text)
        if said is not None:  # there is no speed of the first rows yet
            left, size = 30 * 40 * (1 - share) / max(1, int(said[1].replace(",", ""))), 60 if said[3] == "min" else 1
            assert left * 0.5 - size <= int(said[2]) * size <= left * 2 + size, text
    shown = bar(30, max_iter=10**6, max_time=200.0)
    timed = [share for _, share in shown if share is not None]
    assert timed == sorted(timed)
    assert timed[0] < 0.5 < 0.9 < timed[-1]
    assert re.search(r"≈\d+ s left at most", shown[-1][0])
    shown = bar(30, max_iter=None, max_updates=300)
    assert shown
    assert all(share is None and " of at most " not in text and " left" not in text for text, share in shown)


def test_neither_compiling_nor_the_start_of_a_stream_counts_in_the_speed(
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
    now[0], compile.compile_time.seconds = 0.0, 0.0
    shown = Progress(quiet=False)
    for now[0], rows in ((60.0, 100), (60.001, 400), (61.0, 1100), (63.0, 9100)):
        shown.due = 0.0
        shown.on_rows(rows, 0)
    speeds = [line.partition("; ")[2] for line in capsys.readouterr().err.splitlines()]
    assert speeds == ["", "", "1,000 rows/s", "3,000 rows/s"]  # a millisecond says nothing


def test_a_time_has_one_unit() -> None:
    times = {0: "1 s", 0.2: "1 s", 99: "99 s", 99.5: "2 min", 7_200: "120 min", 10_801: "4 h", 1e9: "277,778 h"}
    assert {seconds: duration(seconds) for seconds in times} == times


# ---- a run of many passes and many seconds says how to end it, unless something else reports it

LONG_RUN = re.compile(
    r"novikoff: fit: pass (\d+)( of at most 300)?, \d+ mistakes?, \d+ s; to end earlier, set max_iter or max_time, or "
    r"press Ctrl-C, which keeps the weights so far"
)
LONG: dict[str, Any] = {"keep": "average", "max_iter": 300, "train_patience": None}


def test_a_long_run_says_how_to_end_it_unless_it_is_not_long_or_reported(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def said(seconds: float, **how: Any) -> list[str]:
        monkeypatch.setattr(messages, "LONG", seconds)
        observer = {"observer": how.pop("observer")} if "observer" in how else {}
        fit_quietly(nv.Perceptron(**how), *noisy_teacher(), **observer)
        return capsys.readouterr().err.splitlines()

    lines = [LONG_RUN.fullmatch(line) for line in said(0.0, **LONG)]
    assert lines
    assert all(lines)
    assert lines[0] is not None
    assert lines[0][1] == "200"
    for how in ({}, LONG | {"max_iter": 199}, LONG | {"max_iter": 200}, {"keep": "average"}):
        assert said(0.0, **how) == []  # twenty passes by default; the 200th pass may be the last
    assert said(1e9, **LONG) == []
    assert not any("to end earlier" in line for line in said(0.0, **LONG, verbose=True))
    assert said(0.0, **LONG, observer=Observer()) == []
    told = novikoff("fit", "--example", "iris", "--keep", "average", "--max-passes", 300, "--stall-train", "off")
    assert "to end earlier" not in told.err


def test_the_lines_of_a_long_run_come_after_ten_seconds_and_then_after_twice_the_time(
    capsys: pytest.CaptureFixture[str],
) -> None:
    watch, lines = messages.LongRun(), []
    stops = SimpleNamespace(max_passes=None)
    for passes, seconds in ((199, 99.0), (200, 9.9), (201, 10.0), (300, 19.9), (301, 20.5), (302, 40.9), (303, 41.0)):
        row = {"seconds": seconds, "mistakes": 1}
        run: Any = SimpleNamespace(reason=None, passes=passes, passes_before=0, plan=SimpleNamespace(stops=stops))
        run.last_pass = lambda row=row: row
        watch.end_pass(run)
        lines.append(capsys.readouterr().err.partition(";")[0].removeprefix("novikoff: fit: "))
    first, second, third = "pass 201, 1 mistake, 10 s", "pass 301, 1 mistake, 20 s", "pass 303, 1 mistake, 41 s"
    assert lines == ["", "", first, "", second, "", third]


# ---- each fit of a search warns with its figures, at the user's line or the line that fits

X, Y = noisy_teacher(40, 3)
CHOICES = {"max_iter": [1, 2, 3, 4]}


def found(action: Any, call: Callable[[], object], times: int = 1) -> list[warnings.WarningMessage]:
    """The warnings of a call, repeated, with a filter."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.resetwarnings()
        warnings.simplefilter(action)
        for _ in range(times):
            call()
    return caught


def test_each_fit_warns_with_its_own_figures_unless_a_filter_says_otherwise() -> None:
    def grid() -> None:
        GridSearchCV(nv.Perceptron(max_iter=2), CHOICES, cv=5).fit(X, Y)

    def threads() -> None:
        with joblib.parallel_config("threading"):
            cross_val_score(nv.Perceptron(max_iter=2), X, Y, n_jobs=2)

    warned = found("always", grid)
    assert len(warned) == 21
    assert {(one.category, one.filename) for one in warned} == {(nv.NotSeparatedWarning, __file__)}
    assert found("ignore", grid) == []
    with pytest.raises(nv.NotSeparatedWarning, match="max_passes"):  # pytest's own filter is "error"
        nv.Perceptron(max_iter=2).fit(X, Y)
    for steps in ([], [StandardScaler()]):
        choices = iter([1, 2, 3])
        warned = found("default", lambda steps=steps, k=choices: make_pipeline(
            *steps, nv.Perceptron(max_iter=next(k))).fit(X, Y), 3)  # fmt: skip
        assert len({str(warning.message) for warning in warned}) == 3
    warned = found("always", threads)  # the line of the call is in another thread
    assert len(warned) == 5
    assert all("sklearn" in Path(warning.filename).parts for warning in warned)


@pytest.mark.slow
def test_parallel_processes_warn_at_the_line_that_fits() -> None:
    program = f"""
import numpy as np, novikoff as nv
from sklearn.model_selection import GridSearchCV
X, y = {X.tolist()}, {Y.tolist()}
GridSearchCV(nv.Perceptron(), {CHOICES}, cv=5, n_jobs=2).fit(X, y)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    where = [line.partition(": NotSeparatedWarning")[0] for line in done.stderr.splitlines() if ": NotSep" in line]
    assert where
    assert all("sklearn" in place or place.startswith("<string>:") for place in where), where
