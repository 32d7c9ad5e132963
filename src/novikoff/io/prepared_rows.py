"""Rows that stay in their file: read once before training, chosen by a mask, prepared again in every pass.

    source → MaskedSource (rows of a mask) → PreparedSource (vectors) → FileRows (what a run reads)

In memory are the labels, a byte or a few for each row, and where chunks begin.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from novikoff.errors import InputError
from novikoff.io.raw_rows import (
    ModelColumns,
    Reader,
    Rows,
    first_of,
    form_in,
    labelled,
    most_columns,
    rows_of,
    too_wide,
)
from novikoff.io.reading import Column
from novikoff.io.stream.chunk_source import Chunk, Source, in_small_chunks
from novikoff.io.stream.file_rows import FileRows
from novikoff.io.stream.masked_source import DerivedSource, MaskedSource
from novikoff.io.stream.read_all import Cut, read_all
from novikoff.prepare.preparation import Preparation, PreparedMatrix
from novikoff.prepare.raw_columns import Raw


@dataclass(frozen=True)
class RowsInFile:
    """The rows of a file that stay in it, before preparation. read: their labels, and how they were read."""

    source: Source
    read: Rows
    reader: Reader
    categories: bool
    texts: bool
    cut: Cut
    in_a_file = True

    @property
    def names(self) -> tuple[str, ...] | None:
        """The names of the columns of numbers."""
        return self.source.names

    def fit(self, prep: Preparation, which: np.ndarray, labels: Any) -> FileRows:
        """Fit a preparation to the rows of a mask, and return them prepared; without steps it reads few of them."""
        raws = self._raws(which)
        prep.fit(itertools.islice(raws, 1) if self._unchanged(prep) else raws)
        prep.report["rows"] = int(which.sum())
        return self.vectors(prep, which, labels)

    def vectors(self, prep: Preparation | None, which: np.ndarray, labels: Any) -> FileRows:
        """Return the rows of a mask, prepared by a fitted preparation, or as they are."""
        if prep is not None and not self._unchanged(prep):
            return FileRows(PreparedSource(self._some(which), prep, self.reader), labels)
        source = self.source if prep is None else PreparedSource(self.source, prep, self.reader)
        whole = FileRows(source, self.read.y, self.cut)
        rows = whole if which.all() else whole.some(which)
        rows.labels = labels
        return rows

    def _raws(self, which: np.ndarray) -> Iterator[Raw]:
        for chunk in self._some(which).chunks():
            if len(chunk.labels):
                yield self.reader(chunk)[0]

    def _unchanged(self, prep: Preparation) -> bool:
        """Whether prepared rows are the rows of the file."""
        return not (prep.steps or self.categories or self.texts)

    def _some(self, which: np.ndarray) -> Source:
        return self.source if which.all() else MaskedSource(self.source, which)


def rows_in_file(source: Source, one_hot: bool = False, text: Sequence[Column] = ()) -> RowsInFile:
    """Read a file once, without holding its rows: find its labels, its form, and its width."""
    found = read_all(in_small_chunks(source), False)
    cut = found.cut
    if not labelled(source):
        raise InputError(f"{source.name}: no column is left for the label; name it with label=")
    raw = None if cut.sparse else Reader(source, one_hot, text)(found.first)[0]
    first = first_of(source)
    width = max(source.width or 1, cut.width - first)
    if cut.sparse and width > most_columns():
        raise too_wide(source.name, cut.width - 1)
    reader = Reader(source, one_hot, tuple(text), None, (width, first) if cut.sparse else None)
    categories, texts = (False, False) if raw is None else (bool(raw.categories), bool(raw.text))
    read = Rows(None, found.labels, form_in(source, raw), source.dropped, 0, None, source.row_numbers())
    return RowsInFile(source, read, reader, categories, texts, cut)


def prepared_rows(source: Source, prep: Preparation, model: ModelColumns, in_file: bool) -> NewRows:
    """Read all rows of another file as a fitted preparation makes them. in_file: whether they stay in it."""
    if in_file:
        made = PreparedSource(in_small_chunks(source), prep, Reader(source, model=model))
        rows = FileRows(made)
        return NewRows(rows, rows.labels if labelled(source) else None, made.beyond, made.unknown)
    found = rows_of(source, model=model)
    ready = applied(prep, found.raw, source.name)
    return NewRows(ready.X, found.y, found.beyond, ready.unknown)


def applied(prep: Preparation, raw: Raw, name: str) -> PreparedMatrix:
    """Prepare rows as those of training; an error names their file."""
    try:
        return prep.apply(raw)
    except InputError as error:
        raise InputError(f"{name}: {error}") from error


class NewRows(NamedTuple):
    """Rows of another file, prepared. beyond: numbers in columns that the model has not; unknown: its categories."""

    X: Any
    labels: Any
    beyond: int
    unknown: Mapping[str, int]


class PreparedSource(DerivedSource):
    """The rows of a source as a fitted preparation makes them.

    What is unknown to it is counted by a reading from the beginning: `beyond` (numbers in columns it has not), and
    `unknown` (rows with another category, by column).
    """

    first_column = 0

    def __init__(self, source: Source, prep: Any, reader: Reader) -> None:
        super().__init__(source)
        self.prep, self.reader = prep, reader
        self.beyond, self.unknown = 0, dict[str, int]()

    @property
    def width(self) -> int:  # type: ignore[override]
        return len(self.prep.names)

    def chunks(self, start: Any = None) -> Iterator[Chunk]:
        if start is None:
            self.beyond, self.unknown = 0, {}
        for chunk in self.source.chunks(start):
            if not len(chunk.labels):
                continue
            raw, beyond = self.reader(chunk)
            self.beyond += beyond
            made = applied(self.prep, raw, self.name)
            for name, count in made.unknown.items():
                self.unknown[name] = self.unknown.get(name, 0) + count
            X = made.X
            rows = (X.data, X.indices, X.indptr) if hasattr(X, "indptr") else X
            yield Chunk(chunk.labels, rows, chunk.place)
