"""Small files as users have them, and what is in them: drawn by chance, read by nobody but this.

Separable points and others, copies, ties, zero rows, XOR; two classes or three, of numbers, words or signs; tables with
and without a header, with missing cells and with lines that cannot be read; svmlight.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

LABELS = (("no", "yes"), ("+", "-"), ("0", "1"), ("-1", "1"), ("2", "10"), ("b", "a"))
MANY = (("a", "b", "c"), ("0", "1", "2"), ("setosa", "versicolor", "virginica"))
XOR = ([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])


@dataclass
class Table:
    """A file, and what the rows that can be used hold; `of` are their numbers among the rows of the file, from 0."""

    text: str
    suffix: str
    options: list[str]
    points: list[list[Fraction]]
    labels: list[str]
    of: list[int]
    names: list[str]
    header: bool

    @property
    def classes(self) -> list[str]:
        """The classes, the positive one of two last: `+` against `-`, else the one that sorts last."""
        different = set(self.labels)
        if different == {"+", "-"}:
            return ["-", "+"]
        numeric = all(label.lstrip("-").isdigit() for label in different)
        return sorted(different, key=int) if numeric else sorted(different)

    @property
    def signs(self) -> list[int]:
        return [1 if label == self.classes[-1] else -1 for label in self.labels]

    @property
    def padded(self) -> list[list[Fraction]]:
        """The points with the 1 of the bias."""
        return [[*x, Fraction(1)] for x in self.points]

    @property
    def signed(self) -> list[list[Fraction]]:
        return [[s * v for v in x] for s, x in zip(self.signs, self.padded, strict=True)]

    def write(self, folder: Path) -> Path:
        path = folder / f"data{self.suffix}"
        path.write_text(self.text)
        return path


def drawn(chance: random.Random, many: bool = False) -> Table:
    """A file; of all its classes at least one row can be used."""
    while True:
        table = _drawn(chance, many)
        if len(set(table.labels)) == (3 if many else 2):
            return table


def _drawn(chance: random.Random, many: bool) -> Table:
    d, n = chance.randint(1, 3), chance.randint(3, 9)
    labels = chance.choice(MANY if many else LABELS)
    if not many and d == 2 and chance.random() < 0.15:
        X, kinds = [list(x) for x in XOR[0]], list(XOR[1])
    else:
        X = [[chance.randint(-3, 3) for _ in range(d)] for _ in range(n)]
        for i in range(1, n):
            if chance.random() < 0.2:
                X[i] = list(X[chance.randrange(i)])
        kinds = _taught(chance, X, len(labels))
    halves = chance.random() < 0.3
    cells = [[f"{v / 2}" if halves else str(v) for v in x] for x in X]
    if chance.random() < 0.2 and not many and set(labels) <= {"0", "1", "-1", "2", "10"}:
        return _svmlight(cells, [labels[k] for k in kinds])
    return _table(chance, cells, [labels[k] for k in kinds])


def _taught(chance: random.Random, X: list[list[int]], classes: int) -> list[int]:
    """Labels of a teacher with integer planes, who is right always, mostly, or by chance."""
    planes = [[chance.randint(-2, 2) for _ in range(len(X[0]) + 1)] for _ in range(classes)]
    noise = chance.choice([0.0, 0.0, 0.2, 1.0])
    kinds = []
    for x in X:
        scores = [sum(a * b for a, b in zip(p, [*x, 1], strict=True)) for p in planes]
        kinds.append(chance.randrange(classes) if chance.random() < noise else scores.index(max(scores)))
    return kinds


def _svmlight(cells: list[list[str]], labels: list[str]) -> Table:
    lines = []
    for x, label in zip(cells, labels, strict=True):
        lines.append(" ".join([label, *(f"{j + 1}:{v}" for j, v in enumerate(x) if float(v))]))
    used = max((j + 1 for x in cells for j, v in enumerate(x) if float(v)), default=0)
    points = [[Fraction(v) for v in x[:used]] for x in cells]
    rows = list(range(len(cells)))
    if not used:
        return Table("", ".svm", [], [], [], [], [], False)  # no columns: drawn again
    return Table("\n".join(lines) + "\n", ".svm", [], points, labels, rows, [f"x{j + 1}" for j in range(used)], False)


def _table(chance: random.Random, cells: list[list[str]], labels: list[str]) -> Table:
    d = len(cells[0])
    header = chance.random() < 0.6
    names = ["dose", "age", "mass"][:d] if header else [f"x{j + 1}" for j in range(d)]
    lines, options = ([",".join([*names, "kind"])] if header else []), ["--label", "kind" if header else str(d + 1)]
    options += ["--header" if header else "--no-header"]
    missing, bad = chance.random() < 0.35, chance.random() < 0.25
    points, kept, of = [], [], []
    for i, (x, label) in enumerate(zip(cells, labels, strict=True)):
        if missing and chance.random() < 0.3:
            lines.append(",".join([*x[:-1], "", label]))
        elif bad and i and chance.random() < 0.3:
            lines.append(",".join([*x, label, "7"]))
        else:
            lines.append(",".join([*x, label]))
            points.append([Fraction(v) for v in x])
            kept.append(label)
            of.append(i)
    options += ["--missing", "drop"] * missing + ["--on-bad-row", "skip"] * bad
    return Table("\n".join(lines) + "\n", ".csv", options, points, kept, of, names, header)
