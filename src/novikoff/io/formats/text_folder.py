"""Read a folder or a tar of texts: each file is a point, and the name of its folder is its label.

New texts of a model need no label: files in no folder are read too, and a file that is not a tar is one text.
"""

from __future__ import annotations

import contextlib
import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.io.reading import Reading
from novikoff.io.stream.chunk_source import Chunk, Source
from novikoff.io.stream.compression import decoded, opened
from novikoff.io.stream.memory_limit import bounded

AT_ONCE = 256  # texts of a chunk
TEXT = "text"  # the name of the column


class Documents(Source):
    """The texts of a folder or of a tar (compressed or not), sorted by name; hidden files are ignored.

    file_names: those of the texts that were read. has_label: whether every text is in a folder, or must be.
    """

    def __init__(self, path: str | Path, reading: Reading) -> None:
        self.ignored = 0  # files in no folder
        self.file_names: list[str] = []
        self.has_label, self.unlabelled = True, not reading.uses_labels
        self.path, self.name, self.inside = Path(path), str(path), PurePosixPath(reading.inside)

    def chunks(self, start: Any = None) -> Iterator[Chunk]:
        with self._texts() as texts:
            names = sorted(name for name in texts if self._is_one(name))
            if not names:
                expected = "files" if self.unlabelled else "files in folders, each folder a label"
                raise InputError(f"{self.name}: found no texts; expected {expected}")
            if self.unlabelled:
                self.has_label = all(PurePosixPath(name).parent.name for name in names)
            else:
                self.ignored = sum(PurePosixPath(name).parent.name == "" and not name.startswith(".") for name in texts)
            self.file_names = self.file_names if start else []
            for lo in range(start or 0, len(names), AT_ONCE):
                some = names[lo : lo + AT_ONCE]
                labels = [PurePosixPath(name).parent.name for name in some]
                self.file_names += some
                words = {TEXT: [decoded(texts[name]()) for name in some]}
                yield Chunk(labels, np.zeros((len(some), 0)), lo, words)

    @staticmethod
    def _members(tar: tarfile.TarFile) -> Iterator[tuple[str, bytes]]:
        for member in tar:
            if member.isfile() and (data := tar.extractfile(member)) is not None:
                yield member.name, data.read()
            tar.members = []  # type: ignore[attr-defined]  # else the headers of all members are kept

    def _is_one(self, name: str) -> bool:
        path = PurePosixPath(name)
        hidden = any(part.startswith(".") and part != "." for part in path.parts)
        labelled = self.unlabelled or path.parent.name != ""
        return not hidden and labelled and path.is_relative_to(self.inside)

    @contextlib.contextmanager
    def _texts(self) -> Iterator[dict[str, Any]]:
        """Return functions that read the bytes of each text, by its name."""
        if self.path.is_dir():
            files = (path for path in self.path.rglob("*") if path.is_file())
            yield {path.relative_to(self.path).as_posix(): path.read_bytes for path in files}
            return
        if self.unlabelled and not _is_tar(self.path):
            with opened(self.path) as file:
                text = bounded(file, self.limit, self.name, 2).read()
            yield {self.path.name: lambda: text}
            return
        with opened(self.path) as file:
            try:
                # the texts are in memory as bytes, and decoded
                with tarfile.open(fileobj=bounded(file, self.limit, self.name, 2), mode="r|") as tar:
                    raw = dict(self._members(tar))
            except tarfile.TarError as error:
                raise InputError(f"{self.name}: cannot be read as a tar ({error})") from error
        yield {str(PurePosixPath(name)): (lambda text=text: text) for name, text in raw.items()}


def _is_tar(path: Path) -> bool:
    """Return whether the name of a file is that of a tar, compressed or not."""
    return path.suffix == ".tgz" or ".tar" in path.suffixes[-2:]
