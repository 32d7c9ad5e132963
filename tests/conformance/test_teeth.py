"""The twins can fail: with one of these faults in the kernels, the checks of `test_routes` notice other runs.

Each fault is made in a copy of the package, which a process of its own imports, with interpreted kernels.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import novikoff

PACKAGE, TESTS = Path(novikoff.__file__).parent, Path(__file__).parents[1]
FUSED = """
from fractions import Fraction
def fused(w, g, x):
    return float(Fraction(float(w)) + Fraction(float(g)) * Fraction(float(x)))
"""
FAULTS = {
    "a fused update of a dense row": (
        "kernels/dense.py", "w[j] = w[j] + g * np.float64(X[i, j])", "w[j] = fused(w[j], g, np.float64(X[i, j]))",
    ),
    "a fused update of a sparse row": (
        "kernels/sparse.py", "w[c] = w[c] + g * np.float64(val[j])", "w[c] = fused(w[c], g, np.float64(val[j]))",
    ),
    "no bound on the error of a look": (
        "kernels/exact_sign.py", "return (n + 10) * 2.0**-53 * (np.sqrt(W2) * np.sqrt(R2))", "return 0.0 * n",
    ),
    "no bound on the error of a second look": (
        "kernels/exact_sign.py", "(n + 10) * 2.0**-53 * a * 1.01 + (n + 10) * 2.0**-1070 and", "0.0 and",
    ),
    "a sparse sum from its last column to its first": (
        "kernels/sparse.py",
        '''summed from its first column to its last."""
    val, col, ptr = A
    s = 0.0
    q = 0.0
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):''',
        '''summed from its last column to its first."""
    val, col, ptr = A
    s = 0.0
    q = 0.0
    for j in range(int(ptr[i + 1]) - 1, int(ptr[i]) - 1, -1):''',
    ),
}  # fmt: skip
PROGRAM = """
import pathlib, tempfile
from conformance.test_routes import check_routes, check_twin, facts, of_family
found = runs = 0
for family in ("near ties", "wide near ties", "whole near ties"):
    for k, task, twin in of_family(family, "cyclic", 20):
        clf = task.fit()
        if clf.stop_reason_ != "rounding":
            runs += 1
            try:
                check_twin(task, twin, clf)
                check_routes(task, facts(clf, task.X), ["csr float64"], pathlib.Path(tempfile.gettempdir()))
            except AssertionError:
                found += 1
print(runs, found)
"""


@pytest.mark.compiled
@pytest.mark.parametrize("fault", [None, *FAULTS])
def test_the_twins_notice_a_fault_of_a_kernel_and_nothing_without_one(fault: str | None, tmp_path: Path) -> None:
    copy = tmp_path / "novikoff"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    if fault is not None:
        name, before, after = FAULTS[fault]
        text = (copy / name).read_text()
        assert text.count(before) == 1, f"{name} has another text: write this fault anew"
        (copy / name).write_text(text.replace(before, after) + FUSED)
    env = os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{TESTS}", "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", PROGRAM], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    runs, found = map(int, done.stdout.split())
    assert runs > 50
    assert found == 0 if fault is None else found > 0
