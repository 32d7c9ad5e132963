"""What is taken away from the page, and what its panes say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from .conftest import says, settled
from .test_links import go

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")]


def wait_until_held(page: Any) -> None:
    """Wait until an answer is kept back. `wait_for_function` would evaluate a text, which the page's policy forbids."""
    for _ in range(400):
        if page.evaluate("!!window.release"):
            return
        page.wait_for_timeout(25)
    raise AssertionError("no answer was kept back within ten seconds")


def test_late_answers_are_not_shown(page: Any) -> None:
    """The first answer is kept back until the second one was shown."""
    for address in ("capacity", "trace"):
        page.evaluate(
            """address => { const real = window.fetch; let held = 0;
            window.fetch = async (path, ...rest) => { const found = await real(path, ...rest);
                if (path === `/api/${address}` && held++ === 0) await new Promise(done => { window.release = done; });
                return found; }; }""",
            address,
        )
        if address == "capacity":
            page.click("#tab-capacity")
            wait_until_held(page)
            page.fill("#capacity-p", "12")
            page.press("#capacity-p", "Tab")
            says(page, "#capacity-text", "C(12, 5)")
        else:
            page.evaluate("window.release = null")
            page.click("#tab-spam")
            wait_until_held(page)
            page.select_option("#spam-order", "first")
            says(page, "#spam-weights", "order first")
        page.evaluate("window.release()")
        settled(page)
    assert page.text_content("#capacity-text").startswith("C(12, 5)")
    assert "after 8 updates" in page.text_content("#spam-weights")


def test_a_run_with_held_out_points_has_the_numbers_of_the_page(page: Any) -> None:
    go(page, "pane=plane&points=0,-1,b;-1,0,b;3,-1,r;0,2,r;0.1,3,r;-2,-3,b&held=30&features=poly2")
    rows = page.evaluate("[...document.querySelectorAll('#steps tbody tr')].map(row => row.cells[2].textContent)")
    page.click("#take summary")
    with page.expect_download() as download:
        page.click("#save-html")
    replay = Path(download.value.path()).read_text("utf-8")
    assert re.findall(r"<tr[^>]*><td>\d+<td>\d+<td>(\d+)", replay) == rows
    assert "x1·x2" in replay
    assert "of the page; the others are held out" in page.input_value("#snippet")


def test_small_sentences(page: Any, tmp_path: Path) -> None:
    go(page, "pane=capacity&N=200&P=210")
    assert re.search(r" labellings: ≈ 1 − \d\.\d\de-\d+$", page.text_content("#capacity-text"))
    go(page, "pane=plane&points=0,0,b;1,1,r&start=1,1")
    assert "found 2 numbers" in page.text_content("#message")
    page.click("#clear")
    settled(page)
    assert page.text_content("#verdict") == "Put at least one point of each colour."
    page.focus("#plane")
    page.keyboard.press(" ")
    assert page.text_content("#play") == "play"
    page.click("#tab-spam")
    settled(page)
    for i in range(6):
        page.get_by_label(f"label of mail {i + 1}").select_option("1")
    says(page, "#message", "label at least one mail spam and one ham")
    settled(page)
    path = tmp_path / "quoted.csv"
    path.write_text("a,b,class\n" + '"1","2","x"\n' * 110_000)
    page.click("#tab-plane")
    page.set_input_files("#csv", path)
    says(page, "#message", "use novikoff fit quoted.csv")
    page.messages.clear()  # a refused call is an error line of the console


def test_the_drawing_has_the_colours_of_the_theme(page: Any) -> None:
    page.click("#tab-digits")
    says(page, "#digits-text", "right: ")
    colour = "[...document.getElementById('drawing').getContext('2d').getImageData(2, 2, 1, 1).data].slice(0, 3)"
    assert page.evaluate(colour) == [0xF5, 0xF6, 0xF8]
    page.click("#theme")
    assert page.evaluate(colour) == [0x1E, 0x22, 0x29]
    page.messages.clear()  # Chromium advises those who read a canvas
