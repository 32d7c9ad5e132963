"""`certify` and `verify`, `nv.decide`, `nv.removal`: kinds, planes, and rows that add up to zero."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import novikoff as nv
from oracles import rays
from oracles.auditor.claims import (
    NUMBER,
    ROW,
    Audit,
    answer_of,
    claims_of_chance,
    dot,
    fractions,
    numbers,
    sum_is_zero,
    truth,
)
from oracles.auditor.problems import Table, given, labels


def audit_certify(a: Audit, folder: Path, chance: random.Random) -> None:
    certificate = folder / "proof.json"
    a.run(folder, "-o", str(certificate))
    if a.json is None:
        return
    t, info = a.table, a.json
    kind, separated, _ = truth(t)
    a.shape()
    a.fields(info, kind=kind, separable=kind == "complete")
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
        a.fields(a.json, "verify: ", proved=True, kind=kind, n=t.n, d=t.d)
        a.claim("verify: exit code", a.code, 0)
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


def claims_of_relation(a: Audit, rows: list[int], weights: Any, name: str = "") -> None:
    """Rows that add up to zero with these weights."""
    a.claim(f"{name}weights are positive, one for each row", [Fraction(v) > 0 for v in weights], [True] * len(rows))
    chosen = [a.table.signed[i] for i in rows]
    adds_up = len(rows) == len(weights) and sum_is_zero(weights, chosen)
    a.claim(f"{name}the weighted rows add up to zero", adds_up, True)


def words_of_verdict(a: Audit) -> None:
    """What `certify` and `Verdict.explain` say."""
    t = a.table
    kind, separated, _ = truth(t)
    line = a.words.split("\n")[0]
    first = "SEPARABLE" if kind == "complete" else f"NOT SEPARABLE  {kind}"
    a.claim("the first words", a.words.startswith(first), True)
    a.claim("the first line: through the origin", "plane through the origin" in line, not t.bias)
    for some in re.findall(r"(?:the|of the) ([\d,]+) points", line):
        a.claim("how many points", int(some), t.n)
    a.told("which class is on which side", r"[>≥] 0 on (\S+), [<≤] 0 on (\S+)", *t.classes[::-1])
    a.told("which class is +", r"sides  \+ is (\S+), − is (\S+)", *t.classes[::-1], need=kind != "complete")
    if kind == "quasi-complete":
        others = [i for i in range(t.n) if i not in separated]
        for name, head, rows in (("separated", "separated:", separated),
                                 ("on it", "on it, with every such plane:", others)):  # fmt: skip
            a.in_words(rf"{head} \d+ \(points? ([^)]*)\)", name, rows)
            a.told(f"{name}: how many", rf"{head} (\d+) \(", len(rows), need=True)
    _words_of_obstruction(a)


def _words_of_obstruction(a: Audit) -> None:
    """Points that the words name: their labels, mixtures that are written out, and what each asks of a plane."""
    t = a.table
    where = "the same point|on one ray from the origin"
    same = re.search(
        rf"points ({ROW}) and ({ROW}) are ({where}) with different labels \((\S+) and (\S+)\)(?:: (.*))?", a.words
    )
    if same:
        i, j = (a.at(place, "two points") for place in same.groups()[:2])
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
        place = a.at(origin[1], "the point at the origin")
        a.claim("the point at the origin", place is not None and any(t.points[place]), False)
    opposite = re.search(rf"points ({ROW}) and ({ROW}) are both (\S+) and on opposite rays .*: (.*) = 0", a.words)
    if opposite:
        two = [a.at(place, "opposite points") for place in opposite.groups()[:2]]
        a.claim("both are of the class", [t.labels[i] for i in two if i is not None], [opposite[3]] * 2)
        rows, total = _mixed(a, opposite[4])
        if "≈" not in opposite[4]:
            a.claim("they add up to zero", any(total), False)
        a.claim("they are the rows of the sum", rows, two)
    for label, line in re.findall(r"class (\S+):  (.*)", a.words):
        summed, *spelled = line.split(" = ")
        rows, mixed = _mixed(a, summed)
        a.claim("the points of the mixture are of the class", {t.labels[i] for i in rows}, {label})
        if "≈" not in line:
            a.claim("the point that the mixture is", numbers(spelled[-1]), mixed)
        if len(spelled) == 2 and "≈" not in line:
            info = [numbers(x) for x in re.findall(r"\([^)]*\)", spelled[0])]
            a.claim("the points of the mixture, written out", info, [t.points[i] for i in rows])
    rows = a.asks("p")
    times = re.search(r"multiplied by (.*) and added, the left sides sum to 0", a.words)
    if times and rows and "≈" not in times[1]:
        a.claim("added up so many times, it is 0",
                sum_is_zero(times[1].split(", "), [t.signed[i] for i in rows]), True)  # fmt: skip


def _mixed(a: Audit, text: str) -> tuple[list[int], list[Fraction]]:
    """1/2·p1 + 1/2·p4: the rows, and the point that this is."""
    named = re.findall(rf"(?:({NUMBER})·)?p({ROW})", text)
    rows = [i for i in (a.at(place, "points of a sum") for _, place in named) if i is not None]
    weights = [Fraction((weight or "1").replace(",", "").replace("−", "-")) for weight, _ in named]
    return rows, [dot(weights, column) for column in zip(*(a.table.points[i] for i in rows), strict=True)]


# ---- Python: decide and removal --------------------------------------------------------------------------------------


def audit_decide(a: Audit, folder: Path, chance: random.Random) -> None:
    """Everything that a verdict says, which still holds its points."""
    points = given(a, folder, chance)
    t, v = a.table, nv.decide(*points, fit_intercept=a.table.bias)
    kind, separated, _ = truth(t)
    first, is_separable = str(v), kind == "complete"
    a.words = v.explain(t.names)
    a.planes(a.words)
    a.planes(first)
    a.fields(v, separable=is_separable, kind=kind, n=t.n, d=t.d, fit_intercept=t.bias, classes=t.classes)
    a.claim("bool", bool(v), is_separable)
    a.claim("places", [str(v.place(i)) for i in a.numbers], a.places)
    a.claim("rows read", v.rows_read <= t.n, True)
    a.claim("separated rows", a.rows(v.separated.tolist(), "separated"), separated)
    support, held_rows = a.rows(v.support, "support"), a.rows(v.held, "held")
    a.fields(v, separated_indices=separated, indices=tuple(support), held_indices=tuple(held_rows))
    word = "separable" if is_separable else f"not separable{'' if t.bias else ' by a plane through the origin'}"
    proof = "" if is_separable else f" {len(v.support)} of "  # proved by so many, or by intervals on so many
    a.claim("str: the answer", first.split(":")[0], word)
    a.claim("str: how many points", f"{proof}{t.n} points of {count(t.d, 'number')}" in first, True)
    a.claim("str: a kind", [k for k in re.findall(r"overlap|quasi-complete|complete", first) if k != kind], [])
    rows = re.search(r"(\d+) rows? proves? it", repr(v))
    a.claim("repr: the rows of the proof", int(rows[1]) if rows else 0, len(v.support))
    if v.w is not None:
        claims_of_plane(a, v.w, v.b)
    if not v.separable:
        claims_of_relation(a, support, v.weights)
        claims_of_relation(a, held_rows, v.held_weights, "held: ")
        claims_of_span(a, t.signed, held_rows, separated)
    words_of_verdict(a)
    if len(points) == 2:
        X, y = points
        a.claim("check: it holds", v.check(X, y), True)
        i = support[0] if support else 0
        other = next(c for c in labels(t) if str(c) != t.labels[i])
        y = [other if k == i else label for k, label in enumerate(labels(t))]
        if any(t.padded[i]) and len(set(y)) == 2:
            a.claim("check: it does not hold with another label", v.check(X, y), False)


def claims_of_span(a: Audit, Z: Any, held: list[int], separated: list[int]) -> None:
    """The rows that hold the others span every row that is not separated."""
    rows = [Z[i] for i in held]
    others = [z for i, z in enumerate(Z) if i not in separated]
    a.claim("held: they span every row that is not separated", rays.rank(rows + others), rays.rank(rows))


def claims_of_refusal(a: Audit, error: Any) -> None:
    """The message of a NotSeparableError names the rows of its proof."""
    support = a.rows(error.verdict.support, "refusal")
    a.claim("not separable", truth(a.table)[0] == "complete", False)
    claims_of_relation(a, support, error.verdict.weights)
    info = re.search(r"(\d+) points? \(row (.*?)\) sum to zero", str(error))
    a.claim("refusal: its rows", info and (int(info[1]), info[2].split(", ")),
            (len(support), [a.places[i] for i in support]))  # fmt: skip


def count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def audit_removal(a: Audit, folder: Path, chance: random.Random) -> None:
    t, points = a.table, given(a, folder, chance)
    found = nv.removal(*points, fit_intercept=t.bias, max_time=5.0)
    if found.rows is None:
        return
    removed = a.rows(found.rows, "removal")
    rest = [i for i in range(t.n) if i not in removed]
    a.claim("removal: the rest is separable", _separable(t, rest), True)
    a.fields(found, "removal: ", at_least=len(removed))
    a.claim("removal: every row is needed", any(_separable(t, sorted([*rest, i])) for i in removed), False)
    if found.rest is not None and rest:
        sides = [dot(t.plane(found.rest.w, found.rest.b), t.signed[i]) for i in rest]
        if len({t.signs[i] for i in rest}) == 2:
            a.claim("removal: the plane of the rest", min(sides) > 0, True)
        a.fields(found.rest, "removal: the rest: ", n=len(rest))
    a.claim("removal: its repr", repr(found), f"Removal(exactly {count(found.at_least, 'row')})")


def _separable(t: Table, rows: list[int]) -> bool:
    """Whether a plane separates these rows."""
    if t.bias and len({t.signs[i] for i in rows}) < 2:
        return True
    return answer_of([t.padded[i] for i in rows], [t.signs[i] for i in rows])[0] == "complete"


# ---- three classes: an answer for each pair of them ------------------------------------------------------------------

Sides = dict[int, int]  # the side of each row of a plane


def sides_of(t: Table, scheme: str) -> dict[Any, Sides]:
    """By plane, in their order: the side of each of its rows."""
    many = t.sorted
    if scheme != "ovo":
        return {one: {i: 1 if label == one else -1 for i, label in enumerate(t.labels)} for one in many}
    pairs = [(a, b) for k, a in enumerate(many) for b in many[k + 1 :]]
    return {
        (a, b): {i: 1 if label == b else -1 for i, label in enumerate(t.labels) if label in (a, b)} for a, b in pairs
    }


def kind_of(t: Table, sides: Sides) -> str:
    """The kind of these rows alone."""
    return answer_of([t.padded[i] for i in sides], sides.values())[0]


def kind_of_plane(a: Audit) -> str:
    """What the words call a plane: with a bias any plane, without one those through the origin."""
    return "plane" if a.table.bias else "plane through the origin"


def audit_certify_pairs(a: Audit, folder: Path, chance: random.Random) -> None:
    a.run(folder)
    if a.json is None:
        return
    a.shape()
    pairs = {tuple(map(str, one["classes"])): one for one in a.json["pairs"]}
    true = _words_of_pairs(a, {pair: one["support"] for pair, one in pairs.items()})
    for pair, one in pairs.items():
        kind, sides = true[pair]
        a.fields(one, "a pair: ", kind=kind, separable=kind == "complete", n=len(sides))
    every = all(kind == "complete" for kind, _ in true.values())
    a.claim("every pair is separable", (a.json["separable"], a.code), (every, 0 if every else 1))


def audit_decide_pairs(a: Audit, folder: Path, chance: random.Random) -> None:
    points, t = given(a, folder, chance), a.table
    found: Any = nv.decide(*points, fit_intercept=t.bias)
    a.words = found.explain()
    verdicts = {(str(one), str(other)): v for (one, other), v in found.items()}
    true = _words_of_pairs(a, {pair: v.support for pair, v in verdicts.items()})
    every = all(kind == "complete" for kind, _ in true.values())
    a.claim("every pair is separable", (found.separable, bool(found)), (every, every))
    for pair, v in verdicts.items():
        kind, sides = true[pair]
        a.fields(v, "a pair: ", separable=kind == "complete", kind=kind, n=len(sides))
        signed = {i: [s * value for value in t.padded[i]] for i, s in sides.items()}
        if kind == "complete":
            side = 1 if str(v.classes[-1]) == pair[1] else -1  # the class that a person reads as positive
            a.claim("a pair: the plane", min(side * dot(t.plane(v.w, v.b), z) for z in signed.values()) > 0, True)
        elif set(support := a.rows(v.support, "support")) <= set(signed):
            weights = fractions(v.weights)
            adds_up = sum_is_zero(weights, [signed[i] for i in support])
            a.claim("a pair: the proof", (min(weights) > 0, adds_up), (True, True))


def _words_of_pairs(a: Audit, supports: dict[Any, Iterable[int]]) -> dict[Any, tuple[str, Sides]]:
    """Return the kind of each pair, and the sides of its rows. supports: the rows that prove it, as answered."""
    t, lines = a.table, a.words.split("\n")
    proofs, true = {pair: a.rows(rows, "support") for pair, rows in supports.items()}, {}
    for pair, sides in sides_of(t, "ovo").items():
        true[pair] = kind_of(t, sides), sides
        a.claim("the proof is of points of the pair", set(proofs.get(pair, [-1])) <= set(sides), True)
    a.claim("the pairs", list(proofs), list(true))
    apart = sum(kind == "complete" for kind, _ in true.values())
    head = f"{apart} of {len(true)} pairs of classes are separable, each by a {kind_of_plane(a)} checked exactly"
    a.claim("the first words", lines[0], head)
    for (pair, (kind, _)), line in zip(true.items(), lines[1:], strict=False):
        named, answer = re.split(r" {2,}", line.strip(), maxsplit=1)
        places = [a.places[i] for i in proofs.get(pair, [])]
        words = "separable" if kind == "complete" else f"NOT SEPARABLE, {kind}: points {', '.join(places)}"
        a.claim("a pair in words", (named, answer), (" | ".join(pair), words))
    return true
