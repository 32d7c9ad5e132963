"""kill -9 at random instants: whoever goes on from the checkpoint gets the model of a run that was never killed."""

from __future__ import annotations

from pathlib import Path

import pytest

from damage.killed import FORMS, killed, overlapping


@pytest.mark.compiled
def test_kill_9(tmp_path: Path) -> None:
    """Six kills for each of svmlight, gz, zst and Parquet; of estimators, then of the command on files that stay."""
    found = killed([overlapping(tmp_path, form) for form in FORMS], 6, 1)
    for name, counts in found.items():
        assert counts["kills"] >= 6, name
        assert all(wanted == got for wanted, got in counts["digests"]), name
    assert sum(counts["resumed"] for counts in found.values()) >= 6
    assert sum(counts["by_verb"] for counts in found.values()) >= 1
