"""Rows that are read by their separators are read as letter by letter, which is the reference: without room for marks.

The same arrays, the same counts, and for what is wrong the same place: plain rows, rows of any kind, and texts in which
single letters were changed, for rooms from a few marks to all of a block.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from examples import examples
from novikoff.io import svmlight_kernel
from novikoff.kernels.compile import bind, interpreted

plain_numbers = st.one_of(
    st.integers(0, 9).map(str),
    st.from_regex(r"-?[0-9]\.[0-9]{1,24}", fullmatch=True),
    st.floats(-10, 10).map(lambda x: f"{x:.7g}"),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
)
numbers = st.one_of(
    plain_numbers,
    st.from_regex(r"[+-]{0,2}[0-9]{0,22}\.?[0-9]{0,22}([eE][+-]?[0-9]{0,3})?", fullmatch=True),
    st.sampled_from(["", "nan", "inf", "x", "-", ".", "1e400", "1:2", "1#2"]),
)
gaps = st.sampled_from([" "] * 8 + ["  ", "\t", "\r", "\x0b", ""])
columns = st.one_of(st.integers(0, 12), st.integers(0, 10**8), st.integers(0, 10**20)).map(str)
labels = st.sampled_from(["1", "-1", "+1", "0.5", "2", "yes", "1e3", "a#b", "#", "", " ", "1:2", "é"])
ends = st.sampled_from(["\n"] * 4 + [" \n", "\r\n", " \r\n", " # a: b\n", "#\n", "\n\n"])


@st.composite
def plain_rows(draw: Any) -> str:
    used = sorted(draw(st.sets(st.one_of(st.integers(0, 50), st.integers(0, 10**7)), max_size=30)))
    pairs = [f" {column}:{draw(plain_numbers)}" for column in used]
    return draw(st.sampled_from(["1", "-1", "+1", "3.5", "no"])) + "".join(pairs) + draw(ends)


@st.composite
def any_rows(draw: Any) -> str:
    pairs = draw(st.lists(st.tuples(gaps, columns, st.sampled_from([":"] * 9 + ["", "::"]), numbers), max_size=8))
    query = draw(st.sampled_from(["", "", "", " qid:3", " qid:", " qid:x qid:4"]))
    return draw(labels) + query + "".join("".join(pair) for pair in pairs) + draw(ends)


texts = st.lists(st.one_of(plain_rows(), plain_rows(), any_rows()), min_size=1, max_size=12).map("".join)
changes = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), max_size=3)


def read(text: bytes, marks: int, compiled: bool, widest: int, kind: Any, room: int | None = None) -> Any:
    """What the kernel gives, as bytes and numbers that can be compared."""
    size = len(text)
    buf = np.frombuffer(text + b"\n" + b"7" * svmlight_kernel.ROOM, np.uint8).copy()
    rows, pairs = size // 2 + 2, size // 4 + 2 if room is None else room
    arrays = np.zeros(rows), np.zeros((rows, 2), np.int64), np.zeros(rows, np.int64), np.zeros(pairs, kind)
    values = np.zeros(pairs)
    how = bind if compiled else interpreted
    kernel = how(svmlight_kernel.read, svmlight_kernel)
    with np.errstate(all="ignore"):  # where the compiler is off, both are interpreted
        found = kernel(buf, 0, size, widest, np.empty(marks, np.uint32), *arrays, values)
    wrong, _, n, m, *_ = numbers = [int(v) for v in found]
    parts = arrays[0][:n], arrays[1][:n], arrays[2][: n + 1], arrays[3][:m], values[:m]
    if wrong:
        return numbers[:4]
    used = arrays[3][:m]
    assert numbers[5:] == ([int(used.min()), int(used.max())] if m else [svmlight_kernel.NO_COLUMN, -1])
    return numbers, [part.tobytes() for part in parts]


@pytest.mark.parametrize("compiled", [False, True])
@examples(300)
@given(texts, changes, st.sampled_from([128, 131, 200, 1 << 13]), st.booleans())
def test_separators_give_what_letters_give(
    compiled: bool, text: str, changes: list[tuple[float, int]], marks: int, wide: bool
) -> None:
    raw = bytearray(text.encode())
    for where, letter in changes:
        raw[int(where * (len(raw) - 1))] = letter
    how = (10**18 - 1, np.int64) if wide else (2**31 - 2, np.int32)
    assert read(bytes(raw), marks, compiled, *how) == read(bytes(raw), 0, compiled, *how)


@examples(100)
@given(texts, st.integers(0, 40))
def test_both_stop_where_there_is_no_more_room_for_pairs(text: str, room: int) -> None:
    how = 2**31 - 2, np.int32, room
    assert read(text.encode(), 128, True, *how) == read(text.encode(), 0, True, *how)


def test_rows_longer_than_the_room_for_marks() -> None:
    long = "1 " + " ".join(f"{column}:0.5" for column in range(1, 2000))
    text = f"1 1:1\n{long}\n-1 2:1\n{long}\n\n1 3:2".encode()
    for marks in (128, 1000, 1 << 13):
        assert read(text, marks, True, 2**31 - 2, np.int32) == read(text, 0, True, 2**31 - 2, np.int32)
