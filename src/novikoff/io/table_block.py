"""Read the rows of one block of a table: numbers by compiled code, all else here, with errors that name the place."""

from __future__ import annotations

import contextlib
import csv
import functools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.data.plain_files import MISSING, NO_HEADER, NO_LABEL, NUMBER as SPELLED, is_name, number_of, usual_places
from novikoff.errors import InputError
from novikoff.io import csv_kernel
from novikoff.io.reading import Reading
from novikoff.io.source import Chunk, noted, raise_first
from novikoff.io.table_layout import Layout
from novikoff.io.text_blocks import NUMBERS_A_BYTE, ROOM, LineBlock, count_of, decoded
from novikoff.kernels.compile import MUCH, kernel_of

SHOWN = 40  # characters of what was found
NUMBER = "a number was expected"
LABEL = "missing='drop' leaves such rows out"
GAPS = "missing='drop' leaves such rows out, missing='impute' fills them in"
BLANK = "; predict with on_missing='blank' answers the other rows"
BEYOND = "a number up to 1.7e308 was expected: this one is beyond binary64"
FINITE = "a finite number was expected; mend it or leave the row out"
DECIMAL_COMMA = re.compile(r"[+-]?([0-9]+|[1-9][0-9]{0,2}(\.[0-9]{3})+),[0-9]+")
GROUPED = (  # a number with thousands separators: where points are decimal marks, and where commas are
    re.compile(r"[+-]?[1-9][0-9]{0,2}(,[0-9]{3})+(\.[0-9]*)?"),
    re.compile(r"[+-]?[1-9][0-9]{0,2}(\.[0-9]{3})+(,[0-9]*)?"),
)


@contextlib.contextmanager
def csv_dialect(where: str) -> Iterator[None]:
    """Turn errors of the standard library's reader into InputError."""
    try:
        yield
    except csv.Error as error:
        raise InputError(
            f"{where}: cannot be read ({error}); cells between commas, or in quotes, were expected"
        ) from error


def separator_of(line: str, reading: Reading, file: str) -> str:
    """Find the character between the cells of a table from its first line.

    Where commas are decimal marks, it is a semicolon or a tab; new rows of a model may have commas and decimal points.
    """
    if reading.format == "tsv":
        return "\t"
    if not reading.decimal_comma:
        return max(",;\t", key=line.count)
    if ";" in line or "\t" in line or "," not in line or SPELLED.fullmatch(line.strip().replace(",", ".")):
        return max(";\t", key=line.count)
    if reading.trained is None:
        raise InputError(
            "decimal_comma=True is for semicolons or tabs between the cells, and the first line has commas; "
            "leave it out, or write the file with semicolons",
            file=file,
        )
    return ","


def with_point(cell: str, comma: bool) -> str:
    """Return a cell, with a decimal point if it is a number with a decimal comma. comma: whether there are such."""
    plain = cell.replace(",", ".") if comma else cell
    return plain if SPELLED.fullmatch(plain) else cell


def is_like_a_number(cell: str, comma: bool) -> bool:
    """Whether a cell is a number, or one as its reader refuses it by name: with thousands separators or a decimal
    comma. comma: whether commas are decimal marks.
    """
    return any(spelling.fullmatch(cell) for spelling in (SPELLED, DECIMAL_COMMA, GROUPED[comma]))


def csv_reader(lines: Iterable[str], separator: str, tabs: bool) -> Any:
    """Return the standard library's reader of these lines; TSV has no quotes."""
    return csv.reader(lines, delimiter=separator, quoting=csv.QUOTE_NONE if tabs else csv.QUOTE_MINIMAL)


def without_label(labels: set[str], drop: bool) -> set[str]:
    """Return the texts that are no label; if rows are dropped, every word for a missing number is none."""
    return {label for label in labels if label.lower() in (MISSING if drop else NO_LABEL)}


@functools.cache
def compile_cell_reader() -> None:
    """Compile the kernel, or load it: this must be done before threads use it."""
    none = np.zeros(0, np.int64)
    read = kernel_of(csv_kernel.read, csv_kernel, MUCH)
    read(np.zeros(ROOM, np.uint8), 0, 0, 0, 0, none, np.zeros((0, 0)), np.zeros((0, 0, 2), np.int64), none)


@dataclass(frozen=True)
class TableBlock:
    """A block of whole rows of a table. rows_from: the line after the header."""

    block: LineBlock
    name: str
    layout: Layout
    reading: Reading
    rows_from: int

    def rows(self, start: int) -> Chunk:
        """Return the rows from a place on; raise InputError with the line, the column and what was found."""
        layout, block = self.layout, self.block
        most = count_of(csv_kernel.NEWLINE, block.buf, start, block.size) + 1
        values, spans = np.empty((most, len(layout.numbers))), np.zeros((most, len(layout.words), 2), np.int64)
        at = np.empty(most, np.int64)
        point = ord("," if self.reading.decimal_comma else ".")
        wrong, where, n, _, hard = kernel_of(csv_kernel.read, csv_kernel, NUMBERS_A_BYTE * block.size)(
            block.buf, start, block.size, ord(layout.separator), point, layout.kinds(), values, spans, at
        )
        if wrong == csv_kernel.QUOTED:
            return self._quoted(start)
        values, kept = values[:n], np.ones(n, bool)
        words = [self._words(spans[:n, k]) for k in range(len(layout.words))]
        errors = [] if wrong == csv_kernel.FINE else [self._wrong_width(int(where))]
        with noted(errors):
            self._find_missing_words(words, at, kept)
        if hard:  # cells that are no plain number: a number in another form, missing, or wrong
            with noted(errors):
                for r, c in np.argwhere(np.isnan(values)).tolist():
                    lo, hi = self._cell(int(at[r]), layout.numbers[c])
                    values[r, c] = self._number(self._text(lo, hi), lo, layout.numbers[c], kept, r)
        raise_first(errors)
        return self._chunk(values, words, kept)

    def _quoted(self, start: int) -> Chunk:
        """Return the rows of a block with cells in quotes, by the standard library's reader."""
        layout, words, kept = self.layout, list[list[str]](), np.ones(self.block.size, bool)
        lines = self.block.buf[start : self.block.size].tobytes().split(b"\n")
        begin, places = 0, start + np.cumsum([0, *(len(line) + 1 for line in lines)])
        rows, at, values, errors = list[list[str]](), list[int](), list[list[float]](), list[InputError]()
        reader = csv_reader([f"{decoded(line)}\n" for line in lines], layout.separator, self.reading.format == "tsv")
        with csv_dialect(f"{self.name}, line {self._line(start)} or after"), noted(errors):
            for row in reader:
                place, begin = int(places[begin]), reader.line_num
                if row and len(row) != layout.width:
                    raise self._wrong_width(place, len(row))
                if row:
                    rows.append([cell.strip() for cell in row])
                    at.append(place)
                    values.append([self._number(row[c], place, c, kept, len(values)) for c in layout.numbers])
        rows, kept = rows[: len(values)], kept[: len(values)]
        words = [[row[c] for row in rows] for c in layout.words]
        with noted(errors):
            self._find_missing_words(words, at, kept, in_quotes=True)
        raise_first(errors)
        return self._chunk(np.array(values).reshape(len(values), len(layout.numbers)), words, kept)

    def _chunk(self, values: np.ndarray, words: list[list[str]], kept: np.ndarray) -> Chunk:
        labels, columns, layout = [""] * len(values), (*self.layout.text, *self.layout.categories), self.layout
        if layout.label is not None:
            labels, words = words[0], words[1:]
        named = dict(zip(map(layout.name_of, columns), words, strict=True))
        return Chunk(labels, values, self.block.place.byte, named, None if kept.all() else kept)

    def _words(self, spans: np.ndarray) -> list[str]:
        """Return the texts of a column; each distinct text is decoded once."""
        raw = self.block.buf[: self.block.size].tobytes()
        cells = [raw[lo:hi] for lo, hi in spans.tolist()]
        texts = {cell: decoded(cell).strip() for cell in {*cells}}
        return [texts[cell] for cell in cells]

    def _number(self, text: str, where: int, column: int, kept: np.ndarray, row: int) -> float:
        """Return the number in a cell; NaN if it is missing, and the number imputed or the row not kept."""
        found, comma = text.strip(), self.reading.decimal_comma
        plain = with_point(found, comma)
        if not GROUPED[comma].fullmatch(found):
            try:
                return number_of(plain)
            except ValueError:
                if plain.lower() in MISSING and self.reading.missing != "fail":
                    kept[row] &= self.reading.missing == "impute"
                    return np.nan
        raise self._error(where, column, found, self._way_out(found, plain))

    def _way_out(self, found: str, plain: str) -> str:
        """Return what was expected in a cell that is no number, and the argument that helps."""
        comma, new, commas = self.reading.decimal_comma, self.reading.trained is not None, self.layout.separator == ","
        point = plain.replace(",", ".")
        if GROUPED[comma].fullmatch(found):
            without = found.replace("." if comma else ",", "")
            said = f"{NUMBER}, and this looks like thousands separators: write {without}"
            if new:
                return said
            if not commas and DECIMAL_COMMA.fullmatch(found) and not comma:
                said += f" (decimal_comma=True reads it as {found.replace(',', '.')})"
            if comma and SPELLED.fullmatch(found):
                said += f" (without decimal_comma=True it is {found})"
            return f"{said}; drop= leaves the column out, category= takes its words as categories"
        if plain.lower() in MISSING:
            return f"{NUMBER}, as in training{BLANK}" if new else f"{NUMBER}; {self.reading.advice or GAPS}"
        if SPELLED.fullmatch(plain):
            return BEYOND
        if plain.lower().lstrip("+-") in ("inf", "infinity"):
            return FINITE
        if SPELLED.fullmatch(point) and (new or commas):
            why = "commas separate the cells" if commas else "the model was trained on decimal points"
            return f"{NUMBER}, and this has a decimal comma, but {why}: write {point}"
        if new:
            return f"{NUMBER}, as in training; leave out columns that the model does not have"
        if SPELLED.fullmatch(point):
            return f"{NUMBER}; decimal_comma=True reads 0,5 as a half"
        if not any(map(str.isalnum, plain)):
            return f"{NUMBER}; mend the cell: an empty one, ? or NA is a missing number"
        return f"{NUMBER}; {self.reading.advice or self.reading.words}"

    def _find_missing_words(self, words: list[list[str]], at: Any, kept: np.ndarray, in_quotes: bool = False) -> None:
        """Find the rows without a category or a label; raise InputError for a missing label unless rows are dropped."""
        layout, drop = self.layout, self.reading.drops_rows
        columns = words[len(words) - len(layout.categories) :] if self.reading.missing == "drop" else []
        none = {word for column in columns for word in set(column) if word.lower() in MISSING}
        for column in columns if none else ():
            kept &= np.fromiter((word not in none for word in column), bool, len(column))
        if layout.label is None or not self.reading.uses_labels:
            return
        unlabelled = without_label(set(words[0]), drop)
        for r in [r for r, label in enumerate(words[0]) if label in unlabelled] if unlabelled else []:
            if not drop:
                where = int(at[r]) if in_quotes else self._cell(int(at[r]), layout.label)[0]
                raise self._error(
                    where, layout.label, words[0][r], f"a label was expected; {self.reading.advice or LABEL}"
                )
            kept[r] = False

    # ---- places and errors

    def _cell(self, at: int, column: int) -> tuple[int, int]:
        """Return where a cell of the row at `at` begins and ends."""
        raw, separator = self.block.buf, self.layout.separator.encode()
        end = at + raw[at : self.block.size + 1].tobytes().index(b"\n")
        parts = raw[at:end].tobytes().split(separator)
        lo = at + sum(len(part) + 1 for part in parts[:column])
        return lo, lo + len(parts[column])

    def _text(self, lo: int, hi: int) -> str:
        return decoded(self.block.buf[lo:hi].tobytes())

    def _line(self, where: int) -> int:
        return self.block.place.line + self.block.buf[:where].tobytes().count(b"\n")

    def _error(self, where: int, column: int, found: str, expected: str) -> InputError:
        header = self.layout.header
        name = header[column] if header else None
        if self._header_may_be_a_row(where, column, found):
            name, expected = None, f"{expected}; the first line was taken as names: {NO_HEADER} says that it is a row"
        shown = repr(found if len(found) <= SHOWN else found[:SHOWN] + "…") if found else "an empty cell"
        line = self._line(where)
        return InputError(file=self.name, line=line, column=column + 1, name=name, found=shown, expected=expected)

    def _header_may_be_a_row(self, where: int, column: int, found: str) -> bool:
        """Whether the row after the header has only words, too."""
        layout, reading = self.layout, self.reading
        if layout.header is None or reading.header or reading.trained is not None:
            return False
        sure = any(name in layout.header for name in reading.given) or usual_places([*layout.header])
        if sure or column not in layout.numbers or not is_name(found) or self._line(where) > self.rows_from:
            return False
        raw = self.block.buf[: self.block.size + 1].tobytes()
        row = self._text(raw.rfind(b"\n", 0, where) + 1, raw.index(b"\n", where)).split(layout.separator)
        return not any(SPELLED.fullmatch(cell.strip()) for cell in row)

    def _wrong_width(self, where: int, found: int | None = None) -> InputError:
        layout = self.layout
        if found is None:
            end = where + self.block.buf[where : self.block.size + 1].tobytes().index(b"\n")
            found = self.block.buf[where:end].tobytes().count(layout.separator.encode()) + 1
        expected = f"{layout.width} as in the first line were expected"
        return InputError(file=self.name, line=self._line(where), found=f"{found} cells", expected=expected)
