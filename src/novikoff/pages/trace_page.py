"""Show a run of the lecture as one page: step through its updates, with every number exact.

Without script the page is readable as it is: pictures of the first and the last state, the table of all updates, the
sentence on how the run ended. With script the same table is stepped through by buttons or keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.data.format_numbers import BEYOND, WIDE, count
from novikoff.data.plain_files import plane_of
from novikoff.pages.markup import Markup, element, escaped, joined
from novikoff.pages.page_frame import figure, page, section
from novikoff.pages.panel import AMBER, INK, Curve, Item, Panel
from novikoff.pages.panel_svg import panel_figure, panel_svg, shown, window_of
from novikoff.pages.plane_pictures import TOO_FAR, class_marks, plane_points, thinned, thinning_note, widest_items
from novikoff.pages.proof_curves import Reference, constant_rate, proof_panel, reference_of
from novikoff.pages.straight_lines import line_across
from novikoff.pages.tables import facts
from novikoff.pages.window import TOP, Window, view_around

NORMAL = 34  # units of the drawing, the length of the line that shows the direction of w
NOWHERE = np.empty(0)  # of a line that only the legend shows here: a script moves it
SCRIPT = "trace.js"
KEYS = (("←", " back, "), ("→", " step, "), ("Home", " first, "), ("End", " last, "), ("Space", " play or pause."))


def trace_page(trace: Any, margin: Any = None, title: str | None = None) -> str:
    """Return the page. margin: of the same points; title: what the points are, such as a file's name."""
    reference = reference_of(trace, margin)
    heading = "A perceptron run" if title is None else f"A perceptron run on {title}"
    table = _table(trace)
    content = [
        element("h1", heading),
        element("pre", "\n".join(trace.ending()), class_="lead"),
        _controls(len(trace.steps)),
        element("div", _status(), _budget(trace, reference), class_="beside"),
        _pictures(trace, margin, reference),
        facts(_facts(trace)),
        section("Every update", table, _rounded(table), name="updates"),
        element("p", "Made by novikoff. The page is one file: it loads nothing and sends nothing.", class_="quiet"),
    ]
    return page(heading, *content, script=SCRIPT)


def _facts(trace: Any) -> list[tuple[str, str]]:
    bias = "and a bias" if trace.fit_intercept else "no bias"
    return [
        ("points", f"{len(trace.counts):,}"),
        ("features", f"{trace.d:,}, {bias}"),
        ("rule", trace.rule),
        ("order", trace.order),
        ("updates", f"{len(trace.steps):,}"),
        ("looks (points shown)", f"{trace.n_looks:,}"),
        ("passes", f"{trace.passes:,}"),
    ]


# ---- stepping ------------------------------------------------------------------------------------------------------


def _controls(updates: int) -> Markup:
    """Return the buttons, which only a page with script shows."""
    names = (("first", "First"), ("back", "Back"), ("play", "Play"), ("step", "Step"), ("last", "Last"))
    buttons = [element("button", text, type="button", id=name) for name, text in names]
    slider = element("input", type="range", id="scrub", min="0", max=updates, value="0", aria_label="Update number")
    keys = joined(part for key, text in KEYS for part in (element("kbd", key), text))
    row = element("div", *buttons, slider, class_="controls", role="group", aria_label="Step through the run")
    return element("div", row, element("p", "Keys: ", keys, class_="quiet keys"), id="stepper", hidden=True)


def _status() -> Markup:
    """Return the place where the script writes what an update does."""
    return element("div", class_="now", id="now", role="status", aria_live="polite", hidden=True)


def _budget(trace: Any, reference: Reference | None) -> Markup:
    """Return the bar of mistakes made of those that are possible, or a sentence on why there is no bound."""
    made = len(trace.steps)
    if reference is None or reference.most is None:
        return element("div", element("p", no_bound(trace, reference)), class_="budget")
    most = reference.most
    text = joined([element("span", f"{made:,}", id="made"), f" of at most {most:,} mistakes are made"])
    bar = element("progress", max=max(most, 1), value=made, id="bar", aria_label=f"Mistakes of at most {most:,}")
    rule = "⌊(R/γ)²⌋" if not any(trace.start) else "the largest n with ⟨w⁰, u⟩ + nηγ ≤ √(|w⁰|² + nη²R²)"
    numbers = f"R ≈ {reference.radius:.6g} and γ ≈ {reference.gamma:.6g}"
    why = f"The bound is {rule} with {numbers}, the largest margin of any {plane_of(trace.fit_intercept)}."
    return element("div", element("p", text), bar, element("p", why, class_="quiet"), class_="budget")


def no_bound(trace: Any, reference: Reference | None) -> str:
    """Return why the page shows no bound of the mistakes."""
    if trace.stop_reason == "cycle":
        return f"No {plane_of(trace.fit_intercept)} separates the points, so no bound limits the number of mistakes."
    if trace.rule != "perceptron":
        return "No bound is shown: it holds for the rule perceptron, which updates at mistakes only."
    if reference is None:
        return f"No bound is shown: it needs the margin of a {plane_of(trace.fit_intercept)} that separates the points."
    if constant_rate(trace) is not None:
        return f"No bound is shown: it is {BEYOND}."
    return "No bound is shown: it holds for a constant learning rate."


# ---- pictures ------------------------------------------------------------------------------------------------------


def _pictures(trace: Any, margin: Any, reference: Reference | None) -> Markup:
    parts: list[Any] = []
    if trace.d == 2:
        parts += plane_figures(trace, margin)
    else:
        dimension = "one feature" if trace.d == 1 else f"{trace.d:,} features"
        parts.append(element("p", f"The points have {dimension}: a picture of the plane needs two."))
    panel = proof_panel(trace, reference)
    if panel is not None:
        window, updates = window_of(panel), count(len(trace.steps), "update")
        name = f"The curves of the proof for {updates}"
        parts.append(panel_figure(panel, name, None, _cursor(panel, window), id="proof", data_window=window.box))
    return section("Pictures", element("div", *parts, class_="pictures"), name="pictures", heading="visually-hidden")


def _cursor(panel: Panel, window: Window) -> Markup:
    """Return a vertical line at the last update with a dot on each curve of the run; a script moves it."""
    curves = [curve for name in ("under", "over") for curve in panel.named(name)]
    x, bottom = window.at(float(curves[0].x[-1]), window.y0)
    upright = {"x1": shown(x), "x2": shown(x), "y1": shown(TOP), "y2": shown(bottom)}
    dots = [element("circle", class_="dot", data_of=curve.name, cx=shown(x), r=4,
                    cy=shown(window.at(0.0, float(curve.y[-1]))[1])) for curve in curves]  # fmt: skip
    return element("g", element("line", class_="limit", **upright), *dots, id="cursor")


def plane_figures(trace: Any, margin: Any = None, stepping: bool = True) -> list[Markup]:
    """Return the points with the line of the first and of the last weights; stepping: for the script of the page."""
    points = plane_points(trace.points)
    view = view_around(points)
    if view is None:
        return [element("p", TOO_FAR)]
    thin = thinned(len(points))
    x, y = np.array(points)[thin].T
    items: list[Item] = [] if margin is None else widest_items(margin, view)
    items += class_marks(x, y, (np.array(trace.signs)[thin] > 0).astype(int), trace.classes)
    items += [Curve(NOWHERE, NOWHERE, "the line of w", INK, width=2.0)]
    items += [Curve(NOWHERE, NOWHERE, "the direction of w, orthogonal to it", AMBER, width=2.0)] if view.equal else []
    note = view.note + thinning_note(len(thin), len(points))
    x_name, y_name = trace.axis_names
    panel = Panel(tuple(items), "", x_name, y_name, view.x, view.y, equal=view.equal)
    first, last = (_lines_of_weights(trace, panel, k) for k in (0, len(trace.steps)))
    live: dict[str, Any] = {"id": "plane", "data_window": window_of(panel).box}
    live["data_start"] = _line_of(trace, trace.start)
    when = element("span", f"After {count(len(trace.steps), 'update')}", id="when" if stepping else None)
    name = f"{len(trace.counts):,} points and the line of the weights after {{}}"
    start = panel_svg(panel, name.format("0 updates"), *first)
    return [
        figure(start, f"Before the first update.{note}", id="start" if stepping else None),
        panel_figure(panel, name.format(count(len(trace.steps), "update")), joined([when, f".{note}"]), *last,
                     **(live if stepping else {})),
    ]  # fmt: skip


def _lines_of_weights(trace: Any, panel: Panel, k: int) -> Sequence[Markup]:
    """Return the line of the weights after k updates and, with equal units, its normal: w is orthogonal to it (S2)."""
    a, b, c = _numbers(trace, trace.start if k == 0 else trace.steps[k - 1].w)
    found = line_across((a, b), c, panel.x_limits, panel.y_limits)
    ends = np.array([window_of(panel).at(x, y) for x, y in (np.zeros((2, 2)) if found is None else found).tolist()])
    foot = ends.mean(axis=0)
    tip = foot + NORMAL * np.array([a, -b]) / (float(np.hypot(a, b)) or 1.0)
    made = [element("line", class_="plane", data_of="after", hidden=found is None, **_ends(*ends))]
    if panel.equal:
        made.append(element("line", class_="normal", data_of="normal", hidden=found is None, **_ends(foot, tip)))
    return made


def _ends(start: np.ndarray, end: np.ndarray) -> dict[str, str]:
    values = zip(("x1", "y1", "x2", "y2"), (*start.tolist(), *end.tolist()), strict=True)
    return {name: shown(value) for name, value in values}


def _numbers(trace: Any, w: Any) -> tuple[float, float, float]:
    """Return the coefficients of the line of w, the bias last, divided by the largest: the same line."""
    largest = max(map(abs, w)) or 1
    a, b, c = (float(v / largest) for v in (*w, *([] if trace.fit_intercept else [Fraction(0)])))
    return a, b, c


def _line_of(trace: Any, w: Any) -> str:
    return " ".join(f"{v:.12g}" for v in _numbers(trace, w))


# ---- the table -----------------------------------------------------------------------------------------------------


def _table(trace: Any) -> Markup:
    """Return one row for each update; data attributes hold what the pictures need."""
    header = trace.header()
    columns = joined(element("th", name, scope="col") for name in header)
    rows = [Markup(f"<tr{_drawn(trace, step)}>{_cells(trace, step)}</tr>") for step in trace.steps]
    caption = "y is −1 or 1; points are numbered from 1; the bias is the last number of a vector"
    table = element("table", element("caption", caption), element("thead", element("tr", columns)),
                    element("tbody", *rows), id="table", data_n=len(trace.counts),
                    class_="steps wide" if trace.d > WIDE else "steps vectors")  # fmt: skip
    return element("div", table, class_="scroll tall", role="region", tabindex="0", aria_label="Table of updates")


def _cells(trace: Any, step: Any) -> str:
    return "".join(f"<td>{escaped(cell)}" for cell in trace.cells(step))


def _drawn(trace: Any, step: Any) -> str:
    """Return the line after the update and the point that caused it, for the picture of two features."""
    if trace.d != 2:
        return ""
    x, y = plane_points([step.x])[0]
    return f' data-w="{_line_of(trace, step.w)}" data-p="{x:.12g} {y:.12g}"'


def _rounded(table: str) -> str:
    return element("p", "≈ marks a number that is rounded here; CSV and JSON have it exactly.") if "≈" in table else ""
