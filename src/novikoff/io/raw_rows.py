"""Convert the chunks of a file to `Raw` rows, as preparation takes them: numbers, texts and categories.

A model remembers how its training file was read (`Form`): which columns are what, and the number of the first sparse
column. New rows are read in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from novikoff.data.storages import check_whole
from novikoff.errors import InputError, NumberedRowError
from novikoff.io.chunk_source import NO_WORDS, Chunk, Source
from novikoff.io.memory_limit import machine
from novikoff.io.multi_file import naming_rows
from novikoff.io.reading import Column
from novikoff.io.svmlight import Svmlight
from novikoff.io.table_block import BLANK, GAPS
from novikoff.kernels.structure_checks import highest
from novikoff.prepare.raw_columns import Raw

PLANE = 32  # bytes of memory for each column of sparse rows: a number of the plane, and copies of it


@dataclass(frozen=True)
class Form:
    """How a file was read, as plain data: columns by name, or by number from 0 if it has no header.

    width: how many columns a table has, including the label; None for other files. first: the number of the first
    column of an svmlight file; None for other files. dropped: columns of a table that were not used.
    """

    label: Column | None = None
    text: tuple[Column, ...] = ()
    categories: tuple[Column, ...] = ()
    width: int | None = None
    first: int | None = None
    dropped: tuple[Column, ...] = ()

    def plain(self) -> dict[str, Any]:
        """Return the form as plain data."""
        lists = {name: list(getattr(self, name)) for name in ("text", "categories", "dropped")}
        return asdict(self) | lists


def form_of(plain: Any) -> Form:
    """Return the form in a model's record; raise InputError for anything else."""
    try:
        form = Form(**plain)
        form = replace(form, text=tuple(form.text), categories=tuple(form.categories), dropped=tuple(form.dropped))
        numbers = [c for c in (form.width, form.first) if c is not None]
        columns = [*form.text, *form.categories, *form.dropped, *([] if form.label is None else [form.label])]
        if all(type(c) is int and c >= 0 for c in numbers) and all(type(c) in (str, int) for c in columns):
            return form
    except TypeError:
        pass
    raise InputError(f"preparation: found {str(plain)[:60]!r}; expected how a file was read; fit the model again")


def form_in(source: Any, raw: Raw | None = None, first: int | None = None) -> Form:
    """Return how a source was read. first: the number of the first column of svmlight rows, if it was fixed."""
    layout = getattr(source, "layout", None)
    if layout is not None:
        named = (lambda c: c) if layout.header is None else layout.name_of
        label = None if layout.label is None else named(layout.label)
        width = layout.width + (layout.label is None)
        text, categories, dropped = (tuple(map(named, c)) for c in (layout.text, layout.categories, layout.ignored))
        if raw is not None and layout.header is not None:
            categories = tuple(raw.categories)  # of Parquet and Arrow files also those that one_hot found
        return Form(label, text, categories, width, dropped=dropped)
    if not is_svmlight(source):
        return Form()
    return Form(first=first_of(source) if first is None else first)


@dataclass(frozen=True)
class ModelColumns:
    """The columns of a model: d numbers, texts, categories; svmlight columns count from `first`."""

    d: int
    text: tuple[str, ...]
    categories: tuple[str, ...]
    first: int = 1


@dataclass(frozen=True)
class Reader:
    """Converts the chunks of a source to `Raw` rows, and counts the numbers in columns that a model does not have.

    model: the columns of a model, whose rows these are. sparse: the width and the first column of sparse rows, if there
    is no model; by default those of the rows.
    """

    source: Source
    model: ModelColumns | None = None
    sparse: tuple[int | None, int | None] = (None, None)

    def __call__(self, chunk: Chunk, least: int = 1) -> tuple[Raw, int]:
        """Return the rows of a chunk, and that count. least: columns of sparse rows, at least."""
        source, model, rows = self.source, self.model, chunk.rows
        if isinstance(rows, tuple):
            width, first = self.sparse if model is None else (model.d, model.first)
            numbers, beyond = _sparse(rows, first_of(source, first), width, source, least)
            return _made(source, numbers, source.names), beyond
        if isinstance(rows, np.ndarray):
            numbers = rows if rows.shape[1] else None
            return _made(source, numbers, source.names or None, *self._words(chunk)), 0
        return _from_arrow(source, rows, model, source.file_of(chunk)), 0

    def _words(self, chunk: Chunk) -> list[Mapping[str, Sequence[str]]]:
        """Return the columns of text and those of categories, by the names that the model has for them."""
        layout, model = getattr(self.source, "layout", None), self.model
        texts = set(chunk.words) if layout is None else {layout.name_of(c) for c in layout.text}
        by_role = [{k: v for k, v in chunk.words.items() if (k in texts) is wanted} for wanted in (True, False)]
        if model is None:
            return list(by_role)
        known = (model.text, model.categories)
        return [
            dict(zip(names, found.values(), strict=True)) if len(found) == len(names) else found
            for found, names in zip(by_role, known, strict=True)
        ]


def stream_of(source: Source, model: ModelColumns | None = None, first: int = 1) -> Iterator[tuple[Any, Raw, int]]:
    """Yield labels (or None), rows, and how many numbers are in columns that the model does not have, chunk by chunk.

    Without a model, sparse rows are as wide as the widest so far.
    """
    reader, seen, least = Reader(source, model, (None, first)), 0, 1
    for chunk in source.chunks():
        if len(chunk.labels):
            with naming_rows(source, seen):
                raw, beyond = reader(chunk, least)
            seen += raw.n
            least = max(least, raw.d)
            yield chunk.labels if labelled(source) else None, raw, beyond


def labelled(source: Source) -> bool:
    """Whether the rows have labels; known after the first chunk."""
    layout = getattr(source, "layout", None)
    return getattr(source, "has_label", True) if layout is None else layout.label is not None


def _made(source: Source, numbers: Any, names: Any, text: Any = NO_WORDS, categories: Any = NO_WORDS) -> Raw:
    """Return the rows of these parts; an error names the file, unless it is about a row (see `naming_rows`)."""
    try:
        return Raw(numbers, names, text, categories, missing_of(source) == "impute")
    except NumberedRowError:
        raise
    except InputError as error:
        raise InputError(f"{source.name}: {error}") from error


def _from_arrow(source: Any, table: Any, model: ModelColumns | None, file: str) -> Raw:
    """Return the columns of an Arrow table: numbers as binary64, texts and categories unchanged. file: in errors."""
    import pyarrow

    reading = source.reading
    text = [source.layout.name_of(c) for c in source.layout.text] if model is None else model.text
    wanted = () if model is None else model.categories
    numbers, names, texts, categories = [], [], {}, {}
    for name, column in zip(table.column_names, table.columns, strict=True):
        kinds = pyarrow.types
        column = column.cast("float64") if kinds.is_null(column.type) else column
        gaps = column.is_null().to_numpy() if column.null_count else None
        if gaps is not None and reading.missing != "impute":
            way_out = f"; {GAPS}" if reading.trained is None else BLANK
            raise InputError(f"{file}, column {name!r}: found a missing value; expected one in every row{way_out}")
        if name in text:
            texts[name] = _texts(column)
        elif name in wanted or (reading.one_hot and not _is_number(kinds, column.type)):
            categories[name] = _texts(column)
        elif _is_number(kinds, column.type):
            zero = False if kinds.is_boolean(column.type) else 0
            values = (column if gaps is None else column.fill_null(zero)).to_numpy()
            check_whole(values, f"{file}, column {name!r}")
            numbers.append(values.astype(np.float64))
            if gaps is not None:
                numbers[-1][gaps] = np.nan
            names.append(name)
        else:
            raise _no_numbers(f"{file}, column {name!r}", column.type, f"text=[{name!r}], or one_hot=True")
    return _made(source, np.column_stack(numbers) if numbers else None, names or None, texts, categories)


def _texts(column: Any) -> list[str]:
    """Return the values of an Arrow column as texts; a missing one is empty."""
    return ["" if value is None else str(value) for value in column.to_pylist()]


def missing_of(source: Any) -> str:
    """Return what to do about the missing values of a source."""
    reading = getattr(source, "reading", None)
    return "fail" if reading is None else str(reading.missing)


def _no_numbers(where: str, kind: Any, words: str) -> InputError:
    if str(kind).startswith("decimal"):
        return InputError(f"{where}: found {kind}; expected binary64 numbers: cast the column to double")
    return InputError(f"{where}: found {kind}; expected numbers, or {words}")


def _is_number(kinds: Any, kind: Any) -> bool:
    return bool(kinds.is_floating(kind) or kinds.is_integer(kind) or kinds.is_boolean(kind))


def first_of(source: Source, known: int | None = None) -> int:
    """Return the number of the first column; for svmlight files the given or known one, else that of the rows."""
    if not is_svmlight(source):
        return source.first_column
    if source.counts_from is not None:
        return source.counts_from
    return source.first_column if known is None else known


def is_svmlight(source: Any) -> bool:
    """Whether columns are numbered by the file, from 0 or from 1."""
    return isinstance(getattr(source, "now", source), Svmlight)


def _sparse(rows: Any, first: int, d: int | None, source: Source, least: int = 1) -> tuple[Any, int]:
    """Return sparse rows of d columns (or as many as there are), and how many numbers are in other columns."""
    from scipy.sparse import csr_matrix

    data, places, ends = rows
    places = places - places.dtype.type(first) if first else places
    top = highest(places) if places.size else 0
    if top > np.iinfo(places.dtype).max:
        raise InputError(
            f"{source.name}: found column 0, but in the first rows columns are numbered from 1 "
            "(first_column=0 lets them count from 0)"
        )
    widest = top + 1
    width = max(least, widest, source.width or 1) if d is None else d
    if d is None and width > most_columns():
        row = int(np.searchsorted(ends, places.argmax(), "right"))
        raise too_wide(f"{source.name}, row {row:,}", width + first - 1)
    beyond = 0
    if widest > width:
        inside = places < width
        beyond = int(places.size - inside.sum())
        kept = np.concatenate([[0], np.cumsum(inside)])
        data, places, ends = data[inside], places[inside], kept[ends]
    return csr_matrix((data, places, ends), shape=(len(ends) - 1, width)), beyond


def most_columns() -> int:
    """Return how many columns a plane may have in the memory of this machine."""
    return machine() // PLANE


def too_wide(where: str, column: int) -> InputError:
    """Return the error for a column that no plane can have."""
    return InputError(
        f"{where}: found column {column:,}; expected at most {most_columns():,}: a wider plane does not fit in "
        "memory. Mend the row, or number the columns without gaps"
    )
