"""The play page in a real browser: examples, editing, stepping, proofs, links, files, restarts, accessibility."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

import novikoff as nv

from .conftest import Opened, has_link, playing, says, settled, violations

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")]

# anchors of the notes: order, last weights, updates, looks or None, R², γ², bound
LECTURE = [
    ("tao", "cyclic", "(1, 1)", 2, "1", "1/2", 2),
    ("cornwell", "cyclic", "(4, −1/2, 1)", 9, "11", "1/5", 55),
    ("cornwell", "first", "(4, −1/2, 1)", 9, "11", "1/5", 55),
    ("or", "cyclic", "(2, 2, −1)", 9, "3", "1/9", 27),
]


def choose(page: Any, name: str, **settings: str) -> None:
    """Open an example and set controls."""
    page.select_option("#example", name)
    settled(page)
    for control, value in settings.items():
        page.select_option(f"#{control}", value)
        settled(page)


def table(page: Any) -> list[list[str]]:
    """The rows of the table of updates."""
    found: list[list[str]] = page.evaluate(
        "[...document.querySelectorAll('#steps tbody tr')].map(row => [...row.cells].map(cell => cell.textContent))"
    )
    return found


def texts(page: Any) -> list[str]:
    """What the page says about the present update."""
    ids = ("k-text", "step-text", "weights-text", "budget-text")
    return [page.text_content(f"#{name}") for name in ids]


def place(page: Any, x: float, y: float) -> tuple[float, float]:
    """Where a point of the plane is on the screen."""
    box = page.evaluate("""() => { const r = document.getElementById('plane').getBoundingClientRect();
        return [r.left, r.top, r.width, r.height]; }""")
    grid = page.evaluate("""() => [...document.querySelectorAll('#plane [data-point]')].map(e =>
        [Number(e.dataset.point), Number(e.getAttribute('cx') ?? Number(e.getAttribute('x')) + 7),
         Number(e.getAttribute('cy') ?? Number(e.getAttribute('y')) + 7)])""")
    points = page.evaluate("decodeURIComponent(location.hash).match(/points=([^&]*)/)[1]")
    known = [tuple(map(float, one.split(",")[:2])) for one in points.split(";")]
    (i, ax, ay), (j, bx, _) = grid[0], next(g for g in grid if known[g[0]][0] != known[grid[0][0]][0])
    unit = (bx - ax) / (known[j][0] - known[i][0])
    px, py = ax + (x - known[i][0]) * unit, ay - (y - known[i][1]) * unit
    scale = min(box[2], box[3]) / 560
    left, top = box[0] + (box[2] - 560 * scale) / 2, box[1] + (box[3] - 560 * scale) / 2
    return left + px * scale, top + py * scale


@pytest.mark.parametrize(("name", "order", "w", "updates", "R2", "gamma2", "bound"), LECTURE)
def test_the_lecture_examples_show_the_numbers_of_the_notes(
    page: Any, name: str, order: str, w: str, updates: int, R2: str, gamma2: str, bound: int
) -> None:
    choose(page, name, order=order)
    X, y = nv.example(name)
    run = nv.trace(X, y, order=order, fit_intercept=name != "tao")
    assert page.text_content("#weights-text").startswith(f"w = {w} ")
    assert page.text_content("#k-text") == f"{updates} of {updates}"
    assert page.text_content("#ending") == f"SEPARATED · {updates} updates · {run.n_looks} looks · order {order}"
    assert page.text_content("#budget-text") == f"mistakes: {updates} of at most ⌊(R/γ)²⌋ = {bound}"
    more = page.text_content("#verdict-more")
    assert f"R² = {R2}" in more
    assert f"(γ² = {gamma2})" in more
    shown = [[str(s.number), str(s.pass_number), str(s.row + 1), str(s.errors_after)] for s in run.steps]
    assert [row[:3] + row[-1:] for row in table(page)] == shown


def test_xor_shows_its_proof_its_cross_and_its_cycle(page: Any) -> None:
    choose(page, "xor")
    assert page.text_content("#verdict") == "✘ NOT SEPARABLE."
    lines = page.locator("#verdict-more p").all_text_contents()
    assert lines[:2] == ["both hulls contain (1/2, 1/2):", "1/2·p2 + 1/2·p3 = 1/2·p1 + 1/2·p4"]
    assert "after update 4 are again (0, 0, 0), as at the start" in lines[2]
    assert "λ = (1, 1, 1, 1)" in lines[2]
    assert page.locator("#plane .meeting").count() == 2
    assert page.locator("#plane .red-hull").count() == page.locator("#plane .blue-hull").count() == 1
    assert page.locator("#budget-row").is_hidden()


def test_points_are_put_moved_and_erased(page: Any) -> None:
    page.mouse.click(*place(page, 2, 2))
    settled(page)
    assert page.url.endswith("points=-1,3,b;-1,-1,b;3,-1,r;0,1.5,r;2,2,r")
    page.mouse.move(*place(page, 2, 2))
    page.mouse.down()
    page.mouse.move(*place(page, -1.5, 1), steps=6)
    page.mouse.up()
    settled(page)
    assert "-1.5,1,r" in page.url
    assert page.text_content("#verdict") == "✘ NOT SEPARABLE."  # it is between the two blue points now
    page.check('input[value="erase"]')
    page.mouse.click(*place(page, -1.5, 1))
    settled(page)
    assert "-1.5,1,r" not in page.url
    assert page.text_content("#verdict").startswith("✔ SEPARABLE")
    page.click("#undo")
    settled(page)
    assert "-1.5,1,r" in page.url


def test_back_and_scrub_show_the_same_numbers_as_forward(page: Any) -> None:
    choose(page, "cornwell")
    page.click("#to-start")
    forward = [texts(page)]
    for _ in range(9):
        page.click("#step")
        forward.append(texts(page))
    assert page.locator("#step").is_disabled()
    for k in range(8, -1, -1):
        page.click("#back")
        assert texts(page) == forward[k]
    for k in (5, 2, 9, 0):
        page.evaluate("""k => { const s = document.getElementById('scrub'); s.value = k;
            s.dispatchEvent(new Event('input')); }""", k)  # fmt: skip
        assert texts(page) == forward[k]
    assert forward[9][1] == "point 4 (red, +): y·(w·x) = −3 ≤ 0 → w ← w + (0, 3/2, 1)"
    assert forward[9][2] == "w = (4, −1/2, 1) · ‖w‖² = 69/4 ≤ k·R² = 9·11"


def tab_to(page: Any, name: str) -> None:
    """Press Tab until the element with this id has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == name:
            return
    raise AssertionError(name)


def test_a_run_by_keyboard_alone(page: Any) -> None:
    tab_to(page, "clear")
    page.keyboard.press("Enter")
    settled(page)
    assert page.text_content("#verdict") == "Put at least one point of each colour."
    tab_to(page, "plane")
    for key in ("r", "ArrowRight", "ArrowRight", "b", "ArrowUp", "ArrowUp", "b"):
        page.keyboard.press(key)
    settled(page)
    assert "points=0,0,r;1,0,b;1,1,b" in page.url
    assert page.text_content("#cursor-text") == "cross-hair at (1, 1): point 3, blue"
    assert page.text_content("#verdict").startswith("✔ SEPARABLE")
    page.keyboard.press("Home")
    assert page.text_content("#k-text").startswith("0 of")
    page.keyboard.press("n")
    assert page.text_content("#k-text").startswith("1 of")
    page.keyboard.press("Enter")  # picks up the point at the cross-hair
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    settled(page)
    assert "points=0,0,r;1,0,b;-1,1,b" in page.url
    page.keyboard.press("Delete")
    settled(page)
    assert page.url.endswith("points=0,0,r;1,0,b")
    page.keyboard.press("z")
    settled(page)
    assert "-1,1,b" in page.url
    page.keyboard.press("?")
    assert page.locator("#keys").is_visible()
    page.keyboard.press("Escape")
    assert page.locator("#keys").is_hidden()
    tab_to(page, "check")
    page.keyboard.press("Enter")
    says(page, "#check-text", "✔ checked in this browser")
    tab_to(page, "tab-plane")
    page.keyboard.press("ArrowRight")
    assert page.locator("#pane-capacity").is_visible()


def test_a_csv_is_opened_and_a_bad_one_is_a_sentence(page: Any, tmp_path: Path) -> None:
    good, bad, one = tmp_path / "good.csv", tmp_path / "bad.csv", tmp_path / "one.csv"
    good.write_text("a,b,class\n0,0,no\n1,2,yes\n2,1.5,yes\n")
    bad.write_text("a,b,class\n0,0,no\n1,cat,yes\n")
    one.write_text("a,b,class\n0,0,no\n1,1,no\n")
    page.set_input_files("#csv", good)
    has_link(page, "points=0,0,b;1,2,r;2,1.5,r")
    settled(page)
    before = page.url
    page.set_input_files("#csv", bad)
    page.wait_for_selector("#message:not([hidden])")
    assert page.text_content("#message").startswith("bad.csv, line 3")
    assert "cat" in page.text_content("#message")
    page.set_input_files("#csv", one)
    says(page, "#message", "one.csv: found 1 class")
    big = tmp_path / "big.csv"
    big.write_text("a,b,class\n" + "0.123456789,1,no\n" * 100_000)
    page.set_input_files("#csv", big)
    says(page, "#message", "use novikoff fit big.csv")
    assert page.url == before
    page.messages.clear()  # a refused call is an error line of the console


def test_the_browser_accepts_the_proofs_and_refuses_damaged_ones(page: Any) -> None:
    for name, what in (("cornwell", "4 inequalities hold"), ("xor", "4 points with positive weights")):
        choose(page, name)
        page.click("#check")
        says(page, "#check-text", f"✔ checked in this browser with whole numbers: {what}")

    def zeros(proof: Any) -> None:
        values = proof["directions"][0]["values"]
        values[:] = [v + "0" for v in values]

    damages: list[tuple[str, Callable[[Any], object], str]] = [
        ("xor", lambda proof: proof["zero_sum"]["weights"].__setitem__(0, "2"), "do not sum to zero"),
        ("xor", lambda proof: proof["zero_sum"]["weights"].__setitem__(0, "-1"), "expected an integer > 0"),
        ("xor", lambda proof: proof["data"].__setitem__("digest", "0" * 64), "other data"),
        ("cornwell", lambda proof: proof["directions"][0]["values"].__setitem__(-1, "-7000"), "is on the wrong side"),
        ("cornwell", zeros, "the certificate has another plane"),
    ]
    for name, damage, reason in damages:

        def change(route: Any, request: Any, damage: Callable[[Any], object] = damage) -> None:
            response = route.fetch()
            found = response.json()
            if "certificate" in found:
                damage(found["certificate"])
            route.fulfill(response=response, body=json.dumps(found))

        choose(page, name)
        page.route("**/api/verdict", change)
        page.click("#check")
        says(page, "#check-text", "✘ refused")
        assert reason in page.text_content("#check-text")
        page.unroute("**/api/verdict")


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


def test_a_link_puts_no_code_into_snippet_or_command(page: Any) -> None:
    code = '1"+__import__("os").popen("touch PWNED").read()+"'
    for name, value in (("eta", code), ("eta", "0"), ("eta", "1,2"), ("start", "0,0,0'"), ("start", f"0,0,{code}")):
        go(page, f"{POINTS}&{name}={quote(value)}")
        assert page.text_content("#message") == f"The link is damaged: {name} was ignored."
        assert page.input_value("#cli-line") == f"novikoff play --open '{POINTS}'"
        assert "import novikoff as nv" in page.input_value("#snippet")
        assert "PWNED" not in page.content() + page.input_value("#snippet") + page.url


def test_every_damaged_part_of_a_link_is_named(page: Any) -> None:
    for fragment, names in (
        ("__proto__=1", "__proto__"),
        ("constructor=1", "constructor"),
        ("toString=x", "toString"),
        ("k=abc", "k"),
        ("points=%E0%A4%A", "points"),
        ("bias=yes", "bias"),
        ("pane=spam&mails=1,x,s&mail=1,1", "mails"),
        ("pane=spam&mails=1,1,s&mail=1,x", "mail, mails"),
        ("seed=1&seed=-1&seed=x", "seed"),
    ):
        go(page, fragment if fragment.startswith("pane") else f"{POINTS}&{fragment}")
        assert page.text_content("#message") == f"The link is damaged: {names} was ignored."


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


def test_points_survive_a_reload_in_another_pane(page: Any) -> None:
    go(page, "pane=plane&points=0,0,b;2,1,r&order=first&k=1")
    page.click("#tab-capacity")
    settled(page)
    page.fill("#capacity-n", "7")
    page.press("#capacity-n", "Tab")
    page.click("#tab-spam")
    settled(page)
    page.reload()
    settled(page)
    page.click("#tab-plane")
    settled(page)
    assert page.url.endswith("#pane=plane&points=0,0,b;2,1,r&k=1&order=first")
    page.click("#tab-capacity")
    assert page.input_value("#capacity-n") == "7"


def test_the_saved_points_are_those_of_the_certificate(page: Any, tmp_path: Path) -> None:
    page.click("#take summary")
    for settings in ("held=30", "features=poly2", "held=30&features=poly2"):
        go(page, f"pane=plane&points=0,-1,b;-1,0,b;3,-1,r;0,2,r;0.1,3,r;-2,-3,b&{settings}")
        files = {}
        for button in ("save-points", "certificate"):
            with page.expect_download() as download:
                page.click(f"#{button}")
            files[button] = tmp_path / download.value.suggested_filename
            download.value.save_as(files[button])
        assert files["save-points"].name == "training.csv"
        points = nv.read(files["save-points"])
        assert nv.verify(files["certificate"], points) == nv.decide(points).kind
        assert page.locator("#save-tests").is_visible() == ("held" in settings)


# ---- the page as a whole


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


def test_the_replay_page_steps_without_a_server(page: Any, opened: Opened, tmp_path: Path) -> None:
    page.click("#take summary")
    with page.expect_download() as download:
        page.click("#save-html")
    path = tmp_path / "replay.html"
    download.value.save_as(path)
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
    found = [[str(row["P"]), f"{row['measured']:.4f}"] for row in nv.capacity_experiment(N=5, trials=20, seed=0).rows]
    assert [[row[0], row[3]] for row in rows] == found
    page.fill("#capacity-n", "65")
    page.press("#capacity-n", "Tab")
    says(page, "#capacity-text", "C(130, 65)")
    assert page.text_content("#capacity-text").endswith(" of 2^130 labellings: 1/2 = 0.5")
    assert "N=65" in page.url


def test_spam_shows_the_slides_weights_and_the_score_of_the_test_mail(page: Any) -> None:
    def put(label: str, value: str) -> None:
        page.get_by_label(label).fill(value)
        page.get_by_label(label).press("Tab")
        settled(page)

    page.click("#tab-spam")
    settled(page)
    shown = [page.text_content(f"#spam-{name}") for name in ("weights", "verdict", "score")]
    assert shown[:2] == [
        "order cyclic: w = (0, 2, 0, −1, 1), b = 0 after 4 updates (separated)",
        "✔ SEPARABLE (proof checked in this browser); R² = 5, γ² = 1/3, so at most 15 mistakes",
    ]
    assert shown[2].startswith("x′ scores +2 → spam")
    page.select_option("#spam-order", "first")
    settled(page)
    assert page.text_content("#spam-weights").startswith("order first: w = (1, 3, 0, −2, 3), b = 0 after 8 updates")
    put("mail 1, and", "3")
    X, y = nv.example("spam")
    X[0, 0] = 3
    assert f"after {len(nv.trace(X, y, order='first').steps)} updates" in page.text_content("#spam-weights")
    put("mail 1, of", "0.1")  # a fraction too long to show
    X[0, 3] = 0.1
    assert page.text_content("#spam-verdict").startswith("✔ SEPARABLE (proof checked in this browser); R² ≈ ")
    assert f"so at most {int(nv.margin(X, y).mistake_bound[1])} mistakes" in page.text_content("#spam-verdict")
    assert page.locator("#message").is_hidden()
    put("mail 1, of", "1")
    page.get_by_label("label of mail 2").select_option("1")
    settled(page)
    assert "mails=3,1,0,1,1,s;0,0,1,1,0,s;" in page.url
    again, weights = page.url, page.text_content("#spam-weights")
    page.goto("about:blank")
    page.goto(again)
    settled(page)
    assert page.text_content("#spam-weights") == weights
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
