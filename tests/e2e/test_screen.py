"""What a person sees of a model, and the same in --json: weights, explanations, predictions, proofs, progress."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from commands import Told, answer, novikoff

PASSENGERS = """Survived,Pclass,Sex,Age,Fare
no,3,male,22,7.25
yes,1,female,38,71.28
yes,3,female,26,7.92
yes,1,female,35,53.1
no,3,male,35,8.05
no,3,male,,8.46
no,1,male,54,51.86
no,3,male,2,21.07
yes,3,female,27,11.13
yes,2,female,14,30.07
yes,3,female,4,16.7
yes,1,female,58,26.55
no,3,male,20,8.05
no,3,male,39,31.27
no,3,female,14,7.85
yes,2,female,55,16
no,3,male,2,29.12
yes,2,male,,13
no,3,female,31,18
yes,3,female,,7.22
no,2,male,35,26
yes,2,male,34,13
"""
HOW = ("--label", "Survived", "--one-hot", "--scale", "--missing", "impute")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    there = tmp_path_factory.mktemp("screen")
    (there / "t.csv").write_text(PASSENGERS)
    assert novikoff("fit", there / "t.csv", *HOW, "-o", there / "t.nvk", "--quiet").code == 0
    assert novikoff("fit", "--example", "iris", "-o", there / "iris.nvk", "--quiet").code == 0
    return there


# ---- a model -------------------------------------------------------------------------------------------------------


def test_the_weights_of_a_model_give_the_scores_of_predict(folder: Path) -> None:
    found = answer("explain", folder / "t.nvk")
    (plane,) = found["weights"]
    assert (plane["positive"], plane["negative"]) == ("yes", "no")
    assert found["names"] == ["Pclass", "Age", "Fare", "Sex=female", "Sex=male"]
    clf = nv.load(folder / "t.nvk")
    assert plane["w"] == clf.coef_[0].tolist()
    assert plane["b"] == clf.intercept_[0]


@pytest.mark.parametrize("multi", ["ova", "ovo", "joint"])
def test_several_classes_have_a_line_for_each_plane(multi: str, folder: Path) -> None:
    model = folder / f"{multi}.nvk"
    assert novikoff("fit", "--example", "iris", "--multi", multi, "--max-passes", 12, "-o", model, "--quiet").code == 0
    found, clf = answer("explain", model), nv.load(model)
    assert [plane["w"] for plane in found["weights"]] == clf.coef_.tolist()
    assert [plane["b"] for plane in found["weights"]] == clf.intercept_.tolist()
    lines = [line for line in novikoff("explain", model).out.splitlines() if line.startswith("largest")]
    if multi == "ovo":
        pairs = [(plane["positive"], plane["negative"]) for plane in found["weights"]]
        assert pairs == [("versicolor", "setosa"), ("virginica", "setosa"), ("virginica", "versicolor")]
        assert [line.partition("(")[2] for line in lines] == [f"+ is {p}, − is {n})" for p, n in pairs]
        for plane, row in zip(found["weights"], ([5.9, 3, 4.2, 1.3], [6.5, 3, 5.5, 2], [6.5, 3, 5.5, 2]), strict=True):
            assert np.dot(plane["w"], row) + plane["b"] > 0  # typical of the positive class
    else:
        assert [line.partition("(")[2] for line in lines] == [f"+ is {label})" for label in clf.classes_]
        assert all(plane["negative"] is None for plane in found["weights"])
    for line, w in zip(lines, clf.coef_, strict=True):
        j = int(np.abs(w).argmax())
        assert line.startswith(f"largest      x{j + 1} {w[j]:+.4g}, ")


def test_planes_that_vote_have_no_weights(folder: Path) -> None:
    assert novikoff("fit", "--example", "or", "--keep", "vote", "-o", folder / "v.nvk", "--quiet").code == 0
    assert answer("explain", folder / "v.nvk")["weights"] is None


# ---- explain -------------------------------------------------------------------------------------------------------


def test_explain_shows_the_value_in_the_file_beside_the_prepared_one(folder: Path) -> None:
    told = novikoff("explain", folder / "t.nvk", folder / "t.csv", "--row", 2)
    rows = {line.split()[0]: line.split()[1:] for line in told.out.splitlines()[2:]}
    assert rows["column"] == ["raw", "prepared", "·", "weight", "=", "adds"]
    assert [rows[name][0] for name in ("Pclass", "Age", "Fare", "Sex=female")] == ["1", "38", "71.28", "female"]
    ages = [float(age) for line in PASSENGERS.splitlines()[1:] if (age := line.split(",")[3])]
    ages += [float(np.median(ages))] * 3
    assert float(rows["Age"][1]) == pytest.approx((38 - np.mean(ages)) / np.std(ages), rel=1e-3)
    parts = answer("explain", folder / "t.nvk", folder / "t.csv", "--row", 2)["parts"]
    assert {part["name"]: part["raw"] for part in parts[:-1]} == {
        "Pclass": 1, "Age": 38, "Fare": 71.28, "Sex=female": "female"
    }  # fmt: skip
    assert "raw" not in parts[-1]  # the bias


# ---- predict -------------------------------------------------------------------------------------------------------


def document(told: Told) -> dict[str, Any]:
    assert told.code == 0, told.err
    found: dict[str, Any] = json.loads(told.out)
    assert found["schema"] == "novikoff/predict/1"
    return found


@pytest.mark.parametrize("model", ["t.nvk", "iris.nvk"])
def test_json_predictions_are_those_of_the_lines(model: str, folder: Path) -> None:
    data = folder / "t.csv"
    if model == "iris.nvk":
        data = folder / "iris.csv"
        X, _ = nv.example("iris")
        data.write_text("\n".join([*(",".join(map(str, x)) for x in X[::7]), ""]))
    lines = novikoff("predict", folder / model, data, "--scores").out.splitlines()
    found = document(novikoff("predict", folder / model, data, "--scores", "--json"))
    assert (found["n"], found["missing"]) == (len(lines), 0)
    assert found["classes"] == nv.load(folder / model).classes_.tolist()
    for k, (line, one) in enumerate(zip(lines, found["predictions"], strict=True)):
        label, *scores = line.split("\t")
        assert (one["row"], str(one["class"])) == (k, label)
        assert (one["scores"] if "scores" in one else [one["score"]]) == [float(score) for score in scores]
    plain = document(novikoff("predict", folder / model, data, "--json"))
    assert plain["predictions"] == [{"row": one["row"], "class": one["class"]} for one in found["predictions"]]


def test_a_row_without_a_prediction_has_the_class_null(folder: Path) -> None:
    (folder / "n.csv").write_text("a,b,y\n1,2,u\n2,1,v\n1,3,u\n3,1,v\n")
    (folder / "new.csv").write_text("a,b\n1,2\n,1\n5,1\n")
    assert novikoff("fit", folder / "n.csv", "-o", folder / "n.nvk", "--quiet").code == 0
    ask = ("predict", folder / "n.nvk", folder / "new.csv", "--json", "--on-missing")
    found = document(told := novikoff(*ask, "blank"))
    assert [one["class"] for one in found["predictions"]] == ["u", None, "v"]
    assert (found["n"], found["missing"]) == (3, 1)
    assert "1 row has a missing value and the class null" in told.err
    refused = novikoff(*ask, "fail")
    assert (refused.code, refused.out) == (3, "")


def test_json_predictions_in_a_file_and_with_other_engines(folder: Path) -> None:
    ask = ("predict", folder / "t.nvk", folder / "t.csv", "--json")
    told = novikoff(*ask)
    assert novikoff(*ask, "--engine", "threads", "--workers", 2).out == told.out
    written = novikoff(*ask, "-o", folder / "answers.json")
    assert (folder / "answers.json").read_text() == told.out
    assert written.out == ""
    assert "answers.json: 22 rows" in written.err
