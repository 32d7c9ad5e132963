"""The confusion matrix: how many points of each class get each class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from novikoff.arguments.unknown_arguments import known_arguments
from novikoff.data_report.compared_learners import confusion_of
from novikoff.errors import InputError
from novikoff.plot.display import PanelDisplay
from novikoff.plot.displays.point_marks import drawable_points
from novikoff.plot.panel import AMBER, INK, Cells, Curve, Item, Note, Panel, shown_text

MOST_CLASSES = 30
FEW_CLASSES, SOME_CLASSES = 4, 10  # up to which texts are large, and have the share of the row
DARK = 0.6  # share of a row from which the text of its cell is white
LONG_NAME = 12  # characters of a class name on an axis


class ConfusionDisplay(PanelDisplay):
    """Counts of the true class (rows) and the predicted class (columns), with the share of each row.

    The darker a cell, the larger its share of the row; a cell without text counts 0. The cell with the most errors has
    an outline; of equal cells, the one whose share of its row is largest.

    Parameters
    ----------
    counts : whole numbers (classes, classes); row: true class, column: predicted class
    classes : the names of the classes, in the order of the rows
    """

    def __init__(self, counts: Any, classes: Sequence[Any]) -> None:
        self.counts = np.asarray(counts)
        many = len(classes)
        if self.counts.shape != (many, many) or self.counts.dtype.kind not in "iu" or (self.counts < 0).any():
            raise InputError(f"found {self.counts.dtype} of shape {self.counts.shape} for {many:,} classes; a square "
                             "of counts, one row and one column for each class, was expected", "counts")  # fmt: skip
        if not 1 <= many <= MOST_CLASSES:
            raise InputError(f"found {many:,}; 1 to {MOST_CLASSES} were expected", "classes")
        self.classes = list(classes)
        totals = self.counts.sum(axis=1, keepdims=True)
        self.shares = self.counts / np.maximum(totals, 1)
        self.most_confused = _most_confused(self.counts, self.shares)
        super().__init__([self._panel()])

    @classmethod
    @known_arguments
    def from_estimator(cls, estimator: Any, X: Any, y: Any = None, ax: Any = None) -> Any:
        """Draw the confusion matrix of a fitted classifier on labelled points.

        Parameters
        ----------
        estimator : a fitted classifier
        X, y : points and labels
        ax : as in `plot`
        """
        if not hasattr(estimator, "classes_"):
            raise InputError(f"found {type(estimator).__name__} without classes_; call fit first", "estimator")
        classes = np.asarray(estimator.classes_)
        points = drawable_points(X, y, classes)
        return cls(confusion_of(estimator, points.rows, points.labels), classes.tolist()).plot(ax)

    @classmethod
    @known_arguments
    def from_predictions(cls, y_true: Any, y_pred: Any, ax: Any = None) -> Any:
        """Draw the confusion matrix of given predictions.

        Parameters
        ----------
        y_true, y_pred : the label and the predicted label of each point
        ax : as in `plot`
        """
        from sklearn.metrics import confusion_matrix

        truth, predicted = np.asarray(y_true), np.asarray(y_pred)
        if truth.ndim != 1 or truth.shape != predicted.shape or not truth.size:
            raise InputError(f"found shape {predicted.shape} for {truth.shape} labels; one for each was expected",
                             "y_pred")  # fmt: skip
        classes = np.unique(np.concatenate([truth, predicted]))
        return cls(confusion_matrix(truth, predicted, labels=classes), classes.tolist()).plot(ax)

    def to_text(self, width: int = 80, height: int = 24) -> str:
        """Return the counts as a table; * marks the cell with the most errors."""
        names = [shown_text(str(label)).replace("\n", " ")[:LONG_NAME] for label in self.classes]
        rows = [["true \\ predicted", *names]]
        for i, name in enumerate(names):
            rows.append(
                [name, *(f"{n:,}" + "*" * ((i, j) == self.most_confused) for j, n in enumerate(self.counts[i]))]
            )
        wide = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
        lines = ["  ".join(cell.rjust(w) for cell, w in zip(row, wide, strict=True)) for row in rows]
        return "\n".join([*self.panels[0].title.split("\n"), *lines])

    def _panel(self) -> Panel:
        many = len(self.classes)
        items: list[Item] = [Cells(self.shares, 1.0, name="shares")]
        size = 9.0 if many <= FEW_CLASSES else 6.0 if many <= SOME_CLASSES else 4.0
        for i, j in zip(*np.nonzero(self.counts), strict=True):
            text, share = f"{int(self.counts[i, j]):,}", float(self.shares[i, j])
            if many <= SOME_CLASSES:
                text += f"\n{100 * share:.{int(many <= FEW_CLASSES)}f} %"
            color = "white" if share > DARK else INK
            items.append(Note(float(j), float(i), text, "center", color, size, name="count"))
        if self.most_confused is not None:
            i, j = self.most_confused
            x, y = j + 0.46 * np.array([-1, 1, 1, -1, -1]), i + 0.46 * np.array([-1, -1, 1, 1, -1])
            items.append(Curve(x, y, None, AMBER, "solid", 2.4, name="most confused"))
        names = tuple(str(label)[:LONG_NAME] for label in self.classes)
        return Panel(tuple(items), self._title(), "predicted class", "true class", (-0.5, many - 0.5),
                     (many - 0.5, -0.5), legend="", x_ticks=names, y_ticks=names)  # fmt: skip

    def _title(self) -> str:
        total = int(self.counts.sum())
        wrong = total - int(np.trace(self.counts))
        first = f"{wrong:,} of {total:,} points get another class"
        if self.most_confused is None:
            return first
        i, j = self.most_confused
        return f"{first}\nmost often {self.classes[i]} gets {self.classes[j]}: {int(self.counts[i, j]):,}"


def _most_confused(counts: np.ndarray, shares: np.ndarray) -> tuple[int, int] | None:
    """Return the true and the predicted class of the cell with the most errors; None without errors."""
    wrong = np.where(np.eye(len(counts), dtype=bool), 0, counts)
    if not wrong.any():
        return None
    best = np.where(wrong == wrong.max(), shares, -1.0)
    i, j = np.unravel_index(int(best.argmax()), best.shape)
    return int(i), int(j)
