"""Tests without a short form: only `make stress` collects them."""

from __future__ import annotations

from examples import STRESS

LONG = [
    f"test_{name}.py"
    for name in (
        "auditor",
        "dask_faults",
        "forged_files",
        "sklearn_product",
        "theory",
    )
]
collect_ignore = [] if STRESS else LONG
