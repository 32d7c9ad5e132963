"""The animation of a trace: one frame for each update with its exact numbers, then the result."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.animation import FuncAnimation
from matplotlib.figure import Figure
from PIL import Image

import novikoff as nv
from novikoff.plot.animation.trace_animation import MOST_FRAMES, TraceAnimation

CORNWELL = nv.example("cornwell")


def animated(name: str = "cornwell", **how: Any) -> TraceAnimation:
    return TraceAnimation(nv.trace(*nv.example(name), **how))


@pytest.mark.parametrize(
    ("name", "how"), [("cornwell", {}), ("and", {"eta0": "1/2"}), ("tao", {"fit_intercept": False})]
)
def test_a_frame_has_both_lines_the_violated_point_and_the_added_vector(name: str, how: dict[str, Any]) -> None:
    display = animated(name, **how)
    trace = display.trace
    assert display.n_frames == len(trace.steps) + 1
    before = trace.start
    for number, step in enumerate(trace.steps):
        left, right = display.frame(number)
        for line, w in (("before", before), ("after", step.w)):
            (curve,) = left.named(line)
            bias = float(w[2]) if trace.fit_intercept else 0.0
            drawn = np.isfinite(curve.x)
            scores = float(w[0]) * curve.x[drawn] + float(w[1]) * curve.y[drawn] + bias
            assert scores == pytest.approx(0, abs=1e-9)
            assert drawn.all() or curve.label.endswith((": none", ": outside"))
        assert left.named("before")[0].alpha < left.named("after")[0].alpha
        (ring,) = left.named("violated")
        assert (ring.x[0], ring.y[0]) == (float(step.x[0]), float(step.x[1]))
        assert step.sign * step.score <= 0
        before = step.w
        if not any(step.x[:2]):  # only the bias changes
            assert not right.named("added")
            continue
        (added,), (after,) = right.named("added"), right.named("w after")
        change = np.subtract(added.end, added.start)
        assert change.tolist() == [float(step.eta * step.sign * v) for v in step.x[:2]]
        assert added.end == after.end == (float(step.w[0]), float(step.w[1]))


def test_the_caption_has_the_exact_numbers() -> None:
    display = animated()
    first, last = display.frame(0)[0].title, display.frame(8)[0].title
    assert first == "update 1 of 9, point 1 (−): y·(w·x) = 0\n(0, 0, 0) + (1, −3, −1)\n= (1, −3, −1), 2 errors after it"
    assert last.endswith("= (4, −1/2, 1), 0 errors after it")
    long = TraceAnimation(nv.trace([[Fraction(1, 3**30), 1], [1, Fraction(1, 7**20)]], [0, 1]))
    assert f"(−1/{3**30}, −1, −1)" in long.frame(0)[0].title
    long = TraceAnimation(nv.trace([[Fraction(1, 3**50), 1], [1, 0]], [0, 1]))
    assert "≈" in long.frame(0)[0].title


def test_the_last_frame_is_the_boundary_with_the_widest_margin() -> None:
    display = animated()
    clf = nv.Perceptron().fit(*CORNWELL)
    wanted = nv.BoundaryDisplay.from_estimator(clf, *CORNWELL, ax=Figure().add_subplot()).panels[0]
    left, right = display.frame(9)
    assert [panel.title for panel in display.panels] == [left.title, right.title]
    assert left.title == f"9 updates: separated\n{wanted.title}"
    assert left.labels == wanted.labels
    for name in ("boundary", "widest", "touching"):
        assert left.named(name)[0].x == pytest.approx(wanted.named(name)[0].x)
    (path,) = right.named("path")
    assert np.column_stack([path.x, path.y])[-1].tolist() == clf.coef_[0].tolist()
    assert len(path.x) == 10


def test_frames_have_the_same_limits_and_as_many_lines_of_title() -> None:
    frames = [animated().frame(k) for k in range(10)]
    assert len({(left.x_limits, left.y_limits, right.x_limits, right.y_limits) for left, right in frames}) == 1
    assert {left.title.count("\n") for left, _ in frames} == {2}


def test_units_are_equal_unless_one_extent_is_much_longer() -> None:
    assert all(panel.equal for number in range(10) for panel in animated().frame(number))
    long = TraceAnimation(nv.trace([[0, 0], [1, 1000]], [0, 1]))
    assert not any(panel.equal for number in range(long.n_frames) for panel in long.frame(number))


def test_runs_that_do_not_separate_say_so_in_the_last_frame() -> None:
    assert "the weights repeat: no plane separates" in animated("xor").panels[0].title
    cut = animated("cornwell", max_updates=3)
    assert cut.n_frames == 4
    assert cut.panels[0].title.startswith("3 updates: stopped at max_updates")


def test_a_batch_update_rings_all_its_points() -> None:
    display = animated(order="batch")
    step: Any = display.trace.steps[0]
    left, right = display.frame(0)
    assert len(left.named("violated")[0].x) == len(step.points) == 4
    assert right.named("added")[0].end == tuple(float(step.eta * v) for v in step.sum[:2])
    assert "4 violated points" in left.title


def test_a_run_without_updates_is_its_result() -> None:
    display = animated("cornwell", w0=["4", "-1/2", 1])
    assert display.n_frames == 1
    assert display.panels[0].title.startswith("0 updates: separated")


def test_the_animation_draws_every_frame_on_the_given_figure() -> None:
    figure = Figure()
    display = animated()
    found = display.animation(figure)
    assert isinstance(found, FuncAnimation)
    assert len(list(found.new_frame_seq())) == 10
    places = set()
    for number in range(10):
        found._func(number)
        assert figure.axes[0].get_title() == display.frame(number)[0].title
        places.add(tuple(figure.axes[0].get_position(original=True).bounds))
    assert len(places) == 1
    found._draw_was_started = True  # it is not shown


def test_a_gif_has_all_frames_and_is_the_same_each_time(tmp_path: Path) -> None:
    display = animated("tao", fit_intercept=False)
    assert display.n_frames == 3
    display.save(tmp_path / "a.gif").save(tmp_path / "b.gif").save(tmp_path / "last.svg")
    assert (tmp_path / "a.gif").read_bytes() == (tmp_path / "b.gif").read_bytes()
    with Image.open(tmp_path / "a.gif") as image:
        assert image.n_frames == display.n_frames  # type: ignore[attr-defined]
    assert "separated" in (tmp_path / "last.svg").read_text("utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.gif", "b.gif", "last.svg"]


def test_what_cannot_be_animated_is_an_error_with_the_way_out(tmp_path: Path) -> None:
    for wrong, message in (
        (lambda: TraceAnimation(nv.trace([[1], [2]], [0, 1])), "found points with 1 feature; two were expected"),
        (lambda: animated("spam"), "to_text of the trace"),
        (lambda: TraceAnimation("cornwell"), "found str; the result of trace was expected"),  # type: ignore[arg-type]
        (lambda: animated().frame(10), "number: found 10; 0 to 9 was expected"),
        (lambda: nv.TraceAnimation.from_trace(nv.trace(*CORNWELL), ax=Figure().add_subplot()), "2 panels"),
        (lambda: animated().save(tmp_path / "a.mp4"), "is not a picture's"),
        (lambda: animated("tao", fit_intercept=False).save(tmp_path / "none" / "a.gif"), "cannot be written"),
    ):
        with pytest.raises(nv.InputError, match=message):
            wrong()
    slow = TraceAnimation(nv.trace([[0, 0], [1, 1000]], [0, 1], max_updates=MOST_FRAMES + 5))
    slow.trace.__dict__["steps"] = slow.trace.steps * (1 + MOST_FRAMES // len(slow.trace.steps))
    with pytest.raises(nv.InputError, match=f"max_updates={MOST_FRAMES - 1}"):
        slow.save(tmp_path / "a.gif")
    assert not list(tmp_path.iterdir())
