"""Read the files that a pattern names, one after the other, as one source; name the file of a row in errors.

Whoever reads a chunk in the middle of a file does not know how many rows come before it. They are counted only if there
is an error: the file is read again, up to that chunk.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from novikoff.errors import InputError, NumberedRowError
from novikoff.io.chunk_source import Chunk, Source
from novikoff.io.skipped_rows import LeftOut


class Several(Source):
    """The rows of files of one format with the same columns. A chunk's place is its file's index and its place there.

    Reading sets what depends on all rows: names, first column, how many were left out. rows_read: how many rows of each
    file were read.
    """

    def __init__(self, name: str, sources: Sequence[Source]) -> None:
        self.name, self.sources, self.now, self.limit = name, list(sources), sources[0], sources[0].limit
        self.width = max((source.width for source in sources if source.width), default=None)
        self.rows_read = [0] * len(sources)

    def __getattr__(self, name: str) -> Any:
        if name in ("sources", "now"):
            raise AttributeError(name)
        return getattr(self.now, name)

    @property
    def files(self) -> Sequence[Source]:
        return self.sources

    @property
    def left_out(self) -> LeftOut | None:  # type: ignore[override]
        """The rows left out of all files, numbered consecutively."""
        read = [one.left_out for one in self.sources if one.left_out is not None]
        return read[0].then(read[1:]) if read else None

    def chunks(self) -> Iterator[Chunk]:
        columns, self.rows_read = None, [0] * len(self.sources)
        for number, source in enumerate(self.sources):
            self.now = source
            for chunk in source.chunks():
                columns = self._check_same(columns, source, chunk)
                self.names = source.names
                known = self.first_column if number else source.first_column
                self.first_column = min(known, source.first_column)
                self.rows_read[number] += len(chunk.labels)
                yield chunk._replace(place=(number, chunk.place))
            self.dropped = sum(one.dropped for one in self.sources)
            self.first_column = min(one.first_column for one in self.sources[: number + 1])

    def file_of(self, chunk: Chunk) -> str:
        """Return the name of the file that a chunk was read from; of all files if the chunk does not have it."""
        return self.sources[chunk.place[0]].name if isinstance(chunk.place, tuple) else self.name

    def share_before(self, chunk: Chunk) -> float:
        number, place = chunk.place
        share: float = number + self.sources[number].share_before(chunk._replace(place=place))
        return share / len(self.sources)

    def place_of(self, row: int) -> tuple[str, int]:
        for source, rows in zip(self.sources, self.rows_read, strict=False):
            left = 0 if source.left_out is None else sum(map(len, source.left_out.before))
            if row < rows + left:
                return source.name, row
            row -= rows + left
        return self.name, row

    def _check_same(self, columns: Any, source: Source, chunk: Chunk) -> Any:
        """Return the columns of a file; raise InputError if they are not those of the first one, unless sparse."""
        layout = getattr(source, "layout", None)
        now = (source.names, getattr(layout, "width", None), getattr(layout, "label", None))
        sparse = isinstance(chunk.rows, tuple)
        if columns is not None and now != columns and not sparse:
            raise InputError(
                f"{source.name}: found other columns than in {self.sources[0].name}; the same were expected"
            )
        return now


@contextmanager
def naming_rows(source: Source, before: int = 0) -> Iterator[None]:
    """Make an error about a row name the file, and the row's number there. before: how many rows came before these."""
    try:
        yield
    except NumberedRowError as error:
        row, left_out = before + error.row, source.left_out
        raise error.at(*source.place_of(row if left_out is None else left_out.number(row))) from None
