"""Several files that a pattern names, one after the other, as one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from novikoff.errors import InputError
from novikoff.files.source import Chunk, Source


class Several(Source):
    """The rows of files of one format with the same columns."""

    def __init__(self, name: str, sources: Sequence[Source]) -> None:
        self.name, self.sources, self.now = name, sources, sources[0]

    def __getattr__(self, name: str) -> Any:
        if name in ("sources", "now"):
            raise AttributeError(name)
        return getattr(self.now, name)

    def chunks(self, start: Any = None) -> Iterator[Chunk]:
        columns = None
        for number, source in enumerate(self.sources):
            self.now = source
            for chunk in source.chunks():
                layout = getattr(source, "layout", None)
                now = (source.names, getattr(layout, "width", None), getattr(layout, "label", None))
                if columns is not None and now != columns and not isinstance(chunk.rows, tuple):
                    raise InputError(
                        f"{source.name}: found other columns than in {self.sources[0].name}; the same were expected"
                    )
                columns, self.names = now, source.names
                self.first_column = source.first_column if number == 0 else min(self.first_column, source.first_column)
                yield chunk
            self.dropped = sum(one.dropped for one in self.sources)
            self.first_column = min(one.first_column for one in self.sources[: number + 1])
