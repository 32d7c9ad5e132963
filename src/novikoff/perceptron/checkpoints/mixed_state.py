"""Convert the state of a run by parameter mixing to plain values and tensors, for a checkpoint, and back.

The state is that after the last round: a round is made as a whole or not at all. As in `saved_state`, a checkpoint is
untrusted: shapes, ranges and counts are checked, the errors of the pocket are counted again, and planes that the file
calls separating are counted on all points.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.kernels.compile import clock
from novikoff.perceptron.checkpoints.saved_state import (
    LOWEST,
    Tensors,
    Values,
    column_tensors,
    refuse,
    take_history,
    tensor_of,
)
from novikoff.perceptron.mixing.mixed_run import MixedRun
from novikoff.perceptron.stops import NEVER, REASONS

COUNTS = ("passes", "looks", "stall.since", "best.since")
COUNTED = ("stall.lowest", "best.lowest", "errors")  # None, whole numbers or weighted sums
PLANES = {"pocket": "pocket", "chosen": "validation.planes"}  # planes that may be there


def saved_mixed(run: MixedRun) -> tuple[Values, Tensors]:
    """Return the state of a run after its last round."""
    values: Values = {
        "passes": len(run.history["pass"]),
        "looks": run.looks,
        "stall.lowest": run.stall.lowest,
        "stall.since": run.stall.since,
        "best.lowest": run.best.lowest,
        "best.since": run.best.since,
        "errors": run.errors,
        "seconds": clock() - run.clock,
    }
    tensors: Tensors = {
        "planes": run.planes,
        "sums": run.sums,
        "counted": run.counted,
        "resting": run.resting.view(np.uint8),
        "mistakes": run.mistakes,
    }
    chosen = None if run.validation is None else run.validation.planes
    tensors |= {name: found for name, found in (("pocket", run.pocket), ("chosen", chosen)) if found is not None}
    return values, tensors | column_tensors(run.history)


def restore_mixed(run: MixedRun, values: Values, tensors: Tensors, name: str) -> None:
    """Put a state into a run that was just begun; raise InputError for an invalid one."""
    values, tensors = dict(values), dict(tensors)
    reason = values.pop("reason", None)
    if reason is not None and (type(reason) is not str or reason not in REASONS):
        refuse(name, "reason", reason)
    take_history(run, values, tensors, name)
    _take_values(run, values, name)
    _take_tensors(run, tensors, name)
    for left in (*values, *tensors):
        refuse(name, left, "something unknown")
    run.reason = reason
    _check_claims(run, name)


def _take_values(run: MixedRun, values: Values, name: str) -> None:
    found: dict[str, Any] = {}
    for key in (*COUNTS, *COUNTED):
        there, value = key in values, values.pop(key, None)
        kinds = (int,) if key in COUNTS else LOWEST
        if not there or type(value) not in kinds or (value is not None and not 0 <= value <= NEVER):
            refuse(name, key, value)
        found[key] = value
    seconds = values.pop("seconds", None)
    if type(seconds) not in (int, float) or not 0 <= seconds < NEVER:
        refuse(name, "seconds", seconds)
    n = run.scorer.problem.n
    if found["looks"] != found["passes"] * n:
        refuse(name, "looks", found["looks"])
    run.passes, run.looks = found["passes"], found["looks"]
    run.stall.lowest, run.stall.since = found["stall.lowest"], found["stall.since"]
    run.best.lowest, run.best.since = found["best.lowest"], found["best.since"]
    run.errors, run.clock = found["errors"], clock() - float(seconds)


def _take_tensors(run: MixedRun, tensors: Tensors, name: str) -> None:
    shape, count = run.planes.shape, (len(run.planes),)
    planes = {key: tensor_of(tensors, key, np.float64, shape, name) for key in ("planes", "sums")}
    planes |= {key: tensor_of(tensors, key, np.float64, shape, name) for key in PLANES if key in tensors}
    for key, array in planes.items():
        if not np.isfinite(array).all() or (not run.scorer.problem.pad and array[:, -1].any()):
            refuse(name, key, "numbers that are not finite, or a bias, which the run does not have")
    run.planes, run.sums, run.pocket = planes["planes"] + 0.0, planes["sums"], planes.get("pocket")
    if "chosen" in planes:
        if run.validation is None:
            refuse(name, "chosen", "planes, without validation points")
        run.validation.planes = planes["chosen"]
    run.counted = tensor_of(tensors, "counted", np.int64, count, name)
    run.resting = tensor_of(tensors, "resting", np.uint8, count, name).astype(bool)
    run.mistakes = tensor_of(tensors, "mistakes", np.int64, run.mistakes.shape, name)
    most = run.passes * np.array([part.end - part.first for part in run.table]) * len(run.planes)
    if (run.counted < 0).any() or (run.counted > run.passes).any():
        refuse(name, "counted", "more rounds than there were")
    if (run.mistakes < 0).any() or (run.mistakes > most).any() or run.mistakes.sum() != sum(run.history["updates"]):
        refuse(name, "mistakes", "other counts than those of the rounds")


def _check_claims(run: MixedRun, name: str) -> None:
    """Count the errors of the pocket, and those of planes that are said to separate their points."""
    if (run.pocket is None) != (run.errors is None) or (run.pocket is not None and run.plan.keep != "pocket"):
        refuse(name, "pocket", run.errors)
    if run.pocket is not None and run.errors != run.count(run.pocket[None])[0]:
        refuse(name, "errors", run.errors)
    separated = run.reason == "separated"
    if run.scheme.is_binary or run.scheme.is_joint:
        wrong = (separated or run.resting.any()) and run.count(run.planes[None])[0] != 0
    else:
        wrong = run.resting.any() and run.plane_errors()[run.resting].any()
        wrong = wrong or (separated and not run.resting.all())
    if wrong:
        refuse(name, "resting", "planes that do not separate their points")
