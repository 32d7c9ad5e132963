"""Read and write the file of a model or a checkpoint: safetensors with one JSON record and a SHA-256 over the whole
file.

    8 bytes   length of the header
    header    {"__metadata__": {"novikoff": RECORD}, tensor: {"dtype", "shape", "data_offsets"}, …}     JSON
    data      the tensors' numbers, little-endian

RECORD is a JSON text that starts with {"format": "novikoff-model/1", "sha256": …}. The digest is that of the whole file
with 64 zeros in place of the digest. Nothing in the file is executed, and the same contents always give the same bytes.
Any program that reads safetensors can read the tensors.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from novikoff.errors import InputError
from novikoff.records.atomic_write import replace_file

HEADER = 50_000_000  # bytes a header may have; safetensors itself stops at 100 million
BLANK = "0" * 64
DTYPES = ("F64", "F32", "I64", "I32", "I8", "U8")
_DIGEST = re.compile(rb'\\"sha256\\":\\"([0-9a-f]{64})\\"')

Tensors = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class Contents:
    """Contents of a file: the record without `format` and `sha256`, the tensors, and the digest."""

    record: dict[str, Any]
    tensors: dict[str, np.ndarray]
    sha256: str


def save_file(path: str | os.PathLike[str], form: str, record: Mapping[str, Any], tensors: Tensors) -> str:
    """Write a file atomically and return its digest."""
    data = pack(form, record, tensors, str(path))
    replace_file(Path(path), data)
    return _digest_in(data).decode()


def load_file(path: str | os.PathLike[str], form: str) -> Contents:
    """Read a file of the form "name/major"; an InputError names the file and the fault.

    The length of the header is checked against the file size before the header is read, and the tensors' entries are
    checked before the tensors are read.
    """
    try:
        with open(path, "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise InputError(f"{path}: not a regular file; name a file written by novikoff")
            head = file.read(8)
            head += file.read(_header_length(head, status.st_size, str(path)))
            _check_head(head, status.st_size, form, str(path))
            data = head + file.read(status.st_size - len(head))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); name a file written by novikoff") from error
    return unpack(data, form, str(path))


def pack(form: str, record: Mapping[str, Any], tensors: Tensors, name: str = "model") -> bytes:
    """Return the bytes of a file."""
    from safetensors.numpy import save

    text = json.dumps({"format": form, "sha256": BLANK, **record}, allow_nan=False, separators=(",", ":"))
    data = bytearray(save({key: np.ascontiguousarray(tensor) for key, tensor in tensors.items()}, {"novikoff": text}))
    length = int.from_bytes(data[:8], "little")
    if length > HEADER:
        raise InputError(
            f"{name}: {length:,} bytes of names and parameters; at most {HEADER:,} were expected. Use shorter "
            "feature names, or an array without names"
        )
    place = _DIGEST.search(data, 8, 8 + length)
    assert place is not None
    data[slice(*place.span(1))] = hashlib.sha256(data).hexdigest().encode()
    return bytes(data)


def unpack(data: bytes, form: str, name: str = "model") -> Contents:
    """Return the contents of a file's bytes; raise InputError for anything that `pack` does not write."""
    from safetensors import SafetensorError
    from safetensors.numpy import load

    end = 8 + _header_length(data[:8], len(data), name)
    record = _check_head(data[:end], len(data), form, name)
    sha256 = record.pop("sha256", None)
    if sha256 is None or sha256 != _sha256(data, end):
        _refuse(name, "damaged: its SHA-256 does not match the stored one; copy or save it again")
    try:
        tensors = {key: tensor.copy() for key, tensor in sorted(load(data).items())}
    except (SafetensorError, ValueError, TypeError, KeyError, OverflowError) as error:
        raise InputError(f"{name}: not a safetensors file ({error}); save the model again") from None
    return Contents(record, tensors, str(sha256))


def _header_length(head: bytes, size: int, name: str) -> int:
    length = int.from_bytes(head, "little")
    if len(head) < 8 or size < 8 + length or length < 2:
        what = f"{size} bytes" if length < 2 or len(head) < 8 else f"a header of {length:,} bytes in a file of {size:,}"
        if len(head) >= 8 and head.isascii() and head.decode().replace("\n", " ").isprintable():
            what = f"a text that begins with {head.decode()!r}"
        _refuse(name, f"found {what}; not a model, or truncated. Expected a file written by nv.save")
    if length > HEADER:
        _refuse(name, f"found a header of {length:,} bytes; at most {HEADER:,} were expected")
    return length


def _check_head(head: bytes, size: int, form: str, name: str) -> dict[str, Any]:
    """Return the record of a header after checking it against the file's size and form."""
    header = object_in(head[8:], name, "the header")
    record = _record(header, name)
    _check_form(record.pop("format", None), form, name)
    ends = [0]
    for key, tensor in header.items():
        if not isinstance(tensor, dict) or tensor.get("dtype") not in DTYPES:
            _refuse(name, f"tensor {key[:60]!r} is not of a known type ({', '.join(DTYPES)})")
        place = tensor.get("data_offsets")
        if not isinstance(place, list) or len(place) != 2 or not all(type(at) is int for at in place):
            _refuse(name, f"tensor {key[:60]!r} has no place in the file")
        ends.append(place[1])
    if len(head) + max(ends) != size:
        _refuse(name, f"found {size:,} bytes; {len(head) + max(ends):,} were expected. It is truncated or damaged")
    return record


def _record(header: dict[str, Any], name: str) -> dict[str, Any]:
    metadata = header.pop("__metadata__", None)
    if not isinstance(metadata, dict) or not isinstance(metadata.get("novikoff"), str):
        _refuse(name, "a safetensors file, but not one of novikoff's; expected one written by nv.save")
    if len(metadata) > 1:
        _refuse(name, f"unknown metadata {sorted(set(metadata) - {'novikoff'})[0]!r}")
    return object_in(metadata["novikoff"], name, "the record")


def object_in(text: str | bytes, name: str, what: str) -> dict[str, Any]:
    """Parse a JSON object; reject duplicate names and NaN."""

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(found)) < len(found):
            raise ValueError("a name occurs twice")
        return dict(found)

    def number(word: str) -> float:
        if not math.isfinite(float(word)):
            raise ValueError(f"{word[:20]} is not a finite number")
        return float(word)

    try:
        value = json.loads(text, object_pairs_hook=pairs, parse_constant=number, parse_float=number)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{name}: {what} cannot be read ({error}); not a model, or damaged. Expected a file written by nv.save"
        ) from None
    if not isinstance(value, dict):
        _refuse(name, f"{what} is not a JSON object; expected a file written by nv.save")
    return value


def _check_form(found: Any, form: str, name: str) -> None:
    """Reject another kind of file, and a version that this program does not know."""
    if found == form:
        return
    kind, _, major = form.partition("/")
    own = isinstance(found, str) and re.fullmatch(re.escape(kind) + r"/([0-9]{1,6})", found)
    if own:
        _refuse(name, f"format {found!r}; this version reads {kind}/{major}. Use the novikoff that wrote it")
    _refuse(name, f"format {str(found)[:60]!r}; {form!r} was expected")


def _digest_in(data: bytes) -> bytes:
    place = _DIGEST.search(data, 8)
    assert place is not None
    return place.group(1)


def _sha256(data: bytes, end: int) -> str | None:
    """Return the digest of a file with zeros in place of the digest; None if it has no such place."""
    place = _DIGEST.search(data, 8, end)
    if place is None:
        return None
    lo, hi = place.span(1)
    total = hashlib.sha256(memoryview(data)[:lo])
    total.update(BLANK.encode())
    total.update(memoryview(data)[hi:])
    return total.hexdigest()


def _refuse(name: str, what: str) -> NoReturn:
    raise InputError(f"{name}: {what}")
