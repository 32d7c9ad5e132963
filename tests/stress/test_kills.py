"""Many kills of runs over files (`make stress`). STRESS_KILLS: for each format, default 200."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from damage.killed import FORMS, killed, overlapping

KILLS = int(os.environ.get("STRESS_KILLS", "200"))


@pytest.mark.timeout(7200)
@pytest.mark.parametrize("form", FORMS)
def test_many_kills(form: str, tmp_path: Path) -> None:
    counts: Any = killed([overlapping(tmp_path, form)], KILLS, 7, 7200)[f"t.{form}"]
    assert counts["kills"] >= KILLS
    assert all(wanted == got for wanted, got in counts["digests"])
    assert counts["resumed"] > KILLS // 4
    assert counts["by_verb"] > KILLS // 4
