"""Show how many labellings of as many points a plane separates: Cover's curve with the data set marked.

    C(P, N)/2^P    P points, N parameters (features, and one for the bias); ½ at P = 2N, the capacity

A separable data set far below the capacity says little about its labels; far above it, much. The count is that of
points in general position; other points have fewer separable labellings.

From the notes: S5 S6 (Sompolinsky, Cover's Function Counting Theorem).
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from novikoff.data.format_numbers import at_most
from novikoff.pages.markup import Markup
from novikoff.pages.panel import RED, Item, Marks, Note
from novikoff.pages.panel_svg import panel_figure
from novikoff.plot.cover_display import CoverDisplay
from novikoff.theory.cover_logs import approximate_fraction, fraction_in_words, log10_cover_count, log10_fraction
from novikoff.theory.perfect_fit import in_words, separable_by_chance

LONGEST = 12.0  # the axis of P/N ends at the data set, but not after this


class Capacity(NamedTuple):
    """The numbers of `novikoff capacity` for a data set: P points, N parameters, C(P, N) and C(P, N)/2^P, and log10."""

    points: int
    parameters: int
    log10_count: float
    fraction: float
    log10_fraction: float

    @property
    def ratio(self) -> float:
        """P/N."""
        return self.points / self.parameters

    @property
    def fraction_in_words(self) -> str:
        """C(P, N)/2^P as the command prints it."""
        return fraction_in_words(self.fraction, self.log10_fraction)


def capacity_of(n: int, d: int, fit_intercept: bool) -> Capacity:
    """Return the numbers of n points with d features.

    Examples
    --------
    >>> found = capacity_of(4, 2, True)
    >>> found.parameters, found.fraction, round(10**found.log10_count)
    (3, 0.875, 14)
    """
    fraction, log10_count = approximate_fraction(n, d, fit_intercept), log10_cover_count(n, d, fit_intercept)
    return Capacity(n, d + fit_intercept, log10_count, fraction, log10_fraction(n, d, fit_intercept))


def capacity_facts(found: Capacity) -> list[tuple[str, str]]:
    """Return names and values of the numbers."""
    return [
        ("points P", f"{found.points:,}"),
        ("parameters N", f"{found.parameters:,}"),
        ("P/N", f"{found.ratio:.4g}"),
        ("separable labellings C(P, N)", f"≈ 10^{found.log10_count:.4g}"),
        ("fraction of all 2^P labellings", found.fraction_in_words),
        ("capacity 2N, where it is one half", f"{2 * found.parameters:,}"),
    ]


def meaning(found: Capacity, separable: bool | None) -> str:
    """Return what it means, or would mean, that a plane separates the points."""
    chance = separable_by_chance(found.points, found.parameters)
    if chance is not None:
        text = in_words(found.points, chance)
        return f"{text[0].upper()}{text[1:]}."
    most = at_most(found.fraction, ".6g") if found.fraction else f"10^({at_most(found.log10_fraction, '.10g')})"
    few = f"At most the fraction {most} of all labellings of so many points is separable"
    return f"{few}: a plane that separates the classes is no accident of their number." if separable else f"{few}."


def cover_figure(found: Capacity) -> Markup:
    """Return Cover's curve for this number of parameters, and a mark at the data set."""
    N, ratio = found.parameters, found.ratio
    beyond = ratio > LONGEST
    (panel,) = CoverDisplay([N], () if beyond else [{"N": N, "P": found.points}], counts=False).panels
    where = (
        f"this data set, at P/N = {ratio:,.4g}, is beyond the right edge" if beyond else "the circle is this data set"
    )
    mark: Item = Marks(np.array([ratio]), np.array([found.fraction]), "this data set", RED, "circle", 80.0, name="data")
    if beyond:
        mark = Note(0.985 * panel.x_limits[1], 0.2, f"data: P/N = {ratio:,.4g} →", "right")
    text = f"Cover's curve for N = {N:,} parameters and points in general position; {where}."
    drawn = replace(panel, items=(*panel.items, mark), title=text)
    return panel_figure(drawn, f"Separable fraction against P/N for N = {N:,}; {where}")
