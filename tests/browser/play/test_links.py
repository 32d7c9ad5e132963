"""Links and typed settings of the play page: only numbers and known words get in, and everything else is named."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

import novikoff as nv

from ..conftest import Opened
from .conftest import says, settled

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")]

POINTS = "pane=plane&points=-1,3,b;-1,-1,b;3,-1,r;0,1.5,r"
NUMBERS = ["1", "-2", "+3", "1/2", "-1/3", "0.5", "5.", ".25", "1e-1", "2E3", "1.5e+2", "1e-300", "0"]
NO_NUMBERS = ["", "x", "1/0", "1/", "1.5/2", "1e", "e5", "1e1000", "1_0", "0x10", "inf", "nan", "1 2", "--1", ".", "١"]


def go(page: Any, fragment: str) -> None:
    """Open another state in this tab."""
    page.evaluate("fragment => { document.body.dataset.ready = 'no'; location.hash = fragment; }", fragment)
    settled(page)


def test_the_page_reads_numbers_as_the_server_does(page: Any) -> None:
    read = """texts => import('./exact_numbers.js').then(({ parsed }) => texts.map(text => {
        const found = parsed(text); return found === null ? null : [found.text, found.number]; }))"""
    for text, found in zip(NUMBERS, page.evaluate(read, NUMBERS), strict=True):
        assert Fraction(found[0]) == Fraction(text)
        assert found[1] == pytest.approx(float(Fraction(text)), rel=1e-15)
    assert page.evaluate(read, NO_NUMBERS) == [None] * len(NO_NUMBERS)


def test_the_bound_of_a_rate_with_an_exponent_is_that_of_the_decimal_number(page: Any) -> None:
    X, y = nv.example("cornwell")
    run = nv.trace(X, y, w0=[-50, 0, 0], eta0="0.1", max_updates=2000)
    bound = nv.margin(X, y).mistake_bound_from([-50, 0, 0], Fraction(1, 10))
    for eta, start in (("1e-1", "-50,0,0"), ("0.1", "-5e1,0,0"), ("1/10", "−50,0,0")):
        go(page, f"{POINTS}&start={start}&eta={eta}&max=2000")
        assert page.text_content("#budget-text") == f"mistakes: {len(run.steps)} of at most {bound:d} from this start"
        assert page.locator("#message").is_hidden()


def test_a_link_puts_no_code_into_snippet_or_command(page: Any) -> None:
    code = '1"+__import__("os").popen("touch PWNED").read()+"'
    for name, value in (("eta", code), ("eta", "0"), ("eta", "1,2"), ("start", "0,0,0'"), ("start", f"0,0,{code}")):
        go(page, f"{POINTS}&{name}={quote(value)}")
        assert page.text_content("#message") == f"The link is damaged: {name} was ignored."
        assert page.input_value("#cli-line") == f"novikoff play --open '{POINTS}'"
        assert "import novikoff as nv" in page.input_value("#snippet")
        assert "PWNED" not in page.content() + page.input_value("#snippet") + page.url


def test_a_setting_that_is_refused_has_no_snippet(page: Any) -> None:
    go(page, f"{POINTS}&start=1,2")
    assert "expected 3" in page.text_content("#message")
    assert page.input_value("#snippet") == page.input_value("#cli-line") == ""
    for name, text in (("eta", "1/0"), ("eta", "0"), ("start", "1,x")):
        go(page, f"{POINTS}&eta=1/2")
        page.fill(f"#{name}", text)
        page.press(f"#{name}", "Tab")
        assert f'found "{text}", expected' in page.text_content("#message")
        assert page.input_value("#eta") == "1/2"
        assert 'eta0="1/2"' in page.input_value("#snippet")
    page.messages.clear()  # a refused call is an error line of the console


def test_the_snippet_of_a_rate_and_a_start_prints_the_same_run(page: Any) -> None:
    go(page, f"{POINTS}&start=−1e1,1/2,.5&eta=1e-1")
    done = subprocess.run(
        [sys.executable, "-c", page.input_value("#snippet")], capture_output=True, text=True, timeout=120, check=True
    )
    X, y = nv.example("cornwell")
    assert nv.trace(X, y, w0=[-10, "1/2", "1/2"], eta0="1/10").to_text() in done.stdout


@pytest.mark.parametrize(
    ("fragment", "names"),
    [
        ("__proto__=1", "__proto__"),
        ("constructor=1", "constructor"),
        ("toString=x", "toString"),
        ("k=abc", "k"),
        ("points=%E0%A4%A", "points"),
        ("bias=yes", "bias"),
        ("pane=spam&mails=1,x,s&mail=1,1", "mails"),
        ("pane=spam&mails=1,1,s&mail=1,x", "mail, mails"),
        ("seed=1&seed=-1&seed=x", "seed"),
    ],
)
def test_every_damaged_part_of_a_link_is_named(page: Any, fragment: str, names: str) -> None:
    go(page, fragment if fragment.startswith("pane") else f"{POINTS}&{fragment}")
    assert page.text_content("#message") == f"The link is damaged: {names} was ignored."


def test_every_seed_of_the_control_has_a_link(page: Any) -> None:
    page.fill("#seed", "2147483647")
    page.press("#seed", "Tab")
    settled(page)
    assert "seed=2147483647" in page.url
    link = page.url.partition("#")[2]
    go(page, POINTS)
    go(page, link)
    assert page.input_value("#seed") == "2147483647"
    assert page.locator("#message").is_hidden()


def test_a_false_token_in_a_link_changes_no_tab(page: Any, played: Opened, play_url: str) -> None:
    front, _, token = play_url.partition("#t=")
    other = played(f"{front}#t=evil&{POINTS}", context=page.context)
    for tab in (page, other):
        assert tab.evaluate("localStorage.getItem('novikoff-token')") == token
        tab.select_option("#order", "first")
        settled(tab)
        assert tab.text_content("#k-text") == "9 of 9"
        assert tab.locator("#message").is_hidden()
    page.messages.clear()  # the refused token is an error line of the console


def test_a_number_too_large_for_the_page_is_refused_and_the_points_stay(page: Any, tmp_path: Path) -> None:
    path, before = tmp_path / "far.csv", page.url
    path.write_text("a,b,l\n1,1e12,1\n3,4,0\n")
    page.set_input_files("#csv", path)
    page.wait_for_selector("#message:not([hidden])")
    assert page.text_content("#message").startswith("far.csv, row 1, column b: found 1e+12; the page takes numbers")
    assert page.url == before
    page.reload()
    settled(page)
    assert page.url == before
    assert page.locator("#message").is_hidden()
    page.messages.clear()  # a refused call is an error line of the console


def test_many_runs_are_hidden_when_points_or_settings_change(page: Any) -> None:
    page.click("#more summary")
    page.click("#many-orders")
    says(page, "#many-text", "100 orders (")
    page.uncheck("#bias")
    settled(page)
    assert page.text_content("#many-text") == ""
    assert page.locator("#many-chart svg").count() == 0
    page.click("#clear")
    page.click("#many-orders")
    assert page.text_content("#many-text") == "Put at least one point of each colour."
    page.focus("#plane")
    page.keyboard.press("r")
    settled(page)
    assert page.text_content("#many-text") == ""


def test_undo_after_opening_keeps_the_points(page: Any) -> None:
    before = page.url
    page.click("#undo")
    settled(page)
    assert page.url == before
    page.select_option("#example", "xor")
    settled(page)
    page.click("#undo")
    settled(page)
    assert "points=-1,3,b;-1,-1,b;3,-1,r;0,1.5,r" in page.url


def test_a_line_through_the_origin_is_said_once(page: Any) -> None:
    page.select_option("#example", "tao")
    settled(page)
    assert page.text_content("#verdict") == "✔ SEPARABLE by a line through the origin: x₁ + x₂ = 0"


def test_numbers_of_an_axis_are_below_their_grid_lines(page: Any) -> None:
    page.click("#tab-capacity")
    settled(page)
    places = page.evaluate("""[...document.querySelectorAll('#capacity-chart .gridline')].filter(e =>
        e.getAttribute('x1') === e.getAttribute('x2')).map(e => [e.getAttribute('x1'),
        e.nextSibling.getAttribute('x'), e.nextSibling.getAttribute('text-anchor'), e.nextSibling.textContent])""")
    assert places[-1][3] == "4"
    assert all(line == label and anchor == "middle" for line, label, anchor, _ in places)


def test_a_table_that_is_cut_off_has_a_shadow_at_its_edge(played: Opened, play_url: str) -> None:
    page = played(f"{play_url}&pane=spam", width=320, height=700)
    box = page.locator("#pane-spam .scroll")
    assert box.evaluate("e => e.scrollWidth > e.clientWidth")
    edges = box.evaluate("e => getComputedStyle(e).backgroundAttachment")
    assert edges.split(", ")[:4] == ["local", "local", "scroll", "scroll"]
