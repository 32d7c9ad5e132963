"""Tests in a real browser: Debian's chromium, driven by playwright.

`playwright install` is never run: it downloads browsers. Where there is no chromium the tests are skipped; where the
environment variable CI is set its absence is a failure.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

FLAGS = ["--disable-dev-shm-usage", "--force-color-profile=srgb", "--font-render-hinting=none"]


def missing(reason: str) -> None:
    """Skip, or fail in CI."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """One browser for all tests of a process."""
    program = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if program is None:
        missing("chromium is not installed: apt-get install --no-install-recommends chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("playwright is not installed: pip install playwright axe-playwright-python")
    with sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=program, args=FLAGS)
        yield found
        found.close()
