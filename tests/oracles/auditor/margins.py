"""`margin`, `nv.margin`, `nv.margins` and `nv.MaxMargin`: widths, points that touch, bounds."""

from __future__ import annotations

import math
import random
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

import novikoff as nv
from oracles import nearest_points as hulls
from oracles.auditor.claims import Audit, dot, fractions, root_digits, sign, truth
from oracles.auditor.problems import Table, as_sorted, given
from oracles.auditor.proofs import claims_of_refusal
from oracles.auditor.runs import lecture


def audit_margin(a: Audit, folder: Path, chance: random.Random) -> None:
    """The verb."""
    a.run(folder)
    if a.json is None:
        return
    kind = truth(a.table)[0]
    a.fields(a.json, separable=kind == "complete")
    a.claim("exit code", a.code, 0 if kind == "complete" else 1)
    if a.json["separable"]:
        a.shape()
        for name in ("geometric", "padded"):
            part = a.json[name]
            a.claim(f"{name}: touching", a.rows(part["touching"], name), touching(a.table, part["w"], part["b"]))
        claims_of_margin(a, a.json)
        _words_of_margin(a)


def widths(t: Table) -> dict[str, Fraction]:
    """γ² of both margins."""
    padded = hulls.padded2(t.points, t.signs, t.bias)
    return {"geometric": hulls.geometric2(t.points, t.signs) if t.bias else padded, "padded": padded}


def touching(t: Table, w: Any, b: Any) -> list[int]:
    """The rows nearest to the plane, whose numbers may be rounded."""
    scores = [dot(t.plane(w, b), z) for z in t.signed]
    return [i for i, s in enumerate(scores) if s <= min(scores) * (1 + Fraction(1, 10**12))]


def claims_of_margin(a: Audit, info: Any) -> None:
    """Both margins, the radius, the mistake bound, and the updates that were made."""
    t, true = a.table, widths(a.table)
    radius2 = max(dot(x, x) for x in t.padded)
    a.claim("radius²", Fraction(info["radius2"]), radius2)
    for name, gamma2 in true.items():
        part = info[name]
        _between(a, f"{name}: γ between its bounds", part["gamma"], gamma2)
        if part["gamma2"] is not None:
            a.claim(f"{name}: γ²", Fraction(part["gamma2"]), gamma2)
        if t.rounds:  # so are the numbers of the plane, and it may have its points elsewhere
            continue
        least = min(dot(t.plane(part["w"], part["b"]), z) for z in t.signed)
        free = name == "geometric" and t.bias
        norm2 = dot(part["w"], fractions(part["w"])) + (0 if free else Fraction(part["b"]) ** 2)
        a.claim(f"{name}: the plane separates", least > 0, True)
        a.near(f"{name}: the plane's own margin", least * abs(least) / norm2, gamma2, Fraction(1, 10**9))
        a.near(f"{name}: y·score at the points that touch", least, Fraction(1))
    bound = radius2 / true["padded"]
    low, high = fractions(info["mistake_bound"])
    a.claim("the mistake bound", low <= bound <= high, True)
    if info["finished"]:
        updates = len(lecture(t.signed).updates)
        a.fields(info, updates=updates)
        a.claim("updates within the bound", updates <= bound, True)


def _between(a: Audit, name: str, ends: Any, square: Fraction) -> None:
    """The root of this square lies between the two."""
    low, high = fractions(ends)
    a.claim(name, low * low <= square <= high * high, True)


def _words_of_margin(a: Audit) -> None:
    t, info, true = a.table, a.json, widths(a.table)
    head = r"^(\d+) points, (\d+) features?: separable; \+ is (\S+), − is (\S+)"
    a.told("the first words", head, t.n, t.d, *t.classes[::-1], need=True)
    for name, gamma2 in true.items():
        section = a.words.partition(f"{name} margin")[2]
        found = re.search(r"touching +\d+ points?: ([\d, and]+)", section)
        if found:
            rows = [int(v) for v in re.findall(r"\d+", found[1])]
            a.claim(f"{name}: touching, in words", rows, [i + 1 for i in info[name]["touching"]])
        digits = re.match(r" +γ = [^\n]*?= ?(\d+\.\d+)…", section)
        if digits:
            a.claim(f"{name}: digits of γ", digits[1], root_digits(gamma2, len(digits[1].partition(".")[2])))
        square = re.match(r" +γ = (?:√\(?)?(\d+(?:/\d+)?)\)?(?: |$)", section, re.M)
        if square and "√" in square[0]:
            a.claim(f"{name}: γ² in words", Fraction(square[1]), gamma2)
        proved = re.search(r"proved  (\S+) ≤ γ ≤ (\S+)", section)
        if proved:
            _between(a, f"{name}: γ between its bounds, in words", proved.groups(), gamma2)
    radius2 = max(dot(x, x) for x in t.padded)
    radius = a.told("R", r"^R(?: = √(\d+(?:/\d+)?))? (=|≈) (\S+), the length", need=True)
    if radius:
        a.claim("R² in words", Fraction(radius[1] or radius2), radius2)
        a.claim("R = in words is exact", radius[2] == "=" and Fraction(radius[3]) ** 2 != radius2, False)
        a.near("R in words", Fraction(radius[3]) ** 2, radius2)
    if info["finished"]:
        a.told("updates made, in words", r"made    (\d+) updates?", info["updates"])
    a.told("the mistake bound in words", r"mistakes ≤ \(R/γ\)² = (\d[\d,]*)(?=,)", radius2 / true["padded"])


def audit_call(a: Audit, folder: Path, chance: random.Random) -> None:
    """`nv.margin`."""
    t, points = a.table, given(a, folder, chance)
    try:
        m = nv.margin(*points, fit_intercept=t.bias)
    except nv.NotSeparableError as error:
        claims_of_refusal(a, error)
        return
    info: dict[str, Any] = {"radius2": m.radius2[1], "mistake_bound": m.mistake_bound, "finished": False}
    for name in ("geometric", "padded"):
        width = getattr(m, name)
        (w, b), rows = width.plane, a.rows(width.touching.tolist(), name)
        info[name] = {"gamma": width.gamma, "gamma2": width.gamma2, "w": w.tolist(), "b": b}
        a.fields(width, f"{name}: ", indices=rows)
        if not t.rounds:
            a.claim(f"{name}: touching", rows, touching(t, w.tolist(), b))
        _claims_of_nearest(a, name, rows, fractions(width.weights.tolist()))
    if not t.rounds:
        info |= {"updates": m.updates, "finished": m.finished}
    claims_of_margin(a, info)
    a.fields(m, n=t.n, d=t.d, fit_intercept=t.bias)
    a.near("radius", Fraction(m.radius) ** 2, m.radius2[1])
    _between(a, "B = 1/γ", m.shortest, 1 / widths(t)["padded"])
    if not t.rounds:
        start, eta = [Fraction(chance.randint(-2, 2)) for _ in t.signed[0]], Fraction(chance.choice([1, 2]), 2)
        made = len(lecture(t.signed, eta=eta, w=start).updates)
        a.claim("updates from a start", tuple(m.made_from(start, eta)), (made, True))
        a.claim("the bound from a start holds", made <= m.mistake_bound_from(start, eta), True)
    many = len(m.geometric.touching)
    a.told("repr: how many touch", r"geometric \S+…\S+, (\d+) points touch", many, need=True, text=repr(m))


def _claims_of_nearest(a: Audit, name: str, rows: list[int], weights: list[Fraction]) -> None:
    """The weighted rows are the nearest points of the hulls."""
    t, free = a.table, name == "geometric" and a.table.bias
    sums = [sum((w for w, i in zip(weights, rows, strict=True) if t.signs[i] == s), Fraction(0)) for s in (1, -1)]
    for total in sums if free else [sum(sums)]:
        a.near(f"{name}: the weights sum to 1", total, Fraction(1))
    columns = list(zip(*(t.signed[i] for i in rows), strict=True))
    nearest = [dot(weights, column) for column in columns]
    errors = [dot(weights, list(map(abs, column))) / 2**52 for column in columns]  # each weight is rounded
    if free:
        nearest, errors = [v / 2 for v in nearest[:-1]], [v / 2 for v in errors[:-1]]
    true, e2 = widths(t)[name], dot(errors, errors)
    off = Fraction(2.0 * math.sqrt(float(true)) * math.sqrt(float(e2))) + e2
    a.near(f"{name}: the nearest points", dot(nearest, nearest), true, Fraction(1, 10**12) + off / max(1, abs(true)))


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
        a.claim("margins: side", int(m.sides[i]), sign(score))
        a.score("margins: score", float(m.scores[i]), score)
        a.near("margins: distance²", Fraction(float(m.distances[i])) ** 2, score**2 / dot(w, w))
        a.claim("margins: the sign of the distance", np.sign(m.distances[i]), y * sign(score))
        if any(x):
            a.near("margins: angular²", Fraction(float(m.angular[i])) ** 2, score**2 / dot(plane, plane) / dot(x, x))


def audit_widest(a: Audit, folder: Path, chance: random.Random) -> None:
    """`MaxMargin`, always with a bias."""
    points = given(a, folder, chance)
    a.table = t = as_sorted(a.table)
    free = chance.random() < 0.5
    try:
        clf = nv.MaxMargin(bias="free" if free else "padded").fit(*points)
    except nv.NotSeparableError as error:
        claims_of_refusal(a, error)
        return
    w, b = clf.coef_[0].tolist(), float(clf.intercept_[0])
    gamma2 = widths(t)["geometric" if free else "padded"]
    _between(a, "margin_", clf.margin_, gamma2)
    a.fields(clf, support_=touching(t, w, b))
    a.near("y·score at the points that touch", min(dot([*w, b], z) for z in t.signed), Fraction(1))
    norm2 = dot(w, fractions(w)) + (0 if free else Fraction(b) ** 2)
    a.near("1/γ² is the squared length", 1 / norm2, gamma2, Fraction(1, 10**9))
    for said, column in zip(w, zip(*(t.points[i] for i in clf.support_), strict=True), strict=True):
        a.near("dual_coef_: w is the sum of these points", said, dot(clf.dual_coef_[0].tolist(), column),
               Fraction(1, 10**9))  # fmt: skip
    a.claim("predict", [str(c) for c in clf.predict(points[0]).tolist()], t.labels)
    a.near("score", clf.score(*points), Fraction(1))
    for said, x in zip(clf.decision_function(points[0]).tolist(), t.padded, strict=True):
        a.score("decision_function", said, dot([*w, b], x))
