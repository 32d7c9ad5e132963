"""Checkpoints in a folder: written whole, damage noticed, changed input refused, full disks survived.

That a resumed run is the same run is one of the routes (test_routes).
"""

from __future__ import annotations

import errno
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from scipy.sparse import csr_matrix

import novikoff as nv
from damage import BYTES
from data.limits import limits, observer
from data.routes import facts
from data.small_sets import fit_quietly, noisy_teacher

pytestmark = pytest.mark.bounds
HOW: dict[str, Any] = {"keep": "average", "order": "shuffle", "random_state": 5, "max_iter": 6}
NAME = "run.ckpt"
X, Y = noisy_teacher(20)


class BrokenError(Exception):
    """The end of a run, as if the machine had stopped."""


@pytest.fixture(autouse=True)
def _often() -> Iterator[None]:
    with limits(checkpoint=0.0, checkpoint_share=0):
        yield


def fitted(X: Any, y: Any, how: dict[str, Any] = HOW, **more: Any) -> nv.Perceptron:
    return fit_quietly(nv.Perceptron(**how), X, y, **more)


def broken_off(folder: Path, passes: int = 3, how: dict[str, Any] = HOW, points: Any = (X, Y)) -> bytes:
    """A run that comes to a sudden end after so many passes; what is on the disk then."""
    ended: list[int] = []

    def end(run: Any) -> None:
        ended.append(1)
        if len(ended) > passes:
            raise BrokenError

    with pytest.raises(BrokenError):
        fitted(*points, how, checkpoint=folder, observer=observer(end))
    return (folder / NAME).read_bytes()


def test_the_run_continues_after_any_pass(tmp_path: Path) -> None:
    wanted = facts(fitted(X, Y), X)
    for passes in range(1, 6):
        broken_off(tmp_path / str(passes), passes)
        assert os.listdir(tmp_path / str(passes)) == [NAME]
        assert facts(fitted(X, Y, checkpoint=tmp_path / str(passes), resume=True), X) == wanted


@pytest.mark.parametrize("scheme", ["ova", "ovo", "joint"])
def test_a_run_of_several_planes_continues_on_the_other_storage(scheme: str, tmp_path: Path) -> None:
    y, other = np.arange(len(X)) % 4, {"dense": csr_matrix(X), "sparse": X}
    how = HOW | {"multi_class": scheme}
    wanted = facts(fitted(X, y, how), X)
    for name, rows in (("dense", X), ("sparse", csr_matrix(X))):
        broken_off(tmp_path / name, how=how, points=(rows, y))
        assert facts(fitted(other[name], y, how, checkpoint=tmp_path / name, resume=True), X) == wanted


def test_a_warm_start_does_not_resume_the_run_before(tmp_path: Path) -> None:
    clf = fitted(X, Y, HOW | {"warm_start": True}, checkpoint=tmp_path)
    with pytest.raises(nv.InputError, match="the weights of a warm start changed"):
        clf.fit(X, Y, checkpoint=tmp_path, resume=True)


def test_an_ended_run_is_there_at_once_and_a_new_one_may_take_its_place(tmp_path: Path) -> None:
    wanted = facts(fitted(X, Y, checkpoint=tmp_path), X)
    before = (tmp_path / NAME).read_bytes()

    def looks(run: Any) -> None:
        raise AssertionError

    again = fitted(X, Y, checkpoint=tmp_path, resume=True, observer=observer(looks))
    assert facts(again, X) == wanted
    assert (tmp_path / NAME).read_bytes() == before
    fitted(-X, Y, checkpoint=tmp_path)
    assert facts(fitted(-X, Y, checkpoint=tmp_path, resume=True), -X) == facts(fitted(-X, Y), -X)


def test_a_run_that_has_not_ended_is_not_overwritten(tmp_path: Path) -> None:
    before = broken_off(tmp_path)
    with pytest.raises(nv.InputError, match=r"unfinished run; continue it with resume=True"):
        fitted(X, Y, checkpoint=tmp_path)
    assert (tmp_path / NAME).read_bytes() == before
    with pytest.raises(nv.InputError, match="resume: no checkpoint was given"):
        fitted(X, Y, resume=True)
    deep = tmp_path / "a" / "b"
    assert facts(fitted(X, Y, checkpoint=deep, resume=True), X) == facts(fitted(X, Y), X), "begins where nothing is"


def test_a_damaged_checkpoint_is_refused(tmp_path: Path) -> None:
    chance, data = random.Random(1), broken_off(tmp_path)
    damaged = [data[:size] for size in range(0, len(data), 499)]
    damaged += [kind(chance, data) for kind in BYTES for _ in range(2)]
    for bad in damaged:
        if bad == data:
            continue
        (tmp_path / NAME).write_bytes(bad)
        with pytest.raises(nv.InputError, match=r"run\.ckpt: .*Delete the checkpoint to start a new run"):
            fitted(X, Y, checkpoint=tmp_path, resume=bool(len(bad) % 2))


def test_a_write_that_was_killed_leaves_nothing_behind(tmp_path: Path) -> None:
    broken_off(tmp_path)
    (tmp_path / ".run.ckpt.99.0123abcd.part").write_bytes(b"half")
    (tmp_path / "mine.part").write_bytes(b"mine")
    fitted(X, Y, checkpoint=tmp_path, resume=True)
    assert sorted(os.listdir(tmp_path)) == ["mine.part", NAME]


def test_other_points_or_parameters_are_refused(tmp_path: Path) -> None:
    before = broken_off(tmp_path)
    one, other = X.copy(), Y.copy()
    one[13, 0] += 1e-9
    other[5] = -other[5]
    cases: list[tuple[Any, Any, dict[str, Any], dict[str, Any], str]] = [
        (one, Y, {}, {}, "X or y changed"),
        (X, other, {}, {}, "X or y changed"),
        (X[:-1], Y[:-1], {}, {}, "X or y changed"),
        (X, Y, {"keep": "last"}, {}, 'keep is "last" now and was "average"'),
        (X, Y, {"max_iter": 7}, {}, "max_iter is 7 now and was 6"),
        (X, Y, {"random_state": 6}, {}, "random_state is 6 now and was 5"),
        (X, Y, {"class_weight": {1: 2.0}}, {}, "class_weight"),
        (X, np.where(Y > 0, "b", "a"), {}, {}, "classes"),
        (X, Y, {}, {"coef_init": np.ones((1, 3))}, "coef_init"),
        (X, Y, {}, {"X_valid": X, "y_valid": Y}, "valid.* changed"),
    ]
    for rows, labels, how, more, what in cases:
        with pytest.raises(nv.InputError, match=what):
            fitted(rows, labels, HOW | how, checkpoint=tmp_path, resume=True, **more)
        assert (tmp_path / NAME).read_bytes() == before
    free = HOW | {"max_time": 1e6, "tie": "positive"}
    assert facts(fitted(X, Y, free, checkpoint=tmp_path, resume=True), X) == facts(fitted(X, Y, free), X)


def test_what_cannot_be_kept_is_refused_before_the_run(tmp_path: Path) -> None:
    with pytest.raises(nv.InputError, match=r"schedule: .* cannot be stored in a checkpoint"):
        fitted(X, Y, HOW | {"schedule": lambda k: 1 / k}, checkpoint=tmp_path)
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", tmp_path / "file" / "ck"):
        with pytest.raises(nv.InputError, match=r"checkpoint: .*cannot be written to"):
            fitted(X, Y, checkpoint=place)


def test_a_full_disk_leaves_the_old_checkpoint(tmp_path: Path) -> None:
    before = broken_off(tmp_path)
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    said = r"run\.ckpt: cannot be written \(No space left on device\)"
    with patch("os.fsync", side_effect=full), pytest.raises(nv.InputError, match=said):
        fitted(X, Y, checkpoint=tmp_path, resume=True)
    assert os.listdir(tmp_path) == [NAME]
    assert (tmp_path / NAME).read_bytes() == before
    assert facts(fitted(X, Y, checkpoint=tmp_path, resume=True), X) == facts(fitted(X, Y), X)


def test_a_run_that_was_broken_off_or_failed_lets_its_folder_go(tmp_path: Path) -> None:
    clf = fitted(X, Y, HOW | {"max_time": 1e-9}, checkpoint=tmp_path)
    assert (clf.stop_reason_, clf.n_looks_ <= 20) == ("max_seconds", True)
    assert facts(fitted(X, Y, checkpoint=tmp_path, resume=True), X) == facts(fitted(X, Y), X)
    with pytest.raises(nv.InputError, match="NaN"):
        fitted(np.where(X > 1, np.nan, X), Y, checkpoint=tmp_path / "other")
    fitted(X, Y, checkpoint=tmp_path / "other")


@pytest.mark.parametrize("schedule", ["inverse", "inverse-sqrt"])
def test_a_schedule_goes_on_with_the_rates_that_were_to_come(schedule: str, tmp_path: Path) -> None:
    """Rates are computed 1,024 at a time: those after them are not the first ones again."""
    how: dict[str, Any] = {"keep": "last", "order": "shuffle", "random_state": 1, "max_iter": 160, "schedule": schedule}
    whole = fitted(X, Y, how)
    assert whole.n_updates_ > 1100
    broken_off(tmp_path, 150, how)
    assert facts(fitted(X, Y, how, checkpoint=tmp_path, resume=True), X) == facts(whole, X)
