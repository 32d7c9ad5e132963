"""Tests without a short form: only `make stress` collects them."""

from __future__ import annotations

from examples import STRESS

LONG = [
    f"test_{name}.py"
    for name in (
        "auditor",
        "bombs",
        "broken_files",
        "dask_faults",
        "explanations",
        "forged_files",
        "kills",
        "prepare",
        "sklearn_product",
        "theory",
    )
]
collect_ignore = [] if STRESS else LONG
