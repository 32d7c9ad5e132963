"""What the notes draw, in the pages: the decision surface with w orthogonal to it, and the two curves of the proof."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

import novikoff as nv
from novikoff.pages.proof_curves import heights, reference_of
from oracles.html_tree import parsed

LECTURE = ("tao", "cornwell", "or", "and", "spam")


@pytest.mark.parametrize("name", ["tao", "cornwell", "or", "and"])
def test_S2_w_is_drawn_orthogonal_to_the_line(name: str) -> None:
    X, y = nv.example(name)
    tree = parsed(nv.trace(X, y, fit_intercept=name != "tao").to_html())
    lines = {node.attributes.get("data-of"): node for node in tree.by_id("plane").all("line")}
    line, normal = (
        [float(lines[which][f"{axis}2"]) - float(lines[which][f"{axis}1"]) for axis in "xy"]
        for which in ("after", "normal")
    )
    cosine = (line[0] * normal[0] + line[1] * normal[1]) / (math.hypot(*line) * math.hypot(*normal))
    assert abs(cosine) < 0.01


@pytest.mark.parametrize("name", LECTURE)
def test_S9_both_curves_stay_within_their_bounds_exactly(name: str) -> None:
    """⟨w_k, u⟩ ≥ kγ and |w_k|² ≤ kR², with the widest plane in fractions; the floats drawn are near."""
    X, y = nv.example(name)
    trace, margin = (f(X, y, fit_intercept=name != "tao") for f in (nv.trace, nv.margin))
    w, b = margin.padded.plane
    plane = [*map(Fraction, w.tolist()), *([Fraction(float(b))] if name != "tao" else [])]
    smallest = min(
        sign * sum(a * v for a, v in zip(plane, x, strict=True))
        for sign, x in zip(trace.signs, trace.points, strict=True)
    )
    longest = max(sum((v * v for v in x), Fraction(0)) for x in trace.points)
    drawn, length = heights(trace, reference_of(trace, margin)), math.sqrt(sum(v * v for v in plane))
    for k, step in enumerate(trace.steps, start=1):
        along = sum(a * v for a, v in zip(step.w, plane, strict=True))
        square = sum(v * v for v in step.w)
        assert along >= k * smallest
        assert square <= k * longest
        assert drawn["over"][k] == pytest.approx(along / length)
        assert drawn["under"][k] == pytest.approx(math.sqrt(square))
        assert drawn["floor"][k] == pytest.approx(k * smallest / length)
        assert drawn["ceiling"][k] == pytest.approx(math.sqrt(k * longest))
