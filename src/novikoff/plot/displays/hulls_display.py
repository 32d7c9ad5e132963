"""The proof that no plane separates the points: the hulls of a few points of each class, and the point in both.

From the notes: C4 (a criterion for "not separable": hulls that meet), Z12 (XOR).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import numpy as np

from novikoff.arguments.signature_types import Labels, Points
from novikoff.certify.decide.obstruction import Obstruction
from novikoff.data.text.format_numbers import by_what
from novikoff.errors import InputError
from novikoff.pages.panel import INK, Bars, Curve, Item, Panel, class_look
from novikoff.pages.plane_pictures import hull_items
from novikoff.plot.display import PanelDisplay
from novikoff.plot.displays.point_marks import DrawnPoints, drawable_points, marks_of, view_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from novikoff.certify.decide.verdict import Verdict

MOST_ROWS = 30  # of a proof, named on an axis


class HullsDisplay(PanelDisplay):
    """At most d + 2 points whose hulls meet: the proof of a verdict that no plane separates the points.

    Σ₊ μᵢ·xᵢ = Σ₋ μᵢ·xᵢ,   Σ₊ μᵢ = Σ₋ μᵢ = 1

    Two features: hulls (segments, triangles) and their common point. Otherwise: the weights μᵢ of the points.

    Parameters
    ----------
    verdict : of `decide`, not separable
    X, y : the points of the verdict

    Examples
    --------
    >>> import novikoff as nv
    >>> X, y = nv.example("xor")
    >>> nv.HullsDisplay(nv.decide(X, y), X, y).obstruction.point
    (Fraction(1, 2), Fraction(1, 2))
    """

    def __init__(self, verdict: Verdict, X: Points, y: Labels | None = None) -> None:
        if getattr(verdict, "separable", None) is not False or isinstance(verdict, dict):
            raise InputError("found one that does not say 'not separable' of two classes; only such a proof has hulls "
                             "that meet", "verdict")  # fmt: skip
        obstruction = verdict.obstruction
        assert obstruction is not None  # the verdict is not separable
        self.obstruction: Obstruction = obstruction
        self._fit_intercept = verdict.fit_intercept
        points = drawable_points(X, y)
        if points.n != verdict.n:
            raise InputError(f"found {points.n:,} points; {verdict.n:,} were expected, as in the verdict", "X")
        super().__init__([self._flat(points) if points.d == 2 else self._weights(points)])

    @classmethod
    def from_verdict(cls, verdict: Verdict, X: Points, y: Labels | None = None, ax: Axes | None = None) -> Self:
        """Draw the proof of a verdict.

        Parameters
        ----------
        verdict : of `decide`, not separable
        X, y : the points of the verdict
        ax : as in `plot`
        """
        return cls(verdict, X, y).plot(ax)

    def _flat(self, points: DrawnPoints) -> Panel:
        items = (*hull_items(self.obstruction, points.classes), *marks_of(points))
        x_label, y_label = points.axis_names
        view = view_of(*points.X.T)
        return Panel(items, self._title(points), x_label, y_label, view.x, view.y, legend="outside")

    def _title(self, points: DrawnPoints) -> str:
        rows = len(self.obstruction.indices)
        first = f"not separable{by_what(self._fit_intercept)}: {rows} of {points.n:,} points prove it"
        return f"{first}\n{points.thinned}" if points.thinned else first

    def _weights(self, points: DrawnPoints) -> Panel:
        """Return the weights of the points, upwards for the positive class and downwards for the other."""
        items, names, at = list[Item](), list[str](), 0
        for sign, side in ((1.0, self.obstruction.positive), (-1.0, self.obstruction.negative)):
            heights = np.array([sign * float(weight) for weight in side.weights])
            color, _ = class_look(list(map(str, points.classes)).index(str(side.label)))
            if len(heights):
                edges = np.arange(at, at + len(heights) + 1) - 0.5
                items.append(Bars(edges, heights, f"class {side.label}", color, name=f"weights {side.label}"))
            names += [f"{row + 1}" for row in side.rows]
            at += len(heights)
        items.append(Curve(np.array([-0.5, at - 0.5]), np.zeros(2), None, INK, width=1.0, name="zero"))
        same = "equal" if self.obstruction.how in ("hulls", "same point") else "cancelling"
        return Panel(tuple(items), f"{self._title(points)}\nweights of two {same} combinations", "point", "weight",
                     legend="outside", x_ticks=tuple(names) if at <= MOST_ROWS else None)  # fmt: skip
