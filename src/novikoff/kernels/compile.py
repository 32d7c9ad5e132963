"""Compile kernels; only this module and kernels/kernel_cache.py import Numba.

Machine code that is in the cache is loaded without Numba (kernels/machine_code).

Called directly, a kernel runs in the interpreter, so tiny problems never wait for the compiler; `bind(kernel, storage)`
returns the compiled version of the same source. Its mark, FAST or EXACT, is always passed to the compiler: without
EXACT an inlined function inherits the flags of its caller, and `w + g·x` is fused into one rounding instead of two.

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
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from novikoff.errors import InputError
from novikoff.kernels.mark import EXACT, LANES, MACHINE

_VERBS = "novikoff.kernels.dense"
INTERPRETED = 50_000  # numbers, of all calls of `kernel_of` together, for which nobody waits for the compiler
WORTH_COMPILING = 2_000_000  # numbers, of all calls together, from which on kernels that are not cached are compiled
NOTICE = 2.0  # seconds of compiling after which it is said on stderr
_spent = 0
_uncompiled: dict[tuple[Callable[..., Any], types.ModuleType], Callable[..., Any]] = {}
_little = 0  # numbers or bytes that `still_little` has counted
_everything = False  # whether even the least work is compiled
_entry_points: list[Any] = []  # the compiled kernels that Python calls
_in_use = False  # whether a compiled kernel was chosen in this process
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
    return (numbers > interpreted or _everything) and not compiler_is_off()


@contextlib.contextmanager
def everything_compiled() -> Iterator[None]:
    """Compile every kernel that is used inside the block, however little its work is."""
    global _everything
    before, _everything = _everything, True
    try:
        yield
    finally:
        _everything = before


def kernels_ready() -> int:
    """Return how many kernels, counted by signature, have machine code in this process."""
    return sum(kernel.signatures for kernel in _entry_points)


@functools.cache
def bind(
    function: Callable[..., Any], storage: types.ModuleType, compiled: bool = True, door: bool = True
) -> Callable[..., Any]:
    """Return the kernel for the row operations of `storage`, compiled or interpreted.

    door: whether Python calls it; kernels called only by kernels are compiled without a Python entry point.
    """
    if compiled and door and not compiler_is_off():
        return _entry_point(function, storage)
    return _bound(function, storage, compiled, door)


def _entry_point(function: Callable[..., Any], storage: types.ModuleType) -> Callable[..., Any]:
    """Return the kernel that Python calls; Numba is imported when its machine code is not in the cache."""
    from novikoff.kernels.machine_code.compiled_kernel import CompiledKernel

    global _in_use
    _in_use = True
    plain: Any = bind(function, storage, False)
    kernel = CompiledKernel(plain, functools.partial(_bound, function, storage, True, True), _taken, _loading)
    _entry_points.append(kernel)
    return kernel


def _bound(function: Callable[..., Any], storage: types.ModuleType, compiled: bool, door: bool) -> Callable[..., Any]:
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


def ready(function: Callable[..., Any], storage: types.ModuleType) -> Callable[..., Any]:
    """Return the kernel for tiny work: interpreted, or from the cache where other kernels run as machine code already.

    For kernels that give the same bits either way.
    """
    return cached_or_interpreted(function, storage) if _in_use else interpreted(function, storage)


def cached_or_interpreted(function: Callable[..., Any], storage: types.ModuleType) -> Callable[..., Any]:
    """Return the kernel for work that is not worth compiling: machine code if it is in the cache, else interpreted.

    For kernels that give the same bits either way.
    """
    if compiler_is_off():
        return interpreted(function, storage)
    if _everything:
        return bind(function, storage)
    if (function, storage) not in _uncompiled:
        kernel: Any = bind(function, storage)
        _uncompiled[function, storage] = kernel.if_cached(interpreted(function, storage))
    return _uncompiled[function, storage]


@functools.cache
def is_exact(function: types.FunctionType) -> bool:
    """Return whether a kernel, and all that it calls, rounds as written: then it gives the same bits interpreted."""
    inner = [function.__globals__.get(name) for name in function.__code__.co_names]
    flags: frozenset[str] = function.__kernel_flags__  # type: ignore[attr-defined]
    return flags in (EXACT, MACHINE) and all(
        is_exact(f) for f in inner if isinstance(f, types.FunctionType) and _is_kernel(f)
    )


def kernel_of(function: Callable[..., Any], storage: types.ModuleType, numbers: int) -> Callable[..., Any]:
    """The kernel for work on so many numbers: compiled if the compiler is loaded or the work is more than tiny.

    Little work, of a kernel that gives the same bits interpreted, waits for no compiler; the cache may have its code.
    """
    compiled = is_compiled(function, storage, numbers)
    if compiled and is_little(numbers) and is_exact(function):
        return cached_or_interpreted(function, storage)
    return chosen(function, storage, compiled)


def is_little(numbers: int) -> bool:
    """Return whether work on so many numbers, with all before it, is not worth compiling."""
    return numbers <= INTERPRETED and _spent <= WORTH_COMPILING and not _everything


def still_little(numbers: int) -> bool:
    """Count work, in numbers or bytes; return whether all of this process is not worth compiling yet."""
    global _little
    _little += numbers
    return _little <= WORTH_COMPILING


def is_compiled(function: Callable[..., Any], storage: types.ModuleType, numbers: int) -> bool:
    """Whether `kernel_of` compiles the kernel for work on so many numbers."""
    global _spent
    if (function, storage) in _chosen:
        return True
    _spent += numbers
    return compiles(_spent, -1 if machine_code_in_use() else INTERPRETED)


def machine_code_in_use() -> bool:
    """Return whether compiled kernels are in use, or the compiler is loaded: then no work is too small for them."""
    return _in_use or "numba" in sys.modules


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
        with _without_coverage():
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


def _taken(dispatcher: Any, args: tuple[Any, ...]) -> Any:
    """Return the machine code that a call of the dispatcher used."""
    from novikoff.kernels.kernel_cache import taken_object

    return taken_object(dispatcher, args)


def _loading(find: Callable[..., Any], *args: Any) -> Any:
    """Count the time to load machine code."""
    _compiling.start()
    try:
        return find(*args)
    finally:
        _compiling.end()


def _timed(make: Callable[..., Any], misses: Mapping[Any, int]) -> Callable[..., Any]:
    """Count the time to compile a signature; misses: how often the disk cache had no entry."""

    def timed(signature: Any) -> Any:
        _compiling.start()
        before = sum(misses.values())
        notice = threading.Timer(max(0.0, NOTICE - _compiling.compiled), _say_compiling)
        notice.daemon = True
        notice.start()
        try:
            return make(signature)
        finally:
            notice.cancel()
            _compiling.end(sum(misses.values()) > before)

    return timed


@functools.cache
def _say_compiling() -> None:
    """Say once on stderr that the compiler makes the caller wait, unless someone else reports it."""
    if on_compiled is None and sys.stderr is not None:
        print(
            "novikoff: compiling for this CPU (once; the result is cached); time limits do not include it",
            file=sys.stderr,
            flush=True,
        )


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
            place = place[-kind.ndim :]
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
def _ones_in() -> Any:
    """Compile `kernel.ones_in` to one instruction."""
    from numba.core import types
    from numba.extending import intrinsic

    def ones_in(typing: Any, x: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(types.uint64), generate

    return intrinsic(ones_in)


@functools.cache
def _separators() -> Any:
    """Compile `kernel.separators` to comparisons of 64 bytes at once."""
    from llvmlite import ir
    from numba.core import types
    from numba.extending import intrinsic

    vector = ir.VectorType(ir.IntType(8), 64)

    def separators(typing: Any, buf: Any, i: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, args[0])
            at = context.cast(builder, args[1], signature.args[1], types.intp)
            pointer = builder.bitcast(builder.gep(array.data, [at]), vector.as_pointer())
            letters = builder.load(pointer, align=1)
            blanks = builder.icmp_unsigned("<=", letters, ir.Constant(vector, [32] * 64))
            colons = builder.icmp_unsigned("==", letters, ir.Constant(vector, [58] * 64))
            return builder.bitcast(builder.or_(blanks, colons), ir.IntType(64))

        return types.uint64(buf, i), generate

    return intrinsic(separators)


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
    "ones_in": _ones_in,
    "separators": _separators,
    "product_above": _product_above,
    "lane_dot": _lane_dot,
}
