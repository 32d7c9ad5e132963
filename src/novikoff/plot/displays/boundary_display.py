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
from novikoff.pages.panel import GREEN, INK, PURPLE, Arrow, Contour, Curve, Item, Marks, Note, Panel, Region
from novikoff.pages.plane_pictures import hull_items, rings, widest_items
from novikoff.pages.straight_lines import limits_around, line_across
from novikoff.pages.window import Limits
from novikoff.plot.display import PanelDisplay
from novikoff.plot.displays.fitted_planes import FittedPlanes, exact_scores, fitted_planes
from novikoff.plot.displays.point_marks import drawable_points, marks_of
from novikoff.scoring.side_view import side_view

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from novikoff.certify.decide.obstruction import Obstruction
    from novikoff.maxmargin.margin import Margin

SPACE = 0.14  # around the points
LONG = 0.22  # of the shorter side of the panel: the arrow of w
MOST_FOR_PROOF = 2000  # points up to which the widest plane or the meeting hulls are computed
GRID = 400  # places of each axis at which a score of products is computed: finer than a picture shows
DISTORTED = 6.0  # ratio of the extents from which one unit is not drawn equally long on both axes


class BoundaryDisplay(PanelDisplay):
    """Points of two classes and the plane w·x + b = 0 between them.

    Two features: the line is computed from w, with w as an arrow orthogonal to it; with products of two features
    (poly2) the boundary is the conic where the score is 0, from its values on a fine grid. If the points are separable,
    the widest plane is dashed, its margin shaded, and the points that touch it have rings; if not, the hulls of the
    points that prove it are drawn where they meet. One feature: the threshold. More features: each point at its signed
    distance from the plane, upwards along the points' first principal direction within the plane.

    Parameters
    ----------
    fitted : points and the plane, from `fitted_planes`
    widest : the margin of the points, or None
    obstruction : of a verdict that no plane separates the points, or None
    ball : whether the ball around the origin that contains all points is drawn (two features)
    """

    def __init__(
        self,
        fitted: FittedPlanes,
        widest: Margin | None = None,
        obstruction: Obstruction | None = None,
        ball: bool = False,
    ) -> None:
        if not fitted.is_binary:
            raise InputError(f"found {len(fitted.points.classes)} classes; two were expected: RegionsDisplay draws "
                             "more", "estimator")  # fmt: skip
        self.fitted, self.widest, self.obstruction, self.ball = fitted, widest, obstruction, ball
        self.plane = fitted.planes[0]
        w = self.plane[:-1]
        if not np.isfinite(self.plane).all() or (not w.any() and fitted.shown.d != 2):
            raise InputError("found weights that are all 0, or not finite; there is no plane to draw", "estimator")
        signs = np.where(fitted.points.labels == fitted.points.classes[1], 1.0, -1.0)
        self.distances = signs * exact_scores(fitted.points, self.plane, fitted.fit_intercept)
        self.distances /= float(np.linalg.norm(w)) or 1.0
        self.wrong = int((self.distances <= 0).sum())
        super().__init__([self._panel()])

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
        shown: Self = boundary_of(fitted_planes(estimator, X, y), proof, ball, cls)
        return shown.plot(ax)

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
        shown: Self = boundary_of(FittedPlanes(points, plane[None, :], b is not None), proof, ball, cls)
        return shown.plot(ax)

    # ---- what is drawn

    def _panel(self) -> Panel:
        shown = self.fitted.shown
        if shown.d == 2:
            return self._flat()
        return self._threshold() if shown.d == 1 else self._side()

    def _title(self, second: str = "") -> str:
        n, points = self.fitted.points.n, self.fitted.shown
        first = (f"all {n:,} points are on their own side" if not self.wrong
                 else f"{self.wrong:,} of {n:,} points are not on their own side")  # fmt: skip
        return "\n".join(text for text in (first, second, points.thinned) if text)

    def _flat(self) -> Panel:
        """Return the picture of two features."""
        points = self.fitted.shown
        corners = [points.X[:, 0], points.X[:, 1]]
        R = float(np.sqrt((points.X**2).sum(axis=1).max()))
        if self.ball:
            corners = [np.append(values, [-R, R]) for values in corners]
        x_limits, y_limits = (limits_around(values, SPACE) for values in corners)
        equal = _ratio(x_limits, y_limits) <= DISTORTED
        items: list[Item] = [*self._ball_items(R)]
        if self.widest is not None and self.fitted.base is None:
            items = [*widest_items(self.widest, x_limits, y_limits), *items]
        items += self._line_items(x_limits, y_limits)
        if self.obstruction is not None and self.fitted.base is None:
            items += hull_items(self.obstruction, self.fitted.points.classes)
        items += marks_of(points)
        items += self._rings(points.X)
        if equal and self.fitted.base is None:
            items += self._arrow(x_limits, y_limits)
        x_label, y_label = points.axis_names
        return Panel(tuple(items), self._title(self._margins()), x_label, y_label, x_limits, y_limits, equal=equal,
                     legend="outside")  # fmt: skip

    def _margins(self) -> str:
        own = f"smallest distance {float(self.distances.min()):.4g}" if not self.wrong else ""
        if self.fitted.base is not None:
            return ""
        return ", ".join(
            t for t in (own, "" if self.widest is None else f"widest margin {self.widest.geometric.gamma[0]:.4g}") if t
        )

    def _line_items(self, x_limits: Limits, y_limits: Limits) -> list[Item]:
        name = "w·x + b = 0" if self.fitted.fit_intercept else "w·x = 0"
        if self.fitted.base is not None:
            x, y = np.linspace(*x_limits, GRID), np.linspace(*y_limits, GRID)
            columns = np.stack(np.broadcast_arrays(x, y[:, None], x**2, x * y[:, None], y[:, None] ** 2), axis=-1)
            values = columns @ self.plane[:5] + self.plane[5]
            seen = values.min() < 0 < values.max()
            return [Contour(x, y, values, "score = 0", width=2.0, name="boundary")] if seen else []
        ends = line_across(self.plane[:2].tolist(), self.plane[2], x_limits, y_limits)
        if ends is None:
            why = "the line is outside this picture" if self.plane[:2].any() else "all weights are 0: there is no line"
            low = y_limits[0] + 0.05 * (y_limits[1] - y_limits[0])
            return [Note(float(np.mean(x_limits)), low, why, "center", name="outside")]
        return [Curve(ends[:, 0], ends[:, 1], name, INK, width=2.0, name="boundary")]

    def _ball_items(self, R: float) -> list[Item]:
        if not self.ball:
            return []
        t = np.linspace(0, 2 * np.pi, 241)
        label = f"ball of radius {R:.4g} around 0"
        return [Curve(R * np.cos(t), R * np.sin(t), label, PURPLE, "dotted", 1.4, name="ball"),
                Marks(np.zeros(1), np.zeros(1), None, PURPLE, "x", 30.0, name="origin")]  # fmt: skip

    def _rings(self, at: np.ndarray) -> list[Item]:
        if self.widest is None or self.fitted.base is not None or len(at) != self.fitted.points.n:
            return []
        return [rings(at[self.widest.geometric.indices], "touching points")]

    def _arrow(self, x_limits: Limits, y_limits: Limits) -> list[Item]:
        """Return w from the middle of the visible part of the line, of a fixed length."""
        w = self.plane[:2]
        ends = line_across(w.tolist(), self.plane[2], x_limits, y_limits)
        if ends is None:
            return []
        length = LONG * min(x_limits[1] - x_limits[0], y_limits[1] - y_limits[0])
        start = ends.mean(axis=0)
        end = start + length * w / np.linalg.norm(w)
        return [Arrow((float(start[0]), float(start[1])), (float(end[0]), float(end[1])), "w", INK, name="w")]

    def _threshold(self) -> Panel:
        """Return the picture of one feature: the threshold −b/w."""
        points = self.fitted.points
        place = np.array([points.classes.index(label) for label in points.y], np.float64)
        at = -self.plane[1] / self.plane[0] + 0.0  # not −0
        x_limits = limits_around(np.append(points.X[:, 0], at), SPACE)
        end = at + LONG * np.sign(self.plane[0]) * (x_limits[1] - x_limits[0])
        items: tuple[Item, ...] = (
            Curve(np.array([at, at]), np.array([-0.6, 1.6]), f"threshold {at:.4g}", INK, width=2.0, name="boundary"),
            *marks_of(points, points.X[:, 0], place),
            Arrow((float(at), 0.5), (float(end), 0.5), "w", INK, name="w"),
        )
        names = tuple(str(label) for label in points.classes)
        return Panel(items, self._title(self._margins()), points.axis_names[0], "class", x_limits, (-0.6, 1.6),
                     legend="outside", y_ticks=names)  # fmt: skip

    def _side(self) -> Panel:
        """Return the side view of more than two features."""
        points = self.fitted.points
        view = side_view(points.X, self.plane[:-1], float(self.plane[-1]))
        y_limits, x_limits = limits_around(view.along, SPACE), limits_around(np.append(view.distance, 0.0), SPACE)
        items: list[Item] = []
        if not self.wrong:
            gamma = float(self.distances.min())
            corners = np.array([-gamma, gamma, gamma, -gamma]), np.repeat(np.array(y_limits), 2)
            items.append(Region(*corners, "margin of this plane", GREEN, 0.16, name="band"))
        items.append(Curve(np.zeros(2), np.array(y_limits), "w·x + b = 0" if self.fitted.fit_intercept else "w·x = 0",
                           INK, width=2.0, name="boundary"))  # fmt: skip
        items += marks_of(points, view.distance, view.along)
        middle, length = float(np.mean(y_limits)), LONG * (x_limits[1] - x_limits[0])
        items.append(Arrow((0.0, middle), (length, middle), "w", INK, name="w"))
        x_label = f"signed distance from the plane in {points.d:,} dimensions"
        return Panel(tuple(items), self._title(self._margins()), x_label, "first principal direction in the plane",
                     x_limits, y_limits, legend="outside")  # fmt: skip


def _ratio(x_limits: Limits, y_limits: Limits) -> float:
    width, height = x_limits[1] - x_limits[0], y_limits[1] - y_limits[0]
    return max(width / height, height / width)


def boundary_of(fitted: FittedPlanes, proof: Any = "auto", ball: bool = False, cls: Any = BoundaryDisplay) -> Any:
    """Return the display of a plane, with the widest plane or the hulls that meet if `proof` asks for them."""
    argument_checks.truth("ball", ball)
    if proof not in (True, False, "auto"):
        raise InputError(f"found {proof!r}; True, False or 'auto' was expected", "proof")
    points = fitted.points
    few = points.d == 2 and points.n <= MOST_FOR_PROOF
    present = len(np.unique(points.labels)) == 2
    if not fitted.is_binary or not present or not (few if proof == "auto" else proof) or fitted.base is not None:
        return cls(fitted, ball=ball)
    from novikoff.maxmargin.margin import margin

    try:
        m = margin(points.rows, points.labels, fit_intercept=fitted.fit_intercept, positive=points.classes[1])
    except NotSeparableError as error:
        return cls(fitted, None, error.verdict.obstruction, ball)
    return cls(fitted, m, None, ball)
