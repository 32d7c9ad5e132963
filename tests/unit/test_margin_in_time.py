"""A margin within a limit of time: what is proved by then, or no claim at all; and a verb that tells it is at work."""

from __future__ import annotations

import io
import sys
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import novikoff as nv
from commands import answer, novikoff
from novikoff.certify.check import verify as verify_module
from novikoff.exact.margin_evidence import evidence
from novikoff.exact.deadline import TimeIsUpError
from novikoff.certify.decide.relation import Relation
from novikoff.cli.text import progress
from novikoff.engines import partitions
from novikoff.errors import InputError, UndecidedError
from novikoff.maxmargin import margin as module
from novikoff.maxmargin import widest_plane as widest_module
from novikoff.maxmargin.exact_widest import Exactly
from novikoff.maxmargin.widest_plane import WidestSearch

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
    info = novikoff("margin", "--example", "or", "--max-seconds", "1e-9")
    assert info.code == 4
    assert info.out.startswith("UNDECIDED  after 1e-09 seconds: nothing is claimed about the 4 points.")
    assert answer("margin", "--example", "or", "--max-seconds", "1e-9", code=4)["separable"] is None
    whole = answer("margin", "--example", "or")
    assert answer("margin", "--example", "or", "--max-seconds", "1e6") == whole
    widest = module.widest
    monkeypatch.setattr(module, "widest", lambda points, two, gap: widest(points, two, gap) if two else late())
    found = answer("margin", "--example", "or", "--w0", "0,0,1", "--max-seconds", "1e6", code=4)
    assert (found["geometric"], found["padded"], found["mistake_bound"]) == (whole["geometric"], None, None)
    info = novikoff("margin", "--example", "or", "--max-seconds", "1e6")
    assert info.code == 4
    assert "geometric margin" in info.out
    assert info.out.splitlines()[-1].startswith("UNDECIDED  after 1e+06 seconds: no padded margin")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_on_a_terminal_a_verb_tells_that_it_is_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(progress, "FIRST", 0.0)
    monkeypatch.setattr(progress, "OFTEN", 0.001)
    monkeypatch.setattr(progress.Progress, "show", lambda _, text, share: shown.append(text))
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


class Counting:
    """A clock that is over after so many looks at it."""

    def __init__(self, most: int) -> None:
        self.most, self.request = most, 0

    def __call__(self) -> None:
        self.request += 1
        if self.request > self.most:
            raise TimeIsUpError

    def spend(self, numbers: int) -> None:
        """No limit of work."""


def table(n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    """Separable points: a few numbers, a class by the sign of a sum."""
    X = np.random.default_rng(1).integers(-4, 5, (n, d)).astype(float)
    y = np.where(X @ np.arange(1.0, d + 1) > 0, 1, -1)
    X[:, 0] += y
    return X, y


@pytest.mark.parametrize(
    "evidence_of", [pytest.param(lambda X: X, id="dense"), pytest.param(sp.csr_matrix, id="sparse")]
)
def test_the_exact_check_of_a_margin_ends_at_every_look_at_the_clock(
    evidence_of: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(partitions, "NUMBERS", 1000)  # more than one partition: the clock is looked at between them
    X, y = table(500, 10)
    points = module.signed_points(evidence_of(X), y, True)
    plane, weights = [*range(1, 11), 0], {int(np.argmax(y == 1)): 1, int(np.argmax(y == -1)): 1}
    every = Counting(10**9)
    found = evidence(points, plane, weights, True)
    points.between = every
    assert found == evidence(points, plane, weights, True)
    assert every.request > 4  # before and after the mixtures, and between partitions
    for most in range(every.request):
        points.between = clock = Counting(most)
        with pytest.raises(TimeIsUpError):
            evidence(points, plane, weights, True)
        assert clock.request == most + 1  # nothing went on after the time was up


def test_a_margin_heeds_the_clock_at_every_step_and_what_was_proved_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the first interval is proved: undecided. From then on: that interval, or the exact margin."""
    X, y = table(300, 6)
    exact = nv.margin(X, y).geometric
    steps: list[Counting] = []
    most = 10**9

    class Clock(Counting):
        def __init__(self, _: object) -> None:
            super().__init__(most)
            self.left = None
            steps.append(self)

    monkeypatch.setattr(module, "Clock", Clock)
    assert nv.margin(X, y, max_time=60.0).geometric.gamma == exact.gamma
    all_steps, answers = steps[-1].request, []
    for most in range(all_steps):
        try:
            gamma = nv.margin(X, y, max_time=60.0).geometric.gamma
        except UndecidedError as error:
            answers.append(str(error))
        else:
            assert gamma[0] <= exact.gamma[0] <= exact.gamma[1] <= gamma[1]
            answers.append("interval")
        assert steps[-1].request == most + 1
    undecided = "margin: geometric was not found within max_time, 60 seconds; undecided; allow more time"
    assert set(answers) == {undecided, "interval"}
    assert answers == sorted(answers, reverse=True)  # more time never takes an answer away


@pytest.mark.slow
def test_the_search_of_a_widest_plane_looks_at_the_clock_within_a_search_of_many_rounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((150, 140)), rng.integers(0, 2, 150)
    looks = Counting(10**9)
    points = module.signed_points(X, y, True)
    with points.watched(looks):  # type: ignore[arg-type]
        found = WidestSearch(points, True, 1e-13).run()
    assert found.plane.size
    assert len(found.vertices) > 64  # each of them entered in a round of its own
    assert looks.request > len(found.vertices) // 64
    monkeypatch.setattr(widest_module, "ROUNDS", 10**6)
    same = WidestSearch(points, True, 1e-13).run()  # all rounds in one call
    assert same.plane.tobytes() == found.plane.tobytes()
    assert same.weights.tobytes() == found.weights.tobytes()


def test_an_interval_wider_than_the_gap_that_was_asked_for_is_the_answer_when_the_time_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = widest_module.widest
    monkeypatch.setattr(widest_module, "widest", lambda points, two, gap: whole(points, two, gap) if gap else late())
    monkeypatch.setattr(widest_module.ProvedMargin, "gap", 1.0)
    points = module.signed_points(*OR, True)
    found = whole(points, True, 1e-12)
    assert found is not None
    assert 0 < found.low2 <= Fraction(1, 8) <= found.high2


def test_a_radius_beyond_its_time_is_undecided_and_the_verb_says_what_is_known(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    m = nv.margin(*OR)
    m.max_time = 1e-9
    with pytest.raises(UndecidedError, match="radius was not found within max_time"):
        m.radius2  # noqa: B018
    monkeypatch.setattr(module, "radius2", late)
    whole = ["margin", "--example", "or", "--max-seconds", "1e6", "-o", str(tmp_path / "proof.json")]
    info = novikoff(*whole)
    assert info.code == 4
    assert "padded margin  γ = √(1/9)" in info.out
    last = info.out.splitlines()[-1]
    assert last.startswith("UNDECIDED  after 1e+06 seconds: no mistake bound is proved, no proof is saved. Give more")
    assert not list(tmp_path.iterdir())
    found = answer(*whole, code=4)
    assert (found["padded"]["gamma2"], found["mistake_bound"], found["certificate"]) == ("1/9", None, None)


@pytest.mark.slow
def test_points_that_are_not_separable_are_told_so_though_their_weights_do_not_come_in_time(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path, proof = tmp_path / "noise.csv", tmp_path / "proof.json"
    rng = np.random.default_rng(2)
    np.savetxt(path, np.column_stack([rng.standard_normal((150, 40)), rng.integers(0, 2, 150)]), delimiter=",")
    whole = answer("margin", path, "--max-seconds", "1e6", code=1)
    monkeypatch.setattr(Relation, "weights", late)
    info = novikoff("margin", path, "--max-seconds", "1e6")
    assert info.code == 1
    assert info.out.startswith("NOT SEPARABLE  no plane has all 150 points on their own side, so there is no margin")
    found = answer("margin", path, "--max-seconds", "1e6", code=1)
    assert (found["separable"], found["support"], found["weights"]) == (False, whole["support"], None)
    info = novikoff("margin", path, "--max-seconds", "1e6", "-o", proof)
    assert info.code == 4
    assert "proof  NOT saved: its weights were not found in time." in info.out
    assert not proof.exists()
    monkeypatch.setattr(verify_module, "LARGEST_FILE", 1000)  # as of very wide points
    info = novikoff("margin", path, "-o", proof)
    assert (info.code, "an interval proof, which cannot be saved" in info.err, proof.exists()) == (3, True, False)
