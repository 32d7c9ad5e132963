"""Build HTML and SVG elements; text from data is always escaped.

    element("td", "a < b", class_="number")  →  <td class="number">a &lt; b</td>

A `Markup` is text that is HTML already; every other value is escaped where it is put into an element.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from typing import Any

VOID = {"br", "col", "hr", "input", "link", "meta"}  # elements without content and without an end
# characters that HTML does not allow, and halves of a surrogate pair, which no encoding can write
_NOT_ALLOWED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


class Markup(str):
    """Text that is HTML, and is not escaped again."""

    __slots__ = ()


def escaped(value: Any) -> Markup:
    """Return a value as HTML text; quotes are escaped too, so that it can be an attribute.

    Examples
    --------
    >>> escaped('<b> "x" & y'), escaped(Markup("<b>"))
    ('&lt;b&gt; &quot;x&quot; &amp; y', '<b>')
    """
    if isinstance(value, Markup):
        return value
    return Markup(html.escape(_NOT_ALLOWED.sub("\ufffd", str(value)), quote=True))


def joined(parts: Iterable[Any], between: str = "") -> Markup:
    """Return the parts, escaped, one after the other."""
    return Markup(between.join(map(escaped, parts)))


def element(name: str, /, *children: Any, **attributes: Any) -> Markup:
    """Return an element with its children. An attribute `class_` is class, `data_row` is data-row; None leaves it out.

    Examples
    --------
    >>> element("p", "1 < 2", element("br"), class_="note", hidden=True, id=None)
    '<p class="note" hidden>1 &lt; 2<br></p>'
    """
    head = "".join(_attribute(key, value) for key, value in attributes.items() if value is not None)
    if name in VOID:
        return Markup(f"<{name}{head}>")
    return Markup(f"<{name}{head}>{joined(children)}</{name}>")


def _attribute(key: str, value: Any) -> str:
    name = key.rstrip("_").replace("_", "-")
    if isinstance(value, bool):
        return f" {name}" if value else ""
    return f' {name}="{escaped(value)}"'
