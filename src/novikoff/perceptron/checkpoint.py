"""Checkpoints: the state of a run after a pass, in a folder, from which the run continues with the same bits.

    run.ckpt     parameters, digest of the points, weights, sums, counters, answers, history

A state is written whole or not at all, at most every second, and not before twenty times the last write has passed: at
most a twentieth of the time. One more is written when a stopping rule ends the run. What can be computed again is not
stored: the points, the order (a pure function of seed and pass), bounds, rates, float32 copies.

A checkpoint is untrusted. Nothing in it is executed; shapes, types and ranges are checked, so that no number leads
compiled code outside its arrays; errors of the pocket are counted again, and a proof by a cycle is added up again.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.arguments.argument_checks import is_random_state
from novikoff.data.digest import digest_of
from novikoff.data.problem import Problem
from novikoff.errors import InputError
from novikoff.kernels.compile import clock
from novikoff.perceptron.observer import Observer
from novikoff.perceptron.result import COLUMNS
from novikoff.perceptron.run import Run
from novikoff.perceptron.state import NOWHERE
from novikoff.perceptron.stops import NEVER, REASONS
from novikoff.records.container import Contents, load_file, object_in, save_file
from novikoff.records.record_reader import Fields, tensor_in

FORM, NAME = "novikoff-checkpoint/1", "run.ckpt"
SHARE, AT_LEAST = 20, 1.0  # times a write's length, and seconds, before the next
NUMBER = (type(None), int, float)
Types = tuple[type, ...]
Tensors = dict[str, np.ndarray]
COUNTED = ("looks", "updates", "mistakes")
OF_A_PLANE = ("bias", "bias_sum", *COUNTED, "resting")
OF_THE_RUN = (*COUNTED, "streak_from", "longest", "counted", "place", "farthest",
              "saved_bias", "witness", "home", "patience", "window")  # fmt: skip
BROKEN_OFF = ("interrupted", "max_seconds")  # not ended by a stopping rule: the run may be resumed


class Checkpoints(Observer):
    """The checkpoint of one run in a folder."""

    def __init__(self, folder: str | os.PathLike[str], resume: bool) -> None:
        """resume: whether to continue from the state in the folder, if there is one."""
        self.path = Path(folder, NAME)
        self.before: Contents | None = None  # the state to resume from
        self.seed: int | None = None  # of the run to resume
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{folder} cannot be written to ({error.strerror}); name another", "checkpoint") from None
        if self.path.exists():
            try:
                found = load_file(self.path, FORM)
            except InputError as error:
                raise InputError(f"{error}. Delete the checkpoint to start a new run") from None
            fields = Fields(found.record, str(self.path))
            if resume:
                self.before, self.seed = found, fields.whole("seed")
            elif fields.part("state").rest().get("reason") is None:
                way_out = "continue it with resume=True, name another folder, or delete its files"
                raise InputError(f"{folder} contains an unfinished run; {way_out}", "checkpoint")

    def resume_run(self, run: Run, identity: dict[str, str]) -> None:
        """Put the state of the checkpoint, if there is one, into a run that was just begun."""
        self.identity = identity
        if self.before is not None:
            record = Fields(self.before.record, str(self.path))
            was = record.part("run").rest()
            for key, now in identity.items():
                if was.get(key) != now:
                    how = "changed" if len(now) == 64 else f"is {now:.80} now and was {was.get(key)!s:.80}"
                    raise InputError(f"{self.path}: {key} {how}; restore it to resume, or use another folder")
            _restore(run, record.part("state"), dict(self.before.tensors))
            self.before = None
        self.due = time.perf_counter() + AT_LEAST

    def end_pass(self, run: Run) -> None:
        """Write the state of the run, if it is time or a stopping rule ended the run."""
        began = time.perf_counter()
        if run.reason in BROKEN_OFF or (run.reason is None and began < self.due):
            return
        values, tensors, optional = _parts(run)
        state = {name: attrgetter(name)(run) for name in values} | {"questions": run.questions.record()}
        tensors |= {name: found for name in optional if (found := attrgetter(name)(run)) is not None}
        tensors["history"] = np.frombuffer(json.dumps(run.history).encode(), np.uint8)
        save_file(self.path, FORM, {"seed": run.plan.order.seed, "run": self.identity, "state": state}, tensors)
        now = time.perf_counter()
        self.due = now + max(AT_LEAST, SHARE * (now - began))


def identity_of(
    parameters: dict[str, Any], problem: Problem, classes: np.ndarray, valid: Problem | None, start: np.ndarray
) -> dict[str, str]:
    """Return what must not change, as texts and digests; parameters: those that change the run."""
    words = {"classes": f"{classes.dtype} {classes.tolist()!r:.1000}", "X or y": digest_of(problem, problem.y)}
    words["X_valid or y_valid"] = "none" if valid is None else digest_of(valid, valid.y)
    words["coef_init, intercept_init or the weights of a warm start"] = hashlib.sha256(start.tobytes()).hexdigest()
    for name, value in parameters.items():
        plain = {str(key): weight for key, weight in value.items()} if isinstance(value, dict) else value
        try:
            words[name] = json.dumps(None if is_random_state(value) else plain, default=np.generic.item, sort_keys=True)
        except TypeError:
            raise InputError(f"{name}: {value!r:.80} cannot be stored in a checkpoint; use a number or text") from None
    return words


def _parts(run: Run) -> tuple[dict[str, Types], Tensors, dict[str, tuple[Any, tuple[int, ...]]]]:
    """Return what is stored: attributes, arrays of the run's own memory, and attributes that may be None or arrays."""
    S, none = run.S, NUMBER[0]
    values: dict[str, Types] = {"reason": (none, str), "random_from": (none, int)}
    values |= {"stall.lowest": NUMBER, "stall.since": (int,)}
    arrays = {"weights": S.weights[:, : len(S.each)], "sums": S.sums, "row_updates": S.row_updates}
    arrays["looks_before"] = run.looks_before
    arrays |= {f"plane.{name}": _plain(S.each[name]) for name in OF_A_PLANE}
    arrays |= {f"run.{name}": _plain(S.run[name]) for name in OF_THE_RUN}
    planes, rows = (np.float64, run.start.shape), (np.int32, S.row_updates.shape)
    optional: dict[str, tuple[Any, tuple[int, ...]]] = {"keep.planes": planes, "cycle_counts": rows}
    if run.scheme.is_binary:  # Brent's method
        values |= {"returns.window": (int,), "returns.failed": (int,)}
        arrays["reference"], optional["returns.saved_updates"] = S.reference, rows
    if run.validation:
        values |= {"best.lowest": NUMBER, "best.since": (int,)}
        optional["validation.planes"] = planes
    return values, arrays, optional


def _restore(run: Run, fields: Fields, tensors: Tensors) -> None:
    """Put a state into a run that was just begun; raise InputError for an invalid one."""
    values, arrays, optional = _parts(run)
    S, n, d, planes = run.S, run.S.row_updates.size, run.scorer.problem.d, len(run.start)

    def require(holds: Any, field: str, expected: str) -> None:
        if not holds:
            fields.refuse(field, "others", expected)

    def tensor(key: str, dtype: Any, shape: tuple[int | None, ...]) -> np.ndarray:
        found = tensor_in(tensors, key, dtype, shape, f"{fields.name}: ")
        require(key in ("run.saved_bias", "reference") or np.isfinite(found).all(), key, "finite numbers")
        return found

    def attribute(path: str, value: Any) -> None:
        owner, _, last = path.rpartition(".")
        setattr(attrgetter(owner)(run) if owner else run, last, value)

    for key, types in values.items():
        attribute(key, fields.take(key, partial(_is_one, types), "another value"))
    require(run.reason is None or run.reason in REASONS, "reason", "a reason to stop")
    for key, array in arrays.items():
        np.copyto(array, tensor(key, array.dtype, array.shape))
    for key in optional.keys() & tensors.keys():
        attribute(key, tensor(key, *optional[key]))
    text, name = tensor("history", np.uint8, (None,)).tobytes(), fields.name
    history = Fields(object_in(text, name, "the history"), name, "history")
    run.history = {name: history.take(name, partial(_is_one, (list,)), "a list of numbers") for name in COLUMNS}
    run.passes, seconds = len(run.history["pass"]), (run.history["seconds"] or [None])[-1]
    same = {len(column) for column in run.history.values()} == {run.passes}
    require(same and seconds is not None and not tensors, "history", "a row for each pass, and no other tensors")
    run.clock = clock() - seconds
    require(
        run.scorer.problem.pad or not (S.each["bias"].any() or S.each["bias_sum"].any()),
        "plane.bias",
        "0 without a bias",
    )
    require(planes == 1 or np.isnan(S.counts["saved_bias"]), "run.saved_bias", "none of several planes")
    looks = run.passes * n
    ends = {
        "run.witness": d - 1,
        "run.place": n - (run.reason is None),
        "run.farthest": n,
        "run.counted": 1,
        "plane.resting": 1,
    }
    ends |= {f"plane.{name}": looks for name in COUNTED} | {f"run.{name}": planes * looks for name in COUNTED}
    for name, array in arrays.items():
        if array.dtype.kind in "iu":
            right = (array >= (NOWHERE if name == "run.home" else 0)) & (array <= ends.get(name, NEVER))
            require(right.all(), name, "numbers within their ranges")
    most = max(run.tally().looks, run.looks().max())
    require(most <= looks, "looks_before", "looks of the passes")
    run.scorer.survey()
    run.surveyed = True
    run.note_radius()
    answers = fields.rest().get("questions")
    try:
        run.questions.restore(run, answers)
    except ValueError:
        fields.refuse("questions", answers, "answers with proofs that hold")
    if (pocket := run.keep.planes) is not None:
        run.keep.errors = run.count(pocket[None])[0].item()
    if (counts := run.cycle_counts) is not None:
        proof = (counts >= 0).all() and counts.any() and run.scorer.sums_to_zero(counts)
        require(proof, "cycle_counts", "points that sum to zero")
    run.restore_derived()


def _plain(column: np.ndarray) -> np.ndarray:
    """Return a column of records, whose truth values are bytes."""
    return column.view(np.uint8) if column.dtype == bool else column


def _is_one(types: Types, value: Any) -> bool:
    """Return whether a value is of one of these types, and a number from 0, an integer up to NEVER; a list: of such
    numbers or None.
    """
    if type(value) is list:
        return list in types and all(_is_one(NUMBER, one) for one in value)
    return type(value) in types and (
        not isinstance(value, int | float) or 0 <= value <= (NEVER if isinstance(value, int) else float("inf"))
    )
