"""Find which columns of a table are the label, texts, categories and numbers, and whether the first line is a header.

The label's column is the given one; else one called label, y, target or class, in this order; else the last. The first
line is a header if it has the name of a given column, or by `is_header`; if that is not decided, header= must be given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from novikoff.data.plain_files import NO_HEADER, either, is_header, is_name, similar, usual_places
from novikoff.errors import InputError
from novikoff.io import csv_kernel
from novikoff.io.reading import Column, Reading

WRITE = "the model identifies columns by name: add the header of the training file"


@dataclass(frozen=True)
class Layout:
    """The columns of a table by number from 0.

    separator: between cells; empty for columns that are stored one by one. header: their names, if the table has them.
    ignored: not read.
    """

    separator: str
    width: int
    header: tuple[str, ...] | None
    label: int | None
    text: tuple[int, ...]
    categories: tuple[int, ...]
    ignored: tuple[int, ...] = ()

    @property
    def words(self) -> tuple[int, ...]:
        """Columns that are not numbers: the label, texts, categories."""
        return (*(() if self.label is None else (self.label,)), *self.text, *self.categories)

    @property
    def numbers(self) -> tuple[int, ...]:
        """Columns of numbers."""
        others = {*self.words, *self.ignored}
        return tuple(c for c in range(self.width) if c not in others)

    def kinds(self) -> np.ndarray:
        """Return where the compiled reader puts each cell of a row."""
        kinds = np.full(self.width, csv_kernel.PASSED_OVER, np.int64)
        kinds[list(self.numbers)] = np.arange(len(self.numbers))
        kinds[list(self.words)] = csv_kernel.TEXT - np.arange(len(self.words))
        return kinds

    def name_of(self, column: int) -> str:
        """Return the column's name, or x and its number from 1."""
        return f"x{column + 1}" if self.header is None else self.header[column]


def layout_of(first: Sequence[str], separator: str, file: str, reading: Reading) -> Layout:
    """Return the layout of a table from its first line, with the names of a header."""
    layout = placed(first, separator, file, reading)
    header = _has_names(first, layout, file, reading) if reading.header is None else reading.header
    if header and len(set(first)) < len(first):
        twice = next(name for i, name in enumerate(first) if name in first[:i])
        raise InputError(
            f"two columns are named {twice!r}; each needs a name of its own{separator and f', or {NO_HEADER}'}"
            f"{'' if twice else '; lines before the header, such as a title, are removed first'}",
            file=file,
        )
    if not header:
        return layout
    label = () if layout.label is None else (first[layout.label],)
    extra = reading.unknown(first) - {*label}
    ignored = (*layout.ignored, *(c for c, name in enumerate(first) if name in extra))
    return replace(layout, header=tuple(first), ignored=tuple(sorted({*ignored})))


def placed(first: Sequence[str], separator: str, file: str, reading: Reading) -> Layout:
    """Return the columns from the first line, whether it is a header or not."""
    reading = _with_or_without_label(first, reading)
    named = [column for column in reading.given if isinstance(column, str)]
    for name in named:
        by_name = reading.trained is not None and name != reading.label
        if name not in first and reading.header is False:
            none = f"has no names of columns (header=False), so none is {name!r}"
            raise InputError(
                f"{none}; {WRITE if by_name else f'give it by number, as in label={len(first) - 1}'}", file=file
            )
        if name not in first:
            which = "; label= says which one is the label" if name == reading.label else ""
            row = (
                f"; if they are a row and no header: {WRITE if by_name else f'{NO_HEADER}, and columns by number'}"
                if _may_be_a_row(first, reading, named)
                else ""
            )
            wrong = not_utf8(first)
            there = f"the columns are {', '.join(first)[:200]}{wrong and f'; {wrong}'}"
            raise InputError(f"no column is named {name!r}{similar(name, first)}; {there}{which}{row}", file=file)
    for column in reading.given:
        if isinstance(column, int) and not 0 <= column < len(first):
            raise InputError(f"there is no column {column + 1}; the first line has {len(first)} cells", file=file)
    text, categories = (
        tuple(first.index(column) if isinstance(column, str) else column for column in columns)
        for columns in (reading.text, reading.categories)
    )
    dropped = {first.index(c) if isinstance(c, str) else c for c in reading.drop}
    label = label_column(first, reading, {*text, *categories, *dropped}, file)
    if dropped & {*text, *categories, label}:
        both = first[min(dropped & {*text, *categories, label})]
        raise InputError(f"drop={[both]!r}: this column is the label, a text or a category; give it once", file=file)
    ignored = reading.ignored(first, label, (*text, *categories))
    layout = Layout(separator, len(first), None, label, text, categories, ignored)
    if len(set(layout.words)) < len(layout.words):
        raise InputError("a column is given twice; it is the label, a text, a category or a number", file=file)
    return layout


def not_utf8(names: Sequence[str]) -> str:
    """Return what is wrong if a name was read as Latin-1, and has control characters there; else an empty text."""
    for name in names:
        if any("\x7f" < letter < "\xa0" for letter in name):
            other = name.encode("latin-1", "replace").decode("cp1252", "replace")
            return f"the name {name!r} is not UTF-8 (in Windows-1252 it is {other!r}): save the file as UTF-8"
    return ""


def _may_be_a_row(first: Sequence[str], reading: Reading, named: Sequence[str]) -> bool:
    """Whether a first line without a given name may be a row: the model has no such names, or some are no names."""
    if reading.header or reading.trained is None:
        return not reading.header and not all(map(is_name, first))
    return not {*named, *reading.names} & {*first}


def _has_names(first: Sequence[str], layout: Layout, file: str, reading: Reading) -> bool:
    """Whether the first line is a header; raise InputError if that is not decided."""
    if any(isinstance(c, str) and c in first for c in reading.given):
        return True
    above = [first[c] for c in layout.numbers]
    found = is_header(above, "" if layout.label is None else first[layout.label])
    if not found and tuple(above) == reading.names:
        return bool(above)
    if found is None and (reading.trained is None or any(map(is_name, above))):
        raise InputError(f"{either(list(first))}", file=file)
    return bool(found)


def _with_or_without_label(first: Sequence[str], reading: Reading) -> Reading:
    """Return how to read new rows of a model; if they have no label, the columns after it count one less."""
    label = reading.label
    fewer = len(first) + 1 == reading.trained
    nameless = reading.header is False
    gone = fewer if nameless or not isinstance(label, str) else not reading.label_required and label not in first
    if reading.trained is None or not reading.labelled or not gone:
        return reading

    def moved(columns: tuple[Column, ...]) -> tuple[Column, ...]:
        return tuple(c - 1 if isinstance(c, int) and isinstance(label, int) and c > label else c for c in columns)

    text, categories, drop = (moved(columns) for columns in (reading.text, reading.categories, reading.drop))
    return replace(reading, label=None, labelled=False, text=text, categories=categories, drop=drop)


def label_column(first: Sequence[str], reading: Reading, taken: set[int], file: str) -> int | None:
    """Return the label's column: the given one, else one with a usual name, else the last; taken: those that it is not.

    Raise InputError for labels to evaluate a model that does not know their column, if several may be it.
    """
    if not reading.labelled:
        return None
    if isinstance(reading.label, str):
        return first.index(reading.label)
    if reading.label is not None:
        return reading.label
    free = [c for c in range(len(first)) if c not in taken]
    usual = [] if reading.header is False else [c for c in usual_places(list(first)) if c in free]
    if reading.unknown(first):  # the label is none of the columns that the model has
        free = [c for c in free if first[c] not in reading.known] or free
    if reading.label_required and not reading.label_known and not usual and len(free) != 1:
        listed = ", ".join(first[c] for c in free)[:200]
        raise InputError(
            f"which column is the label? The model does not know: give label=, one of: {listed}", file=file
        )
    return [*usual, *free[-1:]][0] if free else None
