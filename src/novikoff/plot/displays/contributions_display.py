"""What each column adds to the score of one row, from the bias to the score."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from novikoff.arguments import argument_checks
from novikoff.arguments.signature_types import Label, Model, Points
from novikoff.data.problem import unlabelled
from novikoff.errors import InputError
from novikoff.estimators.new_rows import preparation_of, prepared_rows
from novikoff.plot.display import PanelDisplay
from novikoff.plot.panel import BLUE, GREY, INK, RED, Curve, Item, Note, Panel, Region

if TYPE_CHECKING:
    from matplotlib.axes import Axes

THICK = 0.36  # half the height of a bar
SPACE = 0.45  # of the width, on both sides, for the numbers
LONGEST = 24  # characters of a name


class ContributionsDisplay(PanelDisplay):
    """A waterfall of one score: each bar begins where the one above ends, and the last one is the score.

    score = b + Σ_j w_j·x_j

    Columns are in decreasing order of |w_j·x_j|; those that are not shown are one bar together. Bars to the left are
    hatched.

    From the notes: Z3 (Zhang, words of mails and their weights).

    Parameters
    ----------
    products : w_j·x_j of each column
    names : of the columns; None: x1, x2, …
    bias : b; None: the plane has none
    count : columns to show
    title : what the score means

    Examples
    --------
    >>> import novikoff as nv
    >>> display = nv.ContributionsDisplay([2.0, 0.0, -0.5], ["viagra", "the", "and"], bias=0.0)
    >>> display.score, display.names
    (1.5, ['bias', 'viagra', 'and', 'score'])
    """

    def __init__(
        self, products: ArrayLike, names: Sequence[str] | None = None, bias: float | None = None, count: int = 12,
        title: str = "",
    ) -> None:  # fmt: skip
        argument_checks.whole("count", count, 1, optional=False)
        parts = np.asarray(products, np.float64).ravel()
        if not np.isfinite(parts).all() or not math.isfinite(bias or 0.0):
            raise InputError("found numbers that are not finite; finite ones were expected", "products")
        if names is not None and len(names) != parts.size:
            raise InputError(f"found {len(names):,} for {parts.size:,} products; one for each was expected", "names")
        order = [int(j) for j in np.argsort(-np.abs(parts), kind="stable") if parts[j]]
        shown, others = order[:count], order[count:]
        rows = [] if bias is None else [("bias", float(bias))]
        rows += [(f"x{j + 1}" if names is None else str(names[j]), float(parts[j])) for j in shown]
        if others:
            rows.append((f"{len(others):,} more", math.fsum(parts[others])))
        self.score = math.fsum([*parts.tolist(), bias or 0.0])
        self.names, self.values = [*(name for name, _ in rows), "score"], [*(value for _, value in rows), self.score]
        self.ends = np.array([math.fsum(value for _, value in rows[: k + 1]) for k in range(len(rows))] + [self.score])
        self.starts = np.array([0.0, *self.ends[:-2].tolist(), 0.0][-len(self.ends) :])
        super().__init__([self._panel(title)])

    @classmethod
    def from_estimator(
        cls, estimator: Model, X: Points, count: int = 12, label: Label | None = None, ax: Axes | None = None
    ) -> Self:
        """Draw the score of one row.

        Parameters
        ----------
        estimator : a fitted linear classifier; one that was loaded with its preparation takes raw rows, too
        X : one row
        count : columns to show
        label : with more than two classes, whose score; None: that of the predicted class
        ax : as in `plot`
        """
        shown: Self = contributions_of(estimator, X, count, label, cls)
        return shown.plot(ax)

    def _panel(self, title: str) -> Panel:
        low, high = min(0.0, float(self.ends.min())), max(0.0, float(self.ends.max()))
        width, rows = (high - low) or 1.0, len(self.ends)
        at = np.arange(rows, dtype=np.float64)[::-1]
        items: list[Item] = [Curve(np.zeros(2), np.array([-0.6, rows - 0.4]), None, GREY, width=0.8, name="zero")]
        for k, (start, end, y) in enumerate(zip(self.starts, self.ends, at, strict=True)):
            color = INK if k == rows - 1 else RED if end > start else BLUE
            x, below = np.array([start, end, end, start]), np.array([y - THICK, y - THICK, y + THICK, y + THICK])
            items.append(Region(x, below, None, color, 0.75, "///" if end < start else "", name="bar"))
            value = f"{self.values[k]:+.4g}".replace("-", "−")
            side = 0.015 * width * (1.0 if end >= start else -1.0)
            items.append(Note(end + side, y, value, "left" if end >= start else "right", name="value"))
            if k < rows - 1:
                down = np.array([y - THICK, y - 1 + THICK])
                items.append(Curve(np.array([end, end]), down, None, GREY, "dotted", 1.0, name="step"))
        limits = low - SPACE * width, high + SPACE * width
        texts = tuple(name if len(name) <= LONGEST else name[: LONGEST - 1] + "…" for name in self.names[::-1])
        said = f"score {self.score:+.6g}".replace("-", "−") + (f"\n{title}" if title else "")
        return Panel(tuple(items), said, "score", "", limits, (-0.6, rows - 0.4), legend="", y_ticks=texts)


def contributions_of(
    estimator: Any, X: Any, count: int = 12, label: Any = None, cls: Any = ContributionsDisplay
) -> Any:
    """Return the waterfall of one row of a fitted estimator."""
    if not hasattr(estimator, "coef_"):
        raise InputError(f"found {type(estimator).__name__} without coef_; call fit first", "estimator")
    if getattr(estimator, "_voters", None) is not None:
        raise InputError('found keep="vote": many planes vote, and there is no single score; use keep="average"',
                         "estimator")  # fmt: skip
    ready, steps = prepared_rows(estimator, X), preparation_of(estimator)
    rows: Any = unlabelled(X if ready is None else ready).matrix()
    planes = np.column_stack([np.atleast_2d(estimator.coef_), np.ravel(estimator.intercept_)])
    if rows.shape[0] != 1 or rows.shape[1] != planes.shape[1] - 1:
        raise InputError(f"found shape {rows.shape}; one row of {planes.shape[1] - 1:,} numbers was expected", "X")
    x = np.asarray(rows.toarray() if hasattr(rows, "toarray") else rows, np.float64)[0]
    classes, k = estimator.classes_.tolist(), 0
    predicted = np.asarray(estimator.predict(X))[0]
    title = f"above 0: {classes[1]}, below 0: {classes[0]}"
    if len(classes) > 2:
        if hasattr(estimator, "scheme_of_many"):
            planes = estimator.scheme_of_many().class_planes(planes)
        wanted = predicted if label is None else label
        if wanted not in classes:
            raise InputError(f"found {wanted!r}; one of {', '.join(map(str, classes))} was expected", "label")
        k = classes.index(wanted)
        title = f"the score of {wanted}; predicted: {predicted}"
    elif label is not None:
        raise InputError("found a class, but two classes have one score; leave it out", "label")
    names: Any = getattr(estimator, "feature_names_in_", None) if steps is None else steps.names
    bias = float(planes[k, -1]) if getattr(estimator, "fit_intercept", True) else None
    return cls(planes[k, :-1] * x, None if names is None else [str(n) for n in names], bias, count, title)
