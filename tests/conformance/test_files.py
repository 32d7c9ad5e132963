"""Files to points: one table of what files hold and what is read, and one of what is refused, with the words.

Every case is read whole and in blocks of a few bytes, in memory and beyond the memory limit: the same points, the same
error. That runs are the same from every format and storage is shown by the routes (test_routes).
"""

from __future__ import annotations

import bz2
import gzip
import itertools
import lzma
import pickle
import random
import re
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
import scipy.sparse as sp
import zstandard
from hypothesis import given, strategies as st
from sklearn.datasets import load_svmlight_file

import novikoff as nv
from commands import answer, novikoff
from data.limits import limits
from oracles.plain_points import read_plain

pytestmark = pytest.mark.bounds
WAYS = ((None, 4), (None, 16), (None, 1 << 20), ("1", 100), ("1", 1 << 20))  # memory, bytes of a block


def at(folder: Path, name: str, content: Any) -> Path:
    """A file with this content: text, bytes, or a table of Arrow in row groups of 2."""
    path = folder / name
    if isinstance(content, pa.Table):
        if name.endswith("parquet"):
            pyarrow.parquet.write_table(content, path, row_group_size=2)
            return path
        with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, content.schema) as writer:
            writer.write_table(content, max_chunksize=2)
    else:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def dense(X: Any) -> list[Any]:
    return (X.toarray() if hasattr(X, "toarray") else np.asarray(X)).tolist()


# ---- what is read

TABLE = pa.table({"a": [1.5, 0.0, 3.0], "y": ["no", "yes", "yes"], "b": [0.0, -2.0, 4.0]})
GAPS = pa.Table.from_pylist([{"a": 1.0, "y": "p"}, {"a": None, "y": "q"}, {"a": 2.0, "y": "q"}, {"a": 3.0, "y": None}])
READ: dict[str, tuple[str, Any, dict[str, Any], tuple[Any, Any, Any]]] = {
    "svmlight": (
        "t.svm",
        "# made by hand\n+1 1:0.5 3:-2e-1 # first\r\n\n-1\n1 2:1 # 4:5\n  -1   1:1\t3:7.25  ",
        {},
        ([[0.5, 0, -0.2], [0, 0, 0], [0, 1, 0], [1, 0, 7.25]], [1, -1, 1, -1], None),
    ),
    "columns from 0": ("t.svm", "1 1:5\n-1 0:6 2:7\n", {}, ([[0, 5, 0], [6, 0, 7]], [1, -1], None)),
    "labels of text": (
        "t.svm", "1 1:1\n+1 1:2\nspam 1:3\n2.50 1:4\n", {}, ([[1], [2], [3], [4]], ["1", "1", "spam", "2.5"], None)
    ),
    "quotes": (
        "t.csv",
        'age,"height, cm",y\n1,2.5,no\n"3"," 4",yes\n5,6,"n""o"\n',
        {},
        ([[1, 2.5], [3, 4], [5, 6]], ["no", "yes", 'n"o'], ("age", "height, cm")),
    ),
    "lines in quotes": (
        "t.csv",
        '"a\nb",y\n1,"one\n\ntwo ""x"""\n"2",z\n3,"\nw"\n',
        {},
        ([[1], [2], [3]], ['one\n\ntwo "x"', "z", "w"], ("a\nb",)),
    ),
    "tabs": ("t.tsv", '1\t2\t"a\n3\t4\tb"\n', {}, ([[1, 2], [3, 4]], ['"a', 'b"'], None)),
    "comma": ("t.csv", "a;b;y\n0,5;1;0\n-2,25;1e1;1\n", {"decimal_comma": True},
              ([[0.5, 1], [-2.25, 10]], [0, 1], "ab")),
    "label by number": ("t.csv", "first,second\n1,2\n0,4\n", {"label": 0}, ([[2], [4]], [1, 0], ("second",))),
    "label by name": ("t.csv", "first,second\n1,2\n0,4\n", {"label": "first"}, ([[2], [4]], [1, 0], ("second",))),
    "drop": (
        "t.csv", "a,b,y\n1,,0\n2,3,1\nNA,4,1\n5,6,0\n", {"missing": "drop"}, ([[2, 3], [5, 6]], [1, 0], ("a", "b"))
    ),
    "NA is a class": ("t.csv", "a,y\n1,NA\n2,q\n", {}, ([[1], [2]], ["NA", "q"], ("a",))),
    "unless dropped": ("t.csv", "a,y\n1,NA\n2,q\n3,p\n", {"missing": "drop"}, ([[2], [3]], ["q", "p"], ("a",))),
    "no header": ("t.csv", "1,2,0\n3,4,1\n", {}, ([[1, 2], [3, 4]], [0, 1], None)),
    "names of numbers": ("t.csv", "1,2,y\n3,4,1\n5,6,0\n", {"header": True}, ([[3, 4], [5, 6]], [1, 0], ("1", "2"))),
    "columns": ("t.csv", "a,b,y\n1,2,0\n3,4,1\n", {"columns": ["b"]}, ([[2], [4]], [0, 1], ("b",))),
    "dropped": ("t.csv", "a,b,y\n1,2,0\n3,4,1\n", {"drop": ["a"]}, ([[2], [4]], [0, 1], ("b",))),
    "columns by number": ("t.csv", "a,b,y\n1,2,0\n3,4,1\n", {"columns": [1]}, ([[2], [4]], [0, 1], ("b",))),
    "dropped by number": ("t.tsv", "a\tb\ty\nx\t2\t0\nz\t4\t1\n", {"drop": [0]}, ([[2], [4]], [0, 1], ("b",))),
    "columns of parquet": ("t.parquet", TABLE, {"columns": ["b"]}, ([[0], [-2], [4]], ["no", "yes", "yes"], ("b",))),
    "dropped of arrow": ("t.arrow", TABLE, {"drop": [2]}, ([[1.5], [0], [3]], ["no", "yes", "yes"], ("a",))),
    "mark": ("t.csv", "\ufeffa,y\n1,0\n2,1\n", {}, ([[1], [2]], [0, 1], ("a",))),
    "mark of svmlight": ("t.svm", "\ufeff1 1:1\n0 1:2\n", {}, ([[1], [2]], [1, 0], None)),
    "long zeros": ("t.csv", "a,b,y\n0e99999,1,0\n2,1e-99999,1\n", {}, ([[0, 1], [2, 0]], [0, 1], ("a", "b"))),
    "large labels": ("t.csv", "0,9007199254740993\n1,9007199254740992\n", {}, ([[0], [1]], [2**53 + 1, 2**53], None)),
    "larger labels": (
        "t.csv", "0,9007199254740992000001\n1,9007199254740992000000\n", {},
        ([[0], [1]], ["9007199254740992000001", "9007199254740992000000"], None),
    ),
    "parquet": ("t.parquet", TABLE, {}, ([[1.5, 0], [0, -2], [3, 4]], ["no", "yes", "yes"], ("a", "b"))),
    "arrow": ("t.arrow", TABLE, {}, ([[1.5, 0], [0, -2], [3, 4]], ["no", "yes", "yes"], ("a", "b"))),
    "parquet gaps": ("t.parquet", GAPS, {"missing": "drop"}, ([[1], [2]], ["p", "q"], ("a",))),
    "arrow gaps": ("t.arrow", GAPS, {"missing": "drop"}, ([[1], [2]], ["p", "q"], ("a",))),
    "parquet 2^60": ("t.parquet", pa.table({"a": [2**60, 3], "y": [0, 1]}), {}, ([[2.0**60], [3]], [0, 1], ("a",))),
}  # fmt: skip


@pytest.mark.parametrize("case", READ)
def test_what_is_read(case: str, tmp_path: Path) -> None:
    name, content, how, (X, y, names) = READ[case]
    path = at(tmp_path, name, content)
    for memory, block in WAYS:
        with limits(text=block):
            points = nv.read(path, memory=memory, **how)
        assert dense(points.X) == X, (memory, block)
        assert np.asarray(points.y).tolist() == y, (memory, block)
        assert (points.names and tuple(points.names)) == (names and tuple(names))
        assert (points.n, points.d) == (len(X), len(X[0]))


# ---- what is refused

PAIR, FINITE, MISSING = "a pair column:number", "a finite number was expected after the colon", "missing='drop'"
WORDS = r"found 'blue'; .* takes numbers only: use open_data"
TWICE = ("1,2,0\n3,1\n", "1,2,0\n3,4,5,1\n")
REFUSED: list[tuple[str, Any, str]] = [
    ("t.svm", "1 1:2\n-1 3\n", rf"line 2, byte 4: found '3'; {PAIR}"),
    ("t.svm", "1 1:2\n-1 a:3\n", r"line 2, byte 4: found 'a:3'; a pair"),
    ("t.svm", "1 1:2 -1:3\n", r"line 1, byte 7: found '-1:3'; a pair"),
    ("t.svm", "1 1:x\n", rf"line 1, byte 3: found '1:x'; {FINITE}"),
    ("t.svm", "1 1:nan\n", r"found '1:nan'; a finite"),
    ("t.svm", "1 1:1e999\n", r"found '1:1e999'; a finite"),
    ("t.svm", "1 1:2 2:\n", r"line 1, byte 7: found '2:'; a finite"),
    ("t.svm", "1 qid:3 1:2\n", r"line 1, byte 3: found 'qid:3'; a pair"),
    ("t.svm", "1 1:1 2:5 01:2\n", r"line 1, byte 11: found '01:2'; a column after those before it"),
    ("t.svm", "1 12345678901234567890:1\n", r"at most 18 digits"),
    ("t.svm", "1 1:1 \x00\n", r"line 1, byte 7: found '\\x00'"),
    ("t.svm", "# nothing\n\n", "found no rows"),
    ("t.svm", "1 " + "1: " * 1200, FINITE),
    ("t.svm", "1 1:1\n" + "0 " + "7:\t" * 5000, FINITE),
    ("t.svm", "nan 1:1\n", r"line 1.*found 'nan'"),
    ("t.svm", "1 1:1\n1 1:x\n2 2\n", "line 2, byte 3: found '1:x'"),  # of two the first
    ("t.svm", "1 2 1:x\n", "line 1, byte 3: found '2'"),
    ("t.svm", "1 1:1 1:2\n2 2\n", "line 1, byte 7: found '1:2'; a column after those before it"),
    ("t.svm", "2 2:x\nnan 1:1\n", "line 1, byte 3"),
    ("t.csv", "", "found no rows"),
    ("t.csv", 'a,y\n1,2\n3,"x\n4,5\n', "line 3: a quotation mark is opened here and not closed"),
    ("t.csv", 'a,t,y\n1,5" pipe,0\n', r"line 2: a quotation mark .* not closed.*; write a quotation mark in a cell"),
    ("t.csv", "a,y\n1,x\n2,\n", r"line 3, column 2 \('y'\): found an empty cell; a label was expected"),
    *(("t.csv", f"a,y\n1,p\n2,{label}\n3,q\n", r"line 3, column 2 \('y'\): found .*; a label was expected; missing=")
      for label in ("nan", "NaN", '"nan"', '" "')),
    ("t.csv", "a,b,y\n1,,0\n2,3,1\n", rf"line 2, column 2 \('b'\): found an empty cell; .*{MISSING}"),
    ("t.csv", "1,2,0\n3,1\n", "line 2: found 2 cells; 3 as in the first line"),
    ("t.csv", 'a,b,y\n1,2,0\n"3",4,5,1\n', "line 3: found 4 cells"),
    ("t.csv", "a,b,y\n1,2,0\n1,x,0\n", r"line 3, column 2 \('b'\): found 'x'; a number"),
    ("t.csv", 'a,b,y\n1,2,0\n1,"x",0\n', r"line 3, column 2 \('b'\): found 'x'; a number"),
    ("t.csv", "1,2 3,0\n", "line 1, column 2: found '2 3'; a number was expected"),
    ("t.csv", "5.1,,1.4,0\n4.9,3,1.4,1\n", "line 1, column 2: found an empty cell"),
    ("t.csv", "5.1,-inf,1.4,0\n4.9,3,1.4,1\n", "line 1, column 2: found '-inf'"),
    ("t.csv", "5.1,3.x,1.4,0\n4.9,3,1.4,1\n", "found '5.1,3.x,1.4,0' in .* a header or a row .*header=False"),
    ("t.csv", "1,2,0\n1,inf,0\n", "found 'inf'; a finite number was expected; mend it"),
    ("t.csv", "a|b|y\n1|2|0\n", r"found one column, 'a\|b\|y'; cells between commas, semicolons or tabs"),
    ("t.csv", "a,a,y\n1,2,0\n", r"two columns are named 'a'; .*header=False"),
    ("t.csv", "red,low,p\nblue,low,e\n", r"line 2, column 1: found 'blue'; .*taken as names: header=False"),
    ("t.csv", "a,b,p\n1,2,e\nblue,2,e\n", rf"line 3, column 1 \('a'\): {WORDS}"),
    ("t.csv", "a,b,y\nblue,red,e\n", rf"line 2, column 1 \('a'\): {WORDS}"),
    ("t.csv", "a,y\n1e99999,1\n", r"line 2, column 1.*: found '1e99999'; .* beyond binary64"),
    ("t.csv", "x;label\n1;a\n0,5;b\n", "decimal_comma=True reads 0,5 as a half"),
    ("t.csv", "a,y\n1,1\n2\nx,1\n", "line 3: found 1 cells"),  # of two the first
    ("t.csv", "a,y\nx,1\n2,\n", "line 2, column 1"),
    ("t.csv", "a,y\n1,\nx,1\n", "line 2, column 2"),
    ("t.csv", 'a,y\n"1",\n2\n', "line 2, column 2"),
    ("t.parquet", GAPS, rf"{MISSING} leaves such rows out"),
    ("t.arrow", GAPS, rf"{MISSING} leaves such rows out"),
    ("t.parquet", pa.table({"a": [1, 2**53 + 1], "y": [0, 1]}), r"column 'a': 9007199254740993 .*stored exactly"),
    ("t.parquet", pa.table({"a": pa.array([1, 2**64 - 1], "uint64"), "y": [0, 1]}), "cannot be stored exactly"),
    ("t.parquet", pa.table({"a": pa.array([1, 2]).cast(pa.decimal128(20, 1)), "y": [0, 1]}), r"decimal128\(20, 1\)"),
    ("t.npz", b"PK\x03\x04 garbage", "cannot be read"),
    ("t.npy", b"\x93NUMPY garbage", "is an array without labels; write X and y by np.savez"),
    ("objects.npz", pickle.dumps([1]), r"cannot be read \(no array of numbers or texts"),
    ("t.parquet", b"PAR1 garbage PAR1", "cannot be read"),
    ("t.arrow", b"ARROW1 garbage", "cannot be read"),
    ("t.what", b"", "the name does not determine the format"),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_what_is_refused(number: int, tmp_path: Path) -> None:
    name, content, words = REFUSED[number]
    path = at(tmp_path, name, content)
    for memory, block in WAYS if len(content) < 1000 else WAYS[2::2]:
        with limits(text=block), pytest.raises(nv.InputError, match=words) as error:
            nv.read(path, memory=memory)
        assert name in str(error.value)


ARGUMENTS: dict[str, tuple[Callable[[Path], Any], str]] = {
    "gone": (lambda f: nv.read(f / "gone.csv"), r"gone\.csv: cannot be read \(No such file"),
    "drop": (lambda f: nv.read(at(f, "t.svm", "1 1:2\n"), missing="drop"), r"missing='drop': is for csv, .*svmlight"),
    "columns": (lambda f: nv.read(at(f, "t.svm", "1 1:2\n"), columns=["a"]), "columns"),
    "unknown": (lambda f: nv.read(at(f, "t.csv", "a,b,y\n1,2,0\n"), columns=["c"]), r"'c'.*'?a'?"),
    "unknown of parquet": (lambda f: nv.read(at(f, "t.parquet", TABLE), drop=["c"]), "'c'; the columns are a, y, b"),
    "a text": (lambda f: nv.read(at(f, "t.csv", "a,b,y\n1,2,0\n"), drop="a"), "drop: found 'a'; a list of names or nu"),
    "the label": (lambda f: nv.open_data(at(f, "t.csv", "a,y\n1,0\n"), label="y", drop=["y"]), "this column is the la"),
    "word": (lambda f: nv.read(at(f, "t.csv", "a,y\n1,0\n"), missing="never"), "missing: found 'never'"),
    "memory": (lambda f: nv.read(at(f, "t.csv", "a,y\n1,0\n"), memory="much"), "memory: found 'much'"),
    "stdin": (lambda f: nv.read("-", format="parquet"), "-: found format='parquet'; standard input can be csv, tsv"),
}


@pytest.mark.parametrize("case", ARGUMENTS)
def test_arguments_that_are_refused(case: str, tmp_path: Path) -> None:
    call, words = ARGUMENTS[case]
    with pytest.raises(nv.InputError, match=words):
        call(tmp_path)


SPARSE = np.array([[1.0, 0, 2, 0], [0, 0, 3, 0], [4.0, 0, 0, 0]])
LABELS = np.array([0, 1, 0])
LIES: dict[str, dict[str, Any]] = {
    "falling": {"indptr": np.array([0, 3, 2, 4])},
    "negative": {"indptr": np.array([0, -1, 2, 4])},
    "beyond": {"indptr": np.array([0, 2, 3, 9])},
    "wraps": {"indptr": np.array([0, 2**62, -(2**62), 4])},
    "wraps in 8 bits": {"indptr": np.array([0, 100, -100, 4], np.int8)},
    "short": {"indptr": np.array([0, 2])},
    "floats": {"indptr": np.array([0.0, 2, 3, 4])},
    "short indices": {"indices": np.array([0, 1, 2])},
    "negative index": {"indices": np.array([0, -1, 2, 0])},
    "large index": {"indices": np.array([0, 4, 2, 0])},
    "2-D data": {"data": np.ones((4, 1))},
    "complex": {"data": np.ones(4, complex)},
    "shape of one": {"shape": np.array([3])},
    "narrow shape": {"shape": np.array([3, 2])},
    "wide shape": {"shape": np.array([3, 2**40])},
    "unknown format": {"format": np.array(b"lil")},
    "dates": {"y": LABELS.astype("M8[s]")},
    "too few labels": {"y": LABELS[:2]},
}


@pytest.mark.parametrize("lie", LIES)
def test_a_sparse_npz_that_lies_is_refused(lie: str, tmp_path: Path) -> None:
    S = sp.csr_matrix(SPARSE)
    parts = {"data": S.data, "indices": S.indices, "indptr": S.indptr, "shape": S.shape, "format": b"csr", "y": LABELS}
    np.savez(tmp_path / "a.npz", **parts)
    assert dense(nv.read(tmp_path / "a.npz").X) == SPARSE.tolist()
    np.savez(tmp_path / "a.npz", **parts | LIES[lie])
    for verb in (("fit",), ("certify",), ("convert", tmp_path / "out.csv")):
        said = novikoff(verb[0], tmp_path / "a.npz", *verb[1:])
        assert said.code == 3
        assert "a.npz" in said.err
    assert not (tmp_path / "out.csv").exists()


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "zst": zstandard.compress,
}  # fmt: skip


@pytest.mark.parametrize("packer", PACKERS)
def test_a_packed_file_that_is_cut_off_or_damaged_is_named(packer: str, tmp_path: Path) -> None:
    raw = PACKERS[packer]("".join(f"{i % 2} 1:{i / 7}\n" for i in range(5000)).encode())
    path = tmp_path / f"t.svm.{packer}"
    path.write_bytes(raw)
    assert nv.read(path).n == 5000
    for damaged in (raw[: len(raw) // 2], raw[:200] + bytes(50) + raw[250:]):
        path.write_bytes(damaged)
        for memory in (None, "1K"):
            with pytest.raises(nv.InputError, match=r"t\.svm"):
                nv.read(path, memory=memory)


# ---- numbers and drawn files, against slow readers


def numbers(count: int, seed: int) -> list[str]:
    """Texts of all kinds of numbers: bits drawn, few and many digits, whole numbers, middles between two doubles."""
    rng, texts = random.Random(seed), []
    while len(texts) < count:
        bits = struct.unpack("<d", struct.pack("<Q", rng.getrandbits(64)))[0]
        whole = (rng.getrandbits(53) | 1 << 52) * 2 + 1  # 54 digits: in the middle between two doubles
        texts += [
            repr(bits),
            f"{rng.random():.6g}",
            f"{rng.gauss(0, 1) * 10.0 ** rng.randint(-30, 30):.17g}",
            f"{rng.getrandbits(rng.randint(1, 64))}e{rng.randint(-345, 285)}",
            f"{whole}e0",
            f"{whole * 5 ** (k := rng.randint(0, 3))}e-{k}",
            f"-0.000{rng.getrandbits(60)}",
        ]
    return [text for text in texts if "n" not in text]


@pytest.mark.usefixtures("both_modes")
def test_a_number_is_the_nearest_double(tmp_path: Path) -> None:
    texts = numbers(2000, 5)
    wanted = [float(text) for text in texts]
    table = at(tmp_path, "t.csv", "a,y\n" + "".join(f"{text},{k % 2}\n" for k, text in enumerate(texts)))
    sparse = at(tmp_path, "t.svm", "".join(f"{k % 2} 1:{text}\n" for k, text in enumerate(texts)))
    assert dense(nv.read(table).X) == [[v] for v in wanted]
    assert nv.read(sparse).X.toarray()[:, 0].tolist() == wanted
    for text in ("x", "+", "-", ".", "1e", "1e+", "1x", "1.2.3", "1-", "0x1", "1_0", "١"):
        with pytest.raises(nv.InputError):
            nv.read(at(tmp_path, "bad.csv", f"a,b,y\n1,2,0\n{text},2,1\n"))


cells = st.one_of(st.integers(-(10**6), 10**6).map(str), st.floats(allow_nan=False, allow_infinity=False).map(repr))


@given(rows=st.lists(st.tuples(cells, cells, st.sampled_from("ab")), min_size=2, max_size=12), block=st.integers(1, 40))
def test_drawn_tables_are_what_the_slow_reader_reads(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, str]], block: int
) -> None:
    """As read_plain, which shares nothing with the readers but the rules, has it."""
    text = "u,v,y\n" + "".join(",".join(row) + "\n" for row in rows)
    path = at(tmp_path_factory.mktemp("t"), "t.csv", text)
    with limits(text=block):
        points = nv.read(path)
    plain = read_plain(path)
    assert dense(points.X) == np.asarray(plain.X, float).tolist()
    assert np.asarray(points.y).tolist() == list(plain.y)


pairs = st.dictionaries(st.integers(1, 9), st.floats(-1e30, 1e30).map(repr), max_size=5)


@given(rows=st.lists(st.tuples(st.sampled_from(["1", "-1", "+1"]), pairs), min_size=2, max_size=9),
       block=st.integers(1, 40), gap=st.sampled_from([" ", "\t"]), ending=st.sampled_from(["\n", "\r\n"]))  # fmt: skip
def test_drawn_svmlight_files_are_what_scikit_learn_reads(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, dict[int, str]]], block: int, gap: str, ending: str
) -> None:
    lines = [gap.join([label, *(f"{j}:{v}" for j, v in sorted(cells.items()))]) for label, cells in rows]
    path = at(tmp_path_factory.mktemp("t"), "t.svm", ending.join(lines) + ending)
    with limits(text=block):
        points = nv.read(path)
    X, y = load_svmlight_file(str(path), zero_based=False)
    assert points.X.shape == X.shape or not X.nnz
    assert dense(points.X)[: len(y)] == X.toarray().tolist() or not X.nnz
    assert np.asarray(points.y).tolist() == y.tolist()


# ---- files that are written, several files, roles of columns, rows that are left out


@pytest.mark.parametrize("name", ["t.csv", "t.svm", "t.npz"])
@pytest.mark.parametrize("start", ["t.svm", "t.csv"])
def test_what_convert_writes_reads_back_to_the_bit(start: str, name: str, tmp_path: Path) -> None:
    texts = numbers(60, 8)
    values = [text for text in texts if abs(float(text)) < 1e150][:40]
    rows = [(values[2 * k], values[2 * k + 1], k % 2) for k in range(20)]
    text = {
        "t.svm": "".join(f"{y} 1:{a} 2:{b}\n" for a, b, y in rows),
        "t.csv": "a,b,y\n" + "".join(f"{a},{b},{y}\n" for a, b, y in rows),
    }[start]
    first = at(tmp_path, f"first-{start}", text)
    out = tmp_path / name
    assert novikoff("convert", first, out).code == 0
    one, other = nv.read(first), nv.read(out)
    assert dense(other.X) == dense(one.X)
    assert np.asarray(other.y).tolist() == np.asarray(one.y).tolist()
    if name == "t.csv" and start == "t.csv":
        assert other.names == one.names


@pytest.mark.parametrize("form", ["csv", "svm", "parquet"])
def test_files_of_a_pattern_are_one_file(form: str, tmp_path: Path) -> None:
    X, y = np.arange(24.0).reshape(12, 2) % 5 + 1, np.arange(12) % 2
    for k in range(3):
        rows = slice(4 * k, 4 * k + 4)
        part: Any = pa.table({"a": X[rows, 0], "b": X[rows, 1], "y": y[rows]})
        if form == "csv":
            part = "a,b,y\n" + "".join(f"{u},{v},{t}\n" for (u, v), t in zip(X[rows].tolist(), y[rows], strict=True))
        elif form == "svm":
            part = "".join(f"{t} 1:{u} 2:{v}\n" for (u, v), t in zip(X[rows].tolist(), y[rows], strict=True))
        at(tmp_path, f"part-{k}.{form}", part)
    for where, memory in itertools.product((tmp_path / f"part-*.{form}", tmp_path), (None, "1")):
        points = nv.read(where, memory=memory)
        assert dense(points.X) == X.tolist()
        assert np.asarray(points.y).tolist() == y.tolist()


def test_parquet_files_of_other_types_are_joined_or_the_file_is_named(tmp_path: Path) -> None:
    for second, words in (([0.5, 1.5], None), (["x", "y"], "part-1.parquet.*column 'b'"), ([2**53 + 1, 1], "part-1")):
        for k, b in enumerate(([1, 2], second)):
            at(tmp_path, f"part-{k}.parquet", pa.table({"a": [1, 2], "b": b, "y": ["no", "yes"]}))
        for memory in (None, "1"):
            if words is None:
                assert dense(nv.read(tmp_path / "part-*.parquet", memory=memory).X)[3] == [2, 1.5]
                continue
            with pytest.raises(nv.InputError, match=words):
                nv.read(tmp_path / "part-*.parquet", memory=memory)


@pytest.mark.parametrize("memory", [None, "1"])
def test_rows_that_were_left_out_keep_the_numbers_of_the_file(memory: str | None, tmp_path: Path) -> None:
    """Verdicts, margins, explanations and errors name the rows as the file has them."""
    text = "u,v,y\n,1,a\n0,0,a\n1,0,b\n,,b\n1,1,a\n0,1,b\n"  # XOR in rows 2, 3, 5 and 6
    path = at(tmp_path, "t.csv", text)
    points = nv.read(path, missing="drop", memory=memory)
    assert points.dropped == 2
    verdict = nv.decide(points)
    assert sorted(verdict.support) == [1, 2, 4, 5]
    assert {*re.findall(r"p(\d)", str(verdict.explain()))} == {*"2356"}
    options = ("--missing", "drop", *(("--memory", "1") if memory else ()))
    assert sorted(answer("certify", path, *options, code=1)["support"]) == [1, 2, 4, 5]
    huge = at(tmp_path, "huge.csv", "a,y\n,0\n1,0\n2,1\n1e200,1\n")
    with pytest.raises(nv.InputError, match=r"row 4 \(3 counted from 0\)"):
        nv.Perceptron().fit(nv.read(huge, missing="drop", memory=memory))
    assert "row 4" in novikoff("fit", huge, *options).err


@pytest.mark.parametrize(("word", "number"), [("red", "1"), ("1", "2.5")])
def test_columns_of_words_become_categories(word: str, number: str, tmp_path: Path) -> None:
    path = at(tmp_path, "t.csv", "a,b,y\n" + f"{word},0,0\n{number},1,1\n" * 4)
    names = sorted([f"a={word}", f"a={number}"])
    assert sorted(nv.open_data(path, category=["a"]).prepare().names or ()) == sorted(["b", *names])
    found = list(nv.open_data(path, one_hot=True).prepare().names or ())
    assert sorted(found) == (sorted(["b", *names]) if word == "red" else ["a", "b"])


def test_a_table_is_transposed(tmp_path: Path) -> None:
    """Z2: a column for each point; a bad cell is told by its place in the file."""
    for text in ("1,2,3\n4,5,6\na,b,a\n", "h,p,q,r\nx,1,2,3\nz,4,5,6\nk,a,b,a\n"):
        data = nv.open_data(at(tmp_path, "t.csv", text), transpose=True)
        assert dense(data.X) == [[1, 4], [2, 5], [3, 6]]
        assert list(data.y) == ["a", "b", "a"]
    with pytest.raises(nv.InputError, match="line 2"):
        nv.open_data(at(tmp_path, "t.csv", "1,2,3\n4,x,6\na,b,a\n"), transpose=True).prepare()
    with pytest.raises(nv.InputError, match="line 2"):
        nv.open_data(at(tmp_path, "t.csv", "1,2,3\n4,5\na,b,a\n"), transpose=True)
