"""Capacity, spam and digits: one task and one expected result each, in a real browser."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import novikoff as nv

from ..conftest import Opened
from .conftest import playing, says, settled

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")]


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


def test_a_simulation_can_be_stopped(page: Any) -> None:
    page.evaluate("location.hash = 'pane=capacity&N=200&P=400&trials=2000'")
    page.wait_for_selector("#pane-capacity:not([hidden])")
    settled(page)
    page.click("#capacity-run")
    page.click("#capacity-stop")
    says(page, "#capacity-text", "stopped after")
    assert page.locator("#capacity-run").is_enabled()


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


def test_a_server_that_ends_during_a_simulation_is_a_sentence_and_keeps_the_rows(played: Opened) -> None:
    with playing("--open", "pane=capacity&N=100&trials=2000") as url:
        page = played(url)
        page.click("#capacity-run")
        page.locator("#capacity-table tbody tr").first.wait_for(state="attached")
    says(page, "#message", "novikoff play has stopped. Your points are kept in this tab")
    assert page.locator("#capacity-table tbody tr").count() >= 1
    assert page.locator("#capacity-run").is_enabled()
    assert page.locator("#capacity-stop").is_disabled()
    assert "trials=2000" in page.url
    page.messages.clear()  # a broken connection is an error line of the console


def test_bounds_are_rounded_outward(page: Any) -> None:
    """Six figures, four places, and whole numbers of many digits, against exact fractions."""
    found = page.evaluate("""async () => {
        const { outward } = await import("./exact_numbers.js"), { wholeText } = await import("./plane_words.js");
        const values = Array.from({ length: 300 }, (_, k) => Math.sin(k + 1) ** 2 * 10 ** ((k % 30) - 15));
        const shares = Array.from({ length: 300 }, (_, k) => Math.sin(k + 1) ** 2);
        const some = (v, ...how) => [v, outward(v, -1, ...how), outward(v, 1, ...how)];
        return { ends: [...values.map((v) => some(v)), ...shares.map((v) => some(v, 4)), some(0, 4), some(1, 4)],
                 long: ["123456789".repeat(4), "9".repeat(30), "12345"].map((v) => [v, wholeText(v)]) };
    }""")
    for value, *ends in found["ends"]:
        low, high = (Fraction(end.replace("−", "-")) for end in ends)
        assert low <= Fraction(value) <= high
        assert high - low <= max(Fraction(2, 10**5) * Fraction(value), Fraction(1, 10**4))
    for digits, said in found["long"]:
        factor, _, power = said.partition("·10^")
        most = Fraction(factor) * 10 ** int(power or 0) if "^" not in factor else 10 ** int(factor[3:])
        assert int(digits) <= most <= int(digits) * Fraction(1002, 1000)
