"""The option --class-weight: what it accepts, and that it trains what the parameter class_weight trains."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import novikoff as nv
from commands import Told, answer, novikoff

CLASSES = ['"a,b"', "a=b", "1", "spam"]


def listed(weights: dict[str, float]) -> list[dict[str, Any]]:
    return [{"class": c, "weight": weight} for c, weight in weights.items()]


@pytest.mark.parametrize(
    ("text", "weights"),
    [
        ("spam=2,1=1/2", {"spam": 2.0, "1": 0.5}),
        ("+1 = 2, spam=0.5", {"1": 2.0, "spam": 0.5}),
        ("1.0=3", {"1": 3.0}),
        ('"a,b"=2,a=b=3', {"a,b": 2.0, "a=b": 3.0}),
    ],
)
def test_weights_are_read_as_they_are_typed(text: str, weights: dict[str, float], tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("x,label\n" + "".join(f"{k % 7},{CLASSES[k % 4]}\n" for k in range(20)))
    found = answer("fit", tmp_path / "t.csv", "--class-weight", text, "--max-passes", 1)["class_weight"]
    assert sorted(map(str, found)) == sorted(map(str, listed(weights)))


IRIS = ("--example", "iris")
UNKNOWN = "--class-weight rose=…: no such class; the classes are setosa, versicolor, virginica\n"
REFUSED: list[tuple[tuple[str, ...], int, str]] = [
    ((*IRIS, ""), 2, "found no weight"),
    ((*IRIS, "heavy"), 2, "write balanced, or classes and weights, as in spam=2,ham=1"),
    ((*IRIS, "=2"), 2, "write balanced, or classes and weights"),
    ((*IRIS, "a=2,"), 2, "write balanced, or classes and weights"),
    ((*IRIS, "a=two"), 2, "'two' is not a number"),
    ((*IRIS, "a=0"), 2, "0 is not greater than 0"),
    ((*IRIS, "a=-1"), 2, "-1 is not greater than 0"),
    ((*IRIS, "a=1,a=2"), 2, "the class a occurs twice"),
    ((*IRIS, "1=1,+1=2"), 2, "the class 1 occurs twice"),
    ((*IRIS, "rose=2"), 3, UNKNOWN),
    ((*IRIS, "setosa=1e999"), 3, "--class-weight: the number is too large for binary64"),
    (("--example", "digits", "10=2"), 3, "no such class; the classes are 0, 1, 2, 3, 4, 5, 6, 7, 8, 9"),
    ((*IRIS, "--classes", "setosa,virginica", "versicolor=2"), 3, "no such class; the classes are setosa, virginica"),
    (("--example", "or", "--known-margin", "1/4", "balanced"), 3, "--known-margin: 0.25, but the bound (R/γ)² is for"),
]


@pytest.mark.parametrize(("words", "code", "reason"), REFUSED)
def test_other_weights_are_refused_and_nothing_is_written(
    words: tuple[str, ...], code: int, reason: str, tmp_path: Path
) -> None:
    told = novikoff("fit", *words[:-1], "--class-weight", words[-1], "-o", tmp_path / "m.nvk")
    assert (told.code, told.out) == (code, "")
    assert reason in told.err
    assert not (tmp_path / "m.nvk").exists()
    assert novikoff("cv", *IRIS, "--class-weight", "rose=2").err == f"novikoff: error: {UNKNOWN}"


@pytest.mark.parametrize("text", ["balanced", "setosa=1/4,virginica=3"])
@pytest.mark.parametrize("keep", ["auto", "pocket"])
def test_the_option_trains_what_the_parameter_trains(text: str, keep: str, tmp_path: Path) -> None:
    weights = text if text == "balanced" else {"setosa": 0.25, "virginica": 3.0}
    model, how = tmp_path / "m.nvk", ("--max-passes", 4, "--keep", keep)
    found = answer("fit", *IRIS, "--class-weight", text, *how, "-o", model)
    clf = nv.Perceptron(class_weight=weights, max_iter=4, keep=keep, random_state=0)
    with pytest.warns(nv.NotSeparatedWarning):
        clf.fit(*nv.example("iris"))
    assert (found["w"], found["b"]) == (clf.coef_.tolist(), clf.intercept_.tolist())
    assert found["class_weight"] == (weights if text == "balanced" else listed(weights))
    assert nv.load(model).class_weight == weights
    assert "class_weight" not in answer("fit", *IRIS, *how)


def test_cross_validation_weights_the_classes_of_each_fold() -> None:
    plain, weighted = (
        answer("cv", *IRIS, "--max-passes", 12, *how)["folds"] for how in ((), ("--class-weight", "versicolor=9"))
    )
    assert plain != weighted


def test_a_stream_needs_its_classes_if_weights_name_them(monkeypatch: pytest.MonkeyPatch) -> None:
    def streamed(*args: str) -> Told:
        rows = io.BytesIO(b"1 1:1 2:3\n-1 1:-1\n1 2:2\n-1 1:-2 2:1\n")
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=rows))
        return novikoff("fit", "-", "--format", "svm", "--max-passes", "1", *args)

    for args, code, words in [
        (["1=2"], 2, "--class-weight: the classes of a stream are not known beforehand; list all"),
        (["7=2", "--classes=1,-1"], 3, "--class-weight 7=…: no such class; the classes are 1, -1"),
        (["balanced"], 3, "--class-weight: 'balanced'"),
    ]:
        told = streamed("--class-weight", *args)
        assert (told.code, words in told.err) == (code, True), told.err
    found = json.loads(streamed("--class-weight", "1=2", "--classes=1,-1", "--json").out)
    clf = nv.Perceptron(class_weight={1: 2.0}).partial_fit([[1, 3], [-1, 0], [0, 2], [-2, 1]], [1, -1, 1, -1], [-1, 1])
    assert found["updates"] == clf.n_updates_
