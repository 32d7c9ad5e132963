"""The files of the page: a fixed table from address to file, and the headers of every response.

Nothing else is served: no path of a request is ever joined to a folder.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

HTML, CSS, SCRIPT = "text/html; charset=utf-8", "text/css; charset=utf-8", "text/javascript; charset=utf-8"
FILES = {  # address: file and its type
    "/": ("index.html", HTML),
    "/play.css": ("play.css", CSS),
    **{f"/{name}.js": (f"{name}.js", SCRIPT) for name in (
        "main", "server_calls", "exact_numbers", "proof_check", "certificate_check", "page_state", "charts",
        "plane_drawing", "plane_pane", "plane_view", "plane_input", "plane_tools", "plane_words", "capacity_pane",
        "spam_pane", "digits_pane",
    )},
}  # fmt: skip
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


@cache
def content(name: str) -> bytes:
    """Return a file of the page."""
    return files("novikoff.play").joinpath("static", name).read_bytes()
