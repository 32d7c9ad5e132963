"""Convert the voters of keep="vote" to tensors and back: the added rows, the log of updates, the initial plane.

    votes.rows                 the rows, dense; or votes.data, votes.indices, votes.indptr
    votes.log    (updates, 3)  (row, look, bits of the signed step)
    votes.start  (d + 1,)      (w, b) before the first update
    votes.looks  (2,)          looks before the first vector, and up to the last

The weight vectors are recomputed from
the same rows with the same roundings (perceptron/keeps/vote.py), so loaded voters vote exactly as the saved ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.data.problem import Problem
from novikoff.errors import InputError
from novikoff.kernels.structure_checks import check_indices, compressed_rows
from novikoff.perceptron.keeps import Voters
from novikoff.records.record_reader import tensor_in

LIMIT = 2.0**500  # points and weights stay below it, so that no sum can overflow
PREFIX = "votes."
SAVE_AGAIN = "the file was not written by this program"
DENSE = (np.float64, np.float32, np.int8, np.uint8)
Tensors = dict[str, np.ndarray]


def tensors_of_votes(voters: Voters) -> Tensors:
    """Return the tensors of a run's voters."""
    looks = np.array([voters.since, voters.until], np.int64)
    own = {"log": voters.log.astype(np.int64), "start": voters.start, "looks": looks}
    return {f"{PREFIX}{name}": tensor for name, tensor in (_tensors_of_rows(voters.problem) | own).items()}


def votes_of(tensors: Tensors, d: int, pad: float, name: str) -> Voters:
    """Read the voters from the tensors named votes…, and remove these; raise InputError for invalid ones."""
    own = {key.removeprefix(PREFIX): tensors.pop(key) for key in list(tensors) if key.startswith(PREFIX)}
    name = f"{name}: {PREFIX}"
    if not own:
        raise InputError(f"{name}: found no tensors; those of the voters were expected, as keep is 'vote'")
    log, start, looks = (tensor_in(own, key, dtype, shape, name) for key, dtype, shape in (
        ("log", np.int64, (None, 3)), ("start", np.float64, (d + 1,)), ("looks", np.int64, (2,)),
    ))  # fmt: skip
    problem = _problem(own, d, pad, name)
    if own:
        raise InputError(f"{name}{min(own)}: an unknown tensor")
    check_indices(log[:, 0], problem.n, "log", name, SAVE_AGAIN)
    _require(bool(((looks >= 0) & (looks < 2**62)).all()), f"{name}looks", "counts of looks")
    _check_size(problem, start, log, name)
    since, until = looks.tolist()
    times = np.concatenate([[since + 1], log[:, 1], [until + 1]])
    _require(bool((times[1:] >= times[:-1]).all()), f"{name}log", "looks in rising order")
    return Voters(problem, log, start, since, until)


def _tensors_of_rows(problem: Problem) -> Tensors:
    rows: Any = problem.rows
    if problem.sparse:
        values = rows[0] if rows[0].dtype in DENSE[:2] else rows[0].astype(np.float64)
        return {"data": values, "indices": rows[1].astype(np.int64), "indptr": rows[2].astype(np.int64)}
    return {"rows": rows if rows.dtype in DENSE else rows.astype(np.uint8 if rows.dtype == np.bool_ else np.float64)}


def _problem(own: Tensors, d: int, pad: float, name: str) -> Problem:
    """Read the stored rows; every index that a kernel uses is checked."""
    rows: Any
    if "rows" in own:
        rows = own.pop("rows")
        _require(rows.ndim == 2 and rows.shape[1] == d and rows.dtype in DENSE, f"{name}rows", f"rows of {d} numbers")
        n, values = len(rows), rows
    else:
        kinds = (("data", None), ("indices", np.int64), ("indptr", np.int64))
        data, indices, indptr = (tensor_in(own, key, kind, (None,), name) for key, kind in kinds)
        _require(data.dtype in DENSE[:2] and indptr.size > 0, f"{name}data", "floats and the starts of their rows")
        _require(int(indptr[-1]) == data.size, f"{name}indptr", "as many numbers as the rows have")
        data, indices, indptr = compressed_rows((data, indices, indptr), (indptr.size - 1, d), name, SAVE_AGAIN)
        rising = indices[1:] > indices[:-1]
        inner = indptr[1:-1]
        rising[inner[(inner > 0) & (inner < indices.size)] - 1] = True
        _require(bool(rising.all()), f"{name}indices", "columns in rising order")
        if max(d, data.size) < 2**31:
            indices, indptr = indices.astype(np.int32), indptr.astype(np.int32)
        rows, n, values = (data, indices, indptr), indptr.size - 1, data
    _require(bool((np.abs(values.astype(np.float64)) < LIMIT).all()), f"{name}rows", "finite numbers below 2^500")
    return Problem(rows, np.ones(n, np.int8), d, pad)


def _check_size(problem: Problem, start: np.ndarray, log: np.ndarray, name: str) -> None:
    """Check that no weight vector computed from these exceeds the range in which sums are exact."""
    values: Any = problem.rows[0] if problem.sparse else problem.rows
    steps = np.abs(log[:, 2].copy().view(np.float64))
    largest = max(float(np.abs(values.astype(np.float64)).max(initial=0.0)), 1.0)
    with np.errstate(over="ignore", invalid="ignore"):
        most = float(np.abs(start).max(initial=0.0)) + float(steps.sum()) * largest
    _require(most < LIMIT, f"{name}log", "steps whose sum stays below 2^500")


def _require(holds: bool, name: str, expected: str) -> None:
    if not holds:
        raise InputError(f"{name}: {expected} were expected; the file was not written by this program")
