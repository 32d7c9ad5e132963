"""The option --class-weight: what it accepts, and that it trains what the parameter class_weight trains."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest

import novikoff as nv
from commands import answer, novikoff
from novikoff.cli.options.class_weights import by_class, class_weights
from novikoff.errors import InputError


@pytest.mark.parametrize(
    ("text", "weights"),
    [
        ("balanced", "balanced"),
        ("spam=2,ham=1/2", {"spam": Fraction(2), "ham": Fraction(1, 2)}),
        ("+1 = 2, -1=0.5", {"1": Fraction(2), "-1": Fraction(1, 2)}),
        ("1.0=3", {"1": Fraction(3)}),
        ('"a,b"=2,a=b=3', {"a,b": Fraction(2), "a=b": Fraction(3)}),
    ],
)
def test_weights_are_read_exactly_as_typed(text: str, weights: Any) -> None:
    assert class_weights(text) == weights


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "found no weight"),
        ("heavy", "write balanced, or classes and weights, as in spam=2,ham=1"),
        ("=2", "write balanced, or classes and weights"),
        ("a=2,", "write balanced, or classes and weights"),
        ("a=two", "'two' is not a number"),
        ("a=0", "0 is not greater than 0"),
        ("a=-1", "-1 is not greater than 0"),
        ("a=1,a=2", "the class a occurs twice"),
        ("1=1,+1=2", "the class 1 occurs twice"),
    ],
)
def test_other_texts_are_refused(text: str, reason: str) -> None:
    with pytest.raises(click.BadParameter, match=reason.replace("+", r"\+")):
        class_weights(text)


def test_classes_are_found_by_their_text_and_unknown_ones_are_refused() -> None:
    assert by_class(None, ["a"]) is None
    assert by_class("balanced", ["a"]) == "balanced"
    assert by_class(class_weights("1=2"), np.array([-1.0, 1.0]).tolist()) == {1.0: 2.0}
    with pytest.raises(InputError, match=r"^--class-weight c=…: no such class; the classes are a, b$"):
        by_class(class_weights("a=1,c=2"), ["a", "b"])
    many = [f"k{j}" for j in range(30)]
    with pytest.raises(InputError, match=r"k9, …$"):
        by_class(class_weights("c=2"), many)
    with pytest.raises(InputError, match="--class-weight: the number is too large for binary64"):
        by_class(class_weights("a=1e999"), ["a"])


@pytest.mark.parametrize(
    ("text", "weights"),
    [("balanced", "balanced"), ("setosa=1/4,virginica=3", {"setosa": 0.25, "virginica": 3.0})],
)
@pytest.mark.parametrize("keep", ["auto", "pocket"])
def test_the_option_trains_what_the_parameter_trains(text: str, weights: Any, keep: str, tmp_path: Path) -> None:
    model, how = tmp_path / "m.nvk", ("--max-passes", 4, "--keep", keep)
    found = answer("fit", "--example", "iris", "--class-weight", text, *how, "-o", model)
    clf = nv.Perceptron(class_weight=weights, max_iter=4, keep=keep, random_state=0)
    with pytest.warns(nv.NotSeparatedWarning):
        clf.fit(*nv.example("iris"))
    assert found["w"] == clf.coef_.tolist()
    assert found["b"] == clf.intercept_.tolist()
    listed = weights if text == "balanced" else [{"class": c, "weight": weight} for c, weight in weights.items()]
    assert found["class_weight"] == listed
    assert nv.load(model).class_weight == weights
    assert "class_weight" not in answer("fit", "--example", "iris", *how)


def test_cross_validation_weights_the_classes_of_each_fold() -> None:
    plain, weighted = (
        answer("cv", "--example", "iris", "--max-passes", 12, *how) for how in ((), ("--class-weight", "versicolor=9"))
    )
    assert plain["folds"] != weighted["folds"]


def test_a_class_that_does_not_occur_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    model = tmp_path / "m.nvk"
    for verb, more in (("fit", ["-o", model]), ("cv", [])):
        found = novikoff(verb, "--example", "iris", "--class-weight", "rose=2", *more)
        assert (found.code, found.out) == (3, "")
        assert found.err == (
            "novikoff: error: --class-weight rose=…: no such class; the classes are setosa, versicolor, virginica\n"
        )
    assert not model.exists()


def test_the_weights_of_classes_that_are_not_used_are_refused() -> None:
    found = novikoff("fit", "--example", "iris", "--classes", "setosa,virginica", "--class-weight", "versicolor=2")
    assert found.code == 3
    assert "--class-weight versicolor=…: no such class; the classes are setosa, virginica" in found.err


def test_a_known_margin_with_class_weights_is_refused_by_its_option() -> None:
    found = novikoff("fit", "--example", "or", "--class-weight", "balanced", "--known-margin", "1/4")
    assert found.code == 3
    assert "--known-margin: 0.25, but the bound (R/γ)² is for equal steps" in found.err


def of_stream(*args: str) -> subprocess.CompletedProcess[str]:
    rows = "1 1:1 2:3\n-1 1:-1\n1 2:2\n-1 1:-2 2:1\n"
    command = [sys.executable, "-m", "novikoff", "fit", "-", "--format", "svm", "--max-passes", "1", *args]
    return subprocess.run(command, capture_output=True, text=True, input=rows)


@pytest.mark.slow
def test_a_stream_needs_its_classes_if_weights_name_them() -> None:
    refused = of_stream("--class-weight", "1=2")
    assert refused.returncode == 2
    assert "--class-weight: the classes of a stream are not known beforehand; list all" in refused.stderr
    unknown = of_stream("--class-weight", "7=2", "--classes=1,-1")
    assert unknown.returncode == 3
    assert "--class-weight 7=…: no such class; the classes are 1, -1" in unknown.stderr
    found = of_stream("--class-weight", "1=2", "--classes=1,-1", "--json")
    assert found.returncode == 0, found.stderr
    clf = nv.Perceptron(class_weight={1: 2.0}).partial_fit([[1, 3], [-1, 0], [0, 2], [-2, 1]], [1, -1, 1, -1], [-1, 1])
    assert json.loads(found.stdout)["updates"] == clf.n_updates_
    balanced = of_stream("--class-weight", "balanced")
    assert balanced.returncode == 3
    assert "--class-weight: 'balanced'" in balanced.stderr
