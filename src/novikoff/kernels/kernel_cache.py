"""Store compiled kernels on disk: which folders are safe, how a file is loaded and saved.

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

Each kernel, signature, closure and CPU has its own file: a mark, a head in plain JSON, the SHA-256 of the rest, the
rest. The head (versions, digest of all kernel sources, full key) is compared before anything is unpickled. A file that
is damaged or that has another head is ignored, and replaced by what is compiled anew.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import pickle
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
from numba.core import caching, compiler, config, serialize
from numba.core.runtime.nrt import rtsys

# the folder novikoff; anyone who can change a link in its path can change the code
PACKAGE = os.path.realpath(os.path.dirname(os.path.dirname(__file__)))
MARK = b"novikoff kernel 1\0"  # the format; the zero byte marks the file as binary
WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
READABLE_BY_OTHERS = stat.S_IRGRP | stat.S_IROTH
PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600
_OPEN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_null: Any = caching.NullCache
_result: Any = compiler.CompileResult
_config: Any = config
_dumps: Any = serialize.dumps
_SUM = hashlib.sha256().digest_size


class KernelCache(_null):  # type: ignore[misc]
    """Numba's cache of one function; a cache hit does not import all of Numba's types or SciPy's BLAS, as compiling
    does.
    """

    def __init__(self, function: Any) -> None:
        self.function = function

    @property
    def cache_path(self) -> str | None:
        """Folder that is searched first."""
        return next(iter(usable_folders()), None)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code for a signature, or None."""
        rtsys.initialize(target_context)
        name, head = self._name_and_head(sig, target_context.codegen())
        for folder in usable_folders():
            code = _code_after(head, _bytes_of(os.path.join(folder, name)))
            if code is not None:
                return _result._rebuild(target_context, *pickle.loads(code))
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store the code for a signature; if that fails, the next process compiles it again."""
        if data.library.has_dynamic_globals or any(not lifted.can_cache for lifted in data.lifted):
            return  # addresses of this process are in the code
        folders = usable_folders()
        if not folders:
            return
        name, head = self._name_and_head(sig, data.codegen)
        code = _dumps(data._reduce())
        for folder in folders:
            with contextlib.suppress(OSError):
                _replace(folder, name, head + hashlib.sha256(code).digest() + code)
                return

    def _name_and_head(self, signature: Any, codegen: Any) -> tuple[str, bytes]:
        """Return the file's name and the head it must start with.

        An edited function has the same name and another head, so its file is replaced.
        """
        function = self.function
        closure = _dumps(tuple(cell.cell_contents for cell in function.__closure__ or ()))
        options = codegen.magic_tuple(), _config.BOUNDSCHECK, int(_config.OPT), function.__kernel_slp__
        key = repr((signature, hashlib.sha256(closure).hexdigest(), options))
        place = PACKAGE, function.__module__, function.__qualname__, function.__code__.co_firstlineno
        tag = hashlib.sha256(repr((place, key)).encode()).hexdigest()[:16]
        called = f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}".replace("<", "").replace(">", "")
        body = hashlib.sha256(function.__code__.co_code).hexdigest()
        head = [sys.version, numba.__version__, digest_of_kernels(), place, body, key]
        return f"{called}.{sys.implementation.cache_tag}.{tag}.nbc", MARK + json.dumps(head).encode() + b"\n"


@functools.cache
def digest_of_kernels() -> str | None:
    """Return the SHA-256 over every file with kernels, or with slots that they use; None if the sources are not files.

    Numba notices edits in the function's own file only, and a kernel contains the code of others.
    """
    root = Path(PACKAGE)
    digest, found = hashlib.sha256(), False
    for path in sorted(root.rglob("*.py")):
        text = path.read_bytes()
        if b"@kernel(" in text or b"import intrinsic" in text or path.name == "slots.py":
            digest.update(path.relative_to(root).as_posix().encode() + b"\0" + text)
            found = True
    return digest.hexdigest() if found else None


# ---- folders


def usable_folders() -> tuple[str, ...]:
    """Return the safe folders to search; the last one is writable, if any is."""
    return _usable_folders(os.geteuid() if hasattr(os, "geteuid") else None)


@functools.cache
def _usable_folders(user: int | None) -> tuple[str, ...]:
    found: list[str] = []
    if digest_of_kernels() is None:
        return ()
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


def _bytes_of(path: str) -> bytes:
    """Return the bytes of a file that only this user and root can have written; nothing for any other."""
    try:
        with open(os.open(path, os.O_RDONLY | _OPEN), "rb") as file:
            info = os.fstat(file.fileno())
            if hasattr(os, "geteuid") and (info.st_uid not in (0, os.geteuid()) or info.st_mode & WRITABLE_BY_OTHERS):
                return b""
            return file.read() if stat.S_ISREG(info.st_mode) else b""
    except OSError:
        return b""


def _code_after(head: bytes, content: bytes) -> memoryview | None:
    """Return the code in a file that starts with this head, if it is intact."""
    if not content.startswith(head):
        return None
    code = memoryview(content)[len(head) + _SUM :]
    return code if hashlib.sha256(code).digest() == content[len(head) : len(head) + _SUM] else None


def _replace(folder: str, name: str, content: bytes) -> None:
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
