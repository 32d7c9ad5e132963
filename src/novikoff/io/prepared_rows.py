"""Training rows that are larger than memory: scanned once, chosen by a mask, prepared again in every pass.

    source → Some (rows of a mask) → Prepared (vectors) → FileRows (what a run reads)

What is kept in memory is the labels, a byte or a few for each row, and where chunks begin.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.data.labels.label_codes import Coded
from novikoff.errors import InputError
from novikoff.io.raw_rows import Form, ModelColumns, first_of, form_in, labelled, most_columns, raw_of, too_wide
from novikoff.io.stream.chunk_source import Chunk, Source
from novikoff.io.stream.file_rows import FileRows
from novikoff.io.stream.masked_source import DerivedSource, MaskedSource
from novikoff.io.stream.read_all import Cut, read_all
from novikoff.io.table_layout import Column
from novikoff.prepare.raw_columns import Raw


@dataclass(frozen=True)
class Reader:
    """How chunks of a source become rows to be prepared. sparse: (width, first column) of sparse rows; model: whose
    rows they are, where a model is there already."""

    source: Source
    one_hot: bool = False
    text: tuple[Column, ...] = ()
    sparse: tuple[int, int] | None = None
    model: ModelColumns | None = None

    def __call__(self, chunk: Chunk) -> tuple[Raw, int]:
        return raw_of(self.source, chunk, self.one_hot, self.text, self.model, self.sparse)


@dataclass(frozen=True)
class Scanned:
    """What one reading of a file tells.

    labels: as the file has them. categories, texts: whether it has columns of them. cut: into chunks.
    """

    source: Source
    labels: Coded
    form: Form
    reader: Reader
    categories: bool
    texts: bool
    cut: Cut

    def fit(self, prep: Any, which: np.ndarray) -> None:
        """Let a preparation learn from the rows of a mask; one that has nothing to learn sees only some of them."""
        raws = self.raws(which)
        prep.fit(itertools.islice(raws, 1) if self._as_they_are(prep) else raws)
        prep.report["rows"] = int(which.sum())

    def raws(self, which: np.ndarray) -> Iterator[Raw]:
        """The rows of a mask, some at a time."""
        for chunk in self._some(which).chunks():
            if len(chunk.labels):
                yield self.reader(chunk)[0]

    def rows(self, prep: Any, which: np.ndarray, labels: Coded) -> FileRows:
        """The rows of a mask as vectors, with their labels; they stay in the file."""
        if not self._as_they_are(prep):
            return FileRows(PreparedSource(self._some(which), prep, self.reader), labels)
        whole = FileRows(PreparedSource(self.source, prep, self.reader), self.labels, self.cut)
        rows = whole if which.all() else whole.some(which)
        rows.labels = labels
        return rows

    def _as_they_are(self, prep: Any) -> bool:
        """Whether prepared rows are the rows of the file."""
        return not (prep.steps or self.categories or self.texts)

    def _some(self, which: np.ndarray) -> Source:
        return self.source if which.all() else MaskedSource(self.source, which)


def scanned(source: Source, one_hot: bool = False, text: Sequence[Column] = ()) -> Scanned:
    """Read a file once, without holding its rows: find its labels, its form, and its width."""
    found = read_all(source, False)
    cut = found.cut
    if not labelled(source):
        raise InputError(f"{source.name}: no column is left for the label; name it with --label")
    raw = None if cut.sparse else raw_of(source, found.first, one_hot, text)[0]
    first = first_of(source)
    width = max(source.width or 1, cut.width - first)
    if cut.sparse and width > most_columns():
        raise too_wide(source.name, cut.width - 1)
    reader = Reader(source, one_hot, tuple(text), (width, first) if cut.sparse else None)
    categories, texts = (False, False) if raw is None else (bool(raw.categories), bool(raw.text))
    return Scanned(source, found.labels, form_in(source, raw), reader, categories, texts, cut)


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
            try:
                made = self.prep.apply(raw)
            except InputError as error:
                raise InputError(f"{self.name}: {error}") from error
            for name, count in made.unknown.items():
                self.unknown[name] = self.unknown.get(name, 0) + count
            X = made.X
            rows = (X.data, X.indices, X.indptr) if hasattr(X, "indptr") else X
            yield Chunk(chunk.labels, rows, chunk.place)
