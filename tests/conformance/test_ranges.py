"""A file is scanned in ranges, by any engine, with the result of one reading; its labels stay in it."""

from __future__ import annotations

import gzip
import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from commands import novikoff
from novikoff.data.problem import Problem
from novikoff.engines import partitions
from novikoff.errors import InputError
from novikoff.io.reader import open_source
from novikoff.io.reading import Reading
from novikoff.io.stream import chunk_source, label_scan, range_scan
from novikoff.io.stream.bad_rows import BadRowError
from novikoff.io.stream.chunk_source import in_small_chunks
from novikoff.io.stream.compression import blocks_of, line_starts

N = 400
ENGINES = (None, "serial", "threads")


@pytest.fixture(autouse=True)
def small_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunk_source, "SMALL", 300)
    monkeypatch.setattr(chunk_source, "SPLIT", 1000)
    monkeypatch.setattr(label_scan, "KEPT", 0)
    monkeypatch.setattr(partitions, "NUMBERS", 200)


def table(seed: int = 0, n: int = N) -> tuple[np.ndarray, np.ndarray]:
    """Separable points of two classes."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-9, 10, (n, 3))
    return X, np.where(X @ [3, -2, 5] + 1 > 0, 7, -3)


def write(path: Path, X: np.ndarray, y: np.ndarray, names: tuple[str, str] = ("-3", "7")) -> Path:
    """Write points as the name of the file says."""
    labels = [names[int(v > 0)] for v in y]
    rows = [list(map(str, x)) for x in X.tolist()]
    if path.suffix == ".svm":
        pairs = [" ".join(f"{j}:{v}" for j, v in enumerate(x, start=1) if v != "0") for x in rows]
        path.write_text("".join(f"{label} {x}\n" for label, x in zip(labels, pairs, strict=True)))
    elif path.suffix == ".parquet":
        arrow = pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
        import pyarrow.parquet

        columns = {name: X[:, j] for j, name in enumerate("abc")} | {"label": y}
        pyarrow.parquet.write_table(arrow.table(columns), path, row_group_size=90)
    else:
        mark = "\t" if path.suffix == ".tsv" else ","
        text = "".join(mark.join([*x, label]) + "\n" for label, x in zip(labels, rows, strict=True))
        path.write_text(mark.join("abc") + f"{mark}label\n" + text)
    return path


def files(folder: Path, kind: str) -> Path:
    """A file of this kind, or a pattern of three."""
    X, y = table()
    if not kind.startswith("*"):
        return write(folder / f"t{kind}", X, y)
    for k, part in enumerate(np.array_split(np.arange(N), 3)):
        write(folder / f"part-{k}{kind[1:]}", X[part], y[part])
    return folder / f"part-{kind}"


KINDS = (".svm", ".csv", ".tsv", ".parquet", "*.svm", "*.csv", "*.parquet")


def summary(found: Any, source: Any) -> Any:
    """All that a scan finds."""
    cut, labels = found.cut, found.labels
    return (cut.starts, cut.places, cut.stored, cut.width, cut.sparse, labels.numbers, labels.counts, labels.spelled,
            source.names, source.first_column, source.dropped, source.row_numbers())  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_ranges_give_what_one_reading_gives(kind: str, tmp_path: Path) -> None:
    path = files(tmp_path, kind)
    source = in_small_chunks(open_source(path))
    found, _ = range_scan._from_beginning(source, True, None)
    found.cut.places[0] = None
    wanted = summary(found, source)
    assert len(found.cut.places) > 4
    for name in ENGINES:
        source = in_small_chunks(open_source(path))
        assert len(range_scan.ranges_of(source)) > 2
        engine = None if name is None else nv.engine(name)
        assert summary(range_scan.scan(source, engine=engine), source) == wanted


@pytest.mark.parametrize("kind", KINDS)
def test_every_chunk_can_be_read_from_its_place(kind: str, tmp_path: Path) -> None:
    """Ranges begin chunks in every reading, wherever it begins."""
    X, y = table()
    rows = nv.read(files(tmp_path, kind), memory=1).rows
    for k, first in enumerate(rows.starts[:-1]):
        fresh = pickle.loads(pickle.dumps(rows))
        last = rows.starts[min(k + 3, len(rows.starts) - 1)]
        part, codes = fresh.labelled(slice(first, last))
        dense = part if not isinstance(part, tuple) else Problem(part, y, 3, 1.0).matrix().toarray()
        assert dense.tolist() == X[first:last].tolist()
        assert rows.labels.classes[rows.labels.place[codes]].tolist() == y[first:last].tolist()


def test_lines_begin_ranges_as_blocks_do(tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    rng = np.random.default_rng(1)
    long = ["".join("x" * k + "\n" for k in rng.integers(0, 90, 40)) for _ in range(5)]
    for text in ["", "a", "a\n", "\n" * 99, *long]:
        path.write_text(text)
        for split, size in ((1, 30), (10, 30), (64, 100), (100, 64), (1000, 64)):
            found = blocks_of(path, size, split=split)
            blocks = [(block.place.byte, block.buf[: block.size].tobytes()) for block in found]
            assert b"".join(part for _, part in blocks) == text.encode()
            assert {*line_starts(path, len(text), split)} <= {byte for byte, _ in blocks}
            wanted = {text.find("\n", at - 1) + 1 for at in range(split, len(text), split)} - {0, len(text)}
            assert {*line_starts(path, len(text), split)} == wanted


def test_a_long_line_changes_no_chunk_after_it(tmp_path: Path) -> None:
    """A chunk depends on its place alone."""
    X, y = table()
    path = write(tmp_path / "t.svm", X, y)
    lines = path.read_text().splitlines()
    lines[50] = "7 " + " ".join(f"{j}:1" for j in range(1, 500))
    path.write_text("\n".join(lines) + "\n")
    rows = nv.read(path, memory=1).rows
    for first in rows.starts[:-1]:
        fresh = pickle.loads(pickle.dumps(rows))
        assert fresh.labelled(slice(first, N))[1].size == N - first


def test_an_error_in_a_range_names_its_line(tmp_path: Path) -> None:
    X, y = table()
    for name in ("t.svm", "t.csv"):
        path = write(tmp_path / name, X, y)
        lines = path.read_text().splitlines()
        lines[333] = "7 1:x" if name == "t.svm" else "1,2,x,7"
        path.write_text("\n".join(lines) + "\n")
        for engine in (None, nv.engine("threads")):
            with pytest.raises(InputError, match=rf"{name}, line 334"):
                nv.read(path, memory=1, engine=engine)
    again = pickle.loads(pickle.dumps(BadRowError("line 3", 17)))
    assert (str(again), again.where) == ("line 3", 17)


def test_quotes_may_span_lines_and_ranges(tmp_path: Path) -> None:
    X, y = table()
    path = write(tmp_path / "t.csv", X, y)
    lines = path.read_text().splitlines()
    lines[100] = '"1","2\n","3",7'
    path.write_text("\n".join(lines) + "\n")
    found, wanted = nv.read(path, memory=1, engine=nv.engine("threads")), nv.read(path)
    assert [wanted.X[99].tolist(), found.n, found.y.tolist()] == [[1, 2, 3], N, wanted.y.tolist()]


@pytest.mark.parametrize("kind", [".svm", "*.csv", ".parquet"])
def test_certify_and_margin_hold_no_label_of_each_row(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Labels are read with the rows of a partition, and never of all rows at once."""
    X, y = table()
    path = files(tmp_path, kind)
    verdict, margin = nv.decide(X, y), nv.margin(X, y)
    monkeypatch.setattr(label_scan.LabelReader, "__call__", _never)
    for engine in (nv.engine("serial"), nv.engine("threads", 2)):
        data = nv.read(path, memory=1, engine=engine)
        found = nv.decide(data, engine=engine)
        assert (found.w, found.b, found.classes) == (verdict.w, verdict.b, (-3, 7))
        assert found.certificate().record()["data"] == verdict.certificate().record()["data"]
        assert nv.verify(found.certificate().record(), data, engine=engine) == "complete"
        assert found.check(data, None)
        wide = nv.margin(data, engine=engine)
        assert wide.certificate().record() == margin.certificate().record()
        assert wide.geometric.touching.tolist() == margin.geometric.touching.tolist()


def test_an_obstruction_in_a_file_is_that_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = table()
    y = np.where(np.arange(N) % 50 == 7, -y, y)
    y = np.where(y > 0, 7, -3)
    path, wanted = write(tmp_path / "t.svm", X, y), nv.decide(X, y)
    monkeypatch.setattr(label_scan.LabelReader, "__call__", _never)
    found = nv.decide(nv.read(path, memory=1), engine=nv.engine("threads"))
    assert not found.separable
    assert (found.support, found.weights, found.explain()) == (wanted.support, wanted.weights, wanted.explain())
    assert found.certificate().record()["data"]["digest"] == wanted.certificate().record()["data"]["digest"]


def _never(*_: Any) -> Any:
    raise AssertionError("the labels of all rows were read into memory")


def test_a_run_reads_the_labels_of_all_rows_once(tmp_path: Path) -> None:
    """`fit` is sequential: it keeps a byte for each row."""
    X, y = table()
    data = nv.read(write(tmp_path / "t.svm", X, y), memory=1)
    assert data.labels.coding.kept is None
    clf = nv.Perceptron().fit(data)
    assert data.labels.coding.kept.dtype == np.int8
    assert clf.coef_.tolist() == nv.Perceptron().fit(X, y).coef_.tolist()


# ---- bad input -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("memory", [1, None])
def test_files_with_other_columns_or_label_types_are_named(memory: int | None, tmp_path: Path) -> None:
    X, y = table()
    for k in range(3):
        write(tmp_path / f"part-{k}.csv", X, y, ("-3", "7") if k < 2 else ("no", "yes"))
    with pytest.raises(InputError, match=r"part-2\.csv: found labels that are texts, such as '(no|yes)'; numbers"):
        nv.read(tmp_path / "part-*.csv", memory=memory)
    write(tmp_path / "part-2.csv", X, y)
    path = tmp_path / "part-1.csv"
    path.write_text("".join(f"0,{line}\n" for line in path.read_text().splitlines()))
    with pytest.raises(InputError, match=r"part-1\.csv: found other columns than in .*part-0\.csv"):
        nv.read(tmp_path / "part-*.csv", memory=memory)
    with pytest.raises(InputError, match=r"none-\*\.csv: no file matches this pattern"):
        nv.read(tmp_path / "none-*.csv", memory=memory)


def test_a_file_changed_after_its_scan_is_refused(tmp_path: Path) -> None:
    """Another label, or other rows: named, not computed with."""
    X, y = table()
    path = write(tmp_path / "t.svm", X, y)
    text = path.read_text()
    for changed in (text.replace("-3 ", "-4 ", 1), text + "7 1:1\n" * 40, text[: len(text) // 2] + "\n"):
        path.write_text(text)
        data = nv.read(path, memory=1)
        path.write_text(changed)
        with pytest.raises(InputError, match=r"t\.svm: the file was changed while it was read"):
            nv.decide(data)


def test_compressed_files_are_read_from_the_beginning(tmp_path: Path) -> None:
    X, y = table()
    plain = write(tmp_path / "t.svm", X, y)
    packed = tmp_path / "t.svm.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert len(range_scan.ranges_of(in_small_chunks(open_source(packed, Reading())))) == 1
    assert nv.decide(nv.read(packed, memory=1), engine=nv.engine("threads")).w == nv.decide(X, y).w


def test_a_model_of_rows_in_a_file_has_the_digest_of_the_rows_in_memory(tmp_path: Path) -> None:
    X, y = table()
    path = write(tmp_path / "t.svm", X, y)
    for name, memory in (("a", ()), ("b", ("--memory", "1"))):
        info = novikoff("fit", path, "-o", tmp_path / f"{name}.nvk", "--quiet", *memory)
        assert info.code == 0, info.err
    one, two = (json.loads(novikoff("explain", tmp_path / f"{name}.nvk", "--json").out) for name in "ab")
    assert json.dumps(one).replace("a.nvk", "b.nvk") == json.dumps(two)
