"""A run in exact fractions as an animation: one frame for each update, and the result."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.arguments.unknown_arguments import known_arguments
from novikoff.data.exact_points import Vector
from novikoff.data.text.format_numbers import count, exact, short, vector
from novikoff.data.text.plain_files import plane_of
from novikoff.errors import InputError
from novikoff.perceptron.trace_tables import Trace
from novikoff.plot.display import PanelDisplay
from novikoff.plot.displays.boundary_display import DISTORTED, SPACE, boundary_of
from novikoff.plot.displays.fitted_planes import FittedPlanes
from novikoff.plot.displays.point_marks import class_marks, drawable_points
from novikoff.plot.geometry.straight_lines import Limits, limits_around, line_across
from novikoff.plot.panel import AMBER, GREY, INK, Arrow, Curve, Item, Marks, Panel
from novikoff.plot.picture_formats import ANIMATED

MILLISECONDS = 1200  # of a frame
MOST_FRAMES = 500  # of a .gif file
LONGEST_EXACT = 30  # characters of a vector that is shown exactly
ENDINGS = {"separated": "separated", "cycle": "the weights repeat: no {plane} separates the points",
           "max_updates": "stopped at max_updates"}  # fmt: skip


class TraceAnimation(PanelDisplay):
    """The updates of a run on points with two features.

    w ← w + η·y·x   for a point with   y·⟨w, x⟩ ≤ 0

    A frame shows one update. Left: the line before it (faint), the violated point (ring), the line after it. Right:
    the weights of the two features before the update, the added η·y·x, and the weights after it. The caption has the
    numbers, exactly unless they are long (then ≈). The last frame is the result, as `BoundaryDisplay` draws it. There
    is one frame more than updates; `panels` are those of the last one.

    From the notes: T3 (Tao, "Perceptron"), C6 (Cornwell), S2 (w orthogonal to the line).

    Parameters
    ----------
    trace : of `trace`, on points with two features
    """

    columns = 2

    def __init__(self, trace: Trace) -> None:
        if not isinstance(trace, Trace):
            raise InputError(f"found {type(trace).__name__}; the result of trace was expected", "trace")
        if trace.d != 2:
            raise InputError(f"found points with {count(trace.d, 'feature')}; two were expected: the method to_text of "
                             "the trace shows runs with any number of features", "trace")  # fmt: skip
        self.trace = trace
        self.weights = _floats([trace.start, *(step.w for step in trace.steps)])
        y = [trace.classes[sign > 0] for sign in trace.signs]
        drawn = drawable_points(_floats([x[:2] for x in trace.points]), y, list(trace.classes))
        self.points = replace(drawn, names=trace.names)
        self.limits = _limits(self.points.X)
        reach = np.vstack([self.weights[:, :2], np.zeros((1, 2))])
        self.weight_limits = _limits(reach)
        super().__init__(self.frame(len(trace.steps)))

    @classmethod
    @known_arguments
    def from_trace(cls, trace: Trace, ax: Any = None) -> Any:
        """Return the animation of a run; nothing is drawn unless `ax` is given.

        Parameters
        ----------
        trace : of `trace`, on points with two features
        ax : two Axes for the last frame, or None
        """
        return cls(trace) if ax is None else cls(trace).plot(ax)

    @property
    def n_frames(self) -> int:
        """The number of frames: one more than updates."""
        return len(self.trace.steps) + 1

    def frame(self, number: int) -> list[Panel]:
        """Return the two panels of a frame, numbered from 0; the last one is the result."""
        if not 0 <= number < len(self.trace.steps) + 1:
            raise InputError(f"found {number!r}; 0 to {self.n_frames - 1} was expected", "number")
        if number == len(self.trace.steps):
            return self._result()
        step: Any = self.trace.steps[number]
        indices = [one.index for one in getattr(step, "points", (step,))]
        ringed = _floats([self.trace.points[i][:2] for i in indices])
        rings = Marks(ringed[:, 0], ringed[:, 1], "violated point" + "s" * (len(indices) > 1), AMBER, "circle", 150.0,
                      False, name="violated")  # fmt: skip
        before, after = self._line(number, "before", GREY, 0.5), self._line(number + 1, "after", INK, 1.0)
        x_label, y_label = self.points.axis_names
        left = Panel((*before, *after, *class_marks(self.points), rings), self._caption(number), x_label, y_label,
                     *self.limits, equal=_has_equal_units(*self.limits), legend="outside")  # fmt: skip
        return [left, self._weights(number)]

    def animation(self, figure: Any = None, interval: int = MILLISECONDS) -> Any:
        """Return a matplotlib FuncAnimation with `n_frames` frames.

        Parameters
        ----------
        figure : an empty Figure to draw on; None: a new one of pyplot
        interval : milliseconds between frames
        """
        from novikoff.plot.animation.animated_panels import animated

        return animated(self.frame, self.n_frames, figure, interval, self.columns)

    def file_content(self, path: Any) -> bytes:
        """Return a .gif file with all frames, or the last frame in the format of another ending."""
        if Path(path).suffix.lower() != ANIMATED:
            return super().file_content(path)
        if self.n_frames > MOST_FRAMES:
            raise InputError(f"found {self.n_frames:,} frames; a .gif file has at most {MOST_FRAMES}: trace with "
                             f"max_updates={MOST_FRAMES - 1} shows the first ones", "trace")  # fmt: skip
        from novikoff.plot.animation.animated_panels import gif_bytes

        return gif_bytes(self.frame, self.n_frames, MILLISECONDS, self.columns)

    # ---- what is drawn

    def _plane(self, number: int) -> np.ndarray:
        """Return (w, b) after so many updates; b is 0 without a bias."""
        w = self.weights[number]
        return w if self.trace.fit_intercept else np.append(w, 0.0)

    def _line(self, number: int, name: str, color: str, alpha: float) -> list[Item]:
        """Return the line after so many updates; without one, a curve of no points, for the legend."""
        plane = self._plane(number)
        ends = line_across(plane[:2].tolist(), plane[2], *self.limits)
        why = "" if ends is not None else ": outside" if plane[:2].any() else ": none"
        ends = np.full((2, 2), np.nan) if ends is None else ends
        style = "dashed" if name == "before" else "solid"
        return [Curve(ends[:, 0], ends[:, 1], f"line {name}{why}", color, style, 2.0, alpha, name)]

    def _weights(self, number: int) -> Panel:
        """Return the panel of the weights of an update: before, the added vector, after."""
        zero, before, after = (0.0, 0.0), _pair(self.weights[number]), _pair(self.weights[number + 1])
        items: list[Item] = [Marks(np.zeros(1), np.zeros(1), None, INK, "plus", 30.0, name="origin")]
        if before != zero:
            items.append(Arrow(zero, before, "", GREY, 1.4, "w before"))
        if after != zero:
            items.append(Arrow(zero, after, "", INK, 4.0, "w after"))
        if after != before:  # above the others, and narrower: visible on either of them
            items.append(Arrow(before, after, "", AMBER, 1.8, "added"))
        added = "added: η·y·x" if self.trace.order != "batch" else "added: (η/n)·Σ y·x"
        for label, color, width in (("w before", GREY, 1.4), (added, AMBER, 1.8), ("w after", INK, 4.0)):
            items.append(Curve(np.array([np.nan]), np.array([np.nan]), label, color, "solid", width, name="legend"))
        return Panel(tuple(items), "weights of the two features", "w₁", "w₂", *self.weight_limits,
                     equal=_has_equal_units(*self.weight_limits), legend="outside")  # fmt: skip

    def _caption(self, number: int) -> str:
        step: Any = self.trace.steps[number]
        before = self.trace.start if number == 0 else self.trace.steps[number - 1].w
        total = len(self.trace.steps)
        if hasattr(step, "points"):
            what = count(len(step.points), "violated point")
        else:
            score = step.sign * step.score
            what = f"point {self.trace.place(step.row)} ({'+' if step.sign > 0 else '−'}): y·(w·x) = {short(score)}"
        change = tuple(b - a for a, b in zip(before, step.w, strict=True))
        sums = f"{_vector(before)} + {_vector(change)}\n= {_vector(step.w)}"
        return f"update {number + 1:,} of {total:,}, {what}\n{sums}, {count(step.errors_after, 'error')} after it"

    def _result(self) -> list[Panel]:
        """Return the last frame: the boundary, and the weights after each update."""
        w = self.weights[:, :2]
        path: list[Item] = [Curve(w[:, 0], w[:, 1], "w after each update", AMBER, "solid", 1.2, name="path")]
        path.append(Marks(np.zeros(1), np.zeros(1), None, INK, "plus", 30.0, name="origin"))
        if w[-1].any():
            path.append(Arrow((0.0, 0.0), _pair(w[-1]), "w", INK, 2.2, "w after"))
        right = Panel(tuple(path), "weights of the two features", "w₁", "w₂", *self.weight_limits,
                      equal=_has_equal_units(*self.weight_limits), legend="outside")  # fmt: skip
        plane = self._plane(len(self.trace.steps))
        left = boundary_of(FittedPlanes(self.points, plane[None, :], self.trace.fit_intercept)).panels[0]
        ended = ENDINGS[self.trace.stop_reason].format(plane=plane_of(self.trace.fit_intercept))
        how = f"{count(len(self.trace.steps), 'update')}: {ended}"
        return [replace(left, title=f"{how}\n{left.title}"), right]


def _floats(rows: list[Vector]) -> np.ndarray:
    try:
        return np.array([[float(v) for v in row] for row in rows], np.float64)
    except OverflowError:
        raise InputError("found numbers beyond those of float64; smaller numbers were expected", "trace") from None


def _limits(points: np.ndarray) -> tuple[Limits, Limits]:
    return limits_around(points[:, 0], SPACE), limits_around(points[:, 1], SPACE)


def _has_equal_units(x_limits: Limits, y_limits: Limits) -> bool:
    """Whether one unit is drawn equally long on both axes: unless one extent is much longer than the other."""
    ratio = (x_limits[1] - x_limits[0]) / (y_limits[1] - y_limits[0])
    return 1 / DISTORTED <= ratio <= DISTORTED


def _pair(w: np.ndarray) -> tuple[float, float]:
    return float(w[0]), float(w[1])


def _vector(values: Vector) -> str:
    """Return the vector exactly, or rounded and marked ≈ if it is long."""
    text = f"({', '.join(map(exact, values))})"
    return text if len(text) <= LONGEST_EXACT else vector(values)
