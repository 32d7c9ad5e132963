"""Small files as users have them, and what is in them: drawn by chance, read by nobody but this.

Separable points and others, copies, ties, zero rows, XOR; two classes or three, of numbers, words or signs; planes with
and without a bias; tables with and without a header, with missing cells and with lines that cannot be read; svmlight
with columns from 0 or from 1, with zeros written out or left out, so that trailing columns may be
missing.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import scipy.sparse as sp

import novikoff as nv

if TYPE_CHECKING:
    from oracles.auditor.claims import Audit

LABELS = (
    ("no", "yes"), ("+", "-"), ("0", "1"), ("-1", "1"), ("2", "10"), ("b", "a"), ("Yes", "no"), ("spam", "ham"),
)  # fmt: skip
MANY = (("a", "b", "c"), ("0", "1", "2"), ("2", "10", "1"), ("setosa", "versicolor", "virginica"))
READ_SO = (["-", "+"], ["no", "yes"], ["no", "Yes"], ["ham", "spam"])  # by a person: the positive class last
XOR = ([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])


@dataclass
class Table:
    """A file, and what the rows that can be used hold; `of` are their numbers among the rows of the file, from 0."""

    suffix: str
    lines: list[str]  # of the file, those that are no rows among them
    options: list[str]  # of the command line
    points: list[list[Fraction]]
    labels: list[str]
    of: list[int]
    names: list[str]
    kept: list[str] = field(default_factory=list)  # the lines of the rows that can be used
    head: list[str] = field(default_factory=list)
    reading: dict[str, Any] = field(default_factory=dict)  # the same options, for `read`
    left_out: str = ""  # "missing" cells
    bias: bool = True
    rounds: bool = False  # whether sums of these numbers are rounded in binary64

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    @property
    def n(self) -> int:
        return len(self.points)

    @property
    def d(self) -> int:
        return len(self.points[0])

    @property
    def weight_names(self) -> list[str]:
        """w1, w2, …, and b where there is a bias."""
        return [*(f"w{j + 1}" for j in range(self.d)), *(["b"] if self.bias else [])]

    @property
    def sorted(self) -> list[str]:
        """The classes as scikit-learn has them."""
        numeric = all(label.lstrip("-").isdigit() for label in self.labels)
        return sorted(set(self.labels), key=int if numeric else str)

    @property
    def classes(self) -> list[str]:
        """The classes, the positive one of two last: as a person reads them, else the one that sorts last."""
        return next((pair for pair in READ_SO if set(pair) == set(self.labels)), self.sorted)

    @property
    def signs(self) -> list[int]:
        return [1 if label == self.classes[-1] else -1 for label in self.labels]

    @property
    def padded(self) -> list[list[Fraction]]:
        """The points, with the 1 of the bias where there is one."""
        return [[*x, Fraction(1)] if self.bias else list(x) for x in self.points]

    @property
    def signed(self) -> list[list[Fraction]]:
        return [[s * v for v in x] for s, x in zip(self.signs, self.padded, strict=True)]

    def plane(self, w: list[Any], b: Any) -> list[Any]:
        """The weights for padded points."""
        return [*w, b] if self.bias else list(w)

    def without_bias(self) -> None:
        self.bias = False
        self.options = [*self.options, "--no-bias"]

    def write(self, folder: Path) -> Path:
        path = folder / f"data{self.suffix}"
        path.write_text(self.text)
        return path

    def write_rows(self, folder: Path, rows: list[int]) -> Path:
        """Only these of the rows that can be used."""
        path = folder / f"rows{self.suffix}"
        path.write_text("\n".join([*self.head, *(self.kept[i] for i in rows)]) + "\n")
        return path


@dataclass
class Sorted(Table):
    """The same points, with the class that sorts last on the positive side, as estimators have it."""

    @property
    def classes(self) -> list[str]:
        return self.sorted


def as_sorted(t: Table) -> Sorted:
    return Sorted(**vars(t))


def drawn(chance: random.Random, many: bool = False, wild: bool = False) -> Table:
    """A file; of all its classes at least one row can be used. wild: its numbers may be of any size."""
    wild = wild and chance.random() < 0.25
    while True:
        table = _drawn(chance, many, wild)
        if len(set(table.labels)) == (3 if many else 2):
            return table


def _drawn(chance: random.Random, many: bool, wild: bool) -> Table:
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
    if wild:
        unit = chance.choice(["0.1", "1e-3", "1e9", "1e15"])
        cells = [
            [unit if chance.random() < 0.1 else str(float(v) * chance.choice([1, float(unit)])) for v in x]
            for x in cells
        ]
    draw = _svmlight if chance.random() < 0.35 else _table
    table = draw(chance, cells, [labels[k] for k in kinds])
    table.rounds = wild
    return table


def number(text: str) -> Fraction:
    """As binary64 has it."""
    return Fraction(float(text))


def _taught(chance: random.Random, X: list[list[int]], classes: int) -> list[int]:
    """Labels of a teacher with integer planes, who is right always, mostly, or by chance."""
    planes = [[chance.randint(-2, 2) for _ in range(len(X[0]) + 1)] for _ in range(classes)]
    noise = chance.choice([0.0, 0.0, 0.2, 1.0])
    kinds = []
    for x in X:
        scores = [sum(a * b for a, b in zip(p, [*x, 1], strict=True)) for p in planes]
        kinds.append(chance.randrange(classes) if chance.random() < noise else scores.index(max(scores)))
    return kinds


def _svmlight(chance: random.Random, cells: list[list[str]], labels: list[str]) -> Table:
    """`label column:number …`: columns count from 0 where a column 0 is written, unless --first-column says it."""
    first, zeros = chance.randint(0, 1), chance.random() < 0.2
    table, seen = Table(".svm", [], [], [], [], [], []), set()
    for i, (x, label) in enumerate(zip(cells, labels, strict=True)):
        pairs = [(j, v) for j, v in enumerate(x) if float(v) or (zeros and chance.random() < 0.5)]
        spelled = f"+{label}" if label == "1" and chance.random() < 0.3 else label
        line = " ".join([spelled, *(f"{j + first}:{v}" for j, v in pairs)])
        if chance.random() < 0.1:
            table.lines.append("# a comment is no row")
        table.lines.append(f"{line} # {i}" if chance.random() < 0.1 else line)
        table.kept.append(line)
        table.points.append([number(v) for v in x])
        table.labels.append(label)
        table.of.append(i)
        seen |= {j for j, _ in pairs}
    width = max(seen, default=-1) + 1
    table.points = [x[:width] for x in table.points]
    table.names = [f"x{j + 1}" for j in range(width)]
    if not first and 0 not in seen:
        table.options += ["--first-column", "0"]
    elif first and chance.random() < 0.3:
        table.options += ["--first-column", "1"]
    return table if seen else Table(".svm", [], [], [], [], [], [])  # no columns: drawn again


def _table(chance: random.Random, cells: list[list[str]], labels: list[str]) -> Table:
    d = len(cells[0])
    header = chance.random() < 0.6
    names = ["dose", "age", "mass"][:d] if header else [f"x{j + 1}" for j in range(d)]
    head = [",".join([*names, "kind"])] if header else []
    options = ["--label", "kind" if header else str(d + 1), "--header" if header else "--no-header"]
    missing = chance.random() < 0.35
    reading = {"label": "kind" if header else d, "header": header} | ({"missing": "drop"} if missing else {})
    left_out = "missing" if missing else ""
    options += ["--missing", "drop"] * missing
    table = Table(".csv", list(head), options, [], [], [], names, [], head, reading, left_out)
    for i, (x, label) in enumerate(zip(cells, labels, strict=True)):
        line = ",".join([*x, label])
        if missing and chance.random() < 0.3:
            table.lines.append(",".join([*x[:-1], "", label] if chance.random() < 0.7 else [*x, ""]))
        else:
            table.lines.append(line)
            table.kept.append(line)
            table.points.append([number(v) for v in x])
            table.labels.append(label)
            table.of.append(i)
    return table


# ---- the same points as a call is given them -------------------------------------------------------------------------


def labels(t: Table) -> list[Any]:
    """As Python has them."""
    numeric = all(label.lstrip("-").isdigit() for label in t.labels)
    return [int(label) for label in t.labels] if numeric else list(t.labels)


def given(a: Audit, folder: Path, chance: random.Random) -> tuple[Any, ...]:
    """X and y in some storage, or the points of `read` alone; sets how a person calls the rows."""
    t, storage = a.table, chance.choice([*_STORED, "named frame", "read", "read"])
    storage = "float64" if t.rounds and storage == "float32" else storage
    a.command = f"{a.verb} of {storage}"
    a.number_rows(range(t.n))
    if storage == "read":
        return (_read(a, folder),)
    X, y = [[float(v) for v in x] for x in t.points], labels(t)
    if storage == "named frame":
        a.places = [f"[r{number}]" for number in t.of]
        return pd.DataFrame(X, columns=t.names, index=[f"r{number}" for number in t.of]), y
    return _STORED[storage](X), np.array(y) if chance.random() < 0.5 else y


def _loose(X: list[list[float]]) -> Any:
    """Rows with zeros stored and columns that go down."""
    n, d = len(X), len(X[0])
    data = np.array([v for x in X for v in x[::-1]])
    return sp.csr_array((data, np.tile(np.arange(d)[::-1], n), np.arange(0, n * d + 1, d)), shape=(n, d))


_STORED: dict[str, Callable[[list[list[float]]], Any]] = {
    "lists": lambda X: X,
    "float64": np.array,
    "float32": lambda X: np.array(X, np.float32),
    "columns": lambda X: np.asfortranarray(X),
    "csr": sp.csr_array,
    "loose csr": _loose,
    "csc": sp.csc_array,
    "coo": lambda X: sp.coo_array(X),
    "frame": lambda X: pd.DataFrame(X),
}


def _read(a: Audit, folder: Path) -> Any:
    """The points of the file; `read` leaves out rows with missing cells only, and svmlight columns count from 0 where
    one is written."""
    t = a.table
    whole = "0" not in t.options
    if whole:
        a.number_rows(t.of)
    path = t.write(folder) if whole else t.write_rows(folder, list(range(len(t.kept))))
    if "--first-column" in t.options and t.options[t.options.index("--first-column") + 1] == "0":
        path.write_text(re.sub(r" (\d+):", lambda pair: f" {int(pair[1]) + 1}:", path.read_text()))
    points = nv.read(path, **t.reading)
    X = points.X.toarray() if hasattr(points.X, "toarray") else np.asarray(points.X)
    a.fields(points, "read: ", n=t.n, d=t.d)
    a.claim("read: labels", [str(v) for v in np.asarray(points.y).tolist()], t.labels)
    a.claim("read: X", [[Fraction(v) for v in x] for x in X.tolist()], t.points)
    a.claim("read: row numbers", [str(v + 1) for v in points.row_numbers.tolist()], a.places)
    if points.names is not None:
        a.claim("read: names", list(points.names), t.names)
    a.told("read: its repr", r"n=(\d+), d=(\d+)", t.n, t.d, need=True, text=repr(points))
    return points
