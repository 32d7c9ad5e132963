"""Bits of integer weights: the bound of the notes, the bits a run really uses, and code lengths.

|w_j| ≤ t·(2^s − 1) < 2^(s + ⌈log2 t⌉)        coordinates of s bits, t updates of w ← w ± x from w = 0
s + ⌈log2 t⌉ + 1                               bits of a weight, with its sign

From the notes: T6 (Tao, integer weights; its s + log2 t has no bit for the sign), T6 T8 (Tao, encoding length).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm
from typing import Any

from novikoff.arguments import argument_checks
from novikoff.arguments.signature_types import Labels, Model, Points
from novikoff.errors import InputError
from novikoff.perceptron import FIXED_ORDERS


def bits_needed(s: int, t: int) -> int:
    """Return how many bits, the sign included, hold every weight after t updates on coordinates of s bits.

    s + ⌈log2 t⌉ + 1

    Parameters
    ----------
    s : bits of the largest magnitude of a coordinate, at least 1
    t : number of updates

    Examples
    --------
    >>> import novikoff as nv
    >>> nv.bits_needed(2, 1), nv.bits_needed(8, 1000), nv.bits_needed(8, 0)
    (3, 19, 1)
    """
    argument_checks.whole("s", s, 1, optional=False)
    argument_checks.whole("t", t, 0, optional=False)
    return 1 if t == 0 else int(s) + (int(t) - 1).bit_length() + 1


def delta_code(n: int) -> int:
    """Return the length of the Elias δ code of n ≥ 1, a prefix-free code: L + 2⌊log2(L + 1)⌋ + 1, L = ⌊log2 n⌋."""
    more = n.bit_length() - 1
    return more + 2 * ((more + 1).bit_length() - 1) + 1


def code_length(s: int, t: int, parameters: int) -> int:
    """Return the bits of a prefix-free code of all weights of a run: s, t + 1, and `bits_needed` for each weight.

    The code can be read without a separator, s and t included.
    """
    return delta_code(s) + delta_code(t + 1) + parameters * bits_needed(s, t)


def encoding_bits(model: Model) -> int:
    """Return the bits of a prefix-free code of a plane: the number of bits of a weight, then the integer weights.

    δ(B) + D·(B + 1),   B = bits of the largest |weight|, D = number of weights

    Weights are binary64 and count up to a positive factor, so they are integers without a common factor here; several
    planes are coded one after the other.

    Parameters
    ----------
    model : a fitted estimator, or the weights of one plane, the bias included

    Examples
    --------
    >>> import novikoff as nv
    >>> nv.encoding_bits([4, -0.5, 1]), nv.encoding_bits([1, 1, -1])
    (20, 7)
    """
    return sum(_plane_code(plane) for plane in _planes(model))


def _planes(model: Any) -> list[list[Any]]:
    if not hasattr(model, "coef_"):
        return [list(model)]
    bias = getattr(model, "fit_intercept", True)
    offsets = model.intercept_.ravel().tolist()
    rows = model.coef_.reshape(len(offsets), -1).tolist()
    if hasattr(model, "as_trained"):  # those that decide: before they are multiplied by η, which rounds
        trained = model.as_trained()[0]
        rows, offsets = trained[:, :-1].tolist(), trained[:, -1].tolist()
    return [[*w, *([b] if bias else [])] for w, b in zip(rows, offsets, strict=True)]


def _plane_code(plane: list[Any]) -> int:
    """Return the length of the code of one plane, in integers without a common factor."""
    from novikoff.data.exact_points import exact_vector
    from novikoff.exact.integer_rows import whole

    exact = exact_vector(plane, "model")
    if not exact:
        raise InputError("found no weights; at least one was expected", "model")
    integers = whole(exact)
    most = max(max(abs(v).bit_length() for v in integers), 1)
    return delta_code(most) + len(integers) * (most + 1)


@dataclass(frozen=True)
class BitsOfRun:
    """Bits of the weights of an exact run from w = 0 with η = 1.

    n, parameters: points, and weights with the bias. scale: the coordinates times this are integers. s: bits of the
    largest. t: updates. bound: bits_needed(s, t). used: bits of the largest weight of the whole run, with the sign.
    at_update: bits used after each update. weights: the last ones, as integers. separated: whether they separate the
    points. code: `code_length`.
    """

    n: int
    parameters: int
    scale: int
    s: int
    t: int
    bound: int
    used: int
    at_update: tuple[int, ...]
    weights: tuple[int, ...]
    separated: bool
    code: int


def bits_used(
    X: Points,
    y: Labels | None = None,
    fit_intercept: bool = True,
    order: str = "cyclic",
    seed: int = 0,
    max_updates: int = 10_000,
) -> BitsOfRun:
    """Run the perceptron in exact integers and compare the bits of its weights with the bound of the notes.

    bits of every weight ≤ s + ⌈log2 t⌉ + 1

    Parameters
    ----------
    X, y, fit_intercept, order, seed, max_updates : as in `trace`; not the order batch, whose updates add several points

    Examples
    --------
    >>> import novikoff as nv
    >>> run = nv.bits_used(*nv.example("cornwell"))
    >>> run.s, run.t, run.bound, run.used, run.weights
    (3, 9, 8, 5, (8, -1, 2))
    """
    from novikoff.data.exact_points import exact_rows
    from novikoff.perceptron.trace import trace
    from novikoff.theory.given_points import numbers_in_memory

    argument_checks.one_of("order", order, FIXED_ORDERS)
    X, y = numbers_in_memory(X, y, "counting bits")
    run = trace(X, y, order=order, fit_intercept=fit_intercept, seed=seed, max_updates=max_updates)
    rows = exact_rows(X, fit_intercept)
    scale = lcm(*(v.denominator for row in rows for v in row))
    whole = [[int(v * scale) for v in row] for row in rows]
    s = max(max(abs(v).bit_length() for row in whole for v in row), 1)
    states = [[int(v * scale) for v in step.w] for step in run.steps]
    last = tuple(states[-1]) if states else (0,) * len(rows[0])
    separated = run.stop_reason == "separated"
    at_update = tuple(max(v.bit_length() for v in w) + 1 for w in states)  # 1 for the sign
    t = len(states)
    return BitsOfRun(
        len(rows), len(rows[0]), scale, s, t, bits_needed(s, t), max(at_update, default=1), at_update, last, separated,
        code_length(s, t, len(rows[0])),
    )  # fmt: skip
