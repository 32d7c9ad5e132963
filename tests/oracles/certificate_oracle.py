"""An independent judge of what a certificate says: exact linear programs, ranks and hull distances in fractions.

Nothing of the checker is used. `claims_of` a certificate are facts about the points; `false` returns the first fact
that does not hold, or None. For small problems: the distance of a hull is found by trying all subsets of its points.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import math
from fractions import Fraction as F  # noqa: N817
from typing import Any, NamedTuple

from flint import fmpq, fmpq_mat

from oracles.nearest_points import distance2, nearest_to_origin, square


class Model(NamedTuple):
    family: str
    classes: tuple[Any, ...]
    trials: int | None
    intercept: bool
    aliased: tuple[int, ...] = ()


class Claims(NamedTuple):
    model: Model
    kind: str
    relations: dict[int, dict[int, int]]
    strict: dict[tuple[int, int], int] | None
    zero_sum: dict[tuple[int, int], int]
    directions: list[dict[int, int]]
    complement: list[dict[int, int]]
    states: dict[int, str]
    limits: dict[int, tuple[int, dict[tuple[int, int], int]]]
    widths: dict[str, tuple[dict[int, int], dict[tuple[int, int], int], F, F]]
    radius2: tuple[F, F] | None


Points = tuple[tuple[str, tuple[F, ...]], ...]


@functools.lru_cache(1 << 12)
def vectors(points: Points, model: Model) -> dict[tuple[int, int], tuple[F, ...]] | None:
    """Return z by (row, against); None if a label or trial is not one of the model."""
    out: dict[tuple[int, int], tuple[F, ...]] = {}
    for i, (label, x) in enumerate(points):
        trials = F(1) if model.trials is None else x[model.trials]
        if trials < 0:
            return None
        row = [F(0) if j == model.trials or j in model.aliased else v for j, v in enumerate(x)] + [
            F(1)
        ] * model.intercept
        if model.intercept and len(x) in model.aliased:
            row[-1] = F(0)
        K = max(len(model.classes), 2)
        if model.family == "labels":
            if label not in model.classes:
                return None
            y = model.classes.index(label)
            pairs = [(y, c) for c in range(K) if c != y]
        else:
            try:
                value = F(float(label))
            except (ValueError, OverflowError):
                return None
            if (
                value < 0
                or (model.family == "proportions" and value > 1)
                or (model.family == "successes" and value > trials)
            ):
                return None
            pairs = [(1, 0)] * (value > 0)
            if model.family == "poisson" or value < (1 if model.family == "proportions" else trials):
                pairs.append((0, 1))
        for y, c in pairs if trials else ():
            z = [F(0)] * ((K - 1) * len(row))
            for part, sign in ((y, 1), (c, -1)):
                for j, v in enumerate(row) if part else ():
                    z[(part - 1) * len(row) + j] += sign * v
            out[i, c] = tuple(z)
    return out


def maximum(goal: list[F], rows: list[list[F]], ends: list[F]) -> tuple[F, list[F]]:
    """Return max goal·x for rows·x ≤ ends, x ≥ 0, with ends ≥ 0: the simplex method in fractions, Bland's rule."""
    m, n = len(rows), len(goal)
    table = [[*row, *(F(k == i) for k in range(m)), end] for i, (row, end) in enumerate(zip(rows, ends, strict=True))]
    cost, basis = [*(-g for g in goal), *[F(0)] * (m + 1)], list(range(n, n + m))
    while (enter := next((j for j in range(n + m) if cost[j] < 0), None)) is not None:
        ratios = [(row[-1] / row[enter], basis[i], i) for i, row in enumerate(table) if row[enter] > 0]
        assert ratios, "unbounded"
        leave = min(ratios)[2]
        pivot = table[leave][enter]
        table[leave] = [v / pivot if v else v for v in table[leave]]
        lead = [(j, v) for j, v in enumerate(table[leave]) if v]
        for row in (*(row for i, row in enumerate(table) if i != leave), cost):
            if factor := row[enter]:
                for j, v in lead:
                    row[j] -= factor * v
        basis[leave] = enter
    x = [F(0)] * (n + m)
    for i, j in enumerate(basis):
        x[j] = table[i][-1]
    return cost[-1], x


@functools.lru_cache(1 << 12)
def separated(points: Points, model: Model) -> frozenset[tuple[int, int]]:
    """Return the vectors z with z·b > 0 for some b in C: maximise Σ t with z·b ≥ t, 0 ≤ t ≤ 1."""
    Z = vectors(points, model) or {}
    names, D = list(Z), len(next(iter(Z.values()), ()))
    n = len(names)
    rows = [[*(-v for v in Z[name]), *Z[name], *(F(k == i) for k in range(n))] for i, name in enumerate(names)]
    rows += [[F(0)] * (2 * D) + [F(k == i) for k in range(n)] for i in range(n)]
    _, x = maximum([F(0)] * (2 * D) + [F(1)] * n, rows, [F(0)] * n + [F(1)] * n)
    return frozenset(name for i, name in enumerate(names) if x[2 * D + i] > 0)


@functools.lru_cache(1 << 14)
def state(points: Points, model: Model, m: int) -> str:
    """Return what the coefficient m is on C: the signs of its maximum and minimum."""
    Z = vectors(points, model) or {}
    D, kept = len(next(iter(Z.values()), ())), len(points[0][1]) + model.intercept
    free = [j for j in range(D) if j % kept not in model.aliased and j % kept != model.trials]
    found = []
    for sign in (1, -1):
        rows = [[*(-z[j] for j in free), *(z[j] for j in free)] for z in Z.values()]
        goal = [F(sign * (j == m)) for j in free] + [F(-sign * (j == m)) for j in free]
        best, _ = maximum(goal, [*rows, goal], [F(0)] * len(rows) + [F(1)])
        found.append(best > 0)
    return {(False, False): "finite", (True, False): "+inf", (False, True): "-inf", (True, True): "not-unique"}[
        tuple(found)
    ]


def dot(a: dict[int, int], z: tuple[F, ...]) -> F:
    return sum((F(v) * z[j] for j, v in a.items()), F(0))


def rank(rows: list[Any]) -> int:
    if not rows or not len(rows[0]):
        return 0
    return fmpq_mat(len(rows), len(rows[0]), [fmpq(v.numerator, v.denominator) for row in rows for v in row]).rank()


def combined(Z: Any, weights: dict[tuple[int, int], int]) -> list[F]:
    return [
        sum(column, F(0)) for column in zip(*([w * v for v in Z[name]] for name, w in weights.items()), strict=True)
    ]


@functools.lru_cache(1 << 10)
def gamma2(points: Points, model: Model, name: str) -> F:
    Z = vectors(points, model)
    assert Z is not None
    if name == "padded":
        return square(nearest_to_origin(list(Z.values())))
    sides = [[z[:-1] if c == 0 else tuple(-v for v in z[:-1]) for (_, c), z in Z.items() if c == k] for k in (0, 1)]
    return distance2(*sides) / 4


def false(points: Points, c: Claims) -> str | None:
    """Return the first claim that is not true of the points; None if all are."""
    Z = vectors(points, c.model)
    if Z is None:
        return "labels or trials of another model"
    if not Z:
        return "no vector"
    rows = {i for i, _ in Z}
    for j, relation in c.relations.items():
        wide = [[*x, F(1)] if c.model.intercept else [*x] for _, x in points]
        if not relation.get(j) or any(dot(relation, tuple(wide[i])) for i in rows):
            return f"aliased {j}"
    apart = separated(points, c.model)
    kind = "overlap" if not apart else "complete" if len(apart) == len(Z) else "quasi-complete"
    if c.kind != kind and not (c.kind == "not separable" and kind != "complete"):
        return f"kind {c.kind}, but it is {kind}"
    width = len(points[0][1]) + c.model.intercept
    D = len(next(iter(Z.values())))
    dimension = sum(1 for m in range(D) if m % width not in c.model.aliased and m % width != c.model.trials)
    for name, weights in (("strict", c.strict), ("zero_sum", c.zero_sum)):
        if weights and (any(w <= 0 or t not in Z for t, w in weights.items()) or any(combined(Z, weights))):
            return name
    if c.strict is not None and not 0 < len(c.strict) <= dimension + 1:
        return "strict: too many rows"
    if any(dot(b, z) < 0 for b in c.directions for z in Z.values()):
        return "directions"
    if (
        c.directions
        and any((dot(c.directions[0], z) > 0) != (name in apart) for name, z in Z.items())
        and c.kind != "overlap"
    ):
        return "directions[0]"
    if any(dot(e, z) for e in c.complement for name, z in Z.items() if name not in apart):
        return "complement"
    for m, word in c.states.items():
        if word not in ("undecided", true := state(points, c.model, m)):
            return f"coefficient {m} is {true}, not {word}"
    span = [list(z) for name, z in Z.items() if name not in apart]
    for m, (factor, weights) in c.limits.items():
        sign = 1 if c.states[m] == "+inf" else -1
        rest = combined(Z, weights)
        rest[m] -= sign * factor
        if factor <= 0 or any(w <= 0 for w in weights.values()) or rank([*span, rest]) != rank(span):
            return f"limit of {m}"
    for name, (plane, _, lower, upper) in c.widths.items():
        if not lower <= gamma2(points, c.model, name) <= upper:
            return f"margin {name}"
        least = min(dot(plane, z) for z in Z.values())
        if least <= 0 or least**2 < lower * sum(v * v for j, v in plane.items() if name == "padded" or j < width - 1):
            return f"plane {name}"
    if c.radius2 and not c.radius2[0] <= max(sum(v * v for v in z) for z in Z.values()) <= c.radius2[1]:
        return "radius"
    return None


# ---- the claims of a certificate -----------------------------------------------------------------------------------


def _named(found: dict[str, Any]) -> dict[tuple[int, int], int]:
    return {(i, c): int(w) for i, c, w in zip(found["rows"], found["against"], found["weights"], strict=True)}


def _sparse(found: dict[str, Any]) -> dict[int, int]:
    return {j: int(v) for j, v in zip(found["at"], found["values"], strict=True)}


def claims_of(c: dict[str, Any], points: Points) -> Claims:
    m, s, g = c["model"], c["coefficients"], c["margins"] or {}
    relations = {a["column"]: _sparse(a["relation"]) for a in (s["aliased"] if s else [])}
    classes = tuple(t if t is None else number_text(t) for t in m["classes"] or ("0", "1"))
    model = Model(m["family"], classes, m["trials"], m["intercept"], tuple(sorted(relations)))
    width = c["data"]["columns"] + m["intercept"]
    places = [
        k for k in range((len(model.classes) - 1) * width) if k % width not in relations and k % width != m["trials"]
    ]
    directions = [_sparse(d) for d in c["directions"]]
    widths = {
        name: (directions[w["direction"]], _named(w["mixture"]), F(w["lower"]), F(w["upper"]))
        for name in ("geometric", "padded")
        if (w := g.get(name))
    }
    radius2 = (F(g["radius2"]["lower"]), F(g["radius2"]["upper"])) if g.get("radius2") else None
    limits = {a["coefficient"]: (int(a["factor"]), _named(a["sum"])) for a in (s["limits"] if s else [])}
    return Claims(
        model,
        c["claim"],
        relations,
        None if c["strict"] is None else _named(c["strict"]),
        _named(c["zero_sum"]),
        directions,
        [_sparse(e) for e in c["complement"]],
        dict(zip(places, s["states"], strict=True)) if s else {},
        limits,
        widths,
        radius2,
    )


def points_of(X: list[list[Any]], y: list[Any]) -> Points:
    return tuple((number_text(str(t)), tuple(F(float(x)) for x in row)) for row, t in zip(X, y, strict=True))


def number_text(label: str) -> str:
    """Return one text for all spellings of a number."""
    try:
        return repr(float(label) + 0.0)
    except ValueError:
        return label


# ---- the digest ------------------------------------------------------------------------------------------------------


def digest(rows: list[tuple[str, list[str]]]) -> str:
    """Return the digest of labels and numbers as texts, written down from docs/certificate.md."""

    def words(raw: bytes) -> bytes:
        return len(raw).to_bytes(8, "little") + raw + b"\0" * ((8 - len(raw) % 8) % 8)

    def binary64(value: float) -> bytes:
        return bytes(ctypes.c_double.__ctype_le__(value))

    def label_words(label: str) -> bytes:
        try:
            value = float({"true": "1", "false": "0"}.get(label.lower(), label)) + 0.0
        except ValueError:
            value = math.inf
        return b"\xff" * 8 + binary64(value) if abs(value) <= 2**53 else words(label.encode())

    def one(label: str, texts: list[str]) -> bytes:
        there = [(j, float(text)) for j, text in enumerate(texts) if float(text)]
        pairs = [j.to_bytes(8, "little") + binary64(value) for j, value in there]
        return label_words(label) + len(pairs).to_bytes(8, "little") + b"".join(pairs)

    blocks = [rows[k : k + 4096] for k in range(0, len(rows), 4096)]
    leaves = [hashlib.sha256(b"".join(one(*row) for row in block)).digest() for block in blocks]
    sizes = len(rows).to_bytes(8, "little") + len(rows[0][1]).to_bytes(8, "little")
    return hashlib.sha256(words(b"novikoff-digest/2") + sizes + b"".join(leaves)).hexdigest()
