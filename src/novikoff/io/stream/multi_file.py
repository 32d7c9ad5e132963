"""Read the files that a pattern names, one after the other, as one source; name the file of a row in errors.

Whoever reads a chunk in the middle of a file does not know how many rows come before it. They are counted only if there
is an error: the file is read again, up to that chunk.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from copy import copy
from pathlib import Path
from typing import Any

from novikoff.errors import InputError, NumberedRowError
from novikoff.io.stream.chunk_source import Chunk, Source
from novikoff.io.stream.skipped_rows import LeftOut


class Several(Source):
    """The rows of files of one format with the same columns. A chunk's place is its file's index and its place there.

    A reading from the beginning sets what depends on all rows: names, first column, how many were left out.
    rows_read: how many rows of each file were read.
    """

    rows_read: Sequence[int] = ()

    def __init__(self, name: str, sources: Sequence[Source]) -> None:
        self.name, self.sources, self.now, self.limit = name, list(sources), sources[0], sources[0].limit
        self.width = max((source.width for source in sources if source.width), default=None)

    def __getattr__(self, name: str) -> Any:
        if name in ("sources", "now"):
            raise AttributeError(name)
        return getattr(self.now, name)

    def __getstate__(self) -> dict[str, Any]:
        sources = [copy(source) for source in self.sources]
        return self.__dict__ | {"sources": sources, "now": sources[0]}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    @property
    def files(self) -> Sequence[Source]:
        return self.sources

    @property
    def left_out(self) -> LeftOut | None:  # type: ignore[override]
        """The rows left out of all files, numbered consecutively."""
        read = [one.left_out for one in self.sources if one.left_out is not None]
        return read[0].then(read[1:]) if read else None

    def chunks(self) -> Iterator[Chunk]:
        columns = None
        for number, source in enumerate(self.sources):
            self.now = source
            for chunk in source.chunks():
                columns = self._check_same(columns, source, chunk)
                self.names = source.names
                known = self.first_column if number else source.first_column
                self.first_column = min(known, source.first_column)
                yield chunk._replace(place=(number, chunk.place))
            self.dropped = sum(one.dropped for one in self.sources)
            self.first_column = min(one.first_column for one in self.sources[: number + 1])

    def file_of(self, chunk: Chunk) -> str:
        """Return the name of the file that a chunk was read from; of all files if the chunk does not have it."""
        return self.sources[chunk.place[0]].name if isinstance(chunk.place, tuple) else self.name

    def place_of(self, row: int) -> tuple[str, int]:
        """Return the file of a row, by its number (from 0) in all files, and its number in this file."""
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
def naming_rows(source: Source, chunk: Chunk, before: int = 0) -> Iterator[None]:
    """Make an error about a row of a chunk name the file, and the row's number there.

    before: how many rows were read before the chunk, of a stream that cannot be read again.
    """
    try:
        yield
    except NumberedRowError as error:
        raise error.at(*_place_of(source, chunk.place, error.row, before)) from None


def _place_of(source: Source, place: Any, row: int, before: int) -> tuple[str, int]:
    """Return the file, and the number there, of a row of the chunk at a place; None: of all rows."""
    if place is None:
        numbers = source.row_numbers()
        number = row if numbers is None else int(numbers[row])
        return source.place_of(number) if isinstance(source, Several) else (source.name, number)
    if isinstance(source, Several):
        number, place = place
        return _place_of(source.sources[number], place, row, before)
    path = getattr(source, "path", None)
    if path is None or not Path(path).is_file():
        return source.name, before + row
    return source.name, _number_in_file(copy(source), place, row)


def _number_in_file(file: Source, place: Any, row: int) -> int:
    """Return the number in a file, from 0, of a row of the chunk at a place."""
    chunks: Any = file.chunks()
    with closing(chunks):
        for chunk in chunks:
            if chunk.place == place:
                break
            row += len(chunk.labels)
    return row if file.left_out is None else file.left_out.number(row)
