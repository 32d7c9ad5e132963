"""Options that cannot matter are refused; those that can, and what was not typed, are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands import novikoff

SVM = "1 1:2 2:1\n-1 1:0 2:3\n1 1:4 2:1\n-1 1:1 2:5\n"
CSV = "2;1;a\n0;3;b\n4;1;a\n1;5;b\n".replace(";", ",")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "a.svm").write_text(SVM)
    (tmp_path / "a.csv").write_text(CSV)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (
            ["a.svm", "--label", "2"],
            "--label applies only to csv, tsv, parquet, arrow; a.svm is read as svmlight",
        ),
        (["a.svm", "--text", "2"], "--text applies only to csv, tsv, parquet, arrow; a.svm is read as svmlight"),
        (["a.svm", "--one-hot"], "--one-hot applies only to csv"),
        (["a.svm", "--no-header"], "--header/--no-header applies only to csv, tsv; a.svm is read as svmlight"),
        (["a.svm", "--header"], "--header/--no-header applies only to csv, tsv"),
        (["a.svm", "--decimal-comma"], "--decimal-comma applies only to csv, tsv"),
        (["a.csv", "--pa-C", "3"], "--pa-C: the rule perceptron does not use it; leave it out, or say --rule pa1 or"),
        (["a.csv", "--pa-C", "1"], "--pa-C: the rule perceptron does not use it"),
        (["a.csv", "--threshold", "3", "--rule", "pa1"], "--threshold: the rule pa1 does not use it"),
        (["--example", "or", "--no-header"], "--header applies only to files"),
        (["a.csv", "--test-every", "5x"], "'5x' is not a valid integer range"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_an_option_that_cannot_matter_is_refused(args: list[str], said: str) -> None:
    info = novikoff("fit", *args)
    assert (info.code, info.out) == (2, "")
    assert said in " ".join(info.err.split())


@pytest.mark.usefixtures("folder")
def test_a_folder_is_no_place_for_a_model_and_what_cannot_be_read_has_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    info = novikoff("fit", "a.csv", "-o", ".")
    assert info.code == 2
    assert ".: is a folder; name a file in it" in info.err

    def closed(*_: object) -> None:
        raise PermissionError(13, "Permission denied", "/closed/text")

    monkeypatch.setattr("novikoff.io.svmlight.Svmlight.chunks", closed)
    info = novikoff("fit", "a.svm")
    assert info.code == 3
    assert "/closed/text: cannot be read or written (Permission denied)" in info.err


def test_rows_sorted_by_class_are_told_where_errors_are_left(tmp_path: Path) -> None:
    rows = [f"{k % 7},{k % 5 + k // 20},{'ab'[k // 20]}" for k in range(40)]
    (tmp_path / "sorted.csv").write_text("\n".join(["u,v,class", *rows]))
    (tmp_path / "mixed.csv").write_text("\n".join(["u,v,class", *rows[::3], *rows[1::3], *rows[2::3]]))
    (tmp_path / "apart.csv").write_text("u,v,class\n1,2,a\n2,2,a\n8,2,b\n9,3,b\n")
    hint = "hint   the rows are sorted by class, which slows training down: try --order shuffle"
    assert hint in novikoff("fit", tmp_path / "sorted.csv", "--max-passes", 5).out
    assert "hint" not in novikoff("fit", tmp_path / "sorted.csv", "--max-passes", 5, "--order", "shuffle").out
    assert "hint" not in novikoff("fit", tmp_path / "mixed.csv", "--max-passes", 5).out
    assert "hint" not in novikoff("fit", tmp_path / "apart.csv").out
    outside = novikoff("fit", tmp_path / "sorted.csv", "--max-passes", 5, "--memory", "1K")
    assert hint in outside.out


@pytest.mark.usefixtures("folder")
def test_cross_validation_conversion_and_new_rows_refuse_them_too() -> None:
    assert "--pa-C: the rule perceptron" in novikoff("cv", "a.csv", "--pa-C", "3", "--folds", 2).err
    assert novikoff("convert", "a.svm", "b.csv", "--label", "2").code == 2
    assert novikoff("fit", "a.svm", "-o", "m.nvk").code == 0
    info = novikoff("predict", "m.nvk", "a.svm", "--no-header")
    assert info.code == 2
    assert "applies only to csv, tsv; a.svm is read as svmlight" in " ".join(info.err.split())


@pytest.mark.parametrize(
    "args",
    [
        ["a.csv", "--label", "3", "--no-header"],
        ["a.csv", "--rule", "pa2", "--pa-C", "3"],
        ["a.csv", "--rule", "margin", "--threshold", "3", "--max-passes", "3"],
        ["a.csv", "--label", "3", "--test", "a.svm", "--label-as", "a:1", "--label-as", "b:-1"],
    ],
)
@pytest.mark.usefixtures("folder")
def test_an_option_that_matters_is_taken(args: list[str]) -> None:
    assert novikoff("fit", *args).code == 0
