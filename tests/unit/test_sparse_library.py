"""scipy.sparse is imported without packages of NumPy that are not used; NumPy and SciPy are whole afterwards."""

from __future__ import annotations

import subprocess
import sys

TEXT = """
import sys, numpy
from novikoff.io.parsing.sparse_library import UNUSED, sparse_library
before = dict(vars(numpy))
sparse = sparse_library()
assert sparse is sys.modules["scipy.sparse"] and sparse.csr_matrix([[0, 1]]).nnz == 1
assert not [name for name in ("f2py", "testing") if f"numpy.{name}" in sys.modules]
new = [name for name in UNUSED if name in vars(numpy) and name not in before]
assert not [name for name in new if f"numpy.{name}" not in sys.modules]
for name in UNUSED:
    assert getattr(numpy, name) is sys.modules[f"numpy.{name}"]
import scipy._lib.array_api_compat.numpy as copied
for name, used in (("f2py", "get_include"), ("testing", "assert_equal"), ("ma", "MaskedArray")):
    assert getattr(getattr(copied, name), used) is getattr(getattr(numpy, name), used)
import scipy.optimize, scipy.stats
print("whole")
"""


def test_numpy_and_scipy_are_whole_after_the_import() -> None:
    done = subprocess.run([sys.executable, "-c", TEXT], capture_output=True, text=True, check=False)
    assert done.stdout == "whole\n", done.stderr
