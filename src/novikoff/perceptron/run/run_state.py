"""The state of a run under way as plain values and tensors, and back.

    saved       what the looks have changed since the run was begun
    go_on_with  puts it into a run that was begun on the same points with the same plan: the looks that follow are those
                that would have followed, to the bit

What can be made again is not stored: the points, the order (a pure function of seed and pass), the float32 copies of
the weights, and the angles by which rows are skipped (`skip_policy`): no bit changes. Which attributes are stored is
said by the tables of each course: VALUES, STATE (arrays as they were begun with), ROWS (a count for each point) and
PLANES ((w, b) of each plane), which need not be there.

A checkpoint is a stranger's file: every counter that leads into an array is held against that array, the rates and the
bounds on |w| and |x| are computed anew, rows that the file calls seen are looked at again, the errors of the pocket are
counted again, a proof by a cycle is added up again, and a pass that was resumed is clean only if a count says so.
"""

from __future__ import annotations

import itertools
from typing import Any, NoReturn

import numpy as np

from novikoff.errors import InputError
from novikoff.kernels.compile import clock
from novikoff.kernels.reproducible_sums import root_above
from novikoff.kernels.row_signs import NOT_TIDY
from novikoff.kernels.structure_checks import rises
from novikoff.perceptron.passes import (
    CAP,
    FAR,
    FARTHEST,
    HOME,
    INSIDE,
    KEEP,
    LIMIT,
    LOOKS,
    MISTAKES,
    NEXT,
    NUM,
    PAD,
    POSITIVE,
    QUEUED,
    R2,
    REFB,
    RULE,
    SEEN,
    THRESHOLD,
    UNIT,
    UPDATES,
    W2,
    WITNESS,
    C,
)
from novikoff.perceptron.run.run_base import COLUMNS, RunBase, Tally, counts_as
from novikoff.perceptron.stops import NEVER, REASONS

Values = dict[str, Any]
Tensors = dict[str, np.ndarray]
NONE, WHOLE, FLOAT = range(3)  # what a number of the history is
MISSING = object()
COUNTS = ("S.mistakes", "saved_mistakes")  # stored as int32, in memory perhaps smaller


def saved(run: RunBase) -> tuple[Values, Tensors]:
    """The state of a run between two stretches."""
    values = {name: _plain(value) for name in run.VALUES if (value := _get(run, name)) is not MISSING}
    tally = run.at_pass
    values["at_pass"] = [tally.updates, tally.looks, float(tally.loss).hex(), tally.mistakes]
    values["seconds"] = clock() - run.clock
    values["places"] = len(run.S.queue)
    tensors: Tensors = {"waiting": run.S.queue[: run.waiting()]} | {name: _get(run, name) for name in run.STATE}
    _leave_out_bounds(values, tensors)
    for name in (*run.ROWS, *run.PLANES):
        value = _get(run, name)
        if isinstance(value, np.ndarray) and value.size:
            tensors[name] = value
    tensors |= {name: tensors[name].astype(np.int32, copy=False) for name in COUNTS if name in tensors}
    logs = run.whole_logs()
    tensors["logs"] = np.concatenate([np.empty((0, 3), np.int64), *logs])
    tensors["ends"] = np.cumsum([len(log) for log in logs], dtype=np.int64)
    for name, column in run.history.items():
        tensors[f"history.{name}"], tensors[f"kinds.{name}"] = _column(column)
    return values, {name: t.view(np.uint8) if t.dtype == np.bool_ else t for name, t in tensors.items()}


def go_on_with(run: RunBase, values: Values, tensors: Tensors, name: str) -> None:
    """Put a state into a run that was just begun; InputError for what cannot be one."""
    values, tensors, begun = dict(values), dict(tensors), run.tally()
    if values.get("judge.tidied") is True:
        run.judge.mend(NOT_TIDY, 0)
    waiting = _take_queue(run, values, tensors, name)
    _take_state(run, tensors, waiting, name)
    _take_logs(run, tensors, name)
    _take_history(run, values, tensors, name)
    _take_tally(run, values, name)
    for key, kinds in run.VALUES.items():
        value = values.pop(key, MISSING)
        known = value is MISSING or (type(value) in kinds and not (type(value) is int and not 0 <= value <= NEVER))
        if (_get(run, key) is MISSING) != (value is MISSING) or not known:
            _refuse(name, key, None if value is MISSING else value)
        if value is not MISSING:
            _set(run, key, value)
    if run.reason is not None and run.reason not in REASONS:
        _refuse(name, "reason", run.reason)
    for key in run.ROWS:
        on_others = key.startswith("validation.")
        judge: Any = _get(run, "validation.judge") if on_others else run.judge
        n = 0 if judge is MISSING else judge.problem.n
        _take_array(run, key, tensors, (n,), np.int64 if on_others else np.int32, name)
    for key in run.PLANES:
        _take_array(run, key, tensors, run.start.shape, np.float64, name)
    for left in (*values, *tensors):
        _refuse(name, left, "something unknown")
    if run.reason is None and (np.atleast_2d(run.S.cnt)[:, NEXT] >= run.judge.problem.n).any():
        _refuse(name, "S.cnt", "a next row that is not there")
    _check_tallies(run, begun, name)
    run.resumed = run.in_pass
    spent = run.judge.spent
    if run.surveyed:
        run.judge.survey()
        run.note_radius()
    if run.kept_errors() is not None and (not run.surveyed or run.kept_errors() != run.counted_errors()):
        _refuse(name, "errors", run.kept_errors())
    counts = _get(run, "cycle_counts")
    if isinstance(counts, np.ndarray) and (
        (counts < 0).any() or not counts.any() or not run.judge.sums_to_zero(counts)
    ):
        _refuse(name, "cycle_counts", "points that do not sum to zero")
    run.judge.spent = spent
    run.mirror()


def _check_tallies(run: RunBase, begun: Tally, name: str) -> None:
    """A pass has at most n looks, a look at most one update of each plane; a pass began no later than now."""
    n, now, before = run.judge.problem.n, run.tally(), run.at_pass
    looks, updates = now.looks - begun.looks, now.updates - begun.updates
    planes = 1 if run.start.ndim == 1 else len(run.start)
    good = 0 <= run.shown <= n and 0 <= looks <= (run.passes - run.passes_before) * n and 0 <= updates <= planes * looks
    good = good and bool((np.atleast_2d(run.S.cnt)[:, [LOOKS, UPDATES, MISTAKES]] <= now.looks).all())
    if not good or not all(0 <= old <= new for old, new in zip(before[:2], now[:2], strict=True)):
        _refuse(name, "S.cnt", "more looks or updates than the passes have")


def _take_queue(run: RunBase, values: Values, tensors: Tensors, name: str) -> int:
    """The candidates that wait for the pocket, in a queue as long as it was; how many they are."""
    places, least = values.pop("places", None), len(run.S.queue)
    queue = _tensor(tensors, "waiting", np.float64, (None, *run.S.queue.shape[1:]), name)
    most = max(least, 2 * run.judge.problem.n)
    if type(places) is not int or places % least or not max(least, len(queue)) <= places <= most:
        _refuse(name, "places", places)
    if not np.isfinite(queue).all():
        _refuse(name, "waiting", "what is no finite number")
    room = np.zeros((places, *run.S.queue.shape[1:]))
    room[: len(queue)] = queue
    run.S = run.S._replace(queue=room)
    return len(queue)


def _take_state(run: RunBase, tensors: Tensors, waiting: int, name: str) -> None:
    begun, numbers = np.atleast_2d(run.S.cnt).copy(), np.atleast_2d(run.S.num).copy()
    for key in run.STATE:
        own = _get(run, key)
        if key in COUNTS:
            counts = _tensor(tensors, key, np.int32, own.shape, name)
            run.S = run.S._replace(mistakes=counts_as(counts, own.dtype))
            continue
        kind = np.uint8 if own.dtype == np.bool_ else own.dtype
        np.copyto(own, _tensor(tensors, key, kind, own.shape, name).astype(own.dtype))
    _check_counters(run, begun, waiting, name)
    _check_numbers(run, numbers, name)


def _check_counters(run: RunBase, begun: np.ndarray, waiting: int, name: str) -> None:
    """Counters that lead into arrays lead to places that are there; what the plan says is as it was."""
    p, cnt = run.judge.problem, np.atleast_2d(run.S.cnt)
    fixed = [KEEP, RULE, POSITIVE]
    if not np.array_equal(cnt[:, fixed], begun[:, fixed]) or run.waiting() != waiting:
        _refuse(name, "S.cnt", "other counters")
    if waiting and (waiting >= len(run.S.queue) or run.plan.keep != "pocket"):
        _refuse(name, "waiting", f"{waiting} candidates")
    queued = waiting + 1 if run.plan.keep == "pocket" else 1
    within = [(WITNESS, p.d), (NEXT, p.n + 1), (FARTHEST, p.n + 1), (QUEUED, queued), (HOME, p.n + 1)]
    least = np.zeros(cnt.shape[1], np.int64)
    least[HOME] = -1
    counters = (cnt >= least).all() and (cnt <= NEVER).all() and (run.S.settled >= 0).all()
    if not counters or any((cnt[:, place] >= end).any() for place, end in within):
        _refuse(name, "S.cnt", "counters out of their range")
    whole = getattr(run.S, "all", np.zeros(1, np.int64))
    if (whole < 0).any() or (whole > NEVER).any():
        _refuse(name, "S.all", "counters out of their range")


def _check_numbers(run: RunBase, begun: np.ndarray, name: str) -> None:
    """Weights and their sums are finite; the bias pad, the threshold and C are those of the plan."""
    num = np.atleast_2d(run.S.num)
    fixed = [PAD, THRESHOLD, C]
    if not np.array_equal(num[:, fixed], begun[:, fixed]):
        _refuse(name, "S.num", "another threshold")
    free = [place for place in NUM if place != REFB]  # NaN: nothing is compared with
    if not np.isfinite(num[:, free]).all() or not all(np.isfinite(part).all() for part in (run.S.w, run.S.u)):
        _refuse(name, "S.num", "what is no finite number")
    num[:, W2] = -1.0  # |w|² is computed anew


def _take_logs(run: RunBase, tensors: Tensors, name: str) -> None:
    planes, n = len(run.whole_logs()), run.judge.problem.n
    log = _tensor(tensors, "logs", np.int64, (None, 3), name)
    ends = _tensor(tensors, "ends", np.int64, (planes,), name)
    cuts = np.concatenate([[0], ends])
    if not rises(cuts) or cuts[-1] != len(log) or (log[:, 0] < 0).any() or (log[:, 0] >= n).any():
        _refuse(name, "logs", "rows that are not there")
    if (log[:, 1] < 0).any() or (log[:, 1] > NEVER).any() or not np.isfinite(log[:, 2].copy().view(np.float64)).all():
        _refuse(name, "logs", "looks or steps that cannot be")
    run.put_logs([log[a:b] for a, b in itertools.pairwise(cuts)])


def _take_history(run: RunBase, values: Values, tensors: Tensors, name: str) -> None:
    passes = values.get("passes")
    length = passes - (values.get("in_pass") is True) if type(passes) is int else 0
    for key in COLUMNS:
        column = _tensor(tensors, f"history.{key}", np.float64, (length,), name)
        kinds = _tensor(tensors, f"kinds.{key}", np.uint8, (length,), name)
        if not (np.isfinite(column) | (kinds != WHOLE)).all():
            _refuse(name, f"history.{key}", "a whole number that is none")
        run.history[key] = [
            None if kind == NONE else int(value) if kind == WHOLE else value
            for value, kind in zip(column.tolist(), kinds.tolist(), strict=True)
        ]


def _take_tally(run: RunBase, values: Values, name: str) -> None:
    tally, seconds = values.pop("at_pass", None), values.pop("seconds", None)
    try:
        updates, looks, loss, mistakes = tally
        run.at_pass = Tally(int(updates), int(looks), float.fromhex(loss), int(mistakes))
        if not 0 <= float(seconds) < NEVER:
            raise ValueError
        run.clock = clock() - float(seconds)
    except (TypeError, ValueError):
        _refuse(name, "at_pass", tally)


def _take_array(run: RunBase, key: str, tensors: Tensors, shape: tuple[int, ...], dtype: Any, name: str) -> None:
    """An array that need not be there."""
    if key not in tensors:
        return
    if _get(run, key) is MISSING:
        _refuse(name, key, "what this run does not have")
    array = _tensor(tensors, key, dtype, shape, name)
    if not np.isfinite(array).all():
        _refuse(name, key, "what is no finite number")
    _set(run, key, array)


def _leave_out_bounds(values: Values, tensors: Tensors) -> None:
    """Bounds of |w| and |x| and how often they left a sign in doubt depend on the machine; no look depends on them.

    They are made again, but for the bound of |x|: as the square of a power of two it is the same on every machine.
    """
    num, cnt = tensors["S.num"].copy(), tensors["S.cnt"].copy()
    for place, value in ((W2, -1.0), (SEEN, 0.0), (CAP, 0.0), (FAR, 0.0), (UNIT, 0.0)):
        num[..., place] = value
    for row in np.atleast_2d(num):
        row[R2] = root_above(row[R2]) ** 2
    cnt[..., INSIDE] = 0
    if cnt.ndim == 2:  # of several planes: set anew for each doubtful look
        cnt[:, LIMIT] = NEVER
    values["judge.R2"] = root_above(values["judge.R2"]) ** 2
    tensors |= {"S.num": num, "S.cnt": cnt, "S.settled": np.zeros_like(tensors["S.settled"])}


def _column(column: list[Any]) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of a column as floats, and what they are: none, whole, or a float."""
    kinds = [NONE if v is None else FLOAT if isinstance(v, float) else WHOLE for v in column]
    return np.array([0.0 if v is None else float(v) for v in column]), np.array(kinds, np.uint8)


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _tensor(tensors: Tensors, key: str, dtype: Any, shape: tuple[int | None, ...], name: str) -> np.ndarray:
    found = tensors.pop(key, None)
    if found is None or found.dtype != dtype or found.ndim != len(shape):
        _refuse(name, key, None if found is None else f"{found.dtype} {found.shape}")
    if any(want is not None and want != size for want, size in zip(shape, found.shape, strict=True)):
        _refuse(name, key, f"{found.dtype} {found.shape}")
    return found


def _get(run: RunBase, path: str) -> Any:
    """An attribute of an attribute …, or MISSING."""
    at: Any = run
    for name in path.split("."):
        at = getattr(at, name, MISSING)
    return at


def _set(run: RunBase, path: str, value: Any) -> None:
    way, _, last = path.rpartition(".")
    setattr(_get(run, way) if way else run, last, value)


def _refuse(name: str, key: str, found: Any) -> NoReturn:
    raise InputError(f"{name}: {key}: found {found!r:.80}; not the state of such a run. Begin without it")
