"""Damaged files given to the verbs; more of them in tests/stress."""

from __future__ import annotations

from pathlib import Path

import pytest

from broken import broken_runs


@pytest.mark.compiled
def test_damaged_files_end_in_an_answer_or_in_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    codes = broken_runs(400, seed=0)
    assert codes[3] > 200
    assert codes[0] > 20
