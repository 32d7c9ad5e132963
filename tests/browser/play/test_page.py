"""The play page as a whole: links, files, tabs, restarts, themes, widths and accessibility."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import novikoff as nv

from ..conftest import Opened, violations
from .conftest import playing, says, settled

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")]

PANES = ("plane", "capacity", "spam", "digits")


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


def test_capacity_shows_covers_curve_and_measures_it(page: Any) -> None:
    page.click("#tab-capacity")
    settled(page)
    assert page.text_content("#capacity-text") == "C(10, 5) = 512 of 2^10 labellings: 1/2 = 0.5"
    page.fill("#capacity-trials", "20")
    page.press("#capacity-trials", "Tab")
    page.click("#capacity-run")
    says(page, "#capacity-text", "measured 20 sizes, 20 draws")
    rows = [row.split("\t") for row in page.inner_text("#capacity-table tbody").splitlines()]
    found = nv.capacity_experiment(N=5, trials=20, seed=0)
    assert [[r[0], r[2], r[3]] for r in rows] == [
        [str(row["P"]), f"{float(nv.separable_fraction(row['P'], 5)):.4f}", f"{row['measured']:.4f}"]
        for row in found.rows
    ]
    page.fill("#capacity-n", "65")
    page.press("#capacity-n", "Tab")
    says(page, "#capacity-text", "C(130, 65)")
    assert page.text_content("#capacity-text").endswith(" of 2^130 labellings: 1/2 = 0.5")
    assert "N=65" in page.url


def test_spam_shows_the_slides_weights_and_the_score_of_the_test_mail(page: Any) -> None:
    page.click("#tab-spam")
    settled(page)
    assert page.text_content("#spam-weights") == (
        "order cyclic: w = (0, 2, 0, −1, 1), b = 0 after 4 updates (separated)"
    )
    assert page.text_content("#spam-verdict") == (
        "✔ SEPARABLE (proof checked in this browser); R² = 5, γ² = 1/3, so at most 15 mistakes"
    )
    assert page.text_content("#spam-score").startswith("x′ scores +2 → spam")
    page.select_option("#spam-order", "first")
    settled(page)
    assert page.text_content("#spam-weights").startswith("order first: w = (1, 3, 0, −2, 3), b = 0 after 8 updates")
    page.get_by_label("mail 1, and").fill("3")
    page.get_by_label("mail 1, and").press("Tab")
    settled(page)
    X, y = nv.example("spam")
    X[0, 0] = 3
    run = nv.trace(X, y, order="first")
    assert f"after {len(run.steps)} updates" in page.text_content("#spam-weights")
    page.get_by_label("mail 1, of").fill("0.1")  # a fraction too long to show
    page.get_by_label("mail 1, of").press("Tab")
    settled(page)
    X[0, 3] = 0.1
    assert page.text_content("#spam-verdict").startswith("✔ SEPARABLE (proof checked in this browser); R² ≈ ")
    assert f"so at most {int(nv.margin(X, y).mistake_bound[1])} mistakes" in page.text_content("#spam-verdict")
    assert page.locator("#message").is_hidden()
    page.get_by_label("mail 1, of").fill("1")
    page.get_by_label("mail 1, of").press("Tab")
    settled(page)
    page.get_by_label("label of mail 2").select_option("1")
    settled(page)
    assert "mails=3,1,0,1,1,s;0,0,1,1,0,s;" in page.url
    again = page.url
    shown = page.text_content("#spam-weights")
    page.goto("about:blank")
    page.goto(again)
    settled(page)
    assert page.text_content("#spam-weights") == shown
    page.click("#spam-reset")
    settled(page)
    assert "mails=1,1,0,1,1,s;" in page.url


STROKES = {  # recorded strokes on the 32 × 32 area
    0: [[(16, 4), (11, 7), (9, 13), (9, 19), (11, 25), (16, 28), (21, 25), (23, 19), (23, 13), (21, 7), (16, 4)]],
    1: [[(13, 8), (17, 4), (17, 28)]],
    2: [[(9, 9), (12, 5), (18, 4), (22, 8), (21, 13), (15, 20), (9, 27), (23, 27)]],
    3: [[(9, 6), (15, 3), (21, 6), (20, 12), (14, 15), (21, 18), (22, 25), (15, 29), (9, 26)]],
    4: [[(15, 4), (9, 19), (24, 19)], [(19, 12), (18, 29)]],
    5: [[(22, 4), (11, 4), (10, 14), (17, 12), (22, 17), (21, 24), (15, 28), (9, 26)]],
    6: [[(19, 3), (12, 10), (9, 19), (11, 26), (17, 28), (22, 24), (20, 18), (14, 17), (10, 21)]],
    7: [[(9, 5), (23, 5), (16, 28)], [(12, 16), (21, 16)]],
    8: [[(16, 15), (10, 10), (12, 5), (19, 4), (22, 9), (16, 15), (10, 21), (12, 27), (19, 28), (22, 22), (16, 15)]],
    9: [[(22, 10), (17, 4), (11, 7), (12, 14), (18, 15), (22, 9), (21, 20), (18, 28)]],
}


def test_drawn_digits_are_classified(page: Any) -> None:
    page.click("#tab-digits")
    says(page, "#digits-text", "right: ")
    X, y = nv.example("digits")
    test = [i for i in range(len(y)) if i % 4 == 3]
    train = [i for i in range(len(y)) if i % 4 != 3]
    with pytest.warns(nv.NotSeparatedWarning):
        model = nv.Perceptron(multi_class="ova", keep="average", max_iter=100).fit(X[train], y[train])
    wrong = int((model.predict(X[test]) != y[test]).sum())
    assert f"{100 * (1 - wrong / len(test)):.1f} % of 449 test digits" in page.text_content("#digits-text")
    assert page.locator("#digit-weights svg").count() == 10
    box = page.locator("#drawing").bounding_box()
    found = {}
    for digit, strokes in STROKES.items():
        page.click("#digit-clear")
        for stroke in strokes:
            places = [(box["x"] + x * box["width"] / 32, box["y"] + y * box["height"] / 32) for x, y in stroke]
            page.mouse.move(*places[0])
            page.mouse.down()
            for place in places[1:]:
                page.mouse.move(*place)
            page.mouse.up()
        says(page, "#digit-class", "this is a")
        settled(page)
        found[digit] = int(page.text_content("#digit-class").removeprefix("this is a "))
    assert found == {digit: digit for digit in STROKES}
    page.focus("#drawing")
    page.keyboard.press("Delete")
    assert page.text_content("#digit-class") == ""
    for key in (" ", *["ArrowDown"] * 8):
        page.keyboard.press(key)
    says(page, "#digit-class", "this is a")
    settled(page)


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
