"""Read the symbol table of an ELF object: what it defines and what it needs.

LLVM makes ELF objects on Linux and, for Numba, on Windows; this package does not store machine code in other formats.
"""

from __future__ import annotations

import struct

_IDENTITY = b"\x7fELF\x02\x01"  # 64 bits, little-endian
_TABLE = 2  # section type of a symbol table
_SECTION, _SYMBOL = struct.Struct("<IIQQQQIIQQ"), struct.Struct("<IBBHQQ")


def symbols(code: bytes) -> tuple[set[str], set[str]]:
    """Return the (defined, needed) symbols of an ELF object; raise ValueError if it is none."""
    if not code.startswith(_IDENTITY):
        raise ValueError("not a 64-bit little-endian ELF object")
    try:
        return _symbols(code)
    except (struct.error, OverflowError, IndexError) as error:
        raise ValueError("a damaged ELF object") from error


def _symbols(code: bytes) -> tuple[set[str], set[str]]:
    (start,) = struct.unpack_from("<Q", code, 40)
    size, count = struct.unpack_from("<HH", code, 58)
    sections = [_SECTION.unpack_from(code, start + size * k) for k in range(count)]
    defined: set[str] = set()
    needed: set[str] = set()
    for _, kind, _, _, offset, length, link, _, _, _ in sections:
        if kind != _TABLE:
            continue
        names = sections[link][4]
        for at in range(offset, offset + length, _SYMBOL.size):
            name, _, _, section, _, _ = _SYMBOL.unpack_from(code, at)
            if name:
                text = code[names + name : code.index(b"\0", names + name)].decode()
                (defined if section else needed).add(text)
    return defined, needed
