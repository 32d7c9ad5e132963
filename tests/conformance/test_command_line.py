"""The requirements of the notes, each by its id, as a person types them: the command line on files and examples."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from novikoff.cli import main

pytestmark = pytest.mark.compiled
Typed = Callable[..., str]


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Typed:
    """What a command prints, in a folder of its own, with these bytes on standard input."""
    monkeypatch.chdir(tmp_path)

    def command(*args: object, stdin: bytes = b"") -> str:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(stdin)))
        capsys.readouterr()
        assert main([str(arg) for arg in args]) == 0
        return capsys.readouterr().out

    return command


def accuracy(said: str) -> float:
    """As it is printed: `test   … classified correctly: accuracy 97.67 %`."""
    (line,) = (line for line in said.splitlines() if line.startswith("test "))
    return float(line.partition("accuracy ")[2].removesuffix(" %")) / 100


@pytest.mark.parametrize(("separator", "ending"), [(",", "csv"), ("\t", "tsv"), (";", "csv")])
def test_Z2_rows_or_columns_are_the_same_data(typed: Typed, separator: str, ending: str) -> None:
    """A table of d × n with --transpose is the run, the model and the answers of the table of n × d."""
    rng = np.random.default_rng(2)
    X = np.round(rng.normal(size=(60, 3)), 3)
    y = np.where(X @ [1.0, -2.0, 0.5] > 0.1, "up", "down")
    rows = [["height", "weight", "age", "label"], *([*map(repr, x), k] for x, k in zip(X.tolist(), y, strict=True))]
    for name, cells in (("rows", rows), ("columns", zip(*rows, strict=True))):
        Path(f"{name}.{ending}").write_text("".join(separator.join(line) + "\n" for line in cells))
    info: dict[str, Any] = {}
    for name, more in (("rows", ()), ("columns", ("--transpose",))):
        model, data = f"{name}.nvk", f"{name}.{ending}"
        document = json.loads(typed("fit", data, *more, "-o", model, "--json"))
        inspected = json.loads(typed("explain", model, "--json"))
        info[name] = (
            [document[key] for key in ("n", "d", "w", "b", "updates", "looks", "stop_reason", "classes")],
            inspected["data_digest"],
            typed("predict", model, data, "--scores"),
            json.loads(typed("evaluate", model, data, "--json"))["confusion"],
        )
    assert info["rows"] == info["columns"]
    assert info["rows"][0][:2] == [60, 3]


def test_Z3_C1_mails_digits_and_the_retina_from_the_data_to_a_printed_accuracy(typed: Typed) -> None:
    """One command each: handwritten digits 0–9, left and right squares on 400 cells, mails as bags of words."""
    average = ("--order", "shuffle", "--keep", "average", "--max-passes", 20)
    said = typed("fit", "--example", "digits", "--holdout", "0.25", *average)
    assert "64 features and a bias; 10 classes" in said
    assert accuracy(said) > 0.93
    said = typed("fit", "--example", "retina", "--holdout", "0.25")
    assert "400 features and a bias; − is left, + is right" in said
    assert accuracy(said) == 1.0
    mails = [
        ("spam", "win a free prize now"),
        ("ham", "see you at lunch"),
        ("spam", "free cash now"),
        ("ham", "lunch?"),
    ]
    Path("mails.tsv").write_text("".join(f"{label}\t{text} {k % 3}\n" for k, (label, text) in enumerate(mails * 6)))
    said = typed("fit", "mails.tsv", "--label", 1, "--text", 2, "--tfidf", "--test-every", 5, "-o", "mails.nvk")
    assert accuracy(said) == 1.0
    assert typed("explain", "mails.nvk", "--message", "a free lunch prize now").startswith("spam: score +")


def test_R2_mistakes_on_a_stream_against_the_bound_of_a_known_margin(typed: Typed) -> None:
    """Each row is predicted, learned from and dropped; the mistakes stay within (R/γ)², printed beside them."""
    rng = np.random.default_rng(4)
    u = np.array([0.6, -0.8, 0.0])
    X = rng.normal(size=(4000, 3))
    X += np.sign(X @ u)[:, None] * u * 0.2  # margin 0.2 through the origin
    y = np.where(X @ u > 0, 1, -1)
    lines = [f"{k} " + " ".join(f"{j}:{v!r}" for j, v in enumerate(x, 1)) for x, k in zip(X.tolist(), y, strict=True)]
    stream = ("fit", "-", "--format", "svm", "--max-passes", 1, "--no-bias", "--known-margin", "0.2")
    document = json.loads(typed(*stream, "--json", stdin="\n".join(lines).encode()))
    assert document["mistake_bound"] == pytest.approx((X**2).sum(axis=1).max() / 0.04)
    assert 0 < document["mistakes"] <= document["mistake_bound"]
    assert (document["stop_reason"], document["looks"], document["n"]) == ("stream_ended", 4000, 4000)
    first = json.loads(typed(*stream, "--json", stdin="\n".join(lines[:2000]).encode()))
    assert first["mistakes"] <= document["mistakes"]
    said = typed(*stream, stdin="\n".join(lines).encode())
    assert f"{document['mistakes']:,} mistakes on 4,000 rows" in said
    bound = float(re.search(r"at most \(R/γ\)² [=≤] ([\d,.]+) for this margin", said)[1].replace(",", ""))
    assert document["mistake_bound"] <= bound <= document["mistake_bound"] * (1 + 1e-5)
