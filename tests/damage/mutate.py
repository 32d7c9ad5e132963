"""Ways to damage a file: its bytes as they come, its text, or one field of its contents under a right checksum."""

from __future__ import annotations

import copy
import hashlib
import json
import random
import re
import struct
from collections.abc import Callable
from typing import Any

import numpy as np

Header = dict[str, Any]
Change = Callable[[random.Random, bytes], bytes]
DIGEST = re.compile(rb'\\"sha256\\":\\"([^\\]{64})\\"')


def taken_apart(data: bytes) -> tuple[Header, Header, bytes]:
    """Header, record and data of a model or checkpoint."""
    end = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:end])
    return header, json.loads(header["__metadata__"]["novikoff"]), data[end:]


def put_together(header: Header, record: Any, data: bytes) -> bytes:
    """A file of these, with the checksum that belongs to them."""
    if isinstance(record, dict) and "sha256" in record:
        record = {**record, "sha256": "0" * 64}
    if record is not None and isinstance(header.get("__metadata__"), dict):
        stated = {"novikoff": json.dumps(record, separators=(",", ":"))}
        header = {**header, "__metadata__": {**header["__metadata__"], **stated}}
    text = json.dumps(header).encode()
    whole = bytearray(struct.pack("<Q", len(text)) + text + data)
    place = DIGEST.search(whole)
    if place:
        whole[slice(*place.span(1))] = hashlib.sha256(whole).hexdigest().encode()
    return bytes(whole)


# ---- bytes and texts -------------------------------------------------------------------------------------------------


def somewhere(change: Callable[[random.Random, bytes], bytes], most: int = 64) -> Change:
    """Change a piece of the file, which has at least one byte."""

    def damage(chance: random.Random, data: bytes) -> bytes:
        at = chance.randrange(len(data))
        end = at + chance.randrange(1, most)
        return data[:at] + change(chance, data[at:end]) + data[end:]

    return damage


flipped = somewhere(lambda chance, piece: bytes([piece[0] ^ 1 << chance.randrange(8)]) + piece[1:])
another_byte = somewhere(lambda chance, piece: chance.randbytes(1) + piece[1:])
without_a_piece = somewhere(lambda chance, piece: b"")
piece_twice = somewhere(lambda chance, piece: piece * 2)
overwritten = somewhere(lambda chance, piece: chance.randbytes(len(piece)))
zeros = somewhere(lambda chance, piece: bytes(len(piece)), 512)
grown = somewhere(lambda chance, piece: piece[:1] * chance.choice([2, 20, 400, 5000]) + piece[1:])
one_more_word = somewhere(lambda chance, piece: chance.choice(HARD) + piece)


def cut_off(chance: random.Random, data: bytes) -> bytes:
    return data[: chance.randrange(len(data))]


def longer(chance: random.Random, data: bytes) -> bytes:
    return data + chance.randbytes(chance.randrange(1, 20))


def garbage(chance: random.Random, data: bytes) -> bytes:
    return chance.randbytes(chance.randrange(200))


def bits_flipped(chance: random.Random, data: bytes) -> bytes:
    for _ in range(chance.randrange(2, 9)):
        data = flipped(chance, data)
    return data


def spliced(chance: random.Random, data: bytes) -> bytes:
    """The beginning of the file, and its end from somewhere else on."""
    return data[: chance.randrange(len(data))] + data[chance.randrange(len(data)) :]


def another_length(chance: random.Random, data: bytes) -> bytes:
    """Another length of the header of a model."""
    n = int.from_bytes(data[:8], "little")
    near = [0, 1, n - 1, n + 1, n + 8, len(data), len(data) - 8]
    return struct.pack("<Q", chance.choice([*near, 2**31, 2**62, 2**64 - 1, chance.getrandbits(64)])) + data[8:]


def garbage_of_the_same_length(chance: random.Random, data: bytes) -> bytes:
    end = 8 + int.from_bytes(data[:8], "little")
    return data[:8] + chance.randbytes(end - 8) + data[end:]


def quoted_otherwise(chance: random.Random, data: bytes) -> bytes:
    """The same JSON in other words: no other bytes are the same file."""
    header, _, rest = taken_apart(data)
    text = json.dumps(header, separators=chance.choice([(",", ":"), (", ", ": "), (" ,", ":")])).encode()
    text += b" " * chance.randrange(9)
    return struct.pack("<Q", len(text)) + text + rest


PLAIN: list[Change] = [
    *(flipped, bits_flipped, another_byte, cut_off, cut_off, longer, without_a_piece, piece_twice, zeros),
    *(overwritten, spliced, garbage),
]
BYTES = [*PLAIN, another_length, garbage_of_the_same_length, quoted_otherwise]

HARD = [
    *b"999999999999:1 1e400 -1e400 1e-400 nan NaN inf -inf -3:1 0:1 3: :3 : 1:2:3 0x10 1_000 1,5 1.5.5 --1".split(),
    *b'+ . e5 1e99999 1e-99999 18446744073709551616:1 qid:7 # " \' "" , ; | { } null true PK\x03\x04'.split(),
    *(b"9" * 400, b"0." + b"1" * 400, b"[" * 2000, b'{"a":' * 2000, b"\t", b" ", b"", b"\r", b"\r\n", b"\n\n"),
    *(b"\x00", b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\x1a", b"\x1f\x8b", "\u2028\u0661".encode()),
]
WORD = re.compile(rb"[^\s,:|\"{}]+")


def another_word(chance: random.Random, data: bytes) -> bytes:
    """A word or number becomes one that is hard to read."""
    words = list(WORD.finditer(data))
    lo, hi = chance.choice(words).span() if words else (0, 0)
    return data[:lo] + chance.choice(HARD) + data[hi:]


def other_line_ends(chance: random.Random, data: bytes) -> bytes:
    return data.replace(b"\n", chance.choice([b"\r\n", b"\r", b"\n\n", b" ", b"\x00\n", b"\x0b", b"\x85\n"]))


def lines_mixed(chance: random.Random, data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    chance.shuffle(lines)
    return b"".join(lines[: chance.randrange(1, len(lines) + 1)])


TEXTS = [*PLAIN, *[another_word] * 3, *[one_more_word] * 2, grown, other_line_ends, lines_mixed]


# ---- one value of JSON -----------------------------------------------------------------------------------------------

ODD: list[Any] = [
    *(None, True, False, 0, 1, -1, 2, 0.5, -0.0, 1e308, 2**63, 2**80, "", "x", "vote", "ovo", "nan", "inf", "0" * 64),
    *([], [0], [[]], {}, {"pairs": []}, {"pairs": [[0, 1]]}, {"kind": "tfidf"}, ["a", "b"]),
]


def places(value: Any) -> list[tuple[Any, Any]]:
    """(container, key) of everything inside."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else []
    return [place for key in keys for place in [(value, key), *places(value[key])]]


def lie_in_record(chance: random.Random, record: Any) -> tuple[str, str]:
    """Change one value; its field and what was done."""
    inside, key = chance.choice(places(record))
    path = next((k for k, v in record.items() if v is inside or any(inside is part for part, _ in places(v))), "")
    field, old = f"{path}.{key}" if path else str(key), inside[key]
    if chance.random() < 0.1:
        del inside[key]
        return field, "missing"
    if chance.random() < 0.05 and isinstance(inside, dict):
        inside["extra"] = 1
        return field, "one more"
    inside[key] = copy.deepcopy(chance.choice(ODD))
    if type(old) is int and chance.random() < 0.5:
        inside[key] = chance.choice([-1, old + 1, old - 1, 10**6, 2**31, 2**62, 2**63 - 1, 2**63, -(2**63)])
    return field, repr(inside[key])[:60]


# ---- one array -------------------------------------------------------------------------------------------------------

REAL = [np.nan, np.inf, -np.inf, 1e300, 2.0**500, 1e160, 1e6, -1.0, 0.5, 0.0, -0.0, 5e-324, 2.0**53 + 2]
WHOLE = [-1, -2, 0, 1, 3, 4, 5, 7, 8, 9, 12, 24, 25, 100, 6000, -6000, 2**31 - 1, 2**31, -(2**31), 2**32, 2**40]
WHOLE += [-(2**40), 2**62, 2**63 - 1, -(2**63), 2**53 + 1]
HELD = ["f8", "f4", "f2", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "?"]  # by every kind of file
TYPES = [*HELD, ">f8", ">f4", ">i8", ">i4", ">i2", "g", "c16", "U", "S", "O", "M8[D]", "m8[s]", "V3"]
Told = tuple[str, np.ndarray]


def lie_in_array(chance: random.Random, true: np.ndarray, arrays_of_numpy: bool, starts: bool = False) -> Told:
    """One number, the type or the shape; starts: of rows, which may fall, or wrap around in their type."""
    whole, kind = true.dtype.kind in "iu", true.dtype.str[1:]
    if whole and arrays_of_numpy:
        kind = chance.choice(["i1", "i2", "i4", "i8"])
    way = chance.choice([*["number"] * 6, *["falls", "wraps", "wraps"] * (3 * starts), "type", "shape"])
    if way == "type":
        return _in_type(true, chance.choice(TYPES if arrays_of_numpy else HELD))
    if way == "shape" or not true.size:
        shapes = [true.ravel(), true[None], true[:0], true[:-1], true.T, true.ravel()[::-1]]
        shapes += [np.concatenate([true, true[:1]]) if true.ndim else true, np.repeat(true, 2), true.ravel()[:1][0]]
        made = np.array(chance.choice(shapes))
        return f"shape {made.shape}", made
    values, at = true.ravel().tolist(), chance.randrange(true.size)
    most = 2 ** (8 * np.dtype(kind).itemsize - 1) - 1
    if way == "wraps":  # differences computed in the type are not negative, though the starts fall
        for k in range(1, min(len(values) - 1, at + 2)):
            values[k] = most - 2 * k if k % 2 else -2 * k
    elif way == "falls":
        values[at] = values[at - 1] - 1 if at else values[-1]
    elif whole:
        values[at] = chance.choice([*WHOLE, most, most - 1, -most - 1, values[at] + 1, values[at] - 1, values[at - 1]])
    else:
        values[at] = chance.choice(REAL)
    if way == "number" and at and chance.random() < 0.2:  # and its neighbour, so that differences wrap
        values[at - 1] = chance.choice(WHOLE if whole else REAL)
    shape = true.shape
    return f"{way} {kind} {values}", (_held(values, kind) if whole else np.array(values, kind)).reshape(shape)


def _in_type(true: np.ndarray, kind: str) -> Told:
    with np.errstate(all="ignore"):
        made = np.abs(true) if kind[0] == "u" else true
        return f"type {kind}", np.zeros(true.shape, "V3") if kind == "V3" else made.astype(kind)


def _held(values: list[int], kind: str) -> np.ndarray:
    """The numbers in the type, or in the smallest one that holds them."""
    for one in (kind, "i4", "i8"):
        limits = np.iinfo(one)
        if all(limits.min <= value <= limits.max for value in values):
            return np.array(values, one)
    return np.array([value % 2**64 for value in values], "u8")


def lie_in_labels(chance: random.Random, true: np.ndarray) -> Told:
    """Labels of a type or shape that NumPy has, or texts that are hard to read, or none."""
    n, words = len(true), [*WORDS[chance.randrange(len(WORDS))]]
    way = chance.choice(["texts", "texts", "numbers", "struct", "three", "one class", "array"])
    if way == "texts":
        return f"texts {words}", np.array([words[k % 2] for k in range(n)])
    if way == "numbers":
        two = chance.choice([(2**64 - 1, 2**64 - 2), (2**53, 2**53 + 1), (np.nan, 1.0), (np.inf, 1.0), (0.5, 1.5)])
        return f"numbers {two}", np.array([two[k % 2] for k in range(n)], "u8" if two[0] == 2**64 - 1 else None)
    if way == "struct":
        return way, np.zeros(n, [("a", "i4"), ("b", "f8")])
    if way == "array":
        return lie_in_array(chance, np.arange(n) % 2, True)
    return way, np.arange(n) % (3 if way == "three" else 1)


WORDS: list[tuple[Any, Any]] = [
    *(
        (b"no", b"yes"),
        (b"\xe9", b"yes"),
        ("é".encode(), b"yes"),
        ("no", "yes"),
        ("é", "日本"),
        (" a", "a "),
        ("", "a"),
    ),
    *(("a\0b", "a"), ("nan", "a"), ("+1", "1.0"), ("true", "false"), ("a\nb", "a"), ("a,b", '"'), ("\ud800", "a")),
]
