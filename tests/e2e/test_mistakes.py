"""Mistakes that a person makes: one line names what was found and the way out, and nothing is written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from novikoff import cli
from novikoff.cli import main

pytestmark = pytest.mark.compiled
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files that go well or badly together, and models of them."""
    there = tmp_path_factory.mktemp("files")
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(40, 3)), 2)
    y = np.where(X[:, 0] > 0, "yes", "no")
    rows = [",".join(map(str, x)) for x in X.tolist()]
    labelled = [f"{row},{label}" for row, label in zip(rows, y.tolist(), strict=True)]
    texts = {
        "train.csv": ["a,b,c,label", *labelled],
        "outcome.csv": ["a,b,c,outcome", *labelled],
        "nohead.csv": labelled,
        "new.csv": ["a,b,c", *rows],
        "who.csv": ["who,a,b,c", *(f"p{i},{row}" for i, row in enumerate(rows))],
        "id.csv": ["id,a,b,c", *(f"{i},{row}" for i, row in enumerate(rows))],
        "two.csv": ["a,b", *(row.rpartition(",")[0] for row in rows)],
        "three.csv": ["a,b,c,label", *(f"{row},{i % 3}" for i, row in enumerate(rows))],
        "comma.csv": ["a;b;label", *(f"{i},5;{i},1;{i % 2}" for i in range(9))],
        "large.csv": ["a,b,label", "1,2,0", "1e999,3,1"],
        "line.csv": labelled[:1],
        "slip.csv": ["5,unknown,7,yes", *labelled],
        "colours.csv": ["colour,a,b,kind", *(f"{'red' if i % 2 else 'blue'},{i},2,{i % 2}" for i in range(9))],
        "colours-bare.csv": [f"{'red' if i % 2 else 'blue'},{i},2,{i % 2}" for i in range(9)],
        "odor.csv": ["odor,cap,kind", "a,b,p", "b,a,e", "a,a,p", "b,b,e"],
        "bare.csv": rows,
        "data.txt": labelled,
        "data.xlsx": labelled,
        "empty.csv": [],
    }
    for name, lines in texts.items():
        (there / name).write_text("".join(f"{line}\n" for line in lines))
    assert main(["fit", str(there / "train.csv"), "-o", str(there / "m.nvk"), "--quiet"]) == 0
    assert main(["fit", str(there / "outcome.csv"), "-o", str(there / "o.nvk"), "--quiet"]) == 0
    assert main(["fit", str(there / "colours.csv"), "--one-hot", "-o", str(there / "c.nvk"), "--quiet"]) == 0
    return there


@pytest.fixture
def run(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.chdir(folder)
    capsys.readouterr()

    def go(*args: str) -> tuple[int, str, str]:
        return main(list(args)), *capsys.readouterr()

    return go


MISTAKES = {  # what is typed: what is told
    "fit nofile.csv": "nofile.csv: cannot be read (No such file or directory)",
    "fit empty.csv": "empty.csv: found no rows",
    "fit data.txt": "data.txt: the name does not determine the format; say --format csv",
    "fit data.xlsx": "data.xlsx: is a spreadsheet; save its sheet as CSV in UTF-8",
    "fit -": "standard input has no name to tell the format; say --format csv",
    "fit train.csv --label nolabel": "no column is named 'nolabel'; the columns are a, b, c, label; --label says which",
    "fit train.csv --label 9": "there is no column 9; the first line has 4 cells",
    "fit train.csv -o missing/m.nvk": "missing/m.nvk: cannot be written",
    "predict m.nvk new.csv -o missing/x.txt": "missing/x.txt: cannot be written",
    "fit comma.csv": "line 2, column 1 ('a'): found '0,5'; a number was expected; --decimal-comma reads 0,5 as a half",
    "fit large.csv": "line 3, column 1 ('a'): found '1e999'; a number up to 1.7e308 was expected: this one is beyond",
    "fit large.csv --one-hot": "this one is beyond binary64",
    "predict m.nvk two.csv": "number column 'c': missing, but it was in training",
    "predict new.csv m.nvk": "new.csv: found a text that begins with 'a,b,c\\n",
    "explain train.csv": "train.csv: found a text that begins with",
    "evaluate m.nvk new.csv": "no column is named 'label'; the columns are a, b, c; --label says which",
    "evaluate o.nvk train.csv": "the columns are a, b, c, label; --label says which one is the label\n",
    "evaluate m.nvk three.csv": "found the label '0' in row 1; expected a class of the training rows: no, yes",
    "fit train.csv --test new.csv": "no column is named 'label'",
    "convert train.csv x.onnx": "train.csv: found a text that begins with",
    "convert train.csv x.pdf": "x.pdf: the name does not determine the format; expected an ending for csv",
    "explain m.nvk train.csv --row 99": "--row 99: train.csv has 40 rows",
    "explain m.nvk --message hello": "--message: is for a model of one column of text",
    "cv train.csv --folds 30": "--folds 30: class",
    "predict m.nvk line.csv": "which could be a header or a row (numbers and words); --header or --no-header",
    "predict m.nvk line.csv --header": "found no rows; expected points, one a line; the first line was taken as the",
    "predict m.nvk nohead.csv --header": "the model knows none of them: --no-header says that it is a row",
    "predict m.nvk nohead.csv": "which could be a header or a row (numbers and words); --header or --no-header",
    "fit slip.csv": "found '5,unknown,7,yes' in the first line, which could be a header or a row",
    "fit slip.csv --one-hot": "found '5,unknown,7,yes' in the first line, which could be a header or a row",
    "fit odor.csv --one-hot": "the class 'kind' is only in the first line, which was read as a row: is it a header?",
    "certify odor.csv --one-hot": "the class 'kind' is only in the first line",
    "predict c.nvk colours-bare.csv": "where these are a row: --no-header does not help; the model identifies columns",
    "fit colours.csv --label sort": "the columns are colour, a, b, kind; --label says which one is the label\n",
    "fit nohead.csv --label sort": "; --label says which one is the label; where these are a row: --no-header",
    "evaluate o.nvk bare.csv": "where these are a row: --no-header, and columns by number",
    "predict m.nvk nohead.csv --no-header": "so none is 'label'; give it by number, as in --label 4",
}


@pytest.mark.parametrize("typed", MISTAKES)
def test_a_mistake_is_told_in_one_line(typed: str, run: Run, folder: Path) -> None:
    before = sorted(path.name for path in folder.iterdir())
    code, out, err = run(*typed.split())
    assert (code, out) == (cli.BAD_INPUT, "")
    assert MISTAKES[typed] in err
    assert err.startswith("novikoff: error: ")
    assert err.count("\n") == 1
    assert sorted(path.name for path in folder.iterdir()) == before


@pytest.mark.parametrize(
    ("typed", "info"),
    [
        ("fti train.csv", "did you mean fit?"),
        ("evaluatte m.nvk", "did you mean evaluate?"),
        ("xyz", "there are fit, predict"),
        ("fit train.csv --lable 3", "--label"),
        ("fit train.csv --keep best", "'last', 'pocket', 'average', 'vote'"),
        ("fit train.csv --resume", "name the folder to resume from with --checkpoint"),
        ("predict m.nvk", "Missing argument 'DATA'"),
        ("explain m.nvk train.csv", "give --message TEXT, or DATA with --row K, or neither"),
        ("explain m.nvk --no-label", "--no-label: is for a row; give --message TEXT, or DATA with --row K"),
    ],
)
def test_wrong_words_are_usage(typed: str, info: str, run: Run) -> None:
    code, out, err = run(*typed.split())
    assert (code, out) == (2, "")
    assert info in err


@pytest.mark.parametrize(
    "typed",
    [
        "fit train.csv -o train.csv",
        "fit train.csv -o ./link.csv",
        "fit train.csv --test outcome.csv -o outcome.csv",
        "fit train.csv --valid outcome.csv -o outcome.csv",
        "fit tra*.csv -o train.csv",
        "fit c.nvc -o c.nvc/y.npy",
        "certify train.csv -o train.csv",
        "predict m.nvk new.csv -o new.csv",
        "predict m.nvk new.csv -o m.nvk",
        "trace train.csv --csv train.csv",
        "trace train.csv --latex train.csv",
        "convert train.csv train.csv",
        "convert c.nvc c.nvc",
        "convert c.nvc/in.csv c.nvc",
    ],
)
def test_an_answer_never_takes_the_place_of_what_is_read(typed: str, run: Run, folder: Path) -> None:
    if not (folder / "c.nvc").exists():
        assert run("convert", "train.csv", "c.nvc")[0] == 0
        (folder / "c.nvc" / "in.csv").write_bytes((folder / "train.csv").read_bytes())
        (folder / "link.csv").symlink_to("train.csv")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    code, out, err = run(*typed.split())
    assert (code, out) == (2, "")
    assert "this command reads it" in err
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("typed", ["fit train.csv -o new/", "certify train.csv -o new/", "convert train.csv x.csv/"])
def test_a_name_that_ends_as_a_folder_is_no_file(typed: str, run: Run, folder: Path) -> None:
    code, _, err = run(*typed.split())
    assert code == 2
    assert "ends as a folder does; name a file" in err
    assert not (folder / "new").exists()
    assert not (folder / "x.csv").exists()


def test_a_new_name_beside_what_is_read_is_written(run: Run, folder: Path) -> None:
    for _ in range(2):  # the second time it is there
        assert run("predict", "m.nvk", "new.csv", "-o", "answers.tsv")[0] == 0
        assert run("convert", "train.csv", "again.nvc/")[0] == 0


def test_the_way_out_leads_out(run: Run) -> None:
    """What the messages advise works."""
    assert run("fit", "comma.csv", "--decimal-comma", "--max-passes", "3", "--quiet")[0] == 0
    assert run("fit", "data.txt", "--format", "csv", "--quiet")[0] == 0
    assert run("evaluate", "o.nvk", "train.csv", "--label", "label")[0] == 0
    assert run("predict", "m.nvk", "line.csv", "--no-header", "--label", "4")[0] == 0
    code, out, _ = run("evaluate", "m.nvk", "three.csv", "--label-as", "0:no", "--label-as", "*:yes")
    assert code == 0
    assert "of 40 rows are classified correctly" in out


def test_names_of_columns_on_one_side_only_are_told(run: Run, folder: Path) -> None:
    assert run("fit", "nohead.csv", "-o", "bare.nvk", "--quiet")[0] == 0
    answers = set()
    for model, data, info in [
        ("m.nvk", "new.csv", ""),
        ("bare.nvk", "bare.csv", ""),
        ("m.nvk", "bare.csv", "bare.csv: has no names of columns; they are taken in the order of training\n"),
        ("bare.nvk", "new.csv", "new.csv: the model knows no names of columns; they are taken in their order\n"),
    ]:
        _, out, err = run("predict", model, data)
        assert err == info
        assert run("predict", model, data, "--quiet") == (0, out, "")
        answers.add(out)
    assert len(answers) == 1
    given = run("explain", "m.nvk", "bare.csv", "--no-header", "--row", "1")
    assert given[:2] == run("explain", "m.nvk", "new.csv", "--header", "--row", "1")[:2]


def test_a_folder_of_texts_is_refused_with_the_way_out(run: Run, folder: Path) -> None:
    (folder / "texts" / "yes").mkdir(parents=True)
    code, _, err = run("fit", "texts")
    assert code == 3
    assert "texts: is a folder, and not one of data files" in err
    assert "write texts into a table, as with sklearn.datasets.load_files, and name their column with --text" in err


def test_columns_that_count_from_zero_are_told(run: Run, folder: Path) -> None:
    (folder / "zero.svm").write_text("1 0:1 1:2\n-1 0:-1 1:3\n")
    assert "where  x1 is column 0 of the file, which counts from 0" in run("fit", "zero.svm")[1]


def test_proofs_can_be_quiet(run: Run) -> None:
    for memory in ("1G", "1"):
        assert run("certify", "train.csv", "--scale", "--memory", memory, "-o", "q.json", "--quiet")[2] == ""
        assert run("verify", "q.json", "train.csv", "--memory", memory, "--quiet")[2] == ""


def test_memory_that_is_not_enough_is_told(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    def none(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("novikoff.model.trained", none)
    code, out, err = run("predict", "m.nvk", "new.csv")
    assert (code, out) == (cli.BAD_INPUT, "")
    assert "not enough memory" in err
