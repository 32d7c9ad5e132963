"""Compile to single instructions of the CPU what `mark` writes in Python: prefetch, bit counts, exact products.

Each function has the name of the one in `mark`. `compile` imports this file, and with it Numba, when it first compiles.
"""

from __future__ import annotations

import functools
from typing import Any

from llvmlite import ir
from numba import njit
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.extending import intrinsic

from novikoff.kernels.mark import LANES

utils: Any = cgutils  # without annotations of its own
BYTE, NUMBER, WORD, WIDE = ir.IntType(8), ir.IntType(32), ir.IntType(64), ir.IntType(128)
Generated = tuple[Any, Any]  # the types of the call, and the function that writes its code


@intrinsic
def prefetch(typing: Any, X: Any, i: Any, j: Any) -> Generated:
    """Prefetch for reading, into the second-level cache."""
    shape = ir.FunctionType(ir.VoidType(), [BYTE.as_pointer(), NUMBER, NUMBER, NUMBER])

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind, *kinds = signature.args
        array = context.make_array(kind)(context, builder, args[0])
        place = [context.cast(builder, at, its, types.intp) for at, its in zip(args[1:], kinds, strict=True)]
        place = place[-kind.ndim :]
        address = utils.get_item_pointer(context, builder, kind, array, place, wraparound=False)
        instruction = builder.module.declare_intrinsic("llvm.prefetch", (BYTE.as_pointer(),), shape)
        read, second_cache, data = NUMBER(0), NUMBER(2), NUMBER(1)
        builder.call(instruction, [builder.bitcast(address, BYTE.as_pointer()), read, second_cache, data])

    return types.void(X, i, j), generate


@intrinsic
def add_columns(typing: Any, S: Any, V: Any, columns: Any, numbers: Any) -> Generated:
    """Add 32 bytes at a time; LLVM leaves sums of few planes to single numbers."""

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
            first = builder.insert_element(vector(ir.Undefined), x, NUMBER(0))
            zeros = ir.Constant(ir.VectorType(NUMBER, 32 // size), [0] * (32 // size))
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


how: Any = {"_nrt": False, "error_model": "numpy", "forceinline": True}
record = njit(**how)(lambda records, k: records[k])


@intrinsic
def load8(typing: Any, buf: Any, i: Any) -> Generated:
    """Make one unaligned read."""
    return types.uint64(buf, i), functools.partial(_loaded, WORD)


@intrinsic
def zeros_below(typing: Any, x: Any) -> Generated:
    """Count trailing zero bits (cttz)."""
    return types.int64(types.uint64), lambda context, builder, signature, args: builder.cttz(args[0], ir.IntType(1)(0))


@intrinsic
def zeros_above(typing: Any, x: Any) -> Generated:
    """Count leading zero bits (ctlz)."""
    return types.int64(types.uint64), lambda context, builder, signature, args: builder.ctlz(args[0], ir.IntType(1)(0))


@intrinsic
def ones_in(typing: Any, x: Any) -> Generated:
    """Count bits that are 1."""
    return types.int64(types.uint64), lambda context, builder, signature, args: builder.ctpop(args[0])


@intrinsic
def separators(typing: Any, buf: Any, i: Any) -> Generated:
    """Compare 64 bytes at once."""
    vector = ir.VectorType(BYTE, 64)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        letters = _loaded(vector, context, builder, signature, args)
        blanks = builder.icmp_unsigned("<=", letters, ir.Constant(vector, [32] * 64))
        colons = builder.icmp_unsigned("==", letters, ir.Constant(vector, [58] * 64))
        return builder.bitcast(builder.or_(blanks, colons), WORD)

    return types.uint64(buf, i), generate


def _loaded(kind: Any, context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Read a value of this kind from the bytes of an array, from a place on."""
    array = context.make_array(signature.args[0])(context, builder, args[0])
    at = context.cast(builder, args[1], signature.args[1], types.intp)
    return builder.load(builder.bitcast(builder.gep(array.data, [at]), kind.as_pointer()), align=1)


@intrinsic
def product_above(typing: Any, a: Any, b: Any) -> Generated:
    """Multiply once."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        product = builder.mul(builder.zext(args[0], WIDE), builder.zext(args[1], WIDE))
        return builder.trunc(builder.lshr(product, ir.Constant(WIDE, 64)), WORD)

    return types.uint64(types.uint64, types.uint64), generate


@intrinsic
def lane_dot(typing: Any, a: Any, b: Any, n: Any) -> Generated:
    """Operate on vectors of LANES numbers; missing numbers of the last vector are 0."""
    kinds = [(x.ndim, x.layout, x.dtype) for x in (a, b) if isinstance(x, types.Array)]
    if kinds != [(1, "C", types.float64)] * 2:
        raise TypingError("lane_dot: two contiguous arrays of float64 were expected")
    place, vector = ir.VectorType(WORD, LANES), ir.VectorType(ir.DoubleType(), LANES)
    masked = ir.FunctionType(vector, [vector.as_pointer(), NUMBER, ir.VectorType(ir.IntType(1), LANES), vector])
    zeros = ir.Constant(vector, [0.0] * LANES)

    def shuffled(builder: Any, x: Any, which: list[int]) -> Any:
        return builder.shuffle_vector(x, x, ir.Constant(ir.VectorType(NUMBER, len(which)), which))

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
                x, y = (builder.call(load, [where, NUMBER(8), mask, zeros]) for where in both)
            builder.store(builder.fadd(builder.load(sums), builder.fmul(x, y)), sums)

        rest = builder.and_(end, end.type(LANES - 1))
        whole = builder.sub(end, rest)
        with utils.for_range_slice(builder, end.type(0), whole, end.type(LANES), end.type) as (at, _):
            add(at, None)
        with builder.if_then(builder.icmp_signed(">", rest, rest.type(0))):
            first = builder.insert_element(ir.Constant(place, ir.Undefined), rest, NUMBER(0))
            limit = shuffled(builder, first, [0] * LANES)
            add(whole, builder.icmp_signed("<", ir.Constant(place, list(range(LANES))), limit))
        total, half = builder.load(sums), LANES // 2
        while half > 0:
            low, high = list(range(half)), list(range(half, 2 * half))
            total = builder.fadd(shuffled(builder, total, low), shuffled(builder, total, high))
            half //= 2
        return builder.extract_element(total, NUMBER(0))

    return types.float64(a, b, n), generate
