"""Checkpoints of mixing: resumed from every round with the same bits; other tables, other data and lies are refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from data.resumed import fitted, gone_on, info, points, reason_in, same_from_everywhere, written_always
from novikoff.perceptron.checkpoints.checkpoint import FORM
from novikoff.perceptron.mixing.mixed_run import MixedRun
from novikoff.perceptron.run.observer import Observer
from novikoff.records.container import pack, unpack

pytestmark = pytest.mark.bounds

MIX: dict[str, Any] = {"mix": True, "partitions": 3, "max_iter": 13, "train_patience": None}


@pytest.mark.parametrize("keep", ["auto", "last", "average", "pocket"])
@pytest.mark.parametrize(
    ("classes", "more"),
    [(2, {}), (2, {"class_weight": {0: 0.5, 1: 3.0}}), (2, {"fit_intercept": False}), (3, {"multi_class": "ova"}),
     (3, {"multi_class": "ovo"}), (3, {"multi_class": "joint"}), (2, {"early_stopping": True})],
)  # fmt: skip
def test_the_same_from_every_round(keep: str, classes: int, more: dict[str, Any], tmp_path: Path) -> None:
    if keep == "pocket" and more == {"multi_class": "joint"}:
        pytest.skip("refused: the pocket of joint planes")
    X, y = points(4 if classes == 2 else 3, classes)
    states = same_from_everywhere(X, y, MIX | more | {"keep": keep}, tmp_path, most=14)
    assert states <= 13  # one for each round


def test_another_engine_may_resume(tmp_path: Path) -> None:
    X, y = points(2)
    wanted = info(fitted(X, y, MIX), X)
    with written_always() as states:
        fitted(X, y, MIX, checkpoint=tmp_path)
        collected = list(states)
        with nv.engine("threads", 2) as two:
            assert info(gone_on(collected[4], X, y, MIX | {"engine": two}, tmp_path), X) == wanted


def test_a_round_that_is_broken_off_is_made_again(tmp_path: Path) -> None:
    X, y = points(2)
    wanted = info(fitted(X, y, MIX), X)

    class Late(Observer):
        def after_looks(self, run: Any) -> None:
            if run.passes == 5:
                run.clock -= 1e6

    clf = fitted(X, y, MIX | {"max_time": 1e5}, checkpoint=tmp_path, observer=Late())
    assert (clf.stop_reason_, clf.n_iter_) == ("max_seconds", 4)
    assert info(fitted(X, y, MIX, checkpoint=tmp_path, resume=True), X) == wanted


def test_other_partitions_or_none_are_refused(tmp_path: Path) -> None:
    X, y = points(2)
    with written_always() as states:
        fitted(X, y, MIX, checkpoint=tmp_path / "whole")
        state = states[3]
    for how, message in (
        (MIX | {"partitions": 4}, "partitions is 4 now and was [0-9]+ when the checkpoint was written"),
        ({name: MIX[name] for name in ("max_iter", "train_patience")}, "the checkpoint of another kind of run"),
        (MIX | {"keep": "last"}, "keep is 'last' now and was 'auto'"),
    ):
        with pytest.raises(nv.InputError, match=message):
            gone_on(state, X, y, how, tmp_path)
    with pytest.raises(nv.InputError, match="X and y changed"):
        gone_on(state, X + 1.0, y, MIX, tmp_path)
    with written_always() as states:
        fitted(X, y, {"max_iter": 3}, checkpoint=tmp_path / "whole")
        state = states[0]
    with pytest.raises(nv.InputError, match="the checkpoint of another kind of run"):
        gone_on(state, X, y, MIX, tmp_path)


def test_checkpoints_of_runs_without_mixing_have_no_parameter_of_it(tmp_path: Path) -> None:
    """So that those of older versions can be resumed."""
    X, y = points(2)
    with written_always() as states:
        fitted(X, y, {"max_iter": 3}, checkpoint=tmp_path)
    assert not {"mix", "partitions", "table"} & unpack(states[0], FORM).record["run"].keys()


LIES: list[tuple[str, Any]] = [
    ("passes", -1), ("passes", 4.0), ("passes", 99), ("looks", 1), ("errors", 0), ("seconds", "x"),
    ("seconds", -1.0), ("best.lowest", "x"), ("stall.since", None), ("reason", "tired"), ("reason", 3),
    ("reason", "separated"), ("more", 1),
]  # fmt: skip


@pytest.mark.parametrize(("key", "value"), LIES)
def test_lies_in_the_values_are_refused(key: str, value: Any, tmp_path: Path) -> None:
    X, y = points(2)
    contents = _a_state(X, y, MIX, tmp_path)
    contents.record["state"][key] = value
    with pytest.raises(nv.InputError, match=r"not the state of such a run"):
        gone_on(pack(FORM, contents.record, contents.tensors), X, y, MIX, tmp_path)


@pytest.mark.parametrize("name", ["planes", "sums", "counted", "resting", "mistakes", "history.loss", "kinds.pass"])
def test_tensors_of_another_shape_or_kind_are_refused(name: str, tmp_path: Path) -> None:
    X, y = points(2)
    for change in (lambda t: t[:-1], lambda t: t.astype(np.float32), lambda t: None):
        contents = _a_state(X, y, MIX, tmp_path)
        tensors = dict(contents.tensors)
        changed = change(tensors.pop(name))  # type: ignore[no-untyped-call]
        tensors |= {} if changed is None else {name: changed}
        with pytest.raises(nv.InputError, match=r"not the state of such a run"):
            gone_on(pack(FORM, contents.record, tensors), X, y, MIX, tmp_path)


@pytest.mark.parametrize(
    ("name", "value"),
    [("planes", np.nan), ("sums", np.inf), ("counted", -1), ("counted", 99), ("resting", 1), ("mistakes", -1),
     ("mistakes", 10**6)],
)  # fmt: skip
def test_lies_in_the_tensors_are_refused(name: str, value: float, tmp_path: Path) -> None:
    for classes in (2, 3):
        X, y = points(3 if classes == 3 else 2, classes)
        contents = _a_state(X, y, MIX, tmp_path)
        tensors = {key: tensor.copy() for key, tensor in contents.tensors.items()}
        tensors[name].reshape(-1)[0] = value
        with pytest.raises(nv.InputError, match=r"not the state of such a run"):
            gone_on(pack(FORM, contents.record, tensors), X, y, MIX, tmp_path)


def test_a_pocket_with_other_errors_and_a_bias_where_there_is_none_are_refused(tmp_path: Path) -> None:
    X, y = points(2)
    how = MIX | {"keep": "pocket"}
    contents = _a_state(X, y, how, tmp_path)
    contents.record["state"]["errors"] = 0
    with pytest.raises(nv.InputError, match="errors: found 0"):
        gone_on(pack(FORM, contents.record, contents.tensors), X, y, how, tmp_path)
    how = MIX | {"fit_intercept": False}
    contents = _a_state(X, y, how, tmp_path)
    tensors = {key: tensor.copy() for key, tensor in contents.tensors.items()}
    tensors["planes"][0, -1] = 1.0
    with pytest.raises(nv.InputError, match="a bias, which the run does not have"):
        gone_on(pack(FORM, contents.record, tensors), X, y, how, tmp_path)


def test_an_ended_run_is_not_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = points(2)
    wanted = info(fitted(X, y, MIX, checkpoint=tmp_path), X)
    monkeypatch.setattr(MixedRun, "pieces", None)
    assert info(fitted(X, y, MIX, checkpoint=tmp_path, resume=True), X) == wanted


def _a_state(X: Any, y: Any, how: dict[str, Any], folder: Path) -> Any:
    """The contents of the checkpoint after round 4."""
    with written_always() as states:
        fitted(X, y, how, checkpoint=folder / "whole")
    assert reason_in(states[3]) is None
    return unpack(states[3], FORM)
