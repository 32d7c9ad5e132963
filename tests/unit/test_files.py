"""Readers of files: numbers, packing, blocks, tables, svmlight, and what they say of bad input."""

from __future__ import annotations

import bz2
import gzip
import lzma
import pickle
import random
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
import zstandard
from scipy.sparse import csr_matrix

import novikoff as nv
from novikoff.io import parse_float, text_blocks
from novikoff.io.reader import open_source, read, source_of
from novikoff.io.reading import Reading
from novikoff.io.rows import read_rows
from novikoff.io.source import Chunk, Points
from novikoff.io.writer import write
from novikoff.kernels.compile import bind
from oracles.plain_points import read_plain

pytestmark = pytest.mark.bounds

ROOM = b"\n" + bytes(32)


# ---- numbers -------------------------------------------------------------------------------------------------------


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
            f"{rng.getrandbits(rng.randint(1, 64))}e{rng.randint(-345, 310)}",
            f"{whole}e0",
            f"{whole * 5 ** (k := rng.randint(0, 3))}e-{k}",
            f"-0.000{rng.getrandbits(60)}",
        ]
    return [text for text in texts if "n" not in text]


@pytest.mark.parametrize("compiled", [pytest.param(True, marks=pytest.mark.compiled), False])
def test_a_number_is_the_nearest_double_or_left_to_the_slow_reader(compiled: bool) -> None:
    read_number = bind(parse_float.number, parse_float, compiled)
    left = 0
    texts = numbers(20_000 if compiled else 1_000, 5)
    with np.errstate(all="ignore"):
        for text in texts:
            x, end = read_number(np.frombuffer(text.encode() + ROOM, np.uint8), 0, ord("."), ord(","))
            if np.isnan(x):
                left += 1
            else:
                assert (x, end) == (float(text), len(text)), text
    assert left < 0.2 * len(texts)


@pytest.mark.parametrize(
    "text", ["", "x", "+", "-", ".", "1e", "1e+", "1e99999", "1x", "1.2.3", "1-", "0x1", "inf", "nan", "9" * 20]
)
def test_what_is_no_plain_number_is_left_to_the_slow_reader(text: str) -> None:
    with np.errstate(all="ignore"):
        x, _ = parse_float.number(np.frombuffer(text.encode() + ROOM, np.uint8), 0, ord("."), ord(","))
    assert np.isnan(x)


# ---- blocks --------------------------------------------------------------------------------------------------------

PACKERS = {
    "plain": bytes,
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": lambda raw: (
        b"".join(zstandard.compress(raw[i : i + 1000]) for i in range(0, len(raw), 1000)) or zstandard.compress(raw)
    ),
}


@pytest.mark.parametrize("packer", PACKERS)
@pytest.mark.parametrize("size", [1, 7, 64, 4096])
@pytest.mark.parametrize("ending", ["", "\n"])
def test_blocks_are_whole_lines_and_together_the_file(packer: str, size: int, ending: str, tmp_path: Path) -> None:
    lines = ["x" * (i * 37 % 101) for i in range(200)]
    raw = ("\n".join(lines) + ending).encode()
    path = tmp_path / "any.name"
    path.write_bytes(PACKERS[packer](raw))
    out = b""
    for buf, end, place in text_blocks.blocks_of(path, size):
        assert place == (len(out), out.count(b"\n") + 1)
        assert buf[end] == 10
        out += buf[:end].tobytes()
        assert out.endswith(b"\n") or out == raw
    assert out == raw


@pytest.mark.parametrize("packer", ["gz", "bz2", "xz", "zst"])
def test_a_file_that_is_cut_off_or_damaged_is_named(packer: str, tmp_path: Path) -> None:
    raw = PACKERS[packer]("".join(f"{i % 2} 1:{i / 7}\n" for i in range(5000)).encode())
    path = tmp_path / f"t.svm.{packer}"
    for damaged in (raw[: len(raw) // 2], raw[:200] + bytes(50) + raw[250:]):
        path.write_bytes(damaged)
        with pytest.raises(nv.InputError, match=r"t\.svm"):
            read(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(nv.InputError, match=r"gone\.csv: cannot be read \(No such file"):
        read(tmp_path / "gone.csv")


# ---- svmlight ------------------------------------------------------------------------------------------------------


def written(tmp_path: Path, text: str, name: str = "t.svm") -> Path:
    path = tmp_path / name
    path.write_bytes(text.encode())
    return path


def test_svmlight(tmp_path: Path) -> None:
    text = "# made by hand\n+1 1:0.5 3:-2e-1 # first\r\n\n-1\n1 2:1 # 4:5\n  -1   1:1\t3:7.25  "
    points = read(written(tmp_path, text))
    assert points.X.toarray().tolist() == [[0.5, 0, -0.2], [0, 0, 0], [0, 1, 0], [1, 0, 7.25]]
    assert points.y.tolist() == [1, -1, 1, -1]


def test_columns_count_from_0_where_a_column_0_is_there(tmp_path: Path) -> None:
    assert read(written(tmp_path, "1 1:5\n-1 0:6 2:7\n")).X.toarray().tolist() == [[0, 5, 0], [6, 0, 7]]


def test_columns_that_do_not_ascend_are_refused(tmp_path: Path) -> None:
    for text, byte, found in (("1 3:3 1:1 2:2\n", 7, "1:1"), ("-1 1:1\n1 2:1 2:3\n", 7, "2:3")):
        with pytest.raises(nv.InputError, match=f"byte {byte}: found '{found}'; a column after those before it"):
            read(written(tmp_path, text))


def test_labels_may_be_texts_that_begin_late(tmp_path: Path) -> None:
    points = read(written(tmp_path, "1 1:1\n+1 1:2\nspam 1:3\n2.50 1:4\n"))
    assert points.y.tolist() == ["1", "1", "spam", "2.5"]


WRONG = {
    "1 1:2\n-1 3\n": r"line 2, byte 4: found '3'; a pair column:number",
    "1 1:2\n-1 a:3\n": r"line 2, byte 4: found 'a:3'; a pair",
    "1 1:2 -1:3\n": r"line 1, byte 7: found '-1:3'; a pair",
    "1 1:x\n": r"line 1, byte 3: found '1:x'; a finite number was expected after the colon",
    "1 1:nan\n": r"found '1:nan'; a finite",
    "1 1:1e999\n": r"found '1:1e999'; a finite",
    "1 1:2 2:\n": r"line 1, byte 7: found '2:'; a finite",
    "1 qid:3 1:1\n": r"line 1, byte 3: found 'qid:3'; a pair column:number",
    "1 1:1 2:5 01:2\n": r"line 1, byte 11: found '01:2'; a column after those before it",
    "1 12345678901234567890:1\n": r"at most 18 digits",
    "1 1:1 \x00\n": r"line 1, byte 7: found '\\x00'",
    "": "found no rows",
    "# nothing\n\n": "found no rows",
}


@pytest.mark.parametrize("text", WRONG)
def test_svmlight_that_is_wrong(text: str, tmp_path: Path) -> None:
    with pytest.raises(nv.InputError, match=WRONG[text]) as error:
        read(written(tmp_path, text))
    assert "t.svm" in str(error.value)


# ---- tables --------------------------------------------------------------------------------------------------------


def test_a_table_with_a_header_quotes_and_a_label_of_a_name(tmp_path: Path) -> None:
    text = 'age,"height, cm",y\n1,2.5,no\n"3"," 4",yes\n5,6,"n""o"\n'
    points = read(written(tmp_path, text, "t.csv"))
    assert points.names == ("age", "height, cm")
    assert points.X.tolist() == [[1, 2.5], [3, 4], [5, 6]]
    assert points.y.tolist() == ["no", "yes", 'n"o']


@pytest.mark.parametrize("size", [4, 16, 1000])
def test_a_cell_in_quotes_may_go_over_lines_and_blocks(
    size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_blocks, "BLOCK", size)
    points = read(written(tmp_path, '"a\nb",y\n1,"one\n\ntwo ""x"""\n"2",z\n3,"\nw"\n', "t.csv"))
    assert (points.names, points.X.tolist(), points.y.tolist()) == (
        ("a\nb",),
        [[1], [2], [3]],
        ['one\n\ntwo "x"', "z", "w"],
    )


def test_a_quote_that_is_not_closed_is_named(tmp_path: Path) -> None:
    with pytest.raises(nv.InputError, match=r"t\.csv, line 3: a quotation mark is opened here and not closed"):
        read(written(tmp_path, 'a,y\n1,2\n3,"x\n4,5\n', "t.csv"))


def test_tabs_have_no_quotes(tmp_path: Path) -> None:
    points = read(written(tmp_path, '1\t2\t"a\n3\t4\tb"\n', "t.tsv"))
    assert points.X.tolist() == [[1, 2], [3, 4]]
    assert points.y.tolist() == ['"a', 'b"']


def test_a_decimal_comma(tmp_path: Path) -> None:
    points = read(written(tmp_path, "a;b;y\n0,5;1;0\n-2,25;1e1;1\n", "t.csv"), decimal_comma=True)
    assert points.X.tolist() == [[0.5, 1], [-2.25, 10]]


@pytest.mark.parametrize("label", [0, "first"])
def test_the_label_by_number_or_by_name(label: int | str, tmp_path: Path) -> None:
    points = read(written(tmp_path, "first,second\n1,2\n0,4\n", "t.csv"), label=label)
    assert (points.X.tolist(), points.y.tolist(), points.names) == ([[2], [4]], [1, 0], ("second",))


def test_missing_numbers_fail_or_their_rows_are_dropped(tmp_path: Path) -> None:
    path = written(tmp_path, "a,b,y\n1,,0\n2,3,1\nNA,4,1\n5,6,0\n", "t.csv")
    with pytest.raises(nv.InputError, match=r"line 2, column 2 \('b'\): found an empty cell; .*missing='drop'"):
        read(path)
    points = read(path, missing="drop")
    assert (points.X.tolist(), points.y.tolist(), points.dropped) == ([[2, 3], [5, 6]], [1, 0], 2)


GAPS = [{"a": 1.0, "y": "p"}, {"a": None, "y": "q"}, {"a": 2.0, "y": "q"}, {"a": 3.0, "y": None}, {"a": 4.0, "y": " "}]


@pytest.mark.parametrize("name", ["t.parquet", "t.arrow"])
def test_rows_with_gaps_are_dropped_in_every_format_that_has_them(name: str, tmp_path: Path) -> None:
    path, table = tmp_path / name, pyarrow.Table.from_pylist(GAPS)
    if name == "t.parquet":
        pyarrow.parquet.write_table(table, path, row_group_size=1)
    else:
        with pyarrow.OSFile(str(path), "wb") as file, pyarrow.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table, max_chunksize=1)
    with pytest.raises(nv.InputError, match="missing='drop' leaves such rows out"):
        read_rows(open_source(path))
    rows = read_rows(open_source(path, Reading(missing="drop")))
    assert (rows.raw.numbers.tolist(), list(rows.y), rows.dropped) == ([[1], [2]], ["p", "q"], 3)
    held, filed = read(path, missing="drop"), read(path, missing="drop", memory=1)
    assert (held.n, held.dropped) == (filed.n, filed.dropped) == (2, 3)
    assert nv.Perceptron().fit(filed).coef_.tolist() == nv.Perceptron().fit(held).coef_.tolist()


def test_rows_are_dropped_only_where_cells_can_be_empty(tmp_path: Path) -> None:
    with pytest.raises(nv.InputError, match=r"missing='drop': is for csv, .*t\.svm is read as svmlight"):
        read(written(tmp_path, "1 1:2\n0 1:1\n"), missing="drop")


@pytest.mark.parametrize("label", ["nan", "NaN", '"nan"', '" "', ""])
def test_what_is_no_label_is_refused_or_dropped_by_reader_and_checker(label: str, tmp_path: Path) -> None:
    path = written(tmp_path, f"a,y\n1,p\n2,{label}\n3,q\n4,q\n", "t.csv")
    with pytest.raises(
        nv.InputError, match=r"line 3, column 2 \('y'\): found .*; a label was expected; missing='drop'"
    ):
        read(path)
    with pytest.raises(nv.InputError, match="line 3: no label"):
        read_plain(path)
    points = read(path, missing="drop")
    assert (points.y.tolist(), points.dropped) == (["p", "q", "q"], 1)


def test_na_is_a_class_unless_rows_are_dropped(tmp_path: Path) -> None:
    path = written(tmp_path, "a,y\n1,NA\n2,q\n", "t.csv")
    assert (read(path).y.tolist(), read(path, missing="drop").y.tolist()) == (["NA", "q"], ["q"])


def test_new_rows_need_no_label(tmp_path: Path) -> None:
    new = Reading(trained=2)
    path = written(tmp_path, "nan 1:1\n")
    assert read_rows(open_source(path, new)).raw.n == 1
    for reader in (read, read_plain):
        with pytest.raises(nv.InputError, match=r"line 1.*found 'nan'"):
            reader(path)


WRONG_TABLES = {
    "a,y\n1,x\n2,\n": r"t\.csv, line 3, column 2 \('y'\): found an empty cell; a label was expected",
    "1,2,0\n3,1\n": "line 2: found 2 cells; 3 as in the first line",
    "1,2,0\n3,4,5,1\n": "line 2: found 4 cells",
    'a,b,y\n1,2,0\n"3",4,5,1\n': "line 3: found 4 cells",
    "a,b,y\n1,2,0\n1,x,0\n": r"line 3, column 2 \('b'\): found 'x'; a number",
    'a,b,y\n1,2,0\n1,"x",0\n': r"line 3, column 2 \('b'\): found 'x'; a number",
    "1,2 3,0\n": "line 1, column 2: found '2 3'; a number was expected",
    "5.1,,1.4,0\n4.9,3,1.4,1\n": "line 1, column 2: found an empty cell",
    "5.1,NA,1.4,0\n4.9,3,1.4,1\n": "line 1, column 2: found 'NA'",
    "5.1,-inf,1.4,0\n4.9,3,1.4,1\n": "line 1, column 2: found '-inf'",
    "5.1,3.x,1.4,0\n4.9,3,1.4,1\n": "found '5.1,3.x,1.4,0' in .* a header or a row .*header=False",
    "1,2,0\n1,inf,0\n": "found 'inf'; a finite number was expected; mend it",
    "a|b|y\n1|2|0\n": r"found one column, 'a\|b\|y'; cells between commas, semicolons or tabs were expected",
    "a,a,y\n1,2,0\n": r"two columns are named 'a'; .*header=False",
    "red,low,p\nblue,low,e\n": r"line 2, column 1: found 'blue'; .*; the first line was taken as names: header=False",
    "a,b,p\n1,2,e\nblue,2,e\n": r"line 3, column 1 \('a'\): found 'blue'; .* takes numbers only: use open_data, .*",
    "a,b,p\nblue,2,e\n": r"line 2, column 1 \('a'\): found 'blue'; .* takes numbers only: use open_data, .*",
    "a,b,y\nblue,red,e\n": r"line 2, column 1 \('a'\): found 'blue'; .* takes numbers only: use open_data, .*",
    'a,t,y\n1,5" pipe,0\n': r"line 2: a quotation mark .* not closed; write a quotation mark in a cell twice",
    "": "found no rows",
}


@pytest.mark.parametrize("text", WRONG_TABLES)
def test_tables_that_are_wrong(text: str, tmp_path: Path) -> None:
    with pytest.raises(nv.InputError, match=WRONG_TABLES[text]):
        read(written(tmp_path, text, "t.csv"))


TWO_WRONG = {  # the first one is named, whichever check finds it
    "t.csv": {
        "a,y\nx,1\n2\n": "line 2, column 1",
        "a,y\n1,1\n2\nx,1\n": "line 3: found 1 cells",
        "a,y\nx,1\n2,\n": "line 2, column 1",
        "a,y\n1,\nx,1\n": "line 2, column 2",
        'a,y\n"x",1\n2,\n': "line 2, column 1",
        'a,y\n"1",\nx,1\n': "line 2, column 2",
        'a,y\n"1",\n2\n': "line 2, column 2",
    },
    "t.svm": {
        "1 1:1\n1 1:x\n2 2\n": "line 2, byte 3: found '1:x'",
        "1 1:x 2\n": "line 1, byte 3: found '1:x'",
        "1 2 1:x\n": "line 1, byte 3: found '2'",
        "1 1:1 1:2\n2 2\n": "line 1, byte 7: found '1:2'; a column after those before it",
        "1 1:1 1:2\n2 2:x\n": "line 1, byte 7",
        "1 2:x\n1 1:1 1:2\n": "line 1, byte 3",
        "nan 1:1\n2 2\n": "line 1, byte 1: found 'nan'",
        "2 2:x\nnan 1:1\n": "line 1, byte 3",
    },
}


@pytest.mark.parametrize(("name", "text"), [(name, text) for name in TWO_WRONG for text in TWO_WRONG[name]])
def test_of_two_bad_lines_the_first_is_named(name: str, text: str, tmp_path: Path) -> None:
    with pytest.raises(nv.InputError, match=TWO_WRONG[name][text]):
        read(written(tmp_path, text, name))


@pytest.mark.parametrize("zero", ["0e99999", "0.0e-99999", "-0e+123456789", ".0E99999", "1e-99999"])
def test_a_power_of_ten_may_have_any_number_of_digits(zero: str, tmp_path: Path) -> None:
    for name, text in {
        "t.csv": f"a,b,y\n{zero},1,0\n2,{zero},1\n",
        "t.svm": f"0 1:{zero} 2:1\n1 1:2 2:{zero}\n",
    }.items():
        X = read(written(tmp_path, text, name)).X
        assert (X.toarray() if hasattr(X, "toarray") else X).tolist() == [[0, 1], [2, 0]]
    with pytest.raises(nv.InputError, match=r"line 2, column 1.*: found '1e99999'; .* beyond binary64"):
        read(written(tmp_path, "a,y\n1e99999,1\n", "t.csv"))


@pytest.mark.parametrize("size", [64, 100, 1000])
def test_blocks_of_any_size_give_the_same_points(size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(200, 3)), rng.integers(0, 2, 200)
    written(
        tmp_path,
        "a,b,c,y\n" + "".join(f"{a!r},{b!r},{c!r},{k}\n" for (a, b, c), k in zip(X.tolist(), y, strict=True)),
        "t.csv",
    )
    written(tmp_path, "".join(f"{k} 1:{a!r} 3:{c!r}\n" for (a, _, c), k in zip(X.tolist(), y, strict=True)))
    monkeypatch.setattr(text_blocks, "BLOCK", size)
    for name in ("t.csv", "t.svm"):
        points = read(tmp_path / name)
        dense = points.X if name == "t.csv" else points.X.toarray()
        assert dense[:, [0, 2]].tolist() == X[:, [0, 2]].tolist()
        assert points.y.tolist() == y.tolist()


# ---- arrays and columns --------------------------------------------------------------------------------------------

X, y = np.array([[1.5, 0.0], [0.0, -2.0], [3.0, 4.0]]), np.array([0, 1, 1])


def test_arrays(tmp_path: Path) -> None:
    np.savez(tmp_path / "t.npz", X=X, y=y)
    rows = csr_matrix(X)
    np.savez(tmp_path / "s.npz", data=rows.data, indices=rows.indices, indptr=rows.indptr, shape=rows.shape, y=y)
    for name in ("t.npz", "s.npz"):
        points = read(tmp_path / name)
        assert (points.X.toarray() if name == "s.npz" else points.X).tolist() == X.tolist()
        assert points.y.tolist() == y.tolist()


def test_columns_with_names(tmp_path: Path) -> None:
    table = pyarrow.table({"a": X[:, 0], "y": ["no", "yes", "yes"], "b": X[:, 1]})
    pyarrow.parquet.write_table(table, tmp_path / "t.parquet", row_group_size=2)
    with pyarrow.OSFile(str(tmp_path / "t.arrow"), "wb") as file, pyarrow.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table, max_chunksize=1)
    for name in ("t.parquet", "t.arrow"):
        points = read(tmp_path / name)
        assert points.names == ("a", "b")
        assert points.X.tolist() == X.tolist()
        assert points.y.tolist() == ["no", "yes", "yes"]
        assert (points.n, points.d) == (3, 2)


def test_whole_numbers_that_binary64_does_not_hold_are_refused_not_rounded(tmp_path: Path) -> None:
    kinds = {"int64": [1, 2**53 + 1], "uint64": [1, 2**64 - 1]}
    for kind, cells in kinds.items():
        table = pyarrow.table({"a": pyarrow.array(cells, kind), "y": [0, 1]})
        pyarrow.parquet.write_table(table, tmp_path / "t.parquet")
        with pytest.raises(nv.InputError, match=rf"column 'a': {cells[1]} \({kind}\) cannot be stored exactly"):
            read_rows(open_source(tmp_path / "t.parquet"))
    pyarrow.parquet.write_table(pyarrow.table({"a": [2**60, 3], "y": [0, 1]}), tmp_path / "t.parquet")
    assert read_rows(open_source(tmp_path / "t.parquet")).raw.numbers.tolist() == [[2.0**60], [3]]
    decimal = pyarrow.array([1, 2]).cast(pyarrow.decimal128(20, 1))
    pyarrow.parquet.write_table(pyarrow.table({"a": decimal, "y": [0, 1]}), tmp_path / "t.parquet")
    with pytest.raises(nv.InputError, match=r"column 'a': found decimal128\(20, 1\); .* cast the column to double"):
        read_rows(open_source(tmp_path / "t.parquet"))


def test_standard_input_is_no_parquet_file() -> None:
    with pytest.raises(nv.InputError, match="-: found format='parquet'; standard input can be csv, tsv, svmlight"):
        read("-", format="parquet")


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    cells, names = np.array([[-0.0, 1.0, 2.0], [0.0, 0.5, 3.0]]), ("y", "0", "class")
    write(Points(cells, np.array(["a:b", "c"]), names), tmp_path / "t.csv")
    rows = read_rows(open_source(tmp_path / "t.csv"))
    assert (tuple(rows.raw.names or ()), list(rows.y), rows.raw.numbers.tobytes()) == (
        names,
        ["a:b", "c"],
        cells.tobytes(),
    )
    with pytest.raises(nv.InputError, match="svmlight: found the label 'a:b'; expected labels of one word"):
        write(Points(cells, np.array(["a:b", "c"]), names), tmp_path / "t.svm")


WRONG_FILES: dict[str, tuple[bytes, str]] = {
    "t.npz": (b"PK\x03\x04 garbage", "cannot be read"),
    "t.npy": (b"\x93NUMPY garbage", "is an array without labels; write X and y by np.savez"),
    "objects.npz": (pickle.dumps([1]), r"cannot be read \(no array of numbers or texts"),
    "t.parquet": (b"PAR1 garbage PAR1", "cannot be read"),
    "t.arrow": (b"ARROW1 garbage", "cannot be read"),
    "t-images-idx3-ubyte": (b"\x00\x00\x08\x03\x00", "is an array without labels; write X and y by np.savez"),
    "t.what": (b"", "the name does not determine the format"),
}


@pytest.mark.parametrize("name", WRONG_FILES)
def test_files_that_are_wrong(name: str, tmp_path: Path) -> None:
    raw, match = WRONG_FILES[name]
    (tmp_path / name).write_bytes(raw)
    with pytest.raises(nv.InputError, match=match) as error:
        read(tmp_path / name)
    assert name in str(error.value)


# ---- words ---------------------------------------------------------------------------------------------------------


def chunk_of(path: Path, **how: Any) -> Chunk:
    chunks = list(source_of(path, Reading(**how)).chunks())
    assert len(chunks) == 1
    return chunks[0]


def test_texts_and_categories_of_a_table(tmp_path: Path) -> None:
    text = 'kind,colour,size,message\nham,red,1.5,"Hi, ""you"""\nspam,blue,2,Caf\xe9\n'
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode("latin-1"))
    chunk = chunk_of(path, label="kind", text=("message",), categories=("colour",))
    assert chunk.labels == ["ham", "spam"]
    assert chunk.rows.tolist() == [[1.5], [2.0]]
    assert dict(chunk.words) == {"message": ['Hi, "you"', "Café"], "colour": ["red", "blue"]}


def test_a_table_of_texts_has_no_header_unless_a_name_is_asked_for(tmp_path: Path) -> None:
    path = written(tmp_path, "ham\tgo until jurong\nspam\tfree entry\n", "t.tsv")
    chunk = chunk_of(path, label=0, text=(1,))
    assert chunk.labels == ["ham", "spam"]
    assert dict(chunk.words) == {"x2": ["go until jurong", "free entry"]}
    named = written(tmp_path, "kind\tmessage\nham\thi\n", "n.tsv")
    assert chunk_of(named, label="kind", text=("message",)).labels == ["ham"]


def test_a_class_that_only_a_first_line_of_words_has_may_be_a_name(tmp_path: Path) -> None:
    rows = "ham\thello there\nspam\tbuy this\nham\tgood day\n"
    path = written(tmp_path, f"v1\tv2\n{rows}", "t.tsv")
    with pytest.raises(
        nv.InputError, match=r"t\.tsv: the class 'v1' is only in the first line.*header=True or header=False"
    ):
        chunk_of(path, label=0, text=(1,))
    said = [chunk_of(path, label=0, text=(1,), header=header).labels for header in (True, False)]
    assert said == [["ham", "spam", "ham"], ["v1", "ham", "spam", "ham"]]
    for text in (rows, "v1\tv2\nham\thi\n", f"v1\t2\n{rows}"):  # twice; two rows; no line of words
        assert chunk_of(written(tmp_path, text, "t.tsv"), label=0, text=(1,)).labels[0] in ("ham", "v1")


def test_a_table_without_labels(tmp_path: Path) -> None:
    chunk = chunk_of(written(tmp_path, "a,y\n1,2\n3,4\n", "t.csv"), labelled=False)
    assert chunk.rows.tolist() == [[1, 2], [3, 4]]


def test_a_zst_file_of_several_frames_is_read(tmp_path: Path) -> None:
    """Frames with their size, without it, and a cut one."""
    pack = zstandard.ZstdCompressor(write_checksum=True).compress
    unsized = zstandard.ZstdCompressor(write_content_size=False).compress
    data = b"\n" * 300_000 + b"x" * 5000 + b"1,2,3\n" * 4000
    path = tmp_path / "t.csv.zst"
    path.write_bytes(pack(data[:300_000]) + unsized(data[300_000:305_000]) + pack(data[305_000:]))
    with text_blocks.opened(path) as file:
        assert file.read() == data
    (tmp_path / "cut.zst").write_bytes(path.read_bytes()[:-20])
    with pytest.raises(nv.InputError, match="cannot be read"), text_blocks.opened(tmp_path / "cut.zst") as file:
        file.read()


@pytest.mark.parametrize("end", ["csv", "svm"])
def test_different_whole_numbers_never_become_one_label(end: str, tmp_path: Path) -> None:
    path = tmp_path / f"t.{end}"

    def write(labels: tuple[str, str]) -> None:
        rows = (f"{label} 1:{k}\n" if end == "svm" else f"{k},{label}\n" for k, label in enumerate(labels))
        path.write_text("".join(rows))

    write(("9007199254740993", "9007199254740992"))
    assert nv.read(path).y.tolist() == [9007199254740993, 9007199254740992]
    write(("9007199254740992000001", "9007199254740992000000"))  # no type of numbers holds them
    assert nv.read(path).y.tolist() == ["9007199254740992000001", "9007199254740992000000"]
