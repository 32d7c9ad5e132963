"""`novikoff fit --mix`: what is printed, what the model file has, what is refused, and kill -9."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from commands import answer, novikoff
from data.files import written
from novikoff.records.container import load_file


def table(folder: Path, form: str = "csv", n: int = 90) -> Path:
    rng = np.random.default_rng(5)
    X = np.round(rng.normal(size=(n, 4)), 2)
    X[0] = 1.0
    y = (X @ rng.normal(size=4) + 0.3 * rng.normal(size=n) > 0).astype(int)
    return written(folder, form, X, y, 2000)


def model_of(path: Path) -> nv.Perceptron:
    return nv.load(path)


def test_the_document(tmp_path: Path) -> None:
    path, model = table(tmp_path), tmp_path / "m.nvk"
    found = answer("fit", path, "--mix", "--partitions", 4, "--max-passes", 7, "--quiet", "-o", model)
    assert (found["mix"], found["partitions"], found["partition_rows"]) == (True, 4, [22, 23, 22, 23])
    assert sum(found["partition_mistakes"]) == found["updates"]
    assert (found["passes"], found["looks"], found["stop_reason"]) == (7, 7 * 90, "max_passes")
    clf = model_of(model)
    data = nv.read(path)
    again = nv.Perceptron(mix=True, partitions=4, max_iter=7, random_state=0)
    with pytest.warns(nv.NotSeparatedWarning):
        again.fit(data)
    assert clf.coef_.tobytes() == again.coef_.tobytes()
    assert (clf.mix, clf.partitions, clf.partition_rows_.tolist()) == (True, 4, [22, 23, 22, 23])
    assert clf.n_mistakes_.tolist() == again.n_mistakes_.tolist() == found["partition_mistakes"]
    without = answer("fit", path, "--max-passes", 7, "--quiet")
    assert not {"mix", "partitions", "partition_rows", "partition_mistakes"} & without.keys()


def test_the_words_and_the_description(tmp_path: Path) -> None:
    path, model = table(tmp_path), tmp_path / "m.nvk"
    said = novikoff("fit", path, "--mix", "--partitions", 4, "--max-passes", 7, "--quiet", "-o", model)
    assert said.code == 0
    assert "mix    4 partitions of 22 to 23 rows: in each pass every partition makes its own updates" in said.out
    shown = novikoff("explain", model)
    assert "mixed over   4 partitions of 22 to 23 rows" in shown.out
    document = answer("explain", model)
    assert (document["mix"], document["partition_rows"]) == (True, [22, 23, 22, 23])
    assert document["parameters"]["mix"] is True
    assert document["parameters"]["partitions"] == document["fitted_with"]["partitions"] == 4
    one = novikoff("fit", "--example", "or", "--mix", "--quiet")
    assert "mix    1 partition of 4 rows" in one.out


def test_models_without_mixing_are_as_before(tmp_path: Path) -> None:
    model = tmp_path / "m.nvk"
    assert novikoff("fit", "--example", "or", "--quiet", "-o", model).code == 0
    record = load_file(model, "novikoff-model/1").record
    assert not {"mix", "partitions"} & {*record["parameters"], *record["fitted_with"]}
    assert not {"mix", "partition_rows"} & answer("explain", model).keys()


@pytest.mark.parametrize("keep", ["auto", "pocket"])
def test_every_file_memory_and_engine_give_the_same_model(keep: str, tmp_path: Path) -> None:
    digests = set()
    how = ("--mix", "--partitions", 5, "--max-passes", 12, "--keep", keep, "--order", "shuffle", "--quiet")
    for path in (table(tmp_path), table(tmp_path, "csv.gz")):
        for more in ((), ("--memory", "1K"), ("--engine", "threads", "--workers", 3, "--memory", "1K")):
            found = answer("fit", path, *how, *more)
            digests.add((json.dumps(found["w"]), found["b"], str(found["partition_mistakes"])))
    assert len(digests) == 1


def test_refusals(tmp_path: Path) -> None:
    path = table(tmp_path)
    model = tmp_path / "m.nvk"
    for args, code, message in (
        (("--partitions", 3), 3, "--partitions: 3 without --mix"),
        (("--mix", "--partitions", 91), 3, "--partitions: found 91 for 90 rows"),
        (("--mix", "--rule", "pa1"), 3, "--rule: 'pa1' with --mix"),
        (("--mix", "--keep", "vote"), 3, "--keep: 'vote' with --mix"),
        (("--mix", "--order", "batch"), 3, "--order: 'batch' with --mix"),
        (("--mix", "--schedule", "inverse"), 3, "--schedule: 'inverse' with --mix"),
        (("--mix", "--partitions", 0), 2, "--partitions"),
        (("--mix", "--soft", "hinge"), 2, "--mix: one thread solves a soft margin"),
        (("--engine", "threads", "--soft", "hinge"), 2, "--engine: one thread solves a soft margin"),
    ):
        said = novikoff("fit", path, *args, "-o", model, "--quiet")
        assert (said.code, model.exists()) == (code, False), said.err
        assert message in said.err


def test_a_stream_is_refused(tmp_path: Path) -> None:
    path = table(tmp_path)
    command = [sys.executable, "-m", "novikoff", "fit", "-", "--format", "csv", "--max-passes", "1", "--mix"]
    with open(path) as rows:
        done = subprocess.run(command, stdin=rows, capture_output=True, text=True)
    assert done.returncode == 2
    assert "--mix: the rows of a stream have no partitions; use a file" in done.stderr


def test_the_bound_is_printed_and_true() -> None:
    found = answer(
        "fit", "--example", "tao", "--mix", "--partitions", 2, "--no-bias", "--known-margin", "7/10", "--quiet"
    )
    assert found["mistake_bound"] == pytest.approx(float(2 / Fraction(7, 10) ** 2))
    assert found["updates"] <= found["mistake_bound"]
    said = novikoff(
        "fit", "--example", "tao", "--mix", "--partitions", 2, "--no-bias", "--known-margin", "7/10", "--quiet"
    )
    assert "at most P·(R/γ)² = 4.08164 for this margin" in said.out


def test_cross_validation_mixes() -> None:
    found = answer("cv", "--example", "iris", "--mix", "--partitions", 3, "--max-passes", 5, "--folds", 3)
    assert found["accuracy"] > 0.5


def test_mixing_has_no_checkpoints(tmp_path: Path) -> None:
    said = novikoff("fit", "--example", "iris", "--mix", "--checkpoint", tmp_path / "ck", "--quiet")
    assert said.code == 3
    assert "--checkpoint: runs with --mix have no checkpoints; train without one" in said.err


@pytest.mark.compiled
@pytest.mark.parametrize("form", ["csv", "svm", "parquet"])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("options", [(), ("--mix",), ("--mix", "--partitions", 3, "--engine", "threads")])
def test_rows_that_stay_in_their_file_give_the_same_document_and_model(
    form: str, classes: int, options: tuple[Any, ...], tmp_path: Path
) -> None:
    """Counts and the digest are made of each part where its rows and labels are."""
    rng = np.random.default_rng(7)
    X = np.round(rng.normal(size=(5000, 3)), 2)
    X[0] = 1.0
    y = (X @ rng.normal(size=(3, classes)) + 0.1 * rng.normal(size=(5000, classes))).argmax(axis=1)
    path, how = written(tmp_path, form, X, y, 2000), ("--max-passes", 3, "--quiet", *options)
    found = []
    for memory in ((), ("--memory", "50k")):
        model = tmp_path / "m.nvk"
        document = answer("fit", path, *how, *memory, "-o", model)
        assert document["train_errors"] > 0
        found.append(({key: value for key, value in document.items() if key != "seconds"}, model.read_bytes()))
    assert found[0] == found[1]
