"""Read Vowpal Wabbit's text format: `label 'tag |space name:number name …`, one row per line.

A name is a column; names are numbered in the order in which they occur, or as in a model (other names are then ignored
and counted). A name without a number has the number 1. Before the first bar are the label, an importance and a tag. An
importance other than 1 is refused, as all points of a perceptron weigh the same. New rows need no label.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.data.text.plain_files import NO_LABEL, number_of
from novikoff.errors import InputError
from novikoff.io.reading import Reading
from novikoff.io.stream.chunk_source import Chunk, Source
from novikoff.io.stream.compression import LineBlock, Place, blocks_of, decoded
from novikoff.io.stream.memory_limit import CELLS, TEXT, check_held, longest_line

SHOWN = 40


class Vowpal(Source):
    """The rows of a file in Vowpal Wabbit's text format."""

    def __init__(self, path: str | Path, reading: Reading) -> None:
        self.path, self.name, self.uses_labels = path, str(path), reading.uses_labels
        self.fixed = bool(reading.names)
        self.columns = {name: j for j, name in enumerate(reading.names)}
        self.unknown = 0  # how many names the model does not have

    def chunks(self, start: Any = None) -> Iterator[Chunk]:
        for block in blocks_of(self.path, self.block, start or Place(), longest=longest_line(self.limit, CELLS)):
            yield self._rows(block)
            check_held(self, TEXT * 3 * len(self.columns))  # names and their dictionary
        self.names = tuple(self.columns)

    def _rows(self, block: LineBlock) -> Chunk:
        labels: list[str] = []
        starts, columns, values = [0], [], []
        for number, line in enumerate(block.buf[: block.size].tobytes().split(b"\n"), start=block.place.line):
            if not line.strip():
                continue
            label, *spaces = decoded(line).split("|")
            labels.append(self._label(label, number))
            row: dict[int, float] = {}
            for space in spaces:
                self._space(space, number, row)
            places = sorted(row)
            columns += places
            values += [row[j] for j in places]
            starts.append(len(columns))
        rows = np.array(values, np.float64), np.array(columns, np.int64), np.array(starts, np.int64)
        return Chunk(labels, rows, block.place)

    def _label(self, text: str, number: int) -> str:
        words = [word for word in text.split() if not word.startswith("'")]
        if not self.uses_labels and not words:
            return ""
        if not words or (self.uses_labels and words[0].lower() in NO_LABEL):
            raise self._error(number, text.strip(), "a label was expected before the first bar; leave such rows out")
        if len(words) > 1 and self._number(words[1], number) != 1.0:
            raise self._error(number, words[1], "an importance of 1 was expected; repeat the row instead")
        return words[0]

    def _space(self, text: str, number: int, row: dict[int, float]) -> None:
        """Add the names of one name space, whose own number is a factor, to a row."""
        words = text.split()
        space, factor = "", 1.0
        if words and not text[0].isspace():
            space, colon, weight = words.pop(0).partition(":")
            factor = self._number(weight, number) if colon else 1.0
        for word in words:
            name, colon, value = word.rpartition(":")
            name, size = (name, self._number(value, number)) if colon and name else (word, 1.0)
            full = f"{space}^{name}" if space else name
            if self.fixed and full not in self.columns:
                self.unknown += 1
                continue
            column = self.columns.setdefault(full, len(self.columns))
            if column in row:
                raise self._error(number, word, "this name occurs twice; expected it once")
            row[column] = factor * size

    def _number(self, text: str, number: int) -> float:
        try:
            return number_of(text)
        except ValueError:
            raise self._error(number, text, "a finite number was expected") from None

    def _error(self, number: int, found: str, expected: str) -> InputError:
        shown = repr(found if len(found) <= SHOWN else found[:SHOWN] + "…")
        return InputError(f"{self.name}, line {number}: found {shown}; {expected}")
