"""`fit --soft` and `cv --soft`: what the estimator finds, in words, in --json and in model files."""

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
X = np.array([[float(v) for v in line.split(",")[:2]] for line in TABLE.splitlines()[1:]])
Y = np.array([line.split(",")[3] for line in TABLE.splitlines()[1:]])
FIT = ("fit", "t.csv", "--columns", "height,weight", "--soft")
CANCER = ("fit", "--example", "breast-cancer", "--soft")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "t.csv").write_text(TABLE)
    monkeypatch.chdir(tmp_path)


CHOICES: list[tuple[str, dict[str, Any], str]] = [
    *(
        (f"{loss} --soft-bias {bias} --C 2", {"loss": loss, "bias": bias, "C": 2.0}, f"C = 2, {bias} bias")
        for loss in ("hinge", "squared_hinge", "logistic")
        for bias in ("padded", "free")
    ),
    ("hinge --class-weight balanced", {"class_weight": "balanced"}, "C = 1, balanced class weights, padded bias"),
    ("hinge --class-weight yes=2,no=1/4", {"class_weight": {"yes": 2.0, "no": 0.25}},
     "C = 1, class weights yes=2, no=0.25, padded bias"),
]  # fmt: skip


@pytest.mark.parametrize(("typed", "how", "words"), CHOICES, ids=[typed for typed, _, _ in CHOICES])
def test_the_command_fits_what_the_estimator_fits(typed: str, how: dict[str, Any], words: str) -> None:
    document, clf = answer(*FIT, *typed.split(), "-o", "m.nvk"), nv.SoftMargin(**how).fit(X, Y)
    np.testing.assert_allclose(document["w"], clf.coef_[0], rtol=1e-9)
    assert document["objective"] == pytest.approx(clf.objective_)
    wrong = int((clf.predict(X) != Y).sum())
    assert (document["train_errors"], document["stop_reason"]) == (wrong, "gap")  # no limit by default
    assert document["relative_gap"] <= 1e-12
    told = novikoff(*FIT, *typed.split()).out
    assert told.startswith(f"SOLVED  {f'{wrong} of' if wrong else 'all'} 8 training points ")
    assert f"\nsoft   {typed.split()[0].replace('_', ' ')} loss, l2 penalty, {words}\n" in told
    assert "\ngap    the objective is at most" in told
    assert "of itself above its minimum, proved\n" in told
    assert "margin" not in told
    loaded = nv.load("m.nvk")
    assert loaded.coef_.tolist() == [document["w"]]
    assert novikoff("predict", "m.nvk", "t.csv", "--quiet").out.split() == clf.predict(X).tolist()
    assert answer("evaluate", "m.nvk", "t.csv")["errors"] == wrong
    explained = novikoff("explain", "m.nvk").out
    assert f"{typed.split()[0].replace('_', ' ')} loss, l2 penalty, C {clf.C:g}, {clf.bias} bias" in explained
    assert loaded.class_weight == clf.class_weight
    assert ("weighted by  class_weight " in explained) == (clf.class_weight is not None)


def test_a_limit_or_the_precision_ends_the_fit_and_is_named() -> None:
    document = answer(*FIT, "hinge", "--max-passes", 2)
    with pytest.warns(UserWarning, match="max_iter=2 ended the fit"):
        clf = nv.SoftMargin(max_iter=2).fit(X, Y)
    assert (document["stop_reason"], document["steps"]) == ("max_iter", 2)
    np.testing.assert_allclose(document["w"], clf.coef_[0], rtol=1e-12)
    fine = ("--scale", "hinge", "--gap", "1e-200")
    for ask, first in (
        ((*FIT, "hinge", "--max-passes", 2), "STOPPED: maximum passes (--max-passes)  "),
        ((*FIT, "hinge", "--max-seconds", "1e-9"), "STOPPED: time limit (--max-seconds)  "),
        ((*CANCER, fine[1], "--scale", *fine[2:]), "SOLVED to the precision of binary64  "),
        ((*CANCER, "logistic", "--C", "1e40"),
         "STOPPED: precision of binary64 (try --scale, or a smaller --C)  "),
    ):  # fmt: skip
        told = novikoff(*ask).out
        assert told.startswith(first)
        assert "\ngap    the objective is at most " in told
        assert "margin" not in told
    document = answer(*CANCER, fine[1], "--scale", *fine[2:])
    assert document["stop_reason"] == "precision"
    assert 0.0 < document["relative_gap"] < 1e-6


def test_the_maximum_margin_is_reported_where_it_is_reached() -> None:
    told = novikoff("fit", "--example", "cornwell", "--soft", "hinge", "--C", "1e6", "--soft-bias", "free").out
    assert told.startswith("SOLVED  all 4 training points right\n")
    assert "margin at least 0.999 of the maximum margin, proved" in told


def test_a_chosen_C_is_reported() -> None:
    ask = (*CANCER, "logistic", "--scale", "--C", "auto", "--holdout", "0.25")
    document = answer(*ask)
    assert document["C"] in document["path"]["C"]
    assert document["test"]["accuracy"] > 0.95
    assert f"C = {document['C']:g} (chosen on held-out points)" in novikoff(*ask).out


def test_cross_validation_has_the_folds_of_a_perceptron_and_the_results_of_the_estimator() -> None:
    command = ("cv", "--example", "iris", "--folds", 4, "--seed", 3)
    soft, plain = answer(*command, "--soft", "logistic", "--C", 2), answer(*command, "--max-passes", 3)
    assert [fold["n"] for fold in soft["folds"]] == [fold["n"] for fold in plain["folds"]]
    assert soft["classes"] == plain["classes"]
    assert {(fold["stop_reason"], fold["C"]) for fold in soft["folds"]} == {("gap", 2.0)}
    assert soft["accuracy"] == 1 - sum(fold["errors"] for fold in soft["folds"]) / 150
    words = novikoff(*command, "--soft", "logistic", "--C", 2).out.splitlines()
    assert words[0] == "iris: 150 rows in 4 folds; classes setosa, versicolor, virginica"
    for line, fold in zip(words[1:5], soft["folds"], strict=True):
        right = f"{fold['n'] - fold['errors']} of {fold['n']} right   (gap)"
        assert line.endswith(f"accuracy {100 * fold['accuracy']:.2f} %   {right}")


@pytest.mark.parametrize("multi", ["ova", "ovo"])
def test_several_classes_and_export(multi: str) -> None:
    told = novikoff("fit", "--example", "iris", "--soft", "squared_hinge", "--multi", multi, "-o", "m.nvk", "--quiet")
    assert "the objective of every plane is at most" in told.out
    assert f"3 classes (setosa, versicolor, virginica), {multi}" in told.out
    pytest.importorskip("skl2onnx", reason="the extra onnx is not installed")
    assert novikoff("convert", "m.nvk", "m.onnx").code == 0


def test_a_prepared_model_predicts_evaluates_and_explains() -> None:
    fit = ("fit", "t.csv", "--label", "member", "--auto", "--soft", "logistic", "--holdout", "0.25", "-o", "m.nvk")
    assert answer(*fit)["test"]["n"] == 2
    Path("new.csv").write_text(TABLE.replace("1.5,blue", ",blue"))
    told = novikoff("predict", "m.nvk", "new.csv", "--scores")
    assert told.code == 0, told.err
    lines = [line.split("\t") for line in told.out.splitlines()]
    assert len(lines) == answer("evaluate", "m.nvk", "t.csv")["n"] == 8
    assert all((float(score) > 0) == (label == "yes") for label, score in lines)
    assert novikoff("explain", "m.nvk", "t.csv", "--row", 1).code == 0
    probability = nv.load("m.nvk").predict_proba([{"height": 1.0, "weight": 2.0, "colour": "red"}])
    np.testing.assert_allclose(probability.sum(axis=1), 1.0)


def test_features_that_are_all_zero_leave_the_bias() -> None:
    """½b² + max(0, 1 + b) + 2·max(0, 1 − b) has its minimum 2.5 at b = 1."""
    Path("zero.csv").write_text("x,label\n0,a\n0,b\n0,b\n")
    document = answer("fit", "zero.csv", "--soft", "hinge")
    assert (document["w"], document["train_errors"]) == ([0.0], 1)
    assert abs(document["b"] - 1.0) <= np.sqrt(2.0 * document["gap"])
    assert document["objective"] == pytest.approx(2.5)
