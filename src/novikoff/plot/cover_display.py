"""Cover's curve: the fraction of separable labellings against P/N, in theory and as measured.

From the notes: S5 S6 (Sompolinsky, Figure 3, and the count on a logarithmic scale).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from novikoff.arguments import argument_checks
from novikoff.arguments.signature_types import Sizes
from novikoff.pages.panel import GREY, INK, Curve, Item, Marks, Note, Panel, series_look
from novikoff.plot.display import PanelDisplay
from novikoff.theory.cover_logs import log_fraction
from novikoff.theory.experiments.experiment_table import Experiment, of_experiment
from novikoff.theory.experiments.trials import several_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

RATIO = 4.0  # the largest P/N of the lecture's figure
FEW = 20  # dimensions up to which every number of points has a mark
SAMPLES = 160
WIDE = 12.0  # the largest P/N that is drawn: all fractions are 0 there
SPACE = 1.03  # right of the last point


class CoverDisplay(PanelDisplay):
    """The fraction of separable labellings C(P, N)/2^P against P/N, with measured fractions and their intervals.

    C(P, N)/2^P = 1/2 exactly at P = 2N, for every N; the step there is steeper for larger N

    Parameters
    ----------
    dimensions : the numbers of dimensions N, one curve each
    rows : measured fractions, as the rows of `capacity_experiment`: N, P, measured, low, high
    fit_intercept : planes with a bias: N + 1 parameters, and the ratio is P/(N + 1)
    counts : whether a second panel shows log₂ C(P, N)/N
    level : of the intervals, for the title; None: it is not named

    Examples
    --------
    >>> import novikoff as nv
    >>> display = nv.CoverDisplay([5, 65])
    >>> [panel.title for panel in display.panels], display.panels[0].labels
    (['Separable fraction of all 2^P labellings', 'Number of separable labellings'], ['N = 5', 'N = 65'])
    """

    def __init__(
        self,
        dimensions: Sequence[int],
        rows: Sequence[Mapping[str, Any]] = (),
        fit_intercept: bool = False,
        counts: bool = True,
        level: float | None = None,
    ) -> None:
        for size in dimensions:
            argument_checks.whole("N", size, 1, optional=False)
        self.dimensions = [int(size) for size in dimensions]
        argument_checks.truth("fit_intercept", fit_intercept)
        self.fit_intercept, self.level = bool(fit_intercept), level
        self.rows = [row for row in rows if "measured" in row and self._ratio(row["P"], row["N"]) <= WIDE]
        self.largest_ratio = min(WIDE, max([RATIO, *(self._ratio(row["P"], row["N"]) for row in rows)]))
        self._known: dict[int, np.ndarray] = {}
        super().__init__([self._fractions(), self._counts()] if counts else [self._fractions()])

    @classmethod
    def from_sizes(
        cls, N: Sizes = (5, 65), fit_intercept: bool = False, counts: bool = False, ax: Axes | None = None
    ) -> Self:
        """Draw the theory for the given numbers of dimensions.

        Parameters
        ----------
        N : number of dimensions, one or several
        fit_intercept, counts : as of the class; with counts there are two panels
        ax : as in `plot`
        """
        return cls(several_of("N", N), (), fit_intercept, counts).plot(ax)

    @classmethod
    def from_experiment(cls, experiment: Experiment, counts: bool = False, ax: Axes | None = None) -> Self:
        """Draw the results of `capacity_experiment` over the theory.

        Parameters
        ----------
        experiment : the results
        counts : as of the class; with counts there are two panels
        ax : as in `plot`
        """
        rows = of_experiment(experiment, "capacity").rows
        return cls(list(dict.fromkeys(row["N"] for row in rows)), rows, counts=counts).plot(ax)

    def _parameters(self, N: int) -> int:
        return N + self.fit_intercept

    def _ratio(self, P: int, N: int) -> float:
        return P / self._parameters(N)

    def _fractions(self) -> Panel:
        items: list[Item] = [
            Curve(np.array([2.0, 2.0]), np.array([0.0, 0.5]), None, GREY, "dotted", 1.0, name="half"),
            Curve(np.array([0.0, 2.0]), np.array([0.5, 0.5]), None, GREY, "dotted", 1.0, name="half"),
        ]
        for k, N in enumerate(self.dimensions):
            items += self._fraction_of(k, N)
        level = "confidence" if self.level is None else f"{100 * self.level:g} %"
        bars = f"\n(bars: {level} intervals)" if self.rows else ""
        return Panel(tuple(items), f"Separable fraction of all 2^P labellings{bars}", self._x_label(), "C(P, N) / 2^P",
                     self._x_limits(), (-0.03, 1.05), legend="upper right")  # fmt: skip

    def _fraction_of(self, k: int, N: int) -> Iterator[Item]:
        color, shape, style = series_look(k)
        P = self._points(N)
        x = np.array([self._ratio(p, N) for p in P])
        y = np.array([math.exp(value) for value in self._log_fractions(N, P)])
        measured = [row for row in self.rows if row["N"] == N]
        yield Curve(x, y, f"N = {N:,}" + (", theory" if measured else ""), color, style, name=f"theory {N}")
        if measured:
            yield Marks(
                np.array([self._ratio(row["P"], N) for row in measured]),
                np.array([row["measured"] for row in measured]),
                f"N = {N:,}, measured", color, shape, 26.0,
                low=np.array([row["low"] for row in measured]), high=np.array([row["high"] for row in measured]),
                name=f"measured {N}",
            )  # fmt: skip
        elif N <= FEW:
            yield Marks(x, y, None, color, shape, 18.0, name=f"counts {N}")

    def _counts(self) -> Panel:
        end, a = self.largest_ratio, "" if not self.fit_intercept else " + 1"
        line = np.array([0.0, end])
        items: list[Item] = [Curve(line, line, "all 2^P labellings", INK, "dotted", 1.2,
                                   name="all")]  # fmt: skip
        for k, N in enumerate(self.dimensions):
            color, _, style = series_look(k)
            P, size = self._points(N), self._parameters(N)
            counts = (np.array(P, np.float64) + self._log_fractions(N, P) / math.log(2)) / size
            x = np.array([self._ratio(p, N) for p in P])
            items.append(Curve(x, counts, f"N = {N:,}", color, style, name=f"log count {N}"))
        high = min(end, 2 * max(float(item.y.max()) for item in items[1:] if isinstance(item, Curve))) * SPACE
        bend = f"P = N{a}"
        items.append(Curve(np.array([1.0, 1.0]), np.array([0.0, 1.0]), None, GREY, "dotted", 1.0, name="bend"))
        items.append(Note(1.08, 0.05 * high, bend, color=GREY))
        return Panel(tuple(items), "Number of separable labellings", self._x_label(), f"log₂ C(P, N) / {self._whole()}",
                     self._x_limits(), (0.0, high), legend="upper left")  # fmt: skip

    def _log_fractions(self, N: int, P: list[int]) -> np.ndarray:
        """Return ln of the fraction for each number of points; computed once, as it takes time for many points."""
        if N not in self._known:
            self._known[N] = np.array([log_fraction(p, self._parameters(N)) for p in P])
        return self._known[N]

    def _whole(self) -> str:
        return "(N + 1)" if self.fit_intercept else "N"

    def _x_limits(self) -> tuple[float, float]:
        return 0.0, self.largest_ratio * SPACE

    def _x_label(self) -> str:
        return f"P / {self._whole()}"

    def _points(self, N: int) -> list[int]:
        """Return the numbers of points of a curve: all of them, or a part with the step at P = 2N resolved."""
        size = self._parameters(N)
        last = max(1, math.floor(self.largest_ratio * size))
        if last <= 2 * SAMPLES:
            return list(range(1, last + 1))
        wide = 4 * math.sqrt(2 * size)
        grid = {
            *np.linspace(1, last, SAMPLES).round(),
            size,
            *np.linspace(2 * size - wide, 2 * size + wide, 81).round(),
        }
        return sorted(int(p) for p in grid if 1 <= p <= last)
