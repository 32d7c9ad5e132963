"""`novikoff fit --soft` on the command line: every sentence is tested, and model files do what the estimator does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import novikoff as nv
from novikoff.cli import door

pytestmark = pytest.mark.slow  # where the compiler is off

TABLE = """height,weight,member
1.0,2.0,yes
2.0,1.5,yes
2.5,2.5,yes
0.5,0.2,no
0.9,0.4,no
1.8,0.3,no
2.2,2.0,no
"""


def run(*arguments: str) -> Any:
    """The result of a command."""
    return CliRunner().invoke(door, list(arguments))


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "members.csv"
    path.write_text(TABLE)
    return path


def points() -> tuple[np.ndarray, np.ndarray]:
    rows = [line.split(",") for line in TABLE.splitlines()[1:]]
    return np.array([[float(v) for v in row[:2]] for row in rows]), np.array([row[2] for row in rows])


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge", "logistic"])
@pytest.mark.parametrize("bias", ["padded", "free"])
def test_the_command_fits_what_the_estimator_fits(loss: str, bias: str, table: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.nvk"
    done = run(
        "fit", str(table), "--soft", loss, "--soft-bias", bias, "--C", "2", "--json", "-o", str(model), "--quiet"
    )
    assert done.exit_code == 0, done.output
    document = json.loads(done.stdout)
    X, y = points()
    clf = nv.SoftMargin(loss=loss, bias=bias, C=2.0).fit(X, y)
    np.testing.assert_allclose(document["w"], clf.coef_[0], rtol=1e-9)
    assert document["train_errors"] == int((clf.predict(X) != y).sum())
    assert document["relative_gap"] <= 1e-12
    assert document["stop_reason"] == "gap"
    loaded = nv.load(model)
    np.testing.assert_allclose(loaded.coef_, clf.coef_, rtol=1e-9)
    predicted = run("predict", str(model), str(table), "--quiet")
    assert predicted.exit_code == 0, predicted.output
    assert "yes" in predicted.stdout
    assert run("evaluate", str(model), str(table)).exit_code == 0
    assert f"{loss.replace('_', ' ')} loss, l2 penalty, C 2, {bias} bias" in run("explain", str(model)).stdout


def test_the_report_says_what_was_proved(table: Path) -> None:
    done = run("fit", str(table), "--soft", "hinge", "--gap", "1e-6")
    assert done.exit_code == 0, done.output
    assert "\ngap    the objective is at most" in done.stdout
    assert "of itself above its minimum, proved\nsoft   hinge loss, l2 penalty, C = 1, padded bias\n" in done.stdout
    wrong = json.loads(run("fit", str(table), "--soft", "hinge", "--gap", "1e-6", "--json").stdout)["train_errors"]
    assert wrong == 1
    assert done.stdout.startswith("SOLVED  1 of 7 training points wrong\n")
    assert "margin" not in done.stdout


def test_the_maximum_margin_is_reported_where_it_is_reached() -> None:
    done = run("fit", "--example", "cornwell", "--soft", "hinge", "--C", "1e6", "--soft-bias", "free")
    assert done.stdout.startswith("SOLVED  all 4 training points right\n")
    assert "margin at least 0.999 of the maximum margin, proved" in done.stdout
    stopped = run("fit", "--example", "breast-cancer", "--soft", "hinge", "--max-seconds", "0.000001")
    assert "STOPPED: time limit" in stopped.stdout
    assert "margin" not in stopped.stdout


def test_a_chosen_C_is_reported() -> None:
    arguments = (
        "fit",
        "--example",
        "breast-cancer",
        "--scale",
        "--soft",
        "logistic",
        "--C",
        "auto",
        "--holdout",
        "0.25",
    )
    document = json.loads(run(*arguments, "--json").stdout)
    assert document["C"] in document["path"]["C"]
    assert document["test"]["accuracy"] > 0.95
    assert f"C = {document['C']:g} (chosen on held-out points)" in run(*arguments).stdout


@pytest.mark.parametrize("multi", ["ova", "ovo"])
def test_several_classes_and_export(multi: str, tmp_path: Path) -> None:
    model = tmp_path / "m.nvk"
    done = run("fit", "--example", "iris", "--soft", "squared_hinge", "--multi", multi, "-o", str(model), "--quiet")
    assert done.exit_code == 0, done.output
    assert "the objective of every plane is at most" in done.stdout
    assert f"3 classes (setosa, versicolor, virginica), {multi}" in done.stdout
    pytest.importorskip("skl2onnx", reason="the extra onnx is not installed")
    assert run("convert", str(model), str(tmp_path / "m.onnx")).exit_code == 0
