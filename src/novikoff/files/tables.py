"""Tables of numbers: CSV (commas or semicolons) and TSV (tabs), a row a line, with or without a header.

The label's column is the one that was named; else one called label, y, target or class; else the last. A header is a
first line in which some cell beside the label is no number. In CSV a cell may stand in quotes; TSV has no quotes.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.certify.verify import UnreadableError, label_place, number_of
from novikoff.compile import bind, compiler_is_off
from novikoff.errors import InputError
from novikoff.files import cells
from novikoff.files.packed import Block, Place, blocks_of
from novikoff.files.source import Chunk, Source

SHOWN = 40  # characters of what was found
MISSING = frozenset({"", "?", "na", "n/a", "nan", "null", "none"})  # cells that say: no number here
NUMBER = "a number was expected"


@dataclass(frozen=True)
class Layout:
    """What the first line settles: the separator, how many cells, where the label is, the other columns' names."""

    separator: str
    width: int
    label: int
    names: tuple[str, ...] | None

    def kinds(self) -> np.ndarray:
        """For the compiled reader: the column that each cell goes to."""
        kinds = np.arange(self.width) - (np.arange(self.width) > self.label)
        kinds[self.label] = cells.TEXT
        return kinds


def _after(begun: Block | None, block: Block) -> Block:
    """A block with the beginning of its first row before it."""
    if begun is None:
        return block
    return Block(np.concatenate([begun.buf, block.buf]), begun.size + block.size, begun.place)


class Table(Source):
    """The rows of a table, block by block.

    label: by name, or by number from 0. comma: whether 0,5 is a half; then semicolons separate. drop: whether rows with
    a missing number are left out.
    """

    def __init__(
        self,
        path: str | Path,
        tabs: bool = False,
        label: str | int | None = None,
        comma: bool = False,
        drop: bool = False,
    ) -> None:
        self.path, self.name = path, str(path)
        self.tabs, self.label, self.comma, self.drop = tabs, label, comma, drop
        self.layout: Layout | None = None

    def chunks(self, start: Any = None) -> Iterator[Chunk]:
        if start is None:
            self.layout, self.dropped = None, 0
        begun: Block | None = None  # the beginning of a row whose quotes go on in the next block
        for block in blocks_of(self.path, start=start or Place()):
            whole, begun = self._whole_rows(_after(begun, block))
            if whole.size:
                yield self._rows(whole)
        if begun is not None:
            raise InputError(f"{self.name}, line {begun.place.line}: a quotation mark is opened here and not closed")

    def _whole_rows(self, block: Block) -> tuple[Block, Block | None]:
        """The rows that end in this block, and the one that does not: its quotes are open."""
        raw = block.buf[: block.size].tobytes()
        if self.tabs or raw.count(b'"') % 2 == 0:
            return block, None
        end, marks = block.size, raw.count(b'"')
        while marks % 2:  # back to a line before which every quote is closed
            begin = raw.rfind(b"\n", 0, end - 1) + 1
            marks -= raw.count(b'"', begin, end)
            end = begin
        place = Place(block.place.byte + end, block.place.line + raw.count(b"\n", 0, end))
        rest = Block(block.buf[end : block.size].copy(), block.size - end, place)
        block.buf[end] = cells.NEWLINE
        return Block(block.buf, end, block.place), rest

    @property
    def _layout(self) -> Layout:
        if self.layout is None:
            raise RuntimeError("the first line comes first")
        return self.layout

    def _rows(self, block: Block) -> Chunk:
        """The rows of a block; InputError names the line, the column and what was found there."""
        start = self._first_line(block) if self.layout is None else 0
        layout = self._layout
        most = block.buf[start : block.size].tobytes().count(b"\n") + 1
        values, spans = np.empty((most, layout.width - 1)), np.zeros((most, 2), np.int64)
        at = np.empty(most, np.int64)
        read = bind(cells.read, cells, not compiler_is_off())
        point = ord("," if self.comma else ".")
        with np.errstate(all="ignore"):
            wrong, where, n, _, hard = read(
                block.buf, start, block.size, ord(layout.separator), point, layout.kinds(), values, spans, at
            )
        rows = Chunk(self._labels(block, spans[:n]), values[:n], block.place)
        if hard:
            rows = self._slowly(block, rows, at)
        if wrong in (cells.TOO_FEW, cells.TOO_MANY):
            raise self._wrong_width(block, int(where))
        if wrong == cells.QUOTED:
            rest = self._by_csv(block, int(where))
            rows = Chunk(rows.labels + rest.labels, np.concatenate([rows.rows, rest.rows]), block.place)
        return rows

    # ---- the first line

    def _first_line(self, block: Block) -> int:
        """Settle the layout; where the rows begin."""
        start = 3 if block.buf[:3].tobytes() == b"\xef\xbb\xbf" else 0  # a byte order mark
        while block.buf[start] in (cells.NEWLINE, cells.RETURN) and start < block.size:
            start += 1
        raw, end = block.buf[: block.size + 1].tobytes(), start
        while end == start or (not self.tabs and raw.count(b'"', start, end) % 2):
            end = raw.index(b"\n", end) + 1
        line = self._text(block, start, end - 1).rstrip("\r")
        separator = "\t" if self.tabs else ";" if self.comma or line.count(";") > line.count(",") else ","
        first: list[str] = next(self._csv(line.splitlines(keepends=True), separator), [])
        texts = [cell.strip().replace(",", ".") if self.comma else cell.strip() for cell in first]
        try:
            at, header = label_place(texts, self.name, {} if self.label is None else {"label": self.label})
        except UnreadableError as error:
            raise InputError(f"{error}; the columns are {', '.join(texts)[:200]}") from error
        names = tuple(name.strip() for j, name in enumerate(first) if j != at) if header else None
        self.layout, self.names = Layout(separator, len(first), at, names), names
        return end if header else start

    def _csv(self, lines: Sequence[str], separator: str) -> Any:
        return csv.reader(lines, delimiter=separator, quoting=csv.QUOTE_NONE if self.tabs else csv.QUOTE_MINIMAL)

    # ---- what the compiled reader leaves

    def _labels(self, block: Block, spans: np.ndarray) -> list[str]:
        """The texts of the labels; few different ones are looked at once each."""
        if not len(spans):
            return []
        width = int((spans[:, 1] - spans[:, 0]).max())
        if width == 0 or width > 64:
            return [self._text(block, lo, hi).strip() for lo, hi in spans.tolist()]
        places = spans[:, :1] + np.arange(width)
        letters = np.where(places < spans[:, 1:], block.buf[np.minimum(places, block.size)], 0).astype(np.uint8)
        different, codes = np.unique(letters.view(f"S{width}").ravel(), return_inverse=True)
        texts = [label.decode("utf-8", "replace").strip() for label in different.tolist()]
        return [texts[code] for code in codes.tolist()]

    def _slowly(self, block: Block, rows: Chunk, at: np.ndarray) -> Chunk:
        """Cells that are no plain number: done by the slow reader, missing, or wrong."""
        layout = self._layout
        missing = set()
        for r, c in np.argwhere(np.isnan(rows.rows)).tolist():
            column = c + (c >= layout.label)
            lo, hi = self._cell(block, int(at[r]), column)
            value = self._number(self._text(block, lo, hi), block, lo, column)
            if value is None:
                missing.add(r)
            else:
                rows.rows[r, c] = value
        return self._without(rows, missing)

    def _number(self, text: str, block: Block, where: int, column: int) -> float | None:
        """The number in a cell; None if it is missing and that is allowed."""
        plain = text.strip().replace(",", ".") if self.comma else text.strip()
        try:
            return float(number_of(plain, "binary64"))
        except ValueError:
            if plain.lower() not in MISSING:
                raise self._error(block, where, column, text.strip(), NUMBER) from None
            if not self.drop:
                way_out = f"{NUMBER}; --missing drop leaves such rows out"
                raise self._error(block, where, column, text.strip(), way_out) from None
        return None

    def _without(self, rows: Chunk, missing: set[int]) -> Chunk:
        if not missing:
            return rows
        self.dropped += len(missing)
        left = [r for r in range(len(rows.labels)) if r not in missing]
        return Chunk([rows.labels[r] for r in left], rows.rows[left], rows.place)

    def _by_csv(self, block: Block, where: int) -> Chunk:
        """The rows from a place on in which a cell is in quotes: by the standard library's reader."""
        layout = self._layout
        lines = self._text(block, where, block.size).split("\n")
        begin, places = 0, where + np.cumsum([0, *(len(line.encode()) + 1 for line in lines)])
        labels: list[str] = []
        values: list[list[float]] = []
        missing: set[int] = set()
        reader = self._csv([f"{line}\n" for line in lines], layout.separator)
        for row in reader:
            place, begin = int(places[begin]), reader.line_num
            if not row:
                continue
            if len(row) != layout.width:
                raise self._wrong_width(block, place, len(row))
            labels.append(row.pop(layout.label).strip())
            numbers = [self._number(cell, block, place, c + (c >= layout.label)) for c, cell in enumerate(row)]
            if None in numbers:
                missing.add(len(values))
            values.append([np.nan if v is None else v for v in numbers])
        return self._without(Chunk(labels, np.array(values).reshape(len(labels), layout.width - 1)), missing)

    # ---- places and words

    def _cell(self, block: Block, at: int, column: int) -> tuple[int, int]:
        """Where a cell of the row at `at` is."""
        layout = self._layout
        end = at + block.buf[at : block.size + 1].tobytes().index(b"\n")
        parts = block.buf[at:end].tobytes().split(layout.separator.encode())
        lo = at + sum(len(part) + 1 for part in parts[:column])
        return lo, lo + len(parts[column])

    def _text(self, block: Block, lo: int, hi: int) -> str:
        return block.buf[lo:hi].tobytes().decode("utf-8", "replace")

    def _line(self, block: Block, where: int) -> int:
        return block.place.line + block.buf[:where].tobytes().count(b"\n")

    def _error(self, block: Block, where: int, column: int, found: str, expected: str) -> InputError:
        layout = self._layout
        names = None if layout.names is None else [*layout.names[: layout.label], "", *layout.names[layout.label :]]
        called = f" ({names[column]!r})" if names else ""
        shown = repr(found if len(found) <= SHOWN else found[:SHOWN] + "…") if found else "an empty cell"
        return InputError(
            f"{self.name}, line {self._line(block, where)}, column {column + 1}{called}: found {shown}; {expected}"
        )

    def _wrong_width(self, block: Block, where: int, found: int | None = None) -> InputError:
        layout = self._layout
        if found is None:
            end = where + block.buf[where : block.size + 1].tobytes().index(b"\n")
            found = block.buf[where:end].tobytes().count(layout.separator.encode()) + 1
        line = self._line(block, where)
        return InputError(
            f"{self.name}, line {line}: found {found} cells; {layout.width} as in the first line were expected"
        )
