"""What the audits share: a claim and what is true of it, numbers as they are written in words, planes, lists of rows.

Nothing of what the package computes is used: a claim is held against the file alone (`problems`), against exact brute
force (`rays`, `hulls`, `runs`), or against another claim of the same answer. A false sentence is a `Finding`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb, isqrt
from pathlib import Path
from typing import Any

from commands import novikoff
from oracles import rays as rays
from oracles.auditor.problems import Table

NUMBER = r"\d[\d,]*(?:/\d+|(?:\.\d+)?(?:[eE][+−-]?\d+)?)"
ROW = r"\[\w+\]|\d+"  # a row by its name in an index, or its number


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
    """One command on one file, or one call on its points."""

    table: Table
    verb: str
    words: str = ""
    json: Any = None
    code: int = 0
    command: str = ""
    places: list[str] = field(default_factory=list)  # how a person calls each row that can be used
    numbers: list[int] = field(default_factory=list)  # its number in Python's answers, from 0
    found: list[Finding] = field(default_factory=list)
    checked: int = 0

    def __post_init__(self) -> None:
        self.places = [str(number + 1) for number in self.table.of]
        self.numbers = list(self.table.of)

    def claim(self, name: str, said: Any, true: Any) -> None:
        self.checked += 1
        if said != true:
            self.found.append(Finding(name, said, true, self.command, self.table.text))

    def near(self, name: str, said: Any, true: Fraction, within: Fraction = Fraction(1, 10**12)) -> None:
        """A float that is the true number but for rounding."""
        self.claim(name, abs(Fraction(said) - true) <= within * max(1, abs(true)), True)

    def score(self, name: str, said: Any, true: Fraction) -> None:
        """The same, 0 only where that is 0."""
        self.near(name, said, true)
        self.claim(f"{name}: its sign", (said > 0) - (said < 0), (true > 0) - (true < 0))

    def run(self, folder: Path, *options: str) -> None:
        """The command, in words and in JSON."""
        args = [self.verb, str(self.table.write(folder)), *self.table.options, *options]
        self.ask(args)

    def ask(self, args: Sequence[str]) -> None:
        self.command, self.json = " ".join(args), None
        info, plain = novikoff(*args), novikoff(*args, "--json")
        self.words, self.code = info.out, info.code
        self.planes(self.words)
        if info.code not in (0, 1) or plain.code not in (0, 1):
            self.claim("the command answers", (info.code, info.err[-300:]), "an answer")
            return
        self.json = plain.json
        self.claim("words and JSON have one exit code", info.code, plain.code)

    # ---- parts that several answers share ----------------------------------------------------------------------------

    def planes(self, words: str) -> None:
        """Without a bias planes go through the origin, and a claim that there is none, or one, says so."""
        stated = r"\b(?:[Nn]o|no single|a) plane(?P<where> through the origin)? (?:separates|has)\b"
        for found in re.finditer(stated, words):
            self.claim(f"{found[0]}: through the origin", found["where"] is None, self.table.bias)
        self.claim(
            "separable by a plane through the origin", "separable by a" in words.lower() and self.table.bias, False
        )

    def shape(self) -> None:
        t = self.table
        self.claim("n", self.json["n"], len(t.points))
        self.claim("d", self.json["d"], len(t.points[0]))
        if "classes" in self.json:
            classes = [str(c) for c in self.json["classes"]]
            self.claim("classes", sorted(classes), sorted(set(t.labels)))
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

    def at(self, place: str) -> int | None:
        """The row that a person calls so."""
        return self.places.index(place) if place in self.places else None

    def in_words(self, pattern: str, name: str, rows: list[int]) -> None:
        """A list of points in words, as a person calls them."""
        found = re.search(pattern, self.words)
        self.claim(f"{name}: told in words", found is not None, True)
        if found and "…" not in found[1] and "more" not in found[1]:
            self.claim(f"{name}: numbers of the file", re.findall(ROW, found[1]), [self.places[i] for i in rows])

    def plane(self, w: list[Any], b: Any, pattern: str = r"plane +(.*?)(?: = 0|   )", divided: bool = False) -> None:
        """The plane of the words is that of the JSON, to the digits shown; divided: by its largest number."""
        found = re.search(pattern, self.words)
        self.claim("the plane is told in words", found is not None, True)
        if not found:
            return
        names = self.table.names if found[1] and any(n in found[1] for n in self.table.names) else None
        if "where" in self.words or names is None:
            names = [f"x{j + 1}" for j in range(len(w))]
        largest = max(abs(Fraction(v)) for v in (*w, b)) if divided else 1
        self.terms(found[1], [*names, ""], [Fraction(v) / largest for v in (*w, b)])

    @property
    def known_names(self) -> list[str]:
        """The names of the columns where the points have them: in a file, in points of `read` and in a named frame."""
        if self.command.startswith("nv.") and not self.command.endswith(("read", "named frame")):
            return [f"x{j + 1}" for j in range(len(self.table.names))]
        return self.table.names

    def terms(self, text: str, names: Sequence[str], numbers: Sequence[Any]) -> None:
        """−3·a + b + 1: these numbers of these names."""
        terms = plane_terms(text)
        values = {name: Fraction(value) for name, value in zip(names, numbers, strict=True)}
        if "≈" in text:  # up to a positive factor, each to six digits
            largest = max(values, key=lambda name: abs(values[name]))
            factor = Fraction(terms.get(largest, "0")) / values[largest]
            self.claim("≈ plane: the factor is positive", factor > 0, True)
            for name, value in values.items():
                near = abs(Fraction(terms.pop(name, "0")) - value * factor) <= abs(value * factor) / 10**5
                self.claim(f"≈ plane, {name or 'bias'}", near, True)
        else:
            for name, value in values.items():
                self.claim(f"plane, {name or 'bias'}", shown(terms.pop(name, "0"), value), True)
        terms.pop("", "0" if not any(values.values()) else None)
        self.claim("plane: no other terms", terms, {})


def plane_terms(text: str) -> dict[str, str]:
    """−3·a + b + 1 as {"a": "-3", "b": "1", "": "1"}."""
    terms = {}
    for sign, number, name in re.findall(rf"([+−]?) ?(?:({NUMBER})(?:·|(?![\w])))?([A-Za-z_]\w*)?", text):
        if number or name:
            terms[name] = ("-" if sign == "−" else "") + (number or "1").replace(",", "").replace("−", "-")
    return terms


def shown(text: str, value: Fraction) -> bool:
    """Whether a number in words is the value, cut or rounded to the digits that are shown."""
    text = text.lower()
    digits = text.lstrip("-").split("e")[0].partition(".")[2]
    if not digits and "e" not in text:
        return Fraction(text) == value
    unit = Fraction(1, 10 ** len(digits)) * Fraction(10) ** int(text.partition("e")[2] or 0)
    return abs(Fraction(text) - value) <= unit / 2


def figures(text: str, value: Any, digits: int) -> bool:
    """Whether a number in words is the value, rounded to so many figures; floats that are rounded again may be out."""
    slack = Fraction(1, 2) + Fraction(1, 10**6)
    return abs(Fraction(text) - Fraction(value)) <= abs(Fraction(value)) * slack * Fraction(10) ** (1 - digits)


def numbers(text: str) -> list[Fraction]:
    """(1, −1/2) as fractions."""
    return [Fraction(v.strip().replace("−", "-")) for v in text.strip("()").split(", ")]


def dot(a: Iterable[Any], b: Iterable[Fraction]) -> Fraction:
    return sum((Fraction(u) * v for u, v in zip(a, b, strict=True)), Fraction(0))


def sum_is_zero(weights: Sequence[Any], rows: Sequence[Sequence[Fraction]]) -> bool:
    """Whether Σ weight·row = 0."""
    return not any(dot(weights, column) for column in zip(*rows, strict=True))


def root_digits(q: Fraction, places: int) -> str:
    """√q cut to so many decimals."""
    whole = isqrt(q.numerator * 10 ** (2 * places) // q.denominator)
    return f"{whole // 10**places}.{whole % 10**places:0{places}d}"


def truth(t: Table) -> tuple[str, list[int], list[str]]:
    """Kind, separated rows and fates of the coefficients (the bias last)."""
    return rays.answer(t.padded, [[s] for s in t.signs])


def claims_of_chance(a: Audit, separated: bool, n: int | None = None, which: str = "") -> None:
    """The fraction of separable labellings: 2·Σ_{k<N} binom(n − 1, k)/2^n of n points, N parameters; from 1 % on.

    n, which: of many classes the points of a plane, and the words for them.
    """
    n, N = n or len(a.table.points), len(a.table.points[0]) + a.table.bias
    fraction = min(Fraction(1), Fraction(2 * sum(comb(n - 1, k) for k in range(N)), 2**n))
    said = a.json.get("by_chance")
    a.claim(
        "by_chance is said of a perfect fit, from 1 % on", said is not None, separated and fraction >= Fraction(1, 100)
    )
    sentence = (
        rf"^chance {which}" + r"with ([\d,]+) points? and ([\d,]+) parameters?, (.*): a perfect fit here means little$"
    )
    words = re.findall(sentence, a.words, re.M)
    a.claim("chance: said in words as in JSON", len(words), int(said is not None))
    if said is None or not words:
        return
    a.claim("chance: points of many classes", said.get("points"), n if which else None)
    a.claim("chance: parameters", (said["parameters"], int(words[0][1]), int(words[0][0])), (N, N, n))
    a.near("chance: at most", said["at_most"], fraction)
    a.claim("chance: at most, rounded up", Fraction(said["at_most"]) >= fraction, True)
    share = re.match(r"at most ([\d.]+) % of all labellings are separable", words[0][2])
    if share:
        over = Fraction(share[1]) - 100 * fraction
        close = 0 <= over <= Fraction(1, 10 ** len(share[1].partition(".")[2]))
        a.claim("chance: percent in words", close, True)
    elif words[0][2].startswith("almost"):
        a.claim("chance: almost every", (fraction > Fraction(995, 1000), fraction < 1), (True, True))
    else:
        a.claim("chance: every", (words[0][2], fraction), ("every labelling may be separable", 1))
