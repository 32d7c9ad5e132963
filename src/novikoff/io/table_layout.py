"""Which column of a table is what: the label, texts, categories, numbers; and whether the first line is a header.

The label's column is the one that was named; else one called label, or else y, target or class; else the last. A
header is a first line that has a name that was asked for, or that is one by `is_header`, for which a word for a
missing number is no name; where that cannot be known, it must be said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from novikoff.data.text.plain_files import NO_HEADER, either, is_header, is_name, usual_places
from novikoff.errors import InputError
from novikoff.io.parsing import csv_kernel

Column = str | int  # by name, or by number from 0


@dataclass(frozen=True)
class ReadRequest:
    """What is said about a table's columns beforehand; `labelled`: whether a column is the label at all.

    trained: how many columns the table that a model learned from had, the label among them. New rows may come without
    the label: where its name is not there, or where there is one column fewer. demanded: a label that was named must
    be there all the same. names: of the model's columns of numbers; a first line of just these is a header.
    """

    label: Column | None = None
    text: tuple[Column, ...] = ()
    categories: tuple[Column, ...] = ()
    header: bool | None = None
    labelled: bool = True
    trained: int | None = None
    demanded: bool = False
    names: tuple[str, ...] = ()

    @property
    def teaches(self) -> bool:
        """Whether the labels count: rows to learn from, or to be judged by. Others are not looked at."""
        return self.labelled and (self.trained is None or self.demanded)

    @property
    def may_lack(self) -> bool:
        """Whether the column of a label that was named may be missing."""
        return self.trained is not None and not self.demanded and isinstance(self.label, str)


NOTHING = ReadRequest()
WORDS = "one_hot=True takes words as categories, text= counts them"
WRITE = "the model goes by names: write those of the training file above the rows"


@dataclass(frozen=True)
class Layout:
    """The columns of a table by number from 0; `header`: their names, where it has one."""

    separator: str
    width: int
    header: tuple[str, ...] | None
    label: int | None
    text: tuple[int, ...]
    categories: tuple[int, ...]

    @property
    def words(self) -> tuple[int, ...]:
        """Columns that are not numbers: the label, texts, categories."""
        return (*(() if self.label is None else (self.label,)), *self.text, *self.categories)

    @property
    def numbers(self) -> tuple[int, ...]:
        """Columns of numbers."""
        words = set(self.words)
        return tuple(c for c in range(self.width) if c not in words)

    def kinds(self) -> np.ndarray:
        """For the compiled reader: where each cell goes."""
        kinds = np.empty(self.width, np.int64)
        kinds[list(self.numbers)] = np.arange(len(self.numbers))
        kinds[list(self.words)] = csv_kernel.TEXT - np.arange(len(self.words))
        return kinds

    def name_of(self, column: int) -> str:
        """The column's name, or x and its number from 1."""
        return f"x{column + 1}" if self.header is None else self.header[column]


def layout_of(first: Sequence[str], separator: str, file: str, request: ReadRequest) -> Layout:
    """The layout that the first line settles, with the names that it has."""
    layout = placed(first, separator, file, request)
    header = _has_names(first, layout, file, request) if request.header is None else request.header
    if header and len(set(first)) < len(first):
        twice = next(name for i, name in enumerate(first) if name in first[:i])
        raise InputError(f"{file}: two columns are named {twice!r}; each needs a name of its own, or {NO_HEADER}")
    return replace(layout, header=tuple(first)) if header else layout


def placed(first: Sequence[str], separator: str, file: str, request: ReadRequest) -> Layout:
    """Which column is what, by the first line; whether that is a header is not looked at."""
    request = _with_or_without_label(first, request)
    named = [column for column in (request.label, *request.text, *request.categories) if isinstance(column, str)]
    for name in named:
        if name not in first and request.header is False:
            none = f"has no names of columns (header=False), so none is {name!r}"
            raise InputError(f"{file}: {none}; {_instead(first, request, name)}")
        if name not in first:
            which = "; label= says which one is the label" if name == request.label else ""
            row = f"; where these are a row: {_of_a_row(request, name)}" if _may_be_a_row(first, request, named) else ""
            there = f"the columns are {', '.join(first)[:200]}"
            raise InputError(f"{file}: no column is named {name!r}; {there}{which}{row}")
    for column in (request.label, *request.text, *request.categories):
        if isinstance(column, int) and not 0 <= column < len(first):
            raise InputError(f"{file}: there is no column {column + 1}; the first line has {len(first)} cells")
    text, categories = (
        tuple(first.index(column) if isinstance(column, str) else column for column in columns)
        for columns in (request.text, request.categories)
    )
    label = _label(first, request, {*text, *categories})
    layout = Layout(separator, len(first), None, label, text, categories)
    if len(set(layout.words)) < len(layout.words):
        raise InputError(f"{file}: a column is asked for twice; it is the label, a text, a category or a number")
    return layout


def _instead(first: Sequence[str], request: ReadRequest, name: str) -> str:
    """What to do about a name where the columns have none."""
    if request.trained is None or name == request.label:
        return f"give it by number, as in label={len(first) - 1}"
    return WRITE


def _may_be_a_row(first: Sequence[str], request: ReadRequest, named: Sequence[str]) -> bool:
    """Whether a first line that lacks a name may be none of names: a model knows none, or some can be no name."""
    if request.header or request.trained is None:
        return not request.header and not all(map(is_name, first))
    return not {*named, *request.names} & {*first}


def _of_a_row(request: ReadRequest, name: str) -> str:
    """What to do about a name that is not in a first line that is a row."""
    if request.trained is not None and name != request.label:
        return f"{NO_HEADER} does not help; {WRITE}"
    return f"{NO_HEADER}, and columns by number"


def _has_names(first: Sequence[str], layout: Layout, file: str, request: ReadRequest) -> bool:
    """Whether the first line is a header; InputError where that cannot be known."""
    if any(isinstance(c, str) and c in first for c in (request.label, *request.text, *request.categories)):
        return True
    above = [first[c] for c in layout.numbers]
    found = is_header(above, "" if layout.label is None else first[layout.label])
    if not found and tuple(above) == request.names:
        return bool(above)
    if found is None and (request.trained is None or any(map(is_name, above))):
        raise InputError(f"{file}: {either(list(first))}")
    return bool(found)


def _with_or_without_label(first: Sequence[str], request: ReadRequest) -> ReadRequest:
    """What is asked of a model's new rows, which may have no label: then columns by number move up."""
    label = request.label
    fewer = len(first) + 1 == request.trained
    nameless = request.header is False
    gone = fewer if nameless or not isinstance(label, str) else request.may_lack and label not in first
    if request.trained is None or not request.labelled or not gone:
        return request

    def moved(columns: tuple[Column, ...]) -> tuple[Column, ...]:
        return tuple(c - 1 if isinstance(c, int) and isinstance(label, int) and c > label else c for c in columns)

    return replace(request, label=None, labelled=False, text=moved(request.text), categories=moved(request.categories))


def _label(first: Sequence[str], request: ReadRequest, taken: set[int]) -> int | None:
    if not request.labelled:
        return None
    if isinstance(request.label, str):
        return first.index(request.label)
    if request.label is not None:
        return request.label
    free = [c for c in range(len(first)) if c not in taken]
    usual = [] if request.header is False else [c for c in usual_places(list(first)) if c in free]
    return [*usual, *free[-1:]][0] if free else None
