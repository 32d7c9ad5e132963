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
from contextlib import redirect_stdout
from fractions import Fraction
from io import StringIO
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flint import arb, ctx, fmpq

import novikoff as nv
from commands import novikoff
from novikoff.cli.text import formatting
from novikoff.cli.text.progress import Progress
from novikoff.data.format_numbers import at_least, at_most, bound_in_words, ends_in_words
from novikoff.data_report.capacity_section import capacity_of, meaning
from novikoff.estimators.messages import report_stream, warn_of_margin
from novikoff.maxmargin.margin import Margin
from novikoff.maxmargin.margin_in_words import agreed
from novikoff.maxmargin.width import Width

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


def test_two_figures_are_rounded_up() -> None:
    for bound in doubles(1500):
        said = Fraction(at_most(bound))
        assert Fraction(bound) <= said <= Fraction(bound) * Fraction(11, 10)


def test_bounds_that_two_figures_hold_are_kept() -> None:
    assert [at_most(v) for v in (0.0, 0.5, 1.0, 25.0)] == ["0", "0.5", "1", "25"]


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


def known_margins() -> Iterator[Check]:
    """(R/γ)² for a margin that is typed: the exact quotient, in words, in progress and in JSON."""
    chance = random.Random(2)
    for _ in range(60):
        points = [[round(chance.uniform(-9, 9), 2) for _ in range(3)] for _ in range(5)]
        gamma = round(chance.uniform(0.01, 2.0), chance.randint(1, 3)) or 0.1
        exact = max(sum(Fraction(v) ** 2 for v in x) + 1 for x in points) / Fraction(str(gamma)) ** 2
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            clf = nv.Perceptron(known_margin=gamma, max_iter=1).fit(points, [1, 0, 1, 0, 1])
            stream = nv.Perceptron(known_margin=gamma).partial_fit(points, [1, 0, 1, 0, 1])
        for bound in (clf.mistake_bound_, stream.mistake_bound_):
            assert exact <= Fraction(bound) <= exact * (1 + Fraction(1, 10**15))
            yield from bounds_of_a_run(bound, exact)


def bounds_of_a_run(bound: float, exact: Fraction) -> Iterator[Check]:
    info = {"order": "cyclic", "mistakes": 3, "updates": 3, "separable": None, "mistake_bound": bound, "looks": 9}
    for said in (formatting.bound(info), formatting.stream_outcome({**info, "stop_reason": "stream_ended"})):
        yield said, after(said, "at most (R/γ)² =") >= exact
    progress, shown = Progress(False), []
    progress.is_due = lambda: True  # type: ignore[method-assign]
    progress.show = lambda text, *rest: shown.append(text)  # type: ignore[method-assign]
    progress.on_rows(9, 3, bound)
    yield shown[0], after(shown[0], "at most (R/γ)² =") >= exact
    with redirect_stdout(StringIO()) as out:
        report_stream({"looks": 9, "mistakes": 3, "mistake_bound": bound})
    yield out.getvalue(), after(out.getvalue(), "of at most") >= exact
    with pytest.warns(UserWarning, match="known_margin") as caught:
        warn_of_margin(math.ceil(bound) + 1, bound, 1.0, UserWarning, "plane")
    said = str(caught[0].message)
    yield said, after(said, "more than (R/γ)² =") <= exact + Fraction(1, 10**15) * exact


def mistake_bounds_in_words() -> Iterator[Check]:
    for bound in doubles():
        said = bound_in_words(bound)
        yield said, number(said) >= Fraction(bound)


def margins() -> Iterator[Check]:
    """The ends of γ, B and the mistake bound, where they have no digits in common, and the short form of a margin."""
    for low in doubles():
        high = low * (1.0 + random.Random(low).choice([1e-3, 0.3, 5.0]))
        if low and (said := agreed((low, high))).count(" … "):
            ends = [number(end) for end in said.split(" … ")]
            yield said, ends[0] <= Fraction(low) and Fraction(high) <= ends[1]
        none = np.zeros(0, np.int64)
        one = object.__new__(Margin)
        one.geometric = Width((low, high), none, none, None, 2)
        ends = [number(end) for end in re.split("…", repr(one).removeprefix("Margin(geometric ").partition(", ")[0])]
        yield repr(one), ends[0] <= Fraction(low) and Fraction(high) <= ends[1]


def too_near_points() -> Iterator[Check]:
    X, y = [[0.0], [5e-324]], [0, 1]
    with pytest.raises(nv.InputError) as caught:
        _ = nv.margin(X, y).geometric.plane
    gamma = Fraction(5e-324) / 2
    yield str(caught.value), after(str(caught.value), "γ ≤") >= gamma


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


def exponents() -> Iterator[Check]:
    from novikoff.theory.experiments.experiment_table import Experiment

    for low in doubles(100, 5):
        interval = [-low, low * 1.7 + 1e-9]
        fit = {"of": "updates", "in": "P", "exponent": 0.0, "level": 0.999, "interval": interval}
        said = Experiment("margin", 0, 1, [{"P": 1}], [fit]).to_text()
        ends = re.search(r"interval (\S+) … (\S+)", said)
        assert ends
        yield said, number(ends[1]) <= Fraction(interval[0]) and Fraction(interval[1]) <= number(ends[2])


def the_angle() -> Iterator[Check]:
    for seed in range(12):
        found = nv.angle_experiment(N=3, P=6, seed=seed)
        names, *cells = (line.split() for line in found.to_text().split("\n")[: 1 + len(found.rows)])
        row, last = dict(zip(names, map(number, cells[-1]), strict=True)), found.rows[-1]
        yield str(row), row["overlap_bound"] <= Fraction(last["overlap_bound"])
        yield str(row), row["cosine_bound"] <= Fraction(last["cosine_bound"])
        yield str(row), row["norm_bound"] >= Fraction(last["norm_bound"])
        n = last["update"]
        quotient = Fraction(last["norm_bound"]) ** 2 / n / (Fraction(last["overlap_bound"]) / n) ** 2
        yield found.notes[0], after(found.notes[0], "(R/δ)² =") >= quotient * (1 - Fraction(1, 10**12))


SENTENCES: dict[str, Callable[..., Iterator[Check]]] = {
    "fit, stream and warning: (R/γ)² of a known margin": known_margins,
    "pictures and experiments: (R/γ)²": mistake_bounds_in_words,
    "margin: ends of an interval": margins,
    "margin: points too near to each other": too_near_points,
    "evaluate and cv: Wilson's intervals": proportions,
    "capacity: intervals of Clopper and Pearson": separable_draws,
    "generalization_bound": generalization,
    "perfect fit and report: separable labellings": labellings,
    "experiment: interval of an exponent": exponents,
    "experiment: the angle": the_angle,
}


@pytest.mark.parametrize("name", SENTENCES)
def test_a_printed_bound_is_on_the_outer_side(name: str, tmp_path: Path) -> None:
    checks = list(SENTENCES[name](*([tmp_path] if SENTENCES[name] is proportions else [])))
    assert checks
    assert [said for said, holds in checks if not holds] == []


def test_a_bound_beyond_the_doubles_is_left_out(tmp_path: Path) -> None:
    data = tmp_path / "three.csv"
    data.write_text("a,b,y\n0.3,1,0\n1,2,1\n2,0.1,1\n")
    said = novikoff("fit", data, "--known-margin", "1e-200")
    assert (said.code, "\nbound" in said.out) == (0, False)
    assert novikoff("fit", data, "--known-margin", "1e-200", "--json").json["mistake_bound"] is None


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
