"""Long runs of what the suite does shortly: `make stress`. STRESS_PROBLEMS sets how many (default 12,000)."""

from __future__ import annotations

import os

import pytest

pytestmark = pytest.mark.skipif(not os.environ.get("STRESS"), reason="long: run by make stress")
