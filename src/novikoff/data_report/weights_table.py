"""List the largest weights of a linear model, by name of their column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from novikoff.data.positive_class import positive_place

SHOWN, SHOWN_OF_MANY = 20, 5  # weights of one plane, and of each of several
MOST_PLANES = 12


class WeightGroup(NamedTuple):
    """The largest weights of one plane, largest first; bias: None if the plane has none."""

    title: str
    rows: list[tuple[str, float]]
    bias: float | None


def largest_weights(model: Any, names: Sequence[str] | None, positive: Any = None) -> list[WeightGroup]:
    """Return the largest weights of each plane; of two classes, above 0 on the positive one."""
    d = int(model.n_features_in_)
    called = list(names) if names is not None and len(names) == d else [f"x{j}" for j in range(1, d + 1)]
    classes = model.classes_.tolist()
    if len(classes) == 2:
        place = positive_place(classes, positive)
        side = 1.0 if place == 1 else -1.0
        title = f"weights above 0 add to the score of {classes[place]}, below 0 to that of {classes[1 - place]}"
        return [_group(title, side * model.coef_[0], side * float(model.intercept_[0]), called, SHOWN, model)]
    planes = [f"{label} against the others" for label in classes]
    if len(model.coef_) != len(classes):
        planes = [f"plane {k + 1}" for k in range(len(model.coef_))]
    rows = zip(planes, model.coef_, model.intercept_.tolist(), strict=True)
    return [_group(title, w, b, called, SHOWN_OF_MANY, model) for title, w, b in list(rows)[:MOST_PLANES]]


def _group(title: str, w: np.ndarray, b: float, names: list[str], most: int, model: Any) -> WeightGroup:
    order = np.argsort(-np.abs(w), kind="stable")[:most].tolist()
    rows = [(names[j], float(w[j]) + 0.0) for j in order if w[j]]
    more = int(np.count_nonzero(w)) - len(rows)
    title = f"{title[0].upper()}{title[1:]}" + (f"; {more:,} smaller ones are not listed" if more > 0 else "")
    return WeightGroup(title, rows, b + 0.0 if model.fit_intercept else None)
