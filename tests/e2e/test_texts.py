"""Texts from the command line: folders and files without labels, file names in the answer, presence, n-grams."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest

import novikoff as nv
from commands import novikoff

GOOD = ["a great film, great actors", "wonderful and moving", "great fun", "a wonderful film with a great end"]
BAD = ["a boring film, bad actors", "bad and far too long", "boring plot", "terrible, a bad end"]
NEW = {"b.txt": "a wonderful, great evening", "a.txt": "boring from the begin", "sub/c.txt": "bad bad bad"}


@pytest.fixture
def reviews(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of labelled reviews, and a flat one without labels; the current folder."""
    for label, texts in (("pos", GOOD), ("neg", BAD)):
        (tmp_path / "train" / label).mkdir(parents=True)
        for k, text in enumerate(texts):
            (tmp_path / "train" / label / f"{k}.txt").write_text(text)
    for name, text in NEW.items():
        (tmp_path / "new" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "new" / name).write_text(text)
    (tmp_path / "new" / ".hidden").write_text("great")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def fitted(*options: Any, data: str = "train") -> None:
    told = novikoff("fit", data, *options, "-o", "m.nvk")
    assert told.code == 0, told.err


def predicted(*args: Any) -> str:
    told = novikoff("predict", "m.nvk", *args)
    assert told.code == 0, told.err
    return told.out


def test_a_folder_without_labels_is_predicted_with_file_names(reviews: Path) -> None:
    fitted()
    assert predicted("new") == "neg\ta.txt\npos\tb.txt\nneg\tsub/c.txt\n"
    assert predicted("new", "-o", "answer.tsv") == ""
    assert Path("answer.tsv").read_text() == "neg\ta.txt\npos\tb.txt\nneg\tsub/c.txt\n"
    lines = [line.split("\t") for line in predicted("new", "--scores").splitlines()]
    assert [(label, float(score) > 0, name) for label, score, name in lines] == [
        ("neg", False, "a.txt"), ("pos", True, "b.txt"), ("neg", False, "sub/c.txt")]  # fmt: skip


def test_the_same_in_python(reviews: Path) -> None:
    fitted("--tfidf", "--min-df", 1)
    names = sorted(NEW)
    scores = [float(line.split("\t")[1]) for line in predicted("new", "--scores").splitlines()]
    assert nv.load("m.nvk").decision_function([NEW[name] for name in names]).tolist() == scores


def test_labelled_folders_have_file_names_too(reviews: Path) -> None:
    fitted()
    assert predicted("train").splitlines()[:2] == ["neg\tneg/0.txt", "neg\tneg/1.txt"]
    assert json.loads(novikoff("evaluate", "m.nvk", "train", "--json").out)["accuracy"] == 1


def test_engines_give_each_file_its_own_name(reviews: Path) -> None:
    (reviews / "many").mkdir()
    for k in range(700):  # several chunks
        (reviews / "many" / f"{k:03}.txt").write_text(GOOD[k % 4] if k % 3 else BAD[k % 4])
    fitted()
    lines = predicted("many").splitlines()
    assert lines == [f"{'pos' if k % 3 else 'neg'}\t{k:03}.txt" for k in range(700)]
    assert predicted("many", "--engine", "threads", "--workers", 2).splitlines() == lines


def test_a_single_file_is_one_text(reviews: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fitted()
    assert predicted("new/b.txt") == "pos\tb.txt\n"
    Path("review").write_text("terrible")
    assert predicted("review") == "neg\treview\n"
    with gzip.open("r.txt.gz", "wt") as file:
        file.write("great")
    assert predicted("r.txt.gz") == "pos\tr.txt.gz\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"wonderful\n")))
    assert predicted("-") == "pos\t-\n"


def test_a_model_of_a_table_predicts_texts_in_files(reviews: Path) -> None:
    rows = [f"{label}\t{text}" for label, texts in (("pos", GOOD), ("neg", BAD)) for text in texts]
    Path("t.tsv").write_text("label\ttext\n" + "\n".join(rows) + "\n")
    fitted("--label", "label", "--text", "text", data="t.tsv")
    assert predicted("new") == "neg\ta.txt\npos\tb.txt\nneg\tsub/c.txt\n"
    assert predicted("new/b.txt", "--format", "texts") == "pos\tb.txt\n"


def test_training_and_evaluation_still_need_folders(reviews: Path) -> None:
    told = novikoff("fit", "new")
    assert told.code == 3
    assert "only one class" in told.err
    (reviews / "flat").mkdir()
    (reviews / "flat" / "a.txt").write_text("great")
    assert "expected files in folders, each folder a label" in novikoff("fit", "flat").err
    fitted()
    assert "expected files in folders, each folder a label" in novikoff("evaluate", "m.nvk", "flat").err
    (reviews / "empty").mkdir()
    told = novikoff("predict", "m.nvk", "empty")
    assert (told.code, told.out) == (3, "")
    assert "empty: found no texts; expected files" in told.err


def test_a_name_with_a_tab_stays_in_its_line(reviews: Path) -> None:
    fitted()
    (reviews / "odd").mkdir()
    (reviews / "odd" / "a\tb\n.txt").write_text("great")
    assert predicted("odd") == "pos\ta\\tb\\n.txt\n"


# ---- what is counted -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [
    ["--presence"],
    ["--ngrams", "1,2"],
    ["--analyzer", "char_wb", "--ngrams", "2,4", "--tfidf"],
    ["--stop-words", "english"],
    ["--stop-words", "and,with,the", "--presence", "--hash-bits", "9"],
])  # fmt: skip
def test_the_analysis_is_part_of_the_model(reviews: Path, options: list[str]) -> None:
    fitted(*options)
    clf, model = nv.Perceptron().fit(nv.open_data("train").prepare(**as_arguments(options))), nv.load("m.nvk")
    assert predicted("new") == "neg\ta.txt\npos\tb.txt\nneg\tsub/c.txt\n"
    texts = [NEW[name] for name in sorted(NEW)]
    assert model.predict(texts).tolist() == ["neg", "pos", "neg"]
    assert clf.coef_.tobytes() == model.coef_.tobytes()  # the options and the arguments of `prepare` are the same


def as_arguments(options: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    words = list(options)
    while words:
        name = words.pop(0).removeprefix("--").replace("-", "_")
        if not words or words[0].startswith("--"):
            found[name] = True
        elif name == "ngrams":
            low, high = words.pop(0).split(",")
            found[name] = (int(low), int(high))
        else:
            value = words.pop(0)
            found[name] = int(value) if value.isdigit() else value.split(",") if "," in value else value
    return found


def test_presence_counts_a_word_once(reviews: Path) -> None:
    fitted("--presence")
    clf = nv.load("m.nvk")
    assert clf.decision_function(["bad bad bad"]).tolist() == clf.decision_function(["bad"]).tolist()


def test_a_proof_of_words_is_checked_with_the_same_words(reviews: Path) -> None:
    rows = [f"{label}\t{text}" for label, texts in (("pos", GOOD), ("neg", BAD)) for text in texts]
    Path("t.tsv").write_text("label\ttext\n" + "\n".join(rows) + "\n")
    how = ["--label", "label", "--text", "text", "--ngrams", "1,2", "--stop-words", "and,the", "--presence"]
    told = novikoff("certify", "t.tsv", *how, "-o", "p.json")
    assert told.code == 0, told.err
    assert novikoff("verify", "p.json", "t.tsv").code == 0


@pytest.mark.parametrize(("options", "message"), [
    (["--ngrams", "2"], "'2': write the shortest and the longest, as in 1,2"),
    (["--ngrams", "3,2"], "--ngrams: found (3, 2); two integers, the shortest and the longest"),
    (["--stop-words", "don't"], "--stop-words: found \"don't\", which is split into ['don']"),
    (["--analyzer", "char", "--stop-words", "english"], "they are for --analyzer word only"),
])  # fmt: skip
def test_bad_values_name_the_option(reviews: Path, options: list[str], message: str) -> None:
    told = novikoff("fit", "train", *options, "-o", "m.nvk")
    assert told.code in (2, 3)
    assert message in told.err
    assert not Path("m.nvk").exists()
