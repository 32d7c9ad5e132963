"""Every sentence is true: 2,000 commands on small files, their words and JSON derived again in fractions.

`make stress` goes on with other files for STRESS_MINUTES minutes.
"""

from __future__ import annotations

import pytest

from novikoff.compile import compiler_is_off
from oracles.auditor import audits

BATCHES, CASES = 20, 100


@pytest.mark.parametrize("batch", range(BATCHES // 10 if compiler_is_off() else BATCHES))
def test_no_sentence_is_false(batch: int) -> None:
    checked, found = 0, []
    for done in audits(batch * CASES, CASES):
        checked += done.checked
        found += done.found
    assert found == []
    assert checked > 10 * CASES
