"""How many examples a property is tried on.

The suite tries the same ones in every run, so that it never fails by chance. `make stress` (STRESS=1) tries others each
time, and STRESS_EXAMPLES times as many (default 10): what chance finds is found there.
"""

from __future__ import annotations

import os

from hypothesis import settings

STRESS = bool(os.environ.get("STRESS"))
TIMES = int(os.environ.get("STRESS_EXAMPLES", "10")) if STRESS else 1


def examples(many: int) -> settings:
    """So many examples, in the suite."""
    return settings(max_examples=many * TIMES)
