"""The calls of the page: a table from address to function; each is imported when it is first called.

A function takes the JSON object of the request and the settings of the server, and returns one object.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class Settings:
    """What `novikoff play` was started with: a data file as a table, or None; the state to open, as a fragment."""

    table: dict[str, Any] | None = None
    fragment: str = ""


ANSWERS = {
    "/api/start": "table_answers:start",
    "/api/table": "table_answers:table",
    "/api/verdict": "plane_answers:verdict",
    "/api/trace": "plane_answers:steps",
    "/api/export": "plane_answers:export",
    "/api/runs": "plane_answers:runs",
    "/api/fit": "plane_answers:fit",
    "/api/capacity": "capacity_answers:curve",
    "/api/digits": "digit_answers:weights",
    "/api/digit": "digit_answers:classify",
    "/api/simulate": "capacity_answers:simulate",
}


def function_of(address: str) -> Callable[[dict[str, Any], Settings], Any]:
    """Return the function that answers calls to this address."""
    module, _, name = ANSWERS[address].partition(":")
    found: Callable[[dict[str, Any], Settings], Any] = getattr(import_module(f"novikoff.play.{module}"), name)
    return found


def load() -> None:
    """Compute one answer of each kind, so that compiled code is loaded: verdicts first."""
    points = {"X": [[0, 0], [1, 0], [0, 1], [1, 1]], "y": [-1, 1, 1, 1]}
    import_module("novikoff.play.plane_answers").load()
    function_of("/api/digits")({}, Settings())
    for keep in ("pocket", "average"):
        function_of("/api/fit")(points | {"keep": keep}, Settings())
    function_of("/api/runs")(points, Settings())
