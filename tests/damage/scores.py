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
        return _votes(tensors, X, classes, scheme, Fraction(1 if record["bias"] else 0))
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


def _votes(tensors: dict[str, np.ndarray], X: Any, classes: int, scheme: str, pad: Fraction) -> list[list[Fraction]]:
    """The vectors between updates, made again in binary64; each weighs the looks it was there for."""
    log, ends, start, looks = (tensors[f"votes0.{name}"] for name in ("log", "ends", "start", "looks"))
    rows = _voting_rows(tensors, start.shape[1] - 1)
    cuts = [0, *map(int, ends.tolist())]
    if any(b < a for a, b in pairwise(cuts)) or cuts[-1] != len(log) or cuts[-1] > 10_000:
        raise RefusedError("ends")
    histories = []
    for k, (a, b) in enumerate(pairwise(cuts)):
        w, created = [float(v) for v in start[k]], int(looks[k][0]) + 1
        history = []
        for row, look, bits in log[a:b].tolist():
            if not 0 <= row < len(rows) or look < created:
                raise RefusedError("log")
            history.append((created, look, list(w)))
            step, created = float(np.int64(bits).view(np.float64)), look
            w = [v + step * x for v, x in zip(w, [*rows[row], float(pad)], strict=True)]
        if int(looks[k][1]) + 1 < created:
            raise RefusedError("looks")
        histories.append([*history, (created, int(looks[k][1]) + 1, list(w))])
    return [_voted(histories, [*row, pad], classes, scheme) for row in X]


def _voted(histories: Any, x: list[Fraction], classes: int, scheme: str) -> list[Fraction]:
    def score(w: list[float]) -> Fraction:
        return sum((Fraction(a) * b for a, b in zip(w, x, strict=True)), Fraction(0))

    if classes == 2 or scheme != "joint":
        each = [sum((Fraction((s > 0) - (s < 0)) * (end - created) for created, end, w in history for s in [score(w)]),
            Fraction(0))
                for history in histories]  # fmt: skip
        return _by_class(each, classes, scheme)
    times = sorted({one for history in histories for created, end, _ in history for one in (created, end)})
    total = [Fraction(0)] * classes
    for created, end in pairwise(times):
        present = [next(w for a, b, w in reversed(history) if a <= created < b) for history in histories]
        each = [score(w) for w in present]
        total[each.index(max(each))] += end - created
    return total


def _voting_rows(tensors: dict[str, np.ndarray], d: int) -> list[list[float]]:
    if "votes0.rows" in tensors:
        return [[float(v) for v in row] for row in tensors["votes0.rows"].tolist()]
    data, indices, indptr = (tensors[f"votes0.{name}"].tolist() for name in ("data", "indices", "indptr"))
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
