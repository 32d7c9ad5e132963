"""Panels and their renderers: the matplotlib artists and the files."""

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
from novikoff.pages.panel import (
    COLORS,
    SHAPES,
    STYLES,
    Arrow,
    Curve,
    Marks,
    Note,
    Panel,
    Region,
    class_look,
    series_look,
)
from novikoff.pages.straight_lines import line_across
from novikoff.plot import matplotlib_panels
from novikoff.plot.display import PanelDisplay
from novikoff.plot.matplotlib_panels import draw, draw_panel, new_figure
from novikoff.plot.picture_files import picture_bytes

ONE, TWO = np.array([0.0, 1.0]), np.array([0.0, 2.0])
ALL = Panel(
    (
        Region(np.array([0.0, 1.0, 1.0]), np.array([0.0, 0.0, 1.0]), "area", name="area"),
        Curve(ONE, TWO, "line", style="dashed", name="line"),
        Marks(ONE, TWO, "marks", shape="diamond", low=TWO - 0.5, high=TWO + 0.5, name="marks"),
        Arrow((0.0, 0.0), (1.0, 1.0), "w", name="arrow"),
        Note(0.5, 0.5, "here", "center"),
    ),
    "all kinds",
    "across",
    "up",
)


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
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ALL.labels == ["area", "line", "marks"]
    assert (ax.get_title(), ax.get_xlabel(), ax.get_ylabel()) == ("all kinds", "across", "up")


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
    one, three = (new_figure([ALL] * count)[0].get_size_inches() for count in (1, 3))
    assert one[0] < three[0]
    assert one[1] == three[1]
    assert len(new_figure([ALL] * 5)[1]) == 5


@pytest.mark.parametrize("kind", ["png", "pdf", "svg", "jpg", "webp"])
def test_a_picture_has_the_same_bytes_each_time(kind: str) -> None:
    first = picture_bytes([ALL], kind)
    assert first == picture_bytes([ALL], kind)
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


def test_no_two_classes_or_series_differ_by_colour_alone() -> None:
    assert len(set(COLORS)) == len(COLORS) == len(set(SHAPES)) == len(SHAPES)
    assert class_look(0) != class_look(1)
    looks = [series_look(k) for k in range(len(STYLES))]
    assert len({(shape, style) for _, shape, style in looks}) == len(looks)


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


def test_a_picture_file_does_not_depend_on_the_style_of_the_user() -> None:
    plain = picture_bytes([ALL], "svg")
    with matplotlib.rc_context({"lines.linewidth": 9, "text.usetex": True, "figure.facecolor": "black"}):
        assert picture_bytes([ALL], "svg") == plain


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
