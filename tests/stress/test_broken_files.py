"""Many damaged files, models and checkpoints given to the verbs (`make stress`). STRESS_BROKEN: cases, 120,000."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from damage.broken import broken_runs

ROUNDS = 20
CASES = int(os.environ.get("STRESS_BROKEN", "120000")) // ROUNDS


@pytest.mark.timeout(7200)
@pytest.mark.parametrize("seed", range(1, ROUNDS + 1))
def test_damaged_files(seed: int, tmp_path: Path) -> None:
    found = broken_runs(tmp_path, CASES, seed)
    assert found["faults"] == []
    assert found["codes"]["3"] > CASES // 2
