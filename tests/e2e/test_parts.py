"""Files in parts: a pattern or a folder is certified, predicted and evaluated as one file, in memory or not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commands import novikoff
from novikoff.engines import partitions
from novikoff.io import text_blocks

N, PARTS = 120, 3


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_blocks, "BLOCK", 200)
    monkeypatch.setattr(partitions, "NUMBERS", 60)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One file all.csv, and the same rows in the folder `new`; two rows have the wrong label in mixed.csv."""
    monkeypatch.chdir(tmp_path)
    X = np.random.default_rng(3).integers(-9, 10, (N, 2))
    y = np.where(X @ [2, 1] > 0, "yes", "no")
    mixed = np.where(np.isin(np.arange(N), [70, 110]), np.where(y == "yes", "no", "yes"), y)
    (tmp_path / "new").mkdir()
    for name, labels in (("all", y), ("mixed", mixed)):
        rows = [f"{a},{b},{label}\n" for (a, b), label in zip(X.tolist(), labels, strict=True)]
        (tmp_path / f"{name}.csv").write_text("a,b,label\n" + "".join(rows))
        for k in range(PARTS):
            text = "a,b,label\n" + "".join(rows[40 * k : 40 * k + 40])
            (tmp_path / ("new" if name == "all" else "") / f"{name}-{k}.csv").write_text(text)
    return tmp_path


def answer(*args: Any, code: int = 0) -> dict[str, Any]:
    """The JSON document of a command, without what depends on the name of the data."""
    info = novikoff(*map(str, args), "--json")
    assert info.code == code, info.err
    document: dict[str, Any] = json.loads(info.out)
    for name in ("seconds", "data", "certificate", "support_files"):
        document.pop(name, None)
    return document


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("parts", ["new/all-*.csv", "new"])
def test_certify_and_margin_say_the_same_of_parts(parts: str) -> None:
    for verb in ("certify", "margin"):
        wanted = answer(verb, "all.csv")
        for more in ((), ("--memory", "1"), ("--memory", "1", "--engine", "threads", "--workers", "2")):
            assert answer(verb, parts, "--quiet", *more) == wanted
    assert novikoff("certify", parts, "--memory", "1", "--quiet", "-o", "proof.json").code == 0
    assert answer("verify", "proof.json", "all.csv")["kind"] == "complete"
    assert answer("verify", "proof.json", parts, "--memory", "1", "--quiet")["proved"]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("memory", [(), ("--memory", "1")])
def test_a_proof_names_file_and_row(memory: tuple[str, ...]) -> None:
    rows = Path("mixed.csv").read_text().splitlines()[1:]
    info = novikoff("certify", "mixed-*.csv", "--json", "--quiet", *memory)
    document = json.loads(info.out)
    assert (info.code, document["separable"]) == (1, False)
    for row, place in zip(document["support"], document["support_files"], strict=True):
        assert Path(place["file"]).read_text().splitlines()[1 + place["row"]] == rows[row]
    text = novikoff("certify", "mixed-*.csv", "--quiet", *memory).out
    first = document["support_files"][0]
    said = f"point {document['support'][0] + 1} is row {first['row'] + 1} of {first['file']}"
    assert said in " ".join(text.split())


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("engine", ["serial", "threads"])
def test_predictions_of_parts_are_those_of_one_file(engine: str) -> None:
    assert novikoff("fit", "all.csv", "-o", "m.nvk", "--quiet").code == 0
    wanted = novikoff("predict", "m.nvk", "all.csv").out
    info = novikoff("predict", "m.nvk", "new/all-*.csv", "-o", "out.txt", "--engine", engine)
    assert (info.code, info.err) == (0, "wrote out.txt: 120 rows\n")
    assert Path("out.txt").read_text() == wanted
    one, many = answer("evaluate", "m.nvk", "all.csv"), answer("evaluate", "m.nvk", "new", "--engine", engine)
    assert {**one, "data": 0} == {**many, "data": 0}


@pytest.mark.usefixtures("folder")
def test_an_error_in_a_part_writes_nothing() -> None:
    assert novikoff("fit", "all.csv", "-o", "m.nvk", "--quiet").code == 0
    Path("new/all-1.csv").write_text("a,b,label\n1,x,yes\n")
    info = novikoff("predict", "m.nvk", "new", "-o", "out.txt")
    assert (info.code, info.out) == (3, "")
    assert "all-1.csv, line 2" in info.err
    assert not [path for path in Path().iterdir() if "out" in path.name]
    assert novikoff("predict", "m.nvk", "none-*.csv", "-o", "out.txt").code == 3
