"""Read a folder of texts: each file is a point, and the name of its folder is its label.

New texts of a model need no label: files in no folder are read too, and a single file is one text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

import numpy as np

from novikoff.errors import InputError
from novikoff.io.reading import Reading
from novikoff.io.stream.chunk_source import Chunk, Source
from novikoff.io.stream.compression import decoded, opened
from novikoff.io.stream.memory_limit import bounded

AT_ONCE = 256  # texts of a chunk
TEXT = "text"  # the name of the column


class Documents(Source):
    """The texts of a folder, sorted by name; hidden files are ignored.

    file_names: those of the texts that were read. has_label: whether every text is in a folder, or must be.
    """

    def __init__(self, path: str | Path, reading: Reading) -> None:
        self.ignored = 0  # files in no folder
        self.file_names: list[str] = []
        self.has_label, self.unlabelled = True, not reading.uses_labels
        self.path, self.name = Path(path), str(path)

    def chunks(self) -> Iterator[Chunk]:
        texts = self._texts()
        names = sorted(name for name in texts if self._is_one(name))
        if not names:
            expected = "files" if self.unlabelled else "files in folders, each folder a label"
            raise InputError(f"{self.name}: found no texts; expected {expected}")
        if self.unlabelled:
            self.has_label = all(PurePosixPath(name).parent.name for name in names)
        else:
            self.ignored = sum(PurePosixPath(name).parent.name == "" and not name.startswith(".") for name in texts)
        self.file_names = []
        for lo in range(0, len(names), AT_ONCE):
            some = names[lo : lo + AT_ONCE]
            labels = [PurePosixPath(name).parent.name for name in some]
            self.file_names += some
            words = {TEXT: [decoded(texts[name]()) for name in some]}
            yield Chunk(labels, np.zeros((len(some), 0)), lo, words)

    def _is_one(self, name: str) -> bool:
        path = PurePosixPath(name)
        hidden = any(part.startswith(".") for part in path.parts)
        return not hidden and (self.unlabelled or path.parent.name != "")

    def _texts(self) -> dict[str, Callable[[], bytes]]:
        """Return functions that read the bytes of each text, by its name."""
        if self.path.is_dir():
            files = (path for path in self.path.rglob("*") if path.is_file())
            return {path.relative_to(self.path).as_posix(): path.read_bytes for path in files}
        if not self.unlabelled:
            raise InputError(f"{self.name}: found a file; expected a folder of texts, with a folder for each label")
        return {self.path.name: self._only_text}

    def _only_text(self) -> bytes:
        with opened(self.path) as file:
            return bounded(file, self.limit, self.name, 2).read()
