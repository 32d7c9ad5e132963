"""Scan a source whose rows stay in their files: ranges of bytes, row groups and files are read independently.

    one range → rows, stored numbers, labels with their counts, the places of its chunks → joined in order

An engine reads the ranges in parallel. The chunks, and so the result, are those of one reading from the beginning:
chunks begin at the beginning of each range in every reading. If a range cannot be read on its own (a quotation mark in
a CSV file may span lines), or has an error, the source is read from the beginning, and the error names the line.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from novikoff.errors import InputError
from novikoff.io.stream.chunk_source import Chunk, Source
from novikoff.io.stream.compression import STEP, Place, opened
from novikoff.io.stream.label_scan import LabelScan, check_label_types
from novikoff.io.stream.memory_limit import check_held
from novikoff.io.stream.multi_file import Several
from novikoff.io.stream.skipped_rows import LeftOut

Convert = Callable[[Any, str], Any]  # converts and checks the rows of a chunk; the name of its file


class Stamp(NamedTuple):
    """The size of a file, and when it was last changed; None where that does not count."""

    size: int
    changed: int | None


def stamps_of(source: Source) -> list[Stamp]:
    """Return the stamps of the files of a source that are regular files."""
    found = []
    for file in source.files:
        with contextlib.suppress(OSError):
            known = os.stat(str(getattr(file, "path", "")))
            if stat.S_ISREG(known.st_mode):
                found.append(Stamp(known.st_size, known.st_mtime_ns))
    return found


@dataclass
class Cut:
    """How a source is divided into chunks, and how many numbers they hold."""

    starts: list[int] = field(default_factory=lambda: [0])  # the first row of each chunk,
    places: list[Any] = field(default_factory=list)  # and where it begins; None at the beginning, where a header may be
    stored: int = 0
    width: int = 0
    sparse: bool = False
    stamps: list[Stamp] = field(default_factory=list)  # of the files, before they were read

    def add(self, rows: Any, place: Any) -> None:
        """Add the next chunk that has rows."""
        self.sparse = isinstance(rows, tuple)
        self.stored += rows[0].size if self.sparse else rows.shape[0] * rows.shape[1]
        self.width = max(self.width, _width(rows))
        self.starts.append(self.starts[-1] + row_count(rows))
        self.places.append(place)

    def join(self, other: Cut, lines: int) -> None:
        """Add the chunks of the next range. lines: how many lines of its file come before it."""
        rows = self.starts[-1]
        self.starts += [rows + start for start in other.starts[1:]]
        self.places += [_moved(place, lines) for place in other.places]
        self.stored += other.stored
        self.width, self.sparse = max(self.width, other.width), self.sparse or other.sparse


@dataclass
class Scanned:
    """What a scan finds. first: the first chunk that has rows. lowest: the lowest column of sparse rows."""

    cut: Cut = field(default_factory=Cut)
    labels: LabelScan = field(default_factory=LabelScan)
    first: Chunk | None = None
    lowest: int | None = None

    def add(self, chunk: Chunk, rows: Any, labelled: bool) -> None:
        """Add the next chunk that has rows."""
        self.first = chunk if self.first is None else self.first
        self.cut.add(rows, chunk.place)
        if self.cut.sparse and rows[1].size:
            low = int(rows[1].min())
            self.lowest = low if self.lowest is None else min(low, self.lowest)
        if labelled:
            self.labels.add(chunk.labels)

    def join(self, more: Scanned, lines: int) -> None:
        """Add the next range. lines: how many lines of its file come before it."""
        self.first = more.first if self.first is None else self.first
        self.cut.join(more.cut, lines)
        self.labels.join(more.labels)

    def count(self, more: Scanned) -> None:
        """Add the rows and labels of the next range, without its places."""
        self.cut.starts[-1] += more.cut.starts[-1]
        self.labels.join(more.labels)
        lows = [low for low in (self.lowest, more.lowest) if low is not None]
        self.lowest = min(lows, default=None)


class Range(NamedTuple):
    """A part of a file: from the place `start` to before the place with the key `end`; None: the file's ends.

    file: the source of the file, and `number` its number. bytes: where the range begins and ends in a text.
    """

    file: Source
    number: int
    start: Any = None
    end: Any = None
    bytes: tuple[int, int] | None = None

    @property
    def whole(self) -> bool:
        """Whether this is the whole file."""
        return self.start is None and self.end is None


class RangeContents(NamedTuple):
    """What a range has. file: the source as it is after a reading of the whole file."""

    scanned: Scanned
    lines: int
    file: Source | None


@dataclass(frozen=True)
class ScanRange:
    """Operation on a range. several: whether there are more files, so that a chunk's place begins with their number."""

    several: bool
    labelled: bool
    convert: Convert | None

    def __call__(self, part: Range) -> RangeContents:
        file, found = copy(part.file), Scanned()
        lines = 0 if part.bytes is None else _lines(file, *part.bytes)
        chunks: Any = file.chunks(part.start)
        with contextlib.closing(chunks):
            for chunk in chunks:
                if part.end is not None and key(chunk.place) >= part.end:
                    break
                rows = chunk.rows if self.convert is None else self.convert(chunk.rows, file.name)
                if row_count(rows):
                    place = (part.number, chunk.place) if self.several else chunk.place
                    found.add(chunk._replace(place=place), rows, self.labelled)
        if part.number or part.start is not None:
            found.first = None
        return RangeContents(found, lines, file if part.whole else None)


def scan(source: Source, labelled: bool = True, convert: Convert | None = None, engine: Any = None) -> Scanned:
    """Read all chunks of a source, without keeping their rows. engine: reads ranges in parallel; None: serially.

    labelled: whether labels are collected. convert: converts and checks the rows of a chunk.
    """
    ranges, of_files = ranges_of(source), list[LabelScan]()
    found, stamps = None, stamps_of(source)
    if len(ranges) > 1:
        with contextlib.suppress(InputError):  # the reading from the beginning finds it again, and names its line
            op = ScanRange(isinstance(source, Several), labelled, convert)
            found, of_files = _joined(source, ranges, op, engine)
    if found is None:
        found, of_files = _from_beginning(source, labelled, convert)
    if isinstance(source, Several) and labelled:
        check_label_types(source.sources, of_files)
        source.rows_read = [sum(labels.counts) for labels in of_files]
    if found.cut.places:
        found.cut.places[0] = None
    found.cut.stamps = stamps
    return found


def _from_beginning(source: Source, labelled: bool, convert: Convert | None) -> tuple[Scanned, list[LabelScan]]:
    """Read a source as a whole; return also the labels of each file, if there are more."""
    found, of_files = Scanned(), [LabelScan(0) for _ in source.files]
    for chunk in source.chunks():
        rows = chunk.rows if convert is None else convert(chunk.rows, source.file_of(chunk))
        if row_count(rows):
            found.add(chunk, rows, labelled)
            if labelled:
                check_held(source, found.labels.size, found.cut.starts[-1])
                if isinstance(source, Several):
                    of_files[chunk.place[0]].add(chunk.labels)
    return found, of_files


def ranges_of(source: Source) -> list[Range]:
    """Return the ranges of a source, in order: files, parts of a text between line starts, row groups. A source that
    can only be read as a whole has one.
    """
    if isinstance(source, Several):
        return [part for number, file in enumerate(source.sources) for part in _ranges_of_file(file, number)]
    return list(_ranges_of_file(source, 0))


def _ranges_of_file(file: Source, number: int) -> Iterator[Range]:
    if getattr(file, "layout", file) is None and file.split and (file.size or 0) > file.split:
        chunks: Any = file.chunks()
        with contextlib.closing(chunks):
            next(chunks, None)  # the first lines of a table determine its layout
    splits = list(file.splits())
    if not splits:
        yield Range(file, number)
        return
    cuts = [0, *(place.byte for place in splits), file.size or 0] if isinstance(splits[0], Place) else None
    ends = [*map(key, splits), None]
    for k, start in enumerate([None, *splits]):
        yield Range(file, number, start, ends[k], None if cuts is None else (cuts[k], cuts[k + 1]))


def key(place: Any) -> Any:
    """Return a place in a form that is ordered as the file is."""
    return place.byte if isinstance(place, Place) else place


def _joined(source: Source, ranges: Sequence[Range], op: ScanRange, engine: Any) -> tuple[Scanned, list[LabelScan]]:
    """Return what all ranges have, and the labels of each file; set what a reading from the beginning sets."""
    found, lines = Scanned(), 0
    of_files = [Scanned(labels=LabelScan(0)) for _ in source.files]
    results: Iterable[RangeContents] = map(op, ranges) if engine is None else engine.each(op, ranges)
    for part, contents in zip(ranges, results, strict=True):
        lines = 0 if part.start is None else lines
        found.join(contents.scanned, lines)
        of_files[part.number].count(contents.scanned)
        lines += contents.lines
        if contents.file is not None and isinstance(source, Several):
            source.sources[part.number] = contents.file
        if op.labelled:
            check_held(source, found.labels.size, found.cut.starts[-1])
    for part in ranges:
        if part.start is None and not part.whole:
            _set_read(part.file, of_files[part.number])
    if isinstance(source, Several):
        source.set_read()
    return found, [one.labels for one in of_files]


def _set_read(file: Source, found: Scanned) -> None:
    """Set what a reading of a whole file sets: none of its rows was left out."""
    file.left_out, file.dropped = LeftOut(), 0
    file.left_out.add(found.cut.starts[-1])
    if found.lowest is not None:
        file.first_column = min(1, found.lowest)


def _moved(place: Any, lines: int) -> Any:
    """Return a place after so many more lines."""
    if isinstance(place, Place):
        return place._replace(line=place.line + lines)
    if isinstance(place, tuple) and len(place) == 2 and isinstance(place[1], Place):
        return place[0], _moved(place[1], lines)
    return place


def _lines(file: Source, begin: int, end: int) -> int:
    """Count the lines of a range; raise InputError for a quotation mark in a CSV file, which may span lines."""
    quotes = hasattr(file, "layout") and not getattr(file, "tabs", False)
    lines = 0
    with opened(getattr(file, "path", "")) as raw:
        raw.seek(begin)
        while begin < end and (piece := raw.read(min(STEP, end - begin))):
            lines += piece.count(b"\n")
            begin += len(piece)
            if quotes and b'"' in piece:
                raise InputError(f"{file.name}: has quotation marks, and is read from the beginning")
    return lines


def row_count(rows: Any) -> int:
    """Return the number of rows of a chunk."""
    return len(rows[2]) - 1 if isinstance(rows, tuple) else len(rows)


def _width(rows: Any) -> int:
    if not isinstance(rows, tuple):
        return int(rows.shape[1])
    return int(rows[1].max()) + 1 if rows[1].size else 0
