"""Numbers so small that (R/γ)² is no double, or that squares are 0: a sentence or a true picture, never a traceback."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import novikoff as nv
from novikoff.cli import door as verbs, main

pytestmark = pytest.mark.slow  # where the compiler is off
BEYOND = "a number beyond the range of doubles"
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
