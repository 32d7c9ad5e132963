"""The check in the browser: every number of a run again, without blocking the page."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from .conftest import says
from .test_links import go
from .test_plane_pane import choose

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")]

MANY = ";".join(f"{(i * 37) % 101 / 7},{(i * 53) % 97 / 3},{'r' if i % 2 else 'b'}" for i in range(400))


def test_runs_of_every_rule_are_computed_again(page: Any) -> None:
    for rule, order in (("perceptron", "cyclic"), ("margin", "first"), ("pa1", "cyclic")):
        how = f"rule={rule}&order={order}&eta=2/3&start=1/7,0,.1&max=40"
        go(page, f"pane=plane&points=0,0,b;1.1,0,r;0,1,r;1,1,b;3,2.5,r&{how}")
        page.click("#check")
        given = "order and step sizes" if rule == "pa1" else "order"
        says(page, "#check-text", f"computed again in the {given} of the run: scores, weights and errors are equal")


def test_a_long_check_shows_its_progress_and_can_be_stopped(page: Any) -> None:
    go(page, f"pane=plane&points={MANY}")
    assert "STOPPED at the limit of 1000 updates" in page.text_content("#ending")
    slow = page.context.new_cdp_session(page)
    slow.send("Emulation.setCPUThrottlingRate", {"rate": 10})
    page.evaluate("""() => { window.seen = []; const text = document.getElementById('check-text');
        new MutationObserver(() => seen.push(text.textContent)).observe(text, { childList: true }); }""")
    page.click("#check")
    says(page, "#check-text", "1000 updates computed again")
    assert any(text.startswith("checking update ") for text in page.evaluate("seen"))
    page.evaluate("""() => { const [text, button] = ['check-text', 'check'].map(id => document.getElementById(id));
        new MutationObserver(() => { if (text.textContent.startsWith('checking')) button.click(); })
            .observe(text, { childList: true }); button.click(); }""")
    says(page, "#check-text", "the check was stopped")
    assert page.text_content("#check") == "Check it in this browser"


def short(found: Any) -> None:
    """Make a cycle one update shorter."""
    found["steps"].pop()
    found |= {"updates": found["updates"] - 1, "cycle_counts": [1, 1, 1, 0]}


def test_start_rate_and_cycle_are_checked(page: Any) -> None:
    damages: list[tuple[str, Callable[[Any], Any], str]] = [
        ("cornwell", lambda found: found["start"].__setitem__(0, "1"), "the run has another start"),
        ("cornwell", lambda found: found["steps"][0].__setitem__("eta", "2"), "update 1: the rate differs"),
        ("xor", short, "the last weights were not there before"),
    ]
    for name, damage, reason in damages:

        def change(route: Any, request: Any, damage: Callable[[Any], Any] = damage) -> None:
            response = route.fetch()
            found = response.json()
            damage(found)
            route.fulfill(response=response, body=json.dumps(found))

        page.route("**/api/trace", change)
        choose(page, name)
        page.click("#check")
        says(page, "#check-text", f"✘ refused: {reason}")
        page.unroute("**/api/trace")
