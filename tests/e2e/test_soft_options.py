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


def test_a_weight_of_a_class_that_does_not_occur_is_refused(table: Path) -> None:
    info = novikoff("fit", table, *NUMBERS, "--soft", "hinge", "--class-weight", "maybe=2")
    assert info.code == 3
    assert "--class-weight maybe=…: no such class; the classes are no, yes" in info.err


def test_the_command_that_auto_stands_for_has_the_class_weights_and_does_the_same(table: Path) -> None:
    command = ("fit", table, "--label", "member", "--auto", "--soft", "hinge", "--class-weight", "yes=2,no=1/3")
    info = novikoff(*command)
    line = next(line for line in info.err.splitlines() if line.startswith("auto   novikoff "))
    assert line.endswith("--class-weight yes=2,no=1/3 --soft hinge")
    again = novikoff(*line.removeprefix("auto   novikoff ").split())
    assert again.out == info.out


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


def test_a_limit_ends_the_path_of_C(table: Path) -> None:
    document = answer("fit", table, *NUMBERS, "--soft", "hinge", "--C", "auto", "--max-seconds", "0.000000001")
    assert document["stop_reason"] == "max_time"
    whole = answer("fit", table, *NUMBERS, "--soft", "hinge", "--C", "auto")["path"]["C"]
    assert len(document["path"]["C"]) < len(whole) == 11
    assert document["path"]["C"] == whole[: len(document["path"]["C"])]


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


def test_the_C_that_a_fold_chose_is_reported() -> None:
    command = ("cv", "--example", "breast-cancer", "--scale", "--soft", "squared_hinge", "--C", "auto", "--folds", 2)
    document, words = answer(*command), novikoff(*command).out.splitlines()
    for line, fold in zip(words[1:3], document["folds"], strict=True):
        assert line.endswith(f"(gap, C = {fold['C']:g})")
        assert fold["C"] in fold["path"]["C"]
    assert document["accuracy"] > 0.95


def test_limits_and_weights_of_a_cross_validation(table: Path) -> None:
    how = ("cv", table, *NUMBERS, "--soft", "hinge", "--folds", 3)
    info = novikoff(*how, "--max-passes", 1, "--class-weight", "balanced")
    assert info.code == 0, info.err
    assert info.out.count("(max_iter)") == 3
    assert "warning" not in info.err


# ---- files, preparation, models ------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["csv", "tsv", "svm", "npz", "parquet", "nvc"])
def test_every_format_gives_the_same_plane(ending: str, table: Path, tmp_path: Path) -> None:
    plain, other = tmp_path / "numbers.csv", tmp_path / f"data.{ending}"
    rows = [line.split(",") for line in TABLE.splitlines()[1:]]
    plain.write_text("\n".join(["h,w,label", *(f"{a},{b},{int(c == 'yes')}" for a, b, _, c in rows)]) + "\n")
    done = novikoff("convert", plain, other)
    if ending == "parquet" and "pip install" in done.err:
        pytest.skip("the extra files is not installed")
    assert done.code == 0, done.err
    found = answer("fit", other, "--soft", "hinge")
    expected = answer("fit", plain, "--soft", "hinge")
    away = np.subtract([*found["w"], found["b"]], [*expected["w"], expected["b"]])
    assert np.linalg.norm(away) <= np.sqrt(2.0 * found["gap"]) + np.sqrt(2.0 * expected["gap"])
    if ending != "svm":  # dense rows: the same bits
        assert not away.any()


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


def test_rows_of_standard_input_are_read_whole(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import sys
    from types import SimpleNamespace

    text = table.read_bytes()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text)))
    piped = answer("fit", "-", "--format", "csv", *NUMBERS, "--soft", "hinge")
    assert piped["w"] == answer("fit", table, *NUMBERS, "--soft", "hinge")["w"]


# ---- bad input -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--C", "0"), 2, "0 is not greater than 0"),
        (("--C", "-1"), 2, "-1 is not greater than 0"),
        (("--C", "nan"), 2, "'nan' is not a number"),
        (("--C", "1e400"), 2, "1e400 is beyond the range of binary64"),
        (("--C", "1e200"), 3, "--C: found 1e+200; numbers from 1e-100 to 1e+80 were expected"),
        (("--gap", "0"), 2, "0 is not greater than 0"),
        (("--penalty", "l1"), 2, "--penalty: found 'l1' with --soft hinge; l1 needs a smooth loss: use --soft squared"),
        (("--class-weight", "yes=-1"), 2, "-1 is not greater than 0"),
        (("--class-weight", "yes=0,no=0"), 2, "0 is not greater than 0"),
        (("--keep", "last"), 2, "--keep: a soft margin does not use it; leave it out"),
        (("--threshold", "2"), 2, "--threshold: a soft margin does not use it; --soft hinge has the threshold 1"),
        (("--pa-C", "2"), 2, "--pa-C: a soft margin does not use it; --C is the factor of its losses"),
        (("--no-bias",), 2, "a soft margin always has a bias; --soft-bias says whether it is penalized"),
        (("--valid", "x.csv"), 2, "--valid: a soft margin does not use it; --C auto chooses C on held-out rows"),
        (("--stall-train", "3"), 2, "--stall-train: a soft margin does not use it; --gap, --max-passes and"),
        (("--max-updates", "3"), 2, "--max-updates: a soft margin does not use it; --gap, --max-passes and"),
        (("--checkpoint", "state"), 2, "--checkpoint: a soft margin has no checkpoints; leave it out"),
        (("--from", "old.nvk"), 2, "--from: a soft margin cannot be continued; fit all rows together"),
        (("--workers", "2"), 2, "--workers: one thread solves a soft margin; leave it out"),
        (("--expect", "separated"), 2, "--expect: a soft margin may misclassify points; leave it out"),
    ],
)
def test_a_refused_command_says_why_and_writes_nothing(
    arguments: tuple[str, ...], code: int, message: str, table: Path
) -> None:
    model = table.with_suffix(".nvk")
    info = novikoff("fit", table, *NUMBERS, "--soft", "hinge", "-o", model, *arguments)
    assert info.code == code, info.err
    assert message in " ".join(info.err.split())
    assert not model.exists()


@pytest.mark.parametrize("arguments", [("--keep", "last"), ("--max-updates", "3"), ("--no-bias",)])
def test_cross_validation_refuses_the_same_options(arguments: tuple[str, ...], table: Path) -> None:
    info = novikoff("cv", table, *NUMBERS, "--soft", "hinge", *arguments)
    assert info.code == 2
    assert "a soft margin " in info.err
    assert "--C: only a soft margin uses it; add --soft hinge" in novikoff("cv", table, *NUMBERS, "--C", "3").err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x,label\n1,a\n2,a\n", "only one class, 'a'; two classes are needed"),
        ("x,label\nnan,a\n2,b\n", "line 2, column 1 ('x'): found 'nan'; a number was expected; --missing drop"),
        ("x,label\n,a\n2,b\n", "line 2, column 1 ('x'): "),
        ("x,label\n1e60,a\n2,b\n", "numbers too large: C times the largest |x|² is 1e+120; at most 1e+80 was expected"),
    ],
)
def test_rows_that_cannot_be_fitted_are_refused(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text(text)
    info = novikoff("fit", tmp_path / "bad.csv", "--label", "label", "--soft", "hinge", "-o", tmp_path / "m.nvk")
    assert info.code == 3, info.err
    assert message in info.err
    assert not (tmp_path / "m.nvk").exists()


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
