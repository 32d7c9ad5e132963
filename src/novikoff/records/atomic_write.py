"""Write files atomically: into a new file in the folder of the target, synced to disk, then named as the target.

A replaced file keeps its permissions, and its owner if the system allows; a new one follows the umask. A file without
write permission is never replaced, although the system would allow the folder's owner to do it.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import glob
import io
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, TextIO

from novikoff.errors import InputError

try:
    import fcntl
except ImportError:  # a system without these locks
    fcntl = None  # type: ignore[assignment]

OPEN = "/proc/self/fd/{}"  # the name by which Linux knows an open file that has none


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
    old, target = path.exists(), path.resolve()
    try:
        if old and not path.is_file():  # a pipe or a device cannot be replaced atomically: write directly
            with open(path, "wb") as file:
                yield file
            return
        check_replaceable(path)
        with _draft_of(target, 0o600 if old else 0o666) as file:  # private until it gets the permissions of the old one
            if old:
                keep_access(file.fileno(), path)
            yield file
        sync_folder(target.parent)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror}); {way_out(error, path)}", file=path) from error


@contextlib.contextmanager
def _draft_of(target: Path, mode: int) -> Iterator[BinaryIO]:
    """Open a new file that replaces the target on success: one without a name, of which a killed run leaves nothing.

    A system that has none gets a draft with a name.
    """
    handle = _nameless(target.parent, mode)
    if handle is None:
        with draft_beside(target, lambda draft: os.close(os.open(draft, os.O_CREAT | os.O_EXCL, mode))) as draft:
            with open(draft, "r+b") as file:
                yield file
                _sync(file)
            os.replace(draft, target)
        return
    with open(handle, "wb") as file:
        yield file
        _sync(file)
        link = functools.partial(os.link, OPEN.format(handle), src_dir_fd=0)  # 0: else it would link the link itself
        with contextlib.suppress(FileExistsError):
            link(target)
            return
        with draft_beside(target, link, handle) as draft:
            os.replace(draft, target)


def _nameless(folder: Path, mode: int) -> int | None:
    """Open a new file without a name; None if the system or the folder has no such files, or cannot name them later."""
    with contextlib.suppress(AttributeError, OSError):
        handle = os.open(folder, os.O_TMPFILE | os.O_WRONLY, mode)
        if os.path.exists(OPEN.format(handle)):
            return handle
        os.close(handle)
    return None


@contextlib.contextmanager
def draft_beside(target: Path, make: Callable[[Path], object], lock: int | None = None) -> Iterator[Path]:
    """Make a file or folder with a hidden name beside the target, and remove it at the end if it is still there.

    It is locked as long as it is used, so that drafts that no run has locked are those of killed runs: they are removed
    first. `lock` is an open file to lock in place of the one that is made.
    """
    remove_left(target, "part")
    own = None if lock is None else _locked(lock)
    while True:
        draft = target.with_name(f".{target.name}.{os.getpid()}.{os.urandom(4).hex()}.part")
        make(draft)
        own = _locked(draft) if lock is None else own
        if draft.exists():  # else another run has removed it before it was locked
            break
    try:
        yield draft
    finally:
        _remove(draft)
        if own is not None and own != lock:
            os.close(own)


def remove_left(target: Path, ending: str) -> None:
    """Remove the hidden files and folders beside the target with this ending that no run has locked."""
    for left in target.parent.glob(f".{glob.escape(target.name)}.[0-9]*.{'[0-9a-f]' * 8}.{ending}"):
        handle = _locked(left, at_once=True)
        if handle is not None:
            _remove(left)
            os.close(handle)


def _remove(path: Path) -> None:
    """Remove a file, or a folder with its files, if it is there."""
    import shutil

    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            path.unlink()


def _locked(path: Path | int, at_once: bool = False) -> int | None:
    """Return an open file, locked; None if another process has locked it, or the system has no locks."""
    if fcntl is None:
        return None
    handle = -1
    try:
        handle = path if isinstance(path, int) else os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        fcntl.flock(handle, fcntl.LOCK_EX | (fcntl.LOCK_NB if at_once else 0))
    except OSError:
        if handle >= 0 and handle != path:
            os.close(handle)
        return None
    return handle


def _sync(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())


def check_replaceable(path: str | Path) -> None:
    """Raise InputError for an existing file or folder without write permission, for root too."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return  # missing, or reported when it is written
    if not mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH) or not os.access(path, os.W_OK):
        raise InputError(
            "cannot be written (it is read-only); make it writable (chmod u+w), or name another file", file=path
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


def way_out(error: OSError, path: Path) -> str:
    """Return advice for a path that cannot be written."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        old = "file" if path.is_file() else "folder" if path.is_dir() and any(path.iterdir()) else ""
        return f"free some space, or use another disk{old and f'; the old {old} is unchanged'}"
    return "use a folder with write permission"


def sync_folder(folder: Path) -> None:
    """Sync the folder, so that the new name is on disk, if the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
