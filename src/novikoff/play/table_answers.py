"""Answer with tables: the examples of the notes, the file that `novikoff play` was started with, a CSV of the page."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.data.examples import LECTURE, WORDS, example, passes_through_origin
from novikoff.errors import InputError
from novikoff.play.answers import Settings
from novikoff.play.posted_points import LARGEST, MOST_NUMBERS, MOST_POINTS

MOST_CLASSES = 50
ADVICE = "leave this row or column out, or start novikoff play with the file and the options of novikoff fit"


def start(request: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """Return the examples of the notes, and the table the server was started with."""
    found = {}
    for name in LECTURE:
        X, y = example(name)
        names = list(WORDS) if name == "spam" else [f"x{j + 1}" for j in range(X.shape[1])]
        found[name] = table_of(name, X, y, names) | {"bias": not passes_through_origin(name)}
    return {"examples": found, "table": settings.table}


def table(request: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """Return the points of a CSV text; no path comes from the page."""
    from novikoff.io.reader import open_rows, points_of
    from novikoff.io.reading import Reading

    text, name = request.get("text"), request.get("name")
    if not isinstance(text, str) or not isinstance(name, str) or len(name) > 200:
        raise InputError("expected the text of a CSV file and its name", "text, name")
    how = Reading(format="tsv" if name.lower().endswith(".tsv") else "csv", advice=ADVICE, name=name)
    with tempfile.TemporaryDirectory(prefix="novikoff-play-") as folder:
        path = Path(folder) / "table"
        path.write_bytes(text.encode("utf-8", "replace"))
        points = points_of(open_rows(path, how))
        X = points.X.toarray() if hasattr(points.X, "toarray") else np.asarray(points.X)
        return table_of(name, X, points.y, points.names)


def table_of(name: str, X: Any, y: Any, names: Sequence[str] | None) -> dict[str, Any]:
    """Return points as JSON: columns with names, labels as text, the positive class last."""
    from novikoff.data.labels import class_counts
    from novikoff.data.positive_class import positive_place

    n, d = X.shape
    if n > MOST_POINTS or n * d > MOST_NUMBERS:
        raise InputError(
            f"{name}: found {n:,} rows of {d:,} numbers; the page takes up to {MOST_POINTS:,} rows and "
            f"{MOST_NUMBERS:,} numbers: use novikoff fit FILE"
        )
    rows = np.asarray(X, dtype=np.float64)
    labels = class_counts(y)[0].tolist()
    if len(labels) == 2:
        labels = labels if positive_place(labels) else labels[::-1]
    classes = [str(label) for label in labels]
    if not 2 <= len(classes) <= MOST_CLASSES:
        found = f"{len(classes)} class{'es' * (len(classes) != 1)}"
        raise InputError(f"{name}: found {found}, expected 2 to {MOST_CLASSES}")
    columns = list(names) if names is not None else [f"x{j + 1}" for j in range(d)]
    for i, j in np.argwhere(~(np.abs(rows) <= LARGEST))[:1]:
        raise InputError(
            f"{name}, row {i + 1}, column {columns[j]}: found {rows[i, j]:g}; the page takes numbers between "
            f"-{LARGEST:g} and {LARGEST:g}: scale the column"
        )
    return {"name": name, "X": rows.tolist(), "y": [str(v) for v in np.asarray(y).tolist()], "classes": classes,
            "names": columns}  # fmt: skip
