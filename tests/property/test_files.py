"""Files are read alike by the fast readers and by the checker's own, which is slow and trusted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import novikoff as nv
from examples import examples
from novikoff.io import text_blocks
from novikoff.io.reader import open_source, read
from novikoff.io.reading import Reading
from novikoff.io.rows import read_rows
from oracles.plain_points import read_plain

numbers = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.integers(-(10**20), 10**20).map(str),
    st.from_regex(r"[+-]?([0-9]{1,22}\.?[0-9]{0,22}|\.[0-9]{1,22})([eE][+-]?[0-9]{1,3})?", fullmatch=True),
)
cells = st.one_of(
    numbers,
    numbers,
    numbers,
    st.sampled_from(["", "nan", "inf", "1_0", "0x1", "x", "1e", "--1", "1 2", "1e400", "low", "#N/A", "-"]),
)


def same(path: Path) -> None:
    """Both readers give the same points, or both refuse."""
    answers: list[Any] = []
    for reader in (read, read_plain):
        try:
            answers.append(reader(path))
        except nv.InputError as error:
            answers.append(error)
    fast, slow = answers
    if isinstance(fast, nv.InputError) and "a column after those before it was expected" in str(fast):
        columns = [
            int(pair.partition(":")[0]) for pair in path.read_text().splitlines()[(fast.line or 0) - 1].split()[1:]
        ]
        assert columns != sorted({*columns}), f"{path.read_bytes()!r}: {fast}"  # the plain reader takes any order
        return
    if isinstance(slow, nv.InputError):
        assert isinstance(fast, nv.InputError), f"{path.read_bytes()!r}: {slow}"
        assert str(path) in str(fast)
        return
    assert not isinstance(fast, nv.InputError), f"{path.read_bytes()!r}: {fast}"
    dense = [p.X if isinstance(p.X, np.ndarray) else p.X.toarray() for p in answers]
    assert dense[0].tobytes() == (dense[1] + 0.0).tobytes() or np.array_equal(*dense)
    assert fast.y.tolist() == slow.y.tolist()
    assert fast.names == slow.names


@examples(300)
@given(st.lists(st.lists(cells, min_size=2, max_size=4), min_size=1, max_size=6), st.sampled_from(["\n", "\r\n"]))
def test_tables(tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]], end: str) -> None:
    path = tmp_path_factory.mktemp("t") / "t.csv"
    path.write_bytes("".join(",".join(row) + end for row in rows).encode())
    same(path)


pairs = st.tuples(st.integers(0, 9), cells).map(lambda p: f"{p[0]}:{p[1]}")


@examples(300)
@given(
    st.lists(
        st.tuples(st.sampled_from(["1", "-1", "+1", "2.5", "spam", "1e3"]), st.lists(pairs, max_size=4)),
        min_size=1,
        max_size=6,
    )
)
def test_svmlight(tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, list[str]]]) -> None:
    path = tmp_path_factory.mktemp("t") / "t.svm"
    path.write_text("".join(f"{label} {' '.join(words)}\n" for label, words in rows))
    same(path)


lengths = st.one_of(st.integers(0, 9), st.sampled_from([7, 8, 9, 15, 16, 17, 18, 19, 23, 24, 25]))
plain = st.builds(
    lambda sign, whole, part, power: f"{sign}{whole}{'.' + part if part is not None else ''}{power}",
    st.sampled_from(["", "", "-", "+"]),
    lengths.flatmap(lambda n: st.text("0123456789", min_size=max(n, 1), max_size=max(n, 1))),
    st.none() | lengths.flatmap(lambda n: st.text("0005123456789", min_size=n, max_size=n)),
    st.sampled_from(["", "", "", "", "e5", "E-12"]),
)


@examples(150)
@given(
    st.lists(st.lists(plain, min_size=3, max_size=3), min_size=1, max_size=8),
    st.integers(8, 120),
    st.integers(0, 3),
    st.sampled_from(["", "\n"]),
)
def test_numbers_of_any_length_at_the_borders_of_blocks(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]], size: int, readers: int, end: str
) -> None:
    """Numbers that end where the file does, or a block, or where eight bytes do that are looked at at once."""
    folder, before = tmp_path_factory.mktemp("t"), text_blocks.BLOCK
    table, sparse = folder / "t.csv", folder / "t.svm"
    table.write_text("\n".join(",".join([*row, "1"]) for row in rows) + end)
    sparse.write_text("\n".join(" ".join(["1", *(f"{k + 1}:{v}" for k, v in enumerate(row))]) for row in rows) + end)
    wanted = np.array([[float(v) for v in row] for row in rows])
    try:
        text_blocks.BLOCK = size
        for path in (table, sparse):
            found = read_rows(open_source(path, Reading(header=False, readers=readers))).raw.numbers
            X = found if isinstance(found, np.ndarray) else found.toarray()
            assert np.array_equal(X, wanted[:, : X.shape[1]])
    finally:
        text_blocks.BLOCK = before
