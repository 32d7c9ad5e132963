"""The regions of more than two classes as polygons, and how balanced the problems of the planes are.

From the notes: Z15 Z15a (Zhang, one-vs-all and one-vs-one; unbalanced problems).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

import numpy as np

from novikoff.arguments.signature_types import Labels, Model, Points
from novikoff.errors import InputError
from novikoff.pages.panel import BLUE, GREY, INK, RED, Curve, Item, Marks, Panel, Region, class_look
from novikoff.pages.plane_pictures import line_items
from novikoff.pages.polygons import highest_regions, rectangle, vote_regions
from novikoff.plot.display import PanelDisplay
from novikoff.plot.fitted_planes import FittedPlanes, fitted_planes
from novikoff.plot.point_marks import marks_of, view_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAMES = {"ova": "one-vs-all", "ovo": "one-vs-one", "joint": "joint planes"}
APART = 0.09  # of the two marks of a problem, which may be equal
HATCHES = ("", "///", "...", "\\\\\\", "xx", "++", "--", "||", "oo", "**")  # so that regions differ without colour
MOST_PLANES = 24  # whose problems are named


class RegionsDisplay(PanelDisplay):
    """The region of each class in two dimensions, for one or several models side by side.

    Each region is a polygon whose edges are computed from the weights: where two scores are equal (one-vs-all, joint,
    summed pairs), or where a pair's plane changes a vote. The planes of the pairs, or of each class against the others,
    are thin lines. The last panel shows how many points of each side the problem of each plane has.

    Parameters
    ----------
    fitted : points and planes of each model, from `fitted_planes`
    balance : whether the last panel is drawn

    Examples
    --------
    >>> import novikoff as nv
    >>> X, y = nv.example("iris")
    >>> clf = nv.SoftMargin(loss="hinge").fit(X[:, 2:], y)
    >>> display = nv.RegionsDisplay.from_estimator(clf, X[:, 2:], y)
    >>> [len(polygons) for polygons in display.polygons]
    [8]
    """

    def __init__(self, fitted: Sequence[FittedPlanes], balance: bool = True) -> None:
        for one in fitted:
            if one.points.d != 2:
                raise InputError(f"found {one.points.d:,} features; regions are drawn for two: choose two columns", "X")
            if len(one.points.classes) < 3:
                raise InputError(f"found {len(one.points.classes)} classes; more than two were expected: "
                                 "BoundaryDisplay draws two", "estimator")  # fmt: skip
        self.fitted = list(fitted)
        self.polygons = [polygons_of(one) for one in fitted]
        panels = [_regions(one, found) for one, found in zip(self.fitted, self.polygons, strict=True)]
        if balance:
            panels += [balance_panel(one) for one in self.fitted]
        self.columns = len(self.fitted)
        super().__init__(panels)

    @classmethod
    def from_estimator(
        cls, estimator: Model, X: Points, y: Labels | None = None, balance: bool = False, ax: Axes | None = None
    ) -> Self:
        """Draw the regions of one fitted estimator, or of several: give a list of them.

        Parameters
        ----------
        estimator : a fitted Perceptron with more than two classes, or a list of them
        X, y : points with two features, and labels
        balance : whether further panels show the sizes of the planes' problems
        ax : one Axes for each panel, or None
        """
        several = list(estimator) if isinstance(estimator, list | tuple) else [estimator]
        return cls([fitted_planes(one, X, y) for one in several], balance).plot(ax)


def polygons_of(fitted: FittedPlanes) -> list[tuple[int, np.ndarray]]:
    """Return (class, polygon) of all regions in the picture."""
    view, scheme = view_of(*fitted.points.X.T), fitted.scheme
    box = rectangle(view.x, view.y)
    if scheme is None:
        return list(highest_regions(fitted.planes, box).items())
    each = scheme.class_planes(fitted.planes)
    if scheme.votes:
        return vote_regions(scheme.pairs, fitted.planes, each, box)
    return list(highest_regions(each, box).items())


def scheme_name(fitted: FittedPlanes) -> str:
    """Return the scheme in words."""
    if fitted.scheme is None:
        return NAMES["ova"]
    how = "" if fitted.scheme.name != "ovo" else ", votes" if fitted.scheme.votes else ", summed scores"
    return f"{NAMES[fitted.scheme.name]}{how}"


def _regions(fitted: FittedPlanes, polygons: list[tuple[int, np.ndarray]]) -> Panel:
    points, view = fitted.points, view_of(*fitted.points.X.T)
    items: list[Item] = []
    for k, polygon in polygons:
        color, _ = class_look(k)
        hatch = HATCHES[k % len(HATCHES)]
        name = f"region {points.classes[k]}"
        label = None if any(item.name == name for item in items) else f"predicted {points.classes[k]}"
        items.append(Region(polygon[:, 0], polygon[:, 1], label, color, 0.25, hatch, name=name))
    for k, plane in enumerate(fitted.planes):
        label = None if any(isinstance(item, Curve) for item in items) else "planes"
        items += line_items(plane, view, label, INK, "dotted", 1.0, f"plane {k}")
    x_label, y_label = points.axis_names
    title = f"{scheme_name(fitted)}, {len(fitted.planes)} planes"
    return Panel((*items, *marks_of(points)), title + (f"\n{points.thinned}" if points.thinned else ""), x_label,
                 y_label, view.x, view.y, legend="outside")  # fmt: skip


def balance_panel(fitted: FittedPlanes) -> Panel:
    """Return how many points are on the positive and on the negative side of the problem of each plane."""
    points, scheme = fitted.points, fitted.scheme
    counts = [int((points.labels == label).sum()) for label in points.classes]
    pairs = [(k, -1) for k in range(len(counts))] if scheme is None else scheme.pairs
    positive = np.array([counts[a] for a, _ in pairs], np.float64)
    negative = np.array([counts[b] if b >= 0 else sum(counts) - counts[a] for a, b in pairs], np.float64)
    x = np.arange(len(pairs), dtype=np.float64)
    names = tuple(f"{points.classes[a]}\n{points.classes[b] if b >= 0 else 'others'}" for a, b in pairs)
    items: tuple[Item, ...] = (
        *(Curve(np.array([k - APART, k + APART]), np.array([p, q]), None, GREY, "solid", 1.0, name=f"problem {k}")
          for k, (p, q) in enumerate(zip(positive, negative, strict=True))),
        Marks(x - APART, positive, "points of its class (above)", RED, "circle", 44.0, name="positive"),
        Marks(x + APART, negative, "points against it (below)", BLUE, "square", 44.0, name="negative"),
    )  # fmt: skip
    return Panel(items, f"Balance of the {len(pairs)} problems, {scheme_name(fitted)}", "", "points",
                 (-0.5, len(pairs) - 0.5), (0.0, 1.1 * float(max(positive.max(), negative.max()))),
                 legend="outside", x_ticks=names if len(pairs) <= MOST_PLANES else None)  # fmt: skip
