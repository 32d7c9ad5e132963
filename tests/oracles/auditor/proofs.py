"""`certify` and `verify`, `separation`, `margin`: proofs, kinds, rows, coefficients, widths and bounds."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

from oracles import nearest_points as hulls, rays as rays
from oracles.auditor.claims import (
    NUMBER,
    ROW,
    Audit,
    claims_of_chance,
    dot,
    numbers,
    plane_terms,
    root_digits,
    sum_is_zero,
    truth,
)
from oracles.auditor.problems import Table
from oracles.auditor.runs import cyclic

ENDLESS = 10**9  # looks


def audit_certify(a: Audit, folder: Path, chance: random.Random) -> None:
    certificate = folder / "proof.json"
    a.run(folder, "-o", str(certificate))
    if a.json is None:
        return
    t, info = a.table, a.json
    kind, separated, _ = truth(t)
    a.shape()
    a.claim("kind", info["kind"], kind)
    a.claim("separable", info["separable"], kind == "complete")
    a.claim("exit code", a.code, 0 if kind == "complete" else 1)
    if info["w"] is not None:
        claims_of_plane(a, info["w"], info["b"])
    if info["separated"] is not None:
        a.claim("separated rows", a.rows(info["separated"], "separated"), separated)
    if info["support"] is not None:
        claims_of_relation(a, a.rows(info["support"], "support"), info["weights"])
    words_of_verdict(a)
    claims_of_chance(a, kind == "complete")
    a.ask(["verify", str(certificate), str(folder / f"data{t.suffix}")])
    if a.json is not None:
        a.claim("verify: proved", (a.json["proved"], a.code), (True, 0))
        a.claim("verify: kind", a.json["kind"], kind)
        a.claim("verify: n and d", (a.json["n"], a.json["d"]), (len(t.points), len(t.points[0])))
        a.claim("verify: the first words", a.words.split(":")[0], f"PROVED {kind}")
        through = "plane through the origin" in a.words.split("\n")[0]
        a.claim("verify: through the origin", through, not t.bias)


def claims_of_plane(a: Audit, w: Any, b: Any) -> None:
    """The plane has the rows that can be separated on their own sides, and all others on it."""
    scores = [dot(a.table.plane(w, b), z) for z in a.table.signed]
    apart = [i for i, s in enumerate(scores) if s > 0]
    a.claim("who is on the positive side of the plane", apart, truth(a.table)[1])
    a.claim("nobody is on the wrong side of the plane", min(scores) >= 0, True)
    a.claim("b without a bias", Fraction(b) != 0 and not a.table.bias, False)
    long = max(abs(Fraction(v)) for v in (*w, b)) > 10**6
    a.plane(w, b, r"plane +(.*?)   ", divided=long)


def claims_of_relation(a: Audit, rows: list[int], weights: Any) -> None:
    """Rows that add up to zero with these weights."""
    a.claim("a weight for each row", len(rows), len(weights))
    a.claim("weights are positive", all(Fraction(v) > 0 for v in weights), True)
    chosen = [a.table.signed[i] for i in rows]
    a.claim("the weighted rows add up to zero", len(rows) == len(weights) and sum_is_zero(weights, chosen), True)


def words_of_verdict(a: Audit) -> None:
    """What `certify` and `Verdict.explain` say."""
    t = a.table
    kind, separated, _ = truth(t)
    first = "SEPARABLE" if kind == "complete" else f"NOT SEPARABLE  {kind}"
    a.claim("the first words", a.words.startswith(first), True)
    through = "plane through the origin" in a.words.split("\n")[0]
    a.claim("the first line: through the origin", through, not t.bias)
    for some in re.findall(r"(?:the|of the) ([\d,]+) points", a.words.split("\n")[0]):
        a.claim("how many points", int(some), len(t.points))
    sides = re.search(r"[>≥] 0 on (\S+), [<≤] 0 on (\S+)", a.words)
    if sides:
        a.claim("which class is on which side", [sides[2], sides[1]], t.classes)
    signs = re.search(r"sides  \+ is (\S+), − is (\S+)", a.words)
    a.claim("the signs are told of points that no plane separates", bool(signs), kind != "complete")
    if signs:
        a.claim("which class is +", [signs[2], signs[1]], t.classes)
    if kind == "quasi-complete":
        others = [i for i in range(len(t.points)) if i not in separated]
        a.in_words(r"separated: \d+ \(points? ([^)]*)\)", "separated", separated)
        a.in_words(r"on it, with every such plane: \d+ \(points? ([^)]*)\)", "on it", others)
        a.claim("how many are separated", re.findall(r"separated: (\d+)", a.words), [str(len(separated))])
        a.claim("how many are on it", re.findall(r"plane: (\d+) \(", a.words), [str(len(others))])
    _words_of_obstruction(a)


def _words_of_obstruction(a: Audit) -> None:
    """Points that the words name: their labels, mixtures that are written out, and what each asks of a plane."""
    t = a.table
    where = "the same point|on one ray from the origin"
    labelled = r"with different labels \((\S+) and (\S+)\)(?:: (.*))?"
    same = re.search(rf"points ({ROW}) and ({ROW}) are ({where}) {labelled}", a.words)
    if same:
        i, j = a.at(same[1]), a.at(same[2])
        a.claim("two points: rows of the file", None in (i, j), False)
        if i is not None and j is not None:
            if same[3] == "the same point":
                a.claim("the same point", t.points[i], t.points[j])
            else:
                left, right = (_mixed(a, side)[1] for side in same[6].split(" = "))
                slack = Fraction("≈" in same[6], 10**5)  # of six figures
                near = all(abs(p - q) <= slack * abs(p) for p, q in zip(left, right, strict=True))
                a.claim("on one ray", near, True)
            a.claim("the labels of two points, in their order", [same[4], same[5]], [t.labels[i], t.labels[j]])
    origin = re.search(rf"point ({ROW}) is at the origin", a.words)
    if origin:
        place = a.at(origin[1])
        a.claim("the point at the origin", place is not None and any(t.points[place]), False)
    opposite = re.search(rf"points ({ROW}) and ({ROW}) are both (\S+) and on opposite rays .*: (.*) = 0", a.words)
    if opposite:
        labels = [t.labels[i] for i in (a.at(opposite[1]), a.at(opposite[2])) if i is not None]
        a.claim("both are of the class", labels, [opposite[3]] * 2)
        rows, total = _mixed(a, opposite[4])
        if "≈" not in opposite[4]:
            a.claim("they add up to zero", any(total), False)
        a.claim("they are the rows of the sum", rows, [a.at(opposite[1]), a.at(opposite[2])])
    for label, line in re.findall(r"class (\S+):  (.*)", a.words):
        summed, *spelled = line.split(" = ")
        rows, mixed = _mixed(a, summed)
        a.claim("the points of the mixture are of the class", {t.labels[i] for i in rows}, {label})
        if "≈" not in line:
            a.claim("the point that the mixture is", numbers(spelled[-1]), mixed)
        if len(spelled) == 2 and "≈" not in line:
            info = [numbers(x) for x in re.findall(r"\([^)]*\)", spelled[0])]
            a.claim("the points of the mixture, written out", info, [t.points[i] for i in rows])
    request = re.findall(rf"^ +p({ROW}):  (.*) > 0$", a.words, re.M)
    for place, line in request:
        i, names = a.at(place), [*(f"w{j + 1}" for j in range(len(t.points[0]))), *(["b"] if t.bias else [])]
        a.claim("what a point asks: a row of the file", i is None, False)
        if i is not None and "≈" not in line:
            terms = {name: Fraction(v) for name, v in plane_terms(line).items() if name}
            a.claim("what a point asks", terms, {n: v for n, v in zip(names, t.signed[i], strict=True) if v})
    times = re.search(r"multiplied by (.*) and added, the left sides sum to 0", a.words)
    if times and request and "≈" not in times[1]:
        counts = [Fraction(v) for v in times[1].split(", ")]
        rows = [i for i in (a.at(place) for place, _ in request) if i is not None]
        a.claim("added up so many times, it is 0", sum_is_zero(counts, [t.signed[i] for i in rows]), True)


def _mixed(a: Audit, text: str) -> tuple[list[int], list[Fraction]]:
    """1/2·p1 + 1/2·p4: the rows, and the point that this is."""
    named = re.findall(rf"(?:({NUMBER})·)?p({ROW})", text)
    rows = [a.at(place) for _, place in named]
    a.claim("points of a sum: rows of the file", None in rows, False)
    usable = [i for i in rows if i is not None]
    weights = [Fraction((weight or "1").replace(",", "").replace("−", "-")) for weight, _ in named]
    return usable, [dot(weights, column) for column in zip(*(a.table.points[i] for i in usable), strict=True)]


# ---- separation ------------------------------------------------------------------------------------------------------


def audit_separation(a: Audit, folder: Path, chance: random.Random) -> None:
    a.run(folder)
    if a.json is not None:
        a.claim("separated rows", a.rows(a.json["rows"], "rows"), estimates(a.table)[1])
        a.claim("exit code", a.code, 0 if a.json["kind"] == "overlap" else 1)
        claims_of_separation(a)


def estimates(t: Table) -> tuple[str, list[int], list[str]]:
    """Kind, separated rows and fates of the coefficients, by the names of `design`."""
    names, X, first = design(t)
    order = [first, *(j for j in range(len(names)) if j != first)]  # what the intercept determines is aliased
    kind, separated, limits = rays.answer([[x[j] for j in order] for x in X], [[s] for s in t.signs])
    return kind, separated, [limits[order.index(j)] for j in range(len(names))]


def design(t: Table) -> tuple[list[str], list[list[Fraction]], int]:
    """Names and columns of the regression, and which is the intercept: one is added unless a column is constant."""
    columns = list(zip(*t.points, strict=True))
    constant = [j for j, column in enumerate(columns) if len(set(column)) == 1 and column[0]]
    if constant:
        return t.names, t.points, constant[0]
    return ["(Intercept)", *t.names], [[Fraction(1), *x] for x in t.points], 0


def claims_of_separation(a: Audit) -> None:
    """The words and the JSON of a report."""
    t, info = a.table, a.json
    kind, separated, limits = estimates(t)
    names, X, _ = design(t)
    Z = [[s * v for v in x] for s, x in zip(t.signs, X, strict=True)]
    a.claim("n", info["n"], len(t.points))
    a.claim("kind", info["kind"], kind)
    a.claim("rank", info["rank"], rays.rank(X))
    a.claim("classes", [str(c) for c in info["classes"]], t.classes)
    a.claim("the first words", a.words.split(" (")[0].split(":")[0], _HEAD[kind])
    a.claim("of which logit", re.findall(r"the logit of (\S+), against (\S+)\)", a.words), [tuple(t.classes[::-1])])
    size = re.search(r"\((\d+) rows?, (\d+) coefficients?, rank (\d+)\)", a.words)
    a.claim("rows, coefficients, rank", size and [int(v) for v in size.groups()], [len(Z), len(Z[0]), rays.rank(Z)])
    for some, of in re.findall(r"(\d+) of (\d+) rows? separated", a.words):
        a.claim("how many rows are separated", (int(some), int(of)), (len(separated), len(t.points)))
    mine = dict(zip(names, limits, strict=True))
    a.claim("what becomes of the coefficients", info["coefficients"], mine)
    table = re.findall(r"^(\S+) +(\+inf|-inf|finite|not-unique|aliased)\b", a.words, re.M)
    a.claim("what becomes of the coefficients, in words", dict(table), mine)
    for name, on in info["aliases"].items():
        columns = dict(zip(mine, zip(*X, strict=True), strict=True))
        rank = rays.rank([list(columns[k]) for k in on]) if on else 0
        a.claim("aliased: on independent columns", rank, len(on))
        a.claim("aliased: determined by these", rays.rank([list(columns[k]) for k in [*on, name]]), rank)
    if info["direction"] is not None:
        scores = [dot(info["direction"], z) for z in Z]
        a.claim("direction: above 0 on the separated rows", [i for i, s in enumerate(scores) if s > 0], separated)
        a.claim("direction: 0 on all others", min(scores) >= 0, True)
    if info["held"]:
        held = [[s * v for v in X[i]] for i, s in zip(a.rows(info["held"], "held"), info["held_signs"], strict=True)]
        others = [z for i, z in enumerate(Z) if i not in separated]
        a.claim("held: weights are positive", all(int(v) > 0 for v in info["held_weights"]), True)
        a.claim("held: they add up to zero", sum_is_zero(info["held_weights"], held), True)
        a.claim("held: they span every row that is not separated", rays.rank(held + others), rays.rank(held))
    if kind == "quasi-complete":
        a.in_words(r"rows separated, (?:numbered from 1|by their names in the index): (.*)", "rows", separated)
    for many, name, sign, value, group in re.findall(_CAUSE, a.words):
        x, v = [row[names.index(name)] for row in X], Fraction(float(value))
        chosen = [i for i, u in enumerate(x) if u == v or (u > v and sign == "≥") or (u < v and sign == "≤")]
        a.claim("cause: how many rows", len(chosen), int((many or "1").replace(",", "")))
        a.claim("cause: of which class", {t.classes[t.signs[i] > 0] for i in chosen}, {group})
        a.claim("cause: these are separated", set(chosen) <= set(separated), True)
    endless = [name for name, fate in mine.items() if fate in ("+inf", "-inf")]
    advised = re.search(r"no estimate of (.*?) is finite", a.words)
    if advised:
        a.claim("advice: which have no finite estimate", re.split(r", | and ", advised[1]), endless)


_CAUSE = (
    r"(?:All ([\d,]+) rows|The only row) with (\S+) ([=≥≤]) (\S+) (?:(?:have|has) \S+ =|(?:are|is) of class) (\S+)\."
)
_HEAD = {"complete": "COMPLETE SEPARATION", "quasi-complete": "QUASI-COMPLETE SEPARATION", "overlap": "OVERLAP"}


# ---- margin ----------------------------------------------------------------------------------------------------------


def audit_margin(a: Audit, folder: Path, chance: random.Random) -> None:
    a.run(folder)
    if a.json is None:
        return
    t, info = a.table, a.json
    kind, _, _ = truth(t)
    a.claim("separable", info["separable"], kind == "complete")
    a.claim("exit code", a.code, 0 if kind == "complete" else 1)
    if info["separable"]:
        a.shape()
        for name in ("geometric", "padded"):
            a.claim(f"{name}: touching", a.rows(info[name]["touching"], name), touching(t, info[name]))
        claims_of_margin(a, info)
        _words_of_margin(a)


def widths(t: Table) -> dict[str, Fraction]:
    """γ² of both margins."""
    padded = hulls.padded2(t.points, t.signs, t.bias)
    return {"geometric": hulls.geometric2(t.points, t.signs) if t.bias else padded, "padded": padded}


def touching(t: Table, part: Any) -> list[int]:
    """The rows nearest to the plane, whose numbers may be rounded."""
    scores = [dot(t.plane(part["w"], part["b"]), z) for z in t.signed]
    return [i for i, s in enumerate(scores) if s <= min(scores) * (1 + Fraction(1, 10**12))]


def claims_of_margin(a: Audit, info: Any) -> None:
    """Both margins, the radius, the mistake bound, and the updates that were made."""
    t, true = a.table, widths(a.table)
    radius2 = max(dot(x, x) for x in t.padded)
    a.claim("radius²", Fraction(info["radius2"]), radius2)
    for name, gamma2 in true.items():
        part = info[name]
        low, high = (Fraction(v) for v in part["gamma"])
        a.claim(f"{name}: γ between its bounds", low * low <= gamma2 <= high * high, True)
        if part["gamma2"] is not None:
            a.claim(f"{name}: γ²", Fraction(part["gamma2"]), gamma2)
        if t.rounds:  # so are the numbers of the plane, and it may have its points elsewhere
            continue
        least = min(dot(t.plane(part["w"], part["b"]), z) for z in t.signed)
        free = name == "geometric" and t.bias
        norm2 = dot(part["w"], [Fraction(v) for v in part["w"]]) + (0 if free else Fraction(part["b"]) ** 2)
        a.claim(f"{name}: the plane separates", least > 0, True)
        a.near(f"{name}: the plane's own margin", least * abs(least) / norm2, gamma2, Fraction(1, 10**9))
        a.near(f"{name}: y·score at the points that touch", least, Fraction(1))
    bound = radius2 / true["padded"]
    low, high = (Fraction(v) for v in info["mistake_bound"])
    a.claim("the mistake bound", low <= bound <= high, True)
    if info["finished"]:
        updates = len(cyclic(t.signed, ENDLESS).updates)
        a.claim("updates made", info["updates"], updates)
        a.claim("updates within the bound", updates <= bound, True)


def _words_of_margin(a: Audit) -> None:
    t, info, true = a.table, a.json, widths(a.table)
    head = re.match(r"(\d+) points, (\d+) features?: separable; \+ is (\S+), − is (\S+)", a.words)
    a.claim("the first words", head and [int(head[1]), int(head[2]), head[4], head[3]],
            [len(t.points), len(t.points[0]), *t.classes])  # fmt: skip
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
            low, high = Fraction(proved[1]), Fraction(proved[2])
            a.claim(f"{name}: γ between its bounds, in words", low * low <= gamma2 <= high * high, True)
    radius = re.search(r"^R(?: = √(\d+(?:/\d+)?))? (=|≈) (\S+), the length", a.words, re.M)
    radius2 = max(dot(x, x) for x in t.padded)
    a.claim("R is told", radius is not None, True)
    if radius:
        a.claim("R² in words", Fraction(radius[1] or radius2), radius2)
        a.claim("R = in words is exact", radius[2] == "=" and Fraction(radius[3]) ** 2 != radius2, False)
        a.near("R in words", Fraction(radius[3]) ** 2, radius2)
    made = re.search(r"made    (\d+) updates?", a.words)
    if made and info["finished"]:
        a.claim("updates made, in words", int(made[1]), info["updates"])
    most = re.search(r"mistakes ≤ \(R/γ\)² = (\d[\d,]*)(?=,)", a.words)
    if most:
        a.claim("the mistake bound in words", int(most[1].replace(",", "")), radius2 / true["padded"])
