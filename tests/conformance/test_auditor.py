"""Every sentence is true: 2,000 commands and calls on small problems, every claim derived again in fractions.

`make stress` goes on with other problems for STRESS_MINUTES minutes.
"""

from __future__ import annotations

import os

import pytest

from oracles.auditor import audits

BATCHES, CASES = 40, 50


@pytest.mark.parametrize("batch", range(BATCHES // 10 if os.environ.get("NUMBA_DISABLE_JIT") == "1" else BATCHES))
def test_no_sentence_is_false(batch: int) -> None:
    checked, found = 0, []
    for done in audits(batch * CASES, CASES):
        checked += done.checked
        found += done.found
    assert found == []
    assert checked > 10 * CASES
