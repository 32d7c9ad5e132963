"""A run of many passes and many seconds says so on stderr, unless something else reports it."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest

import novikoff as nv
from commands import novikoff
from data.small_sets import fit_quietly, noisy_teacher
from novikoff.estimators import messages
from novikoff.perceptron.observer import Observer

LINE = re.compile(
    r"novikoff: fit: pass (\d+)( of at most 300)?, \d+ mistakes?, \d+ s; to end earlier, set max_iter or max_time, or "
    r"press Ctrl-C, which keeps the weights so far"
)
LONG_ENOUGH: dict[str, Any] = {"keep": "average", "max_iter": 300, "train_patience": None}


@pytest.fixture(autouse=True)
def no_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten seconds are over at once."""
    monkeypatch.setattr(messages, "LONG", 0.0)


def said(capsys: pytest.CaptureFixture[str], **how: Any) -> list[str]:
    """The lines on stderr of a fit."""
    fit_quietly(nv.Perceptron(**how), *noisy_teacher())
    return capsys.readouterr().err.splitlines()


def test_a_long_run_says_how_to_end_it(capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys, **LONG_ENOUGH)
    assert lines
    assert all(LINE.fullmatch(line) for line in lines)
    assert LINE.fullmatch(lines[0])[1] == "200"  # type: ignore[index]


def test_the_lines_come_after_ten_seconds_and_then_after_twice_the_time(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "LONG", 10.0)
    watch, lines = messages.LongRun(), []
    stops = SimpleNamespace(max_passes=None)
    for passes, seconds in ((199, 99.0), (200, 9.9), (201, 10.0), (300, 19.9), (301, 20.5), (302, 40.9), (303, 41.0)):
        row = {"seconds": seconds, "mistakes": 1}
        run: Any = SimpleNamespace(reason=None, passes=passes, passes_before=0, plan=SimpleNamespace(stops=stops))
        run.last_pass = lambda row=row: row
        watch.end_pass(run)
        lines.append(capsys.readouterr().err.partition(";")[0].removeprefix("novikoff: fit: "))
    assert lines == [
        "",
        "",
        "pass 201, 1 mistake, 10 s",
        "",
        "pass 301, 1 mistake, 20 s",
        "",
        "pass 303, 1 mistake, 41 s",
    ]


@pytest.mark.parametrize(
    "how",
    [
        {},
        LONG_ENOUGH | {"max_iter": 199},
        LONG_ENOUGH | {"max_iter": 200},
        {"keep": "average"},
    ],
)
def test_a_run_that_is_not_long_says_nothing(how: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    """A default run ends after twenty passes; that which ends with its 200th pass is over."""
    assert said(capsys, **how) == []


def test_a_run_of_few_seconds_says_nothing(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "LONG", 10.0**9)
    assert said(capsys, **LONG_ENOUGH) == []


def test_other_reports_take_its_place(capsys: pytest.CaptureFixture[str]) -> None:
    assert not any("to end earlier" in line for line in said(capsys, **LONG_ENOUGH, verbose=True))
    fit_quietly(nv.Perceptron(**LONG_ENOUGH), *noisy_teacher(), observer=Observer())
    assert capsys.readouterr().err == ""
    told = novikoff("fit", "--example", "iris", "--keep", "average", "--max-passes", 300, "--stall-train", "off")
    assert "to end earlier" not in told.err
