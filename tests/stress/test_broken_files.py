"""Many damaged files given to the verbs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from broken import broken_runs

pytestmark = pytest.mark.skipif(not os.environ.get("STRESS"), reason="long; STRESS=1 runs it")


@pytest.mark.parametrize("seed", range(1, 11))
def test_damaged_files(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert broken_runs(2000, seed)[3] > 1000
