"""Compile kernels; only this module and kernels/kernel_cache.py import Numba.

Called directly, a kernel runs in the interpreter, so tiny problems never wait for the compiler; `bind(kernel, storage)`
returns the compiled version of the same source. Its mark, FAST or EXACT, is always passed to the compiler: without
EXACT an inlined function inherits the flags of its caller, and `w + g·x` is fused into one rounding instead of two.

Kernels are written against the row operations of `dense` (look, step, …); `bind` substitutes the operations of the same
name from another storage.
"""

from __future__ import annotations

import functools
import os
import sys
import threading
import time
import types
from collections.abc import Callable, Mapping
from typing import Any

from novikoff.errors import InputError
from novikoff.kernels.mark import LANES, MACHINE

_VERBS = "novikoff.kernels.dense"
INTERPRETED = 50_000  # numbers, of all calls of `kernel_of` together, for which nobody waits for the compiler
_spent = 0
_chosen: dict[tuple[Callable[..., Any], types.ModuleType], Callable[..., Any]] = {}
on_compiled: Callable[[float], None] | None = None  # called with the seconds so far, when something was compiled


class _Compiling:
    """Seconds spent compiling or loading machine code; nested kernels and parallel threads count once."""

    def __init__(self) -> None:
        self.seconds = self.compiled = 0.0  # all; only those spent compiling, not loading
        self.under_way, self.anew, self.began, self.lock = 0, False, 0.0, threading.Lock()

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
        if anew and on_compiled is not None:
            on_compiled(self.compiled)


_compiling = _Compiling()


def compile_seconds() -> float:
    """Return the seconds that this process has spent compiling."""
    return _compiling.compiled


def clock() -> float:
    """Return a clock, in seconds, that stops while code is compiled or loaded; time limits use it."""
    return time.perf_counter() - _compiling.seconds


def compiler_is_off() -> bool:
    """Return whether Numba's own switch disables compilation."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def compiles(numbers: int, interpreted: int) -> bool:
    """Whether work on so many numbers is for the compiler: it is on, and they are more than the interpreter's share."""
    return numbers > interpreted and not compiler_is_off()


@functools.cache
def bind(
    function: Callable[..., Any], storage: types.ModuleType, compiled: bool = True, door: bool = True
) -> Callable[..., Any]:
    """Return the kernel for the row operations of `storage`, compiled or interpreted.

    door: whether Python calls it; kernels called only by kernels are compiled without a Python entry point.
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
    twin.__qualname__ = f"{'' if door else 'in.'}{storage.__name__.rpartition('.')[2]}.{function.__qualname__}"
    twin.__dict__.update(function.__dict__)
    return _to_machine_code(twin, door) if compiled else twin


def interpreted(function: Callable[..., Any], storage: types.ModuleType) -> Callable[..., Any]:
    """Return the kernel for the interpreter, without NumPy's warnings: it tests for overflow and NaN itself."""
    import numpy as np

    return np.errstate(all="ignore")(bind(function, storage, False))


def kernel_of(function: Callable[..., Any], storage: types.ModuleType, numbers: int) -> Callable[..., Any]:
    """The kernel for work on so many numbers: compiled if the compiler is loaded or the work is more than tiny."""
    return chosen(function, storage, is_compiled(function, storage, numbers))


def is_compiled(function: Callable[..., Any], storage: types.ModuleType, numbers: int) -> bool:
    """Whether `kernel_of` compiles the kernel for work on so many numbers."""
    global _spent
    if (function, storage) in _chosen:
        return True
    _spent += numbers
    return compiles(_spent, -1 if "numba" in sys.modules else INTERPRETED)


def chosen(function: Callable[..., Any], storage: types.ModuleType, compiled: bool) -> Callable[..., Any]:
    """The kernel as it was chosen, perhaps in another process: machine code and interpreter round differently."""
    if not compiled:
        return interpreted(function, storage)
    if (function, storage) not in _chosen:
        _chosen[function, storage] = bind(function, storage)
    return _chosen[function, storage]


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
    return module.rpartition(".")[2] in ("dense", "dense32", "sparse")


def _home(function: types.FunctionType) -> types.ModuleType:
    """Return the module of a kernel that does not depend on the storage, so that it is compiled once."""
    return sys.modules[function.__module__]


def _to_machine_code(function: types.FunctionType, door: bool) -> Callable[..., Any]:
    if compiler_is_off():
        return function
    flags: frozenset[str] = function.__kernel_flags__  # type: ignore[attr-defined]
    inside: bool = function.__kernel_inside__  # type: ignore[attr-defined]
    numba, cache = _compiler()
    if flags == MACHINE:
        return _INSTRUCTIONS[function.__name__]()  # type: ignore[no-any-return]
    how: dict[str, Any] = {"fastmath": set(flags) or False, "nogil": True, "error_model": "numpy"}
    how |= {"no_cpython_wrapper": not door, "no_cfunc_wrapper": True}  # a fifth of the compile time
    dispatcher: Any = numba.njit(**how, forceinline=inside)(function)
    dispatcher._cache = cache(function)
    slp: bool = function.__kernel_slp__  # type: ignore[attr-defined]
    dispatcher.compile = _timed(_with_slp(dispatcher.compile, slp), dispatcher._cache_misses)
    return dispatcher  # type: ignore[no-any-return]


def _with_slp(make: Callable[..., Any], slp: bool) -> Callable[..., Any]:
    """Compile with the SLP vectoriser on or off; Numba's setting, which other code may use, is restored."""
    from numba.core import config
    from numba.core.compiler_lock import global_compiler_lock

    settings: Any = config

    def compiled(signature: Any) -> Any:
        with global_compiler_lock:
            before, settings.SLP_VECTORIZE = settings.SLP_VECTORIZE, int(slp)
            try:
                return make(signature)
            finally:
                settings.SLP_VECTORIZE = before

    return compiled


@functools.cache
def _compiler() -> tuple[Any, Any]:
    """Import Numba and its cache, and count the time as compiling; raise InputError if it cannot be loaded."""
    _compiling.start()
    try:
        import numba

        from novikoff.kernels.kernel_cache import KernelCache

        return numba, KernelCache
    except (ImportError, OSError) as error:  # for example under a memory limit
        raise InputError(
            f"the compiler cannot be loaded ({error}); a working numba and memory for it were expected; "
            "NUMBA_DISABLE_JIT=1 runs everything in the interpreter, slowly"
        ) from error
    finally:
        _compiling.end()


def _timed(make: Callable[..., Any], misses: Mapping[Any, int]) -> Callable[..., Any]:
    """Count the time to compile a signature; misses: how often the disk cache had no entry."""

    def timed(signature: Any) -> Any:
        _compiling.start()
        before = sum(misses.values())
        try:
            return make(signature)
        finally:
            _compiling.end(sum(misses.values()) > before)

    return timed


@functools.cache
def _prefetch() -> Any:
    """Compile `kernel.prefetch` to the CPU's prefetch instruction: for reading, into the second-level cache."""
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
    pointer_to: Any = cgutils.get_item_pointer
    shape = ir.FunctionType(ir.VoidType(), [byte, number, number, number])

    def prefetch(typing: Any, X: Any, i: Any, j: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            kind, *kinds = signature.args
            array = context.make_array(kind)(context, builder, args[0])
            place = [context.cast(builder, at, its, types.intp) for at, its in zip(args[1:], kinds, strict=True)]
            address = builder.bitcast(pointer_to(context, builder, kind, array, place, wraparound=False), byte)
            instruction = builder.module.declare_intrinsic("llvm.prefetch", (byte,), shape)
            builder.call(instruction, [address, number(0), number(2), number(1)])  # read, second cache, data

        return types.void(X, i, j), generate

    return intrinsic(prefetch)


@functools.cache
def _load8() -> Any:
    """Compile `kernel.load8` to one unaligned read."""
    from llvmlite import ir
    from numba.core import types
    from numba.extending import intrinsic

    def load8(typing: Any, buf: Any, i: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, args[0])
            at = context.cast(builder, args[1], signature.args[1], types.intp)
            pointer = builder.bitcast(builder.gep(array.data, [at]), ir.IntType(64).as_pointer())
            return builder.load(pointer, align=1)

        return types.uint64(buf, i), generate

    return intrinsic(load8)


@functools.cache
def _zeros(instruction: str) -> Any:
    """Compile `kernel.zeros_below` (cttz) and `kernel.zeros_above` (ctlz) to one instruction each."""
    from llvmlite import ir
    from numba.core import types
    from numba.extending import intrinsic

    def zeros(typing: Any, x: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return getattr(builder, instruction)(args[0], ir.Constant(ir.IntType(1), 0))

        return types.int64(types.uint64), generate

    return intrinsic(zeros)


@functools.cache
def _product_above() -> Any:
    """Compile `kernel.product_above` to one multiplication."""
    from llvmlite import ir
    from numba.core import types
    from numba.extending import intrinsic

    def product_above(typing: Any, a: Any, b: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            wide = ir.IntType(128)
            product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
            return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

        return types.uint64(types.uint64, types.uint64), generate

    return intrinsic(product_above)


@functools.cache
def _lane_dot() -> Any:
    """Compile `kernel.lane_dot` to operations on vectors of LANES numbers; missing numbers of the last vector are 0."""
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.core.errors import TypingError
    from numba.extending import intrinsic

    utils: Any = cgutils
    number, place = ir.IntType(32), ir.VectorType(ir.IntType(64), LANES)
    vector = ir.VectorType(ir.DoubleType(), LANES)
    masked = ir.FunctionType(vector, [vector.as_pointer(), number, ir.VectorType(ir.IntType(1), LANES), vector])
    zeros = ir.Constant(vector, [0.0] * LANES)

    def shuffled(builder: Any, x: Any, which: list[int]) -> Any:
        return builder.shuffle_vector(x, x, ir.Constant(ir.VectorType(number, len(which)), which))

    def lane_dot(typing: Any, a: Any, b: Any, n: Any) -> Any:
        kinds = [(x.ndim, x.layout, x.dtype) for x in (a, b) if isinstance(x, types.Array)]
        if kinds != [(1, "C", types.float64)] * 2:
            raise TypingError("lane_dot: two contiguous arrays of float64 were expected")

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data = [context.make_array(kind)(context, builder, args[k]).data for k, kind in enumerate((a, b))]
            end = context.cast(builder, args[2], signature.args[2], types.intp)
            sums = utils.alloca_once_value(builder, zeros)
            load = utils.get_or_insert_function(builder.module, masked, f"llvm.masked.load.v{LANES}f64.p0v{LANES}f64")

            def add(at: Any, mask: Any) -> None:
                both = [builder.bitcast(builder.gep(pointer, [at]), vector.as_pointer()) for pointer in data]
                if mask is None:
                    x, y = (builder.load(where, align=8) for where in both)
                else:
                    x, y = (builder.call(load, [where, number(8), mask, zeros]) for where in both)
                builder.store(builder.fadd(builder.load(sums), builder.fmul(x, y)), sums)

            rest = builder.and_(end, end.type(LANES - 1))
            whole = builder.sub(end, rest)
            with utils.for_range_slice(builder, end.type(0), whole, end.type(LANES), end.type) as (at, _):
                add(at, None)
            with builder.if_then(builder.icmp_signed(">", rest, rest.type(0))):
                first = builder.insert_element(ir.Constant(place, ir.Undefined), rest, number(0))
                limit = shuffled(builder, first, [0] * LANES)
                add(whole, builder.icmp_signed("<", ir.Constant(place, list(range(LANES))), limit))
            total, half = builder.load(sums), LANES // 2
            while half > 0:
                low, high = list(range(half)), list(range(half, 2 * half))
                total = builder.fadd(shuffled(builder, total, low), shuffled(builder, total, high))
                half //= 2
            return builder.extract_element(total, number(0))

        return types.float64(a, b, n), generate

    return intrinsic(lane_dot)


_INSTRUCTIONS: dict[str, Callable[[], Any]] = {
    "prefetch": _prefetch,
    "load8": _load8,
    "zeros_below": functools.partial(_zeros, "cttz"),
    "zeros_above": functools.partial(_zeros, "ctlz"),
    "product_above": _product_above,
    "lane_dot": _lane_dot,
}
