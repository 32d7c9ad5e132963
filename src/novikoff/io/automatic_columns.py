"""Choose how each column of a table is prepared, from what its first rows contain.

numbers                                     imputed and scaled
words                                       one-hot; long ones with many values as text
numbers that count the rows, words that     not used, unless columns= names them
differ in almost every row, columns without
a name or without values
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from novikoff.data.column_names import NAMELESS, few
from novikoff.data.plain_files import similar, usual_places
from novikoff.errors import InputError
from novikoff.io.column_contents import FEW_ROWS, ColumnContents, contents_of
from novikoff.io.file_formats import files_of
from novikoff.io.reading import Column, Reading
from novikoff.io.table_cells import first_cells

LONG = 20  # letters, on average: longer words are text,
MANY = 0.5  # if this share of them is distinct
MOST = 0.9  # of the cells: if so many are numbers, the others may be errors; if so many differ, they are names of rows
SHOWN, LISTED = 40, 20  # characters of a cell; columns in an error


@dataclass(frozen=True)
class AutomaticColumns:
    """The columns of a table by role. notes: why columns are not used, and which ones may be read wrongly.

    decimal_comma: whether commas are decimal marks.
    """

    label: Column
    numbers: tuple[Column, ...]
    categories: tuple[Column, ...]
    text: tuple[Column, ...]
    drop: tuple[Column, ...]
    notes: tuple[str, ...]
    decimal_comma: bool = False

    def options(self, kind: str | None) -> dict[str, Any]:
        """Return how a table of this format is read and prepared, as the options of `novikoff fit` are called."""
        columnar = kind in ("parquet", "arrow")  # which know their columns of words
        return {
            "label": self.label,
            "text": self.text,
            "drop": self.drop,
            "one_hot": columnar and bool(self.categories),
            "category": () if columnar else self.categories,
            "missing": "impute",
            "impute_categories": "level" if self.categories else None,
            "decimal_comma": self.decimal_comma,
            "scale": bool(self.numbers),
        }


def automatic_columns(path: str | Path, reading: Reading) -> AutomaticColumns:
    """Return the role of each column: that which is given, else by its contents.

    The label is the given column, or one called label, y, target or class; otherwise raise InputError with the columns.
    """
    names, contents = contents_of(path, reading)
    label = _label(reading.called(path), names, reading)
    commas = [
        name
        for name, found in zip(names, contents, strict=True)
        if found.decimal_commas and not found.words and name != label
    ]
    if (
        commas
        and not reading.decimal_comma
        and reading.format in ("csv", "tsv")
        and first_cells(files_of(path)[0], reading, 1)[1] != ","
    ):
        found = automatic_columns(path, replace(reading, decimal_comma=True))
        note = f"{_shown(commas[0])} has decimal commas: decimal_comma=True"
        return replace(found, decimal_comma=True, notes=(note, *found.notes))
    given = {names[c] if isinstance(c, int) else c for c in reading.given} - {label}
    used: set[Column] = set()
    if reading.columns is not None:
        used = {names[c] if isinstance(c, int) else c for c in reading.columns}
        given |= {name for name in names if name not in used and name != label}
        given -= used - {names[c] if isinstance(c, int) else c for c in (*reading.text, *reading.categories)}
    roles: dict[str, list[Column]] = {"numbers": [], "categories": [], "text": [], "drop": []}
    notes = []
    by_name = any(isinstance(name, str) for name in names)
    for name, column in zip(names, contents, strict=True):
        if name == label or name in given:
            continue
        nameless = NAMELESS.fullmatch(name) is not None if isinstance(name, str) else by_name
        role, reason = role_of(column, name in used, nameless)
        roles[role].append(name)
        if reason:
            notes.append(f"{_shown(name)} {reason}: not used{', unless columns= names it' if column.known else ''}")
        if doubt := doubt_about(column):
            notes.append(f"{_shown(name)} {doubt}")
    numbers, categories, text, drop = (tuple(columns) for columns in roles.values())
    return AutomaticColumns(label, numbers, categories, text, drop, tuple(notes))


def _shown(name: Column) -> str:
    return f"column {name + 1}" if isinstance(name, int) else name


def role_of(column: ColumnContents, used: bool = False, nameless: bool = False) -> tuple[str, str]:
    """Return the role of a column, and the reason if it is not used.

    used: whether it is used whatever it contains, if it has values. nameless: whether the header has no name for it.
    """
    differ = len(column.different)
    if not column.known:
        return "drop", "has no values"
    if nameless and not used:
        return "drop", "has no name, as an index"
    if not column.words:
        return ("drop", column.numbering) if column.numbering and not used else ("numbers", "")
    if column.letters >= LONG * column.words and differ > MANY * column.known:
        return "text", ""
    if differ >= MOST * column.known and column.known >= FEW_ROWS and not used:
        return "drop", (
            "differs in every row"
            if differ == column.known
            else f"has {differ:,} different values in {column.known:,} rows"
        )
    return "categories", ""


def doubt_about(column: ColumnContents) -> str:
    """Return what may be wrong about a column of words of which most are numbers, or are but for a sign or a unit."""
    (row, word), most = column.first_word, MOST * column.known
    if column.words and column.numbers >= most:
        return f"has numbers, but {word[:SHOWN]!r} in row {row:,}: read as words; mend the cell, or do not use it"
    return (
        f"has numbers with signs or units, as {word[:SHOWN]!r}: read as words; write plain numbers to use them so"
        if column.words and column.signed >= most
        else ""
    )


def _label(path: str, names: list[Column], reading: Reading) -> Column:
    """Return the label's column; raise InputError if it is not given and none has a usual name."""
    listed = few([str(name + 1) if isinstance(name, int) else name for name in names], LISTED)
    if reading.label is not None:
        label = names[reading.label] if isinstance(reading.label, int) and reading.label < len(names) else reading.label
        if label not in names:
            raise InputError(
                f"no column is named {label!r}{similar(label, names)}; the columns are {listed}", file=path
            )
        return label
    usual = usual_places([str(name) for name in names])
    if not usual:
        raise InputError(
            f"which column is the label? Name it, as in label={names[-1]!r}; the columns are {listed}", file=path
        )
    return names[usual[0]]
