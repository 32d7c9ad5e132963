"""Ctrl-C during a soft margin: the best weights so far, with their proved gap, are stored, reported and saved."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from commands import answer, novikoff
from data.small_sets import labels_in_turn
from novikoff.softmargin.soft_problem import BestPoints

pytestmark = [pytest.mark.usefixtures("keyboard"), pytest.mark.slow]  # slow where the compiler is off


def pressed_at(offers: set[int], patch: pytest.MonkeyPatch) -> list[int]:
    """Press Ctrl-C when a solver offers its points for the time of these numbers; all times are counted."""
    offer, made = BestPoints.offer, [0]

    def counted(best: BestPoints, *args: Any) -> None:
        offer(best, *args)
        made[0] += 1
        if made[0] in offers:
            signal.raise_signal(signal.SIGINT)

    patch.setattr(BestPoints, "offer", counted)
    return made


CASES = [
    ("hinge", "l2", "newton", "padded"), ("hinge", "l2", "newton", "free"), ("hinge", "l2", "coordinates", "padded"),
    ("hinge", "l2", "gram", "padded"), ("squared_hinge", "l2", "coordinates_newton", "padded"),
    ("logistic", "l1", "proximal_newton", "free"),
]  # fmt: skip


@pytest.mark.parametrize(("loss", "penalty", "solver", "bias"), CASES)
@pytest.mark.parametrize("classes", [2, 3])
def test_the_weights_so_far_are_stored_with_their_gap(
    classes: int, loss: str, penalty: str, solver: str, bias: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y = labels_in_turn(60, 3, classes, seed=classes)
    clf = nv.SoftMargin(loss=loss, penalty=penalty, solver=solver, bias=bias, C=100.0)
    with monkeypatch.context() as patch:
        pressed_at({2}, patch)
        with pytest.raises(KeyboardInterrupt):
            clf.fit(X, y)
    assert clf.stop_reason_ == "interrupted"
    assert clf.coef_.shape == (1 if classes == 2 else 3, 3)
    best = nv.SoftMargin(loss=loss, penalty=penalty, bias=bias, C=100.0).fit(X, y)
    above = np.atleast_1d(clf.objective_) - np.atleast_1d(best.objective_)
    assert (above <= np.atleast_1d(clf.gap_) * (1.0 + 1e-9)).all(), "the stated gap holds"
    assert (above >= -1e-9 * np.atleast_1d(best.objective_)).all()
    assert clf.predict(X).shape == (60,)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_press_on_the_path_of_C_ends_it_at_the_value_it_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = labels_in_turn(60, 3, 2, seed=2)
    whole = nv.SoftMargin(C="auto").fit(X, y)
    with monkeypatch.context() as patch:
        made = pressed_at(set(), patch)
        nv.SoftMargin(C="auto").fit(X, y)
    clf = nv.SoftMargin(C="auto")
    pressed_at({made[0] // 2}, monkeypatch)
    with pytest.raises(KeyboardInterrupt):
        clf.fit(X, y)
    assert clf.stop_reason_ == "interrupted"
    assert clf.path_ is not None
    assert whole.path_ is not None
    reached = len(clf.path_["C"])
    assert 1 <= reached < len(whole.path_["C"])
    assert clf.path_["C"] == whole.path_["C"][:reached]
    assert clf.C_ in clf.path_["C"]


def test_the_second_press_raises_at_once_and_stores_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = labels_in_turn(60, 3, 3, seed=3)
    clf = nv.SoftMargin()
    pressed_at({1, 2}, monkeypatch)
    with pytest.raises(KeyboardInterrupt):
        clf.fit(X, y)
    assert not hasattr(clf, "coef_")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_press_at_the_end_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = nv.example("and")
    with monkeypatch.context() as patch:
        made = pressed_at(set(), patch)
        nv.SoftMargin().fit(X, y)
    clf = nv.SoftMargin()
    pressed_at({made[0]}, monkeypatch)
    with pytest.raises(KeyboardInterrupt):
        clf.fit(X, y)
    assert clf.stop_reason_ in ("gap", "interrupted")
    assert clf.gap_ <= 1e-12 * clf.objective_


def test_the_command_reports_saves_and_exits_with_130(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = ("fit", "--example", "iris", "--soft", "hinge", "-o", tmp_path / "m.nvk")
    with monkeypatch.context() as patch:
        pressed_at({2}, patch)
        info = novikoff(*command)
    assert info.code == 130, info.err
    assert info.out.startswith("INTERRUPTED  ")
    assert "\ngap    the objective of every plane is at most " in info.out
    assert " of itself above its minimum, proved\nsoft   hinge loss" in info.out
    assert f"\nmodel  {tmp_path / 'm.nvk'}" in info.out
    clf = nv.load(tmp_path / "m.nvk")
    assert clf.stop_reason_ == "interrupted"
    assert "; ended by interrupted after " in novikoff("explain", tmp_path / "m.nvk").out
    with monkeypatch.context() as patch:
        pressed_at({2}, patch)
        document = answer(*command, code=130)
    assert document["stop_reason"] == "interrupted"
    assert document["gap"] == clf.gap_.tolist()


def test_the_second_press_of_the_command_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pressed_at({1, 2}, monkeypatch)
    info = novikoff("fit", "--example", "iris", "--soft", "hinge", "-o", tmp_path / "m.nvk")
    assert (info.code, info.out) == (130, "")
    assert "novikoff: interrupted" in info.err
    assert not list(tmp_path.iterdir())


def test_cross_validation_ends_with_the_folds_that_were_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    command = ("cv", "--example", "iris", "--soft", "hinge", "--gap", "1e-3")
    with monkeypatch.context() as patch:
        made = pressed_at(set(), patch)
        whole = novikoff(*command)
    pressed_at({made[0] // 2}, monkeypatch)
    info = novikoff(*command)
    assert (info.code, info.out) == (130, "")
    lines = info.err.splitlines()
    assert lines[0] == "novikoff: interrupted"
    assert 1 <= len(lines[1:]) < 5
    assert lines[1:] == whole.out.splitlines()[1 : len(lines)]
