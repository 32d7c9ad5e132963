"""The folders of the kernel cache: which are safe, and how a file in them is read and written.

Loading a cache file runs code (pickle, then machine code). A file is therefore used only if no other user can have
written it: the file, its folder and every folder above belong to this user or to root, nobody else may write to them,
and none is a symbolic link. A folder above that others may write to, such as /tmp, passes if it is sticky: then nobody
else can rename or replace what this user or root owns in it. The folders are checked from the root downwards, so what
has passed cannot be changed by others afterwards; the file is checked by fstat after it is opened.

    NUMBA_CACHE_DIR    if it is set and absolute
    the package        its __pycache__
    the user's cache   XDG_CACHE_HOME/novikoff, ~/.cache/novikoff, ~/.novikoff

The folders that pass are searched in this order, up to the first one that this user may write to. Without any, kernels
are compiled into memory, and nothing is stored. A relative path is never used, so nothing is read from, or created in,
the current directory. On Windows, which has no such modes, the folder must be below the user's %LOCALAPPDATA%.

Each file has a mark, a head in plain JSON, the SHA-256 of the rest, the rest. The head says what the code is for and is
compared before the rest is used. A file that is damaged or that has another head is ignored, and replaced by what is
compiled anew.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType

# the folder novikoff; anyone who can change a link in its path can change the code
PACKAGE = os.path.realpath(os.path.dirname(os.path.dirname(__file__)))
WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
READABLE_BY_OTHERS = stat.S_IRGRP | stat.S_IROTH
PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600
_OPEN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_SUM = hashlib.sha256().digest_size
ENDING = ".nbc"


def usable_folders() -> tuple[str, ...]:
    """Return the safe folders to search; the last one is writable, if any is."""
    return _usable_folders(os.geteuid() if hasattr(os, "geteuid") else None)


@functools.cache
def _usable_folders(user: int | None) -> tuple[str, ...]:
    found: list[str] = []
    for folder, mode in _folders():
        with contextlib.suppress(OSError):
            if is_safe(folder, user, mode):
                found.append(folder)
                if os.access(folder, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
                    break
    return tuple(found)


def _folders() -> Iterator[tuple[str, int]]:
    """Yield the candidate folders, each with the mode used to create it."""
    request = os.environ.get("NUMBA_CACHE_DIR", "")
    if os.path.isabs(request):
        yield os.path.normpath(request), PRIVATE_FOLDER
    if os.path.isdir(PACKAGE):  # other users read Python's own files there
        yield os.path.join(PACKAGE, "__pycache__"), PRIVATE_FOLDER | os.stat(PACKAGE).st_mode & 0o055
    if os.name == "nt":
        local = os.environ.get("LOCALAPPDATA", "")
        if os.path.isabs(local):
            yield os.path.join(local, "novikoff"), PRIVATE_FOLDER
        return
    general = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(general):
        yield os.path.join(os.path.normpath(general), "novikoff"), PRIVATE_FOLDER
    home = os.path.expanduser("~")  # "~" again for a user who is not known
    if os.path.isabs(home) and os.path.isdir(home):
        home = os.path.realpath(home)
        caches = "Library/Caches" if sys.platform == "darwin" else ".cache"
        yield os.path.join(home, caches, "novikoff"), PRIVATE_FOLDER
        yield os.path.join(home, ".novikoff"), PRIVATE_FOLDER  # for a ~/.cache that a group may write to


def is_safe(folder: str, user: int | None, mode: int) -> bool:
    """Return whether only this user and root can have written a folder's files; create it with this mode if missing."""
    if user is None:
        return _is_local(folder, mode)
    for place in (*reversed(Path(folder).parents), Path(folder)):
        try:
            info = os.lstat(place)
        except FileNotFoundError:
            with contextlib.suppress(FileExistsError):  # another process created it first
                os.mkdir(place, mode)  # in a folder that passed the check
            info = os.lstat(place)
        if not stat.S_ISDIR(info.st_mode) or info.st_uid not in (0, user):
            return False
        if info.st_mode & WRITABLE_BY_OTHERS and not info.st_mode & stat.S_ISVTX:
            return False
    return not info.st_mode & WRITABLE_BY_OTHERS


def _is_local(folder: str, mode: int) -> bool:
    """On Windows: return whether a folder, links resolved, is below the user's own; create it if missing."""
    local = os.environ.get("LOCALAPPDATA", "")
    if not os.path.isabs(local) or not Path(os.path.realpath(folder)).is_relative_to(os.path.realpath(local)):
        return False
    os.makedirs(folder, mode, exist_ok=True)
    return True


# ---- files in a safe folder


def kernel_name(function: FunctionType) -> str:
    """Return what the names of a kernel's files begin with: one file for each signature and CPU follows."""
    name = f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}".replace("<", "").replace(">", "")
    variant = hashlib.sha256(closure_of(function).encode()).hexdigest()[:8] if function.__closure__ else "0"
    return f"{name}.{variant}.{sys.implementation.cache_tag}"


def closure_of(function: FunctionType) -> str:
    """Return the values that a function has from the function around it, as text."""
    values = [cell.cell_contents for cell in function.__closure__ or ()]
    return repr([getattr(value, "__qualname__", value) for value in values])


@functools.cache
def stored_kernels() -> frozenset[str]:
    """Return the names of the kernels in the safe folders, as this process first sees them."""
    files = [name for folder in usable_folders() for name in os.listdir(folder)]
    return frozenset(name.rsplit(".", 2)[0] for name in files if name.endswith(ENDING))


def bytes_of(path: str) -> bytes:
    """Return the bytes of a file that only this user and root can have written; nothing for any other."""
    try:
        with open(os.open(path, os.O_RDONLY | _OPEN), "rb") as file:
            info = os.fstat(file.fileno())
            if hasattr(os, "geteuid") and (info.st_uid not in (0, os.geteuid()) or info.st_mode & WRITABLE_BY_OTHERS):
                return b""
            return file.read() if stat.S_ISREG(info.st_mode) else b""
    except OSError:
        return b""


def code_after(head: bytes, content: bytes) -> memoryview | None:
    """Return the code in a file that starts with this head, if it is intact."""
    if not content.startswith(head):
        return None
    code = memoryview(content)[len(head) + _SUM :]
    return code if hashlib.sha256(code).digest() == content[len(head) : len(head) + _SUM] else None


def whole(head: bytes, code: bytes) -> bytes:
    """Return the content of a file: the head, the SHA-256 of the code, the code."""
    return head + hashlib.sha256(code).digest() + code


def replace_file(folder: str, name: str, content: bytes) -> None:
    """Write a file atomically; others may read it if they may read the folder."""
    mode = PRIVATE_FILE | os.stat(folder).st_mode & READABLE_BY_OTHERS
    draft = os.path.join(folder, f".{os.urandom(8).hex()}.part")
    try:
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _OPEN, mode), "wb") as file:
            file.write(content)
        os.replace(draft, os.path.join(folder, name))
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(draft)
        raise
