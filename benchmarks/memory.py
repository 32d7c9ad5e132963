"""How much memory does a fit take beside the points?

A process of its own holds the points in one storage, fits once (kernels are compiled and loaded), and fits again: the
largest resident size of the second fit minus the size before it (VmHWM and VmRSS of Linux; freed memory is given back
at once). Told as parts of the points' own size, or in bytes a row where rows are short.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.harness import Row, Size

SHARE, PER_ROW, ONE_COPY = 0.1, 24.0, 1.1
WIDTH = 256
TYPES = ("float64", "float32", "float16", "int64", "int32", "int16", "int8", "uint8", "bool")

CHILD = r"""
import gc, json, sys, warnings
import numpy as np, scipy.sparse as sp
storage, dtype, n, d, how, peer = json.loads(sys.argv[1])
warnings.simplefilter("ignore")
rng = np.random.default_rng(0)
K = how.pop("classes", 2)
if storage.startswith("cs"):
    length = round(how.pop("density") * d)
    step = d // length
    columns = (np.arange(length) * step + rng.integers(0, step, (n, length), dtype=np.int32)).astype(np.int32)
    values = rng.integers(1, 50, n * length, dtype=np.uint8).astype(dtype)
    X = sp.csr_matrix((values, columns.ravel(), np.arange(n + 1, dtype=np.int32) * length), shape=(n, d))
    y = rng.integers(0, K, n)
    X = X if storage == "csr" else X.tocsc()
    del columns, values
    size = X.data.nbytes + X.indices.nbytes + X.indptr.nbytes
else:
    X = np.empty((n, d), dtype, order="F" if storage == "F" else "C")
    for lo in range(0, n, 4096):
        X[lo:lo + 4096] = rng.integers(0, 2 if dtype == "bool" else 100, (min(4096, n - lo), d), dtype=np.uint8)
    size, y = X.nbytes, rng.integers(0, K, n)
    if storage == "pandas":
        import pandas as pd
        X = pd.DataFrame(X, copy=False)
    elif storage == "polars":
        import polars as pl
        X = pl.DataFrame({f"x{j}": np.ascontiguousarray(X[:, j]) for j in range(d)})
    elif storage == "pyarrow":
        import pyarrow as pa
        X = pa.table({f"x{j}": np.ascontiguousarray(X[:, j]) for j in range(d)})
if peer:
    from sklearn.linear_model import Perceptron
    learner = Perceptron(max_iter=how["max_iter"], tol=None)
else:
    from novikoff import Perceptron
    learner = Perceptron(**how)

def now(name):
    return next(int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith(name))

learner.fit(X, y)
del learner.coef_
gc.collect()
before = now("VmRSS")
open("/proc/self/clear_refs", "w").write("5")
learner.fit(X, y)
print(json.dumps([now("VmHWM") - before, size, n]))
"""


@dataclass(frozen=True)
class Case:
    """Points in one storage, and how they are fitted."""

    storage: str
    dtype: str
    d: int = WIDTH
    how: tuple[tuple[str, object], ...] = (("max_iter", 3),)
    bar: float | None = SHARE
    peer: bool = False


def cases() -> Iterator[Case]:
    """The storages of the bars, and scikit-learn beside some of them."""
    for dtype in TYPES:
        yield Case("C", dtype)
    for keep in ("last", "average"):
        yield Case("C", "float32", how=(("max_iter", 3), ("keep", keep)))
    yield Case("C", "float32", how=(("max_iter", 3), ("classes", 10)))
    yield Case("C", "uint8", how=(("max_iter", 3), ("classes", 10)))
    yield Case("C", "int8", bar=None, peer=True)
    yield Case("C", "float64", 10, bar=PER_ROW)
    yield Case("C", "int8", 10, bar=PER_ROW)
    yield Case("C", "float64", 10, (("max_iter", 3), ("classes", 4)), PER_ROW)
    for dtype in ("float32", "float64", "int64"):
        yield Case("csr", dtype, 20_000, (("max_iter", 3), ("density", 0.004)))
    yield Case("csr", "float32", 20_000, (("max_iter", 3), ("density", 0.0004)), PER_ROW)
    for storage, dtype in (("F", "float32"), ("F", "int8"), ("pandas", "float32"),
                           ("polars", "float32"), ("pyarrow", "float32")):  # fmt: skip
        yield Case(storage, dtype, WIDTH, (("max_iter", 1),))
        yield Case(storage, dtype, WIDTH, (("max_iter", 3),), ONE_COPY)


def ask(size: Size) -> Iterator[Row]:
    """The rows of this question."""
    if not Path("/proc/self/clear_refs").exists():
        return
    megabytes = size.dense[0] // 2000
    for case in cases():
        yield measured(case, megabytes * 1_000_000)


def measured(case: Case, wanted: int) -> Row:
    """One fit's memory beside about `wanted` bytes of points."""
    how = dict(case.how)
    width = 8 if case.dtype == "float64" else int("".join(c for c in case.dtype if c.isdigit()) or 8) // 8
    row = case.d * width if not case.storage.startswith("cs") else float(str(how["density"])) * case.d * (width + 4)
    n = max(1000, int(wanted / row))
    task = json.dumps([case.storage, case.dtype, n, case.d, how, case.peer])
    env = os.environ | {"MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "65536"}
    said = subprocess.run([sys.executable, "-c", CHILD, task], env=env, stdout=subprocess.PIPE, text=True, check=True)
    extra, stored, n = json.loads(said.stdout)
    who = "scikit-learn: " if case.peer else ""
    options = ", ".join(f"{value} {name}" if name == "classes" else f"{name} {value}" for name, value in case.how
                        if name != "density")  # fmt: skip
    what = f"{who}{case.storage} {case.dtype}, {stored / n:.0f} bytes a row, {options}"
    per_row = case.bar == PER_ROW
    value = extra / n if per_row else extra / stored
    return Row(f"{what}: extra {'bytes a row' if per_row else 'memory, in parts of the data'}", round(value, 3), "",
               bar=case.bar)  # fmt: skip
