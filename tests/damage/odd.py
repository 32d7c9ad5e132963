"""Arrays that lie: of row starts, column numbers, values and labels. Each is (what is wrong, the array)."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

WIDTHS = ("i1", "i2", "i4", "i8")
Odd = tuple[str, np.ndarray]


def starts(chance: random.Random, true: np.ndarray, narrow: bool = True) -> Odd:
    """Row starts that fall, are negative, wrap around in their type, lead outside, or are of another type or shape."""
    values, entries = [int(v) for v in true], int(true[-1])
    kind = chance.choice(WIDTHS) if narrow else true.dtype.str[1:]
    most = 2 ** (8 * int(kind[1]) - 1) - 1
    at = chance.randrange(1, max(2, len(values) - 1))
    way = chance.choice(
        ["falls", "negative", "wraps", "wraps", "wraps", "wraps twice", "wraps twice", "beyond", "far beyond",
        "first", "short", "long", "empty", "0-d",
         "2-d", "float", "big-endian", "narrow", "unsigned", "unsigned wraps", "bool", "text", "ends early"]
    )  # fmt: skip
    if way == "falls":
        values[at] = chance.choice([entries, entries + 1, values[at - 1] - 1 if at > 1 else entries])
    elif way == "negative":
        values[at] = chance.choice([-1, -2, -entries, -most - 1])
    elif way == "wraps":  # differences computed in the type are not negative, though the starts fall
        at = chance.randrange(1, max(2, len(values) - 2))
        values[at] = most
        if at + 1 < len(values) - 1:
            values[at + 1] = chance.choice([-1, -2, -entries, entries + 1 - most])
    elif way == "wraps twice":
        for k in range(1, len(values) - 1 - len(values) % 2):
            values[k] = most - 2 * k if k % 2 else -2 * k
    elif way == "beyond":
        values[-1] = entries + chance.choice([1, 2, 100])
    elif way == "far beyond":
        values[-1] = chance.choice([most, most - 1])
    elif way == "first":
        values[0] = chance.choice([1, -1, entries, most])
    elif way == "short":
        values = values[: chance.choice([1, at, len(values) - 1])]
    elif way == "long":
        values += [entries] * chance.choice([1, 3])
    elif way == "ends early":
        values[-1] = values[-2]
    shown = f"{way} {kind} {values}"
    if way == "empty":
        return shown, np.empty(0, kind)
    if way == "0-d":
        return shown, np.array(entries, kind)
    if way == "2-d":
        return shown, np.array([values], kind)
    if way == "float":
        return shown, np.array(values, chance.choice(["f4", "f8"]))
    if way == "bool":
        return shown, np.array(values).astype(bool)
    if way == "text":
        return shown, np.array([str(v) for v in values])
    if way == "big-endian":
        return shown, _held(values, chance.choice([">i4", ">i8", ">i2"]))
    if way == "unsigned":
        return shown, _unsigned(values, chance.choice(["u1", "u2", "u4", "u8"]))
    if way == "unsigned wraps":
        values[at] = 2**64 - 1
        return f"{way} {values}", _unsigned(values, "u8")
    return shown, _held(values, kind)


def places(chance: random.Random, true: np.ndarray, size: int, narrow: bool = True) -> Odd:
    """Column numbers outside 0 … size - 1, twice, unsorted, or of another type or shape."""
    values = [int(v) for v in true]
    kind = chance.choice(WIDTHS) if narrow else true.dtype.str[1:]
    most = 2 ** (8 * int(kind[1]) - 1) - 1
    at = chance.randrange(len(values)) if values else 0
    way = chance.choice(["outside", "outside", "outside", "twice", "unsorted", "big-endian", "unsigned", "float",
        "short",
                         "long", "2-d", "0-d", "bool", "narrow", "unsigned outside"])  # fmt: skip
    if way == "outside" and values:
        values[at] = chance.choice([-1, size, size + 1, -size, most, -most - 1, 2**31 - 1, -(2**31), 2**32, 2**63 - 1])
    elif way == "twice" and len(values) > 1:
        values[at] = values[at - 1]
    elif way == "unsorted":
        chance.shuffle(values)
    elif way == "short":
        values = values[:-1]
    elif way == "long":
        values.append(chance.choice([0, size - 1, size, -1]))
    shown = f"{way} {kind} {values}"
    if way == "big-endian":
        return shown, _held(values, chance.choice([">i4", ">i8", ">i2"]))
    if way == "unsigned":
        return shown, _unsigned(values, chance.choice(["u1", "u2", "u4", "u8"]))
    if way == "unsigned outside" and values:
        values[at] = chance.choice([2**64 - 1, 2**63, 2**32])
        return f"{way} {values}", _unsigned(values, "u8")
    if way == "float":
        return shown, np.array(values, "f8")
    if way == "bool":
        return shown, np.array(values).astype(bool)
    if way in ("2-d", "0-d"):
        return shown, np.array([values] if way == "2-d" else 0, kind)
    return shown, _held(values, kind)


def values(chance: random.Random, true: np.ndarray) -> Odd:
    """Numbers that are not finite, too large, of another type or shape."""
    at = tuple(chance.randrange(size) for size in true.shape)
    way = chance.choice(["nan", "inf", "-inf", "huge", "tiny", "not held", "complex", "f2", "f4", "g", "bool", ">f8",
                         ">i4", "i1", "u8", "text", "date", "object", "flat", "deep", "short", "F",
                         "-0.0"])  # fmt: skip
    new = np.array(true, np.float64)
    one = {"nan": np.nan, "inf": np.inf, "-inf": -np.inf, "huge": chance.choice([1e300, 2.0**500, 1e160]),
        "tiny": 5e-324,
           "-0.0": -0.0}.get(way)  # fmt: skip
    if one is not None:
        new[at] = one
    elif way == "not held":
        new = new.astype(np.int64)
        new[at] = 2**53 + 1
    elif way == "complex":
        new = new.astype(complex)
    elif way in ("f2", "f4", "g", "bool", ">f8", ">i4", "i1", "u8"):
        new = np.abs(new).astype(way) if way == "u8" else new.astype(way)
    elif way == "text":
        new = new.astype(str)
    elif way == "date":
        new = new.astype("M8[D]")
    elif way == "flat":
        new = new.ravel() if new.ndim > 1 else new[:, None]
    elif way == "deep":
        new = new[None]
    elif way == "short":
        new = new[:-1]
    elif way == "F":
        new = np.asfortranarray(new)
    elif way == "object":
        new = new.astype(object)
    return f"{way} {new.dtype} {new.shape}", new


def labels(chance: random.Random, true: np.ndarray) -> Odd:
    """Labels of every type that NumPy has, of another number or shape, or that are no labels."""
    n = len(true)
    two = [chance.choice(pair) for pair in [(0, 1)] for _ in range(n)]
    two[0], two[1] = 0, 1
    where = np.array(two)
    table: dict[str, Any] = {
        "complex": where.astype(complex), "datetime": where.astype("M8[D]"), "timedelta": where.astype("m8[s]"),
        "struct": np.zeros(n, [("a", "i4"), ("b", "f8")]), "bytes": np.array([b"no", b"yes"])[where],
        "bytes not ASCII": np.array([b"\xe9", b"yes"])[where], "bytes UTF-8": np.array(["é".encode(), b"yes"])[where],
        "text": np.array(["no", "yes"])[where], "text not ASCII": np.array(["é", "日本"])[where],
        "spaces": np.array([" a", "a "])[where], "empty": np.array(["", "a"])[where],
        "NUL": np.array(["a\0b", "a"])[where], "nan text": np.array(["nan", "a"])[where],
        "numbers as texts": np.array(["+1", "1.0"])[where], "true": np.array(["true", "false"])[where],
        "line end": np.array(["a\nb", "a"])[where], "comma": np.array(["a,b", '"'])[where],
        "bool": where.astype(bool), "i1": where.astype("i1"), "u8": where.astype("u8"), ">i8": where.astype(">i8"),
        ">f4": where.astype(">f4"), "f2": where.astype("f2"), "g": where.astype("g"),
        "u8 large": np.array([2**64 - 1, 2**64 - 2], "u8")[where], "i8 large": np.array([2**53, 2**53 + 1])[where],
        "nan": np.where(where, np.nan, 1.0), "inf": np.where(where, np.inf, 1.0), "real": where + 0.5,
        "three": np.arange(n) % 3, "one class": np.zeros(n), "short": where[:-1], "long": np.append(where, 1),
        "2-d": where[:, None], "0-d": np.array(1), "none": np.empty(0), "void": np.zeros(n, "V3"),
        "object": where.astype(object), "halves of letters": np.array(["\ud800", "a"])[where],
    }  # fmt: skip
    way = chance.choice(sorted(table))
    return way, table[way]


def _unsigned(values: list[int], kind: str) -> np.ndarray:
    """The numbers in an unsigned type, as their binary digits are."""
    return np.array([value % 2 ** (8 * int(kind[1])) for value in values], kind)


def _held(values: list[int], kind: str) -> np.ndarray:
    """The numbers in the type, or in the smallest one that holds them."""
    for one in (kind, "i4", "i8"):
        limits = np.iinfo(one)
        if all(limits.min <= value <= limits.max for value in values):
            return np.array(values, one)
    return np.array([value % 2**64 for value in values], "u8")
