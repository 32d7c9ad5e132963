"""Read every chunk of a source, and join the rows in memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.io.parsing.growing_arrays import Growing, GrowingRows
from novikoff.io.stream.chunk_source import Chunk, Source, labels_of
from novikoff.io.stream.label_scan import LabelScan, check_label_types
from novikoff.io.stream.memory_limit import counted
from novikoff.io.stream.multi_file import Several


class HeldRows:
    """The rows of chunks in memory: dense or sparse rows, or an Arrow table, with their columns of words."""

    def __init__(self) -> None:
        self.dense = Growing()
        self.sparse = GrowingRows()
        self.is_sparse = False
        self.tables: list[Any] = []
        self.files: list[str] = []  # of the tables
        self.words: dict[str, list[str]] = {}

    def add(self, chunk: Chunk, share: float, file: str) -> None:
        """Add the rows of a chunk. share: the part of the file before it. file: its name."""
        self.is_sparse = isinstance(chunk.rows, tuple)
        if isinstance(chunk.rows, tuple):
            self.sparse.add(chunk.rows, share)
        elif isinstance(chunk.rows, np.ndarray):
            self.dense.add(chunk.rows, share)
        else:
            self.tables.append(chunk.rows)
            self.files.append(file)
        for name, values in chunk.words.items():
            self.words.setdefault(name, []).extend(values)

    def chunk(self) -> Chunk:
        """Return all rows as one chunk without labels; sparse rows as `GrowingRows`."""
        return Chunk((), self.sparse if self.is_sparse else self.whole(), None, self.words)

    def whole(self) -> Any:
        """Return the array or the Arrow table of all rows that are not sparse."""
        if not self.tables:
            return self.dense.whole()
        import pyarrow

        first = self.tables[0].schema
        if all(table.schema.equals(first) for table in self.tables):
            return pyarrow.concat_tables(self.tables)
        for table, file in zip(self.tables, self.files, strict=True):
            _check_types(first, table.schema, self.files[0], file)
        try:
            return pyarrow.concat_tables(self.tables, promote_options="permissive")
        except pyarrow.ArrowException as error:  # such as a whole number that no double is
            raise InputError(f"{self.files[0]} and other files: cannot be joined ({str(error)[:200]})") from error


def _check_types(first: Any, schema: Any, first_file: str, file: str) -> None:
    """Raise InputError for a column whose type cannot be joined with that of the first file."""
    import pyarrow

    for name in first.names:
        was, now = first.field(name), schema.field(name)
        try:
            pyarrow.unify_schemas([pyarrow.schema([was]), pyarrow.schema([now])], promote_options="permissive")
        except pyarrow.ArrowException:
            raise InputError(
                f"{file}: column {name!r} holds {now.type}, and {was.type} in {first_file}; write this column of all "
                "files alike"
            ) from None


@dataclass
class SourceContents:
    """What one reading of a source finds: its rows, and the labels of its chunks."""

    source: Source
    held: HeldRows
    parts: list[Any]

    @property
    def labels(self) -> Any:
        """The labels."""
        try:
            return labels_of(self.parts)
        except InputError as error:
            raise InputError(f"{self.source.name}: {str(error).removeprefix('y: ')}") from None


def read_all(source: Source, stream: bool = False) -> SourceContents:
    """Read all chunks of a source; InputError where there are no rows, or they exceed the memory limit.

    stream: whether the source is a stream that is held because its rows are needed more than once.
    """
    held, parts, of_files = HeldRows(), list[Any](), [LabelScan() for _ in source.files]
    for file in source.files:
        file.reused = True
    for chunk in counted(source, stream):
        if len(chunk.labels):
            parts.append(chunk.labels)
            held.add(chunk, source.share_before(chunk), source.file_of(chunk))
            if isinstance(source, Several):
                of_files[chunk.place[0]].add(chunk.labels)
    check_label_types(source.files, of_files)
    if not parts:
        raise no_rows(source)
    return SourceContents(source, held, parts)


def no_rows(source: Source) -> InputError:
    """Return the error for a source without rows."""
    some = source.dropped
    lost = f"in each of {some:,} rows a missing value, or no label" if some else "no rows"
    return InputError(f"{source.name}: found {lost}; expected points, one a line")
