"""What is only long: it has no short form in the suite, and is collected by `make stress` alone."""

from __future__ import annotations

from examples import STRESS

LONG = [
    f"test_{name}.py"
    for name in ("auditor", "broken_files", "explanations", "forged_files", "kills", "prepare", "sklearn_product")
]
collect_ignore = [] if STRESS else LONG
