"""`fit --soft` and `cv --soft` as a user types them: weights, limits, formats, bad input, options that do not apply."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from commands import answer, novikoff

pytestmark = pytest.mark.slow  # where the compiler is off

TABLE = """height,weight,colour,member
1.0,2.0,red,yes
2.0,1.5,blue,yes
2.5,2.5,red,yes
0.5,0.2,blue,no
0.9,0.4,red,no
1.8,0.3,blue,no
2.2,2.0,red,no
1.9,0.1,red,no
"""
NUMBERS = ("--columns", "height,weight")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "members.csv"
    path.write_text(TABLE)
    return path


def points() -> tuple[np.ndarray, np.ndarray]:
    rows = [line.split(",") for line in TABLE.splitlines()[1:]]
    return np.array([[float(v) for v in row[:2]] for row in rows]), np.array([row[3] for row in rows])


# ---- class weights -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "given", "words"),
    [
        ("balanced", "balanced", "C = 1, balanced class weights, padded bias\n"),
        ("yes=2,no=1/4", {"yes": 2.0, "no": 0.25}, "C = 1, class weights yes=2, no=0.25, padded bias\n"),
    ],
)
def test_class_weights_are_those_of_the_estimator(typed: str, given: Any, words: str, table: Path) -> None:
    X, y = points()
    model = table.with_suffix(".nvk")
    command = ("fit", table, *NUMBERS, "--soft", "hinge", "--class-weight", typed, "-o", model)
    document = answer(*command)
    clf = nv.SoftMargin(class_weight=given).fit(X, y)
    np.testing.assert_allclose(document["w"], clf.coef_[0], rtol=1e-9)
    assert document["objective"] == pytest.approx(clf.objective_)
    assert not np.allclose(document["w"], nv.SoftMargin().fit(X, y).coef_[0], rtol=1e-3)
    assert words in novikoff(*command).out
    assert nv.load(model).class_weight == given
    assert "weighted by  class_weight " in novikoff("explain", model).out


# ---- limits --------------------------------------------------------------------------------------------------------


def test_max_passes_limits_the_steps_and_max_seconds_the_time(table: Path) -> None:
    X, y = points()
    document = answer("fit", table, *NUMBERS, "--soft", "hinge", "--max-passes", 2)
    with pytest.warns(UserWarning, match="max_iter=2 ended the fit"):
        clf = nv.SoftMargin(max_iter=2).fit(X, y)
    assert (document["stop_reason"], document["steps"]) == ("max_iter", 2)
    np.testing.assert_allclose(document["w"], clf.coef_[0], rtol=1e-12)
    assert answer("fit", table, *NUMBERS, "--soft", "hinge")["stop_reason"] == "gap"  # no limit by default
    words = novikoff("fit", table, *NUMBERS, "--soft", "hinge", "--max-passes", 2).out
    assert words.startswith("STOPPED: maximum passes (--max-passes)  ")
    assert "\ngap    the objective is at most " in words
    timed = novikoff("fit", table, *NUMBERS, "--soft", "hinge", "--max-seconds", "0.000000001").out
    assert timed.startswith("STOPPED: time limit (--max-seconds)  ")
    assert "\ngap    the objective is at most " in timed


# ---- cross-validation ----------------------------------------------------------------------------------------------


def test_cross_validation_has_the_folds_of_a_perceptron_and_the_results_of_the_estimator() -> None:
    command = ("cv", "--example", "iris", "--folds", 4, "--seed", 3)
    soft, plain = answer(*command, "--soft", "logistic", "--C", 2), answer(*command, "--max-passes", 3)
    assert [fold["n"] for fold in soft["folds"]] == [fold["n"] for fold in plain["folds"]]
    assert soft["classes"] == plain["classes"]
    assert {fold["stop_reason"] for fold in soft["folds"]} == {"gap"}
    assert {fold["C"] for fold in soft["folds"]} == {2.0}
    errors = sum(fold["errors"] for fold in soft["folds"])
    assert soft["accuracy"] == 1 - errors / 150
    words = novikoff(*command, "--soft", "logistic", "--C", 2).out.splitlines()
    assert words[0] == "iris: 150 rows in 4 folds; classes setosa, versicolor, virginica"
    for line, fold in zip(words[1:5], soft["folds"], strict=True):
        right = f"{fold['n'] - fold['errors']} of {fold['n']} right   (gap)"
        assert line.endswith(f"accuracy {100 * fold['accuracy']:.2f} %   {right}")


# ---- files, preparation, models ------------------------------------------------------------------------------------


def test_a_prepared_model_predicts_evaluates_and_explains(table: Path, tmp_path: Path) -> None:
    model, new = tmp_path / "m.nvk", tmp_path / "new.csv"
    fitted = answer("fit", table, "--label", "member", "--auto", "--soft", "logistic", "--holdout", "0.25", "-o", model)
    assert fitted["test"]["n"] == 2
    new.write_text(TABLE.replace("1.5,blue", ",blue"))
    predicted = novikoff("predict", model, new, "--scores")
    assert predicted.code == 0, predicted.err
    clf = nv.load(model)
    lines = [line.split("\t") for line in predicted.out.splitlines()]
    assert len(lines) == 8
    assert all((float(score) > 0) == (label == "yes") for label, score in lines)
    whole = answer("evaluate", model, table)
    assert whole["n"] == 8
    assert novikoff("explain", model, table, "--row", 1).code == 0
    probability = clf.predict_proba([{"height": 1.0, "weight": 2.0, "colour": "red"}])
    np.testing.assert_allclose(probability.sum(axis=1), 1.0)


# ---- bad input -----------------------------------------------------------------------------------------------------


def test_features_that_are_all_zero_leave_the_bias(tmp_path: Path) -> None:
    """½b² + max(0, 1 + b) + 2·max(0, 1 − b) has its minimum 2.5 at b = 1."""
    (tmp_path / "zero.csv").write_text("x,label\n0,a\n0,b\n0,b\n")
    command = ("fit", tmp_path / "zero.csv", "--soft", "hinge")
    document = answer(*command)
    assert document["w"] == [0.0]
    assert abs(document["b"] - 1.0) <= np.sqrt(2.0 * document["gap"])
    assert document["objective"] == pytest.approx(2.5)
    assert novikoff(*command).out.startswith("SOLVED  1 of 3 training points wrong\n")


def test_a_gap_below_the_precision_is_reported_as_such() -> None:
    command = ("fit", "--example", "breast-cancer", "--scale", "--soft", "hinge", "--gap", "1e-200")
    document = answer(*command)
    assert document["stop_reason"] == "precision"
    assert 0.0 < document["relative_gap"] < 1e-6
    words = novikoff(*command).out
    assert words.startswith("SOLVED to the precision of binary64  ")
    assert "\ngap    the objective is at most " in words
    rough = novikoff("fit", "--example", "breast-cancer", "--soft", "logistic", "--C", "1e40").out
    stopped = "STOPPED: precision of binary64 (try --scale, or a smaller --C)  "
    assert rough.startswith(stopped)
