"""Check that a checkpoint belongs to a run: the same parameters, on the same points.

Points are compared by the SHA-256 of their numbers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from novikoff.arguments.argument_checks import is_random_state
from novikoff.data.problem import Problem
from novikoff.errors import InputError

DIGESTS = {"points": "X and y", "validation": "the validation points", "start": "coef_init and intercept_init"}


def identity_of(
    parameters: Mapping[str, Any],
    problem: Problem,
    classes: np.ndarray,
    valid: Problem | None,
    start: np.ndarray,
) -> dict[str, str]:
    """Return what must not change, as texts and digests; parameters: those that change the run."""
    return {name: _word(name, value) for name, value in parameters.items()} | {
        "rows": str(problem.n),
        "columns": str(problem.d),
        "classes": f"{classes.dtype} {classes.tolist()!r:.1000}",
        "points": fingerprint(problem),
        "validation": "none" if valid is None else fingerprint(valid),
        "start": hashlib.sha256(start.tobytes()).hexdigest(),
    }


def check_same(was: Any, now: Mapping[str, str], name: str) -> None:
    """Raise InputError for the first difference."""
    if not isinstance(was, dict) or set(was) != set(now):
        raise InputError(f"{name}: the checkpoint of another kind of run; use another folder")
    for key, word in now.items():
        if was[key] == word:
            continue
        if key in DIGESTS:
            raise InputError(
                f"{name}: {DIGESTS[key]} changed since the checkpoint was written; restore them to resume, or start a "
                "new run in another folder"
            )
        raise InputError(
            f"{name}: {key} is {word[:80]} now and was {str(was[key])[:80]} when the checkpoint was written; use the "
            "old value to resume, or start a new run in another folder"
        )


def fingerprint(problem: Problem) -> str:
    """A digest of points and labels, as they are stored."""
    total = hashlib.sha256(f"{problem.n} {problem.d} {problem.pad} {problem.sparse}".encode())
    total.update(np.ascontiguousarray(problem.y).data)
    for rows, _, lo, hi in problem.pieces():
        parts = rows if isinstance(rows, tuple) else (rows[lo:hi],)
        for part in parts:
            total.update(f"{part.dtype.str} {part.shape}".encode())
            total.update(np.ascontiguousarray(part).data)
    return total.hexdigest()


def _word(name: str, value: Any) -> str:
    """Return a parameter as a text; raise InputError for an object that has none."""
    if name == "random_state" and (value is None or is_random_state(value)):
        return "drawn"
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, dict):
        return repr(sorted((_word(name, key), _word(name, weight)) for key, weight in value.items()))
    if value is None or type(value) in (bool, int, float, str):
        return repr(value)
    raise InputError(
        f"{name}: {value!r:.80} cannot be stored in a checkpoint and compared later; use a number or a string, or no "
        "checkpoint"
    )
