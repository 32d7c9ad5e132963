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
import pyarrow
import pyarrow.compute as compute
import pyarrow.parquet
from pyarrow import types as kinds

from novikoff.data.storages import check_whole
from novikoff.errors import InputError
from novikoff.io.memory_limit import LEAST, TEXT, too_large
from novikoff.io.reading import Reading
from novikoff.io.source import Chunk, Source
from novikoff.io.table_block import BLANK, GAPS, without_label
from novikoff.io.table_layout import layout_of

BYTES = 1 << 20  # of a chunk
LABELS = ("floating", "integer", "boolean", "string", "large_string", "string_view", "decimal", "null")  # types
DAMAGED = (OSError, ValueError, KeyError, OverflowError, MemoryError, pyarrow.ArrowException)


class Columnar(Source):
    """The rows of a Parquet or Arrow file."""

    group: int | None = None  # the row group that is being read, for errors

    def __init__(self, path: str | Path, reading: Reading) -> None:
        self.path, self.name, self.kind, self.reading = path, str(path), str(reading.format), reading
        with self._errors():
            self.all = self._schema_names()
        self.layout = self.columns = layout_of(self.all, "", self.name, replace(reading, header=True))

    def chunks(self) -> Iterator[Chunk]:
        self.group, limit = None, self.reading.limit
        with self._errors():
            for table in self._tables():
                if limit is not None and sum(map(_bytes_of, table.columns)) > max(limit, LEAST):
                    raise too_large(self.name, limit)
                yield self._chunk(table)

    def _chunk(self, table: Any) -> Chunk:
        """Return the rows of a table: numbers as binary64, a missing one as NaN; texts, categories and labels."""
        reading, columns, kept = self.reading, self.columns, np.ones(table.num_rows, bool)
        labels, numbers, words = [""] * table.num_rows, dict[str, tuple[Any, Any]](), dict[str, list[str]]()
        for c, (name, column) in enumerate(zip(self.all, table.columns, strict=True)):
            if c in columns.ignored:
                continue
            if c == columns.label:
                labels = self._labels(column, kept)
                continue
            column = column.cast("float64") if kinds.is_null(column.type) else column
            is_number = kinds.is_floating(column.type) or kinds.is_integer(column.type) or kinds.is_boolean(column.type)
            is_word = c in columns.text or c in columns.categories or (reading.one_hot and not is_number)
            if column.null_count and reading.missing == "fail":
                way_out = f"; {GAPS}" if reading.trained is None else BLANK
                raise self._error(name, "a missing value", f"expected one in every row{way_out}")
            if not is_word and not is_number:
                cast = "binary64 numbers: cast the column to double"
                way_out = cast if kinds.is_decimal(column.type) else f"numbers, or text=[{name!r}], or one_hot=True"
                raise self._error(name, str(column.type), f"expected {way_out}")
            missing = column.is_null(nan_is_null=kinds.is_floating(column.type)).to_numpy()
            if is_word:
                words[name] = _texts(column)
                if reading.missing == "drop" and c not in columns.text:
                    none = without_label(set(words[name]), True)
                    missing |= np.fromiter((word in none for word in words[name]), bool, len(missing))
            else:
                zero = False if kinds.is_boolean(column.type) else 0
                numbers[name] = column.fill_null(zero).to_numpy(), column.is_null().to_numpy()
            if reading.missing in ("drop", "numbers"):
                kept &= ~missing
        rows, self.names = np.empty((len(kept), len(numbers))), tuple(numbers)
        for j, (name, (values, missing)) in enumerate(numbers.items()):
            check_whole(values[kept], f"{self.name}, column {name!r}")
            rows[:, j] = values
            rows[missing, j] = np.nan
        return Chunk(labels, rows, 0, words, None if kept.all() else kept)

    def _labels(self, column: Any, kept: np.ndarray) -> Any:
        """Return labels as numbers or stripped texts; a missing one is not kept, or raises InputError."""
        name, reading = self.all[self.columns.label or 0], self.reading
        own = column.type.value_type if kinds.is_dictionary(column.type) else column.type
        if not any(getattr(kinds, f"is_{kind}", lambda _: False)(own) for kind in LABELS):
            raise self._error(name, f"labels of type {column.type}", "numbers or texts were expected")
        missing = column.is_null(nan_is_null=True).to_numpy()
        if kinds.is_floating(column.type) or kinds.is_integer(column.type):
            values = column.fill_null(0).to_numpy()
        else:
            values = [text.strip() for text in _texts(column)]
            none = without_label(set(values), reading.drops_rows)
            missing |= np.fromiter((value in none for value in values), bool, len(values))
        if reading.uses_labels and reading.drops_rows:
            kept &= ~missing
        elif reading.uses_labels and missing.any():
            raise self._error(name, "a missing label", "missing='drop' leaves such rows out")
        return values

    def _error(self, column: str, found: str, expected: str) -> InputError:
        return InputError(file=self.name, column=column, found=found, expected=expected)

    def _schema_names(self) -> list[str]:
        if self.kind == "parquet":
            return list(pyarrow.parquet.ParquetFile(self.path).schema_arrow.names)
        with pyarrow.OSFile(str(self.path)) as file:
            return list(pyarrow.ipc.open_file(file).schema.names)

    def _tables(self) -> Iterator[Any]:
        """Yield parts of row groups, or batches."""
        if self.kind == "arrow":
            with pyarrow.OSFile(str(self.path)) as file:
                found = pyarrow.ipc.open_file(file)
                yield from (self._sound(found.get_batch(k), k) for k in range(found.num_record_batches))
            return
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
            pyarrow.default_memory_pool().release_unused()
        self.group = None

    def _sound(self, batch: Any, number: int) -> Any:
        """Return the batch as a table; raise InputError if its offsets or texts are invalid, which could crash the
        process.
        """
        table = pyarrow.Table.from_batches([batch])
        try:
            table.validate(full=True)
        except (ValueError, pyarrow.ArrowException) as error:
            part = "row group" if self.kind == "parquet" else "batch"
            why = " ".join(str(error).split())[:200]
            raise InputError(f"{self.name}, {part} {number + 1}: cannot be read ({why}); write it again") from error
        return table

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn errors of the package into InputError with the file's name."""
        try:
            yield
        except InputError:
            raise
        except DAMAGED as error:
            why = getattr(error, "strerror", None) or " ".join(str(error).split())[:200]
            where = self.name if self.group is None else f"{self.name}, row group {self.group + 1}"
            raise InputError(f"{where}: cannot be read ({why})") from error


def _bytes_of(column: Any) -> int:
    """Return the memory of an Arrow column: numbers become doubles, texts Python texts, one for each row."""
    kind = column.type
    coded = kinds.is_dictionary(kind)
    own = kind.value_type if coded else kind
    if not (kinds.is_string(own) or kinds.is_large_string(own) or kinds.is_binary(own)):
        return max(int(column.nbytes), 8 * len(column))
    if not coded:
        return int(column.nbytes) + TEXT * len(column)
    each = (compute.binary_length(chunk.dictionary).take(chunk.indices) for chunk in column.chunks)
    return sum(int(compute.sum(lengths).as_py() or 0) for lengths in each) + TEXT * len(column)


def _texts(column: Any) -> list[str]:
    """Return the values of a column as texts; a missing one is empty."""
    return ["" if value is None else str(value) for value in column.to_pylist()]
