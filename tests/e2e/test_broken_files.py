"""Damaged files, models and checkpoints given to the verbs; more of them in tests/stress."""

from __future__ import annotations

from pathlib import Path

import pytest

from broken import BINARY_FILES, FOLDERS, KINDS, MODELS, TEXT_FILES, broken_runs


@pytest.mark.compiled
def test_damaged_files_end_in_an_answer_or_in_one_clear_line(tmp_path: Path) -> None:
    found = broken_runs(tmp_path, 2400, seed=0)
    assert found["faults"] == []
    assert set(found["kinds"]) == set(KINDS)
    refused = {kind: count for kind, (_, count) in found["kinds"].items()}
    assert all(refused[kind] > 20 for kind in (*BINARY_FILES, *FOLDERS[:2], *MODELS)), refused
    assert all(found["kinds"][kind][0] > 0 for kind in TEXT_FILES)  # some damage is another file
