"""Read and write the binary cache: a folder of memory-mapped arrays, and a head that describes them.

    NAME.nvc/head.json       {"format": "novikoff-cache/1", "rows": n, "columns": d, "names": …,
                              "digest": of the points, "files": {file: CRC-32}, "crc32": that of all before}
    NAME.nvc/y.npy           labels: numbers, or texts
    NAME.nvc/X.npy           a table, or
    NAME.nvc/values.npy, columns.npy, starts.npy         compressed sparse rows, columns from 0

Reading parses nothing and copies nothing. Threads verify the checksums when a cache is opened.
"""

from __future__ import annotations

import json
import os
import shutil
import warnings
import zlib
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.data.digest import digest_of
from novikoff.data.problem import unlabelled
from novikoff.errors import InputError
from novikoff.io.arrays import DAMAGED, check_texts, without_label
from novikoff.io.reading import DEFAULT, Reading
from novikoff.io.source import Chunk, Source
from novikoff.kernels.structure_checks import compressed_rows
from novikoff.records.atomic_write import draft_beside, keep_access, remove_left, sync_folder, way_out

FORMAT = "novikoff-cache/1"
STEP = 1 << 22  # bytes read at once for a checksum
DENSE = {"y": None, "X": None}
SPARSE = {"y": None, "values": None, "columns": None, "starts": None}


class Cache(Source):
    """The rows of a cache, mapped into memory."""

    def __init__(self, path: str | Path, reading: Reading = DEFAULT) -> None:
        self.path, self.name = Path(path), str(path)
        self.head = self._head()
        names = self.head.get("names")
        self.names = tuple(names) if names else None
        self.digest = self.head["digest"]
        files = set(self.head["files"])
        parts = SPARSE if "values.npy" in files else DENSE
        if files != {f"{part}.npy" for part in parts}:
            raise InputError(
                f"{path}: found {', '.join(sorted(files))} in its head; expected {', '.join(parts)} (.npy)"
            )
        self._check_sums()
        self.arrays = {part: self._mapped(part) for part in parts}
        self._check_arrays()
        self.width = self.head["columns"]
        self.in_place = sum(array.nbytes for array in self.arrays.values())

    def chunks(self) -> Iterator[Chunk]:
        """Yield all rows, mapped."""
        y = self.arrays["y"]
        labels: Any = y.tolist() if y.dtype.kind == "U" else y
        rows: Any = self.arrays.get("X")
        if rows is None:
            rows = tuple(self.arrays[part] for part in ("values", "columns", "starts"))
        yield Chunk(labels, rows)

    def _head(self) -> dict[str, Any]:
        path = self.path / "head.json"
        try:
            text = path.read_text(encoding="utf-8")
            head = json.loads(text)
        except (OSError, ValueError, RecursionError) as error:
            why = getattr(error, "strerror", None) or "no JSON"
            raise InputError(f"{path}: cannot be read ({why}); expected a cache made by convert") from error
        if not isinstance(head, dict) or head.get("format") != FORMAT:
            found = head.get("format") if isinstance(head, dict) else head
            raise InputError(f"{path}: found the format {str(found)[:40]!r}; expected {FORMAT!r}: convert again")
        head.pop("crc32", None)
        if text != _sealed(head):
            raise InputError(f"{path}: damaged: its checksum is not the one written in it; convert again")
        names, sizes = head.get("names"), [head.get("rows"), head.get("columns")]
        good = all(type(size) is int and size > 0 for size in sizes) and isinstance(head.get("files"), dict)
        good = good and isinstance(head.get("digest"), str)
        if not good or not (names is None or _are_names(names, head["columns"])):
            raise InputError(f"{path}: not the head of a cache; convert again")
        return head

    def _check_sums(self) -> None:
        """Raise InputError if a file is not the one that was written, by its checksum."""
        files = self.head["files"]
        with ThreadPoolExecutor() as pool:
            for name, found in zip(files, pool.map(lambda name: _sum(self.path / name), files), strict=True):
                if found != files[name]:
                    raise InputError(
                        f"{self.path / name}: damaged: its checksum is not the one in head.json; convert again"
                    )

    def _mapped(self, part: str) -> np.ndarray:
        path = self.path / f"{part}.npy"
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                array: np.ndarray = check_texts(np.load(path, mmap_mode="r", allow_pickle=False))
        except DAMAGED as error:
            why = getattr(error, "strerror", None) or " ".join(str(error).split())[:200]
            raise InputError(f"{path}: cannot be read ({why}); convert again") from error
        return array

    def _check_arrays(self) -> None:
        """Raise InputError for arrays that do not agree with the head, or with indices out of range."""
        n, d, arrays = self.head["rows"], self.head["columns"], self.arrays
        good = arrays["y"].shape == (n,) and arrays["y"].dtype.kind in "Ufiub"
        if "X" in arrays:
            good &= arrays["X"].shape == (n, d) and arrays["X"].dtype.kind in "fiub" and arrays["X"].dtype.itemsize <= 8
        else:
            good &= arrays["values"].dtype == np.float64
        if not good:
            raise InputError(f"{self.path}: its arrays are not of the shapes that its head says; convert again")
        if arrays["y"].dtype.kind == "U" and without_label(arrays["y"]):
            raise InputError(f"{self.path}: y: found a missing label; leave out such rows, and convert again")
        if "X" not in arrays:
            parts = ("values", "columns", "starts")
            values, columns, starts = (arrays[part] for part in parts)
            rows = compressed_rows((values, columns, starts), (n, d), self.name, "convert again")
            self.arrays |= dict(zip(parts, rows, strict=True))


def _are_names(names: Any, d: int) -> bool:
    """Whether these are d different texts."""
    texts = isinstance(names, list) and len(names) == d and all(isinstance(name, str) for name in names)
    return texts and len(set(names)) == d and not any("\ud800" <= letter <= "\udfff" for letter in "".join(names))


def write_cache(path: Path, rows: Any, y: Any, names: tuple[str, ...] | None) -> None:
    """Write a cache atomically; an older cache of this name is replaced."""
    (n, d), digest = rows.shape, digest_of(unlabelled(rows), y)
    arrays = {"y": y, "X": rows}
    if hasattr(rows, "indptr"):
        arrays = {"y": y, "values": rows.data, "columns": rows.indices, "starts": rows.indptr}
    _write_all(path, {"rows": n, "columns": d, "names": None if names is None else list(names)}, arrays, digest)


def _write_all(path: Path, shape: dict[str, Any], arrays: Mapping[str, np.ndarray], digest: str) -> None:
    if path.exists() and not (path / "head.json").is_file():
        raise InputError(f"{path}: is there, and is no cache; name another folder")
    target = path.resolve()
    try:
        with draft_beside(target, Path.mkdir) as draft:
            sums = {f"{part}.npy": _write(draft / f"{part}.npy", array) for part, array in arrays.items()}
            head = {"format": FORMAT, **shape, "digest": digest, "files": sums}
            _write_bytes(draft / "head.json", _sealed(head).encode())
            sync_folder(draft)
            if path.exists():
                old = draft.with_suffix(".old")
                for made in draft.iterdir():
                    if (path / made.name).is_file():
                        keep_access(made, path / made.name)
                keep_access(draft, path)
                os.replace(path, old)
                try:
                    os.replace(draft, path)
                except OSError:
                    os.replace(old, path)
                    raise
                shutil.rmtree(old, ignore_errors=True)
            else:
                os.replace(draft, path)
            remove_left(target, "old")  # of a run that was killed
            sync_folder(target.parent)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror}); {way_out(error, path)}") from error


def _sealed(head: Mapping[str, Any]) -> str:
    """Return the text of a head, with its own checksum at the end."""
    return json.dumps({**head, "crc32": zlib.crc32(json.dumps(head).encode())}, indent=1)


def _write(path: Path, array: np.ndarray) -> int:
    array = np.ascontiguousarray(array)
    with open(path, "xb") as file:
        np.lib.format.write_array_header_1_0(file, np.lib.format.header_data_from_array_1_0(array))
        file.write(array.data)  # np.save does not report why it fails
        file.flush()
        os.fsync(file.fileno())
    return _sum(path)


def _write_bytes(path: Path, data: bytes) -> None:
    with open(path, "xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sum(path: Path) -> int:
    """Return the CRC-32 of a file, in constant memory."""
    found, room = 0, bytearray(STEP)
    try:
        with open(path, "rb", buffering=0) as file:
            while got := file.readinto(room):
                found = zlib.crc32(memoryview(room)[:got], found)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); convert again") from error
    return found
