"""The decision boundary of a plane: points, the line from w, w orthogonal to it, the margin, the ball of radius R.

From the notes: S2 (Sompolinsky, the decision surface and w orthogonal to it), T4a (Tao, the margin of a plane and the
ball of radius R), C4 (hulls that meet).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from novikoff.arguments import argument_checks
from novikoff.arguments.signature_types import Labels, Model, Points
from novikoff.errors import InputError, NotSeparableError
from novikoff.pages.panel import GREEN, INK, PURPLE, Arrow, Curve, Item, Marks, Note, Panel, Region
from novikoff.pages.plane_pictures import hull_items, line_items, rings, widest_items
from novikoff.pages.straight_lines import line_across
from novikoff.pages.window import View
from novikoff.plot.display import PanelDisplay
from novikoff.plot.fitted_planes import FittedPlanes, exact_scores, fitted_planes
from novikoff.plot.point_marks import drawable_points, marks_of, view_of
from novikoff.scoring.side_view import side_view

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from novikoff.maxmargin.margin import Margin
    from novikoff.separate.obstruction import Obstruction

LONG = 0.22  # of the shorter side of the panel: the arrow of w
MOST_FOR_PROOF = 2000  # points up to which the widest plane or the meeting hulls are computed


class BoundaryDisplay(PanelDisplay):
    """Points of two classes and the plane w·x + b = 0 between them.

    Two features: the line is computed from w, with w as an arrow orthogonal to it. If the points are separable, the
    widest plane is dashed, its margin shaded, and the points that touch it have rings; if not, the hulls of the points
    that prove it are drawn where they meet. One feature: the threshold. More features: each point at its signed
    distance from the plane, upwards along the points' first principal direction within the plane.

    Parameters
    ----------
    fitted : points and the plane, from `fitted_planes`
    proof : whether the widest plane, or the hulls that meet, are computed and drawn; "auto": for two features and up to
        2,000 points
    ball : whether the ball around the origin that contains all points is drawn (two features)

    Examples
    --------
    >>> import novikoff as nv
    >>> X, y = nv.example("cornwell")
    >>> display = nv.BoundaryDisplay.from_estimator(nv.Perceptron().fit(X, y), X, y)
    >>> len(display.panels)
    1
    """

    def __init__(
        self, fitted: FittedPlanes, proof: bool | Literal["auto"] = "auto", ball: bool = False
    ) -> None:  # fmt: skip
        argument_checks.truth("ball", ball)
        if proof not in (True, False, "auto"):
            raise InputError(f"found {proof!r}; True, False or 'auto' was expected", "proof")
        if not fitted.is_binary:
            raise InputError(f"found {len(fitted.points.classes)} classes; two were expected: RegionsDisplay draws "
                             "more", "estimator")  # fmt: skip
        self.fitted, self.ball = fitted, ball
        points, plane = fitted.points, fitted.planes[0]
        if not np.isfinite(plane).all() or (not plane[:-1].any() and points.d != 2):
            raise InputError("found weights that are all 0, or not finite; there is no plane to draw", "estimator")
        self.plane = np.ldexp(plane, -int(np.frexp(np.abs(plane).max())[1]))  # the same plane, with numbers up to 1
        self.line_name = "w·x + b = 0" if fitted.fit_intercept else "w·x = 0"
        signs = np.where(points.labels == points.classes[1], 1.0, -1.0)
        self.distances = signs * exact_scores(points, self.plane, fitted.fit_intercept)
        self.distances /= float(np.linalg.norm(self.plane[:-1])) or 1.0
        self.wrong = int((self.distances <= 0).sum())
        self.widest, self.obstruction = self._proved(proof)
        super().__init__([self._flat() if points.d == 2 else self._threshold() if points.d == 1 else self._side()])

    @classmethod
    def from_estimator(
        cls, estimator: Model, X: Points, y: Labels | None = None, proof: bool | Literal["auto"] = "auto",
        ball: bool = False, ax: Axes | None = None,
    ) -> Self:  # fmt: skip
        """Draw the boundary of a fitted estimator with two classes.

        Parameters
        ----------
        estimator : a fitted Perceptron or MaxMargin, another linear classifier, or a pipeline that ends with one
        X, y : points and labels
        proof : whether the widest plane, or the hulls that meet, are computed and drawn; "auto": for two features
            and up to 2,000 points
        ball : whether the ball of radius R around the origin is drawn
        ax : as in `plot`
        """
        return cls(fitted_planes(estimator, X, y), proof, ball).plot(ax)

    @classmethod
    def from_plane(
        cls, X: Points, y: Labels, w: ArrayLike, b: float | None = None, proof: bool | Literal["auto"] = "auto",
        ball: bool = False, ax: Axes | None = None,
    ) -> Self:  # fmt: skip
        """Draw a given plane.

        Parameters
        ----------
        X, y : points and labels of two classes; the one that sorts last is positive
        w, b : the plane w·x + b = 0; b = None: through the origin
        proof, ball, ax : as in `from_estimator`
        """
        points = drawable_points(X, y)
        plane = np.append(np.asarray(w, np.float64).ravel(), 0.0 if b is None else float(b))
        if len(plane) != points.d + 1:
            raise InputError(f"found {len(plane) - 1} numbers for points with {points.d} features", "w")
        return cls(FittedPlanes(points, plane[None, :], b is not None), proof, ball).plot(ax)

    # ---- what is drawn

    def _proved(self, proof: bool | Literal["auto"]) -> tuple[Margin | None, Obstruction | None]:
        """Return the margin of the points, or the proof that no plane separates them; neither if `proof` says so."""
        points = self.fitted.points
        is_wanted = points.d == 2 and points.n <= MOST_FOR_PROOF if proof == "auto" else proof
        if not is_wanted or len(np.unique(points.labels)) < 2:
            return None, None
        from novikoff.maxmargin.margin import margin

        bias = self.fitted.fit_intercept
        try:
            return margin(points.rows, points.labels, fit_intercept=bias, positive=points.classes[1]), None
        except NotSeparableError as error:
            return None, error.verdict.obstruction

    def _panel_of(self, items: list[Item], view: View, x_label: str, y_label: str, **look: Any) -> Panel:
        """Return a panel with a title on how many points are on their own side, and on margins."""
        points, n = self.fitted.points, self.fitted.points.n
        sides = (f"all {n:,} points are on their own side" if not self.wrong
                 else f"{self.wrong:,} of {n:,} points are not on their own side")  # fmt: skip
        own = f"smallest distance {float(self.distances.min()):.4g}" if not self.wrong else ""
        widest = "" if self.widest is None else f"widest margin {self.widest.geometric.gamma[0]:.4g}"
        margins = ", ".join(text for text in (own, widest) if text)
        scales = view.note if points.d == 2 else ""
        title = "\n".join(text.strip() for text in (sides, margins, points.thinned, scales) if text)
        return Panel(tuple(items), title, x_label, y_label, view.x, view.y, legend="outside", **look)

    def _flat(self) -> Panel:
        """Return the picture of two features."""
        points = self.fitted.points
        corners = points.X
        R = float(np.sqrt((corners**2).sum(axis=1).max()))
        if self.ball:
            corners = np.vstack([corners, [[-R, -R], [R, R]]])
        view = view_of(corners[:, 0], corners[:, 1])
        items: list[Item] = [] if self.widest is None else widest_items(self.widest, view)
        if self.ball:
            t = np.linspace(0, 2 * np.pi, 241)
            label = f"ball of radius {R:.4g} around 0"
            items += [Curve(R * np.cos(t), R * np.sin(t), label, PURPLE, "dotted", 1.4, name="ball"),
                      Marks(np.zeros(1), np.zeros(1), None, PURPLE, "x", 30.0, name="origin")]  # fmt: skip
        line = line_items(self.plane, view, self.line_name, name="boundary")
        if not line:
            why = "the line is outside this picture" if self.plane[:2].any() else "all weights are 0: there is no line"
            low = view.y[0] + 0.05 * (view.y[1] - view.y[0])
            items.append(Note(float(np.mean(view.x)), low, why, "center", name="outside"))
        items += [*line, *([] if self.obstruction is None else hull_items(self.obstruction, points.classes))]
        items += marks_of(points)
        if self.widest is not None and len(points.X) == points.n:
            items.append(rings(points.X[self.widest.geometric.indices], "touching points"))
        if view.equal and line:
            items.append(self._arrow(view))
        return self._panel_of(items, view, *points.axis_names, equal=view.equal)

    def _arrow(self, view: View) -> Item:
        """Return w from the middle of the visible part of the line, of a fixed length."""
        w = self.plane[:2]
        ends = line_across(w.tolist(), self.plane[2], view.x, view.y)
        assert ends is not None  # the line is drawn
        start = ends.mean(axis=0)
        end = start + LONG * min(view.x[1] - view.x[0], view.y[1] - view.y[0]) * w / np.linalg.norm(w)
        return Arrow((float(start[0]), float(start[1])), (float(end[0]), float(end[1])), "w", INK, name="w")

    def _threshold(self) -> Panel:
        """Return the picture of one feature: the threshold −b/w."""
        points, w = self.fitted.points, self.plane[0]
        at = float(-self.plane[1] / w) + 0.0  # not −0
        x, place = points.X[:, 0], points.codes.astype(float)
        view = view_of(np.append(x, at), np.append(place, 0.5), square=False)
        end = at + LONG * float(np.sign(w)) * (view.x[1] - view.x[0])
        line = Curve(np.array([at, at]), np.array(view.y), f"threshold {at:.4g}", INK, width=2.0, name="boundary")
        items: list[Item] = [line, *marks_of(points, x, place), Arrow((at, 0.5), (end, 0.5), "w", INK, name="w")]
        names = tuple(str(label) for label in points.classes)
        return self._panel_of(items, view, points.axis_names[0], "class", y_ticks=names)

    def _side(self) -> Panel:
        """Return the side view of more than two features."""
        points = self.fitted.points
        seen = side_view(points.X, self.plane[:-1], float(self.plane[-1]))
        view = view_of(np.append(seen.distance, 0.0), np.append(seen.along, seen.along[0]), square=False)
        items: list[Item] = []
        if not self.wrong:
            gamma = float(self.distances.min())
            corners = np.array([-gamma, gamma, gamma, -gamma]), np.repeat(np.array(view.y), 2)
            items.append(Region(*corners, "margin of this plane", GREEN, 0.16, name="band"))
        items.append(Curve(np.zeros(2), np.array(view.y), self.line_name, INK, width=2.0, name="boundary"))
        items += marks_of(points, seen.distance, seen.along)
        middle, length = float(np.mean(view.y)), LONG * (view.x[1] - view.x[0])
        items.append(Arrow((0.0, middle), (length, middle), "w", INK, name="w"))
        x_label = f"signed distance from the plane in {points.d:,} dimensions"
        return self._panel_of(items, view, x_label, "first principal direction in the plane")
