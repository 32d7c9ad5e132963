"""A margin within a limit of time: what is proved by then, or no claim at all; and a verb that tells it is at work."""

from __future__ import annotations

import io
import sys
import time

import pytest

import novikoff as nv
from commands import answer, novikoff
from novikoff.certify.clock import TimeIsUpError
from novikoff.cli import progress
from novikoff.errors import InputError, UndecidedError
from novikoff.width import margin as module
from novikoff.width.exactly import Exactly

OR = ([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 1])


def late(*_: object) -> object:
    raise TimeIsUpError


def test_without_a_limit_and_with_a_long_one_the_answer_is_the_same() -> None:
    m, n = nv.margin(*OR), nv.margin(*OR, max_time=1e6)
    assert (m.geometric.gamma2, m.padded.gamma2, m.radius2, m.updates) == (
        n.geometric.gamma2, n.padded.gamma2, n.radius2, n.updates,
    )  # fmt: skip


def test_no_time_no_claim() -> None:
    with pytest.raises(UndecidedError, match="geometric was not found within max_time, 1e-09 seconds"):
        nv.margin(*OR, max_time=1e-9)
    m = nv.margin(*OR)
    m.max_time = 1e-9
    with pytest.raises(UndecidedError, match="padded was not found within max_time"):
        m.padded  # noqa: B018
    m.max_time = None
    assert m.padded.gamma2 is not None
    m.max_time = 1e-9
    assert not m.finished


@pytest.mark.parametrize("wrong", [0, -1, "soon", True])
def test_a_limit_is_a_positive_number(wrong: object) -> None:
    with pytest.raises(InputError, match="max_time"):
        nv.margin(*OR, max_time=wrong)  # type: ignore[arg-type]


def test_an_interval_that_was_proved_in_time_is_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = nv.margin(*OR).geometric
    monkeypatch.setattr(Exactly, "solve", late)
    found = nv.margin(*OR, max_time=1e6).geometric
    assert found.gamma[0] <= exact.gamma[1]
    assert exact.gamma[0] <= found.gamma[1]


def test_points_that_may_not_be_separable_are_undecided_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "widest", lambda *_: None)
    monkeypatch.setattr(module, "decide", lambda *_, **how: nv.decide(*OR, max_time=min(how["max_time"], 1e-9)))
    with pytest.raises(UndecidedError, match="geometric"):
        nv.margin([[0.0, 1.0]] * 8, [0, 1] * 4, max_time=1e6)


def test_the_command_line_says_what_it_knows_and_ends_with_4(monkeypatch: pytest.MonkeyPatch) -> None:
    told = novikoff("margin", "--example", "or", "--max-seconds", "1e-9")
    assert told.code == 4
    assert told.out.startswith("UNDECIDED  after 1e-09 seconds: nothing is claimed about the 4 points.")
    assert answer("margin", "--example", "or", "--max-seconds", "1e-9", code=4)["separable"] is None
    whole = answer("margin", "--example", "or")
    assert answer("margin", "--example", "or", "--max-seconds", "1e6") == whole
    widest = module.widest
    monkeypatch.setattr(module, "widest", lambda points, two, gap: widest(points, two, gap) if two else late())
    found = answer("margin", "--example", "or", "--w0", "0,0,1", "--max-seconds", "1e6", code=4)
    assert (found["geometric"], found["padded"], found["mistake_bound"]) == (whole["geometric"], None, None)
    told = novikoff("margin", "--example", "or", "--max-seconds", "1e6")
    assert told.code == 4
    assert "geometric margin" in told.out
    assert told.out.splitlines()[-1].startswith("UNDECIDED  after 1e+06 seconds: no padded margin")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_on_a_terminal_a_verb_tells_that_it_is_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(progress, "FIRST", 0.0)
    monkeypatch.setattr(progress, "OFTEN", 0.001)
    monkeypatch.setattr(progress.Progress, "_show", lambda _, text, share: shown.append(text))
    with progress.working(False, "widest planes"):
        pass  # no terminal
    monkeypatch.setattr(sys, "stderr", Terminal())
    with progress.working(True, "widest planes"):
        pass
    assert not shown
    with progress.working(False, "widest planes"):
        until = time.perf_counter() + 60.0
        while not shown and time.perf_counter() < until:
            time.sleep(0.001)
    assert shown[0] == "widest planes: 0 s"
