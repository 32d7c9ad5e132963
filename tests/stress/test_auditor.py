"""Every sentence is true, for longer: `make stress`. STRESS_MINUTES sets how long (default 5)."""

from __future__ import annotations

import os
import time

import pytest

from oracles.auditor import audits

MINUTES = float(os.environ.get("STRESS_MINUTES", "5"))
FIRST = 1_000_000  # the suite has those before


@pytest.mark.timeout(60 * MINUTES + 600)
def test_no_sentence_is_false_for_some_minutes() -> None:
    end, number, checked, found = time.monotonic() + 60 * MINUTES, FIRST, 0, []
    while time.monotonic() < end:
        for done in audits(number, 50):
            number += 1
            checked += done.checked
            found += done.found
    print(f"{number - FIRST:,} commands and calls, {checked:,} claims, {len(found):,} false")
    assert found == []
