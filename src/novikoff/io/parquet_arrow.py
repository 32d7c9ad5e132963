"""Read Parquet files, a part of a row group at a time, and Arrow IPC files, by batches.

A row group may be as large as memory, so chunks have about one megabyte. If reading begins in the middle of a group,
the rows before in the same group are read and ignored.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.io.memory_limit import LEAST, TEXT, too_large
from novikoff.io.reading import Reading
from novikoff.io.source import Chunk, Source
from novikoff.io.table_block import without_label
from novikoff.io.table_layout import layout_of

BYTES = 1 << 20  # of a chunk
LABELS = ("floating", "integer", "boolean", "string", "large_string", "string_view", "decimal", "null")  # types


class Columnar(Source):
    """The rows of a Parquet or Arrow file."""

    group: int | None = None  # the row group that is being read, for errors

    def __init__(self, path: str | Path, reading: Reading) -> None:
        self.path, self.name, self.kind, self.reading = path, str(path), str(reading.format), reading
        try:
            import pyarrow  # noqa: F401
        except ImportError as error:
            raise InputError(
                f"{path}: a {self.kind} file needs the package pyarrow; pip install 'novikoff[files]'"
            ) from error
        with self._errors():
            self.all = self._schema_names()
        self.layout = layout = layout_of(self.all, "", self.name, replace(reading, header=True))
        self.label = None if layout.label is None else self.all[layout.label]
        self.texts = {self.all[c] for c in layout.text}
        self.unused = [self.all[c] for c in layout.ignored]
        self.names = tuple(name for name in self.all if name != self.label and name not in self.unused)

    @property
    def arrow(self) -> Any:
        """The package; not stored, so that a source can be sent to another process."""
        import pyarrow

        return pyarrow

    def chunks(self) -> Iterator[Chunk]:
        self.group, limit = None, self.reading.limit
        with self._errors():
            for table in self._tables():
                if limit is not None and sum(map(_bytes_of, table.columns)) > max(limit, LEAST):
                    raise too_large(self.name, limit)
                table = table.drop_columns(self.unused) if self.unused else table
                kept = self._without_gaps(table) if self.reading.drops_rows else None
                if self.label is None:
                    yield Chunk([""] * table.num_rows, table, kept=kept)
                else:
                    labels = self._labels(table.column(self.label), kept)
                    yield Chunk(labels, table.drop_columns([self.label]), kept=kept)

    def _labels(self, column: Any, kept: np.ndarray | None) -> Any:
        """Return labels as numbers or stripped texts; raise InputError for a missing label of a row that is kept."""
        kinds = self.arrow.types
        numeric = kinds.is_floating(column.type) or kinds.is_integer(column.type)
        own = column.type.value_type if kinds.is_dictionary(column.type) else column.type
        if not any(getattr(kinds, f"is_{kind}", lambda _: False)(own) for kind in LABELS):
            found = f"labels of type {column.type}"
            raise InputError(file=self.name, column=self.label, found=found, expected="numbers or texts were expected")
        missing = column.is_null(nan_is_null=True).to_numpy()
        if numeric:
            values = column.fill_null(0).to_numpy()
        else:
            values = ["" if value is None else str(value).strip() for value in column.to_pylist()]
            none = without_label(set(values), False)
            missing |= np.fromiter((value in none for value in values), bool, len(values))
        if self.reading.uses_labels and (missing if kept is None else missing & kept).any():
            way_out = "missing='drop' leaves such rows out"
            raise InputError(file=self.name, column=self.label, found="a missing label", expected=way_out)
        return values

    def _without_gaps(self, table: Any) -> np.ndarray:
        """Return a mask of the rows that are not left out for a missing value."""
        import pyarrow.compute

        compute, kinds, missing = pyarrow.compute, self.arrow.types, self.reading.missing
        whole = np.ones(table.num_rows, bool)
        for name, column in zip(table.column_names, table.columns, strict=True):
            is_number = kinds.is_floating(column.type) or kinds.is_integer(column.type)
            if name == self.label and not self.reading.uses_labels:
                continue
            if name != self.label and missing == "impute":
                continue
            whole &= ~compute.is_null(column, nan_is_null=kinds.is_floating(column.type)).to_numpy()
            if name not in self.texts and not is_number and (name == self.label or missing == "drop"):
                texts = [str(value).strip() for value in column.to_pylist()]
                none = without_label(set(texts), True)
                whole &= np.array([text not in none for text in texts], bool)
        return whole

    def _schema_names(self) -> list[str]:
        if self.kind == "parquet":
            import pyarrow.parquet

            return list(pyarrow.parquet.ParquetFile(self.path).schema_arrow.names)
        with self.arrow.OSFile(str(self.path)) as file:
            return list(self.arrow.ipc.open_file(file).schema.names)

    def _tables(self) -> Iterator[Any]:
        """Yield parts of row groups, or batches."""
        if self.kind == "arrow":
            with self.arrow.OSFile(str(self.path)) as file:
                found = self.arrow.ipc.open_file(file)
                yield from (self._sound(found.get_batch(k), k) for k in range(found.num_record_batches))
            return
        import pyarrow.parquet

        width = max(1, len(self.all))
        room = max(1 << 12, min(1 << 16, BYTES // width))  # bytes; by default a whole column of a group is read
        with pyarrow.parquet.ParquetFile(self.path) as file:
            known = file.metadata
        for number in range(known.num_row_groups):
            self.group = number
            # the file is opened for each group: else the pages of the group before stay in memory
            with pyarrow.parquet.ParquetFile(self.path, metadata=known, buffer_size=room) as file:
                for batch in file.iter_batches(max(1, BYTES // (8 * width)), [number], use_threads=False):
                    yield self._sound(batch, number)
            self.arrow.default_memory_pool().release_unused()
        self.group = None

    def _sound(self, batch: Any, number: int) -> Any:
        """Return the batch as a table; raise InputError if its offsets or texts are invalid, which could crash the
        process.
        """
        table = self.arrow.Table.from_batches([batch])
        try:
            table.validate(full=True)
        except (ValueError, self.arrow.ArrowException) as error:
            part = "row group" if self.kind == "parquet" else "batch"
            why = " ".join(str(error).split())[:200]
            raise InputError(f"{self.name}, {part} {number + 1}: cannot be read ({why}); write it again") from error
        return table

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn errors of the package into InputError with the file's name."""
        arrow = self.arrow  # imported here: a generator may be closed while Python exits, when nothing can be imported
        try:
            yield
        except InputError:
            raise
        except (OSError, ValueError, KeyError, OverflowError, MemoryError, arrow.ArrowException) as error:
            why = getattr(error, "strerror", None) or " ".join(str(error).split())[:200]
            where = self.name if self.group is None else f"{self.name}, row group {self.group + 1}"
            raise InputError(f"{where}: cannot be read ({why})") from error


def _bytes_of(column: Any) -> int:
    """Return the memory of an Arrow column: numbers become doubles, texts Python texts, one for each row."""
    import pyarrow
    import pyarrow.compute as compute

    kinds, kind = pyarrow.types, column.type
    coded = kinds.is_dictionary(kind)
    own = kind.value_type if coded else kind
    if not (kinds.is_string(own) or kinds.is_large_string(own) or kinds.is_binary(own)):
        return max(int(column.nbytes), 8 * len(column))
    if not coded:
        return int(column.nbytes) + TEXT * len(column)
    each = (compute.binary_length(chunk.dictionary).take(chunk.indices) for chunk in column.chunks)
    return sum(int(compute.sum(lengths).as_py() or 0) for lengths in each) + TEXT * len(column)
