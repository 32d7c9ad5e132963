"""Tables: CSV (commas or semicolons) and TSV (tabs), a row a line, with or without a header.

In CSV a cell may stand in quotes, and then hold anything; TSV has no quotes.
"""

from __future__ import annotations

import contextlib
import csv
import functools
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.data.text.plain_files import MISSING, NO_HEADER, NO_LABEL, is_name, number_of, only_once, usual_places
from novikoff.data.text.plain_files import NUMBER as SPELLED
from novikoff.errors import InputError
from novikoff.io.parsing import csv_kernel
from novikoff.io.reading import DEFAULT, Reading
from novikoff.io.stream.bad_rows import BadRowError, BadRows
from novikoff.io.stream.chunk_source import Chunk, Source
from novikoff.io.stream.compression import ROOM, LineBlock, Place, blocks_of, count_of, decoded, plain_size
from novikoff.io.stream.memory_limit import CELLS, longest_line
from novikoff.io.stream.prefetch import ahead, readers_of, window
from novikoff.io.stream.skipped_rows import LeftOut, together
from novikoff.io.table_layout import WORDS, Layout, layout_of
from novikoff.kernels.compile import bind, compiler_is_off

SHOWN = 40  # characters of what was found
NUMBER = "a number was expected"
LABEL = "a label was expected; missing='drop' leaves such rows out"
BEYOND = "a number up to 1.7e308 was expected: this one is beyond binary64"
MARK = 'a mark in a cell is written twice, and the cell in quotes: "5"" pipe" (cells between tabs have no quotes)'
FINITE = "a finite number was expected; mend it or leave the row out"
LONG = 64  # characters of a word that is looked at by itself


@dataclass
class _Found:
    """Numbers and words of some rows, and which rows miss a number."""

    values: np.ndarray
    words: list[list[str]]
    missing: set[int] = field(default_factory=set)

    def and_then(self, rest: _Found) -> _Found:
        words = [a + b for a, b in zip(self.words, rest.words, strict=True)]
        missing = self.missing | {len(self.values) + r for r in rest.missing}
        return _Found(np.concatenate([self.values, rest.values]), words, missing)


@contextlib.contextmanager
def csv_dialect(where: str) -> Iterator[None]:
    """Errors of the standard library's reader as ours."""
    try:
        yield
    except csv.Error as error:
        raise InputError(
            f"{where}: cannot be read ({error}); cells between commas, or in quotes, were expected"
        ) from error


def separator_of(line: str, tabs: bool, comma: bool) -> str:
    """Find the character between the cells of a table from its first line.

    tabs: whether the file is TSV. comma: whether commas are decimal marks, so that semicolons separate the cells.
    """
    return "\t" if tabs else ";" if comma or line.count(";") > line.count(",") else ","


@functools.cache
def _reader(compiled: bool) -> Callable[..., Any]:
    """The kernel, once called: what it needs is imported and compiled, which is nothing for threads to do at once."""
    read, none = bind(csv_kernel.read, csv_kernel, compiled), np.zeros(0, np.int64)
    read(np.zeros(ROOM, np.uint8), 0, 0, 0, 0, none, np.zeros((0, 0)), np.zeros((0, 0, 2), np.int64), none)
    return read


def _after(begun: LineBlock | None, block: LineBlock) -> LineBlock:
    """A block with the beginning of its first row before it."""
    if begun is None:
        return block
    return LineBlock(np.concatenate([begun.buf, block.buf]), begun.size + block.size, begun.place)


def without_label(labels: set[str], drop: bool) -> set[str]:
    """Those of the texts that are no label; where rows are left out, all words for a missing number are none."""
    return {label for label in labels if label.lower() in (MISSING if drop else NO_LABEL)}


def _is_row(line: bytes) -> bool:
    return line not in (b"", b"\r")


class Table(Source):
    """The rows of a table, block by block."""

    def __init__(self, path: str | Path, reading: Reading = DEFAULT) -> None:
        self.bad = BadRows(reading.skip)
        self.path, self.name = path, str(path)
        self.size = plain_size(path) if os.path.isfile(path) else None
        self.readers = 0 if reading.skip else readers_of(path, reading.readers, self.size)
        self.reading, self.tabs, self.comma = reading, reading.format == "tsv", reading.decimal_comma
        self.layout: Layout | None = None
        self._doubtful: str | None = None  # the label of a first line of words that was taken as a row
        self._rows_from = 1  # the line after the header

    def chunks(self, start: Any = None) -> Iterator[Chunk]:
        if start is None:
            self.layout, self.dropped, self.bad, self.left_out = None, 0, BadRows(self.bad.skip), LeftOut()
        if self.readers:
            _reader(not compiler_is_off())  # here, not in the threads
        with contextlib.closing(ahead(self._blocks(start or Place()), self._read, self.readers)) as found:
            n = same = 0
            for chunk, dropped, places in found:
                self.dropped += dropped
                if start is None and self.left_out is not None:
                    self.left_out.add(len(chunk.labels), places)
                if self._doubtful is not None:
                    n, same = n + len(chunk.labels), same + list(chunk.labels).count(self._doubtful)
                yield chunk
        if self._doubtful is not None and start is None and same == 1 and n > 2:
            raise InputError(f"{self.name}: {only_once(self._doubtful)}")

    def _blocks(self, start: Place) -> Iterator[tuple[LineBlock, int]]:
        """Blocks of whole rows, and where in them the rows begin; the first one settles the layout."""
        begun: LineBlock | None = None  # the beginning of a row whose quotes go on in the next block
        with contextlib.closing(blocks_of(self.path, self.block, start, window(self.readers), self.longest)) as blocks:
            for block in blocks:
                whole, begun = self._whole_rows(_after(begun, block))
                if whole.size:
                    yield whole, self._first_line(whole) if self.layout is None else 0
        if begun is not None:
            raise InputError(
                f"{self.name}, line {begun.place.line}: a quotation mark is opened here and not closed; {MARK}"
            )

    def _read(self, item: tuple[LineBlock, int]) -> tuple[Chunk, int, np.ndarray]:
        """The rows of a block, how many were left out for a missing number, and the places of all that were."""
        block, start = item
        (chunk, missing), bad = self.bad.read(lambda block: self._rows(block, start), block, _is_row, start)
        return chunk, len(missing), together(bad, missing)

    def _whole_rows(self, block: LineBlock) -> tuple[LineBlock, LineBlock | None]:
        """The rows that end in this block, and the one that does not: its quotes are open."""
        marks = 0 if self.tabs else count_of(csv_kernel.QUOTE, block.buf, 0, block.size)
        if marks % 2 == 0:
            return block, None
        raw = block.buf[: block.size]
        lines = np.flatnonzero(raw == csv_kernel.NEWLINE)
        closed = lines[np.searchsorted(np.flatnonzero(raw == csv_kernel.QUOTE), lines) % 2 == 0]
        end = int(closed[-1]) + 1 if closed.size else 0  # a line before which every quote is closed
        place = Place(block.place.byte + end, block.place.line + int(np.searchsorted(lines, end)))
        if block.size - end > self.longest:
            wrong = f"a quotation mark is opened here and not closed in {self.longest:,} bytes"
            raise InputError(f"{self.name}, line {place.line}: {wrong}; {MARK}")
        rest = LineBlock(block.buf[end : block.size].copy(), block.size - end, place)
        block.buf[end] = csv_kernel.NEWLINE
        return LineBlock(block.buf, end, block.place), rest

    @property
    def longest(self) -> int:
        """The bytes that a line may have: the first one becomes texts of Python."""
        return longest_line(self.limit, CELLS)

    @property
    def _layout(self) -> Layout:
        if self.layout is None:
            raise RuntimeError("the first line comes first")
        return self.layout

    def _rows(self, block: LineBlock, start: int) -> tuple[Chunk, set[int]]:
        """The rows of a block, and which others miss a number; InputError names line, column and what was found."""
        layout = self._layout
        most = count_of(csv_kernel.NEWLINE, block.buf, start, block.size) + 1
        values, spans = np.empty((most, len(layout.numbers))), np.zeros((most, len(layout.words), 2), np.int64)
        at = np.empty(most, np.int64)
        read = _reader(not compiler_is_off() and not block.short)
        point = ord("," if self.comma else ".")
        with np.errstate(all="ignore"):
            wrong, where, n, _, hard = read(
                block.buf, start, block.size, ord(layout.separator), point, layout.kinds(), values, spans, at
            )
        if wrong in (csv_kernel.TOO_FEW, csv_kernel.TOO_MANY):
            raise self._wrong_width(block, int(where))
        found = _Found(values[:n], [self._words(block, spans[:n, k]) for k in range(len(layout.words))])
        found.missing |= self._without_category(found.words)
        for r in self._without_label(found.words):
            if not self.reading.drop:
                raise self._no_label(block, self._cell(block, int(at[r]), layout.label or 0)[0], found.words[0][r])
            found.missing.add(r)
        if hard:
            self._slowly(block, found, at)
        if wrong == csv_kernel.QUOTED:
            found = found.and_then(self._quoted(block, int(where)))
        return self._chunk(found, block.place)

    def _chunk(self, found: _Found, place: Place) -> tuple[Chunk, set[int]]:
        """The rows with no number missing, and which others there are."""
        layout = self._layout
        values, words = found.values, found.words
        if found.missing:
            left = [r for r in range(len(values)) if r not in found.missing]
            values, words = values[left], [[column[r] for r in left] for column in words]
        labels: Any = [""] * len(values)
        if layout.label is not None:
            labels, words = words[0], words[1:]
        names = [layout.name_of(c) for c in (*layout.text, *layout.categories)]
        return Chunk(labels, values, place, dict(zip(names, words, strict=True))), found.missing

    # ---- the first line

    def _first_line(self, block: LineBlock) -> int:
        """Settle the layout; where the rows begin."""
        start = 0
        while block.buf[start] in (csv_kernel.NEWLINE, csv_kernel.RETURN) and start < block.size:
            start += 1
        raw, end = block.buf[: block.size + 1].tobytes(), start
        while end == start or (not self.tabs and raw.count(b'"', start, end) % 2):
            end = raw.index(b"\n", end) + 1
        line = self._text(block, start, end - 1).rstrip("\r")
        separator = separator_of(line, self.tabs, self.comma)
        with csv_dialect(f"{self.name}, line {block.place.line}"):
            first: list[str] = next(self._csv(line.splitlines(keepends=True), separator), [])
        texts = [cell.strip().replace(",", ".") if self.comma else cell.strip() for cell in first]
        self.layout = layout = layout_of(texts, separator, self.name, self.reading)
        if layout.width == 1 and layout.label is not None:
            raise self._one_column(texts[0])
        if layout.header is None:
            self._doubtful = self._may_be_a_name(texts)
            return start
        self.names = tuple(layout.header[c] for c in layout.numbers)
        self._rows_from = block.place.line + raw.count(b"\n", 0, end)
        return end

    def _may_be_a_name(self, first: list[str]) -> str | None:
        """The label of a first line of nothing but words, where it was found out, not said, that it is a row."""
        said = self.reading.header is not None or self.reading.trained is not None or not os.path.isfile(self.path)
        label = self._layout.label
        return None if said or label is None or not all(not c or is_name(c) for c in first) else first[label]

    def _one_column(self, cell: str) -> InputError:
        """The error for a table of nothing but labels: another sign separates, or numbers are missing."""
        mark, other = ("tabs", "format='csv' for commas") if self.tabs else ("commas", "format='tsv' for tabs")
        return InputError(
            f"{self.name}: found one column, {cell[:SHOWN]!r}; cells between {mark} were expected, numbers and a "
            f"label: {other}, or write the file with {mark}"
        )

    def _csv(self, lines: Sequence[str], separator: str) -> Any:
        return csv.reader(lines, delimiter=separator, quoting=csv.QUOTE_NONE if self.tabs else csv.QUOTE_MINIMAL)

    # ---- what the compiled reader leaves

    def _words(self, block: LineBlock, spans: np.ndarray) -> list[str]:
        """The texts of a column; short ones are looked at once each."""
        if not len(spans):
            return []
        width = int((spans[:, 1] - spans[:, 0]).max())
        if width == 0 or width > LONG:
            return [self._text(block, lo, hi).strip() for lo, hi in spans.tolist()]
        places = spans[:, :1] + np.arange(width)
        letters = np.where(places < spans[:, 1:], block.buf[np.minimum(places, block.size)], 0).astype(np.uint8)
        different, codes = np.unique(letters.view(f"S{width}").ravel(), return_inverse=True)
        texts = [decoded(word).strip() for word in different.tolist()]
        return [texts[code] for code in codes.tolist()]

    def _slowly(self, block: LineBlock, found: _Found, at: np.ndarray) -> None:
        """Cells that are no plain number: done by the slow reader, missing, or wrong."""
        for r, c in np.argwhere(np.isnan(found.values)).tolist():
            column = self._layout.numbers[c]
            lo, hi = self._cell(block, int(at[r]), column)
            value = self._number(self._text(block, lo, hi), block, lo, column)
            if value is None:
                found.missing.add(r)
            else:
                found.values[r, c] = value

    def _number(self, text: str, block: LineBlock, where: int, column: int) -> float | None:
        """The number in a cell; None if it is missing and that is allowed."""
        plain = text.strip().replace(",", ".") if self.comma else text.strip()
        try:
            return float(number_of(plain, "binary64"))
        except ValueError:
            if plain.lower() not in MISSING:
                raise self._error(block, where, column, text.strip(), self._way_out(plain)) from None
            if not self.reading.drop:
                new = self.reading.trained is not None
                way_out = f"{NUMBER}, as in training" if new else f"{NUMBER}; missing='drop' leaves such rows out"
                raise self._error(block, where, column, text.strip(), way_out) from None
        return None

    def _way_out(self, found: str) -> str:
        """What was expected in a cell that is neither number nor missing, and the option that helps."""
        if SPELLED.fullmatch(found):
            return BEYOND
        if found.lower().lstrip("+-") in ("inf", "infinity"):
            return FINITE
        if self.reading.trained is not None:
            return f"{NUMBER}, as in training; leave out columns that the model does not have"
        if SPELLED.fullmatch(found.replace(",", ".")):
            return f"{NUMBER}; decimal_comma=True reads 0,5 as a half"
        return f"{NUMBER}; {WORDS}"

    def _quoted(self, block: LineBlock, where: int) -> _Found:
        """Rows with quotes: where one is bad, it is not known where the next begins."""
        try:
            with csv_dialect(f"{self.name}, line {self._line(block, where)} or after"):
                return self._by_csv(block, where)
        except BadRowError as error:
            if not self.bad.skip:
                raise
            raise InputError(f"{error} (on_bad_row='skip' is not for rows with quotes: mend this one)") from error

    def _by_csv(self, block: LineBlock, where: int) -> _Found:
        """The rows from a place on in which a cell is in quotes: by the standard library's reader."""
        layout = self._layout
        lines = block.buf[where : block.size].tobytes().split(b"\n")
        begin, places = 0, where + np.cumsum([0, *(len(line) + 1 for line in lines)])
        words: list[list[str]] = [[] for _ in layout.words]
        values: list[list[float]] = []
        missing: set[int] = set()
        at: list[int] = []
        reader = self._csv([f"{decoded(line)}\n" for line in lines], layout.separator)
        for row in reader:
            place, begin = int(places[begin]), reader.line_num
            if not row:
                continue
            if len(row) != layout.width:
                raise self._wrong_width(block, place, len(row))
            for column, c in zip(words, layout.words, strict=True):
                column.append(row[c].strip())
            numbers = [self._number(row[c], block, place, c) for c in layout.numbers]
            if None in numbers:
                missing.add(len(values))
            values.append([np.nan if v is None else v for v in numbers])
            at.append(place)
        missing |= self._without_category(words)
        for r in self._without_label(words):
            if not self.reading.drop:
                raise self._no_label(block, at[r], words[0][r])
            missing.add(r)
        return _Found(np.array(values).reshape(len(values), len(layout.numbers)), words, missing)

    def _without_category(self, words: list[list[str]]) -> set[int]:
        """The rows that miss a category, by their numbers, where such rows are left out."""
        if not self.reading.drop:
            return set()
        columns = words[len(words) - len(self._layout.categories) :]
        none = {word for column in columns for word in set(column) if word.lower() in MISSING}
        return {r for column in columns for r, word in enumerate(column) if word in none} if none else set()

    def _without_label(self, words: list[list[str]]) -> list[int]:
        """The rows whose label is missing, by their numbers."""
        if self._layout.label is None or not self.reading.uses_labels:
            return []
        none = without_label(set(words[0]), self.reading.drop)
        return [r for r, label in enumerate(words[0]) if label in none] if none else []

    def _no_label(self, block: LineBlock, where: int, found: str) -> InputError:
        return self._error(block, where, self._layout.label or 0, found, LABEL)

    # ---- places and words

    def _cell(self, block: LineBlock, at: int, column: int) -> tuple[int, int]:
        """Where a cell of the row at `at` is."""
        layout = self._layout
        end = at + block.buf[at : block.size + 1].tobytes().index(b"\n")
        parts = block.buf[at:end].tobytes().split(layout.separator.encode())
        lo = at + sum(len(part) + 1 for part in parts[:column])
        return lo, lo + len(parts[column])

    def _text(self, block: LineBlock, lo: int, hi: int) -> str:
        return decoded(block.buf[lo:hi].tobytes())

    def _line(self, block: LineBlock, where: int) -> int:
        return block.place.line + block.buf[:where].tobytes().count(b"\n")

    def _error(self, block: LineBlock, where: int, column: int, found: str, expected: str) -> InputError:
        layout = self._layout
        called = f" ({layout.header[column]!r})" if layout.header else ""
        if self._may_be_a_row(block, where, column, found):
            called, expected = "", f"{expected}; the first line was taken as names: {NO_HEADER} says that it is a row"
        shown = repr(found if len(found) <= SHOWN else found[:SHOWN] + "…") if found else "an empty cell"
        line = f"{self.name}, line {self._line(block, where)}"
        return BadRowError(f"{line}, column {column + 1}{called}: found {shown}; {expected}", where)

    def _may_be_a_row(self, block: LineBlock, where: int, column: int, found: str) -> bool:
        """Whether the row after a line that was taken as names has words as well, and no number."""
        layout = self._layout
        if layout.header is None or self.reading.header or self.reading.trained is not None:
            return False
        given = (self.reading.label, *self.reading.text, *self.reading.categories)
        sure = any(name in layout.header for name in given) or usual_places([*layout.header])
        if sure or column not in layout.numbers or not is_name(found) or self._line(block, where) > self._rows_from:
            return False
        raw = block.buf[: block.size + 1].tobytes()
        row = self._text(block, raw.rfind(b"\n", 0, where) + 1, raw.index(b"\n", where)).split(layout.separator)
        return not any(SPELLED.fullmatch(cell.strip()) for cell in row)

    def _wrong_width(self, block: LineBlock, where: int, found: int | None = None) -> InputError:
        layout = self._layout
        if found is None:
            end = where + block.buf[where : block.size + 1].tobytes().index(b"\n")
            found = block.buf[where:end].tobytes().count(layout.separator.encode()) + 1
        line = self._line(block, where)
        return BadRowError(
            f"{self.name}, line {line}: found {found} cells; {layout.width} as in the first line were expected", where
        )
