"""Conics a·x² + b·xy + c·y² + d·x + e·y + f = 0, drawn from their coefficients.

The quadratic part is rotated to its axes; an ellipse, a hyperbola and a parabola are then given by a parameter, so that
every point of a curve satisfies the equation up to rounding.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from novikoff.plot.geometry.straight_lines import Limits, line_across

SAMPLES = 241  # of each branch
ZERO = 1e-12  # relative to the largest coefficient


def conic_curves(
    quadratic: Sequence[float], linear: Sequence[float], constant: float, x_limits: Limits, y_limits: Limits
) -> list[np.ndarray]:
    """Return the branches of a conic that can be seen in a rectangle, each an array (k, 2) of points in order.

    quadratic: a, b, c. linear: d, e. constant: f. No branch: the conic is empty, a point, or outside.

    Examples
    --------
    >>> (circle,) = conic_curves([1, 0, 1], [0, 0], -1, (-2, 2), (-2, 2))
    >>> bool(np.allclose((circle**2).sum(axis=1), 1))
    True
    """
    a, b, c = (float(v) for v in quadratic)
    middle = np.array([np.mean(x_limits), np.mean(y_limits)])
    reach = float(np.hypot(x_limits[1] - x_limits[0], y_limits[1] - y_limits[0]))
    # move the origin to the middle of the rectangle and measure in its diagonals: all coefficients become comparable
    Q = np.array([[a, b / 2], [b / 2, c]]) * reach**2
    g = (np.array(linear, np.float64) + 2 * np.array([[a, b / 2], [b / 2, c]]) @ middle) * reach
    f = float(constant + np.array(linear, np.float64) @ middle + middle @ np.array([[a, b / 2], [b / 2, c]]) @ middle)
    scale = max(float(np.abs(Q).max()), float(np.abs(g).max()), abs(f))
    if not np.isfinite(scale) or scale == 0:
        return []
    Q, g, f = Q / scale, g / scale, f / scale
    values, axes = np.linalg.eigh(Q)
    p = axes.T @ g
    curves = _in_axes(values, p, f)
    drawn = [middle + reach * (curve @ axes.T) for curve in curves]
    return [curve for curve in drawn if _visible(curve, x_limits, y_limits)]


def _in_axes(values: np.ndarray, p: np.ndarray, f: float) -> list[np.ndarray]:
    """Return the branches of λ₁u² + λ₂v² + p₁u + p₂v + f = 0."""
    flat = np.abs(values) <= ZERO
    if flat.all():
        ends = line_across(p.tolist(), f, (-1.0, 1.0), (-1.0, 1.0))
        return [] if ends is None else [ends]
    if flat.any():
        j = int(np.argmin(flat))  # the axis with a square
        return [curve if j == 0 else curve[:, ::-1] for curve in _parabola(values[j], p[j], p[1 - j], f)]
    center = -p / (2 * values)
    rest = float((p * p / (4 * values)).sum() - f)  # λ₁U² + λ₂V² = rest
    return [curve + center for curve in _central(values, rest, float(np.abs(center).max()))]


def _parabola(square: float, p: float, q: float, f: float) -> list[np.ndarray]:
    """Return λu² + p·u + q·v + f = 0 as (u, v): a parabola, or lines u = const."""
    if abs(q) > ZERO:
        u = np.linspace(-1.0, 1.0, SAMPLES)
        return [np.column_stack([u, -(square * u * u + p * u + f) / q])]
    below = p * p - 4 * square * f
    if below < 0:
        return []
    roots = {(-p + sign * np.sqrt(below)) / (2 * square) for sign in (1.0, -1.0)}
    return [np.array([[u, -1.0], [u, 1.0]]) for u in sorted(roots)]


def _central(values: np.ndarray, rest: float, far: float) -> list[np.ndarray]:
    """Return λ₁U² + λ₂V² = rest around its centre: an ellipse, a hyperbola, or two lines that cross."""
    reach = 2.0 + far
    if abs(rest) <= ZERO:
        if values[0] * values[1] > 0:
            return []  # a point
        slope = float(np.sqrt(-values[0] / values[1]))
        end = reach / max(1.0, slope)
        return [np.array([[-end, -sign * slope * end], [end, sign * slope * end]]) for sign in (1.0, -1.0)]
    squares = rest / values  # of the half axes
    if (squares < 0).all():
        return []
    half = np.sqrt(np.abs(squares))
    if (squares > 0).all():
        t = np.linspace(0.0, 2 * np.pi, 2 * SAMPLES - 1)
        return [np.column_stack([half[0] * np.cos(t), half[1] * np.sin(t)])]
    j = int(squares[1] > 0)  # the axis that the two branches cross
    last = float(np.arccosh(max(1.0, reach / half[j]))) + 1.0
    last = max(last, float(np.arcsinh(reach / half[1 - j])))
    t = np.linspace(-last, last, 2 * SAMPLES - 1)
    branches = []
    for sign in (1.0, -1.0):
        branch = np.empty((len(t), 2))
        branch[:, j], branch[:, 1 - j] = sign * half[j] * np.cosh(t), half[1 - j] * np.sinh(t)
        branches.append(branch)
    return branches


def _visible(curve: np.ndarray, x_limits: Limits, y_limits: Limits) -> bool:
    """Whether a curve may have a point in the rectangle: the rectangle around it meets the other one."""
    (left, bottom), (right, top) = curve.min(axis=0), curve.max(axis=0)
    return bool(left <= x_limits[1] and right >= x_limits[0] and bottom <= y_limits[1] and top >= y_limits[0])
