"""The rows of a file for training, in memory or left in the file; a preparation is fitted to some of them.

    source → MaskedSource (rows of a mask) → PreparedSource (vectors) → FileRows (what a run reads)

Of rows that stay in their file, the distinct labels and the start of each chunk are in memory.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.io.raw_rows import Form, ModelColumns, Reader, first_of, form_in, labelled, most_columns, too_wide
from novikoff.io.stream.chunk_source import Chunk, Source, in_small_chunks
from novikoff.io.stream.file_rows import FileRows
from novikoff.io.stream.masked_source import DerivedSource, MaskedSource
from novikoff.io.stream.multi_file import naming_rows
from novikoff.io.stream.range_scan import Cut
from novikoff.io.stream.read_all import read_all
from novikoff.prepare.preparation import Preparation, PreparedMatrix
from novikoff.prepare.raw_columns import Raw


@dataclass(frozen=True, kw_only=True)
class StoredRows:
    """Rows before preparation, with their labels y (or None).

    form: how they were read. dropped: how many rows of the file were left out. numbering: the number of each row in the
    file, if rows were left out. digest: of all points and labels, if the file has it.
    """

    y: Any
    form: Form
    dropped: int = 0
    numbering: Any = None
    digest: str | None = None
    raw: Any = None  # the rows, if they are in memory


@dataclass(frozen=True, kw_only=True)
class RowsInMemory(StoredRows):
    """Rows in memory. beyond: how many numbers were in columns that a model does not have. unknown: how many of the
    rows prepared last had a category that the preparation does not know, by column.
    """

    beyond: int = 0
    unknown: dict[str, int] = field(default_factory=dict)
    in_a_file = False

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

    def fit(self, prep: Preparation, which: np.ndarray | None, labels: Any) -> Any:
        """Fit a preparation to the rows of a mask, and return them prepared."""
        return prep.fit_transform(self._part(which))

    def vectors(self, prep: Preparation | None, which: np.ndarray | None, labels: Any) -> Any:
        """Return the rows of a mask, prepared by a fitted preparation, or unchanged."""
        if prep is None:
            return self._part(which).numbers
        made = prep.apply(self._part(which))
        self.unknown.clear()
        self.unknown.update(made.unknown)
        return made.X

    def _part(self, which: np.ndarray | None) -> Any:
        return self.raw if which is None else self.raw.part(np.flatnonzero(which))


@dataclass(frozen=True, kw_only=True)
class RowsInFile(StoredRows):
    """Rows that stay in their file. categories, texts: whether it has such columns."""

    source: Source
    reader: Reader
    cut: Cut
    categories: bool
    texts: bool
    in_a_file = True

    @property
    def names(self) -> tuple[str, ...] | None:
        """The names of the columns of numbers."""
        return self.source.names

    def fit(self, prep: Preparation, which: np.ndarray | None, labels: Any) -> FileRows:
        """Fit a preparation to the rows of a mask, and return them prepared; without steps it reads few of them."""
        chunks = RawChunks(self._some(which), self.reader)
        prep.fit(itertools.islice(chunks, 1) if self._unchanged(prep) else chunks)
        prep.report["rows"] = self.cut.starts[-1] if which is None else int(which.sum())
        return self.vectors(prep, which, labels)

    def vectors(self, prep: Preparation | None, which: np.ndarray | None, labels: Any) -> FileRows:
        """Return the rows of a mask, prepared by a fitted preparation, or unchanged."""
        if prep is not None and not self._unchanged(prep):
            return FileRows(PreparedSource(self._some(which), prep, self.reader), labels)
        source = self.source if prep is None else PreparedSource(self.source, prep, self.reader)
        whole = FileRows(source, self.y, self.cut)
        rows = whole if which is None else whole.some(which)
        rows.labels = labels
        return rows

    def _unchanged(self, prep: Preparation) -> bool:
        """Whether prepared rows are the rows of the file."""
        return not (prep.steps or self.categories or self.texts)

    def _some(self, which: np.ndarray | None) -> Source:
        return self.source if which is None else MaskedSource(self.source, which)


@dataclass(frozen=True)
class RawChunks:
    """The rows of a source that are not yet prepared, chunk by chunk; they can be read again."""

    source: Source
    reader: Reader

    def __iter__(self) -> Iterator[Raw]:
        for chunk in self.source.chunks():
            if len(chunk.labels):
                with naming_rows(self.source, chunk):
                    raw = self.reader(chunk)[0]
                yield raw


def rows_in_memory(source: Source, model: ModelColumns | None = None, stream: bool = False) -> RowsInMemory:
    """Read all rows of a source into memory. stream: whether it is a stream whose rows are needed more than once."""
    found = read_all(source, True, stream)
    whole = found.held.chunk()
    with naming_rows(source, whole):
        raw, beyond = Reader(source, model)(whole)
    y = found.labels if labelled(source) else None
    return RowsInMemory(
        y=y,
        form=form_in(source, raw),
        dropped=source.dropped,
        numbering=source.row_numbers(),
        digest=source.digest,
        raw=raw,
        beyond=beyond,
    )


def rows_in_file(source: Source, engine: Any = None) -> RowsInFile:
    """Read a file once, without keeping its rows: find its labels, its form, and its width.

    engine: reads ranges of it in parallel; None: serially.
    """
    found = read_all(in_small_chunks(source), False, engine=engine)
    cut = found.cut
    with naming_rows(source, found.first):
        raw = None if cut.sparse else Reader(source)(found.first)[0]
    first = first_of(source)
    width = max(source.width or 1, cut.width - first)
    if cut.sparse and width > most_columns():
        raise too_wide(source.name, cut.width - 1)
    return RowsInFile(
        y=found.labels if labelled(source) else None,
        form=form_in(source, raw),
        dropped=source.dropped,
        numbering=source.row_numbers(),
        source=source,
        reader=Reader(source, None, (width, first)),
        cut=cut,
        categories=raw is not None and bool(raw.categories),
        texts=raw is not None and bool(raw.text),
    )


def applied(prep: Preparation, raw: Raw, name: str) -> PreparedMatrix:
    """Prepare rows as the training rows were; an error names their file."""
    try:
        return prep.apply(raw)
    except InputError as error:
        raise InputError(f"{name}: {error}") from error


class PreparedSource(DerivedSource):
    """The rows of a source, prepared by a fitted preparation.

    A reading from the beginning counts what the preparation does not know: `beyond`, numbers in other columns, and
    `unknown`, rows with another category, by column; and `imputed`, rows with an imputed value.
    """

    first_column = 0

    def __init__(self, source: Source, prep: Any, reader: Reader) -> None:
        super().__init__(source)
        self.prep, self.reader = prep, reader
        self.beyond, self.imputed, self.unknown = 0, 0, dict[str, int]()

    @property
    def width(self) -> int:  # type: ignore[override]
        return len(self.prep.names)

    def chunks(self, start: Any = None) -> Iterator[Chunk]:
        if start is None:
            self.beyond, self.imputed, self.unknown = 0, 0, {}
        for chunk in self.source.chunks(start):
            if not len(chunk.labels):
                continue
            with naming_rows(self.source, chunk):
                raw, beyond = self.reader(chunk)
            self.beyond += beyond
            made = applied(self.prep, raw, self.name)
            self.imputed += made.imputed
            for name, count in made.unknown.items():
                self.unknown[name] = self.unknown.get(name, 0) + count
            X = made.X
            rows = (X.data, X.indices, X.indptr) if hasattr(X, "indptr") else X
            yield Chunk(chunk.labels, rows, chunk.place)
