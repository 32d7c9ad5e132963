"""Numbers so small that (R/γ)² is no double, or that squares are 0: a sentence or a true picture, never a traceback."""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import novikoff as nv
from novikoff.cli import door as verbs
from novikoff.cli import main
from novikoff.data.format_numbers import BEYOND
from novikoff.pages.proof_curves import heights, reference_of
from oracles.html_tree import parsed

pytestmark = pytest.mark.slow  # where the compiler is off
Made = Callable[[str], Path]


def points(size: str, n: int = 20) -> tuple[np.ndarray, np.ndarray]:
    """Separable points of two features whose numbers are about this large."""
    rng = np.random.default_rng(4)
    X = np.round(rng.normal(size=(n, 2)), 2)
    X[:, 0] += np.sign(X[:, 0])
    return X * float(size), np.where(X[:, 0] > 0, "a", "b")


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Made:
    monkeypatch.chdir(tmp_path)

    def make(size: str) -> Path:
        rows = [f"{a!r},{b!r},{c}" for (a, b), c in zip(*map(np.ndarray.tolist, points(size)), strict=True)]
        path = Path(f"p{size}.csv")
        path.write_text("\n".join(["u,v,y", *rows]) + "\n")
        return path

    return make


def run(*arguments: str) -> Any:
    return CliRunner().invoke(verbs, list(map(str, arguments)))


@pytest.mark.parametrize("size", ["1e-155", "1e-300"])
def test_an_unwritable_bound_is_said(made: Made, size: str) -> None:
    path = made(size)
    text = run("margin", path)
    assert text.exit_code == 0
    assert f"mistakes ≤ (R/γ)² = {BEYOND}, from weights 0 in any order" in text.stdout
    found = json.loads(run("margin", path, "--json").stdout)
    assert found["mistake_bound"][1] is None
    low, high = (Fraction(v) for v in found["padded"]["gamma"])
    assert low > 0
    assert 1 / high**2 > Fraction(float(np.finfo(float).max))  # R ≥ 1: the bound is larger than every double
    assert nv.margin(*points(size))._repr_html_().count(BEYOND) == 1


@pytest.mark.parametrize("size", ["1e-155", "1e-300"])
@pytest.mark.parametrize("bias", [True, False])
def test_the_page_of_a_run_shows_no_bound_and_true_curves(size: str, bias: bool) -> None:
    X, y = points(size)
    trace, margin = nv.trace(X, y, fit_intercept=bias), nv.margin(X, y, fit_intercept=bias)
    tree = parsed(trace.to_html(margin))
    if bias:
        assert f"No bound is shown: it is {BEYOND}." in tree.one(kind="budget").text
        assert reference_of(trace, margin).most is None  # type: ignore[union-attr]
    else:
        assert "of at most" in tree.one(kind="budget").text
    assert sum(len(tree.by_id("plane").all(kind=shape)) for shape in ("circle", "square")) == 20
    found = heights(trace, reference_of(trace, margin))
    assert all(0 < a <= b * (1 + 1e-9) for a, b in zip(found["under"][1:], found["ceiling"][1:], strict=True))
    largest = max(math.hypot(*row) for row in X.tolist())
    assert found["ceiling"][1] == pytest.approx(math.hypot(largest, 1.0 if bias else 0.0))
    assert "under" in [node.attributes.get("data-of") for node in tree.by_id("proof").all("polyline")]


def test_a_picture_of_them_is_refused_with_a_sentence(made: Made, capfd: Any) -> None:
    path = made("1e-170")
    assert main(["fit", str(path), "--plot", "x.png"]) == 3
    assert not Path("x.png").exists()
    said = capfd.readouterr().err
    assert f"{path}: numbers too small to draw: the largest is" in said
    assert "multiply X by a large number first" in said
    assert "warning" not in said


def test_the_smallest_numbers_that_are_drawn_have_a_true_picture() -> None:
    """Points of 1e-138: the band of the widest plane is inside the picture, and every number is finite."""
    X, y = points("1e-138")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        display = nv.BoundaryDisplay.from_plane(X, y, [-1.0, 0.0], 0.0)
    (panel,) = display.panels
    (band,), (ends,) = panel.named("band"), panel.named("widest")
    for values in (band.x, band.y, ends.x, ends.y):
        assert np.isfinite(values).all()
    assert np.abs(band.x).max() <= 1.5 * np.abs(X).max()


@pytest.mark.parametrize(("size", "learner", "why"), [
    ("1e-155", "maxmargin", "very small points: scale the points"),
    ("1e+100", "soft", "numbers too large: C times the largest |x|²"),
])  # fmt: skip
def test_a_learner_that_refuses_the_numbers_loses_only_its_own_row(
    made: Made, size: str, learner: str, why: str
) -> None:
    result = run("report", made(size), "-o", "page.html", "--json")
    assert result.exit_code == 0, result.output
    notes = {one["learner"]: one for one in json.loads(result.stdout)["learners"]}
    assert why in notes[learner]["note"]
    assert notes[learner]["train_errors"] is None
    assert [notes[key]["train_errors"] for key in ("perceptron", "pocket")] == [0, 0]
    tree = parsed(Path("page.html").read_text("utf-8"))
    rows = {row[0]: row for row in tree.by_id("learners").one("table").rows()[1:]}
    (row,) = [row for row in rows.values() if why in row[-1]]
    assert row[1:4] == ["–", "–", "–"]
    drawn = sum(len(tree.by_id("data").all(kind=shape)) for shape in ("circle", "square"))
    assert drawn == 20 + 2 or "numbers too small to draw" in tree.by_id("data").text
