"""Many damaged certificates: `make stress`. STRESS_ROUNDS sets how many rounds of 1,050 (default 100)."""

from __future__ import annotations

import os
import random

import pytest

from damage.tampering import CHANGES, case, tampered
from property.test_proofs import agreed

ROUNDS = int(os.environ.get("STRESS_ROUNDS", "100")) if os.environ.get("STRESS") else 1
OF_EACH = 50 if os.environ.get("STRESS") else 3


@pytest.mark.parametrize("round_number", range(ROUNDS))
def test_nothing_is_taken_that_the_judge_does_not_take(round_number: int) -> None:
    """Slow and fast agree; what they take the independent judge takes, and brute force finds it true."""
    chance = random.Random(f"stress {round_number}")
    for _ in range(OF_EACH):
        true = case(chance)
        for change in CHANGES:
            c, rows = tampered(chance, true, change)
            agreed(c, rows)
