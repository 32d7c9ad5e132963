"""Store the results of Numba's compiler on disk; kernels/machine_code/cache_folders.py has the folders and their rules.

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
from numba.core import caching, compiler, config, serialize, types
from numba.core.runtime.nrt import rtsys

from novikoff.kernels.machine_code.cache_folders import (
    PACKAGE,
    bytes_of,
    code_after,
    replace_file,
    usable_folders,
    whole,
)
from novikoff.kernels.machine_code.elf_symbols import symbols
from novikoff.kernels.machine_code.object_loader import KernelObject

MARK = b"novikoff kernel 1\0"  # the format; the zero byte marks the file as binary
PLAIN_RESULTS = (
    types.none, types.boolean, types.int32, types.int64, types.uint64, types.float32, types.float64,
)  # fmt: skip
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
        self.objects: dict[Any, bytes] = {}  # machine code by argument types, until it is taken

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
                parts = pickle.loads(code)
                self._keep_object(sig, parts[0])
                return _result._rebuild(target_context, *parts)
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store the code for a signature; if that fails, the next process compiles it again."""
        if data.library.has_dynamic_globals or any(not lifted.can_cache for lifted in data.lifted):
            return  # addresses of this process are in the code
        folders = usable_folders()
        if not folders or digest_of_kernels() is None:
            return
        name, head = self._name_and_head(sig, data.codegen)
        parts = data._reduce()
        self._keep_object(sig, parts[0])
        code = _dumps(parts)
        for folder in folders:
            with contextlib.suppress(OSError):
                replace_file(folder, name, whole(head, code))
                return

    def _keep_object(self, sig: Any, library: tuple[str, str, Any]) -> None:
        """Keep the machine code for `taken_object`; library: name, format, (object, intermediate code)."""
        if library[1] == "object" and not self.function.__qualname__.startswith("in."):
            self.objects[sig] = bytes(library[2][0])

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


def taken_object(dispatcher: Any, args: tuple[Any, ...]) -> KernelObject | None:
    """Return the machine code that a call with these arguments used, or None if it cannot be loaded without Numba.

    Numbers and tuples of numbers are returned without Numba; other results, such as arrays, need its objects.
    """
    try:
        sig = tuple(dispatcher.typeof_pyval(value) for value in args)
        code, result = dispatcher._cache.objects.pop(sig, None), dispatcher.overloads.get(sig)
        if code is None or result is None or not _is_default() or not _is_plain(result.signature.return_type):
            return None
        defined, needed = symbols(code)
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
    environments = sorted(name for name in defined if name.startswith("_ZN08NumbaEnv"))
    wrapper = result.fndesc.llvm_cpython_wrapper_name
    return KernelObject(wrapper, environments, sorted(needed), code) if wrapper in defined else None


def _is_plain(kind: Any) -> bool:
    """Whether a result of this type is made without Numba's objects."""
    if isinstance(kind, types.Tuple | types.UniTuple):
        return all(_is_plain(part) for part in kind)
    return kind in PLAIN_RESULTS or isinstance(kind, types.IntegerLiteral)


def _is_default() -> bool:
    """Whether Numba's settings are those of its environment variables: the program may have changed them since."""
    env = os.environ.get
    return (
        str(_config.OPT._raw_value) == env("NUMBA_OPT", "3")
        and (_config.CPU_NAME or "") == env("NUMBA_CPU_NAME", "")
        and all(
            int(getattr(_config, name) or 0) == int(env(f"NUMBA_{name}", default))
            for name, default in (("BOUNDSCHECK", "0"), ("SLP_VECTORIZE", "0"), ("LOOP_VECTORIZE", "1"))
        )
    )
