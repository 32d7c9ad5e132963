"""Choose how each column of a table is prepared, from what its first rows contain.

numbers                                     imputed and scaled
words                                       one-hot; long ones with many values as text
numbers that count the rows, words that     not used
differ in every row, columns without values
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from novikoff.data.text.plain_files import similar, usual_places
from novikoff.errors import InputError
from novikoff.io.reading import Column, Reading
from novikoff.io.tables.column_contents import ColumnContents, contents_of

LONG = 20  # letters, on average: longer words are text,
MANY = 0.5  # if this share of them is distinct
MOST = 0.9  # of the cells: if so many are numbers, or have a decimal comma, the others may be errors
SHOWN = 40  # characters of a cell
FEW_ROWS = 10  # with fewer, a column that counts the rows is used as it is


@dataclass(frozen=True)
class AutomaticColumns:
    """The columns of a table by role. notes: why columns are not used, and which ones may be read wrongly."""

    label: Column
    numbers: tuple[Column, ...]
    categories: tuple[Column, ...]
    text: tuple[Column, ...]
    drop: tuple[Column, ...]
    notes: tuple[str, ...]


def automatic_columns(path: str | Path, reading: Reading) -> AutomaticColumns:
    """Return the role of each column: that which is given, else by its contents.

    The label is the given column, or one called label, y, target or class; otherwise raise InputError with the columns.
    """
    names, contents = contents_of(path, reading)
    label = _label(str(path), names, reading)
    given = {names[c] if isinstance(c, int) else c for c in reading.given} - {label}
    if reading.columns is not None:
        used = {names[c] if isinstance(c, int) else c for c in reading.columns}
        given |= {name for name in names if name not in used and name != label}
        given -= used - {names[c] if isinstance(c, int) else c for c in (*reading.text, *reading.categories)}
    found: dict[str, list[Column]] = {"numbers": [], "categories": [], "text": [], "drop": []}
    notes = []
    for name, column in zip(names, contents, strict=True):
        if name == label or name in given:
            continue
        role, reason = role_of(column)
        found[role].append(name)
        shown = f"column {name + 1}" if isinstance(name, int) else name
        if reason:
            notes.append(f"{shown} {reason}: not used")
        elif doubt := doubt_about(column):
            notes.append(f"{shown} {doubt}")
    numbers, categories, text, drop = (tuple(columns) for columns in found.values())
    return AutomaticColumns(label, numbers, categories, text, drop, tuple(notes))


def role_of(column: ColumnContents) -> tuple[str, str]:
    """Return the role of a column, and the reason if it is not used."""
    if not column.known:
        return "drop", "has no values"
    if not column.words:
        counts = column.counts_rows and column.numbers >= FEW_ROWS
        return ("drop", "numbers the rows") if counts else ("numbers", "")
    if column.mean_length >= LONG and len(column.different) > MANY * column.known:
        return "text", ""
    if len(column.different) == column.known >= FEW_ROWS:
        return "drop", "differs in every row"
    return "categories", ""


def doubt_about(column: ColumnContents) -> str:
    """Return what may be wrong about a column of words of which most are numbers; empty if nothing is."""
    row, word = column.first_word
    if column.words and column.numbers >= MOST * column.known:
        return f"has numbers, but {word[:SHOWN]!r} in row {row:,}: taken as categories; mend the cell, or do not use it"
    if column.words and column.numbers + column.decimal_commas >= MOST * column.known:
        return "has decimal commas: taken as categories; decimal_comma=True reads them as numbers"
    return ""


def _label(path: str, names: list[Column], reading: Reading) -> Column:
    """Return the label's column; raise InputError if it is not given and none has a usual name."""
    listed = ", ".join(str(name + 1) if isinstance(name, int) else name for name in names)
    if reading.label is not None:
        label = names[reading.label] if isinstance(reading.label, int) and reading.label < len(names) else reading.label
        if label not in names:
            raise InputError(
                f"{path}: no column is named {label!r}{similar(label, names)}; the columns are {listed[:300]}"
            )
        return label
    usual = usual_places([str(name) for name in names])
    if not usual:
        raise InputError(
            f"{path}: which column is the label? Name it, as in label={names[-1]!r}; the columns are {listed[:300]}"
        )
    return names[usual[0]]
