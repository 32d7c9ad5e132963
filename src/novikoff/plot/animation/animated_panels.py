"""Draw frames of panels with matplotlib: as a FuncAnimation, and as a .gif file.

The places of the axes are computed once, for the last frame, so that nothing moves between frames but the contents.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

from novikoff.plot.drawing.matplotlib_panels import check_matplotlib, draw, draw_panel, size_of
from novikoff.plot.panel import Panel

Frames = Callable[[int], list[Panel]]
DOTS_PER_INCH = 100
LAST = 3  # times as long as the others: the last frame


def animated(frame: Frames, count: int, figure: Any, interval: int, columns: int | None = None) -> Any:
    """Return a FuncAnimation of the frames; figure None: a new one of pyplot."""
    check_matplotlib()
    from matplotlib.animation import FuncAnimation

    if figure is None:
        from matplotlib import pyplot

        figure = pyplot.figure(figsize=size_of(frame(count - 1), columns))
    axes = _fixed_axes(figure, frame(count - 1), columns)
    return FuncAnimation(figure, lambda number: _redraw(axes, frame(number)), frames=count, interval=interval,
                         init_func=list, cache_frame_data=False)  # fmt: skip


def gif_bytes(frame: Frames, count: int, interval: int, columns: int | None = None) -> bytes:
    """Return a .gif file with all frames, repeated without end; the last one is shown three times as long."""
    check_matplotlib()
    import numpy as np
    from matplotlib import style
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from PIL import Image

    images = []
    with style.context("default"):  # not the user's style: the same bytes everywhere
        figure = Figure(figsize=size_of(frame(count - 1), columns), dpi=DOTS_PER_INCH)
        canvas: Any = FigureCanvasAgg(figure)
        axes = _fixed_axes(figure, frame(count - 1), columns)
        for number in range(count):
            _redraw(axes, frame(number))
            canvas.draw()
            picture = Image.fromarray(np.asarray(canvas.buffer_rgba())[:, :, :3].copy())
            images.append(picture.quantize(256))
    file = io.BytesIO()
    times = [interval] * (count - 1) + [LAST * interval]
    images[0].save(file, "GIF", save_all=True, append_images=images[1:], duration=times, loop=0)
    return file.getvalue()


def _fixed_axes(figure: Any, panels: list[Panel], columns: int | None) -> list[Any]:
    """Draw the panels on new axes and return these; their places no longer depend on their contents."""
    figure.set_layout_engine("constrained")
    axes = [figure.add_subplot(-(-len(panels) // (columns or 1)), columns or 1, k + 1) for k in range(len(panels))]
    draw(panels, axes)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    return axes


def _redraw(axes: list[Any], panels: list[Panel]) -> list[Any]:
    for ax, panel in zip(axes, panels, strict=True):
        ax.clear()
        draw_panel(ax, panel)
    return axes
