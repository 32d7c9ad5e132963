"""Many damaged certificates: `make stress`. STRESS_ROUNDS sets how many rounds of 1,050 (default 100)."""

from __future__ import annotations

import os
import random

import pytest

from damage.tampering import CHANGES, case, tampered
from novikoff.certify.check.verify import CertificateError, check
from novikoff.certify.check.verify_fast import verify
from novikoff.data.plain_files import UnreadableError
from novikoff.errors import InputError
from oracles.brute_force_proofs import true_kind
from oracles.judge_of_proofs import judged

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
            try:
                kind = check(c, rows)
            except (CertificateError, UnreadableError):
                kind = None
            try:
                X = [[float(text) for text in texts] for _, texts in rows]
                assert verify(c, X, [label for label, _ in rows]) == kind
            except (CertificateError, InputError):
                assert kind is None, (change.__name__, c, rows)
            if kind is not None:
                assert judged(c, rows) == kind, (change.__name__, c, rows)
                truth = true_kind(rows, c["data"]["bias"], c["data"].get("positive"))
                assert kind == truth or (kind == "not separable" and truth != "complete"), (change.__name__, c, rows)
