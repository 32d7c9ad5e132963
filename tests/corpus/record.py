"""The record of the corpus, and what differs from it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PATH = Path(__file__).with_name("recorded.json")


def load() -> dict[str, Any]:
    """The recorded runs by name."""
    found: dict[str, Any] = json.loads(PATH.read_text()) if PATH.exists() else {}
    return found


def store(found: dict[str, Any]) -> None:
    """Write the record: a line for each run, so that a change shows which runs it names."""
    lines = [f"{json.dumps(name)}: {json.dumps(found[name], sort_keys=True)}" for name in sorted(found)]
    PATH.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def compare(before: dict[str, Any], found: dict[str, Any]) -> Iterator[str]:
    """A line for each value that is not as it was."""
    for name, value in found.items():
        if name not in before:
            yield f"{name}: not recorded"
        else:
            yield from _differences(name, before[name], json.loads(json.dumps(value)))


def _differences(place: str, old: Any, new: Any) -> Iterator[str]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            yield from _differences(f"{place} · {key}", old.get(key, "absent"), new.get(key, "absent"))
    elif old != new:
        yield f"{place}: {old!r} became {new!r}"
