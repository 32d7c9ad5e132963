"""The learner of the command line is the estimator of Python: the same bits, without scikit-learn."""

from __future__ import annotations

import subprocess
import sys
import warnings
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import novikoff as nv
from data.choices import allowed_for_many
from data.small_sets import fit_quietly
from novikoff.errors import InputError
from novikoff.estimators.learner import Learner
from novikoff.estimators.messages import NotSeparated
from novikoff.model import trained
from novikoff.perceptron import KEEPS, RULES, SCHEMES

CHANCE = np.random.default_rng(7)
X = CHANCE.integers(-3, 4, (60, 4)) / 2
Y = CHANCE.integers(0, 3, 60)
HOW = {"max_iter": 6, "random_state": 3, "order": "shuffle"}
RUN = """
import contextlib, io, sys
from novikoff.cli import main
for line in sys.stdin.read().splitlines():
    with contextlib.redirect_stdout(io.StringIO()):
        code = main(line.split())
    print(code, *[name for name in ("sklearn", "pandas", "scipy.stats", "scipy.linalg", "rich") if name in sys.modules])
"""


@pytest.mark.parametrize(
    ("classes", "rule", "keep"),
    [case for case in product((2, 3), RULES, KEEPS) if case[0] == 2 or allowed_for_many("ova", case[2], case[1])],
)
def test_learner_and_estimator_make_the_same_file(classes: int, rule: str, keep: str, tmp_path: Path) -> None:
    digests = []
    for kind in (Learner, nv.Perceptron):
        clf = kind(rule=rule, keep=keep, **HOW)
        fit_quietly(clf, X, Y % classes)
        digests.append(nv.save(clf, tmp_path / "model.nvk"))
    assert digests[0] == digests[1]


@pytest.mark.parametrize(
    ("scheme", "keep"),
    [case for case in product(SCHEMES, ("last", "pocket", "average")) if allowed_for_many(*case)],
)
def test_learner_and_estimator_take_the_same_stream(scheme: str, keep: str, tmp_path: Path) -> None:
    digests = []
    for kind in (Learner, nv.Perceptron):
        clf = kind(keep=keep, multi_class=scheme)
        for rows in (slice(0, 7), slice(7, 60)):
            clf.partial_fit(X[rows], Y[rows])
        digests.append(nv.save(clf, tmp_path / "model.nvk"))
    assert digests[0] == digests[1]


@pytest.mark.parametrize("keep", [keep for keep in KEEPS if keep != "vote"])
def test_a_model_that_only_predicts_says_what_the_loaded_estimator_says(keep: str, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotSeparated)
        nv.save(Learner(keep=keep, **HOW).fit(X, Y), tmp_path / "model.nvk")
    plain, full = trained(tmp_path / "model.nvk"), nv.load(tmp_path / "model.nvk")
    assert type(full) is nv.Perceptron
    assert plain.decision_function(X).tobytes() == full.decision_function(X).tobytes()
    assert plain.predict(X).tolist() == full.predict(X).tolist()
    assert nv.save(plain, tmp_path / "again.nvk") == nv.save(full, tmp_path / "again.nvk")


def test_the_learner_speaks_our_words() -> None:
    for name, value in {"eta0": -1.0, "keep": "best", "max_iter": 0}.items():
        with pytest.raises(InputError, match=f"^{name}: found") as plain:
            Learner(**{name: value}).fit(X, Y)
        with pytest.raises(InputError) as full:
            nv.Perceptron(**{name: value}).fit(X, Y)
        assert str(full.value) == str(plain.value)
        assert full.value.argument == name
    with pytest.raises(InputError, match="call fit first"):
        Learner().predict(X)
    with pytest.warns(NotSeparated, match="max_passes"):
        learner = Learner(max_iter=2).fit(X, Y % 2)
    with pytest.raises(InputError, match="found 3 columns; 4 were expected"):
        learner.predict(X[:, :3])


def test_the_learner_remembers_the_names_of_columns_and_forgets_them() -> None:
    X, y = nv.example("cornwell")
    learner: Any = Learner().fit(pd.DataFrame(X, columns=["a", "b"]), y)
    assert learner.feature_names_in_.tolist() == ["a", "b"]
    assert not hasattr(learner.fit(X, y), "feature_names_in_")


@pytest.mark.compiled
@pytest.mark.parametrize("kind", ["svm", "csv"])
def test_the_command_line_starts_without_scikit_learn(kind: str, tmp_path: Path) -> None:
    X = CHANCE.normal(size=(3_000, 8)).round(2)
    y = (X.sum(axis=1) > 0).astype(int)
    rows = {
        "csv": (",".join([*(str(v) for v in x), str(label)]) for x, label in zip(X, y, strict=True)),
        "svm": (
            " ".join([str(label), *(f"{j}:{v}" for j, v in enumerate(x, 1))]) for x, label in zip(X, y, strict=True)
        ),
    }
    data, model = tmp_path / f"some.{kind}", tmp_path / "model.nvk"
    data.write_text("\n".join(rows[kind]) + "\n")
    verbs = [
        f"fit {data} --max-passes 3 --holdout 1/5 --quiet -o {model}",
        f"predict {model} {data} --quiet -o {tmp_path}/answers",
        f"evaluate {model} {data}",
        f"explain {model} {data} --row 3",
        f"explain {model}",
    ]
    for _ in range(2):  # what is compiled first, and what comes from the cache
        info = subprocess.run([sys.executable, "-c", RUN], input="\n".join(verbs), capture_output=True, text=True)
    assert info.stdout.splitlines() == ["0"] * len(verbs), info.stderr
