"""Write files atomically: into a temporary file beside the target, synced to disk, then renamed.

A replaced file keeps its permissions, and its owner if the system allows; a new one follows the umask. A file without
write permission is never replaced, although the system would allow the folder's owner to do it.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, TextIO

from novikoff.errors import InputError


def replace_file(path: Path, content: str | bytes) -> None:
    """Write a file, or leave the old one: a full disk, a read-only folder or Ctrl-C leaves no partial file."""
    with replacing_bytes(path) as file:
        file.write(content.encode("utf-8") if isinstance(content, str) else content)


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[TextIO]:
    """Open a temporary text file that replaces the target on success; an error leaves the target unchanged."""
    with replacing_bytes(path) as file:
        text = io.TextIOWrapper(file, encoding="utf-8")
        yield text
        text.detach()  # flush only; the caller closes the file


@contextlib.contextmanager
def replacing_bytes(path: Path) -> Iterator[BinaryIO]:
    """Do the same for bytes."""
    draft = path.resolve().with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}.part")
    try:
        if path.exists() and not path.is_file():  # a pipe or a device cannot be replaced atomically: write directly
            with open(path, "wb") as file:
                yield file
            return
        check_replaceable(path)
        with open(draft, "xb", opener=_private if path.exists() else None) as file:
            if path.exists():
                keep_access(file.fileno(), path)
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


@contextlib.contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Yield a temporary folder beside the target that takes its place on success: then all of its files are there.

    The target is missing, or an empty folder; an error leaves it unchanged.
    """
    import shutil

    draft = path.resolve().with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}.part")
    try:
        draft.mkdir()
        yield draft
        if path.is_dir():
            path.rmdir()
        os.replace(draft, path.resolve())
        sync_folder(draft.parent)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror}); {way_out(error)}") from error
    except InputError as error:  # of a file inside: its name is that in the target
        raise error.with_message(str(error).replace(str(draft), str(path))) from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _private(path: str, flags: int) -> int:
    """Open a new file with private permissions, until it gets those of the file it replaces."""
    return os.open(path, flags, 0o600)


def check_replaceable(path: str | Path) -> None:
    """Raise InputError for an existing file or folder without write permission, for root too."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return  # missing, or reported when it is written
    if not mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH) or not os.access(path, os.W_OK):
        raise InputError(
            f"{path}: cannot be written (it is read-only); make it writable (chmod u+w), or name another file"
        )


def keep_access(draft: int | str | Path, path: str | Path) -> None:
    """Copy owner and permissions of the file or folder to be replaced to a draft (an open file, or a path).

    If the group cannot be kept, the group gets no more permissions than others: it is a different group.
    """
    old, new = os.stat(path), os.stat(draft)
    mode = stat.S_IMODE(old.st_mode)
    if hasattr(os, "chown") and (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid):
        with contextlib.suppress(OSError):
            os.chown(draft, -1, old.st_gid)
        with contextlib.suppress(OSError):
            os.chown(draft, old.st_uid, -1)
        if os.stat(draft).st_gid != old.st_gid:
            mode &= ~stat.S_IRWXG | (mode & stat.S_IRWXO) << 3
    if os.chmod in os.supports_fd or not isinstance(draft, int):
        os.chmod(draft, mode)


def way_out(error: OSError) -> str:
    """Return advice for a path that cannot be written."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return "free some space, or use another disk; the old file is unchanged"
    return "use a folder with write permission"


def sync_folder(folder: Path) -> None:
    """Sync the folder, so that the new name is on disk, if the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
