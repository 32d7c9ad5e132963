"""Tests in a real browser: Debian's chromium, driven by playwright.

`playwright install` is never run: it downloads browsers. Where chromium or a package is missing the tests are skipped;
if the environment variable CI is set they fail.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

FLAGS = ["--disable-dev-shm-usage", "--force-color-profile=srgb", "--font-render-hinting=none"]
WAIT = 180_000  # milliseconds: a first call may compile
Opened = Callable[..., Any]


def missing(reason: str) -> None:
    """Skip, or fail in CI."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One browser for the tests of a file; playwright's event loop ends with it, before other tests need one."""
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


@pytest.fixture
def opened(browser: Any) -> Iterator[Opened]:
    """`opened(url, **context)` returns a page. At the end the consoles must be empty, and no request has left the site.

    The site of a file is that file; the site of a server is all its addresses.
    """
    contexts, messages, foreign = [], list[str](), list[str]()

    def open_page(url: str, width: int = 1200, height: int = 900, context: Any = None, **options: Any) -> Any:
        usual = {"viewport": {"width": width, "height": height}, "reduced_motion": "reduce", "color_scheme": "light"}
        if context is None:
            context = browser.new_context(**(usual | options))
            context.set_default_timeout(WAIT)
            contexts.append(context)
        page, site = context.new_page(), url.partition("#")[0]

        def leaves(address: str) -> bool:
            if address.startswith(("data:", "blob:")):
                return False
            return address != site if site.startswith("file:") else not address.startswith(site)

        page.on("pageerror", lambda error: messages.append(str(error)))
        page.on("console", lambda message: messages.append(message.text))
        page.on("request", lambda request: foreign.append(request.url) if leaves(request.url) else None)
        page.messages = messages
        page.goto(url)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert messages == []
    assert foreign == []


def violations(page: Any) -> list[str]:
    """Return what axe finds: the rule, and the first elements."""
    try:
        from axe_playwright_python.sync_playwright import Axe
    except ImportError:
        missing("axe-playwright-python is not installed: pip install axe-playwright-python")
    found = Axe().run(page).response["violations"]
    return [f"{one['id']}: {[node['html'][:200] for node in one['nodes']][:3]}" for one in found]


# ---- the play page


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
