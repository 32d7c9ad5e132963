"""Pictures in files and on given axes: the same bytes each time, whole or not at all, texts as they are."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pytest
from matplotlib.figure import Figure

import novikoff as nv
from commands import novikoff
from data.small_sets import fit_quietly

X, Y = nv.example("cornwell")


def display(labels: Any = Y, ax: Any = None) -> Any:
    ax = Figure().add_subplot() if ax is None else ax
    return nv.BoundaryDisplay.from_plane(X, labels, [4.0, -0.5], 1.0, ax=ax)


@pytest.mark.parametrize("kind", ["png", "pdf", "svg", "jpg", "webp"])
def test_a_picture_has_the_same_bytes_each_time_and_in_any_style(kind: str, tmp_path: Path) -> None:
    before = dict(matplotlib.rcParams)
    display().save(tmp_path / f"a.{kind}")
    with matplotlib.rc_context({"lines.linewidth": 9, "text.usetex": True, "figure.facecolor": "black"}):
        display().save(tmp_path / f"b.{kind}")
    assert (tmp_path / f"a.{kind}").read_bytes() == (tmp_path / f"b.{kind}").read_bytes()
    assert dict(matplotlib.rcParams) == before


def test_what_is_drawn_on_axes_is_the_panel() -> None:
    ax = Figure().add_subplot()
    found = display(ax=ax)
    (panel,) = found.panels
    assert (found.ax_, found.figure_) == (ax, ax.figure)
    (line,) = (one for one in ax.lines if one.get_gid() == "boundary")
    assert np.array_equal(
        line.get_xydata(), np.column_stack([panel.named("boundary")[0].x, panel.named("boundary")[0].y])
    )
    for label in (-1, 1):
        (marks,) = (one for one in ax.collections if one.get_gid() == f"class {label}")
        assert sorted(marks.get_offsets().tolist()) == sorted(X[label == Y].tolist())
    assert [text.get_text() for text in ax.get_legend().get_texts()] == panel.labels
    assert (ax.get_title(), ax.get_xlabel(), ax.get_ylabel()) == (panel.title, panel.x_label, panel.y_label)


def test_texts_are_drawn_as_they_are_and_never_as_formulas(tmp_path: Path) -> None:
    ax = Figure().add_subplot()
    found = display(["_cost in $ and $x^$ \x1b[31m", "_cost in $ and $x^$ \x1b[31m", "b" * 200, "b" * 200], ax)
    texts = [text.get_text().replace(r"\$", "$") for text in ax.get_legend().get_texts()]
    assert any("cost in $ and $x^$ ?[31m" in text for text in texts)
    assert max(map(len, texts)) <= 80
    found.save(tmp_path / "a.svg")
    assert "cost in $ and $x^$ ?[31m" in (tmp_path / "a.svg").read_text("utf-8")


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, words in [
        ("all.gif", r"the ending \.gif is not a picture's; \.png, \.pdf"),
        ("all", r"the ending \(none\)"),
        ("missing/all.png", "cannot be written"),
    ]:
        with pytest.raises(nv.InputError, match=words):
            display().save(tmp_path / name)
    two = nv.CoverDisplay([5])
    with pytest.raises(nv.InputError, match=r"ax: found 1; .* 2 panels: a sequence of 2 Axes was expected"):
        two.plot(ax=Figure().add_subplot())
    with pytest.raises(nv.InputError, match=r"ax: found str \('x'\); this display has 1 panel: one Axes was expected"):
        display(ax="x")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(nv.InputError, match=re.escape("pip install 'novikoff[plot]'")):
        two.plot()
    assert os.listdir(tmp_path) == []


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


def test_every_display_fits_in_its_own_figure() -> None:
    """Titles, labels of axes and legends, also those beside a picture with equal units."""
    from matplotlib import pyplot

    X, y = nv.example("cornwell")
    clf = nv.Perceptron().fit(X, y)
    flowers, kinds = nv.example("iris")
    many = fit_quietly(nv.Perceptron(max_iter=20), flowers[:, 2:], kinds)
    for display in (
        nv.BoundaryDisplay.from_estimator(clf, X, y, ball=True),
        nv.BoundDisplay.from_trace(nv.trace(X, y), X, y),
        nv.HullsDisplay.from_verdict(nv.decide(*nv.example("xor")), *nv.example("xor")),
        nv.RegionsDisplay.from_estimator([many, many], flowers[:, 2:], kinds, balance=True),
        nv.ErrorCurveDisplay.from_estimator(clf),
        nv.CoverDisplay([5]).plot(),
    ):
        figure = pyplot.gcf()
        figure.canvas.draw()
        width, height = figure.canvas.get_width_height()
        for one in figure.axes:
            left, bottom, right, top = one.get_tightbbox().extents
            assert left >= 0, display
            assert bottom >= 0, display
            assert right <= width, display
            assert top <= height, display
        pyplot.close(figure)
