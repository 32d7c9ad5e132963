"""--plot of the command line: pictures in files, and what is refused before anything runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from commands import novikoff


def test_capacity_draws_its_table(tmp_path: Path) -> None:
    told = novikoff("theory", "capacity", "-N", 5, "-N", 65, "--plot", tmp_path / "cover.pdf")
    assert told.code == 0
    assert (tmp_path / "cover.pdf").read_bytes().startswith(b"%PDF")
    assert f"wrote {tmp_path / 'cover.pdf'}" in told.err
    told = novikoff(
        "theory", "capacity", "-N", 3, "--ratio", 2, "--simulate", 20, "--plot", tmp_path / "m.svg", "--quiet"
    )
    svg = (tmp_path / "m.svg").read_text("utf-8")
    assert (told.code, told.err) == (0, "")
    for text in ("N = 3, theory", "N = 3, measured", "95 % intervals", "P / N"):
        assert text in svg


def test_bad_pictures_are_refused_before_anything_is_computed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long = ["theory", "capacity", "-N", 50, "--simulate", 10**7]  # would take hours
    told = novikoff(*long, "--plot", tmp_path / "a.gif")
    assert told.code == 2
    assert ".gif is not a picture's; .png, .pdf" in told.err
    told = novikoff(*long, "--plot", "-")
    assert told.code == 2
    assert "--plot: -: the ending (none) is not a picture's; .png, .pdf, .svg" in told.err
    told = novikoff(*long, "--plot", tmp_path / "missing" / "a.png")
    assert told.code == 3
    assert "cannot be written" in told.err
    told = novikoff(*long, "--plot", tmp_path / "a.png", "--csv", tmp_path / "a.png")
    assert told.code == 2
    monkeypatch.setattr("importlib.util.find_spec", lambda name, package=None: None)
    told = novikoff(*long, "--plot", tmp_path / "a.png")
    assert told.code == 3
    assert "pip install 'novikoff[plot]'" in told.err
    assert os.listdir(tmp_path) == []


def test_without_a_picture_matplotlib_is_not_imported() -> None:
    program = "import sys; from novikoff.cli import main; main(['theory', 'capacity', '-N', '5']); " \
              "print('matplotlib' in sys.modules)"  # fmt: skip
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.endswith("False\n")


# fit


def table(path: Path, classes: int = 2, features: int = 2) -> Path:
    """A small table with names: the class is the third of the first feature, from 0."""
    rng = np.random.default_rng(1)
    X = rng.integers(0, 30, (40, features))
    names = ",".join(["height", "width", "depth"][:features])
    rows = [",".join([*map(str, x), "abc"[int(x[0] * classes // 30)]]) for x in X]
    path.write_text("\n".join([f"{names},kind", *rows]) + "\n")
    return path


@pytest.mark.parametrize(
    ("classes", "features", "texts"),
    [
        (2, 1, ["threshold", "Errors against passes", "stopped: separated"]),
        (2, 2, ["height", "width", "a (−)", "b (+)", "w·x + b = 0", "widest margin", "Errors against passes"]),
        (2, 3, ["signed distance from the plane in 3 dimensions", "first principal direction in the plane"]),
        (3, 2, ["one-vs-all, 3 planes", "Balance of the 3 problems", "Errors against passes"]),
        (3, 3, ["Errors against passes"]),
    ],
)
def test_fit_draws_its_model(classes: int, features: int, texts: list[str], tmp_path: Path) -> None:
    data, file = table(tmp_path / "t.csv", classes, features), tmp_path / "fit.svg"
    how = ("--quiet", "--max-passes", 30, "--multi", "ova")
    told = novikoff("fit", data, "--plot", file, *how)
    assert told.code == 0, told.err
    svg = file.read_text("utf-8")
    for text in texts:
        assert text in svg


def test_fit_draws_products_hulls_and_many_features(tmp_path: Path) -> None:
    for options, texts in (
        (["--example", "xor", "--features", "poly2"], ["in 5 dimensions", "all 4 points are on their own side"]),
        (["--example", "xor"], ["point in both", "hull of 2 of 1", "2 of 4 points are not on their own side"]),
        (["--example", "tao"], ["blue (−)", "red (+)", "w·x = 0"]),
        (["--example", "retina", "--max-passes", 2], ["in 400 dimensions"]),
        (["--example", "digits", "--max-passes", 1, "--multi", "ova"], ["Errors against passes"]),
    ):
        told = novikoff("fit", *options, "--plot", tmp_path / "p.svg", "--quiet")
        assert told.code == 0, told.err
        svg = (tmp_path / "p.svg").read_text("utf-8")
        for text in texts:
            assert text in svg, (options, text)


def test_the_positive_class_of_the_words_is_that_of_the_picture(tmp_path: Path) -> None:
    told = novikoff("fit", "--example", "tao", "--positive", "blue", "--plot", tmp_path / "p.svg", "--quiet")
    assert "+ is blue" in told.out
    svg = (tmp_path / "p.svg").read_text("utf-8")
    assert "blue (+)" in svg
    assert "red (−)" in svg


def test_fit_writes_the_same_answer_and_model_with_a_picture(tmp_path: Path) -> None:
    plain = novikoff("fit", "--example", "cornwell", "-o", tmp_path / "a.nvk", "--json").json
    drawn = novikoff(
        "fit", "--example", "cornwell", "-o", tmp_path / "b.nvk", "--plot", tmp_path / "p.png", "--json"
    ).json
    for info in (plain, drawn):
        del info["seconds"], info["model"]
    assert plain == drawn


def test_what_fit_cannot_draw_is_refused_before_training(tmp_path: Path) -> None:
    file = ["--plot", tmp_path / "p.png", "-o", tmp_path / "m.nvk"]
    told = novikoff("fit", "--example", "cornwell", "--keep", "vote", *file)
    assert (told.code, "--keep vote predicts by the votes" in told.err) == (2, True)
    told = novikoff("fit", "-", "--max-passes", 1, *file)
    assert (told.code, "a stream keeps no points to draw" in told.err) == (2, True)
    data = table(tmp_path / "t.csv", 3, 3)
    told = novikoff("fit", data, "--soft", "hinge", *file)
    assert (told.code, "3 classes and 3 features; soft margins are drawn for" in told.err) == (3, True), told.err
    told = novikoff("fit", data, "--plot", data)
    assert told.code == 2
    assert sorted(os.listdir(tmp_path)) == ["t.csv"]
