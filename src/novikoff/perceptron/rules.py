"""Update rules: the step size at a point.

    m = y·⟨w, x⟩                     how far the point is on its own side
    w ← w + step·y·x                 the update, R4: on the reflected point z = y·x simply w ← w + step·z

A rule maps m to the length of the step; 0 means "no update". The same source runs on fractions in `trace` and is what
the compiled passes call, so it uses whole-number literals only. q is |x|², the padded coordinate included.

From the notes: T3 (Tao, "Perceptron"), C6 (Cornwell), Z6 (Zhang, Algorithm 1), S7.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeVar

from novikoff.kernels.mark import EXACT, kernel

Number = TypeVar("Number", int, float, Fraction)
Real = TypeVar("Real", float, Fraction)


@kernel(EXACT, inside=True)
def perceptron(m: Number, eta: Number) -> Number:
    """The step of the perceptron rule: η at a mistake, else nothing.

    w ← w + η·y·x   if   y·⟨w, x⟩ ≤ 0

    Convention: a tie, m = 0, is a mistake.

    Examples
    --------
    >>> perceptron(0, 1), perceptron(-3, 2), perceptron(5, 1)
    (1, 2, 0)
    """
    return eta if m <= 0 else eta * 0


@kernel(EXACT)
def margin(m: Number, eta: Number, threshold: Number) -> Number:
    """The perceptron with margin: η also for points that are right, but by no more than the threshold.

    w ← w + η·y·x   if   y·⟨w, x⟩ ≤ θ

    Examples
    --------
    >>> margin(1, 1, 1), margin(2, 1, 1)
    (1, 0)
    """
    return eta if m <= threshold else eta * 0


@kernel(EXACT)
def pa(m: Real, q: Real) -> Real:
    """Passive-aggressive: the shortest step after which the point is right by 1 (Crammer et al. 2006).

    step = (1 − m)/|x|²   if   m < 1

    Examples
    --------
    >>> pa(Fraction(1, 2), Fraction(2)), pa(1, 2)
    (Fraction(1, 4), 0)
    """
    return (1 - m) / q if m < 1 and q > 0 else q * 0


@kernel(EXACT)
def pa1(m: Real, q: Real, C: Real) -> Real:
    """Passive-aggressive with steps of at most C: min(C, (1 − m)/|x|²).

    Examples
    --------
    >>> pa1(Fraction(-3), Fraction(2), Fraction(1))
    Fraction(1, 1)
    """
    return min(C, pa(m, q))


@kernel(EXACT)
def pa2(m: Real, q: Real, C: Real) -> Real:
    """Passive-aggressive with softened steps: (1 − m)/(|x|² + 1/(2C)).

    Examples
    --------
    >>> pa2(Fraction(-3), Fraction(2), Fraction(1, 4))
    Fraction(1, 1)
    """
    return (1 - m) / (q + 1 / (2 * C)) if m < 1 else q * 0
