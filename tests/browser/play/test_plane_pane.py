"""The plane of the play page in a real browser: examples, editing, stepping, verdict and proof."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

import novikoff as nv

from ..conftest import Opened
from .conftest import has_link, says, settled

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
    damages = [
        ("xor", lambda proof: proof["zero_sum"]["weights"].__setitem__(0, "2"), "do not sum to zero"),
        ("xor", lambda proof: proof["zero_sum"]["weights"].__setitem__(0, "-1"), "expected an integer > 0"),
        ("xor", lambda proof: proof["data"].__setitem__("digest", "0" * 64), "other data"),
        ("cornwell", lambda proof: proof["directions"][0]["values"].__setitem__(-1, "-7000"), "is on the wrong side"),
        (
            "cornwell",
            lambda proof: proof["directions"][0].update(values=[v + "0" for v in proof["directions"][0]["values"]]),
            "the certificate has another plane",
        ),
    ]
    for name, damage, reason in damages:

        def change(route: Any, request: Any, damage: Callable[[Any], Any] = damage) -> None:
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
