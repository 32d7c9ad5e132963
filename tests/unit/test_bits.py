"""Bits of weights: the bound, code lengths, runs."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from novikoff import bits_needed, bits_used, encoding_bits

FIXED_ORDERS = ("cyclic", "first", "shuffle", "random")


def elias_delta(n: int) -> str:
    """The code itself: the length of n in binary by Elias γ, then n without its leading 1."""
    digits = f"{n:b}"
    length = f"{len(digits):b}"
    return "0" * (len(length) - 1) + length + digits[1:]


def test_T6_bits_needed_hold_the_largest_possible_weight() -> None:
    for s in range(1, 12):
        for t in range(1, 70):
            assert (t * (2**s - 1)).bit_length() + 1 <= bits_needed(s, t)
    assert bits_needed(2, 1) == 3  # the points −2 and 1 give w = 2 in one update: 2 bits and a sign


def sets(seed: int, many: int) -> list[tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(many):
        X = rng.integers(-9, 10, (int(rng.integers(2, 8)), int(rng.integers(1, 4)))) / rng.choice([1, 2, 8])
        y = rng.choice([-1, 1], len(X))
        y[:2] = -1, 1
        found.append((X, y))
    return found


@pytest.mark.parametrize("order", FIXED_ORDERS)
def test_T6_bits_used_are_at_most_the_bound_on_every_run(order: str) -> None:
    for X, y in sets(1, 30):
        for bias in (True, False):
            run = bits_used(X, y, fit_intercept=bias, order=order, max_updates=300)
            assert run.used <= run.bound
            assert run.used == max(run.at_update, default=1)
            for t, used in enumerate(run.at_update, start=1):
                assert used <= bits_needed(run.s, t)


def test_encoding_bits_of_models() -> None:
    X, y = nv.example("cornwell")
    clf = nv.Perceptron().fit(X, y)
    assert encoding_bits(clf) == encoding_bits([8, -1, 2]) == len(elias_delta(4)) + 3 * 5
    assert encoding_bits(nv.Perceptron(fit_intercept=False).fit(*nv.example("tao"))) == encoding_bits([1, 1])
    many = SimpleNamespace(coef_=np.array([[1.0, 2.0], [0.5, -3.0]]), intercept_=np.array([4.0, 0.25]))
    assert encoding_bits(many) == encoding_bits([1, 2, 4]) + encoding_bits([2, -12, 1])


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda: bits_needed(0, 1), "s: found 0"),
        (lambda: bits_needed(1, -1), "t: found -1"),
        (lambda: bits_needed(1.5, 1), r"s: found 1\.5"),
        (lambda: encoding_bits([]), "model: found no weights"),
        (lambda: encoding_bits(["x"]), "model, number 1"),
        (lambda: bits_used([[1]], [1]), "y: found 1 class"),
    ],
)
def test_bad_arguments_are_refused(call: Any, expected: str) -> None:
    with pytest.raises(nv.InputError, match=expected):
        call()


def test_the_order_batch_has_no_bound_on_bits() -> None:
    with pytest.raises(nv.InputError, match="order: found 'batch'"):
        nv.bits_used(*nv.example("and"), order="batch")
