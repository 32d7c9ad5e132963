"""Compile to single instructions of the CPU what `mark` writes in Python: prefetch, bit counts, exact products."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from novikoff.kernels.mark import LANES


def instruction(name: str) -> Callable[..., Any]:
    """Return the compiled version of the function of `mark` with this name."""
    return _INSTRUCTIONS[name]()  # type: ignore[no-any-return]


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
def _add_columns() -> Any:
    """Compile `kernel.add_columns` to operations on 32 bytes; LLVM leaves sums of few planes to single numbers."""
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    utils: Any = cgutils

    def add_columns(typing: Any, S: Any, V: Any, columns: Any, numbers: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            sums, weights = (
                context.make_array(t)(context, builder, a) for t, a in zip(signature.args[:2], args[:2], strict=True)
            )
            many, number = builder.extract_value(sums.shape, 0), sums.data.type.pointee
            size = context.get_abi_sizeof(number)
            vector = ir.VectorType(number, 32 // size)
            factors, starts = [], []
            places, xs = (utils.unpack_tuple(builder, packed) for packed in args[2:])
            for c, kind, x in zip(places, columns, xs, strict=True):
                at = builder.mul(context.cast(builder, c, kind, types.intp), many)
                starts.append(builder.gep(weights.data, [at]))
                first = builder.insert_element(vector(ir.Undefined), x, ir.IntType(32)(0))
                zeros = ir.Constant(ir.VectorType(ir.IntType(32), 32 // size), [0] * (32 // size))
                factors.append(builder.shuffle_vector(first, first, zeros))
            with utils.for_range_slice(builder, many.type(0), many, many.type(32 // size), many.type) as (k, _):
                place = builder.bitcast(builder.gep(sums.data, [k]), vector.as_pointer())
                total = builder.load(place, align=size)
                for start, factor in zip(starts, factors, strict=True):
                    own = builder.load(builder.bitcast(builder.gep(start, [k]), vector.as_pointer()), align=size)
                    total = builder.fadd(total, builder.fmul(own, factor))
                builder.store(total, place, align=size)
            return context.get_dummy_value()

        return types.void(S, V, columns, numbers), generate

    return intrinsic(add_columns)


@functools.cache
def _record() -> Any:
    """Compile `kernel.record` to the address of the record."""
    import numba

    how: dict[str, Any] = {"_nrt": False, "error_model": "numpy", "forceinline": True}
    return numba.njit(**how)(lambda records, k: records[k])


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
    "add_columns": _add_columns,
    "record": _record,
    "load8": _load8,
    "zeros_below": functools.partial(_zeros, "cttz"),
    "zeros_above": functools.partial(_zeros, "ctlz"),
    "ones_in": _ones_in,
    "separators": _separators,
    "product_above": _product_above,
    "lane_dot": _lane_dot,
}
