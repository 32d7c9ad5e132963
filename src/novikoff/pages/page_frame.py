"""Put content into a self-contained HTML page: style and script inside the file, both colour themes, print rules.

The content security policy allows the page's own style and script, by their digests, and nothing else: a page loads
nothing, sends nothing, and runs no script that came with the data.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import Any

from novikoff.pages.markup import Markup, element, joined

STYLE = "page.css"


@cache
def static_text(name: str) -> str:
    """Return the text of a file in `static`."""
    return files("novikoff.pages").joinpath("static", name).read_text("utf-8")


def page(title: str, *content: Any, script: str | None = None) -> str:
    """Return a whole HTML document. script: the name of a file in `static`."""
    style = Markup(static_text(STYLE))
    code = None if script is None else Markup(static_text(script))
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy(style, code)),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="generator", content="novikoff"),
        element("link", rel="icon", href="data:,"),
        element("title", title),
        element("style", style),
    )
    body = element("body", element("main", *content), "" if code is None else element("script", code))
    return f"<!doctype html>\n{element('html', head, body, lang='en')}\n"


def policy(style: str, script: str | None) -> str:
    """Return the content security policy of a page with this style and script."""
    scripts = "'none'" if script is None else _digest(script)
    return (
        f"default-src 'none'; img-src data:; style-src {_digest(style)}; script-src {scripts}; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}'"


def section(title: str, *content: Any, name: str, heading: str | None = None) -> Markup:
    """Return a section with a heading; name: its id, for links; heading: the class of the heading."""
    head = element("h2", title, id=f"{name}-title", class_=heading)
    return element("section", head, *content, id=name, aria_labelledby=f"{name}-title")


def figure(drawing: Markup, caption: Any, **attributes: Any) -> Markup:
    """Return a drawing with its caption."""
    return element("figure", drawing, element("figcaption", caption), **attributes)


def command_text(text: str) -> Markup:
    """Return a command as code whose lines break between its words, not after a hyphen."""
    return element("code", joined((element("span", word) for word in text.split(" ")), " "))


def paragraphs(lines: Any) -> Markup:
    """Return each line as a paragraph."""
    return joined(element("p", line) for line in lines)
