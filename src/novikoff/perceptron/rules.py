"""What a mistake does: the leaf rules.

    m = y·⟨w, x⟩                     how far the point is on its own side
    w ← w + step·y·x                 the update, R4: on the reflected point z = y·x simply w ← w + step·z

A rule maps m to the length of the step; 0 means "no update". The same source runs on fractions in `trace`
and is what the compiled passes carry out, so it uses whole-number literals only.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeVar

Number = TypeVar("Number", int, float, Fraction)


def perceptron(m: Number, eta: Number) -> Number:
    """The step of the perceptron rule: η at a mistake, else nothing.

    w ← w + η·y·x   if   y·⟨w, x⟩ ≤ 0

    From the notes: T3 (Tao, "Perceptron"), C6 (Cornwell), Z6 (Zhang, Algorithm 1), R (2), S7.
    Convention: a tie, m = 0, is a mistake.

    Examples
    --------
    >>> perceptron(0, 1), perceptron(-3, 2), perceptron(5, 1)
    (1, 2, 0)
    """
    return eta if m <= 0 else eta * 0
