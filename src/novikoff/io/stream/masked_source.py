"""Select the rows of a source by a mask."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import Any, NamedTuple

import numpy as np

from novikoff.io.stream.chunk_source import Chunk, Source


def _of_the_source(name: str) -> Any:
    return property(lambda made: getattr(made.source, name))


class MaskedPlace(NamedTuple):
    """The place of a chunk in the source before the mask, and how many rows come before it there."""

    place: Any
    first: int


class DerivedSource(Source):
    """Rows derived from those of another source, which has all other attributes."""

    files = _of_the_source("files")
    names = _of_the_source("names")
    first_column = _of_the_source("first_column")
    counts_from = _of_the_source("counts_from")
    dropped = _of_the_source("dropped")
    left_out = _of_the_source("left_out")
    width = _of_the_source("width")

    def __init__(self, source: Source) -> None:
        self.source = source

    def file_of(self, chunk: Chunk) -> str:
        found: str = self.source.file_of(chunk)
        return found

    def __getattr__(self, name: str) -> Any:
        if name == "source":  # not set yet: this object is being copied
            raise AttributeError(name)
        return getattr(self.source, name)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"source": copy(self.source)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)


class MaskedSource(DerivedSource):
    """The rows of a mask. The place of a chunk is that in the other source, and how many of its rows come before."""

    def __init__(self, source: Source, mask: np.ndarray) -> None:
        super().__init__(source)
        self.mask = mask

    def chunks(self, start: Any = None) -> Iterator[Chunk]:
        place, row = (None, 0) if start is None else start
        for chunk in self.source.chunks(place):
            which = self.mask[row : row + len(chunk.labels)]
            yield taken(chunk, which, MaskedPlace(chunk.place, row))
            row += len(which)


def taken(chunk: Chunk, which: np.ndarray, place: Any) -> Chunk:
    """Return the rows of a chunk that a mask selects."""
    if which.all():
        return chunk._replace(place=place)
    numbers = np.flatnonzero(which)
    listed = numbers.tolist()
    labels = [chunk.labels[i] for i in listed] if isinstance(chunk.labels, list) else chunk.labels[numbers]
    words = {name: [values[i] for i in listed] for name, values in chunk.words.items()}
    return Chunk(labels, _rows(chunk.rows, numbers), place, words)


def _rows(rows: Any, numbers: np.ndarray) -> Any:
    if isinstance(rows, tuple):
        from novikoff.data.contiguous_blocks import SparseBlocks

        return SparseBlocks(rows, 1).take(numbers)
    return rows[numbers] if isinstance(rows, np.ndarray) else rows.take(numbers)
