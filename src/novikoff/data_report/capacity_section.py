"""Show how many labellings of as many points a plane separates: Cover's curve with the data set marked.

    C(P, N)/2^P    P points, N parameters (features, and one for the bias); ½ at P = 2N, the capacity

A separable data set far below the capacity says little about its labels; far above it, much. The count is that of
points in general position; other points have fewer separable labellings.

From the notes: S5 S6 (Sompolinsky, Cover's Function Counting Theorem).
"""

from __future__ import annotations

from typing import NamedTuple

from novikoff.pages import drawing
from novikoff.pages.drawing import Window
from novikoff.pages.markup import Markup, element
from novikoff.pages.page_frame import figure
from novikoff.theory.cover_logs import approximate_fraction, log10_cover_count
from novikoff.theory.perfect_fit import in_words, separable_by_chance

WIDEST = 4.0  # P/N up to which the curve is drawn
STEPS = 80


class Capacity(NamedTuple):
    """The numbers of `novikoff capacity` for a data set: P points, N parameters, log10 C(P, N) and C(P, N)/2^P."""

    points: int
    parameters: int
    log10_count: float
    fraction: float

    @property
    def ratio(self) -> float:
        """P/N."""
        return self.points / self.parameters


def capacity_of(n: int, d: int, fit_intercept: bool) -> Capacity:
    """Return the numbers of n points with d features.

    Examples
    --------
    >>> found = capacity_of(4, 2, True)
    >>> found.parameters, found.fraction, round(10**found.log10_count)
    (3, 0.875, 14)
    """
    fraction, log10_count = approximate_fraction(n, d, fit_intercept), log10_cover_count(n, d, fit_intercept)
    return Capacity(n, d + fit_intercept, log10_count, fraction)


def capacity_facts(found: Capacity) -> list[tuple[str, str]]:
    """Return names and values of the numbers."""
    return [
        ("points P", f"{found.points:,}"),
        ("parameters N", f"{found.parameters:,}"),
        ("P/N", f"{found.ratio:.4g}"),
        ("separable labellings C(P, N)", f"≈ 10^{found.log10_count:.4g}"),
        ("fraction of all 2^P labellings", percent(found.fraction)),
        ("capacity 2N, where it is one half", f"{2 * found.parameters:,}"),
    ]


def percent(fraction: float) -> str:
    """Format a fraction: 87.5 %, 1.2e−05 %, or below 1e−300 %."""
    return f"{100 * fraction:.4g} %".replace("-", "−") if fraction > 1e-300 else "below 1e−298 %"


def meaning(found: Capacity, separable: bool | None) -> str:
    """Return what it means, or would mean, that a plane separates the points."""
    chance = separable_by_chance(found.points, found.parameters)
    if chance is not None:
        text = in_words(found.points, chance)
        return f"{text[0].upper()}{text[1:]}."
    few = f"Of all labellings of so many points at most {percent(found.fraction)} are separable"
    return f"{few}: a plane that separates the classes is no accident of their number." if separable else f"{few}."


def cover_figure(found: Capacity) -> Markup:
    """Return Cover's curve for this number of parameters, and a mark at the data set."""
    N = found.parameters
    counts = sorted({max(1, round(WIDEST * N * k / STEPS)) for k in range(1, STEPS + 1)})
    curve = [(P / N, approximate_fraction(P, N)) for P in counts if P / N <= WIDEST]
    window = Window(0.0, WIDEST, -0.04, 1.08)
    inside = found.ratio <= WIDEST
    at = (min(found.ratio, WIDEST), found.fraction)
    content = [drawing.axes(window, "points per parameter, P/N", "separable fraction"),
               drawing.line(window, 1.0, 0.0, -2.0, class_="limit"),
               drawing.curve(window, [(0.0, 1.0), *curve], class_="over")]  # fmt: skip
    content.append(drawing.mark(window, *at, "circle", 6.0))
    where = "the mark is this data set" if inside else f"the data set is far right of it, at P/N = {found.ratio:,.4g}"
    text = f"Cover's curve for N = {N:,} parameters and points in general position; {where}. Dotted: the capacity, 2N."
    return figure(drawing.drawing(f"Separable fraction against P/N for N = {N:,}", *content), element("span", text))
