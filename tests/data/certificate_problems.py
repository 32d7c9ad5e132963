"""Random problems of every kind, as plain files with the certificates that novikoff saves for them."""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import novikoff as nv

RESPONSES = (*["binary", "multinomial", "poisson"] * 2, "successes", "proportions", "frequencies")


class Problem(NamedTuple):
    """Points in a plain file, and a certificate about them."""

    name: str
    certificate: dict[str, Any]
    path: str
    X: list[list[Any]]
    y: list[Any]


def write(folder: Path, name: str, X: list[list[Any]], y: list[Any], draw: random.Random) -> tuple[str, dict[str, Any]]:
    """Write a plain file in a random format; return its path and how it is read."""
    d, kind = len(X[0]), draw.choice(["csv", "csv", "tsv", "svm"])
    path = str(folder / f"{name}.{kind}")
    if kind == "svm":
        first = draw.choice([0, 1])
        pairs = [[f"{j + first}:{x!r}" for j, x in enumerate(row) if float(x) != 0 or draw.random() < 0.2] for row in X]
        rows = [" ".join([str(t), *row]) for row, t in zip(pairs, y, strict=True)]
        Path(path).write_text("".join(row.replace("'", "") + "\n" for row in rows))
        return path, {"csv": None, "svmlight": {"first_column": first}}
    comma, at, header = "\t" if kind == "tsv" else ",", draw.randrange(d + 1), draw.random() < 0.5
    lines = [[f"x{j}" for j in range(d)], *[[x if isinstance(x, str) else repr(x) for x in row] for row in X]]
    for line, t in zip(lines, ["kind", *map(str, y)], strict=True):
        line.insert(at, t)
    Path(path).write_text("".join(comma.join(line) + "\n" for line in (lines if header else lines[1:])))
    file = {"delimiter": comma, "header": header, "label": at}
    return path, {"csv": file, "svmlight": None}


def table(draw: random.Random, n: int, d: int, flavour: str) -> list[list[Any]]:
    def one() -> Any:
        if flavour == "small":
            return float(draw.randint(-2, 2))
        if flavour == "halves":
            return draw.randint(-5, 5) / 4
        if flavour == "floats":
            return draw.gauss(0, 1)
        if flavour == "wild":
            return draw.choice([0.0, 1.0, -1.0]) * 2.0 ** draw.randint(-480, 480) * draw.choice([1, 1.5, 1.1])
        return draw.choice([0.0, 0.0, 0.0, 1.0])

    return [[one() for _ in range(d)] for _ in range(n)]


def labelled(draw: random.Random, X: list[list[Any]]) -> list[str]:
    """Return labels that are separable, nearly so, or random."""
    how, w = draw.choice(["plane", "plane", "on", "random"]), [draw.choice([-1, 0, 1, 2]) for _ in X[0]]
    b, names = draw.choice([-1, 0, 0.5]), draw.choice([("0", "1"), ("-1", "+1"), ("no", "yes"), ("a-b", "c")])
    scores = [sum(a * float(x) for a, x in zip(w, row, strict=True)) + b for row in X]
    if how == "random":
        return [draw.choice(names) for _ in X]
    y = [names[s > 0] if s or how == "plane" else draw.choice(names) for s in scores]
    if draw.random() < 0.2:
        y[draw.randrange(len(y))] = names[draw.random() < 0.5]
    return [t.replace(" ", "") for t in y]


def two_class(folder: Path, k: int, draw: random.Random) -> Problem:
    """A verdict about two classes; sometimes without its kind."""
    n, d = draw.choice([1, 2, 3, 5, 8, 12, 20]), draw.randint(1, 4)
    X = table(draw, n, d, draw.choice(["small", "small", "halves", "floats", "wild", "01"]))
    y, bias = labelled(draw, X), draw.random() < 0.7
    path, file = write(folder, f"two{k}", X, y, draw)
    v = nv.decide(X, y, fit_intercept=bias)
    made = v.certificate(file).record()
    if not v.separable and draw.random() < 0.25:
        strict = made["strict"] or made["zero_sum"]
        empty = {"directions": [], "zero_sum": {"rows": [], "against": [], "weights": []}, "complement": []}
        made |= {"claim": "not separable", "strict": strict} | empty
    return Problem(f"two{k}", made, path, X, y)


def margins(folder: Path, k: int, draw: random.Random) -> Problem:
    """Margins at scales from 2^-480 to 2^480."""
    while True:
        n, d = draw.choice([1, 2, 4, 8, 20]), draw.randint(1, 4)
        X = table(draw, n, d, draw.choice(["small", "halves", "floats", "floats"]))
        w, b, bias = [draw.gauss(0, 1) for _ in range(d)], draw.gauss(0, 0.5), draw.random() < 0.7
        y = ["b" if sum(a * x for a, x in zip(w, row, strict=True)) + b * bias > 0 else "a" for row in X]
        scale = 2.0 ** draw.choice([0, 0, 0, -300, 300, -480, 480, 40])
        X = [[x * scale for x in row] for row in X]
        if draw.random() < 0.2:
            X = [[x * 2.0 ** (37 * j) for j, x in enumerate(row)] for row in X]
        path, file = write(folder, f"margin{k}", X, y, draw)
        try:
            m = nv.margin(X, y, fit_intercept=bias, **draw.choice([{}, {}, {"gap": 1e-3}]))
            return Problem(f"margin{k}", m.certificate(file).record(), path, X, y)
        except (nv.NotSeparableError, nv.InputError):
            continue


def regression(folder: Path, k: int, draw: random.Random) -> Problem:
    """A regression: binary, multinomial, Poisson, successes, proportions, frequencies; with aliased columns."""
    while True:
        n, d = draw.choice([3, 5, 8, 12, 20]), draw.randint(1, 4)
        X = table(draw, n, d, draw.choice(["small", "01", "halves", "small"]))
        if draw.random() < 0.4:  # an aliased column
            for row in X:
                row.append(row[0] + 2 * row[-1])
        if draw.random() < 0.15:
            X = [[*row, 1.0] for row in X]
        if draw.random() < 0.1:
            X = [[0.0, *row] for row in X]
        how = draw.choice(RESPONSES)
        options: dict[str, Any] = {"fit_intercept": draw.random() < 0.8}
        y: list[Any] = labelled(draw, X)
        if how == "multinomial":
            W = [[draw.choice([-1, 0, 1]) for _ in X[0]] for _ in range(3)]
            scores = [[sum(p * q for p, q in zip(v, row, strict=True)) for v in W] for row in X]
            y = [draw.choice("abc") if draw.random() < 0.3 else "abc"[int(np.argmax(one))] for one in scores]
        elif how == "poisson":
            y = [float(draw.choice([0, 0, 0, 1, 2.5]) if row[0] <= draw.choice([0, 1]) else 0) for row in X]
            options["family"] = "poisson"
        elif how in ("successes", "proportions", "frequencies"):
            trials = [float(draw.choice([0, 1, 2, 3, 3])) for _ in X]
            at = draw.randrange(len(X[0]) + 1)
            for row, t in zip(X, trials, strict=True):
                row.insert(at, t)
            options["counts"] = at
            options["response"] = "labels" if how == "frequencies" else how
            if how == "successes":
                y = [float(draw.choice([0, t, t, draw.randint(0, int(t))])) for t in trials]
            elif how == "proportions":
                y = [draw.choice([0.0, 1.0, 0.5]) for t in trials]
        path, file = write(folder, f"{how}{k}", X, y, draw)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                made = nv.separation(X, y, **options).certificate(file).record()
        except nv.InputError:
            continue
        return Problem(f"{how}{k}", made, path, X, y)


def problems(folder: Path, many: int, seed: object = 1) -> Iterator[Problem]:
    """Yield two-class verdicts, margins and separations in turns."""
    kinds = (two_class, margins, regression, two_class, regression)
    for k in range(many):
        yield kinds[k % 5](folder, k, random.Random(f"{seed} {k}"))
