"""Errors against the number of training examples: on the training points and on held-out points."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.arguments import argument_checks
from novikoff.arguments.unknown_arguments import known_arguments
from novikoff.errors import InputError
from novikoff.plot.display import PanelDisplay
from novikoff.plot.displays.point_marks import drawable_points
from novikoff.plot.panel import BLUE, INK, RED, Curve, Item, Marks, Panel, Region

HELD_OUT = 0.2
SIZES = 8  # of the default sizes, from SMALLEST on
SMALLEST = 10
SEPARATED = "separated"


@dataclass(frozen=True)
class SampleSizeErrors:
    """The error fractions of refitted models; training and held_out: one row for each seed, one column for each size.

    n_held_out: the number of held-out points. stop_reasons: why each fit ended, in the same places; empty if the models
    do not say.
    """

    sizes: np.ndarray
    training: np.ndarray
    held_out: np.ndarray
    n_held_out: int
    stop_reasons: tuple[tuple[str, ...], ...] = ()


class SampleSizeDisplay(PanelDisplay):
    """The fraction of errors on training and held-out points against the number of training examples.

    Curves are means over the seeds; bands extend from the smallest to the largest error of a seed. Each seed draws
    which points of each class are held out, and the order of the others; a size takes the first ones of that order,
    so a larger training set contains the smaller ones, and each contains every class. Held-out points are never
    trained on. A ring marks the sizes at which a run was stopped before it separated its points; the legend names the
    rules that stopped it.

    Parameters
    ----------
    errors : from `sample_size_errors`
    """

    def __init__(self, errors: SampleSizeErrors) -> None:
        self.errors = errors
        x = errors.sizes.astype(np.float64)
        items: list[Item] = []
        for name, label, values, color, shape, style, hatch in (
            ("training", "training points", errors.training, BLUE, "square", "solid", ""),
            ("held out", "held-out points", errors.held_out, RED, "circle", "dashed", "///"),
        ):
            percent = 100 * values
            if len(values) > 1:
                edge = np.concatenate([percent.min(axis=0), percent.max(axis=0)[::-1]])
                items.append(Region(np.concatenate([x, x[::-1]]), edge, None, color, 0.18, hatch, f"{name} band"))
            mean = percent.mean(axis=0)
            items.append(Curve(x, mean, label, color, style, name=name))
            items.append(Marks(x, mean, None, color, shape, 28.0, name=f"{name} marks"))
        items += _stopped(errors, x)
        seeds = len(errors.training)
        drawn = f"mean of {seeds} seeds; bands: smallest to largest" if seeds > 1 else "one seed"
        title = f"{errors.n_held_out:,} points held out\n{drawn}"
        high = 100 * max(float(errors.training.max()), float(errors.held_out.max())) or 1.0
        super().__init__([Panel(tuple(items), title, "training examples", "errors, % of the points",
                                y_limits=(-0.03 * high, 1.08 * high), x_log=True,
                                x_places=tuple(x.tolist()))])  # fmt: skip

    @classmethod
    @known_arguments
    def from_estimator(cls, estimator: Any, X: Any, y: Any = None, sizes: Sequence[int] | None = None, seeds: int = 5,
                       held_out: float = HELD_OUT, ax: Any = None) -> Any:  # fmt: skip
        """Refit copies of an estimator on more and more of the points, and draw their errors.

        Parameters
        ----------
        estimator : a classifier; it is copied with its parameters and not changed
        X, y : points and labels
        sizes : numbers of training examples; None: up to eight from 10 to all that are not held out
        seeds : how many times points are drawn, with the seeds 0, 1, 2, …
        held_out : the part of each class that is held out, rounded down
        ax : as in `plot`
        """
        return cls(sample_size_errors(estimator, X, y, sizes, seeds, held_out)).plot(ax)


def _stopped(errors: SampleSizeErrors, x: np.ndarray) -> list[Item]:
    """Return rings around the training errors of the sizes at which not every run separated its points."""
    by_size = [sorted(set(reasons) - {SEPARATED}) for reasons in zip(*errors.stop_reasons, strict=True)]
    chosen = np.array([bool(reasons) for reasons in by_size], bool)
    if not chosen.any():
        return []
    label = f"ended by {', '.join(sorted({reason for reasons in by_size for reason in reasons}))}"
    mean = 100 * errors.training.mean(axis=0)
    return [Marks(x[chosen], mean[chosen], label, INK, "circle", 110.0, False, name="stopped")]


def sample_size_errors(
    estimator: Any, X: Any, y: Any = None, sizes: Sequence[int] | None = None, seeds: int = 5,
    held_out: float = HELD_OUT,
) -> SampleSizeErrors:  # fmt: skip
    """Return the errors of copies of the estimator that are fitted to more and more of the points."""
    from sklearn.base import clone

    argument_checks.whole("seeds", seeds, 1, optional=False)
    argument_checks.share("held_out", held_out)
    points = drawable_points(X, y)
    rows, labels = points.rows, points.labels
    orders = [_order(labels, held_out, seed) for seed in range(seeds)]
    chosen = _sizes(sizes, len(np.unique(labels)), len(orders[0][0]))
    found, reasons = np.zeros((2, seeds, len(chosen))), list[list[str]]()
    for seed, (train, test) in enumerate(orders):
        reasons.append([])
        for k, size in enumerate(chosen):
            model, part = clone(estimator), train[:size]
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # that a run did not separate the points is in its errors
                model.fit(rows[part], labels[part])
            reasons[-1] += [str(model.stop_reason_)] if hasattr(model, "stop_reason_") else []
            for which, at in enumerate((part, test)):
                found[which, seed, k] = np.mean(np.asarray(model.predict(rows[at])) != labels[at])
    ended = tuple(map(tuple, reasons)) if all(reasons) else ()
    return SampleSizeErrors(np.array(chosen), found[0], found[1], len(orders[0][1]), ended)


def _order(labels: np.ndarray, held_out: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the training points in random order, one of each class first, and the held-out points."""
    order = np.random.default_rng(seed).permutation(len(labels))
    train, test, first = list[int](), list[int](), list[int]()
    for label in np.unique(labels):
        own = order[labels[order] == label].tolist()
        count = min(math.floor(held_out * len(own)), len(own) - 1)
        test += own[:count]
        first.append(own[count])
        train += own[count + 1 :]
    if len(first) < 2 or not test:
        raise InputError(f"found {len(first):,} class{'es' * (len(first) != 1)} and {len(test):,} of {len(labels):,} "
                         "points to hold out; two classes and at least one held-out point were expected: "
                         "add points, or raise held_out", "y")  # fmt: skip
    place = np.empty(len(labels), np.int64)
    place[order] = np.arange(len(labels))
    return np.array(first + sorted(train, key=place.__getitem__)), np.array(test)


def _sizes(sizes: Sequence[int] | None, classes: int, most: int) -> list[int]:
    """Return the sizes in increasing order, each once."""
    if sizes is None:
        low = min(max(SMALLEST, classes), most)
        return sorted({round(float(v)) for v in np.geomspace(low, most, SIZES)})
    found = sorted(set(sizes))
    for size in found:
        argument_checks.whole("sizes", size, 1, optional=False)
    if not found or found[0] < classes or found[-1] > most:
        raise InputError(f"found {list(sizes)}; numbers from {classes:,} (one of each class) to {most:,} (all that are "
                         "not held out) were expected", "sizes")  # fmt: skip
    return [int(size) for size in found]
