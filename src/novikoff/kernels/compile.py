"""Compile kernels; only this module, intrinsics.py and kernel_cache.py import Numba.

Called directly, a kernel runs in the interpreter; `bind(kernel, storage)` returns the compiled version of the same
source, from the cache if it is there. `kernel_of` chooses between the two, by one rule:

    all work of this process is tiny, and Numba is not loaded     interpreted: loading Numba would take longer
    the kernel's own work pays, or its machine code is cached     compiled
    otherwise                                                     interpreted, if that gives the same bits

Its mark, FAST or EXACT, is always passed to the compiler: without EXACT an inlined function inherits the flags of its
caller, and `w + g·x` is fused into one rounding instead of two.

Kernels are written against the row operations of `dense` (look, step, …); `bind` substitutes the operations of the same
name from another storage.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import threading
import time
import types
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from novikoff.errors import InputError
from novikoff.kernels.cache_folders import kernel_name, stored_kernels, usable_folders
from novikoff.kernels.mark import EXACT, MACHINE

_VERBS = "novikoff.kernels.dense"
ALLOCATING = {"empty", "zeros", "full", "ones"}  # the functions of NumPy with which kernels make arrays
NOTICE = 2.0  # seconds of compiling after which it is said on stderr


@dataclass
class CompileLimits:
    """When kernels are compiled, in numbers that they work on; tests change it."""

    interpreted: int = 50_000  # of all kernels: up to 0.15 s in the interpreter, while loading Numba takes 0.25 s
    worth: int = 2_000_000  # of one kernel: 1 to 6 s in the interpreter, 1 to 4 s in the compiler
    forced: bool | None = None  # True: compile everything, False: nothing that has the same bits interpreted


@dataclass
class Work:
    """The numbers that kernels have worked on in this process."""

    total: int = 0
    of_kernel: Counter[tuple[Callable[..., Any], types.ModuleType]] = field(default_factory=Counter)

    def add(self, function: Callable[..., Any], storage: types.ModuleType, numbers: int) -> None:
        """Count work that begins."""
        self.total += numbers
        self.of_kernel[function, storage] += numbers


MUCH = 1 << 40  # numbers: work for which any kernel is compiled
limits = CompileLimits()
work = Work()


def kernel_of(
    function: Callable[..., Any], storage: types.ModuleType, numbers: int, same_bits: bool | None = None
) -> Callable[..., Any]:
    """Return the kernel for work on so many numbers, compiled or interpreted.

    same_bits: whether both give the same results; None: if the kernel, and all that it calls, rounds as written.
    """
    work.add(function, storage, numbers)
    return bind(function, storage) if is_compiled(function, storage, same_bits) else interpreted(function, storage)


def kernel_by_size(function: Callable[..., Any], storage: types.ModuleType, numbers: int) -> Callable[..., Any]:
    """Return a kernel whose last bits differ interpreted: the choice depends on the size of this work alone."""
    compiled = numbers > limits.interpreted if limits.forced is None else limits.forced
    return bind(function, storage) if compiled and not compiler_is_off() else interpreted(function, storage)


def is_compiled(function: Callable[..., Any], storage: types.ModuleType, same_bits: bool | None = None) -> bool:
    """Return whether `kernel_of` compiles the kernel, after the work so far."""
    if compiler_is_off():
        return False
    same_bits = is_exact(function) if same_bits is None else same_bits
    if limits.forced is not None and (limits.forced or same_bits):
        return limits.forced
    if work.total <= limits.interpreted and "numba" not in sys.modules:
        return False
    return not same_bits or work.of_kernel[function, storage] > limits.worth or _is_cached(function, storage)


def _is_cached(function: Callable[..., Any], storage: types.ModuleType) -> bool:
    """Return whether the cache has machine code of the kernel, perhaps for other types of arguments."""
    twin: Any = bind(function, storage, False)
    return kernel_name(twin) in stored_kernels()


class _CompileTime:
    """Seconds spent compiling or loading machine code; nested kernels and parallel threads count once."""

    def __init__(self) -> None:
        self.seconds = self.compiled = 0.0  # all; only those spent compiling, not loading
        self.under_way, self.anew, self.began, self.lock = 0, False, 0.0, threading.Lock()
        self.on_compiled: Callable[[float], None] | None = None  # called with `compiled` after each compilation

    def start(self) -> None:
        with self.lock:
            if self.under_way == 0:
                self.began = time.perf_counter()
            self.under_way += 1

    def end(self, anew: bool = False) -> None:
        """anew: whether something was compiled rather than loaded."""
        with self.lock:
            self.under_way -= 1
            self.anew |= anew
            if self.under_way:
                return
            took, anew, self.anew = time.perf_counter() - self.began, self.anew, False
            self.seconds += took
            self.compiled += took if anew else 0.0
        if anew and self.on_compiled is not None:
            self.on_compiled(self.compiled)


compile_time = _CompileTime()


def clock() -> float:
    """Return a clock, in seconds, that stops while code is compiled or loaded; time limits use it."""
    return time.perf_counter() - compile_time.seconds


def compiler_is_off() -> bool:
    """Return whether Numba's own switch disables compilation."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


@functools.cache
def bind(
    function: Callable[..., Any], storage: types.ModuleType, compiled: bool = True, called_by_python: bool = True
) -> Callable[..., Any]:
    """Return the kernel for the row operations of `storage`, compiled or interpreted.

    Kernels that are called only by kernels are compiled without a Python entry point.
    """
    names = dict(function.__globals__)
    for name in function.__code__.co_names:
        inner = names.get(name)
        if isinstance(inner, types.FunctionType) and _is_kernel(inner):
            if inner.__module__ == _VERBS and function.__module__ != _VERBS:
                inner = getattr(storage, name)
            names[name] = bind(inner, storage if _uses_verbs(inner) else _home(inner), compiled, False)
    twin = types.FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)
    twin.__module__ = function.__module__
    prefix = "" if called_by_python else "in."
    twin.__qualname__ = f"{prefix}{storage.__name__.rpartition('.')[2]}.{function.__qualname__}"
    twin.__dict__.update(function.__dict__, __kernel_allocates__=allocates(function))
    return _to_machine_code(twin, called_by_python) if compiled else twin


def interpreted(function: Callable[..., Any], storage: types.ModuleType) -> Callable[..., Any]:
    """Return the kernel for the interpreter, without NumPy's warnings: it tests for overflow and NaN itself."""
    import numpy as np

    return np.errstate(all="ignore")(bind(function, storage, False))


@functools.cache
def is_exact(function: types.FunctionType) -> bool:
    """Return whether a kernel, and all that it calls, rounds as written: then it gives the same bits interpreted."""
    inner = [function.__globals__.get(name) for name in function.__code__.co_names]
    flags: frozenset[str] = function.__kernel_flags__  # type: ignore[attr-defined]
    return flags in (EXACT, MACHINE) and all(
        is_exact(f) for f in inner if isinstance(f, types.FunctionType) and _is_kernel(f)
    )


@functools.cache
def allocates(function: types.FunctionType) -> bool:
    """Return whether a kernel, or one that it calls, makes arrays; all others are compiled without counting references.

    Counting those of the arguments takes longer than a look at a short row.
    """
    inner = [function.__globals__.get(name) for name in function.__code__.co_names]
    named = not ALLOCATING.isdisjoint(function.__code__.co_names)
    return named or any(allocates(f) for f in inner if isinstance(f, types.FunctionType) and _is_kernel(f))


def _is_kernel(thing: object) -> bool:
    return isinstance(thing, types.FunctionType) and hasattr(thing, "__kernel_flags__")


@functools.cache
def _uses_verbs(function: types.FunctionType) -> bool:
    """Return whether the kernel, or one that it calls, uses a row operation that depends on the storage."""
    if function.__module__.startswith("novikoff.kernels.") and _is_storage(function.__module__):
        return False
    inner = [function.__globals__.get(name) for name in function.__code__.co_names]
    return any(
        isinstance(f, types.FunctionType) and _is_kernel(f) and (f.__module__ == _VERBS or _uses_verbs(f))
        for f in inner
    )


def _is_storage(module: str) -> bool:
    return module.rpartition(".")[2] in ("dense", "sparse")


def _home(function: types.FunctionType) -> types.ModuleType:
    """Return the module of a kernel that does not depend on the storage, so that it is compiled once."""
    return sys.modules[function.__module__]


def _to_machine_code(function: types.FunctionType, called_by_python: bool) -> Callable[..., Any]:
    if compiler_is_off():
        return function
    flags: frozenset[str] = function.__kernel_flags__  # type: ignore[attr-defined]
    inside: bool = function.__kernel_inside__  # type: ignore[attr-defined]
    numba, cache, instructions = _compiler()
    if flags == MACHINE:
        return getattr(instructions, function.__name__)  # type: ignore[no-any-return]
    how: dict[str, Any] = {"fastmath": set(flags) or False, "nogil": True, "error_model": "numpy"}
    how |= {"no_cpython_wrapper": not called_by_python, "no_cfunc_wrapper": True}  # a fifth of the compile time
    how["_nrt"] = function.__kernel_allocates__  # type: ignore[attr-defined]
    dispatcher: Any = numba.njit(**how, forceinline=inside)(function)
    dispatcher._cache = cache(function)
    dispatcher.compile = _timed(dispatcher.compile, dispatcher._cache_misses)
    return dispatcher  # type: ignore[no-any-return]


@functools.cache
def _compiler() -> tuple[Any, Any, Any]:
    """Import Numba, its cache and our instructions; count the time as compiling.

    Raises InputError if Numba cannot be loaded.
    """
    compile_time.start()
    try:
        with _without_coverage():
            import numba

            from novikoff.kernels import intrinsics
            from novikoff.kernels.kernel_cache import KernelCache

        return numba, KernelCache, intrinsics
    except (ImportError, OSError) as error:  # for example under a memory limit
        raise InputError(
            f"the compiler cannot be loaded ({error}); a working numba and memory for it were expected; "
            "NUMBA_DISABLE_JIT=1 runs everything in the interpreter, slowly"
        ) from error
    finally:
        compile_time.end()


@contextlib.contextmanager
def _without_coverage() -> Iterator[None]:
    """Keep Numba from importing coverage, a development tool, unless the program uses it."""
    if "coverage" in sys.modules:
        yield
        return
    sys.modules["coverage"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules["coverage"]


def _timed(make: Callable[..., Any], misses: Mapping[Any, int]) -> Callable[..., Any]:
    """Count the time to compile a signature; misses: how often the disk cache had no entry."""

    def timed(signature: Any) -> Any:
        compile_time.start()
        before = sum(misses.values())
        notice = threading.Timer(max(0.0, NOTICE - compile_time.compiled), _say_compiling)
        notice.daemon = True
        notice.start()
        try:
            return make(signature)
        finally:
            notice.cancel()
            compile_time.end(sum(misses.values()) > before)

    return timed


@functools.cache
def _say_compiling() -> None:
    """Say once on stderr that the compiler makes the caller wait, unless someone else reports it."""
    if compile_time.on_compiled is None and sys.stderr is not None:
        print(compile_notice(), file=sys.stderr, flush=True)


def compile_notice(took: str = "") -> str:
    """Return the line for who waits: whether the result is kept for the next start, and what to do if it is not."""
    return (
        "novikoff: compiling for this CPU ("
        + (
            "once; the result is cached"
            if any(os.access(folder, os.W_OK) for folder in usable_folders())
            else "at each start: no folder can keep the result; set NUMBA_CACHE_DIR to one that only you may write to"
        )
        + f"){took}; time limits do not include it"
    )
