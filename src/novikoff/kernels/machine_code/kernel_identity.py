"""Describe all that the machine code of a kernel depends on, apart from the types of its arguments.

    the kernel and the kernels that it calls   bytecode, constants, closure, defaults, marks
    what they use by name                      numbers, arrays, classes of named tuples
    how they are compiled                      the source of the package's kernels folder
    versions                                   Python, NumPy, Numba, llvmlite
    the machine                                LLVM's triple, CPU name and features; Numba's settings

Anything else that a kernel uses, such as an object of unknown type, leaves it without a description: then its machine
code is neither stored nor loaded by this package.
"""

from __future__ import annotations

import builtins
import functools
import hashlib
import math
import os
import sys
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from novikoff.kernels.machine_code.cache_folders import PACKAGE

_PLAIN = (bool, int, float, str, bytes, type(None))
_NO_EFFECT = ("NUMBA_CACHE_DIR",)  # settings that say where code is stored, not what it is
_OWN = "novikoff."


class UnknownError(Exception):
    """Something is not known well enough to decide which stored code belongs to it."""


def identity_of(function: FunctionType) -> str:
    """Return the SHA-256 of the kernel and all that it calls and uses; raise UnknownError if something is not known.

    function: the interpreted kernel, its row operations substituted.
    """
    return hashlib.sha256(f"{_function(function)} {sources()}".encode()).hexdigest()


@functools.cache
def _function(function: FunctionType) -> str:
    """The SHA-256 of a function and all that it calls; a function that calls itself is not known."""
    cells = [_value(cell.cell_contents) for cell in function.__closure__ or ()]
    marks = sorted((name, _value(mark)) for name, mark in vars(function).items())
    names = _names(function.__code__)
    if function.__name__ in names:
        raise UnknownError(f"{function.__name__} calls itself")
    used = [(name, _global(function, name, names)) for name in names]
    place = function.__module__, function.__qualname__
    parts = place, _code(function.__code__), _value(function.__defaults__), cells, marks, used
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _names(code: CodeType) -> list[str]:
    """The names that the code uses, and those of functions inside it."""
    inner = [name for part in code.co_consts if isinstance(part, CodeType) for name in _names(part)]
    return sorted({*code.co_names, *inner})


def _code(code: CodeType) -> Any:
    """What a code object does: everything but its place in the source."""
    constants = [_code(part) if isinstance(part, CodeType) else _value(part) for part in code.co_consts]
    shape = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags
    names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
    return code.co_code.hex(), getattr(code, "co_exceptiontable", b"").hex(), constants, shape, names


def _global(function: FunctionType, name: str, names: list[str]) -> Any:
    """What a name of the code stands for; an attribute's name stands for nothing by itself."""
    if name not in function.__globals__:
        return "builtin" if hasattr(builtins, name) else "attribute"
    value = function.__globals__[name]
    if isinstance(value, ModuleType) and value.__name__.startswith(_OWN):
        held = [(part, _value(vars(value)[part])) for part in names if part in vars(value)]
        return "module", value.__name__, held
    return _value(value)


def _value(value: Any) -> Any:
    """A value in a form whose repr is equal only for equal values."""
    kind = type(value)
    if kind in _PLAIN:
        return kind.__name__, value.hex() if kind is float else repr(value)
    if isinstance(value, FunctionType):
        return _function(value)
    if kind in (tuple, list):
        return kind.__name__, [_value(part) for part in value]
    if kind is frozenset:
        return kind.__name__, sorted(repr(_value(part)) for part in value)
    if kind is range:
        return repr(value)
    if kind is np.ndarray and value.dtype.kind in "biuf":
        content = hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
        return value.dtype.str, value.shape, value.flags.num, content
    if isinstance(value, np.generic) and value.dtype.kind in "biuf":
        return value.dtype.str, value.tobytes().hex()
    return _named(value)


def _named(value: Any) -> Any:
    """Something of NumPy, the standard library or Python itself, by its name; a class of named tuples by its fields."""
    if value is np or value is math:
        return "module", value.__name__
    if isinstance(value, type) and (value.__module__ in ("builtins", "numpy") or hasattr(value, "_fields")):
        return "class", value.__module__, value.__qualname__, getattr(value, "_fields", None)
    if isinstance(value, np.ufunc) or getattr(value, "__module__", None) in ("numpy", "math", "builtins"):
        return "function", getattr(value, "__module__", None), value.__name__
    raise UnknownError(f"{type(value).__name__} {value!r}")


@functools.cache
def sources() -> str:
    """Return the SHA-256 of the files that decide how kernels are compiled; raise UnknownError without them."""
    folder, digest = Path(PACKAGE, "kernels"), hashlib.sha256()
    files = sorted([*folder.glob("*.py"), *folder.glob("*/*.py")])
    if not files:
        raise UnknownError("the sources are not files")
    for path in files:
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def machine(llvm: Any, numba_folder: Path) -> list[str]:
    """Return the place of the package, the versions and the CPU."""
    import llvmlite

    versions = [sys.version, np.__version__, llvmlite.__version__, (numba_folder / "_version.py").read_text()]
    cpu = [llvm.get_process_triple(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()]
    return [PACKAGE, *versions, *cpu]


def settings() -> list[tuple[str, str]]:
    """Return Numba's settings; raise UnknownError if it may have others than those of the environment."""
    if os.path.exists(".numba_config.yaml"):
        raise UnknownError("Numba's settings in the current directory")
    return sorted((k, v) for k, v in os.environ.items() if k.startswith("NUMBA_") and k not in _NO_EFFECT)
