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
from data.choices import KEEPS, RULES, SCHEMES, allowed_for_many
from data.small_sets import fit_quietly
from novikoff.estimators import stream
from novikoff.estimators.learner import Learner
from novikoff.estimators.messages import NotSeparated
from novikoff.model import trained

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
    one, other = (fit_quietly(kind(rule=rule, keep=keep, **HOW), X, Y % classes) for kind in (Learner, nv.Perceptron))
    assert nv.save(one, tmp_path / "model.nvk") == nv.save(other, tmp_path / "model.nvk")


@pytest.mark.parametrize(
    ("scheme", "keep"),
    [case for case in product(SCHEMES, ("last", "pocket", "average")) if allowed_for_many(*case)],
)
def test_learner_and_estimator_take_the_same_stream(scheme: str, keep: str, tmp_path: Path) -> None:
    one, other = (kind(keep=keep, multi_class=scheme).partial_fit(X[:7], Y[:7]) for kind in (Learner, nv.Perceptron))
    digests = [nv.save(clf.partial_fit(X[7:], Y[7:]), tmp_path / "model.nvk") for clf in (one, other)]
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
        with pytest.raises(nv.InputError, match=f"^{name}: found") as plain:
            Learner(**{name: value}).fit(X, Y)
        with pytest.raises(nv.InputError) as full:
            nv.Perceptron(**{name: value}).fit(X, Y)
        assert str(full.value) == str(plain.value)
        assert full.value.argument == name
    with pytest.raises(nv.InputError, match="call fit first"):
        Learner().predict(X)
    with pytest.warns(NotSeparated, match="max_passes"):
        learner = Learner(max_iter=2).fit(X, Y % 2)
    with pytest.raises(nv.InputError, match="found 3 columns; 4 were expected"):
        learner.predict(X[:, :3])


def test_the_learner_remembers_the_names_of_columns_and_forgets_them() -> None:
    X, y = nv.example("cornwell")
    learner: Any = Learner().fit(pd.DataFrame(X, columns=["a", "b"]), y)
    assert learner.feature_names_in_.tolist() == ["a", "b"]
    assert not hasattr(learner.fit(X, y), "feature_names_in_")


def test_ctrl_c_is_heard_when_the_chunk_is_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    class Pressed(stream.Interrupt):
        def __bool__(self) -> bool:
            return True

    X, y = [[1.0], [2.0], [-1.0]], [0, 1, 0]
    whole, clf = nv.Perceptron().partial_fit(X, y), nv.Perceptron()
    monkeypatch.setattr(stream, "Interrupt", Pressed)
    with pytest.raises(KeyboardInterrupt):
        clf.partial_fit(X, y)
    assert (clf.coef_.tolist(), clf.n_looks_, clf.stop_reason_) == (whole.coef_.tolist(), whole.n_looks_, "interrupted")


@pytest.mark.compiled
def test_the_command_line_starts_without_scikit_learn(tmp_path: Path) -> None:
    x = CHANCE.normal(size=(3_000, 8)).round(2)
    label = (x.sum(axis=1) > 0).astype(int)
    pd.DataFrame(x, columns=list("abcdefgh")).assign(label=label).to_csv(tmp_path / "some.csv", index=False)
    data, model = tmp_path / "some.csv", tmp_path / "model.nvk"
    verbs = [
        f"convert {data} {tmp_path / 'some.svm'}",
        f"fit {tmp_path / 'some.svm'} --max-passes 1 --quiet",
        f"fit {data} --max-passes 3 --holdout 1/5 --quiet -o {model}",
        f"predict {model} {data} --quiet -o {tmp_path}/answers",
        f"evaluate {model} {data}",
        f"explain {model} {data} --row 3",
        f"explain {model}",
    ]
    info = subprocess.run([sys.executable, "-c", RUN], input="\n".join(verbs), capture_output=True, text=True)
    assert info.stdout.splitlines() == ["0"] * len(verbs), info.stderr
