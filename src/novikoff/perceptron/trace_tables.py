"""Write a run of the lecture as a table: text, JSON, CSV and LaTeX, with a sentence on how it ended.

    k  pass  point  label  y·x  y·(w·x)  + η‖x‖²  w after  errors after
    k  pass  mistakes  points  Σ y·x  η/n  w after  errors after            in the order batch

y·x is the point of D⁺: reflected if it is negative, with the 1 of the bias last (R4).

In text and LaTeX points are numbered from 1, long numbers are rounded and marked ≈; JSON and CSV are exact.

From the notes: Z10a (the full gradient), R3a Z9a (Zhang, "Key insight"), T6a (w is a signed sum of points), Z12 (Zhang,
"Proof: No Separating Hyperplane").
"""

from __future__ import annotations

import csv
import html
import io
import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from novikoff.data.exact_points import Vector
from novikoff.data.format_numbers import (
    MINUS,
    PLUS,
    SHOWN,
    WIDE,
    count,
    exact,
    marked_once,
    plain,
    short,
    sum_of,
    vector,
)
from novikoff.data.plain_files import plane_of
from novikoff.errors import InputError


@dataclass(frozen=True)
class Added:
    """A point of an update: its number in the file, its sign and coordinates, its place among the points."""

    row: int
    sign: int
    x: Vector
    index: int


@dataclass(frozen=True)
class Step:
    """One update, with one point; in the order batch with all mistakes of a pass.

    w after = w before + eta · sum,   sum = Σ y·x over the points; in the order batch eta is η/n

    Attributes
    ----------
    number, pass_number : of the update and of its pass, from 1
    points : those that were added; rows : their numbers in the user's file or frame, from 0
    eta : the step; w : the weights after it, the bias last
    errors_after : how many points have y·⟨w, x⟩ ≤ 0 under the new w
    looks : points shown so far, these included
    row, index : of one point, where it is in the file, and among the points
    sign : of one point, its y, −1 or 1; x : its coordinates, with the 1 of the bias last; norm2 : ‖x‖²
    score : of one point, ⟨w, x⟩ before the update, which raises y·⟨w, x⟩ by eta · norm2
    """

    number: int
    pass_number: int
    points: tuple[Added, ...]
    sum: Vector
    eta: Fraction
    w: Vector
    errors_after: int
    looks: int
    score: Fraction = Fraction(0)
    norm2: Fraction = Fraction(0)

    @property
    def rows(self) -> tuple[int, ...]:
        """The numbers of the points in the file, from 0."""
        return tuple(point.row for point in self.points)

    @property
    def reflected(self) -> Vector:
        """R4: y·x, the point of D⁺, the 1 of the bias reflected with it."""
        return self.sum

    @property
    def row(self) -> int:
        """The number of the point in the file, from 0."""
        return self.points[0].row

    @property
    def index(self) -> int:
        """The place of the point among the points."""
        return self.points[0].index

    @property
    def sign(self) -> int:
        """The y of the point, −1 or 1."""
        return self.points[0].sign

    @property
    def x(self) -> Vector:
        """The coordinates of the point, with the 1 of the bias last."""
        return self.points[0].x


class Column(NamedTuple):
    """A column of the table, in text and in LaTeX."""

    text: str
    latex: str
    cell: Callable[[Step], str]
    left: bool = False  # aligned to the left, as vectors are


@dataclass(frozen=True)
class Trace:
    """A whole run: its updates, how it ended, and the tables that show it.

    w = w⁰ + Σ η·y·x over the steps; after a `cycle` Σ kᵢ·yᵢ·xᵢ = 0 exactly, with k = cycle_counts.

    Attributes
    ----------
    stop_reason : "separated", "cycle" or "max_updates"
    n_looks, passes : points shown, passes begun (a pass is n looks)
    counts : how often each row was used; cycle_counts : the same since the vector that came back, or None
    classes : the labels of the sides − and +; d : number of columns; fit_intercept : whether w ends with a bias
    row_numbers : the number of each row in the file (from 0), where rows were left out of it; row_names : its name
    points, signs : the points, with the 1 of the bias last, and their y
    names : of the columns, for people; None if they have none
    """

    steps: tuple[Step, ...]
    start: Vector
    w: Vector
    stop_reason: str
    n_looks: int
    passes: int
    counts: tuple[int, ...]
    cycle_counts: tuple[int, ...] | None
    classes: tuple[Any, Any]
    order: str
    d: int
    fit_intercept: bool
    row_numbers: tuple[int, ...] | None = None
    row_names: Callable[[int], int | str] | None = None
    points: tuple[Vector, ...] = field(default=(), repr=False)
    signs: tuple[int, ...] = field(default=(), repr=False)
    rule: str = "perceptron"
    names: tuple[str, ...] | None = None

    def place(self, row: int) -> int | str:
        """Return how a message refers to the row with this number: counted from 1, or [its name] in a frame's index."""
        return row + 1 if self.row_names is None else self.row_names(row)

    def plane(self) -> str:
        """Return the plane of the last weights: `4·x1 − 1/2·x2 + 1 = 0`."""
        return equation(self.w, self.d, exact)

    @property
    def axis_names(self) -> list[str]:
        """The names of the columns; x1, x2, … if they have none."""
        return [f"x{j}" for j in range(1, self.d + 1)] if self.names is None else list(self.names)

    def to_text(self) -> str:
        """Return the table for people, with closing sentences; points are numbered from 1."""
        text = "\n".join([*self._table(), *self.ending()])
        return text + ("\n≈ a number rounded here; CSV and JSON have it exactly" if "≈" in text else "")

    def __str__(self) -> str:
        return self.to_text()

    @property
    def is_batch(self) -> bool:
        """Whether an update has all mistakes of a pass."""
        return self.order == "batch"

    def header(self) -> list[str]:
        """Return the names of the table's columns."""
        return [column.text for column in self._columns()]

    def cells(self, step: Step) -> list[str]:
        """Return the table's cells of an update; long numbers are rounded and marked ≈."""
        return [column.cell(step) for column in self._columns()]

    def _columns(self) -> list[Column]:
        wide = self.d > WIDE
        found = [Column("k", "$k$", lambda step: str(step.number)), Column("pass", "pass", _pass_number)]
        if self.is_batch:
            found += [Column("mistakes", "mistakes", lambda step: str(len(step.points)))]
            found += [Column("points", "points", self._first_points, left=True)]
            found += [] if wide else [Column("Σ y·x", r"$\sum y\,x$", lambda step: vector(step.sum), left=True)]
            found += [Column("η/n", r"$\eta/n$", lambda step: short(step.eta))]
        else:
            found += [Column("point", "point", lambda step: str(self.place(step.row)))]
            found += [Column("label", "label", lambda step: _sign(step.sign))]
            found += [] if wide else [Column("y·x", r"$y\,x$", lambda step: vector(step.sum), left=True)]
            found += [Column("y·(w·x)", r"$y\,(w\cdot x)$", lambda step: short(step.sign * step.score))]
            found += [Column("+ η‖x‖²", r"$+\;\eta\|x\|^2$", lambda step: short(step.eta * step.norm2))]
        if wide:
            after = Column("‖w‖² after", r"$\|w\|^2$ after", lambda step: short(norm2_of(step.w)), left=True)
        else:
            after = Column("w after", "$w$ after", lambda step: vector(step.w), left=True)
        return [*found, after, Column("errors after", "errors after", lambda step: str(step.errors_after))]

    def _first_points(self, step: Step) -> str:
        return ", ".join(str(self.place(row)) for row in step.rows[:SHOWN]) + ", …" * (len(step.rows) > SHOWN)

    def ending(self) -> list[str]:
        """Return the sentences on how the run ended, with the proof of a cycle, and what the labels are."""
        ending = {"separated": _separated, "cycle": _cycle, "max_updates": _given_up}[self.stop_reason](self)
        return [*ending, *_legend(self)]

    def to_dict(self, fields: Sequence[str] | None = None) -> dict[str, Any]:
        """Return everything, ready for JSON: exact numbers as strings, rows numbered from 0.

        fields : of each step; None: all
        """
        names = (BATCH_FIELDS if self.is_batch else STEP_FIELDS) if fields is None else fields
        found = {
            "stop_reason": self.stop_reason,
            "updates": len(self.steps),
            "looks": self.n_looks,
            "passes": self.passes,
            "order": self.order,
            "rule": self.rule,
            "fit_intercept": self.fit_intercept,
            "n": len(self.counts),
            "d": self.d,
            "classes": in_json(self.classes),
            "start": in_json(self.start),
            "w": in_json(self.w),
            "plane": self.plane(),
            "counts": in_json(self.counts),
            "cycle_counts": in_json(self.cycle_counts),
            "steps": [{name: in_json(getattr(step, name)) for name in names} for step in self.steps],
        }
        return found | ({"mistakes": sum(self.counts)} if self.is_batch else {})

    def to_json(self) -> str:
        """Return `to_dict` as a JSON document."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False)

    def to_csv(self) -> str:
        """Return one line for each update: exact numbers, points numbered from 1 and separated by spaces."""
        out, batch = io.StringIO(), self.is_batch
        writer = csv.writer(out, lineterminator="\n")
        columns, bias = range(1, self.d + 1), self.fit_intercept
        weights, end = [*(f"w{j}" for j in columns), *["b"] * bias], ["errors_after", "looks"]
        if batch:
            sums = [*(f"sum{j}" for j in columns), *["sum_b"] * bias]
            writer.writerow(["update", "pass", "mistakes", "points", *sums, "eta", *weights, *end])
        else:
            reflected = [*(f"reflected{j}" for j in columns), *["reflected_bias"] * bias]
            head = ["update", "pass", "point", "label", "y", "score", "eta", "norm2"]
            writer.writerow([*head, *weights, *end, *reflected])
        for step in self.steps:
            start: list[Any] = [step.number, step.pass_number]
            last = [step.errors_after, step.looks]
            if batch:
                points = [len(step.points), " ".join(str(self.place(row)) for row in step.rows)]
                writer.writerow([*start, *points, *map(plain, (*step.sum, step.eta, *step.w)), *last])
            else:
                point = [self.place(step.row), _label(self, step.sign), step.sign]
                exactly = map(plain, (step.score, step.eta, step.norm2, *step.w))
                writer.writerow([*start, *point, *exactly, *last, *map(plain, step.sum)])
        return out.getvalue()

    def to_latex(self) -> str:
        """Return the table as a LaTeX `tabular` that needs no package."""
        head, sides = [column.latex for column in self._columns()], ["r", "l"]
        layout = "".join(sides[column.left] for column in self._columns())
        return latex_table(head, [self.cells(step) for step in self.steps], layout)

    def added(self) -> dict[int, Added]:
        """Return the points that were added, by their place among the points."""
        return {point.index: point for step in self.steps for point in step.points}

    def updates_before_return(self) -> int:
        """Return after how many updates the weights were what they are at the end of a cycle."""
        left, number = sum(self.cycle_counts or ()), len(self.steps)
        while left > 0:
            number -= 1
            left -= len(self.steps[number].points)
        return number

    def _table(self) -> list[str]:
        """Return the lines of the table: columns to the right, but vectors to the left."""
        table = [self.header(), *(self.cells(step) for step in self.steps)]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        sides = ["<" if column.left else ">" for column in self._columns()]
        layout = "  " + "  ".join(f"{{:{side}{width}}}" for side, width in zip(sides, widths, strict=True))
        return [layout.format(*row) for row in table]

    def to_html(self, margin: Any = None, title: str | None = None) -> str:
        """Return the run as a self-contained page to step through: every update, pictures, the mistake bound.

        margin : `novikoff.margin` of the same points, for the bound (R/γ)² of the largest margin and its line; without
            it the page has no bound
        title : what the points are, for the heading
        """
        from novikoff.pages.trace_page import trace_page

        if self.is_batch:
            raise InputError(
                "found 'batch'; the page to step through shows updates of one point: use another order, or the run as "
                "text, CSV or LaTeX",
                "order",
            )
        return trace_page(self, margin, title)

    def _repr_html_(self) -> str:
        """Return the run for a notebook: its ending, its first updates, pictures for two features."""
        from novikoff.pages.displays import trace_display

        return f"<pre>{html.escape(self.to_text())}</pre>" if self.is_batch else trace_display(self)


STEP_FIELDS = (
    "number", "pass_number", "row", "sign", "x", "reflected", "score", "eta", "norm2", "w", "errors_after", "looks",
)  # fmt: skip
BATCH_FIELDS = ("number", "pass_number", "rows", "sum", "eta", "w", "errors_after", "looks")


def in_json(value: Any) -> Any:
    """Return a value as JSON has it: fractions as strings, tuples as lists, other numbers that JSON lacks as text."""
    if isinstance(value, tuple):
        return [in_json(v) for v in value]
    if isinstance(value, Fraction):
        return plain(value)
    known = value is None or isinstance(value, (str, int)) or (isinstance(value, float) and math.isfinite(value))
    return value if known else str(value)


def _pass_number(step: Step) -> str:
    return str(step.pass_number)


def _sign(sign: int) -> str:
    return PLUS if sign > 0 else MINUS


def _label(trace: Trace, sign: int) -> Any:
    return trace.classes[1 if sign > 0 else 0]


def norm2_of(w: Sequence[Fraction]) -> Fraction:
    return sum((v * v for v in w), Fraction(0))


def _summary(trace: Trace, word: str, what: str) -> str:
    return f"{word}  {count(len(trace.steps), 'update')} · {trace.n_looks:,} looks · order {trace.order} · {what}"


def _separated(trace: Trace) -> list[str]:
    wide = f"‖w‖² = {short(norm2_of(trace.w))}"
    return [
        _summary(
            trace,
            "SEPARATED",
            wide if trace.d > WIDE else marked_once(equation(trace.w, trace.d, short, trace.axis_names)),
        )
    ]


def _given_up(trace: Trace) -> list[str]:
    left, n = trace.steps[-1].errors_after, len(trace.counts)
    if left == 0:
        return [
            _summary(trace, "STOPPED", "limit max_updates"),
            "every point is on its own side, and the rule still updates: a larger max_updates goes further",
        ]
    stand = "is not on its" if left == 1 else "are not on their"
    return [
        _summary(trace, "STOPPED", "limit max_updates"),
        f"{left:,} of {n:,} points {stand} own side: a larger max_updates goes further",
    ]


def _cycle(trace: Trace) -> list[str]:
    """Format the updates between two equal weight vectors as a proof that no plane separates the points.

    Σ kᵢ·yᵢ·xᵢ = 0 with kᵢ ≥ 0, but a plane with every yᵢ·⟨w, xᵢ⟩ > 0 would make ⟨w, Σ kᵢ·yᵢ·xᵢ⟩ > 0.
    """
    k = trace.cycle_counts or ()
    used = {i: point for i, point in trace.added().items() if k[i]}
    since = trace.updates_before_return()
    what = "updates" if trace.order != "batch" else "points added"
    when = f"after update {since:,}" if since else "at the start"
    small = trace.d <= WIDE and len(used) <= SHOWN
    return [
        _summary(trace, "NOT SEPARABLE", f"the weights are again what they were {when}"),
        f"proof  the {what} since then, {sum(k):,} in all, sum to zero (each point times its sign and its count):",
        *(_written_out(trace, used, k) if small else _counted(trace, used, k)),
        f"       a contradiction, 0 > 0: no {plane_of(trace.fit_intercept)} separates the points",
    ]


def _written_out(trace: Trace, used: dict[int, Added], k: Sequence[int]) -> list[str]:
    """Format the zero sum, and the inequality that each of its points requires of a plane."""
    rows = sorted(used)
    terms = " ".join(f"{_sign(used[i].sign)} {k[i]}·{vector(used[i].x)}" for i in rows)
    return [
        f"         {terms} = {vector([Fraction(0)] * len(trace.w))}",
        f"       suppose a {plane_of(trace.fit_intercept)} had every point on its own side:",
        *(f"         point {trace.place(used[i].row)}:  {_inequality(trace, used[i])}" for i in rows),
        f"       added up {', '.join(str(k[i]) for i in rows)} times, the left sides are 0 and the sum is above 0:",
    ]


def _counted(trace: Trace, used: dict[int, Added], k: Sequence[int]) -> list[str]:
    """Format the counts of the first points, if there are too many points or columns to write the sum."""
    rows = sorted(used)
    counts = ", ".join(f"{k[i]} × point {trace.place(used[i].row)}" for i in rows[:SHOWN])
    more = f", … ({len(rows):,} points in all, JSON has them)" * (len(rows) > SHOWN)
    return [
        f"         {counts}{more}",
        f"       suppose a {plane_of(trace.fit_intercept)} had every point on its own side, y·(w·x) > 0:",
        "       added up so many times, the left sides are 0 and the sum is above 0:",
    ]


def _inequality(trace: Trace, point: Added) -> str:
    """Format y·(w·x) > 0 in full: −w1 − w2 − b > 0."""
    names = [f"w{j}" for j in range(1, trace.d + 1)] + ["b"] * trace.fit_intercept
    return marked_once(sum_of([point.sign * v for v in point.x], names, short) + " > 0")


def _legend(trace: Trace) -> list[str]:
    """Format which label has which sign, unless the labels are −1 and 1."""
    minus, plus = trace.classes
    return [] if (minus, plus) == (-1, 1) else [f"label + is {plus}, − is {minus}"]


def equation(w: Sequence[Fraction], d: int, write: Any, names: Sequence[str] | None = None) -> str:
    """Format the plane of d coordinates with weights w, the bias last if there is one; names: of the coordinates."""
    called = [f"x{j}" for j in range(1, d + 1)] if names is None else list(names)
    return sum_of(w, called + [""] * (len(w) - d), write) + " = 0"


def latex_table(head: list[str], rows: list[list[str]], columns: str) -> str:
    """Return a LaTeX `tabular` of cells in math mode."""
    lines = [" & ".join(cells) + r" \\" for cells in [head, *([f"${_tex(cell)}$" for cell in row] for row in rows)]]
    body = [lines[0], r"\hline", *lines[1:]]
    return "\n".join([rf"\begin{{tabular}}{{{columns}}}", *body, r"\end{tabular}"]) + "\n"


def _tex(cell: str) -> str:
    """Return the cell in LaTeX math."""
    plain = cell.replace(MINUS, "-").replace("≈", r"\approx ").replace(", ", r",\, ")
    return re.sub(r"E\+?(-?\d+)", r"\\times10^{\1}", plain)
