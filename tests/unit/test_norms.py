"""The length of a plane: near the true one, also where squares overflow or underflow."""

from __future__ import annotations

import math

import numpy as np
import pytest

from novikoff.kernels.norms import length


@pytest.mark.parametrize("power", [-1040, -600, -300, 0, 300, 500, 900])
@pytest.mark.parametrize("size", [1, 7, 3000])
def test_lengths_of_every_size(power: int, size: int) -> None:
    numbers = np.random.default_rng(size).normal(size=size + 1)
    scaled = np.ldexp(numbers, power)
    assert length(scaled[:-1], float(scaled[-1])) == pytest.approx(math.hypot(*scaled.tolist()), rel=1e-12)


def test_nothing_has_length_zero() -> None:
    assert length(np.zeros(3)) == length(np.empty(0)) == 0.0
