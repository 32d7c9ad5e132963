"""A file is written whole or not at all: beside its place first, seen on the disk, then put in its place."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, TextIO

from novikoff.errors import InputError


def replace_file(path: Path, content: str | bytes) -> None:
    """Write a file, or leave what was there: a full disk, a closed folder or Ctrl-C leaves nothing half-written."""
    with replacing_bytes(path) as file:
        file.write(content.encode("utf-8") if isinstance(content, str) else content)


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[TextIO]:
    """A text file that grows beside its place and is put there at the end; an error leaves what was there."""
    with replacing_bytes(path) as file:
        text = io.TextIOWrapper(file, encoding="utf-8")
        yield text
        text.detach()  # all of it is handed on; the file is closed by who opened it


@contextlib.contextmanager
def replacing_bytes(path: Path) -> Iterator[BinaryIO]:
    """The same for bytes."""
    draft = path.resolve().with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}.part")
    try:
        if path.exists() and not path.is_file():  # a pipe or a device has no "whole": hand the bytes over
            with open(path, "wb") as file:
                yield file
            return
        with open(draft, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path.resolve())
        sync_folder(draft.parent)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror}); {way_out(error)}") from error
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)


def way_out(error: OSError) -> str:
    """What helps where something cannot be written."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return "make room there, or name a place on another disk; what was there is as it was"
    return "name a place in a folder you may write to"


def sync_folder(folder: Path) -> None:
    """The new name on the disk too, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
