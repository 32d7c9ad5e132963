"""The proof that no plane separates the points: the hulls of a few points of each class, and the point in both.

From the notes: C4 (a criterion for "not separable": hulls that meet), Z12 (XOR).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from novikoff.arguments.signature_types import Labels, Points
from novikoff.data.format_numbers import by_what
from novikoff.errors import InputError
from novikoff.pages.panel import Panel
from novikoff.pages.plane_pictures import hull_items
from novikoff.plot.display import PanelDisplay
from novikoff.plot.point_marks import drawable_points, marks_of, view_of
from novikoff.separate.obstruction import Obstruction

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from novikoff.separate.verdict import Verdict


class HullsDisplay(PanelDisplay):
    """At most d + 2 points whose hulls meet: the proof of a verdict that no plane separates the points.

    Σ₊ μᵢ·xᵢ = Σ₋ μᵢ·xᵢ,   Σ₊ μᵢ = Σ₋ μᵢ = 1

    Points with two features: hulls (segments, triangles) and their common point.

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
        points = drawable_points(X, y)
        if points.n != verdict.n:
            raise InputError(f"found {points.n:,} points; {verdict.n:,} were expected, as in the verdict", "X")
        if points.d != 2:
            raise InputError(f"found {points.d:,} features; hulls are drawn for two: verdict.explain() and "
                             "verdict.obstruction have the weights of the points", "X")  # fmt: skip
        items = (*hull_items(obstruction, points.classes), *marks_of(points))
        rows, view = len(obstruction.indices), view_of(*points.X.T)
        title = f"not separable{by_what(verdict.fit_intercept)}: {rows} of {points.n:,} points prove it"
        super().__init__([Panel(items, "\n".join(filter(None, (title, points.thinned.strip()))), *points.axis_names,
                                view.x, view.y, legend="outside")])  # fmt: skip

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
