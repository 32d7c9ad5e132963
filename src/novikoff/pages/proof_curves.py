"""Draw Novikoff's proof: |w| stays under a curve like √k, ⟨w, u⟩ over a line, and the two meet at the mistake bound.

    |w_k|² ≤ |w⁰|² + R²·Σ η²            each update is a mistake, so its cross term is at most 0
    ⟨w_k, u⟩ ≥ ⟨w⁰, u⟩ + γ·Σ η          u: the unit vector of a plane with margin γ

Both hold for every start and every rate; from w⁰ = 0 with a constant rate they meet at k = (R/γ)².

From the notes: S9 (the angle to a teacher), T4 R5 S10 C7 Z9 (the bound).
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.pages.panel import BLUE, GREY, RED, Curve, Item, Panel
from novikoff.pages.plane_pictures import near
from novikoff.pages.window import LARGEST, LEAST

LOOKS = (("ceiling", RED, "dashed"), ("under", RED, "solid"), ("over", BLUE, "solid"), ("floor", BLUE, "dashed"))
SAMPLES = 101
FAR = 12  # a bound up to this many times the updates is inside the picture
SMALL = 1e-290  # a smaller square may have lost digits
MOST_SHOWN = 10_000_000  # a larger bound is not drawn


@dataclass(frozen=True)
class Reference:
    """A plane that separates the points: its unit vector u, its margin γ, R, and the bound ⌊(R/γ)²⌋ if it applies.

    widest: whether γ is the largest margin of any plane.
    """

    u: tuple[float, ...]
    gamma: float
    radius: float
    most: int | None
    widest: bool


def reference_of(trace: Any, margin: Any = None) -> Reference | None:
    """Return the plane of `novikoff.margin`, or without it the last weights if they separate the points; else None."""
    if trace.rule != "perceptron":  # other rules also update at points that are no mistakes
        return None
    if margin is not None:
        return _given(trace, margin)
    if trace.stop_reason != "separated" or not trace.points:
        return None
    smallest = min(
        sign * sum((a * v for a, v in zip(trace.w, x, strict=True)), Fraction(0))
        for sign, x in zip(trace.signs, trace.points, strict=True)
    )
    length2, radius2 = _square(trace.w), max(map(_square, trace.points))
    length = _root(length2)
    most = radius2 * length2 / smallest**2
    if not 0 < length < math.inf:
        return None
    u = tuple(near(v) / length for v in trace.w)
    bound = most.numerator // most.denominator if starts_at_zero(trace) else None
    return Reference(u, near(smallest) / length, _root(radius2), _shown(bound), False)


def _given(trace: Any, margin: Any) -> Reference:
    """Return the widest padded plane of a `Margin`; raise InputError if it is of other points."""
    found = (margin.n, margin.d, margin.fit_intercept)
    own = (len(trace.counts), trace.d, trace.fit_intercept)
    w, b = margin.padded.plane
    plane = [*(float(v) for v in w), *([float(b)] if trace.fit_intercept else [])]
    length = math.hypot(*plane)
    u = tuple(v / length for v in plane)
    gamma, radius = float(margin.padded.gamma[0]), float(margin.radius)
    smallest = min(
        sign * _sum(a * near(v) for a, v in zip(u, x, strict=True))
        for sign, x in zip(trace.signs, trace.points, strict=True)
    ) if found == own else -math.inf  # fmt: skip
    if found != own or smallest < gamma / 2 - 1e-9 * radius:
        raise InputError(
            f"margin: found that of {margin.n:,} points of {margin.d:,} numbers whose plane does not separate the "
            f"points of this trace; expected novikoff.margin of the same points, with the same positive class"
        )
    if starts_at_zero(trace):
        most = margin.mistake_bound_from(trace.start)  # ⌊(R/γ)²⌋ as a whole number, also where no double holds it
    else:
        most = margin.mistake_bound_from(trace.start, trace.steps[0].eta) if has_constant_rate(trace) else None
    return Reference(u, gamma, radius, _shown(most), True)


def _shown(bound: int | None) -> int | None:
    """Return the bound; None if it is beyond the range of doubles."""
    return None if bound is None or bound > sys.float_info.max else bound


def has_constant_rate(trace: Any) -> bool:
    """Return whether every update has the same step, and there is at least one."""
    return len({step.eta for step in trace.steps}) == 1


def starts_at_zero(trace: Any) -> bool:
    """Return whether the bound (R/γ)² applies: w⁰ = 0 and a constant rate."""
    return not any(trace.start) and (has_constant_rate(trace) or not trace.steps)


def heights(trace: Any, reference: Reference | None) -> dict[str, list[float]]:
    """Return |w_k|, its upper bound, ⟨w_k, u⟩ and its lower bound for k = 0, 1, …; without u the first two."""
    weights = [trace.start, *(step.w for step in trace.steps)]
    etas = [near(step.eta) for step in trace.steps]
    radius = _root(max(map(_square, trace.points))) if reference is None else reference.radius
    start, total, squares = _root(_square(trace.start)), [0.0], [0.0]
    for eta in etas:
        total.append(total[-1] + eta)
        squares.append(squares[-1] + eta * eta)
    found = {
        "under": [_root(_square(w)) for w in weights],
        "ceiling": [math.hypot(start, radius * math.sqrt(s)) for s in squares],
    }
    if reference is not None:
        along = [_sum(near(a) * v for a, v in zip(w, reference.u, strict=True)) for w in weights]
        found |= {"over": along, "floor": [along[0] + reference.gamma * s for s in total]}
    return found


def proof_panel(trace: Any, reference: Reference | None) -> Panel | None:
    """Return the picture of the proof; None if its numbers are too large to draw, or no update of the perceptron."""
    if not trace.steps or trace.rule != "perceptron":
        return None
    updates, most = len(trace.steps), None if reference is None else reference.most
    curves = {name: (np.arange(updates + 1.0), np.array(values)) for name, values in heights(trace, reference).items()}
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
    words = _words(trace, reference)
    items += [Curve(*curves[name], words[name], color, style, 2.0, name=name)
              for name, color, style in LOOKS if name in curves]  # fmt: skip
    y_label = "|w| and ⟨w, u⟩" if "over" in curves else "|w|"
    return Panel(tuple(items), _title(trace, reference), "updates k", y_label, (0.0, 1.04 * last), (low, high),
                 legend="outside")  # fmt: skip


def _words(trace: Any, reference: Reference | None) -> dict[str, str]:
    """Return the meaning of each curve."""
    simple = starts_at_zero(trace) and trace.steps[0].eta == 1
    upper, lower = ("R·√k", "k·γ") if simple else ("√(|w⁰|² + R²·Σ η²)", "⟨w⁰, u⟩ + γ·Σ η")
    whose = "widest" if reference is not None and reference.widest else "last"
    return {
        "ceiling": f"{upper}, the upper bound of |w|",
        "under": "|w| after each update",
        "over": f"⟨w, u⟩, u the unit vector of the {whose} plane",
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


def _square(v: Sequence[Fraction]) -> Fraction:
    return sum((a * a for a in v), Fraction(0))


def _root(value: Fraction) -> float:
    """Return the square root, also of a square that is too small or too large for a float; inf if the root is."""
    if not value or SMALL < near(value) < math.inf:
        return math.sqrt(near(value))
    half = (value.numerator.bit_length() - value.denominator.bit_length()) // 2
    return near(Fraction(math.sqrt(value / Fraction(4) ** half)) * Fraction(2) ** half)


def _sum(terms: Iterable[float]) -> float:
    """Return the sum; nan if a term is not finite."""
    listed = list(terms)
    return math.fsum(listed) if all(map(math.isfinite, listed)) else math.nan
