"""Plain files as arrays: the same points as the checker reads."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import novikoff as nv
from data.made_proofs import MadeProof
from novikoff.certify.check.verify import check
from novikoff.data import plain_files as reader
from novikoff.data.digest import digest_of
from novikoff.data.plain_files import UnreadableError, file_rows
from novikoff.data.problem import unlabelled
from oracles.plain_points import read_plain

CSV = "NV,PI,y\n0,13,0\n1,16.5,1\n0,8,0\n-2e0,1,1\n"
SVM = "-1 1:0.5 3:2\n+1 2:1\n-1\n+1 1:1e-3\n"


def test_a_table_becomes_an_array_with_whole_labels(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text(CSV)
    plain = read_plain(tmp_path / "data.csv")
    assert plain.X.tolist() == [[0, 13], [1, 16.5], [0, 8], [-2, 1]]
    assert plain.y.tolist() == [0, 1, 0, 1]
    assert plain.y.dtype == np.int64
    assert plain.how == {"format": "csv", "sha256": sha256(CSV.encode()).hexdigest()}


def test_pairs_become_a_sparse_matrix(tmp_path: Path) -> None:
    (tmp_path / "data.svm").write_text(SVM)
    plain = read_plain(tmp_path / "data.svm")
    assert sp.issparse(plain.X)
    assert plain.X.toarray().tolist() == [[0.5, 0, 2], [0, 1, 0], [0, 0, 0], [1e-3, 0, 0]]
    assert plain.y.tolist() == [-1, 1, -1, 1]


def test_the_label_is_chosen_by_name_or_number_and_remembered(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text(CSV)
    for label in ("NV", 0):
        plain = read_plain(tmp_path / "data.csv", label=label)
        assert plain.y.tolist() == [0, 1, 0, -2]
        assert plain.how["label"] == label


@pytest.mark.parametrize(
    ("name", "text"),
    [("data.csv", "a,b,y\n0.1,3,1\n2,-4.25,1\n-1,1,0\n"), ("data.svm", "+1 1:0.1 2:3\n1 1:2\n0 1:-1 3:9\n")],
)
def test_a_proof_about_the_arrays_is_a_proof_about_the_file(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text)
    plain = read_plain(path)
    d = plain.X.shape[1]
    w = (1, *[0] * (d - 1))
    digest = digest_of(unlabelled(plain.X), plain.y)
    MadeProof("complete", 3, d, False, 1, 0, w, digest=digest, file=plain.how).save(tmp_path / "proof.json")
    assert nv.verify(tmp_path / "proof.json", plain.X, plain.y) == "complete"
    assert check(tmp_path / "proof.json", lambda: file_rows(path, {})) == "complete"


def test_nothing_and_nonsense_are_bad_input(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("a,b,y\n")
    with pytest.raises(nv.InputError, match="found no rows"):
        read_plain(tmp_path / "data.csv")
    (tmp_path / "data.csv").write_text("a,b,y\n1,x,0\n")
    with pytest.raises(nv.InputError, match="line 2, column 2: 'x'"):
        read_plain(tmp_path / "data.csv")
    with pytest.raises(nv.InputError, match="cannot be read"):
        read_plain(tmp_path / "nothing.csv")


def test_a_table_with_other_separators_is_unreadable_and_no_other_data(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text("a;b;label\n1;2;x\n3;4;z\n")
    with pytest.raises(UnreadableError, match=r"found one column, 'a;b;label'; expected commas .*\(here is ';'\)"):
        list(file_rows(path, {}))


def test_a_real_file_has_the_digest_of_its_array(shared_data: object) -> None:
    path = shared_data("heart_scale") / "heart_scale"  # type: ignore[operator]
    plain = read_plain(path)
    assert plain.X.shape == (270, 13)
    assert digest_of(unlabelled(plain.X.toarray()), plain.y.astype(float)) == digest_of(unlabelled(plain.X), plain.y)


def test_a_row_without_a_label_is_refused_by_reader_and_checker(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    for cell in ("", "  "):
        path.write_text(f"a,y\n1,{cell}\n2,z\n")
        with pytest.raises(nv.InputError, match=r"data\.csv, line 2: no label; leave the row out, or give it one"):
            read_plain(path)
        with pytest.raises(UnreadableError, match="line 2: no label"):
            list(file_rows(path, {}))


def test_spaces_around_a_label_are_no_part_of_it(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text("1,x\n2, x\n3,z \n4, a b\n")
    assert read_plain(path).y.tolist() == ["x", "x", "z", "a b"]
    assert [label for label, _ in file_rows(path, {})] == ["x", "x", "z", "a b"]


@pytest.mark.parametrize("name", ["label", "Target", "class"])
def test_numbers_under_a_usual_name_of_the_label_are_a_header_to_reader_and_checker(name: str, tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text(f"2019,2020,{name}\n1,2,0\n3,4,1\n")
    assert (read_plain(path).X.tolist(), read_plain(path).names) == ([[1, 2], [3, 4]], ("2019", "2020"))
    points = nv.read(path)
    assert (points.X.tolist(), points.names, points.y.tolist()) == ([[1, 2], [3, 4]], ("2019", "2020"), [0, 1])


def test_numbers_and_a_y_are_a_header_or_a_row_as_is_said(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text("1,2,y\n3,4,n\n")
    ways = "header=True or header=False says which$"
    for read in (read_plain, nv.read):
        with pytest.raises(nv.InputError, match=f"found '1,2,y' in the first line, which could be a header .*{ways}"):
            read(path)
    assert [label for label, _ in file_rows(path, {"header": False})] == ["y", "n"]
    assert nv.read(path, header=False).y.tolist() == ["y", "n"]
    assert nv.read(path, header=True).y.tolist() == ["n"]
    assert nv.read(path, label="y").X.tolist() == [[3, 4]]
    with pytest.raises(nv.InputError, match="for a proof it is a row"):  # what is stated may be forged there
        read_plain(path, label="y")


@pytest.mark.parametrize("cells", ["5,unknown,7", "low,high,7", "abc,-,7", "low,#N/A,7", "low,1e,7", "low,NA,high"])
def test_a_word_among_numbers_may_be_a_slip_in_a_row_whatever_the_label_is(cells: str, tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text(f"{cells},yes\n6,3,8,no\n5,2,7,yes\n")
    for read in (read_plain, nv.read):
        with pytest.raises(nv.InputError, match=f"found '{cells},yes' in the first line, which could be a header"):
            read(path)
    assert nv.read(path, header=True).n == 2


@pytest.mark.parametrize("cell", ["#N/A", "#NA", "n.a.", "1e", "1e+", "-", "."])
def test_what_is_no_name_makes_no_header(cell: str, tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text(f"5,{cell},7,yes\n6,3,8,no\n5,2,7,yes\n")
    for read in (read_plain, nv.read):
        with pytest.raises(nv.InputError, match=r"line 1, column 2"):
            read(path)
    if cell[-1] not in "e+-" and cell != ".":
        assert nv.read(path, missing="drop").n == 2


@pytest.mark.parametrize("header", [",a,b,kind", "id,a,b,kind", "5,a,-,label", "5,6,7,class"])
def test_names_above_all_numbers_are_a_header_and_an_index_may_have_none(header: str, tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text(f"{header}\n6,3,8,no\n5,2,7,yes\n")
    names = tuple(header.split(",")[:3])
    for read in (read_plain, nv.read):
        points = read(path)
        assert (points.X.tolist(), points.names) == ([[6, 3, 8], [5, 2, 7]], names)


def test_label_goes_before_other_usual_names(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text("class,y,label,target\n1,2,a,4\n5,6,b,8\n")
    for points in (read_plain(path), nv.read(path)):
        assert (points.y.tolist(), points.names) == (["a", "b"], ("class", "y", "target"))
    path.write_text("class,target,y\n1,2,a\n5,6,b\n")
    assert read_plain(path).y.tolist() == nv.read(path).y.tolist() == ["a", "b"]


# ---- files that were prepared --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("path", "file", "command"), [
    ("d.csv", {"format": "csv", "options": ["--scale"]}, "novikoff convert d.csv prepared.csv --scale"),
    ("d.csv", {"format": "csv", "label": "my label", "options": ["--drop", "a,b"]},
     "novikoff convert d.csv prepared.csv --label 'my label' --drop a,b"),
    ("d.csv", {"label": 0, "header": False, "options": []},
     "novikoff convert d.csv prepared.csv --label 1 --no-header"),
    ("d.txt", {"format": "csv", "header": True, "options": ["--one-hot"]},
     "novikoff convert d.txt prepared.csv --format csv --header --one-hot"),
    ("d.svm", {"format": "svmlight", "first_column": 0, "options": ["--normalize"]},
     "novikoff convert d.svm prepared.csv --first-column 0 --normalize"),
    ("d.parquet", {"format": "parquet", "options": ["--scale"]}, "novikoff convert d.parquet prepared.csv --scale"),
    ("DATA", {"format": "csv", "options": ["--scale"]}, "novikoff convert DATA prepared.csv --scale"),
])  # fmt: skip
def test_the_command_that_writes_prepared_points(path: str, file: dict[str, Any], command: str) -> None:
    assert reader.convert_command(path, file) == command


def test_the_hints_of_a_certificate_are_for_the_file_that_was_prepared(tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("a,y\n1,0\n2,1\n")
    (tmp_path / "prepared.csv").write_text("a,label\n-1,0\n1,1\n")
    plain = {"format": "csv", "label": "y"}
    assert reader.hints_for(tmp_path / "d.csv", plain) == plain
    assert reader.hints_for(tmp_path / "d.csv", plain, "2") == {"format": "csv", "label": 1}
    file = plain | {"options": ["--scale"], "sha256": reader.sha256_of(tmp_path / "d.csv")}
    assert reader.hints_for(tmp_path / "prepared.csv", file) == {}
    assert reader.hints_for(tmp_path / "prepared.csv", file, "label") == {"label": "label"}
    with pytest.raises(UnreadableError, match=r"by novikoff convert .*d\.csv prepared\.csv --label y --scale"):
        reader.hints_for(tmp_path / "d.csv", file)
    assert reader.sha256_of(tmp_path / "nothing.csv") is None
