"""The rows of files as `Raw`, before preparation, in memory or in temporary files; a preparation is fitted to some.

A model remembers how its training file was read (`Form`): which columns are what, and the number of the first sparse
column. New rows are read in the same way. The number of a row is its number in the file, computed in `raw_chunks` only.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from novikoff.errors import InputError, NumberedRowError
from novikoff.io.memory_limit import machine
from novikoff.io.reading import Column
from novikoff.io.source import NO_WORDS, Chunk, Files
from novikoff.io.spill import GrowingArray, GrowingLabels, GrowingMatrix, GrowingTexts, Spill
from novikoff.kernels.structure_checks import highest
from novikoff.prepare.column_steps import ColumnSteps
from novikoff.prepare.preparation import Preparation, PreparedMatrix
from novikoff.prepare.raw_columns import Raw

PLANE = 32  # bytes of memory for each column of sparse rows: a number of the plane, and copies of it
NUMBERS = 1 << 18  # of a chunk of rows in temporary files
ROWS = 1 << 14  # of such a chunk, at most: texts take memory, too


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


def has_names(columns: ColumnSteps, form: Form) -> bool:
    """Return whether the columns of a model have names: its training rows had a header."""
    return not (
        (columns.d and columns.named is None) or any(isinstance(c, int) for c in (*form.text, *form.categories))
    )


def form_in(source: Files, raw: Raw | None = None, first: int | None = None) -> Form:
    """Return how a source was read. first: the number of the first column of svmlight rows, if it was fixed."""
    layout = source.layout
    if layout is None:
        return Form(first=(first_of(source) if first is None else first) if is_svmlight(source) else None)
    named = (lambda c: c) if layout.header is None else layout.name_of
    label = None if layout.label is None else named(layout.label)
    text, categories, dropped = (tuple(map(named, c)) for c in (layout.text, layout.categories, layout.ignored))
    if raw is not None and layout.header is not None:
        categories = tuple(raw.categories)  # of Parquet and Arrow files also those that one_hot found
    return Form(label, text, categories, layout.width + (layout.label is None), dropped=dropped)


# ---- chunk by chunk ------------------------------------------------------------------------------------------------


class RawChunk(NamedTuple):
    """Some rows. labels: None if the file has none. beyond: how many numbers are in columns that a model does not have.

    numbers: the number in all files (from 0) of each row.
    """

    labels: Any
    raw: Raw
    beyond: int
    numbers: np.ndarray


@dataclass(frozen=True)
class Reader:
    """Converts the chunks of a source to `Raw` rows, and counts the numbers in columns that a model does not have.

    model: the columns of a model, whose rows these are. first: the number of the first column of sparse rows; None
    leaves the columns as they are numbered in the file.
    """

    source: Files
    model: ColumnSteps | None = None
    first: int | None = None

    def __call__(self, chunk: Chunk, least: int = 1) -> tuple[Raw, int]:
        """Return the rows of a chunk, and that count. least: columns of sparse rows, at least."""
        source, model, rows = self.source, self.model, chunk.rows
        if isinstance(rows, tuple):
            if self.first is None:
                numbers = _matrix(rows, int(highest(rows[1])) + 1 if rows[1].size else 1)
                numbers.has_canonical_format = is_svmlight(source) or numbers.has_canonical_format  # which ascends
                return self._made(numbers, None), 0
            width = None if model is None else model.d
            numbers, beyond = _sparse(rows, first_of(source, self.first), width, source, least)
            return self._made(numbers, source.names), beyond
        return self._made(rows if rows.shape[1] else None, source.names or None, *self._words(chunk)), 0

    def _made(self, numbers: Any, names: Any, text: Any = NO_WORDS, categories: Any = NO_WORDS) -> Raw:
        """Return the rows of these parts; an error names the file, unless it is about a row (see `raw_chunks`)."""
        try:
            return Raw(numbers, names, text, categories, self.source.reading.missing == "impute")
        except NumberedRowError:
            raise
        except InputError as error:
            raise InputError(f"{error}", file=self.source.now.name) from error

    def _words(self, chunk: Chunk) -> list[Mapping[str, Sequence[str]]]:
        """Return the columns of text and those of categories, by the names that the model has for them."""
        layout, model = self.source.layout, self.model
        texts = set(chunk.words) if layout is None else {layout.name_of(c) for c in layout.text}
        by_role = [{k: v for k, v in chunk.words.items() if (k in texts) is wanted} for wanted in (True, False)]
        if model is None:
            return list(by_role)
        return [
            dict(zip(names, found.values(), strict=True)) if len(found) == len(names) else found
            for found, names in zip(by_role, (list(model.text), list(model.categories)), strict=True)
        ]


def raw_chunks(source: Files, reader: Reader, chunks: Iterable[Chunk]) -> Iterator[RawChunk]:
    """Yield the rows that are not left out; an error about a row names its file and its number there."""
    rows, least = 0, 1
    for chunk in chunks:
        before, rows = rows, rows + len(chunk.labels)
        numbers = np.arange(before, rows) if chunk.kept is None else before + np.flatnonzero(chunk.kept)
        if not numbers.size:
            continue
        whole = chunk.complete()
        try:
            raw, beyond = reader(whole, least)
        except NumberedRowError as error:
            numbered = NumberedRowError(error.before, int(numbers[error.row]), error.after)
            raise source.row_files.placed(numbered) from None
        least = max(least, raw.d)
        yield RawChunk(whole.labels if source.has_label else None, raw, beyond, numbers)


def first_of(source: Files, known: int | None = None) -> int:
    """Return the number of the first column; for svmlight files the given or known one, else that of the rows."""
    if not is_svmlight(source):
        return source.first_column
    if source.reading.first_column is not None:
        return source.reading.first_column
    return source.first_column if known is None else known


def is_svmlight(source: Files) -> bool:
    """Whether columns are numbered by the file, from 0 or from 1."""
    return source.now.kind == "svmlight"


def _sparse(rows: Any, first: int, d: int | None, source: Files, least: int = 1) -> tuple[Any, int]:
    """Return sparse rows of d columns (or as many as there are), and how many numbers are in other columns."""
    data, places, ends = rows
    places = places - places.dtype.type(first) if first else places
    top = highest(places) if places.size else 0
    if top > np.iinfo(places.dtype).max:
        raise InputError(
            "found column 0, but in the first rows columns are numbered from 1 (first_column=0 lets them count from 0)",
            file=source.now.name,
        )
    widest = top + 1
    width = max(least, widest, source.width or 1) if d is None else d
    if d is None and width > most_columns():
        row = int(np.searchsorted(ends, places.argmax(), "right"))
        raise too_wide(f"{source.now.name}, row {row:,}", width + first - 1)
    beyond = 0
    if widest > width:
        inside = places < width
        beyond = int(places.size - inside.sum())
        kept = np.concatenate([[0], np.cumsum(inside)])
        data, places, ends = data[inside], places[inside], kept[ends]
    return _matrix((data, places, ends), width), beyond


def _matrix(rows: Any, width: int) -> Any:
    from scipy.sparse import csr_matrix

    return csr_matrix(tuple(rows), shape=(len(rows[2]) - 1, width))


def most_columns() -> int:
    """Return how many columns a plane may have in the memory of this machine."""
    return machine() // PLANE


def too_wide(where: str, column: int) -> InputError:
    """Return the error for a column that no plane can have."""
    return InputError(
        f"{where}: found column {column:,}; expected at most {most_columns():,}: a wider plane does not fit in "
        "memory. Mend the row, or number the columns without gaps"
    )


# ---- all of them ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class StoredRows:
    """Rows before preparation, with their labels y (or None).

    form: how they were read. dropped: how many rows of the file were left out. numbering: the number of each row in the
    file, if rows were left out. beyond: how many numbers were in columns that a model does not have. unknown: how many
    of the rows prepared last had a category that the preparation does not know, by column; imputed: how many had a
    missing value. spill: where further rows are kept.
    """

    y: Any
    form: Form
    raw: Raw
    dropped: int = 0
    numbering: np.ndarray | None = None
    beyond: int = 0
    unknown: dict[str, int] = field(default_factory=dict)
    imputed: list[int] = field(default_factory=list)
    spill: Spill = field(default_factory=Spill)

    @property
    def categories(self) -> bool:
        """Whether there are columns of categories."""
        return bool(self.raw.categories)

    @property
    def texts(self) -> bool:
        """Whether there are columns of text."""
        return bool(self.raw.text)

    @property
    def names(self) -> tuple[str, ...] | None:
        """The names of the columns of numbers."""
        return None if self.raw.names is None else tuple(self.raw.names)

    def fit(self, prep: Preparation, which: np.ndarray | None) -> Any:
        """Fit a preparation to the rows of a mask, and return them prepared."""
        if not self.spill.active:
            return prep.fit_transform(self._part(which))
        chunks = RawChunks(self.raw, which)
        prep.fit(itertools.islice(chunks, 1) if self._unchanged(prep) else chunks)
        prep.report["rows"] = self.raw.n if which is None else int(which.sum())
        return self.vectors(prep, which)

    def vectors(self, prep: Preparation | None, which: np.ndarray | None = None) -> Any:
        """Return the rows of a mask, prepared by a fitted preparation, or unchanged."""
        self.unknown.clear()
        self.imputed.clear()
        if which is None and (prep is None or (self.spill.active and self._unchanged(prep))):
            return self.raw.numbers
        rows = GrowingMatrix(self.spill.more() if self.spill.active else Spill())
        for raw in RawChunks(self.raw, which) if self.spill.active else [self._part(which)]:
            try:
                made = PreparedMatrix(raw.numbers) if prep is None else prep.apply(raw)
            except NumberedRowError as error:
                raise NumberedRowError(error.before, rows.n + error.row, error.after) from None
            for name, count in made.unknown.items():
                self.unknown[name] = self.unknown.get(name, 0) + count
            self.imputed.append(made.imputed)
            if not self.spill.active:
                return made.X
            rows.add(made.X)
        return rows.whole()

    def _unchanged(self, prep: Preparation) -> bool:
        """Whether prepared rows are the numbers of the file."""
        return not (prep.steps or self.categories or self.texts)

    def _part(self, which: np.ndarray | None) -> Raw:
        return self.raw if which is None else self.raw.part(np.flatnonzero(which))


@dataclass(frozen=True)
class RawChunks:
    """Some of the rows, chunk by chunk, as often as they are needed. which: a mask; None: all."""

    raw: Raw
    which: np.ndarray | None

    def __iter__(self) -> Iterator[Raw]:
        X, n = self.raw.numbers, self.raw.n
        stored = 0 if X is None else X.nnz if hasattr(X, "indptr") else X.size
        step = max(1, min(ROWS, NUMBERS * n // max(stored, 1)))
        for lo in range(0, n, step):
            here = slice(lo, min(lo + step, n))
            if self.which is None or self.which[here].all():
                yield self.raw.part(here)
            elif (rows := np.flatnonzero(self.which[here])).size:
                yield self.raw.part(rows + lo)


def read_rows(source: Files, spill: Spill | None = None, reader: Reader | None = None) -> StoredRows:
    """Read all rows of a source. reader: that of a model, whose rows these are."""
    spill, reader, model = Spill() if spill is None else spill, reader or Reader(source), reader is not None
    kept = Spill() if source.now.in_memory else spill  # rows that are in memory before do not count
    rows, labels = GrowingMatrix(kept), GrowingLabels(source.name, kept)
    words: tuple[dict[str, Any], ...] = ({}, {})
    found: RawChunk | None = None
    numbering: GrowingArray | None = None
    n, columns, beyond = 0, None, 0
    for found in raw_chunks(source, reader, kept.chunks(source)):
        raw, file = found.raw, source.now.name
        here = raw.d * isinstance(raw.numbers, np.ndarray), raw.names, [*raw.text], [*raw.categories]
        if here != (columns := columns or here):
            raise InputError("found columns of other types than before; write all rows alike", file=file)
        if numbering is None and found.numbers[-1] >= n + raw.n:  # the first rows that are left out
            numbering = GrowingArray(kept)
            numbering.add(np.arange(n))
        if numbering is not None:
            numbering.add(found.numbers)
        if raw.numbers is not None:
            rows.add(raw.numbers)
        for texts, more in zip(words, (raw.text, raw.categories), strict=True):
            for name, values in more.items():
                if name not in texts:
                    texts[name] = GrowingTexts(kept)
                texts[name].extend(values)
        if found.labels is not None:
            labels.add(found.labels, file)
        n, beyond = n + raw.n, beyond + found.beyond
    if found is None:
        raise no_rows(source.name, source.rows)
    first = first_of(source) if rows.is_sparse and not model else 0
    if rows.width - first > most_columns():
        raise too_wide(source.name, rows.width - 1)
    numbers = rows.whole(first, 0 if model else source.width or 1) if rows.parts else None
    text, categories = ({name: texts.whole() for name, texts in one.items()} for one in words)
    whole = Raw(
        numbers,
        None if numbers is None else found.raw.names or source.names or None,
        text,
        categories,
        found.raw.gaps,
    )
    return StoredRows(
        y=None if found.labels is None else labels.whole(),
        form=form_in(source, whole),
        raw=whole,
        dropped=source.rows - n,
        numbering=None if numbering is None else numbering.whole(),
        beyond=beyond,
        spill=spill,
    )


def no_rows(name: str, left_out: int, more: str = "") -> InputError:
    """Return the error for a source without rows, or whose rows are all left out."""
    lost = f"in each of {left_out:,} rows a missing value, or no label" if left_out else "no rows"
    return InputError(f"found {lost}; expected points, one a line{more}", file=name)


def applied(prep: Preparation, raw: Raw, name: str, rows: np.ndarray) -> PreparedMatrix:
    """Prepare rows as the training rows were; an error names their file. rows: their numbers there."""
    try:
        return prep.apply(raw)
    except NumberedRowError as error:
        raise error.at(name, int(rows[error.row])) from None
    except InputError as error:
        raise InputError(error.message if error.argument == "X" else str(error), file=name) from error
