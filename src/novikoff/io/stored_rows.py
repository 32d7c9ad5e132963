"""The rows of a file for training, in memory or in temporary files; a preparation is fitted to some of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.io.chunk_source import Source
from novikoff.io.multi_file import naming_rows
from novikoff.io.raw_rows import Form, ModelColumns, Reader, first_of, form_in, labelled, most_columns, too_wide
from novikoff.io.spill import GrowingLabels, GrowingMatrix, GrowingTexts, Spill, chunks_of
from novikoff.prepare.preparation import Preparation, PreparedMatrix
from novikoff.prepare.raw_columns import Raw

NUMBERS = 1 << 18  # of a chunk of rows in temporary files
ROWS = 1 << 14  # of such a chunk, at most: texts take memory, too


@dataclass(frozen=True, kw_only=True)
class StoredRows:
    """Rows before preparation, with their labels y (or None).

    form: how they were read. dropped: how many rows of the file were left out. numbering: the number of each row in the
    file, if rows were left out. digest: of all points and labels, if the file has it. beyond: how many numbers were in
    columns that a model does not have. unknown: how many of the rows prepared last had a category that the preparation
    does not know, by column. spill: where rows beyond the memory limit are; None: they are in memory.
    """

    y: Any
    form: Form
    raw: Raw
    dropped: int = 0
    numbering: Any = None
    digest: str | None = None
    beyond: int = 0
    unknown: dict[str, int] = field(default_factory=dict)
    spill: Spill | None = None

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
        if self.spill is None:
            return prep.fit_transform(self._part(which))
        chunks = RawChunks(self.raw, which)
        prep.fit(itertools.islice(chunks, 1) if self._unchanged(prep) else chunks)
        prep.report["rows"] = self.raw.n if which is None else int(which.sum())
        return self.vectors(prep, which)

    def vectors(self, prep: Preparation | None, which: np.ndarray | None) -> Any:
        """Return the rows of a mask, prepared by a fitted preparation, or unchanged."""
        self.unknown.clear()
        if self.spill is not None and (which is not None or not self._unchanged(prep)):
            return self._written(self.spill, prep, which)
        if prep is None or self.spill is not None:
            return self._part(which).numbers
        made = prep.apply(self._part(which))
        self.unknown.update(made.unknown)
        return made.X

    def _written(self, spill: Spill, prep: Preparation | None, which: np.ndarray | None) -> Any:
        """Return the prepared rows of a mask in temporary files."""
        rows = GrowingMatrix(spill)
        for raw in RawChunks(self.raw, which):
            made = PreparedMatrix(raw.numbers) if prep is None else prep.apply(raw)
            for name, count in made.unknown.items():
                self.unknown[name] = self.unknown.get(name, 0) + count
            rows.add(made.X)
        return rows.whole()

    def _unchanged(self, prep: Preparation | None) -> bool:
        """Whether prepared rows are the numbers of the file."""
        return prep is None or not (prep.steps or self.categories or self.texts)

    def _part(self, which: np.ndarray | None) -> Any:
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


def read_rows(
    source: Source, spill: Spill | None = None, model: ModelColumns | None = None, stream: bool = False
) -> StoredRows:
    """Read all rows of a source into memory, or into temporary files in constant memory.

    model: the columns of a model, whose rows these are. stream: whether it is a stream whose rows are needed more than
    once.
    """
    reader, rows, labels = Reader(source, model), GrowingMatrix(spill), GrowingLabels(source, spill)
    words: tuple[dict[str, Any], ...] = ({}, {})
    raw: Raw | None = None
    columns: Any = None
    beyond = 0
    for chunk in chunks_of(source, spill, stream):
        with naming_rows(source, labels.scan.n):
            own = model is None and isinstance(chunk.rows, tuple)
            raw, more = (_compressed(chunk.rows), 0) if own else reader(chunk)
        here = raw.d * isinstance(raw.numbers, np.ndarray), raw.names, [*raw.text], [*raw.categories]
        if here != (columns := columns or here):
            raise InputError(f"{source.file_of(chunk)}: found columns of other types than before; write all rows alike")
        if raw.numbers is not None:
            rows.add(raw.numbers, source.share_before(chunk))
        for texts, found in zip(words, (raw.text, raw.categories), strict=True):
            for name, values in found.items():
                texts.setdefault(name, [] if spill is None else GrowingTexts(spill)).extend(values)
        labels.add(chunk)
        beyond += more
    if raw is None:
        raise no_rows(source)
    first = first_of(source) if rows.is_sparse and model is None else 0
    if rows.width - first > most_columns():
        raise too_wide(source.name, rows.width - 1)
    numbers = None if raw.numbers is None else rows.whole(first, 0 if model else source.width or 1)
    text, categories = ({k: v if spill is None else v.whole() for k, v in one.items()} for one in words)
    whole = Raw(numbers, raw.names or source.names or None, text, categories, raw.gaps)
    return StoredRows(
        y=labels.whole() if labelled(source) else None,
        form=form_in(source, whole),
        raw=whole,
        dropped=source.dropped,
        numbering=source.row_numbers(),
        digest=source.digest,
        beyond=beyond,
        spill=spill,
    )


def _compressed(rows: Sequence[np.ndarray]) -> Raw:
    """Return compressed sparse rows, whose columns count as in the file."""
    from scipy.sparse import csr_matrix

    width = int(rows[1].max()) + 1 if rows[1].size else 1
    return Raw(csr_matrix(tuple(rows), shape=(len(rows[2]) - 1, width)))


def no_rows(source: Source) -> InputError:
    """Return the error for a source without rows."""
    some = source.dropped
    lost = f"in each of {some:,} rows a missing value, or no label" if some else "no rows"
    return InputError(f"{source.name}: found {lost}; expected points, one a line")


def applied(prep: Preparation, raw: Raw, name: str) -> PreparedMatrix:
    """Prepare rows as the training rows were; an error names their file."""
    try:
        return prep.apply(raw)
    except InputError as error:
        raise InputError(f"{name}: {error}") from error
