"""Texts of a table from the command line: presence, n-grams, stop words; the same in Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import novikoff as nv
from commands import novikoff

GOOD = ["a great film, great actors", "wonderful and moving", "great fun", "a wonderful film with a great end"]
BAD = ["a boring film, bad actors", "bad and far too long", "boring plot", "terrible, a bad end"]
NEW = ["boring from the begin", "a wonderful, great evening", "bad bad bad"]
COLUMNS = ("--label", "label", "--text", "text")


@pytest.fixture
def reviews(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table of labelled reviews, and one of reviews without labels; the current folder."""
    rows = [f"{label}\t{text}\n" for label, texts in (("pos", GOOD), ("neg", BAD)) for text in texts]
    (tmp_path / "train.tsv").write_text("label\ttext\n" + "".join(rows))
    (tmp_path / "new.tsv").write_text("text\n" + "".join(f"{text}\n" for text in NEW))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def fitted(*options: Any) -> None:
    told = novikoff("fit", "train.tsv", *COLUMNS, *options, "-o", "m.nvk")
    assert told.code == 0, told.err


def predicted(*args: Any) -> str:
    told = novikoff("predict", "m.nvk", "new.tsv", *args)
    assert told.code == 0, told.err
    return told.out


def test_the_same_in_python(reviews: Path) -> None:
    fitted("--tfidf", "--min-df", 1)
    assert predicted() == "neg\npos\nneg\n"
    scores = [float(line.split("\t")[1]) for line in predicted("--scores").splitlines()]
    assert nv.load("m.nvk").decision_function(NEW).tolist() == scores


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
    data = nv.open_data("train.tsv", label="label", text=["text"]).prepare(**as_arguments(options))
    clf, model = nv.Perceptron().fit(data), nv.load("m.nvk")
    assert predicted() == "neg\npos\nneg\n"
    assert model.predict(NEW).tolist() == ["neg", "pos", "neg"]
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
    how = [*COLUMNS, "--ngrams", "1,2", "--stop-words", "and,the", "--presence"]
    told = novikoff("certify", "train.tsv", *how, "-o", "p.json")
    assert told.code == 0, told.err
    assert novikoff("verify", "p.json", "train.tsv").code == 0


@pytest.mark.parametrize(("options", "message"), [
    (["--ngrams", "2"], "'2': write the shortest and the longest, as in 1,2"),
    (["--ngrams", "3,2"], "--ngrams: found (3, 2); two integers, the shortest and the longest"),
    (["--stop-words", "don't"], "--stop-words: found \"don't\", which is split into ['don']"),
    (["--analyzer", "char", "--stop-words", "english"], "they are for --analyzer word only"),
])  # fmt: skip
def test_bad_values_name_the_option(reviews: Path, options: list[str], message: str) -> None:
    told = novikoff("fit", "train.tsv", *COLUMNS, *options, "-o", "m.nvk")
    assert told.code in (2, 3)
    assert message in told.err
    assert not Path("m.nvk").exists()
