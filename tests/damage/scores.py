"""The scores of a model of two or more classes, derived again from its tensors: by fractions, or vote by vote."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from damage.meaning import RefusedError


def scores_of(
    record: dict[str, Any], tensors: dict[str, np.ndarray], classes: int, table: np.ndarray
) -> list[list[Fraction]]:
    """Of each row: one score for two classes, else one for each class."""
    X = [[*map(Fraction, row)] for row in table.tolist()]
    scheme = record.get("multi_class", "ova")
    if scheme == "ovo" and record.get("fitted_with", {}).get("ovo") == "vote":
        scheme = "ovo by votes"
    if "fitted_with" in record and record["fitted_with"]["keep"] == "vote":
        return _votes(tensors, X, Fraction(1 if record["bias"] else 0))
    w, b = tensors["coef"], tensors["intercept"]
    pairs = classes * (classes - 1) // 2
    planes = pairs if scheme.startswith("ovo") or classes == 2 else classes
    if w.shape != (planes, len(X[0])) or b.shape != (planes,) or w.dtype != np.float64:
        raise RefusedError(f"planes of shape {w.shape}")
    each = [[sum((Fraction(v) * x for v, x in zip(plane, row, strict=True)), Fraction(c))
             for plane, c in zip(w.tolist(), b.tolist(), strict=True)] for row in X]  # fmt: skip
    return [_by_class(one, classes, scheme) for one in each]


def _by_class(each: list[Fraction], classes: int, scheme: str) -> list[Fraction]:
    """One score for each class: by pairs the sums of their scores, or votes and then the sums, between −1/3 and 1/3."""
    if classes == 2 or not scheme.startswith("ovo"):
        return each
    total, votes = [Fraction(0)] * classes, [0] * classes
    for (a, b), one in zip(combinations(range(classes), 2), each, strict=True):
        total[b] += one
        total[a] -= one
        votes[b] += one > 0
        votes[a] += one < 0
    if scheme == "ovo":
        return total
    return [vote + one / (3 * (abs(one) + 1)) for vote, one in zip(votes, total, strict=True)]


def _votes(tensors: dict[str, np.ndarray], X: Any, pad: Fraction) -> list[list[Fraction]]:
    """The vectors between updates, made again in binary64; each weighs the looks it was there for."""
    log, start, looks = (tensors[f"votes.{name}"] for name in ("log", "start", "looks"))
    rows = _voting_rows(tensors, len(start) - 1)
    if len(log) > 10_000:
        raise RefusedError("log")
    w, created = [float(v) for v in start], int(looks[0]) + 1
    history = []
    for row, look, bits in log.tolist():
        if not 0 <= row < len(rows) or look < created:
            raise RefusedError("log")
        history.append((look - created, list(w)))
        step, created = float(np.int64(bits).view(np.float64)), look
        w = [v + step * x for v, x in zip(w, [*rows[row], float(pad)], strict=True)]
    if int(looks[1]) + 1 < created:
        raise RefusedError("looks")
    history.append((int(looks[1]) + 1 - created, list(w)))
    return [[_voted(history, [*row, pad])] for row in X]


def _voted(history: list[tuple[int, list[float]]], x: list[Fraction]) -> Fraction:
    total = Fraction(0)
    for weight, w in history:
        score = sum((Fraction(a) * b for a, b in zip(w, x, strict=True)), Fraction(0))
        total += ((score > 0) - (score < 0)) * weight
    return total


def _voting_rows(tensors: dict[str, np.ndarray], d: int) -> list[list[float]]:
    if "votes.rows" in tensors:
        return [[float(v) for v in row] for row in tensors["votes.rows"].tolist()]
    data, indices, indptr = (tensors[f"votes.{name}"].tolist() for name in ("data", "indices", "indptr"))
    if any(b < a for a, b in pairwise(indptr)) or indptr[0] or indptr[-1] != len(data) != len(indices):
        raise RefusedError("indptr")
    rows = []
    for a, b in pairwise(indptr):
        row = [0.0] * d
        for j, value in zip(indices[a:b], data[a:b], strict=True):
            if not 0 <= j < d:
                raise RefusedError("indices")
            row[j] = value
        rows.append(row)
    return rows
