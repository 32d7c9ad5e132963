"""An upper bound in words is never below the bound, and has two figures."""

from __future__ import annotations

import math
import random
from fractions import Fraction

from novikoff.data.text.format_numbers import at_most


def test_two_figures_are_rounded_up() -> None:
    chance = random.Random(0)
    for _ in range(3000):
        bound = math.ldexp(chance.random(), chance.randint(-300, 60))
        said = Fraction(at_most(bound))
        assert Fraction(bound) <= said <= Fraction(bound) * Fraction(11, 10)


def test_bounds_that_two_figures_hold_are_kept() -> None:
    assert [at_most(v) for v in (0.0, 0.5, 1.0, 25.0)] == ["0", "0.5", "1", "25"]
