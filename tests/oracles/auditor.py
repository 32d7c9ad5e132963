"""The auditor: runs a verb on a file, reads every claim of its words and its JSON, and derives it again in fractions.

Nothing of what the package computes is used: a claim is held against the file alone (`tables`), against exact brute
force (`rays`, `hulls`), or against another claim of the same answer. A false sentence is a `Finding`.
"""

from __future__ import annotations

import random
import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import isqrt
from pathlib import Path
from typing import Any

import hulls
import rays
from commands import novikoff
from oracles.tables import Table, drawn

PASSES = 6  # of a fit: the lecture's run is made again in fractions
NUMBER = r"\d[\d,]*(?:/\d+|(?:\.\d+)?(?:e[+-]?\d+)?)"


@dataclass
class Finding:
    """A claim that is false, or that says something else than another claim of the same answer."""

    claim: str
    said: Any
    true: Any
    command: str
    text: str


@dataclass
class Audit:
    """One command on one file."""

    table: Table
    verb: str
    words: str = ""
    json: Any = None
    code: int = 0
    command: str = ""
    found: list[Finding] = field(default_factory=list)
    checked: int = 0

    def claim(self, name: str, said: Any, true: Any) -> None:
        self.checked += 1
        if said != true:
            self.found.append(Finding(name, said, true, self.command, self.table.text))

    def run(self, folder: Path, *options: str) -> None:
        """The command, in words and in JSON."""
        path = self.table.write(folder)
        args = [self.verb, str(path), *self.table.options, *options]
        self.command = " ".join(args)
        told, plain = novikoff(*args), novikoff(*args, "--json")
        self.words, self.code = told.out, told.code
        if told.code not in (0, 1) or plain.code not in (0, 1):
            self.claim("the command answers", (told.code, told.err[-300:]), "an answer")
            return
        self.json = plain.json
        self.claim("words and JSON have one exit code", told.code, plain.code)

    # ---- parts that several verbs share ------------------------------------------------------------------------------

    def shape(self) -> None:
        t = self.table
        self.claim("n", self.json["n"], len(t.points))
        self.claim("d", self.json["d"], len(t.points[0]))
        if "classes" in self.json:
            classes = [str(c) for c in self.json["classes"]]
            self.claim("classes", sorted(classes), sorted(t.classes))
            if len(classes) == 2 and "positive" in self.json:
                self.claim("the positive class", str(self.json["positive"]), t.classes[1])
            elif len(classes) == 2:
                self.claim("classes, the positive one last", classes, t.classes)

    def rows(self, numbers: list[int], name: str) -> list[int]:
        """Rows of JSON, numbered in the file from 0, as places among those that can be used."""
        places = [self.table.of.index(i) for i in numbers if i in self.table.of]
        usable = sorted(set(self.table.of) & set(numbers))
        self.claim(f"{name}: rows of the file that can be used", sorted(set(numbers)), usable)
        return places

    def in_words(self, pattern: str, name: str, numbers: list[int]) -> None:
        """A list of points in words, numbered in the file from 1."""
        found = re.search(pattern, self.words)
        self.claim(f"{name}: told in words", found is not None, True)
        if found and "…" not in found[1] and "more" not in found[1]:
            told = [int(v) for v in re.findall(r"\d+", found[1])]
            self.claim(f"{name}: numbers of the file", told, sorted(self.table.of[i] + 1 for i in numbers))

    def plane(self, w: list[Any], b: Any, pattern: str = r"plane +(.*?)(?: = 0|   )") -> None:
        """The plane of the words is that of the JSON, to the digits shown."""
        found = re.search(pattern, self.words)
        self.claim("the plane is told in words", found is not None, True)
        if not found:
            return
        names = self.table.names if found[1] and any(n in found[1] for n in self.table.names) else None
        terms = plane_terms(found[1])
        if "where" in self.words or names is None:
            names = [f"x{j + 1}" for j in range(len(w))]
        values = {name: Fraction(value) for name, value in [*zip(names, w, strict=True), ("", b)]}
        if "≈" in found[1]:  # up to a positive factor, to six digits
            largest = max(values, key=lambda name: abs(values[name]))
            factor = Fraction(terms.get(largest, "0")) / values[largest]
            self.claim("≈ plane: the factor is positive", factor > 0, True)
            for name, value in values.items():
                near = abs(Fraction(terms.pop(name, "0")) - value * factor) <= abs(values[largest] * factor) / 10**6
                self.claim(f"≈ plane, {name or 'bias'}", near, True)
        else:
            for name, value in values.items():
                self.claim(f"plane, {name or 'bias'}", shown(terms.pop(name, "0"), value), True)
        self.claim("plane: no other terms", terms, {})


def plane_terms(text: str) -> dict[str, str]:
    """−3·a + b + 1 as {"a": "-3", "b": "1", "": "1"}."""
    terms = {}
    for sign, number, name in re.findall(rf"([+−]?) ?(?:({NUMBER})(?:·|(?![\w])))?([A-Za-z_]\w*)?", text):
        if number or name:
            terms[name] = ("-" if sign == "−" else "") + (number or "1").replace(",", "")
    return terms


def shown(text: str, value: Fraction) -> bool:
    """Whether a number in words is the value, cut or rounded to the digits that are shown."""
    digits = text.lstrip("-").split("e")[0].partition(".")[2]
    if not digits and "e" not in text:
        return Fraction(text) == value
    unit = Fraction(1, 10 ** len(digits)) * Fraction(10) ** int(text.partition("e")[2] or 0)
    return abs(Fraction(text) - value) <= unit / 2


def dot(a: list[Any], b: list[Fraction]) -> Fraction:
    return sum((Fraction(u) * v for u, v in zip(a, b, strict=True)), Fraction(0))


def truth(t: Table) -> tuple[str, list[int], list[str]]:
    """Kind, separated rows and fates of the coefficients (the bias last)."""
    return rays.answer(t.padded, [[s] for s in t.signs])


# ---- fit -------------------------------------------------------------------------------------------------------------


def lecture(t: Table, passes: int) -> tuple[int, list[tuple[int, int]]]:
    """Updates of the cyclic run, and (errors, ties) of every vector that was met, in fractions."""
    w, updates = [Fraction(0)] * len(t.padded[0]), 0
    met = [counted(t, w)]
    for _ in range(passes):
        before = updates
        for z in t.signed:
            if dot(w, z) <= 0:
                w, updates = [a + b for a, b in zip(w, z, strict=True)], updates + 1
                met.append(counted(t, w))
        if updates == before:
            break
    return updates, met


def counted(t: Table, w: list[Any]) -> tuple[int, int]:
    scores = [dot(w, z) for z in t.signed]
    return sum(s <= 0 for s in scores), sum(s == 0 for s in scores)


def audit_fit(a: Audit, folder: Path, chance: random.Random) -> None:
    options = ["--max-passes", str(PASSES)]
    keep = chance.choice(["pocket", "pocket", "last", "average"])
    a.run(folder, *options, "--keep", keep)
    if a.json is None:
        return
    t, told = a.table, a.json
    a.shape()
    errors, ties = counted(t, [*told["w"], told["b"]])
    a.claim("train_errors", told["train_errors"], errors)
    a.claim("ties", told["ties"], ties)
    a.claim("separated", told["separated"], errors == 0)
    kind, _, _ = truth(t)
    if told["separable"] is not None:
        a.claim("separable", told["separable"], kind == "complete")
    if told["stop_reason"] == "separated":
        a.claim("stopped because it is separated", kind, "complete")
    if told["stop_reason"] in ("cycle", "not_separable"):
        a.claim("stopped because no plane separates", kind != "complete", True)
    a.claim("SEPARATED in words", a.words.count("\nSEPARATED") > 0, errors == 0)
    a.claim("NOT SEPARABLE in words", "NOT SEPARABLE" in a.words and kind == "complete", False)
    for some, of in re.findall(r"(\d+) of (?:the )?(\d+) training points wrong", a.words):
        a.claim("errors in words", (int(some), int(of)), (errors, len(t.points)))
    if keep != "average":
        updates, met = lecture(t, told["passes"])
        if told["looks"] == told["passes"] * len(t.points) and told["random_from"] is None:
            a.claim("updates", told["updates"], updates)
        if "best weights seen" in a.words:
            a.claim("the best weights seen", errors, min(e for e, _ in met))
    a.claim("exit code", a.code, 0 if errors == 0 else a.code)
    if keep != "average" and any(told["w"]):
        a.plane(told["w"], told["b"])
    signs = re.search(r"− is (\S+), \+ is (\S+)", a.words)
    if signs:
        a.claim("which class is +", [signs[1], signs[2]], t.classes)


def audit_many(a: Audit, folder: Path, chance: random.Random) -> None:
    scheme = chance.choice(["ova", "ovo", "joint"])
    model = folder / "model.nvk"
    a.run(folder, "--max-passes", str(PASSES * 3), "--multi", scheme, "-o", str(model))
    if a.json is None:
        return
    t, told = a.table, a.json
    a.shape()
    judged = novikoff("evaluate", model, folder / f"data{t.suffix}", *t.options, "--json")
    if judged.code == 0:
        confusion = judged.json["confusion"]
        a.claim("evaluate: n", judged.json["n"], len(t.points))
        counts = Counter(t.labels)
        a.claim("evaluate: rows of each class", [sum(row) for row in confusion], [counts[c] for c in t.classes])
        wrong = sum(map(sum, confusion)) - sum(confusion[k][k] for k in range(len(confusion)))
        a.claim("evaluate: errors and confusion", judged.json["errors"], wrong)
        if told["separated"]:
            a.claim("separated: the returned model has no errors", wrong, 0)
        if told["train_errors"] is not None:
            a.claim("train_errors are at least those that evaluate finds", told["train_errors"] >= wrong, True)
    a.claim("separated is train_errors = 0", told["separated"], told["train_errors"] == 0)
    a.claim("SEPARATED in words", a.words.count("\nSEPARATED") > 0, told["separated"])
    for some, of in re.findall(r"(\d+) of (?:the )?(\d+) training points wrong", a.words):
        a.claim("errors in words", (int(some), int(of)), (told["train_errors"], len(t.points)))
    if scheme != "ovo":
        a.claim("train_errors of the planes", told["train_errors"], _strictly_wrong(t, told["w"], told["b"]))


def _strictly_wrong(t: Table, W: list[list[float]], b: list[float]) -> int:
    """Points whose own class does not win strictly."""
    wrong = 0
    for x, label in zip(t.padded, t.labels, strict=True):
        scores = [dot([*w, c], x) for w, c in zip(W, b, strict=True)]
        own = scores.pop(t.classes.index(label))
        wrong += own <= max(scores)
    return wrong


# ---- certify, separation, margin -------------------------------------------------------------------------------------


def audit_certify(a: Audit, folder: Path, chance: random.Random) -> None:
    a.run(folder)
    if a.json is None:
        return
    t, told = a.table, a.json
    kind, separated, _ = truth(t)
    a.shape()
    a.claim("kind", told["kind"], kind)
    a.claim("separable", told["separable"], kind == "complete")
    a.claim("exit code", a.code, 0 if kind == "complete" else 1)
    first = "SEPARABLE" if kind == "complete" else f"NOT SEPARABLE  {kind}"
    a.claim("the first words", a.words.startswith(first), True)
    if told["w"] is not None:
        scores = [dot([*told["w"], told["b"]], z) for z in t.signed]
        a.claim("who is on the positive side of the plane", [i for i, s in enumerate(scores) if s > 0], separated)
        a.claim("nobody is on the wrong side of the plane", min(scores) >= 0, True)
        a.plane(told["w"], told["b"], r"plane +(.*?)   ")
        sides = re.search(r"[>≥] 0 on (\S+), [<≤] 0 on (\S+)", a.words)
        a.claim("which class is on which side", sides and [sides[2], sides[1]], t.classes)
    if told["separated"] is not None:
        a.claim("separated rows", a.rows(told["separated"], "separated"), separated)
        a.in_words(r"separated: \d+ \(points? ([^)]*)\)", "separated", separated)
        others = [i for i in range(len(t.points)) if i not in separated]
        a.in_words(r"on it, with every such plane: \d+ \(points? ([^)]*)\)", "on it", others)
    if told["support"] is not None:
        rows = a.rows(told["support"], "support")
        weights = [Fraction(v) for v in told["weights"]]
        a.claim("weights are positive", min(weights) > 0, True)
        if len(rows) == len(weights):
            columns = zip(*(t.signed[i] for i in rows), strict=True)
            a.claim("the weighted rows add up to zero", any(dot(weights, list(c)) for c in columns), False)
    _audit_why(a)


def _audit_why(a: Audit) -> None:
    """Points that the words name: their labels, and mixtures that are written out."""
    t = a.table
    at = {number + 1: place for place, number in enumerate(t.of)}
    same = re.search(r"points (\d+) and (\d+) are the same point with different labels \((\S+) and (\S+)\)", a.words)
    if same:
        i, j = at.get(int(same[1])), at.get(int(same[2]))
        a.claim("the same point: rows of the file", None not in (i, j), True)
        if i is not None and j is not None:
            a.claim("the same point", t.points[i], t.points[j])
            labels = [t.labels[i], t.labels[j]]
            a.claim("the labels of the same point, in the order of the points", [same[3], same[4]], labels)
    for label, line in re.findall(r"class (\S+):  (.*)", a.words):
        named = re.findall(r"(?:(\d+(?:/\d+)?)·)?p(\d+)", line)
        places = [at.get(int(number)) for _, number in named]
        for place in places:
            a.claim("a point of the mixture is of the class", place is not None and t.labels[place] == label, True)
        if None in places or "…" in line or "≈" in line:
            continue
        told = [[Fraction(v.strip().replace("−", "-")) for v in x.split(",")] for x in re.findall(r"\(([^)]*)\)", line)]
        chosen = [t.points[place] for place in places if place is not None]
        if len(told) == len(chosen) + 1:
            a.claim("the points of the mixture, written out", told[:-1], chosen)
        weights = [Fraction(weight or 1) for weight, _ in named]
        mixed = [dot(weights, list(column)) for column in zip(*chosen, strict=True)]
        a.claim("the point that the mixture is", told[-1:], [mixed])


def audit_separation(a: Audit, folder: Path, chance: random.Random) -> None:
    a.run(folder)
    if a.json is None:
        return
    t, told = a.table, a.json
    kind, separated, fates = rays.answer([[Fraction(1), *x] for x in t.points], [[s] for s in t.signs])
    constant = [len({x[j] for x in t.points}) == 1 for j in range(len(t.points[0]))]
    a.claim("n", told["n"], len(t.points))
    a.claim("kind", told["kind"], kind)
    a.claim("separated rows", a.rows(told["rows"], "rows"), separated)
    a.claim("exit code", a.code, 0 if kind == "overlap" else 1)
    if kind != "overlap":
        a.claim("the first word", a.words.split()[0], kind.upper())
    if not any(constant):
        names = ["(Intercept)", *t.names]
        known = {"infinite": "not-unique"}
        mine = {name: known.get(fate, fate) for name, fate in zip(names, fates, strict=True)}
        said = {name: known.get(fate, fate) for name, fate in told["coefficients"].items()}
        a.claim("what becomes of the coefficients", said, mine)
        for name, fate in re.findall(r"^(\S+) +(\+inf|-inf|infinite|finite|not-unique|aliased)\b", a.words, re.M):
            a.claim(f"coefficient {name} in words", known.get(fate, fate), said.get(name))
    if kind == "quasi-complete":
        a.in_words(r"rows separated, numbered from 1: ([\d, …]*)", "rows", separated)


def audit_margin(a: Audit, folder: Path, chance: random.Random) -> None:
    a.run(folder)
    if a.json is None:
        return
    t, told = a.table, a.json
    kind, _, _ = truth(t)
    a.claim("separable", told["separable"], kind == "complete")
    a.claim("exit code", a.code, 0 if kind == "complete" else 1)
    if not told["separable"]:
        return
    a.shape()
    radius2 = max(dot(list(x), x) for x in t.padded)
    a.claim("radius²", Fraction(told["radius2"]), radius2)
    true = {"geometric": hulls.geometric2(t.points, t.signs), "padded": hulls.padded2(t.points, t.signs)}
    for name, gamma2 in true.items():
        part = told[name]
        low, high = (Fraction(v) for v in part["gamma"])
        a.claim(f"{name}: γ between its bounds", low * low <= gamma2 <= high * high, True)
        if part["gamma2"] is not None:
            a.claim(f"{name}: γ²", Fraction(part["gamma2"]), gamma2)
        scores = [dot([*part["w"], part["b"]], z) for z in t.signed]
        if all(Fraction(v).denominator <= 16 for v in [*part["w"], part["b"]]):
            touching = [i for i, s in enumerate(scores) if s == min(scores)]
            a.claim(f"{name}: touching", a.rows(part["touching"], name), touching)
            own = min(scores) ** 2 / _norm2(part, name)
            a.claim(f"{name}: the plane's own margin", own > 0 and abs(own / gamma2 - 1) < Fraction(1, 10**9), True)
        section = a.words.partition(f"{name} margin")[2]
        found = re.search(r"touching +\d+ points?: ([\d, and]+)", section)
        if found:
            numbers = [int(v) for v in re.findall(r"\d+", found[1])]
            a.claim(f"{name}: touching, in words", numbers, [i + 1 for i in part["touching"]])
        digits = re.match(r" +γ = [^\n]*?= ?(\d+\.\d+)…", section)
        if digits:
            a.claim(f"{name}: digits of γ", digits[1], _root_digits(gamma2, len(digits[1].partition(".")[2])))
    bound = radius2 / true["padded"]
    low, high = (Fraction(v) for v in told["mistake_bound"])
    a.claim("the mistake bound", low <= bound <= high, True)
    if told["finished"]:
        updates, _ = lecture(t, 10**9)
        a.claim("updates made", told["updates"], updates)
        a.claim("updates within the bound", updates <= bound, True)


def _norm2(part: dict[str, Any], name: str) -> Fraction:
    numbers = [*part["w"], *([] if name == "geometric" else [part["b"]])]
    return sum((Fraction(v) ** 2 for v in numbers), Fraction(0))


def _root_digits(q: Fraction, places: int) -> str:
    """√q cut to so many decimals."""
    whole = isqrt(q.numerator * 10 ** (2 * places) // q.denominator)
    return f"{whole // 10**places}.{whole % 10**places:0{places}d}"


AUDITS = {
    "fit": audit_fit,
    "many": audit_many,
    "certify": audit_certify,
    "separation": audit_separation,
    "margin": audit_margin,
}


def audit(seed: object, folder: Path) -> Audit:
    """One case."""
    chance = random.Random(str(seed))
    what = chance.choice(list(AUDITS))
    done = Audit(drawn(chance, what == "many"), "fit" if what == "many" else what)
    AUDITS[what](done, folder, chance)
    return done


def audits(first: int, count: int) -> Iterator[Audit]:
    """Cases by their numbers."""
    with tempfile.TemporaryDirectory() as where:
        for number in range(first, first + count):
            yield audit(number, Path(where))
