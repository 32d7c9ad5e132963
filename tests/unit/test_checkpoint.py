"""Checkpoints in a folder: written whole, damage noticed, changed input refused, full disks survived."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import random
import signal
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from damage import BYTES
from data.files import spilled
from data.resumed import fitted, gone_on, info, points, written_always
from novikoff.perceptron import checkpoint, run_state
from novikoff.perceptron.checkpoint import FORM, NAME, Checkpoints
from novikoff.perceptron.observer import Observer
from novikoff.perceptron.run import Run
from novikoff.records.container import load_file, pack, unpack

pytestmark = pytest.mark.bounds

HOW: dict[str, Any] = {"keep": "average", "order": "shuffle", "random_state": 5, "max_iter": 6}


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "AT_LEAST", 0.0)
    monkeypatch.setattr(checkpoint, "SHARE", 0)
    monkeypatch.setattr(run_state, "NUMBERS_AT_ONCE", 20)


class BrokenError(Exception):
    """The end of a run, as if the machine had stopped."""


@contextlib.contextmanager
def ends_after(writes: int) -> Any:
    """A run that comes to a sudden end after so many checkpoints."""
    with pytest.MonkeyPatch.context() as patch:
        write, made = checkpoint.save_file, []

        def counted(*args: Any) -> None:
            made.append(write(*args))
            if len(made) == writes:
                raise BrokenError

        patch.setattr(checkpoint, "save_file", counted)
        with pytest.raises(BrokenError):
            yield


def broken_off(X: Any, y: Any, folder: Path, writes: int = 4, how: dict[str, Any] = HOW, **more: Any) -> None:
    with ends_after(writes):
        fitted(X, y, how, checkpoint=folder, **more)


def test_the_run_continues_after_any_write(tmp_path: Path) -> None:
    X, y = points(1)
    wanted = info(fitted(X, y, HOW), X)
    for writes in range(1, 6):
        folder = tmp_path / str(writes)
        broken_off(X, y, folder, writes)
        assert os.listdir(folder) == [NAME]
        assert info(fitted(X, y, HOW, checkpoint=folder, resume=True), X) == wanted


def test_an_ended_run_is_there_at_once_and_may_be_forgotten(tmp_path: Path) -> None:
    X, y = points(1)
    wanted = info(fitted(X, y, HOW, checkpoint=tmp_path), X)
    before = (tmp_path / NAME).read_bytes()
    with ends_after(1), pytest.MonkeyPatch.context() as patch:  # neither a look nor a write
        patch.setattr(Run, "make_pass", None)
        assert info(fitted(X, y, HOW, checkpoint=tmp_path, resume=True), X) == wanted
        raise BrokenError
    assert before == (tmp_path / NAME).read_bytes()
    other, labels = points(2)
    fitted(other, labels, HOW, checkpoint=tmp_path)
    assert info(fitted(other, labels, HOW, checkpoint=tmp_path, resume=True), other)


def test_a_run_that_has_not_ended_is_not_overwritten(tmp_path: Path) -> None:
    X, y = points(1)
    broken_off(X, y, tmp_path)
    before = (tmp_path / NAME).read_bytes()
    with pytest.raises(nv.InputError, match=r"unfinished run; continue it with resume=True"):
        fitted(X, y, HOW, checkpoint=tmp_path)
    assert before == (tmp_path / NAME).read_bytes()


def test_resume_needs_a_folder_and_begins_where_there_is_nothing(tmp_path: Path) -> None:
    X, y = points(1)
    with pytest.raises(nv.InputError, match="resume: no checkpoint was given"):
        fitted(X, y, HOW, resume=True)
    assert info(fitted(X, y, HOW, checkpoint=tmp_path / "a" / "b", resume=True), X) == info(fitted(X, y, HOW), X)


@pytest.mark.parametrize("kind", range(len(BYTES)))
def test_a_damaged_checkpoint_is_refused(kind: int, tmp_path: Path) -> None:
    X, y = points(1)
    chance = random.Random(kind)
    broken_off(X, y, tmp_path)
    data = (tmp_path / NAME).read_bytes()
    for _ in range(8):
        damaged = data
        while damaged == data:
            damaged = BYTES[kind](chance, data)
        (tmp_path / NAME).write_bytes(damaged)
        for resume in (True, False):
            with pytest.raises(nv.InputError, match=r"run\.ckpt: .*Delete the checkpoint to start a new run"):
                fitted(X, y, HOW, checkpoint=tmp_path, resume=resume)


def test_cut_off_at_any_byte(tmp_path: Path) -> None:
    X, y = points(1)
    broken_off(X, y, tmp_path, 2)
    path = tmp_path / NAME
    data = path.read_bytes()
    for size in range(0, len(data), 97):
        path.write_bytes(data[:size])
        with pytest.raises(nv.InputError, match="Delete the checkpoint"):
            Checkpoints(tmp_path, resume=True)


def test_a_write_that_was_killed_leaves_nothing_behind(tmp_path: Path) -> None:
    X, y = points(1)
    broken_off(X, y, tmp_path)
    (tmp_path / ".run.ckpt.99.0123abcd.part").write_bytes(b"half")
    (tmp_path / "mine.part").write_bytes(b"mine")
    fitted(X, y, HOW, checkpoint=tmp_path, resume=True)
    assert sorted(os.listdir(tmp_path)) == ["mine.part", NAME]


def test_other_points_or_parameters_are_refused(tmp_path: Path) -> None:
    X, y = points(1)
    broken_off(X, y, tmp_path)
    one = X.copy()
    one[13, 0] += 1e-9
    other = y.copy()
    other[5] = 1 - other[5]
    for Z, z, how, what in (
        (one, y, HOW, "X or y changed; restore it"),
        (X, other, HOW, "X or y changed; restore it"),
        (X[:-1], y[:-1], HOW, "X or y changed; restore it"),
        (X, y, HOW | {"keep": "last"}, 'keep is "last" now and was "average"'),
        (X, y, HOW | {"max_iter": 7}, "max_iter is 7 now and was 6"),
        (X, y, HOW | {"random_state": 6}, "random_state is 6 now and was 5"),
        (X, y, HOW | {"class_weight": {0: 2.0}}, "class_weight"),
        (X, np.array(["a", "b"])[y], HOW, "classes"),
    ):
        with pytest.raises(nv.InputError, match=what):
            fitted(Z, z, how, checkpoint=tmp_path, resume=True)
    with pytest.raises(nv.InputError, match="coef_init"):
        fitted(X, y, HOW, checkpoint=tmp_path, resume=True, coef_init=np.ones((1, X.shape[1])))
    with pytest.raises(nv.InputError, match="X_valid or y_valid changed"):
        fitted(X, y, HOW, checkpoint=tmp_path, resume=True, X_valid=X, y_valid=y)
    free = HOW | {"max_time": 1e6, "tie": "positive"}
    assert info(fitted(X, y, free, checkpoint=tmp_path, resume=True), X) == info(fitted(X, y, free), X)


def test_what_cannot_be_kept_is_refused_before_the_run(tmp_path: Path) -> None:
    X, y = points(1)
    with pytest.raises(nv.InputError, match=r"schedule: .* cannot be stored in a checkpoint"):
        fitted(X, y, HOW | {"schedule": lambda k: 1 / k}, checkpoint=tmp_path)
    clf = fitted(X, y, HOW | {"warm_start": True})
    with pytest.raises(nv.InputError, match="warm_start"):
        clf.fit(X, y, checkpoint=tmp_path)
    with pytest.raises(nv.InputError, match="checkpoint: runs with keep='vote' have no checkpoints"):
        fitted(X, y, {"keep": "vote"}, checkpoint=tmp_path)


def test_a_changed_file_is_refused(tmp_path: Path) -> None:
    X, y = points(1, 2, 200)
    path = tmp_path / "t.csv"
    lines = [",".join(map(repr, [*x, k])) + "\n" for x, k in zip(X.tolist(), y.tolist(), strict=True)]
    path.write_text("".join(lines))

    def fit(**more: Any) -> nv.Perceptron:
        return fitted(*spilled(path), HOW, checkpoint=tmp_path / "ck", **more)

    with ends_after(3):
        fit()
    wanted = info(fitted(X, y, HOW), X)
    path.write_text("".join(["9" + lines[0], *lines[1:]]))
    with pytest.raises(nv.InputError, match="X or y changed; restore it"):
        fit(resume=True)
    path.write_text("".join([*lines, lines[0]]))
    with pytest.raises(nv.InputError, match="X or y changed; restore it"):
        fit(resume=True)
    path.write_text("".join(lines))  # written anew, the same bytes
    assert info(fit(resume=True), X) == wanted


def test_a_full_disk_leaves_the_old_checkpoints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = points(1)
    broken_off(X, y, tmp_path)
    before = (tmp_path / NAME).read_bytes()

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(nv.InputError, match=r"run\.ckpt: cannot be written \(No space left on device\)"):
            fitted(X, y, HOW, checkpoint=tmp_path, resume=True)
    assert os.listdir(tmp_path) == [NAME]
    assert (tmp_path / NAME).read_bytes() == before
    assert info(fitted(X, y, HOW, checkpoint=tmp_path, resume=True), X) == info(fitted(X, y, HOW), X)


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    X, y = points(1)
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", tmp_path / "file" / "ck"):
        with pytest.raises(nv.InputError, match=r"checkpoint: .*cannot be written to"):
            fitted(X, y, HOW, checkpoint=place)


def test_the_time_limit_breaks_off_and_the_run_goes_on(tmp_path: Path) -> None:
    X, y = points(1)
    clf = fitted(X, y, HOW | {"max_time": 1e-9}, checkpoint=tmp_path)
    assert clf.stop_reason_ == "max_seconds"
    assert clf.n_looks_ < len(y)
    assert info(fitted(X, y, HOW, checkpoint=tmp_path, resume=True), X) == info(fitted(X, y, HOW), X)


def test_ctrl_c_breaks_off_and_the_run_goes_on(tmp_path: Path, keyboard: None) -> None:
    X, y = points(1)
    calls = []

    class Presses(Observer):
        def after_looks(self, run: Any) -> None:
            calls.append(run.passes)
            if len(calls) == 15:
                os.kill(os.getpid(), signal.SIGINT)

        end_pass = after_looks

    with pytest.raises(KeyboardInterrupt):
        fitted(X, y, HOW, checkpoint=tmp_path, observer=Presses())
    assert load_file(tmp_path / NAME, FORM).record["state"]["reason"] is None
    assert info(fitted(X, y, HOW, checkpoint=tmp_path, resume=True), X) == info(fitted(X, y, HOW), X)


def test_writes_take_at_most_a_twentieth_of_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow disk: a write that takes 0.02 s is followed by 0.4 s without one (by a clock that the test turns)."""
    monkeypatch.setattr(checkpoint, "SHARE", 20)
    clock, writes = [0.0], []

    def write(*args: Any) -> None:
        writes.append(clock[0])
        clock[0] += 0.02

    class Clock:
        @staticmethod
        def perf_counter() -> float:
            clock[0] += 0.001
            return clock[0]

    monkeypatch.setattr(checkpoint, "time", Clock)
    monkeypatch.setattr(checkpoint, "save_file", write)
    X, y = points(1)
    fitted(
        X,
        np.arange(len(y)) % 2,
        HOW | {"max_iter": 2000, "train_patience": None, "class_weight": {0: 1.5}},
        checkpoint=tmp_path,
    )
    gaps = np.diff(writes[:-1])
    assert len(gaps) > 3
    assert (gaps > 20 * 0.02).all()
    assert (gaps < 21 * 0.03).all()


@pytest.mark.parametrize("keep", ["pocket", "auto"])
def test_a_forged_state_is_refused_or_ends_like_a_run(keep: str, tmp_path: Path) -> None:
    """With the checksum made right again: no crash, whatever stands in it."""
    X, y = points(1)
    how = HOW | {"keep": keep}
    with written_always(20) as states:
        fitted(X, y, how, checkpoint=tmp_path)
        chosen = states[3]
    chance, refused = random.Random(1), 0
    good = unpack(chosen, FORM)
    for _ in range(80):
        record = {**good.record, "state": dict(good.record["state"])}
        tensors = {name: tensor.copy() for name, tensor in good.tensors.items()}
        name = chance.choice([*record["state"], *tensors])
        if name in tensors:
            tensor = tensors[name]
            if chance.random() < 0.3 or not tensor.size:
                tensors[name] = np.concatenate([tensor, tensor[:1]]) if tensor.size else tensor.astype(np.int8)
            else:
                tensor.flat[chance.randrange(tensor.size)] = np.array(chance.choice([-1, 2**30, 0, 1])).astype(
                    tensor.dtype
                )
        else:
            record["state"][name] = chance.choice([None, -1, 2**40, "x", [], 1.5, True])
        try:
            gone_on(pack(FORM, record, tensors), X, y, how, tmp_path)
        except nv.InputError as error:
            refused += ".ckpt: " in str(error)
    assert refused > 25


@pytest.mark.parametrize("bias", ["bias", "bias_sum"])
def test_a_state_without_a_bias_that_has_one_is_refused_and_stays(bias: str, tmp_path: Path) -> None:
    X, y = points(1)
    how = HOW | {"fit_intercept": False}
    broken_off(X, y, tmp_path, how=how)
    good = load_file(tmp_path / NAME, FORM)
    tensors = {key: tensor.copy() for key, tensor in good.tensors.items()}
    tensors[f"plane.{bias}"][0] = 0.5
    forged = pack(FORM, good.record, tensors)
    (tmp_path / NAME).write_bytes(forged)
    with pytest.raises(nv.InputError, match=r"plane.bias: .*0 without a bias"):
        fitted(X, y, how, checkpoint=tmp_path, resume=True)
    assert (tmp_path / NAME).read_bytes() == forged


def test_seconds_add_up(tmp_path: Path) -> None:
    X, y = points(1)
    broken_off(X, y, tmp_path)
    spent = json.loads(load_file(tmp_path / NAME, FORM).tensors["history"].tobytes())["seconds"][-1]
    time.sleep(0.05)
    clf = fitted(X, y, HOW, checkpoint=tmp_path, resume=True)
    assert clf.history_["seconds"] == sorted(clf.history_["seconds"])
    assert clf.history_["seconds"][-1] > spent


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::novikoff.NotSeparatedWarning")
@pytest.mark.parametrize("schedule", ["inverse", "inverse-sqrt"])
def test_a_schedule_goes_on_with_the_rates_that_were_to_come(tmp_path: Path, schedule: str) -> None:
    """Rates are computed 1,024 at a time: after those, a resumed run had the first ones again."""
    rng = np.random.default_rng(3)
    X, y = rng.integers(-3, 4, (60, 5)).astype(float), rng.integers(0, 2, 60)
    how = {"keep": "last", "order": "shuffle", "random_state": 1, "max_iter": 80, "schedule": schedule}
    whole = fitted(X, y, how)
    assert whole.n_updates_ > 1100
    broken_off(X, y, tmp_path, 75, how)
    assert info(fitted(X, y, how, checkpoint=tmp_path, resume=True), X) == info(whole, X)
