"""Store the results of Numba's compiler on disk; cache_folders.py has the folders and their rules.

Each kernel, signature, closure and CPU has its own file. The head (versions, digest of all kernel sources, full key) is
compared before anything is unpickled. A file that is damaged or that has another head is ignored, and replaced by what
is compiled anew.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import pickle
import sys
from pathlib import Path
from typing import Any

import numba
from numba.core import caching, compiler, config, serialize
from numba.core.runtime.nrt import rtsys

from novikoff.kernels.cache_folders import (
    ENDING,
    PACKAGE,
    bytes_of,
    closure_of,
    code_after,
    kernel_name,
    replace_file,
    usable_folders,
    whole,
)

MARK = b"novikoff kernel 1\0"  # the format; the zero byte marks the file as binary
_null: Any = caching.NullCache
_result: Any = compiler.CompileResult
_config: Any = config
_dumps: Any = serialize.dumps


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
        if digest_of_kernels() is None:
            return None
        name, head = self._name_and_head(sig, target_context.codegen())
        for folder in usable_folders():
            code = code_after(head, bytes_of(os.path.join(folder, name)))
            if code is not None:
                return _result._rebuild(target_context, *pickle.loads(code))
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store the code for a signature; if that fails, the next process compiles it again."""
        if data.library.has_dynamic_globals or any(not lifted.can_cache for lifted in data.lifted):
            return  # addresses of this process are in the code
        folders = usable_folders()
        if not folders or digest_of_kernels() is None:
            return
        name, head = self._name_and_head(sig, data.codegen)
        code = _dumps(data._reduce())
        for folder in folders:
            with contextlib.suppress(OSError):
                replace_file(folder, name, whole(head, code))
                return

    def _name_and_head(self, signature: Any, codegen: Any) -> tuple[str, bytes]:
        """Return the file's name and the head it must start with.

        An edited function has the same name and another head, so its file is replaced.
        """
        function = self.function
        options = codegen.magic_tuple(), _config.BOUNDSCHECK, int(_config.OPT), function.__kernel_allocates__
        key = repr((signature, closure_of(function), options))
        place = PACKAGE, function.__module__, function.__qualname__, function.__code__.co_firstlineno
        tag = hashlib.sha256(repr((place, key)).encode()).hexdigest()[:16]
        body = hashlib.sha256(function.__code__.co_code).hexdigest()
        head = [sys.version, numba.__version__, digest_of_kernels(), place, body, key]
        return f"{kernel_name(function)}.{tag}{ENDING}", MARK + json.dumps(head).encode() + b"\n"


@functools.cache
def digest_of_kernels() -> str | None:
    """Return the SHA-256 over every file with kernels, or with their records; None if the sources are not files.

    Numba notices edits in the function's own file only, and a kernel contains the code of others.
    """
    root = Path(PACKAGE)
    digest, found = hashlib.sha256(), False
    for path in sorted(root.rglob("*.py")):
        text = path.read_bytes()
        if b"@kernel(" in text or b"import intrinsic" in text or path.name == "state.py":
            digest.update(path.relative_to(root).as_posix().encode() + b"\0" + text)
            found = True
    return digest.hexdigest() if found else None
