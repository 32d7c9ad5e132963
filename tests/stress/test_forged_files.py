"""Forged files by the minute (`make stress`). STRESS_FORGED: minutes, 10; the counts go to the report of the test."""

from __future__ import annotations

import os
from collections import Counter

import pytest

from damage.forge import told_of
from damage.formats import FORMATS

MINUTES = float(os.environ.get("STRESS_FORGED", "10"))


@pytest.mark.timeout(60 * MINUTES + 1800)
@pytest.mark.parametrize("kind", FORMATS)
def test_forged_files(kind: str) -> None:
    found = told_of(
        "--kind", kind, "--minutes", str(MINUTES / len(FORMATS)), "--seed", "1000", seconds=60 * MINUTES + 1200
    )
    print(f"{kind}: {found['pairs']} pairs of {found['lies']} lies; exit codes {Counter(found['codes'])}")
    assert found["failures"] == []
