"""Describe margins in words for people, who count points from 1, and a plane and its margin as plain values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from novikoff.data.format_numbers import BEYOND, bounds, count, ends_in_words, plane_equation
from novikoff.data.positive_class import choice_in_words
from novikoff.scoring.unit_plane import unit_plane

if TYPE_CHECKING:
    from novikoff.maxmargin.width import Width

FEW_FEATURES = 50  # up to here the weights are in the document
PLANE_TERMS = 10  # up to here a plane is printed
FEW_DIGITS = 18  # exact fractions and weights up to here are shown
SHOWN = 20  # points


def width_values(width: Width) -> dict[str, Any]:
    """Return plain values for JSON."""
    w, b = width.plane
    unit = unit_plane(w.tolist(), float(b))
    endless = math.isinf(width.gamma[1])
    return {
        "gamma": None if endless else width.gamma,
        "gamma2": None if width.gamma2 is None else str(width.gamma2),
        "w": w.tolist() if w.size <= FEW_FEATURES else None,
        "b": b,
        "unit_normal": None if unit is None or w.size > FEW_FEATURES else unit.normal,
        "distance": None if unit is None or math.isinf(unit.distance) else unit.distance,
        "touching": width.touching.tolist(),
        "weights": width.weights.tolist(),
    }


def in_words(info: Mapping[str, Any], names: Sequence[str] | None) -> list[str]:
    """Format the document of `Margin.to_dict` as lines. names: of the columns."""
    both, padded = info["geometric"], info["padded"]
    sides = f"; {said}" if (said := choice_in_words(info["classes"])) else ""
    lines = [f"{count(info['n'], 'point')}, {count(info['d'], 'feature')}: separable{sides}"]
    if not info["bias"]:
        lines.append("planes through the origin: the padded and the geometric margin are the same")
    elif both["gamma"] is None:
        lines.append("only one class: the plane can be arbitrarily far away, so the geometric margin is unbounded")
    else:
        lines += _said("geometric margin", both, names)
    if padded is None:
        return lines
    lines += _said("padded margin" if info["bias"] else "margin", padded, names)
    if info["radius"] is None:
        return lines
    R2 = f" = √{info['radius2']}" if _short(info["radius2"]) else ""
    lines.append(f"R{R2} {_radius(info)}, the length of the longest {'(x, 1)' if info['bias'] else 'x'}")
    lines.append(f"B = 1/γ = {agreed(info['shortest'])}, the shortest {'(w, b)' if info['bias'] else 'w'} with "
                 f"y·score ≥ 1 for every point")  # fmt: skip
    lines.append(f"mistakes ≤ (R/γ)² = {agreed(info['mistake_bound'])}, from weights 0 in any order")
    made = made_in_words(info["updates"], info["finished"])
    return [*lines, f"made    {made} from weights 0, in cyclic order"]


def _said(name: str, width: dict[str, Any], names: Sequence[str] | None) -> list[str]:
    low, high = bounds(*width["gamma"])
    square = f" = √({width['gamma2']})" if _short(width["gamma2"]) else ""
    lines = [f"{name}  γ{square} = {agreed(width['gamma'])}", f"        proved  {low} ≤ γ ≤ {high}"]
    if width["w"] is not None and len(width["w"]) <= PLANE_TERMS:
        lines.append(f"        plane   {plane_equation(width['w'], width['b'], names)}")
    if width["distance"] is not None:
        few = width["w"] is not None and len(width["w"]) <= PLANE_TERMS
        normal = f"unit normal ≈({', '.join(f'{v:.6g}' for v in width['unit_normal'])}), " if few else ""
        lines.append(f"        {normal}distance from the origin ≈{width['distance']:.6g}")
    return [*lines, f"        touching  {points_in_words(width['touching'])}"]


def agreed(interval: Sequence[float | None]) -> str:
    """Return the leading digits that both ends of an interval share, followed by … if it has more."""
    low, high = interval
    if low is None or high is None:
        return BEYOND
    if low == high:
        return f"{int(low):,}" if low.is_integer() else " … ".join(dict.fromkeys(bounds(low, high)))
    a, b = (f"{Decimal(v):.60e}".split("e") for v in (low, high))
    same = _same_beginning(a[0], b[0]) if a[1] == b[1] else ""
    if len(same.rstrip(".")) < 2:
        return ends_in_words((low, high)) if f"{low:.6g}" != f"{high:.6g}" else " … ".join(bounds(low, high))
    power = int(a[1])
    if not -5 < power < 16:
        return f"{same}…e{power}"
    digits = same.replace(".", "")
    if power < 0:
        return f"0.{'0' * (-power - 1)}{digits}…"
    return f"{digits[: power + 1]}.{digits[power + 1 :]}…" if len(digits) > power + 1 else ends_in_words((low, high))


def _radius(info: Mapping[str, Any]) -> str:
    """Format = R, or ≈ R if it is rounded."""
    text = f"{info['radius']:.15g}"
    is_root = info["radius2"] is not None and Fraction(text) ** 2 == Fraction(info["radius2"])
    return f"{'=' if is_root else '≈'} {text}"


def _same_beginning(a: str, b: str) -> str:
    return a[: next((k for k, (p, q) in enumerate(zip(a, b, strict=False)) if p != q), len(a))]


def _short(fraction: str | None) -> bool:
    return fraction is not None and len(fraction) <= FEW_DIGITS


def points_in_words(rows: Sequence[int]) -> str:
    """Format how many rows there are, and the numbers of the first ones, from 1."""
    more = len(rows) - SHOWN
    shown = ", ".join(f"{row + 1}" for row in rows[:SHOWN])
    return f"{count(len(rows), 'point')}: {shown}{f' and {more:,} more' if more > 0 else ''}"


def made_in_words(updates: int, finished: bool) -> str:
    """Format how many updates a run made."""
    made = count(updates, "update")
    return made if finished else f"more than {made} (stopped there, not run to the end)"
