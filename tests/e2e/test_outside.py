"""fit on a file larger than the memory limit: the answer and the model's bytes are those of the file in memory."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

import novikoff as nv
from novikoff.cli import main
from novikoff.data import labelled_points
from novikoff.io import spill, stored_rows, text_blocks

pytestmark = pytest.mark.compiled
WORDS = ["free", "cash", "prize", "call", "now", "me", "you", "home", "work", "late", "meet", "dinner"]


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_blocks, "BLOCK", 900)
    monkeypatch.setattr(spill, "BLOCK", 500)
    monkeypatch.setattr(spill, "STEP", 64)
    monkeypatch.setattr(stored_rows, "ROWS", 17)


def rows(n: int = 240, seed: int = 0) -> list[dict[str, Any]]:
    """Rows of numbers, a category and a text, with a label that they nearly tell."""
    chance, made = random.Random(seed), []
    for k in range(n):
        a, b = chance.randint(0, 9), round(chance.gauss(0, 1), 3)
        color, text = chance.choice(["red", "green", "blue"]), " ".join(chance.choices(WORDS, k=4))
        high = a + 2 * b + 3 * (color == "red") + 4 * text.count("free") > 6
        label = f"{'spam' if high else 'ham'}{k % 2}"
        made.append({"a": a, "b": b, "color": color, "text": text, "label": label})
    return made


def table(path: Path, seed: int = 0, comma: str = ",", columns: str = "a b color text label", n: int = 240) -> Path:
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, delimiter=comma)
        names = columns.split()
        writer.writerow(names)
        writer.writerows([row[name] for name in names] for row in rows(n, seed))
    return path


def sparse(path: Path, seed: int = 0, n: int = 240) -> Path:
    X = np.random.default_rng(seed).integers(-3, 4, (n, 12))
    y = (X[:, 0] + X[:, 3] + X[:, 7] > 1) + (X[:, 1] > 2).astype(int)
    lines = [f"{k} " + " ".join(f"{j + 1}:{v}" for j, v in enumerate(x) if v) for x, k in zip(X, y, strict=True)]
    raw = "\n".join(lines).encode() + b"\n"
    if path.suffix == ".gz":
        import gzip

        raw = gzip.compress(raw)
    path.write_bytes(raw)
    return path


def parquet(path: Path, seed: int = 0) -> Path:
    made = rows(seed=seed)
    names = ("a", "b", "color", "label")
    pyarrow.parquet.write_table(pyarrow.table({k: [row[k] for row in made] for k in names}), path, row_group_size=50)
    return path


def both(capsys: pytest.CaptureFixture[str], folder: Path, *args: Any) -> dict[str, Any]:
    """The document of a fit in memory, which is that of the fit from the file; so are the bytes of the models."""
    documents, models = [], []
    for memory in ("1G", "1"):
        model = folder / f"{memory}.nvk"
        code = main([*map(str, args), "--memory", memory, "--json", "-o", str(model)])
        out, err = capsys.readouterr()
        assert code == 0, err
        assert ("written to temporary files" in err) is (memory == "1"), err
        document = json.loads(out)
        documents.append({k: v for k, v in document.items() if k not in ("seconds", "model")})
        models.append(model.read_bytes())
    assert documents[0] == documents[1]
    assert models[0] == models[1]
    return dict(documents[0])


TABLES = {
    "numbers": ("a b label", []),
    "scaled": ("a b label", ["--scale", "--test-every", "5"]),
    "all": ("a b color text label", ["--one-hot", "--text", "text", "--tfidf", "--scale", "--holdout", "0.2"]),
    "hashed": ("b text label", ["--text", "2", "--hash-bits", "6", "--normalize", "--test-every", "3"]),
    "products": ("a b label", ["--features", "poly2", "--scale-by", "10", "--keep", "average"]),
    "renamed": ("a b color label", ["--one-hot", "--label-as", "spam*:spam", "--label-as", "*:ham"]),
    "classes": ("a b label", ["--classes", "ham0,spam1", "--keep", "vote", "--max-passes", "4"]),
    "valid": ("a b label", ["--stall-valid", "3", "--scale"]),
    "many": ("a b label", ["--multi", "joint", "--order", "shuffle", "--seed", "3"]),
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("form", ["csv", "tsv"])
def test_tables(name: str, form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    columns, options = TABLES[name]
    path = table(tmp_path / f"t.{form}", comma="\t" if form == "tsv" else ",", columns=columns)
    document = both(capsys, tmp_path, "fit", path, "--max-passes", "12", *options)
    assert ("test" in document) is any(option in ("--test-every", "--holdout") for option in options)


@pytest.mark.parametrize("form", ["svm", "svm.gz"])
@pytest.mark.parametrize(
    "options", [[], ["--normalize", "--classes", "0,2", "--order", "shuffle"], ["--holdout", "0.1"]]
)
def test_sparse_files(form: str, options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both(capsys, tmp_path, "fit", sparse(tmp_path / f"t.{form}"), "--max-passes", "6", *options)


@pytest.mark.parametrize("more", [[], ["--scale", "--test-every", "4", "--stall-valid", "2"]])
def test_parquet(more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both(capsys, tmp_path, "fit", parquet(tmp_path / "t.parquet"), "--one-hot", "--max-passes", "6", *more)


def test_other_files_to_test_and_to_choose_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [table(tmp_path / f"{k}.csv", seed=k) for k in range(3)]
    more = ["--test", paths[1], "--valid", paths[2], "--one-hot", "--text", "text", "--max-passes", "9"]
    label = ["--label-as", "spam*:spam", "--label-as", "*:ham"]
    assert both(capsys, tmp_path, "fit", paths[0], *more, *label)["test"]["n"] == 240
    table(tmp_path / "strange.csv", n=100)
    strange = (tmp_path / "strange.csv").read_text().replace("ham1", "eggs")
    (tmp_path / "strange.csv").write_text(strange)
    row = next(k for k, line in enumerate(strange.splitlines()[1:], start=1) if line.endswith("eggs"))
    for memory in ("1", "1G"):
        request = ["fit", str(paths[0]), "--test", str(tmp_path / "strange.csv"), "--one-hot", "--text", "text"]
        assert main([*request, "--memory", memory]) == 3
        assert f"'eggs' in row {row};" in capsys.readouterr().err


@pytest.mark.parametrize("order", ["first", "random", "shuffle"])
def test_every_order(order: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both(
        capsys,
        tmp_path,
        "fit",
        sparse(tmp_path / "t.svm.gz"),
        "--order",
        order,
        "--classes",
        "0,1",
        "--max-updates",
        "90",
    )


ANSWERS: dict[str, list[str]] = {
    "cv": ["--one-hot", "--text", "text", "--scale", "--max-passes", "4"],
    "certify": ["--one-hot", "--drop", "text"],
    "margin": ["--columns", "a,b", "--classes", "ham0,spam1", "--max-seconds", "9"],
    "report": ["--one-hot", "--text", "text"],
    "separation": ["--columns", "a,b"],
}


@pytest.mark.parametrize("verb", ANSWERS)
def test_other_verbs_answer_the_same(verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, found = table(tmp_path / "t.csv"), []
    for memory in ("1G", "1"):
        code = main([verb, str(path), *ANSWERS[verb], "--memory", memory, "--json"])
        out, err = capsys.readouterr()
        assert code in (0, 1), err
        assert ("written to temporary files" in err) is (memory == "1"), err
        found.append({k: v for k, v in json.loads(out).items() if "seconds" not in k})
    assert found[0] == found[1]


def test_a_soft_margin(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both(capsys, tmp_path, "fit", table(tmp_path / "t.csv", columns="a b label"), "--soft", "logistic", "--C", "1")


@pytest.mark.parametrize("more", [["--impute-numbers", "mean"], ["--missing-indicator"]])
def test_missing_values(more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = table(tmp_path / "t.csv", columns="a b color label")
    lines = path.read_text().splitlines()
    path.write_text("\n".join(x if k % 9 or not k else "," + x.partition(",")[2] for k, x in enumerate(lines)) + "\n")
    given = ("--missing", "impute", "--one-hot", "--test-every", "5", "--max-passes", "6")
    both(capsys, tmp_path, "fit", path, *given, *more)


def test_a_size_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fit", str(table(tmp_path / "t.csv")), "--memory", "much"]) == 3
    assert "--memory: found 'much'" in capsys.readouterr().err


def test_a_checkpoint_is_gone_on_from(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, state = table(tmp_path / "t.csv"), tmp_path / "state"
    request = [
        "fit",
        str(path),
        "--one-hot",
        "--text",
        "text",
        "--scale",
        "--test-every",
        "5",
        "--memory",
        "1",
        "--json",
    ]
    request += ["--order", "shuffle", "--keep", "average", "--stall-train", "off"]
    assert main([*request, "--max-passes", "30", "-o", str(tmp_path / "whole.nvk")]) == 0
    kept = ["--checkpoint", str(state), "--max-passes", "30"]
    assert main([*request, *kept, "--max-seconds", "1e-9"]) == 0
    assert main([*request, *kept, "--resume", "-o", str(tmp_path / "again.nvk")]) == 0
    assert (tmp_path / "whole.nvk").read_bytes() == (tmp_path / "again.nvk").read_bytes()
    path.write_text(path.read_text().replace("free", "cash", 9))
    capsys.readouterr()
    assert main([*request, *kept, "--resume"]) == 3
    assert "changed since the checkpoint was written" in capsys.readouterr().err


@pytest.mark.parametrize("target", ["csv", "svm", "npz", "nvc"])
@pytest.mark.parametrize("form", ["csv", "svm", "parquet"])
def test_convert_some_rows_at_a_time(
    form: str, target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(labelled_points, "PIECE", 50)
    path = tmp_path / f"t.{form}"
    if form == "csv":
        table(path, columns="a b label")
    elif form == "svm":
        sparse(path)
    else:
        made = rows()
        pyarrow.parquet.write_table(pyarrow.table({k: [row[k] for row in made] for k in ("a", "b", "label")}), path)
    points = []
    for memory in ("1G", "1"):
        out = tmp_path / f"{memory}.{target}"
        assert main(["convert", str(path), str(out), "--memory", memory]) == 0, capsys.readouterr().err
        points.append(nv.read(out))
    X = [p.X.toarray() if hasattr(p.X, "toarray") else np.asarray(p.X) for p in points]
    assert X[0].tolist() == X[1].tolist()
    assert points[0].y.tolist() == points[1].y.tolist()
    assert points[0].names == points[1].names
    if target in ("csv", "svm"):
        assert (tmp_path / f"1.{target}").read_bytes() == (tmp_path / f"1G.{target}").read_bytes()


@pytest.mark.parametrize("form", ["csv", "svm"])
def test_a_cache_is_used_as_it_lies_or_some_rows_at_a_time(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = table(tmp_path / "t.csv", columns="a b label") if form == "csv" else sparse(tmp_path / "t.svm")
    cache = tmp_path / "t.nvc"
    assert main(["convert", str(path), str(cache)]) == 0
    assert main(["fit", str(cache), "--memory", "1", "--order", "first", "--max-passes", "2", "--multi", "ova"]) in (
        0,
        3,
    )
    assert "temporary files" not in capsys.readouterr().err
    for more in (["--test-every", "4"], ["--normalize", "--order", "shuffle"]):
        both(capsys, tmp_path, "fit", cache, "--max-passes", "5", *more)


@pytest.mark.parametrize("memory", ["1K", "1G"])
def test_quiet_says_nothing_of_rows_that_are_left_out(
    memory: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b,label\n" + "1,2,no\n2,,yes\n-1,3,yes\n" * 40)
    for words, info in (((), True), (("--quiet",), False)):
        assert main(["fit", str(path), "--missing", "drop", "--max-passes", "1", "--memory", memory, *words]) == 0
        assert ("left out" in capsys.readouterr().err) is info
