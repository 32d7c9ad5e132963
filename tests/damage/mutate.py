"""Ways to damage a file: its bytes as they come, its text, or a model's contents under a right checksum."""

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

DIGEST = re.compile(rb'\\"sha256\\":\\"([^\\]{64})\\"')
ODD: list[Any] = [None, True, False, 0, 1, -1, 2, 0.5, -0.0, 1e308, 2**63, 2**80, "", "x", "vote", "ovo", "nan", "inf",
                  [], [0], [[]], {}, {"pairs": []}, {"pairs": [[0, 1]]}, {"kind": "tfidf"}, ["a", "b"],
                  "0" * 64]  # fmt: skip
Header = dict[str, Any]


def taken_apart(data: bytes) -> tuple[Header, Header, bytes]:
    """Header, record and data."""
    end = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:end])
    return header, json.loads(header["__metadata__"]["novikoff"]), data[end:]


def put_together(header: Header, record: Any, data: bytes) -> bytes:
    """A file of these, with the checksum that belongs to them."""
    if isinstance(record, dict) and "sha256" in record:
        record = {**record, "sha256": "0" * 64}
    if record is not None and isinstance(header.get("__metadata__"), dict):
        header = {
            **header,
            "__metadata__": {**header["__metadata__"], "novikoff": json.dumps(record, separators=(",", ":"))},
        }
    text = json.dumps(header).encode()
    whole = bytearray(struct.pack("<Q", len(text)) + text + data)
    place = DIGEST.search(whole)
    if place:
        whole[slice(*place.span(1))] = hashlib.sha256(whole).hexdigest().encode()
    return bytes(whole)


# ---- bytes ---------------------------------------------------------------------------------------------------------


def flipped(chance: random.Random, data: bytes) -> bytes:
    at = chance.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]


def another_byte(chance: random.Random, data: bytes) -> bytes:
    at = chance.randrange(len(data))
    return data[:at] + chance.randbytes(1) + data[at + 1 :]


def cut_off(chance: random.Random, data: bytes) -> bytes:
    return data[: chance.randrange(len(data))]


def longer(chance: random.Random, data: bytes) -> bytes:
    return data + chance.randbytes(chance.randrange(1, 20))


def without_a_piece(chance: random.Random, data: bytes) -> bytes:
    at = chance.randrange(len(data))
    return data[:at] + data[at + chance.randrange(1, 64) :]


def piece_twice(chance: random.Random, data: bytes) -> bytes:
    at, size = chance.randrange(len(data)), chance.randrange(1, 64)
    return data[: at + size] + data[at:]


def zeros(chance: random.Random, data: bytes) -> bytes:
    at = chance.randrange(len(data))
    hole = data[at : at + chance.randrange(1, 512)]
    return data[:at] + bytes(len(hole)) + data[at + len(hole) :]


def another_length(chance: random.Random, data: bytes) -> bytes:
    n = int.from_bytes(data[:8], "little")
    other = chance.choice(
        [0, 1, n - 1, n + 1, n + 8, len(data), len(data) - 8, 2**31, 2**62, 2**64 - 1, chance.getrandbits(64)]
    )
    return struct.pack("<Q", other) + data[8:]


def garbage(chance: random.Random, data: bytes) -> bytes:
    return chance.randbytes(chance.randrange(200))


def garbage_of_the_same_length(chance: random.Random, data: bytes) -> bytes:
    end = 8 + int.from_bytes(data[:8], "little")
    return data[:8] + chance.randbytes(end - 8) + data[end:]


def quoted_otherwise(chance: random.Random, data: bytes) -> bytes:
    """The same JSON in other words: no other bytes are the same file."""
    header, _, rest = taken_apart(data)
    text = json.dumps(header, separators=chance.choice([(",", ":"), (", ", ": "), (" ,", ":")])).encode()
    text += b" " * chance.randrange(9)
    return struct.pack("<Q", len(text)) + text + rest


def bits_flipped(chance: random.Random, data: bytes) -> bytes:
    for _ in range(chance.randrange(2, 9)):
        data = flipped(chance, data)
    return data


def overwritten(chance: random.Random, data: bytes) -> bytes:
    at, size = chance.randrange(len(data)), chance.randrange(1, 64)
    return data[:at] + chance.randbytes(size) + data[at + size :]


def spliced(chance: random.Random, data: bytes) -> bytes:
    """The beginning of the file, and its end from somewhere else on."""
    return data[: chance.randrange(len(data))] + data[chance.randrange(len(data)) :]


PLAIN = [flipped, bits_flipped, another_byte, cut_off, cut_off, longer, without_a_piece, piece_twice, zeros,
         overwritten, spliced, garbage]  # fmt: skip
BYTES = [*PLAIN, another_length, garbage_of_the_same_length, quoted_otherwise]


# ---- texts ---------------------------------------------------------------------------------------------------------

HARD: list[bytes] = [
    b"999999999999:1", b"1e400", b"-1e400", b"1e-400", b"nan", b"NaN", b"inf", b"-inf", b"-3:1", b"0:1", b"3:",
    b":3", b":", b"1:2:3", b"0x10", b"1_000", b"1,5", b"1.5.5", b"--1", b"+", b".", b"e5", b"9" * 400, b"0." +
    b"1" * 400, b"1e99999", b"1e-99999", b"18446744073709551616:1", b"qid:7", b"#", b'"', b"'", b'""', b"\t",
    b",", b";", b"|", b"{", b"}", b"[" * 2000, b'{"a":' * 2000, b"null", b"true", b"\x00", b"\xff\xfe", b"\xc3",
    b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\r", b"\r\n", b"\n\n", b"\x1a", b"\xe2\x80\xa8", b" ", b"",
    "\u0661".encode(), b"\x1f\x8b", b"PK\x03\x04",
]  # fmt: skip
WORD = re.compile(rb"[^\s,:|\"{}]+")


def another_word(chance: random.Random, data: bytes) -> bytes:
    """A word or number becomes one that is hard to read."""
    words = list(WORD.finditer(data))
    lo, hi = chance.choice(words).span() if words else (0, 0)
    return data[:lo] + chance.choice(HARD) + data[hi:]


def one_more_word(chance: random.Random, data: bytes) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.choice(HARD) + data[at:]


def grown(chance: random.Random, data: bytes) -> bytes:
    """A byte many times: a longer number, name or gap."""
    at = chance.randrange(len(data))
    return data[:at] + data[at : at + 1] * chance.choice([2, 20, 400, 5000]) + data[at:]


def other_line_ends(chance: random.Random, data: bytes) -> bytes:
    return data.replace(b"\n", chance.choice([b"\r\n", b"\r", b"\n\n", b" ", b"\x00\n", b"\x0b", b"\x85\n"]))


def lines_mixed(chance: random.Random, data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    chance.shuffle(lines)
    return b"".join(lines[: chance.randrange(1, len(lines) + 1)])


TEXTS = [*PLAIN, another_word, another_word, another_word, one_more_word, one_more_word, grown, other_line_ends,
         lines_mixed]  # fmt: skip


# ---- contents ------------------------------------------------------------------------------------------------------


def places(value: Any) -> list[tuple[Any, Any]]:
    """(container, key) of everything inside."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else []
    return [place for key in keys for place in [(value, key), *places(value[key])]]


def another_value(chance: random.Random, header: Header, record: Header, data: bytes) -> bytes:
    inside, key = chance.choice(places(record))
    inside[key] = copy.deepcopy(chance.choice(ODD))
    return data


def without_a_field(chance: random.Random, header: Header, record: Header, data: bytes) -> bytes:
    inside, key = chance.choice(places(record))
    del inside[key]
    return data


def one_more_field(chance: random.Random, header: Header, record: Header, data: bytes) -> bytes:
    inside = chance.choice([v for v in [record, *(i[k] for i, k in places(record))] if isinstance(v, dict)])
    inside[chance.choice(["extra", "__class__", "os.system", ""])] = chance.choice(ODD)
    return data


def another_tensor_entry(chance: random.Random, header: Header, record: Header, data: bytes) -> bytes:
    tensor = header[chance.choice([name for name in header if name != "__metadata__"])]
    field = chance.choice(["dtype", "shape", "data_offsets"])
    if field == "dtype":
        tensor[field] = chance.choice(["F64", "F32", "F16", "BF16", "I64", "I32", "U8", "BOOL", "C64", "U64", None, 7])
    else:
        where = tensor[field]
        at = chance.randrange(len(where) + 1)
        new = chance.choice([0, 1, -1, 2, 7, 8, 2**31, 2**63, 2**64, None, "8", 1.0])
        tensor[field] = [*where[:at], new, *where[at + chance.randrange(2) :]]
    return data


def tensors_renamed(chance: random.Random, header: Header, record: Header, data: bytes) -> bytes:
    names = [name for name in header if name != "__metadata__"]
    a = chance.choice(names)
    b = chance.choice([*names, "extra", "votes.rows", "votes.x", "preparation.x", "trained", "n_mistakes"])
    header[a], other = header.get(b, header[a]), header[a]
    header[b] = other
    if a != b and chance.random() < 0.5 and b not in names:
        del header[a]
    return data


def other_numbers(chance: random.Random, header: Header, record: Header, data: bytes) -> bytes:
    """Numbers of a tensor become NaN, infinite, huge, negative or anything."""
    name = chance.choice([name for name in header if name != "__metadata__"])
    place = header[name]["data_offsets"]
    if len(place) != 2 or not all(type(at) is int and 0 <= at <= len(data) for at in place) or place[1] - place[0] < 8:
        return data
    lo, hi = place
    at = lo + 8 * chance.randrange((hi - lo) // 8)
    new = chance.choice([
        struct.pack("<d", chance.choice([np.nan, np.inf, -np.inf, 1e300, 1e200, -1.0, 0.5])),
        struct.pack("<q", chance.choice([-1, 2**62, 2**63 - 1, -(2**63), 1000, 0, 1])),
        chance.randbytes(8),
    ])  # fmt: skip
    return data[:at] + new + data[at + 8 :]


CONTENTS: list[Callable[[random.Random, Header, Header, bytes], bytes]] = [
    another_value, without_a_field, one_more_field, another_tensor_entry, tensors_renamed, other_numbers,
]  # fmt: skip


def forged(chance: random.Random, data: bytes) -> bytes:
    """A file whose contents were changed and whose checksum is right."""
    header, record, rest = taken_apart(data)
    for _ in range(chance.choice([1, 1, 1, 2])):
        rest = chance.choice(CONTENTS)(chance, header, record, rest)
    return put_together(header, record, rest)
