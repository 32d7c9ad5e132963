"""A long elimination in a process of its own gives what it gives here, or is ended."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest

from novikoff.certify.deadline import Clock, TimeIsUpError
from novikoff.certify.solve import elimination_process
from novikoff.certify.solve.elimination_process import circuit_in_time
from novikoff.certify.solve.solver import circuit_of

CIRCUIT = [[1, 0], [0, 3], [-(2**90), -1]]


@pytest.fixture(autouse=True)
def everything_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elimination_process, "LONG", 0)


@pytest.mark.parametrize("rows", [CIRCUIT, [[1, 0], [0, 1], [1, 1]], [[1, 0], [0, 1]]])
def test_a_process_of_its_own_gives_the_same(rows: list[list[int]]) -> None:
    for limit in (None, 60.0):
        assert circuit_in_time(rows, Clock(limit)) == circuit_of(rows)


def test_it_is_ended_when_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Any] = []
    begin = subprocess.Popen

    def watched(*args: Any, **how: Any) -> Any:
        started.append(begin(*args, **how))
        return started[-1]

    monkeypatch.setattr(elimination_process, "CHILD", "import time; time.sleep(600)")
    monkeypatch.setattr(subprocess, "Popen", watched)
    with pytest.raises(TimeIsUpError):
        circuit_in_time(CIRCUIT, Clock(0.2))
    assert started[0].returncode not in (None, 0)


def test_an_interruption_ends_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Any] = []

    class Interrupted(subprocess.Popen):  # type: ignore[type-arg]
        def communicate(self, *args: Any, **how: Any) -> Any:
            started.append(self)
            raise KeyboardInterrupt

    monkeypatch.setattr(subprocess, "Popen", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        circuit_in_time(CIRCUIT, Clock(None))
    assert started[0].returncode is not None


@pytest.mark.parametrize("child", ["raise SystemExit(7)", "nonsense("])
def test_where_the_process_fails_the_work_is_done_here(child: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elimination_process, "CHILD", f"import sys; sys.stderr = None; {child}")
    if child == "nonsense(":
        monkeypatch.setattr(elimination_process.sys, "executable", "/nowhere/python")
    assert circuit_in_time(CIRCUIT, Clock(None)) == circuit_of(CIRCUIT)


def test_time_that_is_over_before_it_begins() -> None:
    with pytest.raises(TimeIsUpError):
        circuit_in_time(CIRCUIT, Clock(1e-9))
