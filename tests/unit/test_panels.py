"""Panels and their renderers: the matplotlib artists, the files, and the characters in a terminal."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

import novikoff as nv
from novikoff.plot.display import PanelDisplay
from novikoff.plot.drawing import matplotlib_panels
from novikoff.plot.drawing.dot_canvas import DotCanvas
from novikoff.plot.drawing.matplotlib_panels import draw, draw_panel, new_figure, size_of
from novikoff.plot.drawing.picture_files import picture_bytes
from novikoff.plot.drawing.terminal_panels import panel_lines, panels_in_characters
from novikoff.plot.geometry.straight_lines import limits_around, line_across
from novikoff.plot.panel import (
    COLORS,
    SHAPES,
    STYLES,
    Arrow,
    Bars,
    Cells,
    Curve,
    Marks,
    Note,
    Panel,
    Region,
    class_look,
    extent,
    series_look,
)

ONE, TWO = np.array([0.0, 1.0]), np.array([0.0, 2.0])
ALL = Panel(
    (
        Region(np.array([0.0, 1.0, 1.0]), np.array([0.0, 0.0, 1.0]), "area", name="area"),
        Curve(ONE, TWO, "line", style="dashed", name="line"),
        Marks(ONE, TWO, "marks", shape="diamond", low=TWO - 0.5, high=TWO + 0.5, name="marks"),
        Bars(np.array([0.0, 0.5, 1.0]), np.array([1.0, 2.0]), "bars", name="bars"),
        Arrow((0.0, 0.0), (1.0, 1.0), "w", name="arrow"),
        Note(0.5, 0.5, "here", "center"),
    ),
    "all kinds",
    "across",
    "up",
)
IMAGE = Panel((Cells(np.array([[1.0, -1.0], [0.0, 0.2]]), 1.0, name="image"),), "image")


def axes() -> Any:
    return Figure().add_subplot()


def test_every_item_becomes_an_artist_at_its_coordinates() -> None:
    ax = axes()
    draw_panel(ax, ALL)
    (line,) = (one for one in ax.lines if one.get_gid() == "line")
    assert line.get_xydata().tolist() == [[0, 0], [1, 2]]
    (marks,) = (one for one in ax.collections if one.get_gid() == "marks")
    assert marks.get_offsets().tolist() == [[0, 0], [1, 2]]
    assert len(ax.texts) == 3  # the arrow, its text, the note
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ALL.labels == ["area", "line", "marks", "bars"]
    assert (ax.get_title(), ax.get_xlabel(), ax.get_ylabel()) == ("all kinds", "across", "up")
    ax = axes()
    draw_panel(ax, IMAGE)
    assert ax.images[0].get_clim() == (-1, 1)
    assert ax.images[0].get_array().tolist() == [[1, -1], [0, 0.2]]


def test_drawing_changes_no_setting_of_matplotlib_and_no_current_figure() -> None:
    from matplotlib import pyplot

    before, figures = dict(matplotlib.rcParams), pyplot.get_fignums()
    display = PanelDisplay([ALL])
    assert display.plot(ax := axes()) is display
    picture_bytes([ALL], "svg")
    assert (display.ax_, display.figure_) == (ax, ax.figure)
    assert dict(matplotlib.rcParams) == before
    assert pyplot.get_fignums() == figures
    display.plot()
    pyplot.close(display.figure_)


def test_axes_that_do_not_fit_the_panels_are_a_sentence() -> None:
    with pytest.raises(nv.InputError, match=r"ax: found 1; .* 2 panels: a sequence of 2 Axes was expected"):
        draw([ALL, ALL], axes())
    with pytest.raises(nv.InputError, match=r"ax: found int \(3\); this display has 1 panel: one Axes was expected"):
        draw([ALL], [3])
    with pytest.raises(nv.InputError, match=r"ax: found str \('x'\); this display has 1 panel: one Axes was expected"):
        draw([ALL], "x")
    assert len(draw([ALL, ALL], np.array([axes(), axes()]))) == 2


def test_the_size_of_a_figure_follows_its_panels() -> None:
    assert size_of([ALL]) < size_of([ALL] * 3)
    assert size_of([IMAGE] * 10, 5)[0] < 10
    assert len(new_figure([ALL] * 5)[1]) == 5


@pytest.mark.parametrize("kind", ["png", "pdf", "svg", "jpg", "webp"])
def test_a_picture_has_the_same_bytes_each_time(kind: str) -> None:
    first = picture_bytes([ALL, IMAGE], kind)
    assert first == picture_bytes([ALL, IMAGE], kind)
    if kind == "svg":
        assert b"all kinds" in first  # text stays text


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    PanelDisplay([ALL]).save(tmp_path / "all.PNG")
    assert (tmp_path / "all.PNG").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(nv.InputError, match=r"the ending \.gif is not a picture's; \.png, \.pdf"):
        PanelDisplay([ALL]).save(tmp_path / "all.gif")
    with pytest.raises(nv.InputError, match=r"the ending \(none\)"):
        PanelDisplay([ALL]).save(tmp_path / "all")
    with pytest.raises(nv.InputError, match="cannot be written"):
        PanelDisplay([ALL]).save(tmp_path / "missing" / "all.png")
    assert os.listdir(tmp_path) == ["all.PNG"]


def test_without_matplotlib_the_error_is_the_install_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(nv.InputError, match=re.escape("pip install 'novikoff[plot]'")):
        PanelDisplay([ALL]).plot()
    with pytest.raises(nv.InputError, match="matplotlib"):
        matplotlib_panels.new_figure([ALL])
    assert "all kinds" in PanelDisplay([ALL]).to_text()  # the terminal needs no package


def test_no_two_classes_or_series_differ_by_colour_alone() -> None:
    assert len(set(COLORS)) == len(COLORS) == len(set(SHAPES)) == len(SHAPES)
    assert class_look(0) != class_look(1)
    looks = [series_look(k) for k in range(len(STYLES))]
    assert len({(shape, style) for _, shape, style in looks}) == len(looks)


# the terminal


def test_a_line_of_dots_is_cut_at_the_edges() -> None:
    canvas = DotCanvas(4, 2)
    canvas.line((-100, -100), (100, 100))
    assert [(int(y), int(x)) for y, x in np.argwhere(canvas.dots)] == [(k, k) for k in range(8)]
    canvas = DotCanvas(4, 2)
    canvas.line((0, -50), (7, -50))
    canvas.line((np.nan, 0), (1, 1))
    canvas.put(np.nan, 0, "x")
    canvas.put(99, 0, "x")
    assert canvas.lines() == ["    ", "    "]
    canvas.dot(0, 0)
    canvas.put(2, 4, "●")
    canvas.write(6, 0, "abc")
    assert canvas.lines() == ["⠁abc", " ●  "]


def test_a_panel_in_characters_has_title_axes_marks_and_legend() -> None:
    lines = panel_lines(ALL, 60, 20)
    text = "\n".join(lines)
    assert lines[0] == "all kinds"
    assert text.count("◆") == 3  # two marks, one in the legend
    assert "here" in text
    assert "line" in lines[-1] + lines[-2]
    assert max(len(line) for line in lines) <= 60
    assert "across" in text
    assert panels_in_characters([ALL, IMAGE]).endswith("##==\n  ++")


def test_in_ascii_no_other_character_is_used() -> None:
    assert panels_in_characters([ALL], 60, 20, unicode=False).isascii()
    arrows = [Panel((Arrow((0.0, 0.0), (x, y)),)) for x in (-1.0, 0.0, 1.0) for y in (-1.0, 0.0, 1.0)]
    found = {character for panel in arrows for line in panel_lines(panel, 40, 12) for character in line}
    assert found & set("→↗↑↖←↙↓↘") == set("→↗↑↖←↙↓↘")


def test_logarithmic_axes_leave_out_what_is_not_positive() -> None:
    panel = Panel((Marks(np.array([-1.0, 1.0, 100.0]), np.array([1.0, 10.0, 1000.0])),), x_log=True, y_log=True)
    assert sum(line.count("●") for line in panel_lines(panel, 40, 12)) == 2


def test_equal_units_are_equally_long_in_dots() -> None:
    panel = Panel((Marks(np.array([0.0, 4.0, 0.0]), np.array([0.0, 0.0, 2.0])),), equal=True)
    rows = [line[12:] for line in panel_lines(panel, 52, 25) if "●" in line]
    bottom = rows[-1]
    across = (bottom.rindex("●") - bottom.index("●")) * 2 / 4
    lines = [line for line in panel_lines(panel, 52, 25) if "|" in line]
    up = [k for k, line in enumerate(lines) if "●" in line]
    assert (up[-1] - up[0]) * 4 / 2 == pytest.approx(across, abs=2)


# lines and limits


def test_the_ends_of_a_line_satisfy_its_equation_and_lie_on_the_edge() -> None:
    rng = np.random.default_rng(0)
    drawn = 0
    for _ in range(200):
        w, b = rng.standard_normal(2), rng.standard_normal()
        ends = line_across(w.tolist(), b, (-1, 2), (0, 1))
        corners = [w[0] * x + w[1] * y + b for x in (-1, 2) for y in (0, 1)]
        assert (ends is not None) == (min(corners) < 0 < max(corners))
        if ends is not None:
            drawn += 1
            assert np.abs(ends @ w + b).max() < 1e-12
            for x, y in ends:
                assert min(abs(x + 1), abs(x - 2), abs(y), abs(y - 1)) < 1e-12
    assert drawn > 50
    assert line_across([0, 0], 1, (0, 1), (0, 1)) is None
    assert line_across([np.inf, 0], 1, (0, 1), (0, 1)) is None


def test_limits_leave_space_around_the_values() -> None:
    assert limits_around(np.array([2.0, 2.0])) == (1.5, 2.5)
    assert extent(ALL.items)[0].tolist()[0] == 0
    assert extent(())[0].size == 0


# texts from files


def test_texts_are_drawn_as_they_are_and_never_as_formulas_or_commands() -> None:
    odd = Panel(
        (Marks(ONE, TWO, "_cost in $ and $x^$ \x1b[31m"), Curve(ONE, ONE, "long " * 100)), "a$b$c\x00", "$", "$$"
    )
    ax = axes()
    draw_panel(ax, odd)
    first, second = (text.get_text() for text in ax.get_legend().get_texts())
    assert first.replace(r"\$", "$") == " _cost in $ and $x^$ ?[31m"
    assert len(second) == 72
    for kind in ("svg", "png", "pdf"):
        assert picture_bytes([odd], kind)
    assert b"a$b$c?" in picture_bytes([odd], "svg")
    text = panels_in_characters([odd])
    assert "\x1b" not in text
    assert "_cost in $" in text


def test_a_picture_file_does_not_depend_on_the_style_of_the_user() -> None:
    plain = picture_bytes([ALL], "svg")
    with matplotlib.rc_context({"lines.linewidth": 9, "text.usetex": True, "figure.facecolor": "black"}):
        assert picture_bytes([ALL], "svg") == plain


def test_names_of_an_axis_are_shown_in_the_terminal() -> None:
    panel = Panel((Marks(ONE, ONE),), y_limits=(-0.5, 1.5), y_ticks=("first", "second"))
    named = [line.split("|")[0].strip() for line in panel_lines(panel, 50, 16) if "●" in line]
    assert named == ["second", "first"]


def test_names_below_an_axis_do_not_touch() -> None:
    names = ("setosa\nothers", "versicolor\nothers", "virginica\nothers")
    panel = Panel((Marks(ONE, ONE),), x_limits=(-0.5, 2.5), x_ticks=names)
    wide = next(line for line in panel_lines(panel, 80, 12) if "setosa" in line)
    assert wide.split() == ["setosa/others", "versicolor/others", "virginica/others"]
    short = next(line for line in panel_lines(panel, 36, 12) if "seto" in line)
    assert short.split() == ["setosa/", "versico", "virgini"]


def test_a_ring_keeps_the_mark_that_it_surrounds() -> None:
    at = np.array([0.0, 1.0])
    marks = Marks(at, at, "class", shape="square")
    ring = Marks(at[:1], at[:1], "touching", size=150.0, filled=False)
    for unicode, mark in ((True, "■"), (False, "#")):
        text = panels_in_characters([Panel((marks, ring))], 60, 12, unicode)
        assert f"({mark})" in text
        assert text.count(mark) == 3  # two points and the legend
        assert "( ) touching" in text


def test_a_legend_does_not_cover_the_neighbour_of_given_axes() -> None:
    """Beside axes of a figure of its own it is at the right of them; in `plt.subplots(1, 3)` it is inside."""
    X, y = nv.example("iris")
    clf = nv.Perceptron().fit(X[:100, :2], y[:100])
    figure = Figure(figsize=(12, 4))
    axes = figure.subplots(1, 3)
    for ax in axes:
        nv.BoundaryDisplay.from_estimator(clf, X[:100, :2], y[:100], ax=ax)
    FigureCanvasAgg(figure).draw()
    for ax in axes:
        frame, legend = ax.get_window_extent(), ax.get_legend().get_window_extent()
        assert frame.x0 <= legend.x0 < legend.x1 <= frame.x1
        assert frame.y0 <= legend.y0 < legend.y1 <= frame.y1


def test_the_text_of_an_arrow_is_legible_over_points() -> None:
    _, (ax,) = new_figure([Panel(())])
    draw_panel(ax, Panel((Marks(np.array([1.0]), np.array([1.0])), Arrow((0, 0), (1, 1), "w"))))
    (text,) = [one for one in ax.texts if one.get_text() == "w"]
    assert text.get_path_effects()
