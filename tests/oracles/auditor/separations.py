"""`separation` and `nv.separation`: which rows are separated, and what becomes of the coefficients."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from pathlib import Path

import novikoff as nv
from oracles import rays
from oracles.auditor.claims import Audit, Rays, answer_of, dot, sum_is_zero
from oracles.auditor.problems import Table, given
from oracles.auditor.proofs import claims_of_span, count

HEAD = {"complete": "COMPLETE SEPARATION", "quasi-complete": "QUASI-COMPLETE SEPARATION", "overlap": "OVERLAP"}
CAUSE = (
    r"(?:All ([\d,]+) rows|The only row) with (\S+) ([=≥≤]) (\S+) (?:(?:have|has) \S+ =|(?:are|is) of class) (\S+)\."
)


def audit_separation(a: Audit, folder: Path, chance: random.Random) -> None:
    """The verb."""
    a.run(folder)
    if a.json is not None:
        a.claim("separated rows", a.rows(a.json["rows"], "rows"), estimates(a.table)[1])
        a.claim("exit code", a.code, 0 if a.json["kind"] == "overlap" else 1)
        claims_of_separation(a)


def audit_call(a: Audit, folder: Path, chance: random.Random) -> None:
    """`nv.separation`."""
    points, t = given(a, folder, chance), a.table
    r = nv.separation(*points, names=None if a.command.endswith(("read", "named frame")) else t.names)
    a.words, a.json = str(r), r.to_dict()
    kind, separated, limits = estimates(t)
    a.claim("separated rows", a.rows(r.rows.tolist(), "rows"), separated)
    a.claim("separated, bool", (r.separated, bool(r)), (kind != "overlap", kind != "overlap"))
    names = design(t)[0]
    for said, info in ((r.infinite, ("+inf", "-inf")), (r.not_unique, ("not-unique",))):
        a.claim(f"{info[0]}: names", list(said), [n for n, fate in zip(names, limits, strict=True) if fate in info])
    a.claim("names of the separated rows", [str(v) for v in r.row_names], [a.places[i] for i in separated])
    a.claim("repr", repr(r).startswith(f"Separation({kind}, {len(separated)} of {count(t.n, 'row')}"), True)
    claims_of_separation(a)
    a.claim("the certificate is accepted", nv.verify(r, *points), kind)


def design(t: Table) -> tuple[list[str], list[list[Fraction]], int]:
    """Names and columns of the regression, and which is the intercept: one is added unless a column is constant."""
    columns = list(zip(*t.points, strict=True))
    constant = [j for j, column in enumerate(columns) if len(set(column)) == 1 and column[0]]
    if constant:
        return t.names, t.points, constant[0]
    return ["(Intercept)", *t.names], [[Fraction(1), *x] for x in t.points], 0


def estimates(t: Table) -> Rays:
    """Kind, separated rows and fates of the coefficients, by the names of `design`."""
    names, X, first = design(t)
    order = [first, *(j for j in range(len(names)) if j != first)]  # what the intercept determines is aliased
    kind, separated, limits = answer_of([[x[j] for j in order] for x in X], t.signs)
    return kind, separated, [limits[order.index(j)] for j in range(len(names))]


def claims_of_separation(a: Audit) -> None:
    """The words and the JSON of a report."""
    t, info = a.table, a.json
    kind, separated, limits = estimates(t)
    names, X, _ = design(t)
    Z = [[s * v for v in x] for s, x in zip(t.signs, X, strict=True)]
    fates, rank = dict(zip(names, limits, strict=True)), rays.rank(X)
    a.fields(info, n=t.n, kind=kind, rank=rank, classes=t.classes, coefficients=fates)
    a.claim("the first words", a.words.split(" (")[0].split(":")[0], HEAD[kind])
    a.told("of which logit", r"the logit of (\S+), against (\S+)\)", *t.classes[::-1], need=True)
    sizes = r"\((\d+) rows?, (\d+) coefficients?, rank (\d+)\)"
    a.told("rows, coefficients, rank", sizes, t.n, len(names), rank, need=True)
    for some, of in re.findall(r"(\d+) of (\d+) rows? separated", a.words):
        a.claim("how many rows are separated", (int(some), int(of)), (len(separated), t.n))
    table = re.findall(r"^(\S+) +(\+inf|-inf|finite|not-unique|aliased)\b", a.words, re.M)
    a.claim("what becomes of the coefficients, in words", dict(table), fates)
    columns = dict(zip(names, zip(*X, strict=True), strict=True))
    for name, on in info["aliases"].items():
        rank = rays.rank([list(columns[k]) for k in on]) if on else 0
        a.claim("aliased: on independent columns", rank, len(on))
        a.claim("aliased: determined by these", rays.rank([list(columns[k]) for k in [*on, name]]), rank)
    if info["direction"] is not None:
        scores = [dot(info["direction"], z) for z in Z]
        a.claim("direction: above 0 on the separated rows", [i for i, s in enumerate(scores) if s > 0], separated)
        a.claim("direction: 0 on all others", min(scores) >= 0, True)
    if info["held"]:
        rows = a.rows(info["held"], "held")
        held = [[s * v for v in X[i]] for i, s in zip(rows, info["held_signs"], strict=True)]
        a.claim("held: weights are positive", all(int(v) > 0 for v in info["held_weights"]), True)
        a.claim("held: they add up to zero", sum_is_zero(info["held_weights"], held), True)
        claims_of_span(a, Z, rows, separated)
    if kind == "quasi-complete":
        a.in_words(r"rows separated, (?:numbered from 1|by their names in the index): (.*)", "rows", separated)
    for many, name, how, value, group in re.findall(CAUSE, a.words):
        x, v = [row[names.index(name)] for row in X], Fraction(float(value))
        chosen = [i for i, u in enumerate(x) if u == v or (u > v and how == "≥") or (u < v and how == "≤")]
        a.claim("cause: how many rows", len(chosen), int((many or "1").replace(",", "")))
        a.claim("cause: of which class", {t.classes[t.signs[i] > 0] for i in chosen}, {group})
        a.claim("cause: these are separated", set(chosen) <= set(separated), True)
    advised = re.search(r"no estimate of (.*?) is finite", a.words)
    if advised:
        endless = [name for name, fate in fates.items() if fate in ("+inf", "-inf")]
        a.claim("advice: which have no finite estimate", re.split(r", | and ", advised[1]), endless)
