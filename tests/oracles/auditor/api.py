"""Calls of Python: `decide`, `margin`, `separation`, `trace`, `removal`, `margins`, `read`, in many storages."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp

import novikoff as nv
from oracles import rays as rays
from oracles.auditor import proofs, traces
from oracles.auditor.claims import Audit, dot, sum_is_zero, truth
from oracles.auditor.problems import Table
from oracles.auditor.runs import cyclic

STORAGES = (
    "lists", "float64", "float32", "columns", "csr", "loose csr", "csc", "coo", "frame", "named frame", "read", "read",
)  # fmt: skip


def given(a: Audit, folder: Path, chance: random.Random) -> tuple[Any, ...]:
    """X and y in some storage, or the points of `read` alone; sets how a person calls the rows."""
    t, storage = a.table, chance.choice(STORAGES)
    storage = "float64" if t.rounds and storage == "float32" else storage
    a.command = f"{a.verb} of {storage}"
    a.numbers = list(range(len(t.points)))
    a.places = [str(i + 1) for i in a.numbers]
    if storage == "read":
        return (_read(a, folder),)
    X, y = [[float(v) for v in x] for x in t.points], labels(t)
    if storage == "named frame":
        a.places = [f"[r{number}]" for number in t.of]
        return pd.DataFrame(X, columns=t.names, index=[f"r{number}" for number in t.of]), y
    return _STORED[storage](X), np.array(y) if chance.random() < 0.5 else y


def _loose(X: list[list[float]]) -> Any:
    """Rows with zeros stored and columns that go down."""
    n, d = len(X), len(X[0])
    data = np.array([v for x in X for v in x[::-1]])
    return sp.csr_array((data, np.tile(np.arange(d)[::-1], n), np.arange(0, n * d + 1, d)), shape=(n, d))


_STORED: dict[str, Callable[[list[list[float]]], Any]] = {
    "lists": lambda X: X,
    "float64": np.array,
    "float32": lambda X: np.array(X, np.float32),
    "columns": lambda X: np.asfortranarray(X),
    "csr": sp.csr_array,
    "loose csr": _loose,
    "csc": sp.csc_array,
    "coo": lambda X: sp.coo_array(X),
    "frame": lambda X: pd.DataFrame(X),
}


def labels(t: Table) -> list[Any]:
    """As Python has them."""
    numeric = all(label.lstrip("-").isdigit() for label in t.labels)
    return [int(label) for label in t.labels] if numeric else list(t.labels)


def _read(a: Audit, folder: Path) -> Any:
    """The points of the file; `read` leaves out rows with missing cells only, and svmlight columns count from 0 where
    one is written."""
    t = a.table
    whole = "0" not in t.options
    if whole:
        a.numbers = list(t.of)
        a.places = [str(number + 1) for number in t.of]
    path = t.write(folder) if whole else t.write_rows(folder, list(range(len(t.kept))))
    if "--first-column" in t.options and t.options[t.options.index("--first-column") + 1] == "0":
        path.write_text(re.sub(r" (\d+):", lambda pair: f" {int(pair[1]) + 1}:", path.read_text()))
    points = nv.read(path, **t.reading)
    numeric = [str(v) for v in np.asarray(points.y).tolist()]
    a.claim("read: n, d and labels", (points.n, points.d, numeric), (len(t.points), len(t.points[0]), t.labels))
    X = points.X.toarray() if hasattr(points.X, "toarray") else np.asarray(points.X)
    a.claim("read: X", [[Fraction(v) for v in x] for x in X.tolist()], t.points)
    a.claim("read: row numbers", [str(v + 1) for v in points.row_numbers.tolist()], a.places)
    if points.names is not None:
        a.claim("read: names", list(points.names), t.names)
    a.claim(
        "read: its repr", re.findall(r"n=(\d+), d=(\d+)", repr(points)), [(str(len(t.points)), str(len(t.points[0])))]
    )
    return points


# ---- decide and removal ----------------------------------------------------------------------------------------------


def audit_decide(a: Audit, folder: Path, chance: random.Random) -> None:
    points = given(a, folder, chance)
    claims_of_verdict(a, nv.decide(*points, fit_intercept=a.table.bias), points)


def claims_of_verdict(a: Audit, v: Any, points: tuple[Any, ...]) -> None:
    """Everything that a verdict says, which still holds its points."""
    t = a.table
    kind, separated, _ = truth(t)
    of = f"{len(t.points)} points of {_count(len(t.points[0]), 'number')}"
    first = str(v)
    a.words = v.explain(t.names)
    a.planes(a.words)
    a.planes(first)
    a.claim("separable, bool and kind", (v.separable, bool(v), v.kind), (kind == "complete", kind == "complete", kind))
    a.claim("n and d", (v.n, v.d, v.fit_intercept), (len(t.points), len(t.points[0]), t.bias))
    a.claim("classes, the positive one last", [str(c) for c in v.classes], t.classes)
    a.claim("places", [str(v.place(i)) for i in a.numbers], a.places)
    a.claim("rows read", v.rows_read <= len(t.points), True)
    a.claim("separated rows", (indices(a, v.separated.tolist()), v.separated_indices.tolist()), (separated, separated))
    support, held_rows = indices(a, v.support), indices(a, v.held)
    a.claim("rows and indices", (support, held_rows), (list(v.indices), list(v.held_indices)))
    word = "separable" if kind == "complete" else f"not separable{'' if t.bias else ' by a plane through the origin'}"
    proof = "" if kind == "complete" else f" {len(v.support)} of "  # proved by so many, or by intervals on so many
    a.claim("str: the answer", first.split(":")[0], word)
    a.claim("str: how many points", f"{proof}{of}" in first, True)
    a.claim("str: a kind", [k for k in re.findall(r"overlap|quasi-complete|complete", first) if k != kind], [])
    rows = re.search(r"(\d+) rows? proves? it", repr(v))
    a.claim("repr: the rows of the proof", int(rows[1]) if rows else 0, len(v.support))
    if v.w is not None:
        proofs.claims_of_plane(a, v.w, v.b)
    if not v.separable:
        proofs.claims_of_relation(a, support, v.weights)
        proofs.claims_of_relation(a, held_rows, v.held_weights)
        held = [t.signed[i] for i in held_rows]
        others = [z for i, z in enumerate(t.signed) if i not in separated]
        a.claim("held: they span every row that is not separated", rays.rank(held + others), rays.rank(held))
    proofs.words_of_verdict(a)
    if len(points) == 2:
        X, y = points
        a.claim("check: it holds", v.check(X, y), True)
        i = support[0] if support else 0
        other = next(c for c in labels(t) if str(c) != t.labels[i])
        y = [other if k == i else label for k, label in enumerate(labels(t))]
        if any(t.padded[i]) and len(set(y)) == 2:
            a.claim("check: it does not hold with another label", v.check(X, y), False)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def audit_removal(a: Audit, folder: Path, chance: random.Random) -> None:
    t, points = a.table, given(a, folder, chance)
    found = nv.removal(*points, fit_intercept=t.bias, max_time=5.0)
    if found.rows is None:
        return
    removed = indices(a, found.rows)
    rest = [i for i in range(len(t.points)) if i not in removed]
    a.claim("removal: the rest is separable", _separable(t, rest), True)
    a.claim("removal: their number", len(found.rows), found.at_least)
    a.claim("removal: every row is needed", any(_separable(t, sorted([*rest, i])) for i in removed), False)
    if found.rest is not None and rest:
        v, signs = found.rest, t.signs
        one = {signs[i] for i in rest}
        sides = [dot(t.plane(v.w, v.b), t.signed[i]) for i in rest]
        if len(one) == 2:
            a.claim("removal: the plane of the rest", min(sides) > 0, True)
        a.claim("removal: rows of the rest", v.n, len(rest))
    a.claim("removal: its repr", repr(found), f"Removal(exactly {_count(found.at_least, 'row')})")


def _separable(t: Table, rows: list[int]) -> bool:
    """Whether a plane separates these rows."""
    if t.bias and len({t.signs[i] for i in rows}) < 2:
        return True
    return rays.answer([t.padded[i] for i in rows], [[t.signs[i]] for i in rows])[0] == "complete"


# ---- margin and margins ----------------------------------------------------------------------------------------------


def audit_api_margin(a: Audit, folder: Path, chance: random.Random) -> None:
    t, points = a.table, given(a, folder, chance)
    try:
        m = nv.margin(*points, fit_intercept=t.bias)
    except nv.NotSeparableError as error:
        a.claim("not separable", truth(t)[0] == "complete", False)
        claims_of_refusal(a, error)
        return
    info = {name: _part(a, getattr(m, name)) for name in ("geometric", "padded")}
    for name, part in info.items():
        width = getattr(m, name)
        if not t.rounds:
            a.claim(f"{name}: touching", part["touching"], proofs.touching(t, part))
        weights, rows = [Fraction(v) for v in width.weights.tolist()], part["touching"]
        sums = [sum((w for w, i in zip(weights, rows, strict=True) if t.signs[i] == s), Fraction(0)) for s in (1, -1)]
        if not (name == "geometric" and t.bias):
            sums = [sum(sums)]
        for total in sums:
            a.near(f"{name}: the weights sum to 1", total, Fraction(1))
        columns = list(zip(*(t.signed[i] for i in rows), strict=True))
        nearest = [dot(weights, column) for column in columns]
        errors = [dot(weights, list(map(abs, column))) / 2**52 for column in columns]  # each weight is rounded
        if name == "geometric" and t.bias:
            nearest, errors = [v / 2 for v in nearest[:-1]], [v / 2 for v in errors[:-1]]
        true, e2 = proofs.widths(t)[name], dot(errors, errors)
        off = Fraction(2.0 * math.sqrt(float(true)) * math.sqrt(float(e2))) + e2
        within = Fraction(1, 10**12) + off / max(1, abs(true))
        a.near(f"{name}: the nearest points", dot(nearest, nearest), true, within)
    info |= {"radius2": m.radius2[1], "mistake_bound": m.mistake_bound, "finished": False}
    if not t.rounds:
        info |= {"updates": m.updates, "finished": m.finished}
    proofs.claims_of_margin(a, info)
    a.claim("n, d and a bias", (m.n, m.d, m.fit_intercept), (len(t.points), len(t.points[0]), t.bias))
    a.near("radius", Fraction(m.radius) ** 2, m.radius2[1])
    low, high = map(Fraction, m.shortest)
    a.claim("B = 1/γ", low**2 <= 1 / proofs.widths(t)["padded"] <= high**2, True)
    if not t.rounds:
        start, eta = [Fraction(chance.randint(-2, 2)) for _ in t.signed[0]], Fraction(chance.choice([1, 2]), 2)
        made = len(cyclic(t.signed, proofs.ENDLESS, eta, start).updates)
        a.claim("updates from a start", tuple(m.made_from(start, eta)), (made, True))
        a.claim("the bound from a start holds", made <= m.mistake_bound_from(start, eta), True)
    said = re.search(r"geometric (\S+)…(\S+), (\d+) points touch", repr(m))
    a.claim("repr: how many touch", said and int(said[3]), len(info["geometric"]["touching"]))


def _part(a: Audit, width: Any) -> dict[str, Any]:
    (w, b), touching = width.plane, indices(a, width.touching.tolist())
    a.claim("touching rows and indices", touching, width.indices.tolist())
    return {"gamma": width.gamma, "gamma2": width.gamma2, "w": w.tolist(), "b": b, "touching": touching}


def indices(a: Audit, numbers: Iterable[int]) -> list[int]:
    """Rows numbered as Python's answers do, from 0 in the file or frame, as places among the points."""
    numbers = list(numbers)
    a.claim("rows of the file or frame", [i for i in numbers if i not in a.numbers], [])
    return [a.numbers.index(i) for i in numbers if i in a.numbers]


def claims_of_refusal(a: Audit, error: Any) -> None:
    """The message of a NotSeparableError names the rows of its proof."""
    v = error.verdict
    support = indices(a, v.support)
    proofs.claims_of_relation(a, support, v.weights)
    info = re.search(r"(\d+) points? \(row (.*?)\) sum to zero", str(error))
    a.claim("refusal: its rows", info and (int(info[1]), info[2].split(", ")),
            (len(support), [a.places[i] for i in support]))  # fmt: skip


def audit_margins(a: Audit, folder: Path, chance: random.Random) -> None:
    """A given plane asked about the points: the class that sorts last is positive."""
    t, points = a.table, given(a, folder, chance)
    w = [Fraction(chance.randint(-2, 2)) for _ in t.points[0]]
    w[0] = w[0] or Fraction(1)
    b = Fraction(chance.randint(-4, 4), 2) if t.bias else None
    m = nv.margins(*points, w=[float(v) for v in w], b=None if b is None else float(b))
    plane = [*w, b] if b is not None else w
    for i, x in enumerate(t.padded):
        score = dot(plane, x)
        y = 1 if t.labels[i] == t.sorted[-1] else -1
        a.claim("margins: side", int(m.sides[i]), (score > 0) - (score < 0))
        a.score("margins: score", float(m.scores[i]), score)
        a.near("margins: distance²", Fraction(float(m.distances[i])) ** 2, score**2 / dot(w, w))
        a.claim("margins: the sign of the distance", np.sign(m.distances[i]), y * ((score > 0) - (score < 0)))
        if any(x):
            a.near("margins: angular²", Fraction(float(m.angular[i])) ** 2, score**2 / dot(plane, plane) / dot(x, x))


# ---- separation and trace --------------------------------------------------------------------------------------------


def audit_api_separation(a: Audit, folder: Path, chance: random.Random) -> None:
    points = given(a, folder, chance)
    r = nv.separation(*points, names=None if a.command.endswith(("read", "named frame")) else a.table.names)
    numbered = _numbered(a)
    a.table, a.words, a.json = numbered, str(r), r.to_dict()
    kind, separated, limits = proofs.estimates(numbered)
    a.claim("separated rows", a.rows(r.rows.tolist(), "rows"), separated)
    a.claim("separated, bool", (r.separated, bool(r)), (kind != "overlap", kind != "overlap"))
    names = proofs.design(numbered)[0]
    for said, info in ((r.infinite, ("+inf", "-inf")), (r.not_unique, ("not-unique",))):
        a.claim(f"{info[0]}: names", list(said), [n for n, fate in zip(names, limits, strict=True) if fate in info])
    a.claim("names of the separated rows", [str(v) for v in r.row_names], [a.places[i] for i in separated])
    a.claim(
        "repr",
        repr(r).startswith(f"Separation({kind}, {len(separated)} of {_count(len(numbered.points), 'row')}"),
        True,
    )
    proofs.claims_of_separation(a)
    a.claim("the certificate is accepted", nv.verify(r, *points), kind)


def _numbered(a: Audit) -> Table:
    """The table, whose rows have the numbers of the file where that was read, else those of the points given."""
    return replace(a.table, of=a.numbers)


def audit_api_trace(a: Audit, folder: Path, chance: random.Random) -> None:
    points = given(a, folder, chance)
    order, eta, start = traces.request(a, chance)
    t = nv.trace(*points, order=order, eta0=eta, w0=start, fit_intercept=a.table.bias, max_updates=traces.MOST)
    a.words, info = t.to_text(), t.to_dict()
    a.table = _numbered(a)
    a.claim(
        "steps: rows and indices",
        [(s.row, a.table.of[s.index]) for s in t.steps],
        [(s["row"], s["row"]) for s in info["steps"]],
    )
    a.claim("steps: places", [str(t.place(s.row)) for s in t.steps], [a.places[s.index] for s in t.steps])
    a.claim("steps: w", [list(s.w) for s in t.steps], [[Fraction(v) for v in s["w"]] for s in info["steps"]])
    a.claim(
        "looks and passes",
        (t.n_looks, t.passes, t.stop_reason),
        tuple(info[k] for k in ("looks", "passes", "stop_reason")),
    )
    a.claim("plane", t.plane(), info["plane"])
    a.claim("LaTeX: a line for each step", t.to_latex().count(r" \\"), len(t.steps) + 1)
    traces.claims_of_trace(a, info, t.to_csv(), order, eta, start)
    if t.cycle_counts is not None:
        a.claim("cycle_counts add up to zero", sum_is_zero(t.cycle_counts, a.table.signed), True)
