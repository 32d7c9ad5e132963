"""`novikoff play` as a process, and pages of it; a page's console must stay clean and all its requests stay here."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

WAIT = 180_000  # milliseconds: a first call may compile


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
def opened(browser: Any) -> Iterator[Callable[..., Any]]:
    """`opened(url, **context)`: a page, ready; at the end its console is checked, and that no request left."""
    contexts, errors, foreign = [], list[str](), list[str]()

    def open_page(url: str, ready: bool = True, context: Any = None, **options: Any) -> Any:
        size = {"viewport": {"width": 1200, "height": 900}, "reduced_motion": "reduce", "color_scheme": "light"}
        if context is None:
            context = browser.new_context(**(size | options))
            context.set_default_timeout(WAIT)
            contexts.append(context)
        page = context.new_page()
        site = url.partition("#")[0]
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.on("request", lambda r: None if r.url.startswith((site, "data:", "blob:")) else foreign.append(r.url))
        page.errors = errors
        page.goto(url)
        if ready:
            settled(page)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []
    assert foreign == []


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
def page(opened: Callable[..., Any], play_url: str) -> Any:
    """The play page with its first example."""
    return opened(play_url)
