"""Lies in JSON lines, read again by Python's own reader of JSON."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

from damage.arrays import CLASSES, TABLE
from damage.meaning import Points, RefusedError, Row, float_of, label_of
from damage.pairs import Lie, asked_of_points, made
from damage.texts import ENDS, WHOLE, joined, written


def honest() -> None:
    """The model for these rows."""
    Path("honest.jsonl").write_bytes(joined(_json_lines()))
    made("fit", "honest.jsonl", "--max-passes", "3", "--quiet", "-o", "jsonl.nvk")


def _json_lines() -> list[str]:
    return [
        json.dumps(dict(zip("abcd", row, strict=True)) | {"label": label})
        for label, row in zip(CLASSES.tolist(), TABLE.tolist(), strict=True)
    ]


RAW = ["null", "true", "false", "NaN", "Infinity", "-Infinity", "1e400", "-1e400", "1e-400", "", "1.", ".5", "+1",
    "01", "0x1",
       "[]", "[1]", "{}", '""', '"1"', '"é"', '"\\ud800"', '"a\\u0000b"', "9" * 400, "9007199254740993", "1e308",
       "-0", "-0.0",
       '"nan"', '"true"', "1,", "١", "[" * 3000, '{"a":' * 3000, "0.1", "2e-324", "'1'", '" 1 "', '"+1"',
       "1e5"]  # fmt: skip


def jsonl(chance: random.Random) -> Lie:
    """A lie in a file of JSON lines."""
    lines, end, value = _json_lines(), "\n", "none"
    at = chance.randrange(len(lines))
    field = chance.choice(["number", "number", "label", "name", "missing", "row", "order", *WHOLE])
    if field in ("number", "label"):
        value = chance.choice(RAW)
        name = chance.choice("abcd") if field == "number" else "label"
        lines[at] = re.sub(rf'"{name}": [^,}}]*', lambda _: f'"{name}": {value}', lines[at])
    elif field == "name":
        value = chance.choice(["", "a", "e", "label", "Label", "\\ud800", "é", "\\u0000", "y", "class"])
        lines[at] = lines[at].replace(f'"{chance.choice("abcd")}"', f'"{value}"')
    elif field == "missing":
        value = chance.choice(["a", "d", "label"])
        lines[at] = json.dumps({key: one for key, one in json.loads(lines[at]).items() if key != value})
    elif field == "order":
        lines[at] = json.dumps(dict(reversed(json.loads(lines[at]).items())))
    elif field == "row":
        value = chance.choice(["", " ", "[]", "1", "null", "{}", "{", "}", '"a"', "\0", "#", "{} {}", lines[at] * 2])
        lines.insert(at, value)
    elif field == "line ends":
        end = value = chance.choice(ENDS)
    data = written("bad.jsonl", chance, lines, end, field)
    pairs = asked_of_points("bad.jsonl", "jsonl.nvk", _json_meaning(data), field == "no lie",
                            _json_meaning(data, list("abcd")))  # fmt: skip
    return Lie("jsonl", field, repr(value)[:60], pairs)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise RefusedError("a name twice")
    return dict(pairs)


def _json_meaning(data: bytes, known: list[str] | None = None) -> Points | RefusedError:
    """Python's own reader of JSON, line by line; the names of the first line, or those of a model."""
    rows: list[Row] = []
    labels: list[Any] = []
    names = list(known or [])
    try:
        for number, line in enumerate(line for line in data.split(b"\n") if line.strip()):
            found = json.loads(line, object_pairs_hook=_once)
            if not isinstance(found, dict):
                raise RefusedError("no object")
            if not number:
                usual = [name for word in ("label", "y", "target", "class") for name in found if name.lower() == word]
                label = usual[0] if usual else ([*found] or [""])[-1]
                names = names or [name for name in found if name != label]
                "".join(found).encode()
            rows.append({j: v for j, name in enumerate(names) if (v := _json_number(found.get(name)))})
            labels.append(_json_label(found.get("label" if known else label)))
    except (ValueError, RecursionError, OverflowError) as error:
        return RefusedError(str(error)[:80])
    except RefusedError as why:
        return why
    if not rows or not names:
        return RefusedError("no rows")
    return Points(rows, len(names), None if None in labels else labels, names=names)


def _json_number(value: Any) -> float:
    if not isinstance(value, bool | int | float):
        raise RefusedError(f"no number: {value!r:.40}")
    near = float(value)  # the nearest is meant: a whole number is a text here
    return float_of(near)


def _json_label(value: Any) -> str | None:
    try:
        if isinstance(value, str):
            value.encode()
            value = value.strip()
        return label_of(value) if isinstance(value, str | bool | int | float) else None
    except (RefusedError, UnicodeEncodeError):
        return None
