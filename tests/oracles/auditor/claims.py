"""What the audits share: a claim and what is true of it, numbers as they are written in words, planes, lists of rows.

Nothing of what the package computes is used: a claim is held against the file alone (`problems`), against exact brute
force (`rays`, `nearest_points`, `runs`), or against another claim of the same answer. A false sentence is a `Finding`.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb, isqrt
from pathlib import Path
from typing import Any

import numpy as np

from commands import novikoff
from oracles import rays
from oracles.auditor.problems import Table

NUMBER = r"\d[\d,]*(?:/\d+|(?:\.\d+)?(?:[eE][+−-]?\d+)?)"
ROW = r"\[\w+\]|\d+"  # a row by its name in an index, or its number
Rays = tuple[str, list[int], list[str]]


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
    numbers: list[int] = field(default_factory=list)  # its number in the answers, from 0
    found: list[Finding] = field(default_factory=list)
    checked: int = 0

    def __post_init__(self) -> None:
        self.number_rows(self.table.of)

    def number_rows(self, numbers: Sequence[int]) -> None:
        """Answers have these numbers of the rows, and people count from 1."""
        self.numbers, self.places = list(numbers), [str(number + 1) for number in numbers]

    # ---- claims ------------------------------------------------------------------------------------------------------

    def claim(self, name: str, said: Any, true: Any) -> None:
        self.checked += 1
        if said != true:
            self.found.append(Finding(name, said, true, self.command, self.table.text))

    def fields(self, said: Any, name: str = "", **true: Any) -> None:
        """The values of a document or the attributes of an object, each of them a claim; labels are texts."""
        for key, value in true.items():
            found = said[key] if isinstance(said, dict) else getattr(said, key)
            found = found.tolist() if isinstance(found, np.ndarray) else found
            if key in ("classes", "classes_"):
                found = [str(label) for label in found]
            elif key in ("positive", "class", "of"):
                found = str(found)
            self.claim(f"{name}{key}", tuple(found) if isinstance(value, tuple) else found, value)

    def told(self, name: str, pattern: str, *true: Any, need: bool | None = None, text: str | None = None) -> Any:
        """The groups of a sentence, as texts without thousands separators; need: whether it must be there, or not."""
        found = re.search(pattern, self.words if text is None else text, re.M)
        if need is not None:
            self.claim(f"{name}: said", found is not None, need)
        if found and true:
            said = [None if group is None else group.replace(",", "") for group in found.groups()]
            self.claim(name, said, [None if value is None else str(value) for value in true])
        return found

    def near(self, name: str, said: Any, true: Any, within: Fraction = Fraction(1, 10**12)) -> None:
        """A float that is the true number but for rounding."""
        self.claim(name, abs(Fraction(said) - true) <= within * max(1, abs(true)), True)

    def score(self, name: str, said: Any, true: Fraction) -> None:
        """The same, 0 only where that is 0."""
        self.near(name, said, true)
        self.claim(f"{name}: its sign", sign(said), sign(true))

    # ---- commands ----------------------------------------------------------------------------------------------------

    def run(self, folder: Path, *options: str) -> None:
        """The command, in words and in JSON."""
        self.ask([self.verb, str(self.table.write(folder)), *self.table.options, *options])

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
        by_a = "separable by a" in words.lower()
        self.claim("separable by a plane through the origin", by_a and self.table.bias, False)

    def shape(self) -> None:
        """n, d and the classes of a document."""
        t = self.table
        self.fields(self.json, n=t.n, d=t.d)
        if "classes" in self.json:
            classes = [str(c) for c in self.json["classes"]]
            self.claim("classes", sorted(classes), sorted(set(t.labels)))
            if len(classes) == 2 and "positive" in self.json:
                self.fields(self.json, positive=t.classes[1])
            elif len(classes) == 2:
                self.claim("classes, the positive one last", classes, t.classes)

    def rows(self, numbers: Iterable[int], name: str) -> list[int]:
        """Rows as answers number them, from 0 in the file or frame, as places among those that can be used."""
        numbers = list(numbers)
        self.claim(f"{name}: rows that can be used", [i for i in numbers if i not in self.numbers], [])
        return [self.numbers.index(i) for i in numbers if i in self.numbers]

    def at(self, place: str, name: str) -> int | None:
        """The row that a person calls so."""
        self.claim(f"{name}: a row that can be used", place in self.places, True)
        return self.places.index(place) if place in self.places else None

    def in_words(self, pattern: str, name: str, rows: list[int]) -> None:
        """A list of points in words, as a person calls them."""
        found = self.told(name, pattern, need=True)
        if found and "…" not in found[1] and "more" not in found[1]:
            self.claim(f"{name}: numbers of the file", re.findall(ROW, found[1]), [self.places[i] for i in rows])

    def plane(self, w: list[Any], b: Any, pattern: str = r"plane +(.*?)(?: = 0|   )", divided: bool = False) -> None:
        """The plane of the words is that of the JSON, to the digits shown; divided: by its largest number."""
        found = self.told("the plane", pattern, need=True)
        if not found:
            return
        named = "where" not in self.words and found[1] and any(n in found[1] for n in self.table.names)
        names = self.table.names if named else [f"x{j + 1}" for j in range(len(w))]
        largest = max(abs(Fraction(v)) for v in (*w, b)) if divided else 1
        self.terms(found[1], [*names, ""], [Fraction(v) / largest for v in (*w, b)])

    @property
    def known_names(self) -> list[str]:
        """The names of the columns where the points have them: in a file, in points of `read` and in a named frame."""
        if self.command.startswith("nv.") and not self.command.endswith(("read", "named frame")):
            return [f"x{j + 1}" for j in range(self.table.d)]
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

    def exact_terms(self, name: str, text: str, names: Sequence[str], numbers: Sequence[Any]) -> None:
        """The same where no number is rounded; nothing is claimed of a rounded one."""
        if "≈" not in text:
            said = {key: Fraction(v) for key, v in plane_terms(text.removesuffix(" = 0")).items() if Fraction(v)}
            true = {key: Fraction(v) for key, v in zip(names, numbers, strict=True) if Fraction(v)}
            self.claim(name, said, true)

    def asks(self, called: str) -> list[int]:
        """What each point that the words name, called so, asks of a plane; the rows of these points."""
        rows = []
        for place, line in re.findall(rf"^ +{called}({ROW}):  (.*) > 0$", self.words, re.M):
            i = self.at(place, "what a point asks")
            if i is not None:
                self.exact_terms("what a point asks", line, self.table.weight_names, self.table.signed[i])
                rows.append(i)
        return rows


def plane_terms(text: str) -> dict[str, str]:
    """−3·a + b + 1 as {"a": "-3", "b": "1", "": "1"}."""
    terms = {}
    for minus, number, name in re.findall(rf"([+−]?) ?(?:({NUMBER})(?:·|(?![\w])))?([A-Za-z_]\w*)?", text):
        if number or name:
            terms[name] = ("-" if minus == "−" else "") + (number or "1").replace(",", "").replace("−", "-")
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


def fractions(values: Iterable[Any]) -> list[Fraction]:
    return [Fraction(v) for v in values]


def sign(value: Any) -> int:
    return int(value > 0) - int(value < 0)


def dot(a: Iterable[Any], b: Iterable[Fraction]) -> Fraction:
    return sum((Fraction(u) * v for u, v in zip(a, b, strict=True)), Fraction(0))


def sum_is_zero(weights: Sequence[Any], rows: Sequence[Sequence[Fraction]]) -> bool:
    """Whether Σ weight·row = 0."""
    return not any(dot(weights, column) for column in zip(*rows, strict=True))


def root_digits(q: Fraction, places: int) -> str:
    """√q cut to so many decimals."""
    whole = isqrt(q.numerator * 10 ** (2 * places) // q.denominator)
    return f"{whole // 10**places}.{whole % 10**places:0{places}d}"


def truth(t: Table) -> Rays:
    """Kind, separated rows and fates of the coefficients (the bias last)."""
    return answer_of(t.padded, t.signs)


def answer_of(X: Sequence[Sequence[Fraction]], signs: Iterable[int]) -> Rays:
    return _answer(tuple(map(tuple, X)), tuple(signs))


@functools.lru_cache(1 << 10)
def _answer(X: tuple[Sequence[Fraction], ...], signs: tuple[int, ...]) -> Rays:
    return rays.answer(X, [[one] for one in signs])


def claims_of_chance(a: Audit, separated: bool, n: int | None = None, which: str = "") -> None:
    """The fraction of separable labellings: 2·Σ_{k<N} binom(n − 1, k)/2^n of n points, N parameters; from 1 % on.

    n, which: of many classes the points of a plane, and the words for them.
    """
    n, N = n or a.table.n, a.table.d + a.table.bias
    fraction = min(Fraction(1), Fraction(2 * sum(comb(n - 1, k) for k in range(N)), 2**n))
    said = a.json.get("by_chance")
    a.claim("by_chance of a perfect fit, from 1 % on", said is not None, separated and fraction >= Fraction(1, 100))
    sentence = rf"^chance {which}with (.*) points? and (.*) parameters?, (.*): a perfect fit here means little$"
    words = a.told("chance", sentence, need=said is not None)
    if said is None or not words:
        return
    a.claim("chance: points of many classes", said.get("points"), n if which else None)
    a.claim("chance: parameters", (said["parameters"], words[1], words[2]), (N, f"{n:,}", f"{N:,}"))
    a.near("chance: at most", said["at_most"], fraction)
    a.claim("chance: at most, rounded up", Fraction(said["at_most"]) >= fraction, True)
    share = re.match(r"at most ([\d.]+) % of all labellings are separable", words[3])
    if share:
        over = Fraction(share[1]) - 100 * fraction
        a.claim("chance: percent in words", 0 <= over <= Fraction(1, 10 ** len(share[1].partition(".")[2])), True)
    elif words[3].startswith("almost"):
        a.claim("chance: almost every", Fraction(995, 1000) < fraction < 1, True)
    else:
        a.claim("chance: every", (words[3], fraction), ("every labelling may be separable", 1))
