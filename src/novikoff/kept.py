"""Machine code that is kept on the disk: a file for each kernel, signature, closure and CPU.

Numba keeps one index for all of a function's signatures, which two processes that compile at once can confuse, so that
one kernel's code is found under another's name. Here every piece of code has a file of its own, with its key and a
SHA-256 inside: what is damaged, of another key, of another version of Numba or of other sources is not there, and is
compiled again. Numba notices edits only in the function's own file: the stamp is the digest of all compiled files.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import pickle
from pathlib import Path
from typing import Any

from numba.core import caching
from numba.core.runtime.nrt import rtsys

_plain: Any = caching.CompileResultCacheImpl
_cache: Any = caching.FunctionCache
_files: Any = caching.IndexDataCacheFile
_SUM = hashlib.sha256().digest_size


class KeptCode(_cache):  # type: ignore[misc]
    """Numba's cache of a function; a hit runs without what compiling needs: all of Numba's types, and SciPy's BLAS."""

    _impl_class = _plain

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        self._cache_file = _Files(self._cache_path, self._impl.filename_base, digest_of_kernels())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The code for a signature, or None."""
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the code for a signature, where there is room: if not, the next process compiles it again."""
        with contextlib.suppress(OSError):
            super().save_overload(sig, data)


class _Files(_files):  # type: ignore[misc]
    """The files of a function: SHA-256 of the rest, then the rest: (head, code)."""

    def save(self, key: Any, data: Any) -> None:
        rest = pickle.dumps((self._head(key), self._dump(data)))
        with self._open_for_write(self._path_of(key)) as file:
            file.write(hashlib.sha256(rest).digest() + rest)

    def load(self, key: Any) -> Any:
        try:
            kept = Path(self._path_of(key)).read_bytes()
        except OSError:
            return None
        rest = memoryview(kept)[_SUM:]
        if hashlib.sha256(rest).digest() != kept[:_SUM]:
            return None
        head, code = pickle.loads(rest)
        return pickle.loads(code) if head == self._head(key) else None

    def flush(self) -> None:
        """Nothing: a file is replaced by what is compiled anew."""

    def _head(self, key: Any) -> tuple[str, str, str]:
        return self._version, self._source_stamp, repr(key)

    def _path_of(self, key: Any) -> str:
        signature, machine, (_, closure) = key  # without the code's own digest, so that an edit leaves no file behind
        name = hashlib.sha256(repr((signature, machine, closure)).encode()).hexdigest()[:16]
        return str(self._data_path(self._index_name.replace(".nbi", f".{name}.nbc")))


@functools.cache
def digest_of_kernels() -> str:
    """SHA-256 over every file of the package that holds kernels."""
    root = Path(__file__).parent
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        text = path.read_bytes()
        if b"@kernel(" in text:
            digest.update(path.relative_to(root).as_posix().encode() + b"\0" + text)
    return digest.hexdigest()
