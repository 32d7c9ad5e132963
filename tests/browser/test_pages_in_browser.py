"""The pages in real Chromium: stepping by keyboard and buttons, no finding of axe, nothing loaded, nothing too wide."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import novikoff as nv

from .conftest import Opened, violations

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The page of a run, of a run without a plane picture, and reports of a separable and a non-separable set."""
    folder = tmp_path_factory.mktemp("pages")
    X, y = nv.example("cornwell")
    rng = np.random.default_rng(5)
    noisy = np.round(rng.normal(size=(40, 2)), 2), np.arange(40) % 2
    large = np.round(rng.normal(size=(40, 2)) * 5e5)
    units = np.round(rng.normal(size=(40, 2)) * [20, 40_000])
    names = ["the age of the customer " * 9, "the income of the household " * 9]
    made = {
        "run": nv.trace(X, y).to_html(nv.margin(X, y), "cornwell"),
        "xor": nv.trace(*nv.example("xor")).to_html(title="xor"),
        "spam": nv.trace(*nv.example("spam")).to_html(title="spam"),
        "apart": nv.report(X, y, title="cornwell").to_html(),
        "overlap": nv.report(*noisy, title="noise").to_html(),
        "large": nv.report(large, large[:, 1] > 0, title="large numbers", max_time=5).to_html(),
        "units": nv.trace(pd.DataFrame(units, columns=names), units[:, 1] > 0, max_updates=20).to_html(title="units"),
    }
    for name, text in made.items():
        (folder / f"{name}.html").write_text(text, "utf-8")
    return {name: folder / f"{name}.html" for name in made}


@pytest.fixture
def shown(opened: Opened, pages: dict[str, Path]) -> Opened:
    """`shown(name, **context)` opens a page of this name."""
    return lambda name, width=1100, **options: opened(pages[name].as_uri(), width=width, height=760, **options)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["run", "xor", "apart", "overlap"])
def test_axe_finds_nothing(shown: Opened, name: str, scheme: str) -> None:
    page = shown(name, color_scheme=scheme, bypass_csp=True)
    assert violations(page) == []


def at(page: Any) -> int:
    """The update that the page shows."""
    return int(page.evaluate("document.documentElement.dataset.update"))


def status(page: Any) -> str:
    return str(page.locator("#now").inner_text())


def test_keys_step_through_the_run(shown: Opened) -> None:
    trace = nv.trace(*nv.example("cornwell"))
    page = shown("run")
    assert at(page) == 0
    for k, step in enumerate(trace.steps, start=1):
        page.keyboard.press("ArrowRight")
        assert at(page) == k
        cells = dict(zip(trace.header(), trace.cells(step), strict=True))
        text = status(page)
        assert f"Update {k} of 9, pass {step.pass_number}: point {step.row + 1} (label {cells['label']})" in text
        assert f"y·(w·x) = {cells['y·(w·x)']} ≤ 0" in text
        assert f"now w = {cells['w after']}." in text
        assert f"by η‖x‖² = {cells['+ η‖x‖²']}." in text
        left = step.errors_after
        assert f"{left} point{' is' if left == 1 else 's are'} not on the right side now, of 4" in text
        assert page.locator("tr.current td").first.inner_text() == str(k)
        assert page.locator("#made").inner_text() == str(k)
    page.keyboard.press("ArrowRight")
    assert at(page) == 9
    page.keyboard.press("ArrowLeft")
    assert at(page) == 8
    page.keyboard.press("Home")
    assert at(page) == 0
    page.keyboard.press("End")
    assert at(page) == 9
    for key in ("Control+ArrowLeft", "Alt+ArrowUp", "Shift+ArrowLeft", "Meta+Home", "Control+Home"):
        page.keyboard.press(key)  # keys of the browser
        assert at(page) == 9


def test_the_drawn_line_is_that_of_the_weights(shown: Opened) -> None:
    """After update 4 w = (2, 1, 0): the ends of the line in the window have 2x + y = 0, and the point 4 is ringed."""
    page = shown("run")
    page.locator("#scrub").fill("4")
    x0, x1, y0, y1, left = map(float, page.locator("#plane").get_attribute("data-window").split())
    line = page.locator("#plane [data-of=after]")
    for end in "12":
        px, py = (float(line.get_attribute(f"{axis}{end}")) for axis in "xy")
        x, y = x0 + (px - left) / (466 - left) * (x1 - x0), y0 + (332 - py) / 308 * (y1 - y0)
        assert 2 * x + y == pytest.approx(0, abs=1e-6)
    ring = page.locator("#plane .ring")
    x = x0 + (float(ring.get_attribute("cx")) - left) / (466 - left) * (x1 - x0)
    assert x == pytest.approx(0, abs=1e-6)


def test_without_script_the_run_is_a_table_with_two_pictures(shown: Opened) -> None:
    page = shown("run", java_script_enabled=False)
    assert not page.locator("#stepper").is_visible()
    assert page.locator("figure svg").count() == 3 + 10  # first, last, proof; ten samples in legends
    assert page.locator("#start").is_visible()
    assert page.locator("#table tbody tr").count() == 9


@pytest.mark.parametrize("name", ["run", "overlap", "large", "units"])
def test_every_text_is_inside_its_picture(shown: Opened, name: str) -> None:
    page = shown(name)
    boxes = page.evaluate("""[...document.querySelectorAll("svg.drawing text")].map((text) => {
        const b = text.getBBox(), v = text.ownerSVGElement.viewBox.baseVal;
        return [text.textContent, b.x >= 0 && b.y >= 0 && b.x + b.width <= v.width && b.y + b.height <= v.height];
    })""")
    assert len(boxes) > 10
    assert [text for text, inside in boxes if not inside] == []


@pytest.mark.parametrize("name", ["run", "spam", "apart", "overlap"])
def test_a_narrow_screen_shows_the_whole_page(shown: Opened, name: str) -> None:
    page = shown(name, width=320)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
