"""The play page as a whole: links, files, tabs, restarts, themes, widths and accessibility."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import novikoff as nv

from ..conftest import Opened, violations
from .conftest import playing, says, settled

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")]

PANES = ("plane", "capacity", "spam", "digits")


# ---- state in links ------------------------------------------------------------------------------------------------


def test_a_link_has_the_state_and_never_the_token(page: Any, played: Opened, play_url: str) -> None:
    assert play_url.partition("t=")[2] not in page.url
    page.select_option("#example", "or")
    settled(page)
    page.select_option("#order", "first")
    settled(page)
    page.click("#back")
    link = page.url
    assert "t=" not in link
    assert link.endswith("#pane=plane&points=0,0,b;1,0,r;0,1,r;1,1,r&k=8&order=first")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click("#copy-link")
    says(page, "#copy-link", "Copied")
    assert page.evaluate("navigator.clipboard.readText()") == link
    shown = page.text_content("#weights-text")
    again = played(link, context=page.context)  # has the token of the other tab
    assert again.text_content("#weights-text") == shown
    assert again.url == link
    assert again.input_value("#order") == "first"
    assert again.input_value("#example") == ""
    again.evaluate("location.hash = 'pane=plane&points=-200000,3,b;150000,90000,r;20000,-123456,r;1000,2,b'")
    says(again, "#verdict-more", "widest band: ≈0.0000212339·x₁ − 0.000012932·x₂ − 1.02121 = 0")
    says(again, "#verdict-more", "(γ² ≈ 0.958896)")


def test_a_damaged_link_is_a_sentence(played: Opened, play_url: str) -> None:
    page = played(f"{play_url}&pane=plane&points=1,2,r;x,3,b&order=up&seed=-1")
    assert page.text_content("#message") == "The link is damaged: points, order, seed was ignored."
    assert page.text_content("#verdict").startswith("✔ SEPARABLE")  # the first example


def test_the_command_opens_the_same_state(page: Any, played: Opened) -> None:
    page.select_option("#example", "xor")
    settled(page)
    command = page.input_value("#cli-line")
    fragment = re.fullmatch(r"novikoff play --open '(.*)'", command)[1]
    with playing("--open", fragment) as url:
        other = played(url)
        assert other.url.partition("#")[2] == page.url.partition("#")[2]
        assert other.text_content("#verdict-more") == page.text_content("#verdict-more")


def test_an_example_of_the_command_is_called_by_its_name_and_opens_with_a_line(played: Opened) -> None:
    """The run on XOR ends with w = 0, and its third line touches a corner of the window: the second one is seen."""
    with playing("--example", "xor") as url:
        page = played(url)
        assert page.text_content("#example option:checked") == "xor"
        assert page.text_content("#k-text") == "2 of 4"
        assert page.locator("#plane .boundary").count() == 1
        page.click("#to-end")
        assert page.text_content("#k-text") == "4 of 4"
        page.select_option("#example", "or")
        settled(page)
        assert page.text_content("#example option >> nth=0") == "your points"


def test_the_snippet_runs_and_prints_the_same_run(page: Any) -> None:
    page.select_option("#example", "cornwell")
    settled(page)
    page.select_option("#order", "shuffle")
    settled(page)
    code = page.input_value("#snippet")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    X, y = nv.example("cornwell")
    assert done.stdout == f"{nv.trace(X, y, order='shuffle').to_text()}\n{nv.decide(X, y).explain()}\n"


def test_files_are_those_of_the_library(page: Any) -> None:
    X, y = nv.example("cornwell")
    run = nv.trace(X, y)
    page.click("#take summary")
    for button, name, text in (("latex", "trace.tex", run.to_latex()), ("csv", "trace.csv", run.to_csv())):
        with page.expect_download() as download:
            page.click(f"#save-{button}")
        assert download.value.suggested_filename == name
        assert Path(download.value.path()).read_text("utf-8") == text
    with page.expect_download() as download:
        page.click("#save-points")
    points = nv.read(_renamed(download.value, "points.csv"))
    assert points.X.tolist() == X.tolist()
    with page.expect_download() as download:
        page.click("#certificate")
    assert nv.verify(Path(download.value.path()), X, y) == "complete"


def _renamed(download: Any, name: str) -> Path:
    path = Path(download.path()).with_name(name)
    download.save_as(path)
    return path


def test_the_replay_page_steps_without_a_server(page: Any, opened: Opened) -> None:
    page.click("#take summary")
    with page.expect_download() as download:
        page.click("#save-html")
    path = _renamed(download.value, "replay.html")
    X, y = nv.example("cornwell")
    assert path.read_text("utf-8") == nv.trace(X, y).to_html(nv.margin(X, y), "points of the play page")
    replay = opened(path.as_uri())
    assert "4·x1 − 1/2·x2 + 1 = 0" in replay.text_content("body")
    replay.click("#step")
    assert "1 of at most 55 mistakes" in replay.text_content(".budget")


# ---- tabs, restarts, a dead server ---------------------------------------------------------------------------------


def test_a_stopped_server_is_a_sentence_and_a_restarted_one_goes_on(played: Opened) -> None:
    with playing() as url:
        page = played(url)
        port = int(re.search(r":(\d+)/", url)[1])
    page.select_option("#order", "first")
    page.wait_for_selector("#message:not([hidden])")
    assert page.text_content("#message").startswith("novikoff play has stopped. Your points are kept in this tab")
    before = page.url
    with playing(port=port) as url:
        page.select_option("#order", "random")
        says(page, "#message", "open the link")
        second = played(url, context=page.context)  # has the new token, also for the first tab
        page.select_option("#order", "cyclic")
        page.wait_for_selector("#message", state="hidden")
        settled(page)
        assert page.text_content("#k-text") == second.text_content("#k-text") == "9 of 9"
        assert page.url == before.replace("&order=first", "")
    page.messages.clear()  # refused connections and calls are error lines of the console


def test_a_page_without_the_token_says_what_to_do(opened: Opened, play_url: str) -> None:
    page = opened(play_url.partition("#")[0])
    page.wait_for_selector("#message:not([hidden])")
    assert "open the link that novikoff play printed" in page.text_content("#message")
    page.messages.clear()


def test_the_server_opens_the_data_it_was_started_with(played: Opened, tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("a,b,label\n0,0,-\n4,4,+\n")
    with playing(str(path)) as url:
        page = played(url)
        assert "points=0,0,b;4,4,r" in page.url


# ---- themes, widths, accessibility ---------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_any_pane(played: Opened, play_url: str, scheme: str) -> None:
    page = played(play_url, color_scheme=scheme)
    for pane in PANES:
        page.click(f"#tab-{pane}")
        settled(page)
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        assert violations(page) == []
    page.click("#show-keys")
    assert violations(page) == []


def test_the_theme_can_be_chosen(page: Any) -> None:
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    assert page.evaluate(ground) == "rgb(255, 255, 255)"
    page.click("#theme")
    assert page.evaluate(ground) == "rgb(21, 24, 29)"
    assert page.text_content("#theme") == "Light theme"


@pytest.mark.parametrize("width", [320, 700])
def test_a_narrow_page_has_one_column_and_no_sideways_scrolling(played: Opened, play_url: str, width: int) -> None:
    page = played(play_url, width=width, height=700)
    for pane in PANES:
        page.click(f"#tab-{pane}")
        settled(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.click("#tab-plane")
    plane, verdict = page.locator("#plane").bounding_box(), page.locator("#verdict").bounding_box()
    assert plane["y"] < verdict["y"]
    small = page.evaluate(
        """[...document.querySelectorAll('button, select, summary, input')].filter(e => e.offsetParent
            && !e.closest('.button') && !['range', 'checkbox', 'radio'].includes(e.type)
            && e.getBoundingClientRect().height < 32).map(e => e.id)"""
    )
    assert small == []
