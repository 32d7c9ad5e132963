"""Convert the state of a run between two passes to plain values and tensors, for a checkpoint, and back.

    saved      what the passes have changed since the run was begun
    restore    puts it into a run that was begun on the same points with the same plan: the looks that follow are those
               that would have followed, to the bit

What can be made again is not stored: the points, the order (a pure function of seed and pass), the bounds of |w| and
|x|, the rates to come, and the float32 copies of the weights.

A checkpoint is untrusted: shapes, types and ranges are checked, so that no number leads compiled code outside its
arrays; the points are checked again, the errors of the pocket are counted again, and a proof by a cycle is added up
again.
"""

from __future__ import annotations

import json
from operator import attrgetter
from typing import Any, NoReturn
from unittest.mock import MagicMock

import numpy as np

from novikoff.errors import InputError
from novikoff.kernels.compile import clock

slots = MagicMock()
from novikoff.perceptron.keeps.vote import Vote

OnePlane = None
from novikoff.perceptron.result import COLUMNS
from novikoff.perceptron.run import Run
from novikoff.perceptron.stops import NEVER, REASONS

Values = dict[str, Any]
Tensors = dict[str, np.ndarray]
COUNT, LOWEST = (int,), (type(None), int, float)
BIASES = [slots.B, slots.UB, slots.REFB]
COUNTERS = [slots.LOOKS, slots.UPDATES, slots.MISTAKES, slots.CREATED, slots.LONGEST, slots.COUNTED,
            slots.WITNESS, slots.HOME, slots.PATIENCE, slots.WINDOW, slots.NEXT, slots.FARTHEST]  # fmt: skip


def _values_of(run: Run) -> dict[str, tuple[type, ...]]:
    """The attributes that are stored as plain values, and their types."""
    types: dict[str, tuple[type, ...]] = {
        "reason": (type(None), str),
        "random_from": (type(None), int),
        "stall.lowest": LOWEST,
        "stall.since": COUNT,
        "best.lowest": LOWEST,
        "best.since": COUNT,
        "keep.errors": LOWEST,
    }
    if isinstance(run.kind, OnePlane):
        types |= {"kind.window": COUNT, "kind.returns": COUNT, "kind.saved_here": (bool,)}
    return types | ({"validation.voters_until": COUNT} if run.validation else {})


def _state_of(run: Run) -> Tensors:
    """The arrays that every run of this plan has."""
    S = run.S
    state = {"weights": S.w, "sums": S.u, "biases": S.num[:, BIASES], "counters": S.cnt[:, COUNTERS],
             "together": S.all[COUNTERS], "resting": S.resting.view(np.uint8), "mistakes": S.mistakes,
             "looks_before": run.looks_before}  # fmt: skip
    return state | ({"compared": S.ref} if isinstance(run.kind, OnePlane) else {})


def _optional_of(run: Run) -> dict[str, tuple[tuple[int, ...], Any]]:
    """The attributes that may be arrays: the shape and the type."""
    rows, planes = (run.S.mistakes.size,), (run.start.shape, np.float64)
    found: dict[str, tuple[tuple[int, ...], Any]] = {"keep.planes": planes, "cycle_counts": (rows, np.int32)}
    if isinstance(run.kind, OnePlane):
        found["kind.saved_mistakes"] = rows, np.int32
    if run.validation:
        found |= {"validation.planes": planes, "validation.votes": (run.validation.votes.shape, np.int64)}
    return found


def saved(run: Run) -> tuple[Values, Tensors]:
    """Return the state of a run after a pass."""
    values = {name: attrgetter(name)(run) for name in _values_of(run)}
    values |= {"seconds": clock() - run.clock, "questions": run.questions.record()}
    arrays = {name: attrgetter(name)(run) for name in _optional_of(run)}
    tensors = _state_of(run) | {name: array for name, array in arrays.items() if array is not None}
    if isinstance(run.keep, Vote):
        tensors["log"] = run.keep.log()
    return values, tensors | {"history": np.frombuffer(json.dumps(run.history).encode(), np.uint8)}


def restore(run: Run, values: Values, tensors: Tensors, name: str) -> None:
    """Put a state into a run that was just begun; raise InputError for an invalid one."""
    values, tensors = dict(values), dict(tensors)
    run.history = _history_in(tensors, name)
    run.passes = len(run.history["pass"])
    _take_state(run, tensors, name)
    for key, types in _values_of(run).items():
        there, value = key in values, values.pop(key, None)
        if not there or type(value) not in types or (isinstance(value, int) and not 0 <= value <= NEVER):
            refuse(name, key, value)
        _set(run, key, value)
    if run.reason not in (None, *REASONS):
        refuse(name, "reason", run.reason)
    for key, (shape, kind) in _optional_of(run).items():
        if key in tensors:
            _set(run, key, _tensor(tensors, key, kind, shape, name))
    if isinstance(run.keep, Vote):
        run.keep.parts = [_log_in(run, tensors, name)]
    seconds, questions = values.pop("seconds", None), values.pop("questions", None)
    if type(seconds) not in (int, float) or not 0 <= seconds < NEVER:
        refuse(name, "seconds", seconds)
    run.clock = clock() - seconds
    for left in (*values, *tensors):
        refuse(name, left, "something unknown")
    run.scorer.survey()
    run.surveyed = True
    run.note_radius()
    try:
        run.questions.restore(run, questions)
    except ValueError:
        refuse(name, "questions", questions)
    _check_claims(run, name)
    run.restore_derived()


def _take_state(run: Run, tensors: Tensors, name: str) -> None:
    """Take the arrays that every run has; counters that are indices must be within their arrays."""
    S, problem = run.S, run.scorer.problem
    found = {key: _tensor(tensors, key, own.dtype, own.shape, name) for key, own in _state_of(run).items()}
    counters, biases = found["counters"], found["biases"]
    one_plane = isinstance(run.kind, OnePlane)
    if not one_plane and not np.isnan(biases[:, -1]).all():
        refuse(name, "biases", "weights to compare with, which several planes do not have")
    if not np.isfinite(biases[:, :-1]).all() or (not problem.pad and biases[:, :-1].any()):
        refuse(name, "biases", "numbers that are not finite, or a bias, which the run does not have")
    for array, key in ((S.w, "weights"), (S.u, "sums"), (S.mistakes, "mistakes"), (run.looks_before, "looks_before")):
        np.copyto(array, found[key])
    S.num[:, BIASES], S.cnt[:, COUNTERS], S.all[COUNTERS] = biases, counters, found["together"]
    S.resting[:] = found["resting"]
    if one_plane:
        np.copyto(S.ref, found["compared"])
    least = np.where(np.array(COUNTERS) == slots.HOME, -1, 0)  # no place in the order
    for some in (counters, found["together"]):
        if (some < least).any() or (some > NEVER).any():
            refuse(name, "counters", "numbers out of their range")
    ends = ((slots.WITNESS, problem.d), (slots.NEXT, problem.n), (slots.FARTHEST, problem.n + 1))
    if any((S.cnt[:, place] >= end).any() for place, end in ends) or run.looks_before.min() < 0:
        refuse(name, "counters", "numbers out of their range")
    tally, counted = run.tally(), S.cnt[:, [slots.LOOKS, slots.UPDATES, slots.MISTAKES]]
    most = min(tally.looks, run.passes * problem.n)
    if max(tally.looks, run.looks().max(), counted.max()) > most or tally.updates > len(S.w) * most:
        refuse(name, "counters", "more looks or updates than the passes have")


def _history_in(tensors: Tensors, name: str) -> dict[str, list[Any]]:
    """Take the history of a run: columns of numbers, one for each pass."""
    text = _tensor(tensors, "history", np.uint8, (None,), name).tobytes()
    try:
        found = json.loads(text)
        columns = [found.pop(column) for column in COLUMNS]
        same = not found and all(len(column) == len(columns[0]) for column in columns)
    except (ValueError, AttributeError, TypeError, KeyError, RecursionError):
        same = False
    if not same or not all(type(column) is list and all(type(v) in LOWEST for v in column) for column in columns):
        refuse(name, "history", text[:40])
    return dict(zip(COLUMNS, columns, strict=True))


def _log_in(run: Run, tensors: Tensors, name: str) -> np.ndarray:
    """Take the updates for the vote: rows that are there, looks, and finite steps."""
    log, n = _tensor(tensors, "log", np.int64, (None, 3), name), run.S.mistakes.size
    steps = np.ascontiguousarray(log[:, 2]).view(np.float64)
    if (log[:, :2] < 0).any() or (log[:, 0] >= n).any() or (log[:, 1] > NEVER).any() or not np.isfinite(steps).all():
        refuse(name, "log", "rows, looks or steps that cannot be")
    return log


def _check_claims(run: Run, name: str) -> None:
    """Count the errors of the pocket and add up the points of a cycle."""
    planes, counts = run.keep.planes, run.cycle_counts
    if run.keep.errors is not None and (planes is None or run.keep.errors != run.count(planes[None])[0]):
        refuse(name, "keep.errors", run.keep.errors)
    if counts is not None and ((counts < 0).any() or not counts.any() or not run.scorer.sums_to_zero(counts)):
        refuse(name, "cycle_counts", "points that do not sum to zero")


def _tensor(tensors: Tensors, key: str, dtype: Any, shape: tuple[int | None, ...], name: str) -> np.ndarray:
    """Take a tensor of this type and shape; raise InputError if there is none, or weights that are not finite."""
    found = tensors.pop(key, None)
    if found is None or found.dtype != dtype or len(found.shape) != len(shape):
        refuse(name, key, None if found is None else f"{found.dtype} {found.shape}")
    if any(want not in (None, size) for want, size in zip(shape, found.shape, strict=True)):
        refuse(name, key, f"{found.dtype} {found.shape}")
    if key not in ("biases", "compared") and not np.isfinite(found).all():  # NaN: nothing is compared with
        refuse(name, key, "what is no finite number")
    return found


def _set(run: Run, path: str, value: Any) -> None:
    parent, _, last = path.rpartition(".")
    setattr(attrgetter(parent)(run) if parent else run, last, value)


def refuse(name: str, key: str, found: Any) -> NoReturn:
    """Raise InputError for a value or tensor of a checkpoint."""
    raise InputError(f"{name}: {key}: found {found!r:.80}; not the state of such a run. Begin without it")
