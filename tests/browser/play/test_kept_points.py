"""Nothing is lost in the plane of the play page: panes, reloads, undo, full planes, files that belong together."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import novikoff as nv

from ..conftest import Opened
from .conftest import playing, says, settled
from .test_links import POINTS, go
from .test_plane_pane import choose, place

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")]

INSIDE = """() => [...document.querySelectorAll('#plane [data-point]')].every(e => {
    const [at, up] = ['x', 'y'].map(name => Number(e.getAttribute(`c${name}`) ?? e.getAttribute(name)));
    return at > 0 && at < 560 && up > 0 && up < 560; })"""


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


def test_the_data_of_the_command_is_in_the_plane_behind_another_pane(played: Opened, tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("a,b,label\n0,0,-\n4,4,+\n")
    with playing(str(path), "--open", "pane=spam") as url:
        page = played(url)
        assert page.locator("#pane-spam").is_visible()
        page.click("#tab-plane")
        settled(page)
        assert "points=0,0,b;4,4,r" in page.url
        assert page.text_content("#verdict").startswith("✔ SEPARABLE")


def test_a_damaged_link_in_an_open_tab_keeps_the_points_and_undo_leads_back(page: Any) -> None:
    go(page, f"{POINTS}&eta=1/2")
    go(page, "pane=plane&points=1,2,r;x,3,b")
    assert page.text_content("#message") == "The link is damaged: points was ignored."
    assert "points=-1,3,b;-1,-1,b;3,-1,r;0,1.5,r" in page.url
    go(page, "pane=plane&points=0,0,b;1,1,r")
    page.click("#undo")
    settled(page)
    page.click("#undo")
    settled(page)
    assert page.url.endswith(f"#{POINTS}&eta=1%2F2")


def test_undo_brings_the_points_into_the_window_and_the_settings_of_an_example_back(page: Any, tmp_path: Path) -> None:
    path = tmp_path / "far.csv"
    path.write_text("a,b,label\n1000,1000,-\n1004,1004,+\n")
    page.set_input_files("#csv", path)
    says(page, "#verdict", "2006")
    page.click("#undo")
    settled(page)
    assert page.locator("#plane [data-point]").count() == 4
    assert page.evaluate(INSIDE)
    page.click("#clear")
    page.click("#undo")
    settled(page)
    assert page.evaluate(INSIDE)
    choose(page, "tao")
    assert not page.is_checked("#bias")
    page.click("#undo")
    settled(page)
    assert page.is_checked("#bias")
    assert page.text_content("#weights-text").startswith("w = (4, −1/2, 1)")


def test_a_full_plane_takes_no_point_and_moves_none(page: Any) -> None:
    points = ";".join(f"{i % 50},{i // 50},{'r' if i % 50 > 24 else 'b'}" for i in range(2000))
    go(page, f"pane=plane&points={points}&max=1")
    before = page.url
    x, y = place(page, -5, 20)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 10, y, steps=2)
    page.mouse.up()
    settled(page)
    assert page.text_content("#message") == "The page takes up to 2,000 points."
    assert page.url == before


def test_an_erased_point_is_not_picked_up_any_more(page: Any) -> None:
    page.focus("#plane")
    for keys in (("r", "Enter", "Delete", "ArrowRight"), ("r", "Enter", "z", "ArrowRight")):
        for key in keys:
            page.keyboard.press(key)
        settled(page)
        assert "points=-1,3,b;-1,-1,b;3,-1,r;0,1.5,r" in page.url  # and no error in the console


def test_a_point_stays_in_the_window_and_the_window_can_be_fitted(page: Any) -> None:
    page.mouse.move(*place(page, 0, 1.5))
    page.mouse.down()
    page.mouse.move(5, 5, steps=3)
    page.mouse.up()
    settled(page)
    assert page.evaluate(INSIDE)
    before = page.locator("#plane .gridline").first.get_attribute("x1")
    page.click("#fit")
    assert page.evaluate(INSIDE)
    assert page.locator("#plane .gridline").first.get_attribute("x1") != before


def test_a_vote_has_no_weights_and_no_line(page: Any) -> None:
    choose(page, "cornwell", keep="vote")
    X, y = nv.example("cornwell")
    model = nv.Perceptron(keep="vote", order="cyclic", max_updates=1000, random_state=0).fit(X, y)
    wrong = int((model.predict(X) != y).sum())
    assert page.text_content("#kept-text").startswith(
        f"kept (vote): a vote of all weights of the run; no single line, {wrong} of 4 points predicted wrong;"
    )
    assert page.locator("#plane .kept").count() == 0
    assert "kept (pocket or average)" in page.text_content("#plane-legend")


def test_bounds_too_long_for_a_double_are_exact_or_marked(page: Any) -> None:
    go(page, "pane=plane&points=0,0,b;1e-9,0,r&max=3")
    assert page.text_content("#budget-text") == "mistakes: 3 of at most ⌊(R/γ)²⌋ = 3999999999999999506"
    go(page, "pane=plane&points=0,0,b;1e-200,0,r&max=3")
    assert page.text_content("#budget-text") == "mistakes: 3 of at most ⌊(R/γ)²⌋ ≤ 4.001·10^400"
    assert page.text_content("#verdict").startswith("✔ SEPARABLE")
    assert page.locator("#message").is_hidden()


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


def test_the_snippet_of_a_run_that_the_page_stops_stops_there(page: Any) -> None:
    go(page, "pane=plane&points=0,0,b;1,0,r;0,1,r;1,1,b;3,2.5,r;2,0.5,b&rule=pa1")
    assert "STOPPED at the limit of 100 updates" in page.text_content("#ending")
    code = page.input_value("#snippet")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    X, y = [[0, 0], [1, 0], [0, 1], [1, 1], [3, 2.5], [2, 0.5]], [-1, 1, 1, -1, 1, -1]
    assert nv.trace(X, y, rule="pa1", max_updates=100).to_text() in done.stdout
