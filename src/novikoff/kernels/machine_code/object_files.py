"""Store and find the machine code of kernels: one file per kernel, signature and CPU (suffix .nko).

The head of a file states the kernel, its argument types and `kernel_identity`; it is compared before the rest is read.
The rest is a line of JSON (symbols) and the object, protected by SHA-256. A file that is damaged or has another head is
ignored, and replaced when the kernel is compiled again.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import sys
from types import FunctionType
from typing import Any

from novikoff.kernels.machine_code.cache_folders import bytes_of, code_after, replace_file, usable_folders, whole
from novikoff.kernels.machine_code.kernel_identity import identity_of, machine, settings
from novikoff.kernels.machine_code.object_loader import KernelObject, llvm, load, numba_folder

ENDING = ".nko"
MARK = b"novikoff object 1\0"  # the format; the zero byte marks the file as binary


@functools.cache
def _machine() -> str:
    """Return the description of the CPU and the versions, as text."""
    return json.dumps(machine(llvm(), numba_folder()))


def name_and_head(function: FunctionType, types: tuple[str, ...]) -> tuple[str, bytes]:
    """Return the file's name and the head it must start with; raise UnknownError if the kernel is not plainly known.

    An edited kernel has the same name and another head, so its file is replaced.
    """
    place = function.__module__, function.__qualname__
    cells = repr([cell.cell_contents for cell in function.__closure__ or ()])
    around = _machine(), settings()
    tag = hashlib.sha256(repr((place, types, cells, around)).encode()).hexdigest()[:16]
    head = json.dumps([place, types, identity_of(function), around])
    return f"{_begin_of_name(function)}{tag}{ENDING}", MARK + head.encode() + b"\n"


def _begin_of_name(function: FunctionType) -> str:
    called = f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}".replace("<", "").replace(">", "")
    return f"{called}.{sys.implementation.cache_tag}."


def _has_code_of(folder: str, function: FunctionType) -> bool:
    """Return whether a folder has a file for this kernel, with any signature."""
    begin = _begin_of_name(function)
    return any(name.startswith(begin) and name.endswith(ENDING) for name in os.listdir(folder))


def find(function: FunctionType, types: tuple[str, ...]) -> Any:
    """Return the kernel for these types from the cache as a Python function, or None.

    Whatever is not as expected means None: then the compiler's dispatcher takes the call.
    """
    try:
        folders = [folder for folder in usable_folders() if _has_code_of(folder, function)]
        if not folders:
            return None  # llvmlite is not imported for it
        name, head = name_and_head(function, types)
        for folder in folders:
            stored = code_after(head, bytes_of(os.path.join(folder, name)))
            if stored is not None:
                return load(function.__name__, unpacked(bytes(stored)))
    except Exception:  # whatever it is, the dispatcher compiles
        return None
    return None


def save(function: FunctionType, types: tuple[str, ...], stored: KernelObject) -> None:
    """Store a kernel's machine code; if that fails, the next process asks the compiler again."""
    with contextlib.suppress(Exception):
        name, head = name_and_head(function, types)
        content = whole(head, packed(stored))
        for folder in usable_folders():
            with contextlib.suppress(OSError):
                replace_file(folder, name, content)
                return


def packed(stored: KernelObject) -> bytes:
    """Return the bytes of a kernel object: its symbols in a line of JSON, the object."""
    return json.dumps([stored.wrapper, stored.environments, stored.needs]).encode() + b"\n" + stored.code


def unpacked(content: bytes) -> KernelObject:
    """Return the kernel object of such bytes."""
    symbols, _, code = content.partition(b"\n")
    wrapper, environments, needs = json.loads(symbols)
    return KernelObject(wrapper, environments, needs, code)
