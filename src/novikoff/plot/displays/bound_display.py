"""The two curves of the convergence proof, for one run."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Self

import numpy as np

from novikoff.arguments.signature_types import Labels, Points
from novikoff.data.text.format_numbers import bound_in_words
from novikoff.errors import InputError
from novikoff.perceptron.trace_tables import Trace
from novikoff.plot.display import PanelDisplay
from novikoff.plot.panel import BLUE, GREEN, GREY, RED, Curve, Item, Marks, Panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDE = 12.0  # the point where the curves meet is shown if it is at most so many times the number of updates
SAMPLES = 201


class BoundDisplay(PanelDisplay):
    """The convergence proof for one run: ‖w‖ below R√k, ⟨w, u⟩ above kγ, until the two must meet at (R/γ)².

    k·γ ≤ ⟨w, u⟩ ≤ ‖w‖ ≤ √k·R   after k mistakes from w⁰ = 0;   u: the widest plane, of length 1

    From the notes: T4 R5 S10 C7 Z9 (mistakes ≤ (R/γ)²).

    Parameters
    ----------
    trace : of `trace`, from weights 0 with a constant step
    X, y : its points, separable

    Examples
    --------
    >>> import novikoff as nv
    >>> X, y = nv.example("cornwell")
    >>> display = nv.BoundDisplay(nv.trace(X, y), X, y)
    >>> round(display.bound, 6), display.panels[0].labels[:2]
    (55.0, ['R√k', 'kγ'])
    """

    def __init__(self, trace: Trace, X: Points, y: Labels | None = None) -> None:
        if not isinstance(trace, Trace) or any(trace.start) or len({step.eta for step in trace.steps}) != 1:
            raise InputError("found another start than 0, another step, no update, or no trace; a run from weights 0 "
                             "with a constant step was expected", "trace")  # fmt: skip
        from novikoff.maxmargin.margin import margin

        m = margin(X, y, fit_intercept=trace.fit_intercept, positive=trace.classes[1])
        w, b = m.padded.plane
        u = np.append(w, float(b)) if trace.fit_intercept else np.asarray(w)
        u = u / math.hypot(*u)
        self.radius, self.gamma, self.bound = float(m.radius), float(m.padded.gamma[0]), float(m.mistake_bound[1])
        eta = float(trace.steps[0].eta)
        weights = np.array([[float(v) for v in step.w] for step in trace.steps]) / eta
        k = np.arange(1, len(weights) + 1, dtype=np.float64)
        meets = self.bound <= WIDE * len(k)
        end = 1.08 * self.bound if meets else 1.5 * len(k)
        t = np.linspace(0.0, end, SAMPLES)
        items: list[Item] = [
            Curve(t, np.sqrt(t) * self.radius, "R√k", RED, "dashed", name="ceiling"),
            Curve(t, t * self.gamma, "kγ", GREEN, "dashdot", name="floor"),
            Marks(k, np.linalg.norm(weights, axis=1), "‖w‖ after k mistakes", RED, "circle", 26.0, name="norm"),
            Marks(k, weights @ u, "⟨w, u⟩, u the widest plane", GREEN, "triangle", 26.0, name="overlap"),
            Curve(np.array([k[-1]] * 2), np.array([0.0, math.sqrt(k[-1]) * self.radius]), None, GREY, "dotted", 1.0,
                  name="end"),
        ]  # fmt: skip
        if meets:
            items.append(Marks(np.array([self.bound]), np.array([self.bound * self.gamma]), "both meet at (R/γ)²", BLUE,
                               "x", 90.0, name="bound"))  # fmt: skip
        title = f"{len(k):,} mistakes of at most (R/γ)² = {bound_in_words(self.bound)}"
        super().__init__([Panel(tuple(items), title, "mistakes k", "length", (0.0, end), legend="outside")])

    @classmethod
    def from_trace(cls, trace: Trace, X: Points, y: Labels | None = None, ax: Axes | None = None) -> Self:
        """Draw the proof for one run.

        Parameters
        ----------
        trace : of `trace`, from weights 0 with a constant step
        X, y : its points, separable
        ax : as in `plot`
        """
        return cls(trace, X, y).plot(ax)
