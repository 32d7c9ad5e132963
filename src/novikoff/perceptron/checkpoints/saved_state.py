"""Convert the state of a run to plain values and tensors, for a checkpoint, and back.

    saved      what the looks have changed since the run was begun
    restore    puts it into a run that was begun on the same points with the same plan: the looks that follow are those
               that would have followed, to the bit

What can be made again is not stored: the points, the order (a pure function of seed and pass), and the float32 copies
of the weights: no bit changes. Tables name what is stored; the arrays of a single plane are stored without the index of
the plane.

A checkpoint is untrusted: every counter that is an index into an array is checked against that array, the rates and the
bounds on |w| and |x| are computed anew, rows that the file calls seen are checked again, the errors of the pocket are
counted again, a proof by a cycle is added up again, and a pass that was resumed is clean only if a count says so.
"""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from novikoff.errors import InputError
from novikoff.kernels.compile import clock
from novikoff.kernels.reproducible_sums import root_above
from novikoff.kernels.row_signs import NOT_TIDY
from novikoff.perceptron import slots
from novikoff.perceptron.keeps.vote import Vote
from novikoff.perceptron.multiclass.several_planes import SeveralPlanes
from novikoff.perceptron.run.result import COLUMNS, Tally
from novikoff.perceptron.run.run import Run
from novikoff.perceptron.stops import NEVER, REASONS

Values = dict[str, Any]
Tensors = dict[str, np.ndarray]
Kinds = dict[str, tuple[str, tuple[type, ...]]]
NONE, WHOLE, FLOAT = range(3)  # what a number of the history is
COUNT, LOWEST = (int,), (type(None), int, float)

# values by their name in a file: the attribute, and its types
VALUES: Kinds = {
    "reason": ("reason", (type(None), str)),
    "passes": ("passes", COUNT),
    "in_pass": ("in_pass", (bool,)),
    "shown": ("shown", COUNT),
    "surveyed": ("surveyed", (bool,)),
    "random_from": ("random_from", (type(None), int)),
    "stall.lowest": ("stall.lowest", LOWEST),
    "stall.since": ("stall.since", COUNT),
    "judge.R2": ("scorer.R2", (float,)),
    "judge.tidied": ("scorer.tidied", (bool,)),
}
VALUES_OF_ONE: Kinds = {
    "window": ("kind.window", COUNT),
    "returns": ("kind.returns", COUNT),
    "saved_here": ("kind.saved_here", (bool,)),
    "keep.errors": ("keep.errors", LOWEST),
}
VALUES_OF_VALIDATION: Kinds = {
    "validation.best.lowest": ("best.lowest", LOWEST),
    "validation.best.since": ("best.since", COUNT),
    "validation.voters_until": ("validation.voters_until", COUNT),
}
VALUES_OF_SEVERAL: Kinds = {
    "errors": ("keep.errors", LOWEST),
    "best.lowest": ("best.lowest", LOWEST),
    "best.since": ("best.since", COUNT),
}
# arrays that are always there: of each plane, and of the run as a whole
OF_EACH_PLANE = ("S.w", "S.u", "S.num", "S.cnt")
STATE = ("S.w", "S.u", "S.mistakes", "S.num", "S.cnt")
TOGETHER = [slots.LOOKS, slots.UPDATES, slots.MISTAKES, slots.LIMIT, slots.KEEP, slots.CREATED, slots.LONGEST,
            slots.COUNTED, slots.QUEUED, slots.FIRST]  # fmt: skip
"""the counters of several planes together, in their order in a file"""


def _values_of(run: Run) -> Kinds:
    """The values that are stored of this run."""
    if not run.scheme.is_binary:
        return VALUES | VALUES_OF_SEVERAL
    return VALUES | VALUES_OF_ONE | (VALUES_OF_VALIDATION if run.validation else {})


def _state_of(run: Run) -> dict[str, np.ndarray]:
    """The arrays that are always there, as they are stored; most of them are views."""
    arrays = {name: getattr(run.S, name.removeprefix("S.")) for name in STATE}
    if run.plan.keep == "auto":
        arrays["looks_before"] = run.looks_before
    if isinstance(run.kind, SeveralPlanes):
        return arrays | {"S.all": run.S.all[TOGETHER], "S.resting": run.S.resting, "at_plane": run.kind.at_plane}
    return arrays | {name: arrays[name][0] for name in OF_EACH_PLANE} | {"S.ref": run.S.ref[0]}


def _optional_of(run: Run) -> dict[str, tuple[str, tuple[int, ...], Any]]:
    """The arrays that may be there, by their name in a file: the attribute, its stored shape and type."""
    planes, validated = run.start.shape, run.validation is not None
    if not run.scheme.is_binary:
        chosen = {"chosen": ("validation.planes", planes, np.float64)} if validated else {}
        return chosen | {"pocket": ("keep.planes", planes, np.float64)}
    n, plane = run.scorer.problem.n, planes[1:]
    rows = {"saved_mistakes": ("kind.saved_mistakes", (n,), np.int32), "cycle_counts": ("cycle_counts", (n,), np.int32)}
    kept = {"keep.plane": ("keep.planes", plane, np.float64)}
    if run.validation is None:
        return rows | kept
    votes = {"validation.votes": ("validation.votes", (run.validation.scorer.problem.n,), np.int64)}
    best = {name: (f"validation.{own}", plane, np.float64)
            for name, own in (("pass_plane", "pass_start"), ("validation.plane", "planes"))}  # fmt: skip
    return rows | votes | best | kept


def saved(run: Run) -> tuple[Values, Tensors]:
    """Return the state of a run between two stretches."""
    values = {name: _plain(_get(run, path)) for name, (path, _) in _values_of(run).items()}
    tally = run.at_pass
    values["at_pass"] = [tally.updates, tally.looks, float(tally.loss).hex(), tally.mistakes]
    values["seconds"] = clock() - run.clock
    values["places"] = len(run.S.queue)
    values["questions"] = run.questions.record()
    waiting = run.S.queue[: run.S.total[slots.QUEUED]]
    tensors: Tensors = {"waiting": waiting[:, 0] if run.scheme.is_binary else waiting} | _state_of(run)
    _leave_out_bounds(values, tensors)
    for name, (path, shape, _) in _optional_of(run).items():
        value = _get(run, path)
        if value is not None and value.size:
            tensors[name] = value.reshape(shape)
    tensors["log"] = run.keep.log() if isinstance(run.keep, Vote) else np.empty((0, 3), np.int64)
    tensors |= column_tensors(run.history)
    return values, {name: t.view(np.uint8) if t.dtype == np.bool_ else t for name, t in tensors.items()}


def restore(run: Run, values: Values, tensors: Tensors, name: str) -> None:
    """Put a state into a run that was just begun; raise InputError for an invalid one."""
    values, tensors, begun = dict(values), dict(tensors), run.tally()
    questions = values.pop("questions", None)  # older files have none
    if values.get("judge.tidied") is True:
        run.scorer.mend(NOT_TIDY, 0)
    waiting = _take_queue(run, values, tensors, name)
    _take_state(run, tensors, waiting, name)
    _take_log(run, tensors, name)
    take_history(run, values, tensors, name)
    _take_tally(run, values, name)
    for key, (path, kinds) in _values_of(run).items():
        there, value = key in values, values.pop(key, None)
        if not there or type(value) not in kinds or (type(value) is int and not 0 <= value <= NEVER):
            refuse(name, key, value)
        _set(run, path, value)
    if run.reason is not None and run.reason not in REASONS:
        refuse(name, "reason", run.reason)
    for key, (path, shape, kind) in _optional_of(run).items():
        if key in tensors:
            array = tensor_of(tensors, key, kind, shape, name)
            if not np.isfinite(array).all():
                refuse(name, key, "what is no finite number")
            _set(run, path, array.reshape(run.start.shape) if kind == np.float64 else array)
    for left in (*values, *tensors):
        refuse(name, left, "something unknown")
    if run.reason is None and (run.S.cnt[:, slots.NEXT] >= run.scorer.problem.n).any():
        refuse(name, "S.cnt", "a next row that is not there")
    if run.in_pass and run.order.is_batch:
        refuse(name, "in_pass", "a state within a pass of the order batch")
    _check_tallies(run, begun, name)
    run.resumed = run.in_pass
    if run.surveyed:
        run.scorer.survey()
        run.note_radius()
    _check_claims(run, name)
    if questions is not None:
        try:
            run.questions.restore(run, questions)
        except ValueError:
            refuse(name, "questions", questions)
    run.restore_derived()


def _check_claims(run: Run, name: str) -> None:
    """Count the errors of the pocket and add up the points of a cycle."""
    planes, counts = run.keep.planes, run.cycle_counts
    if run.keep.errors is not None and (
        not run.surveyed or planes is None or run.keep.errors != run.count(planes[None])[0]
    ):
        refuse(name, "errors", run.keep.errors)
    if counts is not None and ((counts < 0).any() or not counts.any() or not run.scorer.sums_to_zero(counts)):
        refuse(name, "cycle_counts", "points that do not sum to zero")


def _check_tallies(run: Run, begun: Tally, name: str) -> None:
    """A pass has at most n looks, a look at most one update of each plane; a pass began no later than now."""
    n, before, earlier = run.scorer.problem.n, run.at_pass, run.looks_before
    most = (run.passes - run.passes_before) * n
    if (earlier < 0).any() or int(earlier.max()) > min(most, NEVER // 2):
        refuse(name, "looks_before", "more looks than the passes have")
    now = run.tally()
    looks, updates = now.looks - begun.looks, now.updates - begun.updates
    good = 0 <= run.shown <= n and 0 <= looks <= most and 0 <= updates <= len(run.start) * looks
    good = good and bool((run.S.cnt[:, [slots.LOOKS, slots.UPDATES, slots.MISTAKES]] <= now.looks).all())
    if not good or not all(0 <= old <= new for old, new in zip(before[:2], now[:2], strict=True)):
        refuse(name, "S.cnt", "more looks or updates than the passes have")


def _take_queue(run: Run, values: Values, tensors: Tensors, name: str) -> int:
    """Take the candidates that wait for the pocket, in a queue as long as it was; return their number."""
    places, least = values.pop("places", None), len(run.S.queue)
    shape = run.start.shape[1:] if run.scheme.is_binary else run.start.shape
    queue = tensor_of(tensors, "waiting", np.float64, (None, *shape), name)
    most = max(least, 2 * run.scorer.problem.n)
    if type(places) is not int or places % least or not max(least, len(queue)) <= places <= most:
        refuse(name, "places", places)
    if not np.isfinite(queue).all():
        refuse(name, "waiting", "what is no finite number")
    room = np.zeros((places, *run.start.shape))
    room[: len(queue)] = queue.reshape(-1, *run.start.shape)
    run.S = run.S._replace(queue=room)
    return len(queue)


def _take_state(run: Run, tensors: Tensors, waiting: int, name: str) -> None:
    counters, numbers, keep = run.S.cnt.copy(), run.S.num.copy(), run.S.all[slots.KEEP]
    for key, own in _state_of(run).items():
        kind = np.uint8 if own.dtype == np.bool_ else own.dtype
        found = tensor_of(tensors, key, kind, own.shape, name)
        if key == "S.all":
            run.S.all[TOGETHER] = found
        else:
            np.copyto(own, found.astype(own.dtype))
    _check_counters(run, counters, waiting, name)
    _check_numbers(run, numbers, name)
    run.S.all[slots.KEEP] = keep


def _check_counters(run: Run, begun: np.ndarray, waiting: int, name: str) -> None:
    """Check that counters that are indices are within their arrays, and that those of the plan are as they were."""
    p, cnt = run.scorer.problem, run.S.cnt
    fixed = [slots.KEEP, slots.RULE, slots.POSITIVE]
    if not np.array_equal(cnt[:, fixed], begun[:, fixed]) or run.S.total[slots.QUEUED] != waiting:
        refuse(name, "S.cnt", "other counters")
    if waiting and (waiting >= len(run.S.queue) or run.plan.keep != "pocket"):
        refuse(name, "waiting", f"{waiting} candidates")
    queued = waiting + 1 if run.plan.keep == "pocket" else 1
    within = [
        (slots.WITNESS, p.d),
        (slots.NEXT, p.n + 1),
        (slots.FARTHEST, p.n + 1),
        (slots.QUEUED, queued),
        (slots.HOME, p.n + 1),
    ]
    least = np.zeros(cnt.shape[1], np.int64)
    least[slots.HOME] = -1
    counters = (cnt >= least).all() and (cnt <= NEVER).all()
    if not counters or any((cnt[:, place] >= end).any() for place, end in within):
        refuse(name, "S.cnt", "counters out of their range")
    if (run.S.all < 0).any() or (run.S.all > NEVER).any():
        refuse(name, "S.all", "counters out of their range")


def _check_numbers(run: Run, begun: np.ndarray, name: str) -> None:
    """Check that weights and their sums are finite, and the bias pad, the threshold and C those of the plan."""
    num = run.S.num
    fixed = [slots.PAD, slots.THRESHOLD, slots.C]
    if not np.array_equal(num[:, fixed], begun[:, fixed]):
        refuse(name, "S.num", "another threshold")
    still, bias = begun[:, slots.PAD] == 0.0, [slots.B, slots.UB]
    if not np.array_equal(num[still][:, bias], begun[still][:, bias]):
        refuse(name, "S.num", "a bias, which the run does not have")
    free = [place for place in slots.NUM if place != slots.REFB]  # NaN: nothing is compared with
    if not np.isfinite(num[:, free]).all() or not all(np.isfinite(part).all() for part in (run.S.w, run.S.u)):
        refuse(name, "S.num", "what is no finite number")
    if not run.scheme.is_binary and not np.isnan(num[:, slots.REFB]).all():
        refuse(name, "S.num", "weights to compare with, which several planes do not have")
    num[:, slots.W2] = -1.0  # |w|² is computed anew


def _take_log(run: Run, tensors: Tensors, name: str) -> None:
    log, n = tensor_of(tensors, "log", np.int64, (None, 3), name), run.scorer.problem.n
    if (log[:, 0] < 0).any() or (log[:, 0] >= n).any() or (len(log) and not isinstance(run.keep, Vote)):
        refuse(name, "log", "rows that are not there")
    if (log[:, 1] < 0).any() or (log[:, 1] > NEVER).any() or not np.isfinite(log[:, 2].copy().view(np.float64)).all():
        refuse(name, "log", "looks or steps that cannot be")
    if isinstance(run.keep, Vote):
        run.keep.parts = [log]


def take_history(run: Any, values: Values, tensors: Tensors, name: str) -> None:
    """Take the columns of the history of a run, one entry for each pass that has ended."""
    passes = values.get("passes")
    length = passes - (values.get("in_pass") is True) if type(passes) is int else 0
    for key in COLUMNS:
        column = tensor_of(tensors, f"history.{key}", np.float64, (length,), name)
        kinds = tensor_of(tensors, f"kinds.{key}", np.uint8, (length,), name)
        if not (np.isfinite(column) | (kinds != WHOLE)).all():
            refuse(name, f"history.{key}", "a whole number that is none")
        run.history[key] = [
            None if kind == NONE else int(value) if kind == WHOLE else value
            for value, kind in zip(column.tolist(), kinds.tolist(), strict=True)
        ]


def _take_tally(run: Run, values: Values, name: str) -> None:
    tally, seconds = values.pop("at_pass", None), values.pop("seconds", None)
    try:
        updates, looks, loss, mistakes = tally
        run.at_pass = Tally(int(updates), int(looks), float.fromhex(loss), int(mistakes))
        if not 0 <= float(seconds) < NEVER:
            raise ValueError
        run.clock = clock() - float(seconds)
    except (TypeError, ValueError):
        refuse(name, "at_pass", tally)


def _leave_out_bounds(values: Values, tensors: Tensors) -> None:
    """Bounds of |w| and |x| depend on the machine; no look depends on them.

    They are made again, but for the bound of |x|: as the square of a power of two it is the same on every machine.
    """
    num, cnt = tensors["S.num"].copy(), tensors["S.cnt"].copy()
    for place, value in ((slots.W2, -1.0), (slots.SEEN, 0.0), (slots.CAP, 0.0), (slots.FAR, 0.0), (slots.UNIT, 0.0)):
        num[..., place] = value
    for row in np.atleast_2d(num):
        row[slots.R2] = root_above(row[slots.R2]) ** 2
    if cnt.ndim == 2:  # of several planes: set anew for each doubtful look
        cnt[:, slots.LIMIT] = NEVER
    values["judge.R2"] = root_above(values["judge.R2"]) ** 2
    tensors |= {"S.num": num, "S.cnt": cnt}


def column_tensors(history: dict[str, list[Any]]) -> Tensors:
    """Return the columns of a history as tensors."""
    tensors: Tensors = {}
    for name, column in history.items():
        tensors[f"history.{name}"], tensors[f"kinds.{name}"] = _column(column)
    return tensors


def _column(column: list[Any]) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of a column as floats, and what they are: none, whole, or a float."""
    kinds = [NONE if v is None else FLOAT if isinstance(v, float) else WHOLE for v in column]
    return np.array([0.0 if v is None else float(v) for v in column]), np.array(kinds, np.uint8)


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def tensor_of(tensors: Tensors, key: str, dtype: Any, shape: tuple[int | None, ...], name: str) -> np.ndarray:
    """Take a tensor of this type and shape; raise InputError if there is none."""
    found = tensors.pop(key, None)
    if found is None or found.dtype != dtype or found.ndim != len(shape):
        refuse(name, key, None if found is None else f"{found.dtype} {found.shape}")
    if any(want is not None and want != size for want, size in zip(shape, found.shape, strict=True)):
        refuse(name, key, f"{found.dtype} {found.shape}")
    return found


def _get(run: Run, path: str) -> Any:
    """Return an attribute of an attribute …"""
    at: Any = run
    for name in path.split("."):
        at = getattr(at, name)
    return at


def _set(run: Run, path: str, value: Any) -> None:
    parent, _, last = path.rpartition(".")
    setattr(_get(run, parent) if parent else run, last, value)


def refuse(name: str, key: str, found: Any) -> NoReturn:
    """Raise InputError for a value or tensor of a checkpoint."""
    raise InputError(f"{name}: {key}: found {found!r:.80}; not the state of such a run. Begin without it")
