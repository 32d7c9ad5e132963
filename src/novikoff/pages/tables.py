"""Build HTML tables that scroll sideways on narrow screens and can be reached by keyboard."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from novikoff.pages.markup import Markup, element, joined


def table(
    caption: str,
    header: Sequence[Any],
    rows: Iterable[Sequence[Any]],
    numbers: Sequence[int] = (),
    row_headers: bool = False,
) -> Markup:
    """Return a table. numbers: columns that are aligned to the right; row_headers: the first cell names its row."""
    head = element("thead", element("tr", *(_head(cell, j in numbers) for j, cell in enumerate(header))))
    body = element("tbody", *(_row(row, numbers, row_headers) for row in rows))
    box = scrolling(element("table", head, body, aria_label=caption), caption)
    return element("div", element("p", caption, class_="caption"), box, class_="captioned")


def scrolling(content: Markup, name: str) -> Markup:
    """Return content in a box that scrolls sideways, as a region that the keyboard can reach."""
    return element("div", content, class_="scroll", role="region", tabindex="0", aria_label=name)


def facts(pairs: Iterable[tuple[Any, Any]]) -> Markup:
    """Return a list of names and values."""
    items = joined(element("div", element("dt", name), element("dd", value)) for name, value in pairs)
    return element("dl", items, class_="facts")


def _head(cell: Any, number: bool) -> Markup:
    return element("th", cell, scope="col", class_="number" if number else None)


def _row(row: Sequence[Any], numbers: Sequence[int], named: bool) -> Markup:
    cells = []
    for j, cell in enumerate(row):
        if j == 0 and named:
            cells.append(element("th", cell, scope="row"))
        else:
            cells.append(element("td", cell, class_="number" if j in numbers else None))
    return element("tr", *cells)
