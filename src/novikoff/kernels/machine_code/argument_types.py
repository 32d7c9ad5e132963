"""Name the type that Numba gives an argument, without Numba.

Machine code reads its arguments as the types it was compiled for and does not check them. Two values therefore have the
same name only if Numba gives them the same type. A value whose type is not plainly known has no name; Numba's own
dispatcher then takes the call.

    signature_of((X, 3, 0.5))    ((dtype('float64'), 2, 1281), int, float): quick, to find code that was loaded before
    type_name(X)                 'array(float64, 2d, C)'
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

_SMALL = 2**62  # Numba gives larger integers other types
NUMBERS: dict[type, str] = {int: "int64", float: "float64", bool: "bool", type(None): "none"} | {
    kind: np.dtype(kind).name
    for kind in (
        np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64, np.float32,
        np.float64,
    )
}  # fmt: skip
ITEMS = {np.dtype(kind).str: np.dtype(kind).name for kind in NUMBERS if issubclass(kind, np.generic)}
_C_ORDER, _F_ORDER, _ALIGNED, _WRITEABLE = 0x1, 0x2, 0x100, 0x400  # of NumPy's array flags
_ARRAY = np.ndarray
_TYPED = _C_ORDER | _F_ORDER | _ALIGNED | _WRITEABLE


def signature_of(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return what the types of arguments depend on; values of one signature have the same type names.

    An integer beyond 62 bits, or a type that is not listed above, puts None into it.
    """
    return tuple(map(_quick, args))


def _quick(value: Any) -> Any:
    kind = type(value)
    if kind is _ARRAY:
        return value.dtype, value.ndim, value.flags.num & _TYPED
    if kind is int:
        return int if -_SMALL < value < _SMALL else None
    if kind in NUMBERS:
        return kind
    if isinstance(value, tuple):
        return kind, signature_of(value)
    return (value.dtype, value.ndim, value.flags.num & _TYPED) if kind is np.memmap else None


def type_name(value: Any) -> str | None:
    """Return the name of the type of an argument, or None where it is not plainly known."""
    kind = type(value)
    if sys.maxsize < 2**63 - 1:
        return None  # there Numba's integers are shorter
    if kind is np.ndarray or kind is np.memmap:
        return _array(value)
    if kind is int and not -_SMALL < value < _SMALL:
        return None
    if kind in NUMBERS:
        return NUMBERS[kind]
    if kind is tuple or (isinstance(value, tuple) and hasattr(kind, "_fields")):
        return _tuple(value)
    return None


def _array(value: np.ndarray) -> str | None:
    item, flags = ITEMS.get(value.dtype.str), value.flags.num
    if item is None or not flags & _ALIGNED:
        return None
    order = "C" if flags & _C_ORDER else "F" if flags & _F_ORDER else "A"
    return f"{'' if flags & _WRITEABLE else 'readonly '}array({item}, {value.ndim}d, {order})"


def _tuple(value: tuple[Any, ...]) -> str | None:
    """The name of a plain or a named tuple; the latter with its class and its fields."""
    kind, names = type(value), []
    for item in value:
        name = type_name(item)
        if name is None:
            return None
        names.append(name)
    if kind is tuple:
        return f"Tuple({', '.join(names)})"
    fields: tuple[str, ...] = kind._fields  # type: ignore[attr-defined]
    return f"{kind.__module__}.{kind.__qualname__}({', '.join(map(': '.join, zip(fields, names, strict=True)))})"
