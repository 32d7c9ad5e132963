"""Draw Novikoff's proof: |w| stays under a curve like √k, ⟨w, u⟩ over a line, and the two meet at the mistake bound.

    |w_k|² ≤ |w⁰|² + R²·Σ η²            each update is a mistake, so its cross term is at most 0
    ⟨w_k, u⟩ ≥ ⟨w⁰, u⟩ + γ·Σ η          u: the unit vector of a plane with margin γ

Both hold for every start and every rate; from w⁰ = 0 with a constant rate they meet at k = (R/γ)².

From the notes: S9 (the angle to a teacher), T4 R5 S10 C7 Z9 (the bound).
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from novikoff.errors import InputError
from novikoff.pages.panel import BLUE, GREY, RED, Curve, Item, Panel
from novikoff.pages.plane_pictures import near
from novikoff.pages.window import LARGEST, LEAST

LOOKS = (("ceiling", RED, "dashed"), ("under", RED, "solid"), ("over", BLUE, "solid"), ("floor", BLUE, "dashed"))
SAMPLES = 101
FAR = 12  # a bound up to this many times the updates is inside the picture
MOST_SHOWN = 10_000_000  # a larger bound is not drawn


class Reference(NamedTuple):
    """The widest plane: its unit vector u, its margin γ, R, and the bound of the mistakes if it applies."""

    u: np.ndarray
    gamma: float
    radius: float
    most: int | None


def reference_of(trace: Any, margin: Any) -> Reference | None:
    """Return the widest padded plane of a `Margin`; None without one, or for another rule than perceptron.

    Raises
    ------
    InputError : the margin is of other points
    """
    if margin is None or trace.rule != "perceptron":  # other rules also update at points that are no mistakes
        return None
    found = (margin.n, margin.d, margin.fit_intercept)
    w, b = margin.padded.plane
    plane = np.append(w, float(b)) if trace.fit_intercept else np.asarray(w, np.float64)
    u = plane / math.hypot(*plane.tolist())
    gamma, radius = float(margin.padded.gamma[0]), float(margin.radius)
    is_own = found == (len(trace.counts), trace.d, trace.fit_intercept)
    if not is_own or (np.array(trace.signs) * (_floats(trace.points) @ u)).min() < gamma / 2 - 1e-9 * radius:
        raise InputError(
            f"margin: found that of {margin.n:,} points of {margin.d:,} numbers whose plane does not separate the "
            f"points of this trace; expected novikoff.margin of the same points, with the same positive class"
        )
    eta = constant_rate(trace)
    most = None if eta is None else margin.mistake_bound_from(trace.start, eta)
    return Reference(u, gamma, radius, None if most is None or most > sys.float_info.max else most)


def constant_rate(trace: Any) -> Any:
    """Return the step of every update, 1 if there is none; None if steps differ."""
    etas = {step.eta for step in trace.steps} or {1}
    return next(iter(etas)) if len(etas) == 1 else None


def starts_at_zero(trace: Any) -> bool:
    """Return whether the bound is (R/γ)²: w⁰ = 0 and a constant rate."""
    return not any(trace.start) and constant_rate(trace) is not None


def heights(trace: Any, reference: Reference | None) -> dict[str, np.ndarray]:
    """Return |w_k|, its upper bound, ⟨w_k, u⟩ and its lower bound for k = 0, 1, …; without u the first two."""
    weights = _floats([trace.start, *(step.w for step in trace.steps)])
    etas = np.array([0.0, *(near(step.eta) for step in trace.steps)])
    radius = max(_lengths(_floats(trace.points))) if reference is None else reference.radius
    lengths = np.array(_lengths(weights))
    found = {"under": lengths, "ceiling": np.hypot(lengths[0], radius * np.sqrt(np.cumsum(etas**2)))}
    if reference is not None:
        along = weights @ reference.u
        found |= {"over": along, "floor": along[0] + reference.gamma * np.cumsum(etas)}
    return found


def _floats(vectors: Sequence[Sequence[Any]]) -> np.ndarray:
    return np.array([[near(v) for v in vector] for vector in vectors])


def _lengths(vectors: np.ndarray) -> list[float]:
    """Return the length of each vector, also where its square is no float."""
    return [math.hypot(*vector) for vector in vectors.tolist()]


def proof_panel(trace: Any, reference: Reference | None) -> Panel | None:
    """Return the picture of the proof; None if its numbers are too large to draw, or no update of the perceptron."""
    if not trace.steps or trace.rule != "perceptron":
        return None
    updates, most = len(trace.steps), None if reference is None else reference.most
    with np.errstate(all="ignore"):  # numbers beyond doubles are found below
        curves = {name: (np.arange(updates + 1.0), values) for name, values in heights(trace, reference).items()}
    inside = most is not None and starts_at_zero(trace) and updates <= most <= min(FAR * updates, MOST_SHOWN)
    last = float(most if inside and most is not None else updates)
    if inside and reference is not None:
        k, eta = np.linspace(0.0, last, SAMPLES), near(trace.steps[0].eta)
        curves["ceiling"], curves["floor"] = (k, eta * reference.radius * np.sqrt(k)), (k, eta * reference.gamma * k)
    ys = np.concatenate([y for _, y in curves.values()])
    largest = float(np.abs(ys).max())
    if not largest < LARGEST or 0 < largest < LEAST:
        return None
    low, high = 1.05 * min(0.0, float(ys.min())), 1.05 * (float(ys.max()) or 1.0)
    items: list[Item] = []
    if inside:
        items.append(Curve(np.array([last, last]), np.array([low, high]), None, GREY, "dotted", name="bound"))
    words = _words(trace)
    items += [Curve(*curves[name], words[name], color, style, 2.0, name=name)
              for name, color, style in LOOKS if name in curves]  # fmt: skip
    y_label = "|w| and ⟨w, u⟩" if "over" in curves else "|w|"
    return Panel(tuple(items), _title(trace, reference), "updates k", y_label, (0.0, 1.04 * last), (low, high),
                 legend="outside")  # fmt: skip


def _words(trace: Any) -> dict[str, str]:
    """Return the meaning of each curve."""
    simple = not any(trace.start) and constant_rate(trace) == 1
    upper, lower = ("R·√k", "k·γ") if simple else ("√(|w⁰|² + R²·Σ η²)", "⟨w⁰, u⟩ + γ·Σ η")
    return {
        "ceiling": f"{upper}, the upper bound of |w|",
        "under": "|w| after each update",
        "over": "⟨w, u⟩, u the unit vector of the widest plane",
        "floor": f"{lower}, the lower bound of ⟨w, u⟩",
    }


def _title(trace: Any, reference: Reference | None) -> str:
    if reference is None:
        return "The length of w grows at most like √k."
    if reference.most is None:
        return "The length of w stays under its upper bound, its component along u over its lower bound."
    if any(trace.start):
        return f"⟨w, u⟩ ≤ |w|, so no run from this start makes more than {reference.most:,} mistakes."
    return (
        "The proof as a picture: ⟨w, u⟩ ≤ |w|, so the lower bound cannot rise above the upper one; they meet at "
        f"k = (R/γ)², and no run from w⁰ = 0 makes more than {reference.most:,} mistakes."
    )
