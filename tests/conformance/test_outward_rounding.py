"""Every printed bound is on the outer side of what it bounds: upper bounds are rounded up, lower bounds down.

Each sentence is computed again from its input in fractions, decimals or intervals of 200 bits, and the printed number
is held against that. The last test reads the source: a number beside the words of a bound is not rounded to nearest.
"""

from __future__ import annotations

import ast
import math
import random
import re
import warnings
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flint import arb, ctx, fmpq

import novikoff as nv
from commands import novikoff
from novikoff.data.format_numbers import at_least, at_most, ends_in_words
from novikoff.data_report.capacity_section import capacity_of, meaning

SOURCE = Path(nv.__file__).parent
Z2 = Fraction("1.959963984540054") ** 2  # of 95 %
Check = tuple[str, bool]  # a sentence, and whether its bound is on the outer side


def number(text: str) -> Fraction:
    """The number that a person reads."""
    return Fraction(text.replace(",", "").replace("−", "-"))


def after(text: str, words: str) -> Fraction:
    """The number behind these words."""
    found = re.search(re.escape(words) + r"\s*(-?[\d.,]+(?:e[+-]?\d+)?)", text)
    assert found, (words, text)
    return number(found[1].rstrip(".,"))


def doubles(count: int = 300, largest: int = 40) -> Iterator[float]:
    """Doubles of many sizes, and decimals that a double is beside of."""
    chance = random.Random(0)
    for _ in range(count):
        yield math.ldexp(chance.random(), chance.randint(-30, largest))
        yield round(chance.random(), chance.randint(1, 6))


# ---- rounding -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", [".2g", ".4g", ",.6g", ".3f", ",.0f"])
def test_both_sides_of_every_form_are_next_to_the_number(form: str) -> None:
    chance = random.Random(1)
    for value in [
        *doubles(),
        *(Fraction(chance.randint(-(10**9), 10**9), chance.randint(1, 10**9)) for _ in range(300)),
    ]:
        down, up = number(at_least(value, form)), number(at_most(value, form))
        nearest = number(format(float(value), form))
        assert down <= Fraction(value) <= up, value
        assert nearest in (down, up), value


# ---- sentences ------------------------------------------------------------------------------------------------------


def proportions(folder: Path) -> Iterator[Check]:
    """Wilson's intervals of `evaluate` and `cv`: (p − k/n)² ≥ z²·p(1 − p)/n at each printed end."""
    rng = np.random.default_rng(3)
    for k in range(4):
        n = 23 + 17 * k
        X = rng.normal(size=(n, 2)).round(2)
        y = np.where(X[:, 0] + rng.normal(size=n) > 0, "b", "a")
        data, model = folder / f"{k}.csv", folder / f"{k}.nvk"
        data.write_text("u,v,class\n" + "".join(f"{a},{b},{c}\n" for (a, b), c in zip(X, y, strict=True)))
        novikoff("fit", data, "-o", model, "--max-passes", 5)
        said, info = (novikoff("evaluate", model, data, *more) for more in ((), ("--json",)))
        right = n - info.json["errors"]
        yield from wilson(said.out, r"accuracy .* 95 %: (\S+) to (\S+)", right, n)
        for one in info.json["classes"]:
            for number_of, name in enumerate(("precision", "recall")):
                line = next(text for text in said.out.split("\n") if text.startswith(f"{one['class']}  "))
                share = one[name]
                ends = re.findall(r"(\d+\.\d+) to (\d+\.\d+)", line)[number_of]
                yield from outside(line, ends, round((share["value"] or 0) * share["of"]), share["of"])
        text = novikoff("cv", data, "--folds", 3, "--max-passes", 5, "--json")
        wrong = sum(fold["errors"] for fold in text.json["folds"])
        told = novikoff("cv", data, "--folds", 3, "--max-passes", 5).out
        yield from wilson(told, r"all .* 95 %: (\S+) to (\S+)", n - wrong, n)


def wilson(text: str, pattern: str, k: int, n: int) -> Iterator[Check]:
    found = re.search(pattern, text)
    assert found, text
    yield from outside(found[0], found.groups(), k, n)


def outside(text: str, ends: Any, k: int, n: int) -> Iterator[Check]:
    low, high = (number(end) / 100 for end in ends)
    if n:
        share = Fraction(k, n)
        holds = [(p - share) ** 2 * n >= Z2 * p * (1 - p) for p in (low, high)]
        yield text, low <= share <= high and all(holds)


def separable_draws() -> Iterator[Check]:
    """Clopper and Pearson: at each printed end the tail has at most 2.5 % of the probability."""
    for seed in range(6):
        said = novikoff("theory", "capacity", "-N", 3, "-P", 7, "--simulate", 40, "--seed", seed).out
        found = re.search(r"^measured +(\S+) +(\S+) … (\S+)$", said, re.M)
        assert found, said
        hits = round(number(found[1]) * 40)
        low, high = number(found[2]), number(found[3])
        tail = Fraction(25, 1000)
        yield said, low == 0 or tail_of(hits, 40, low) <= tail
        yield said, high == 1 or 1 - tail_of(hits + 1, 40, high) <= tail
        table = nv.capacity_experiment(N=3, ratios=["7/3"], trials=40, seed=seed).to_text().split("\n")
        low, high = (number(cell) for cell in table[1].split()[-2:])
        yield table[1], tail_of(hits, 40, low) <= tail and 1 - tail_of(hits + 1, 40, high) <= tail


def tail_of(k: int, n: int, p: Fraction) -> Fraction:
    """P(at least k of n)."""
    return sum((comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k, n + 1)), Fraction(0))


def generalization() -> Iterator[Check]:
    """The three formulas and the held-out bound in intervals of 200 bits; the probability 1 − δ is rounded down."""
    chance = random.Random(4)
    for _ in range(150):
        n, delta = 10 ** chance.randint(2, 10) + chance.randint(0, 99), chance.choice([0.05, 0.01, 0.123456789, 1e-9])
        bits, N, k = chance.randint(1, 90), chance.randint(1, 9), chance.randint(0, 30)
        found = nv.generalization_bound(n, delta, bits=bits, parameters=N, updated_rows=k)
        with ctx.workprec(200):
            d = arb(fmpq(*Fraction(str(delta)).as_integer_ratio()))
            count = 2 * sum(comb(2 * n - 1, j) for j in range(N))
            choices = arb(comb(n, k)).log()
            exact = [
                (bits * arb(2).log() - d.log()) / n,
                2 * (arb(count).log() + (2 / d).log()) / arb(2).log() / n,
                (choices + (n / d).log()) / (n - k),
            ]
            for bound, value in zip(found, exact, strict=True):
                said = str(bound)
                yield said, ball(after(said, "error ≤")) >= value and ball(after(said, "error ≤")) <= value * 1.002
                yield said, after(said, "with probability") <= 1 - Fraction(str(delta))
    for wrong, n in ((0, 1), (0, 58), (3, 40), (7, 7)):
        (bound,) = nv.generalization_bound(99, held_out=(wrong, n))
        p = after(str(bound), "error ≤")
        yield str(bound), p >= 1 or 1 - tail_of(wrong + 1, n, p) <= Fraction("0.05")


def ball(x: Fraction) -> Any:
    return arb(fmpq(*x.as_integer_ratio()))


def labellings() -> Iterator[Check]:
    """C(n, N)/2^n, in the sentence of a perfect fit and in the report."""
    for n in (*range(4, 90), 2001, 2500, 4000):
        for N in {max(1, n // 3), n // 2, 3 * n // 5}:
            exact = Fraction(sum(comb(n - 1, j) for j in range(N)), 2 ** (n - 1))
            said = meaning(capacity_of(n, N - 1, True), None)
            if "10^" in said:
                with ctx.workprec(200):
                    yield said, bool(ball(-after(said, "10^(")) <= 0)
            elif (found := re.search(r"t most (?:the fraction )?([\d.e-]+)( %)?", said)) is not None:
                yield said, number(found[1]) / (100 if found[2] else 1) >= exact


def notebooks() -> Iterator[Check]:
    """The proved gap and the objective, which a soft margin's own display shows with four figures."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(40, 3)), rng.integers(0, 2 + seed % 3, 40)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            clf = nv.SoftMargin(max_iter=1 + seed % 4).fit(X, y)
        for name, stored, side in (("proved gap", clf.gap_, 1), ("objective", clf.objective_, -1)):
            cell = re.search(rf"<dt>{name}</dt>\s*<dd>([^<]+)</dd>", clf._repr_html_())
            assert cell
            for text, value in zip(cell[1].split(", "), np.atleast_1d(stored), strict=True):
                yield f"{name} {text}", side * number(text) >= side * Fraction(float(value))


SENTENCES: dict[str, Callable[..., Iterator[Check]]] = {
    "evaluate and cv: Wilson's intervals": proportions,
    "capacity: intervals of Clopper and Pearson": separable_draws,
    "generalization_bound": generalization,
    "perfect fit and report: separable labellings": labellings,
    "notebook: the gap of a soft margin": notebooks,
}


@pytest.mark.parametrize("name", SENTENCES)
def test_a_printed_bound_is_on_the_outer_side(name: str, tmp_path: Path) -> None:
    checks = list(SENTENCES[name](*([tmp_path] if SENTENCES[name] is proportions else [])))
    assert checks
    assert [said for said, holds in checks if not holds] == []


# ---- the source -----------------------------------------------------------------------------------------------------

BOUND = re.compile(r"at most|at least|[≤≥…]|proved|more than|fewer than|within|95 %|interval")
ROUNDS = re.compile(r"\.\d+[gfe%]$")
EXACT = {"LARGEST"}  # constants that their form holds


def test_no_number_beside_the_words_of_a_bound_is_rounded_to_the_nearest() -> None:
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        for text in (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.JoinedStr)):
            before = ""
            for part in text.values:
                if isinstance(part, ast.Constant):
                    before += str(part.value)
                    continue
                assert isinstance(part, ast.FormattedValue)
                form = "" if part.format_spec is None else ast.unparse(part.format_spec).strip("f'\"")
                if ROUNDS.search(form) and BOUND.search(before[-30:]) and ast.unparse(part.value) not in EXACT:
                    found.append(f"{path.relative_to(SOURCE)}:{part.lineno}: …{before[-30:]}{ast.unparse(part.value)}")
                before += "\0"
    assert found == []


def test_the_ends_of_an_interval_enclose_it() -> None:
    for low in doubles():
        down, up = (number(end) for end in ends_in_words((low, 2.0 * low), ".2f", " to ", 100).split(" to "))
        assert down <= 100 * Fraction(low)
        assert 200 * Fraction(low) <= up
