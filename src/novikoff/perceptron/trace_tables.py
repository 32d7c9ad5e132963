"""Write a run of the lecture as a table: text, JSON, CSV and LaTeX, with a sentence on how it ended.

    k  pass  point  label  y·x  y·(w·x)  + η‖x‖²  w after  errors after

y·x is the point of D⁺: reflected if it is negative, with the 1 of the bias last (R4).

In text and LaTeX points are numbered from 1, long numbers are rounded and marked ≈; JSON and CSV are exact.

From the notes: R3a Z9a (Zhang, "Key insight"), T6a (w is a signed sum of points), Z12 (Zhang, "Proof: No Separating
Hyperplane").
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

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


@dataclass(frozen=True)
class Step:
    """One update.

    y·⟨w after, x⟩ = y·⟨w before, x⟩ + η‖x‖²: the update raises y·score by eta · norm2.

    Attributes
    ----------
    number, pass_number : of the update and of its pass, from 1
    row : the number of the point in the user's file or frame, from 0; index : where it is among the points
    sign : its y, −1 or 1; x : its coordinates, with the 1 of the bias last; norm2 : ‖x‖²
    score : ⟨w, x⟩ before the update; eta : the step; w : the weights after it, the bias last
    errors_after : how many points have y·⟨w, x⟩ ≤ 0 under the new w
    looks : points shown so far, this one included
    """

    number: int
    pass_number: int
    row: int
    sign: int
    x: Vector
    score: Fraction
    eta: Fraction
    norm2: Fraction
    w: Vector
    errors_after: int
    looks: int
    index: int

    @property
    def reflected(self) -> Vector:
        """R4: y·x, the point of D⁺, the 1 of the bias reflected with it."""
        return tuple(self.sign * v for v in self.x)


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

    def header(self) -> list[str]:
        """Return the names of the table's columns."""
        w_after = "‖w‖² after" if self.d > WIDE else "w after"
        reflected = [] if self.d > WIDE else ["y·x"]
        return ["k", "pass", "point", "label", *reflected, "y·(w·x)", "+ η‖x‖²", w_after, "errors after"]

    def cells(self, step: Step) -> list[str]:
        """Return the table's cells of an update; long numbers are rounded and marked ≈."""
        w_after = short(norm2_of(step.w)) if self.d > WIDE else vector(step.w)
        numbers = [short(step.sign * step.score), short(step.eta * step.norm2)]
        where = [str(step.number), str(step.pass_number), str(self.place(step.row)), _sign(step.sign)]
        reflected = [] if self.d > WIDE else [vector(step.reflected)]
        return [*where, *reflected, *numbers, w_after, str(step.errors_after)]

    def ending(self) -> list[str]:
        """Return the sentences on how the run ended, with the proof of a cycle, and what the labels are."""
        ending = {"separated": _separated, "cycle": _cycle, "max_updates": _given_up}[self.stop_reason](self)
        return [*ending, *_legend(self)]

    def to_dict(self, fields: Sequence[str] | None = None) -> dict[str, Any]:
        """Return everything, ready for JSON: exact numbers as strings, rows numbered from 0.

        fields : of each step; None: all
        """
        names = self._fields() if fields is None else fields
        return {
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

    def to_json(self) -> str:
        """Return `to_dict` as a JSON document."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False)

    def to_csv(self) -> str:
        """Return one line for each update: exact numbers, points numbered from 1."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        names = [f"w{j}" for j in range(1, self.d + 1)] + ["b"] * self.fit_intercept
        writer.writerow(
            ["update", "pass", "point", "label", "y", "score", "eta", "norm2", *names, "errors_after", "looks"]
            + [f"reflected{j}" for j in range(1, self.d + 1)]
            + ["reflected_bias"] * self.fit_intercept
        )
        for step in self.steps:
            head = [step.number, step.pass_number, self.place(step.row), _label(self, step.sign), step.sign]
            exactly = [plain(v) for v in (step.score, step.eta, step.norm2, *step.w)]
            writer.writerow([*head, *exactly, step.errors_after, step.looks, *map(plain, step.reflected)])
        return out.getvalue()

    def to_latex(self) -> str:
        """Return the table as a LaTeX `tabular` that needs no package."""
        wide = self.d > WIDE
        w_after = r"$\|w\|^2$ after" if wide else "$w$ after"
        head = ["$k$", "pass", "point", "label", r"$y\,(w\cdot x)$", r"$+\;\eta\|x\|^2$", w_after, "errors after"]
        head[4:4] = [] if wide else [r"$y\,x$"]
        return latex_table(head, [self.cells(step) for step in self.steps], "rrrrrrlr" if wide else "rrrrlrrlr")

    def added(self) -> dict[int, Any]:
        """Return the points that were added, by their place among the points."""
        return {step.index: step for step in self.steps}

    def updates_before_return(self) -> int:
        """Return after how many updates the weights were what they are at the end of a cycle."""
        return len(self.steps) - sum(self.cycle_counts or ())

    def _fields(self) -> tuple[str, ...]:
        return STEP_FIELDS

    def _table(self) -> list[str]:
        table = [self.header(), *(self.cells(step) for step in self.steps)]
        return aligned(table, {len(table[0]) - 2, *([] if self.d > WIDE else [4])})

    def to_html(self, margin: Any = None, title: str | None = None) -> str:
        """Return the run as a self-contained page to step through: every update, pictures, the mistake bound.

        margin : `novikoff.margin` of the same points, for the bound (R/γ)² of the largest margin and its line; without
            it the page has no bound
        title : what the points are, for the heading
        """
        from novikoff.pages.trace_page import trace_page

        return trace_page(self, margin, title)

    def _repr_html_(self) -> str:
        """Return the run for a notebook: its ending, its first updates, pictures for two features."""
        from novikoff.pages.displays import trace_display

        return trace_display(self)


STEP_FIELDS = (
    "number", "pass_number", "row", "sign", "x", "reflected", "score", "eta", "norm2", "w", "errors_after", "looks",
)  # fmt: skip


def in_json(value: Any) -> Any:
    """Return a value as JSON has it: fractions as strings, tuples as lists, other numbers that JSON lacks as text."""
    if isinstance(value, tuple):
        return [in_json(v) for v in value]
    if isinstance(value, Fraction):
        return plain(value)
    known = value is None or isinstance(value, (str, int)) or (isinstance(value, float) and math.isfinite(value))
    return value if known else str(value)


def _sign(sign: int) -> str:
    return PLUS if sign > 0 else MINUS


def _label(trace: Trace, sign: int) -> Any:
    return trace.classes[1 if sign > 0 else 0]


def norm2_of(w: Sequence[Fraction]) -> Fraction:
    return sum((v * v for v in w), Fraction(0))


def aligned(table: list[list[str]], left: set[int]) -> list[str]:
    """Align columns to the right, but those of `left`, such as vectors, to the left."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    sides = ["<" if j in left else ">" for j in range(len(widths))]
    layout = "  " + "  ".join(f"{{:{side}{width}}}" for side, width in zip(sides, widths, strict=True))
    return [layout.format(*row) for row in table]


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


def _written_out(trace: Trace, used: dict[int, Any], k: Sequence[int]) -> list[str]:
    """Format the zero sum, and the inequality that each of its points requires of a plane."""
    rows = sorted(used)
    terms = " ".join(f"{_sign(used[i].sign)} {k[i]}·{vector(used[i].x)}" for i in rows)
    return [
        f"         {terms} = {vector([Fraction(0)] * len(trace.w))}",
        f"       suppose a {plane_of(trace.fit_intercept)} had every point on its own side:",
        *(f"         point {trace.place(used[i].row)}:  {_inequality(trace, used[i])}" for i in rows),
        f"       added up {', '.join(str(k[i]) for i in rows)} times, the left sides are 0 and the sum is above 0:",
    ]


def _counted(trace: Trace, used: dict[int, Any], k: Sequence[int]) -> list[str]:
    """Format the counts of the first points, if there are too many points or columns to write the sum."""
    rows = sorted(used)
    counts = ", ".join(f"{k[i]} × point {trace.place(used[i].row)}" for i in rows[:SHOWN])
    more = f", … ({len(rows):,} points in all, JSON has them)" * (len(rows) > SHOWN)
    return [
        f"         {counts}{more}",
        f"       suppose a {plane_of(trace.fit_intercept)} had every point on its own side, y·(w·x) > 0:",
        "       added up so many times, the left sides are 0 and the sum is above 0:",
    ]


def _inequality(trace: Trace, step: Any) -> str:
    """Format y·(w·x) > 0 in full: −w1 − w2 − b > 0."""
    names = [f"w{j}" for j in range(1, trace.d + 1)] + ["b"] * trace.fit_intercept
    return marked_once(sum_of([step.sign * v for v in step.x], names, short) + " > 0")


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
