"""`novikoff play` as a process, and pages of it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from ..conftest import WAIT, Opened


@contextmanager
def playing(*options: str, port: int = 0) -> Iterator[str]:
    """Start `novikoff play`; the address it printed."""
    command = [sys.executable, "-m", "novikoff", "play", "--no-browser", "--port", str(port), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line.startswith("novikoff play   http://127.0.0.1:"), line
            yield line.split()[2]
        finally:
            process.terminate()


@pytest.fixture(scope="session")
def play_url() -> Iterator[str]:
    """The address of one server for all tests of a process."""
    with playing() as url:
        yield url


@pytest.fixture
def played(opened: Opened) -> Opened:
    """`played(url, **context)` returns a page of the server, ready."""

    def open_page(url: str, **options: Any) -> Any:
        page = opened(url, **options)
        settled(page)
        return page

    return open_page


def settled(page: Any) -> None:
    """Wait until the page is ready and nothing is being asked."""
    page.wait_for_selector('body[data-ready="yes"][data-busy="0"]')


def says(page: Any, selector: str, text: str) -> None:
    """Wait until an element contains this text."""
    from playwright.sync_api import expect

    expect(page.locator(selector)).to_contain_text(text, timeout=WAIT)


def has_link(page: Any, part: str) -> None:
    """Wait until the address of the page contains this."""
    from playwright.sync_api import expect

    expect(page).to_have_url(re.compile(re.escape(part)), timeout=WAIT)


@pytest.fixture
def page(played: Opened, play_url: str) -> Any:
    """The play page with its first example."""
    return played(play_url)
