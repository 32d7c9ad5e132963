"""kill -9 at random instants: whoever goes on from the checkpoint gets the model of a run that was never killed."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
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


def test_a_run_that_is_killed_while_it_decides_goes_on_with_the_same_bits(tmp_path: Path) -> None:
    """The process dies after the decision, before it is stored: the resumed run decides again, and alike."""
    script = """
        import os, signal, sys, warnings
        import numpy as np
        import novikoff as nv
        from novikoff.estimators.decide_in_training import DecideInTraining
        warnings.simplefilter("ignore")
        rng = np.random.default_rng(0)
        X, y = rng.integers(-9, 10, (60, 4)).astype(float), rng.integers(0, int(sys.argv[2]), 60)
        decide = DecideInTraining.decide
        def killed(*request):
            decide(*request)
            os.kill(os.getpid(), signal.SIGKILL)
        if sys.argv[3] == "killed":
            DecideInTraining.decide = killed
        folder = None if sys.argv[1] == "-" else sys.argv[1]
        clf = nv.Perceptron().fit(X, y, checkpoint=folder, resume=folder is not None)
        print(clf.coef_.tobytes().hex(), clf.n_looks_, clf.stop_reason_, clf.n_mistakes_.tolist())
    """
    for classes in ("2", "3"):
        folder = str(tmp_path / classes)
        ends = [
            subprocess.run([sys.executable, "-c", textwrap.dedent(script), where, classes, how], capture_output=True)
            for where, how in (("-", "whole"), (folder, "killed"), (folder, "whole"))
        ]
        assert [end.returncode for end in ends] == [0, -signal.SIGKILL, 0]
        assert b"not_separable" in ends[0].stdout
        assert ends[0].stdout == ends[2].stdout
