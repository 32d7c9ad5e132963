"""A run of the order `batch` in exact fractions, as a table: one line for each update, with all points it adds.

    k  pass  mistakes  points  Σ y·x  η/n  w after  errors after

From the notes: Z10a (Zhang, the full gradient of the perceptron loss): w ← w + (η/n)·Σ y·x over all mistakes of a pass.
`trace` makes the run; text and LaTeX number points from 1, JSON and CSV are exact.
"""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from novikoff.data.exact_points import Vector
from novikoff.data.format_numbers import SHOWN, WIDE, plain, short, vector
from novikoff.errors import InputError
from novikoff.perceptron.trace_tables import Trace, aligned, latex_table, norm2_of

FIELDS = ("number", "pass_number", "rows", "sum", "eta", "w", "errors_after", "looks")


@dataclass(frozen=True)
class Added:
    """A mistaken point: its number in the file, its sign and coordinates, its place among the points."""

    row: int
    sign: int
    x: Vector
    index: int


@dataclass(frozen=True)
class BatchUpdate:
    """One update with all mistaken points of a pass.

    w after = w before + eta · sum,   sum = Σ y·x over the points,   eta = η/n

    Attributes
    ----------
    number, pass_number : of the update and of its pass, from 1
    points : those with y·⟨w, x⟩ ≤ 0 before the update, in their order; rows : their numbers in the file, from 0
    w : the weights after the update, the bias last
    errors_after : how many points have y·⟨w, x⟩ ≤ 0 under the new w
    looks : points shown so far
    """

    number: int
    pass_number: int
    points: tuple[Added, ...]
    sum: Vector
    eta: Fraction
    w: Vector
    errors_after: int
    looks: int

    @property
    def rows(self) -> tuple[int, ...]:
        """The numbers of the points in the file, from 0."""
        return tuple(point.row for point in self.points)


@dataclass(frozen=True)
class BatchTrace(Trace):
    """A run of the order batch: its updates, how it ended, and the tables that show it."""

    def to_dict(self, fields: Sequence[str] | None = None) -> dict[str, Any]:
        """Return everything, ready for JSON: exact numbers as strings, rows numbered from 0."""
        return super().to_dict(fields) | {"mistakes": sum(self.counts)}

    def to_csv(self) -> str:
        """Return one line for each update: exact numbers, points numbered from 1 and separated by spaces."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        names = [str(j) for j in range(1, self.d + 1)] + ["b"] * self.fit_intercept
        sums, weights = [f"sum{j}" if j != "b" else "sum_b" for j in names], [j if j == "b" else f"w{j}" for j in names]
        writer.writerow(["update", "pass", "mistakes", "points", *sums, "eta", *weights, "errors_after", "looks"])
        for step in self.updates:
            points = " ".join(str(self.place(row)) for row in step.rows)
            exactly = [plain(v) for v in (*step.sum, step.eta, *step.w)]
            writer.writerow(
                [step.number, step.pass_number, len(step.points), points, *exactly, step.errors_after, step.looks]
            )
        return out.getvalue()

    def to_latex(self) -> str:
        """Return the table as a LaTeX `tabular` that needs no package."""
        wide = self.d > WIDE
        head = ["$k$", "pass", "mistakes", "points", *([] if wide else [r"$\sum y\,x$"]), r"$\eta/n$"]
        head += [r"$\|w\|^2$ after" if wide else "$w$ after", "errors after"]
        return latex_table(head, [self._cells(step) for step in self.updates], "rrrlrlr" if wide else "rrrllrlr")

    def to_html(self, margin: Any = None, title: str | None = None) -> str:
        """Raise InputError: the page shows updates of one point."""
        raise InputError(
            "found 'batch'; the page to step through shows updates of one point: use another order, or the run as "
            "text, CSV or LaTeX",
            "order",
        )

    def _repr_html_(self) -> str:
        """Return the table for a notebook."""
        return f"<pre>{html.escape(self.to_text())}</pre>"

    @property
    def updates(self) -> tuple[BatchUpdate, ...]:
        """The updates."""
        return self.steps  # type: ignore[return-value]

    def added(self) -> dict[int, Any]:
        """Return the points that were added, by their place among the points."""
        return {point.index: point for step in self.updates for point in step.points}

    def updates_before_return(self) -> int:
        """Return after how many updates the weights were what they are at the end of a cycle."""
        left, number = sum(self.cycle_counts or ()), len(self.updates)
        while left > 0:
            number -= 1
            left -= len(self.updates[number].points)
        return number

    def _fields(self) -> tuple[str, ...]:
        return FIELDS

    def _table(self) -> list[str]:
        wide = self.d > WIDE
        head = ["k", "pass", "mistakes", "points", *([] if wide else ["Σ y·x"]), "η/n"]
        head += ["‖w‖² after" if wide else "w after", "errors after"]
        return aligned(
            [head, *(self._cells(step) for step in self.updates)], {3, len(head) - 2, *([] if wide else [4])}
        )

    def _cells(self, step: BatchUpdate) -> list[str]:
        wide = self.d > WIDE
        points = ", ".join(str(self.place(row)) for row in step.rows[:SHOWN]) + ", …" * (len(step.rows) > SHOWN)
        cells = [str(step.number), str(step.pass_number), str(len(step.points)), points]
        cells += [] if wide else [vector(step.sum)]
        return [*cells, short(step.eta), short(norm2_of(step.w)) if wide else vector(step.w), str(step.errors_after)]
