"""The first minute: the accuracy of the defaults on bundled data, and the first lines of `fit`."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.model_selection import StratifiedKFold

import novikoff as nv
from commands import novikoff
from data.small_sets import fit_quietly, noisy_teacher

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.filterwarnings("ignore::novikoff.estimators.perceptron_estimator.NotSeparatedWarning"),
]

LOADED = {"iris": load_iris, "wine": load_wine, "digits": load_digits, "breast-cancer": load_breast_cancer}
LINEAR_SVC = {
    ("iris", False): 0.9533, ("iris", True): 0.9333, ("wine", False): 0.9552, ("wine", True): 0.9832,
    ("digits", False): 0.9521, ("digits", True): 0.9555, ("breast-cancer", False): 0.9578,
    ("breast-cancer", True): 0.9684,
}  # fmt: skip
"""accuracy of sklearn.svm.LinearSVC() with its defaults on the same folds, measured once"""
NEAR, MEAN = 0.025, 0.955
MOST_LINES, WIDEST = 3, 110  # before the details


def standardized(A: np.ndarray, B: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Both with mean 0 and variance 1 of the first."""
    mean, std = A.mean(axis=0), A.std(axis=0)
    std[std == 0] = 1
    return (A - mean) / std, (B - mean) / std


def test_the_defaults_are_as_accurate_as_a_linear_svm() -> None:
    """On five held-out folds."""
    shares = {}
    for name, scaled in LINEAR_SVC:
        (X, y), wrong = LOADED[name](return_X_y=True), 0
        for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
            A, B = standardized(X[train], X[test]) if scaled else (X[train], X[test])
            wrong += int((fit_quietly(nv.Perceptron(), A, y[train]).predict(B) != y[test]).sum())
        shares[name, scaled] = 1 - wrong / len(y)
    assert {view: share for view, share in shares.items() if share < LINEAR_SVC[view] - NEAR} == {}
    assert np.mean(list(shares.values())) >= MEAN


def test_scaled_breast_cancer_is_separated_by_the_widest_plane_in_twenty_passes() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    X, _ = standardized(X, X)
    clf = nv.Perceptron().fit(X, y)
    assert (clf.stop_reason_, int((clf.predict(X) != y).sum())) == ("separable", 0)
    assert clf.n_iter_ <= 20
    own, widest = clf.coef_[0], nv.MaxMargin().fit(X, y).coef_[0]
    np.testing.assert_allclose(own / np.linalg.norm(own), widest / np.linalg.norm(widest), rtol=0, atol=1e-6)


# ---- the first lines -----------------------------------------------------------------------------------------------


def written(path: Path, X: Any, y: Any) -> Path:
    rows = [",".join([*map(repr, map(float, x)), str(label)]) for x, label in zip(X, y, strict=True)]
    path.write_text("\n".join([",".join([*(f"x{j}" for j in range(len(X[0]))), "label"]), *rows]) + "\n")
    return path


def narrow(n: int = 0) -> tuple[Any, Any]:
    X = [[0, 1], [1, 1], [0, -1], [1, -1], [1e6, 1], [1e6, 1 - 1e-3], *([[0, 2], [0, -2]] * (n // 2))]
    return X, [*"ppnnpn", *("pn" * (n // 2))]


def sources(folder: Path) -> dict[str, list[Any]]:
    """Data of every answer: separable at once, late, not, of two classes and more, few points and many."""
    return {
        "at once": ["--example", "or"],
        "late": [written(folder / "late.csv", *narrow())],
        "late, many": [written(folder / "more.csv", *narrow(30))],
        "never": ["--example", "xor"],
        "noisy": [written(folder / "noisy.csv", *noisy_teacher(400, 6))],
        "apart": ["--example", "wine"],
        "iris": ["--example", "iris"],
        "one class alone": [written(folder / "one.csv", [[1, 2], [1, 2], [3, 4]], ["a", "b", "a"])],
    }


KEEP = [[], ["--keep", "last"], ["--keep", "pocket"], ["--keep", "average"], ["--keep", "vote"]]
LIMIT = [[], ["--max-passes", "1"], ["--max-passes", "200"], ["--max-updates", "30"], ["--stall-train", "5"]]
MORE = [[], ["--holdout", "0.25"], ["--multi", "ovo", "--ovo", "sum"], ["--multi", "ova"], ["--multi", "joint"],
        ["--order", "batch"], ["--no-bias"], ["--class-weight", "balanced"], ["--stall-valid", "3"],
        ["--soft", "hinge"]]  # fmt: skip


def first_lines(text: str) -> list[str]:
    """What stands before the details."""
    lines = text.splitlines()
    first = lines[: next(k for k, line in enumerate(lines) if line.startswith("data   "))]
    assert 1 <= len(first) <= MOST_LINES, first
    assert max(map(len, first)) <= WIDEST, first
    return first


def test_before_the_details_stand_at_most_three_short_lines(tmp_path: Path) -> None:
    """Whatever the verdict, the first line has it, the next step is a command, and nothing has to be scrolled."""
    heads, promised = set(), 0
    choices = itertools.product(sources(tmp_path).values(), KEEP, LIMIT, MORE)
    for k, (data, keep, limit, more) in enumerate(choices):
        if k % 11 or (limit == [] and keep != []):
            continue  # every pair of choices is met; a textbook run without a limit makes 10,000 passes
        command = ["fit", *data, *keep, *limit, *more]
        told = novikoff(*command, "--quiet")
        if told.code in (2, 3):
            continue  # an option that these data or options exclude
        first = first_lines(told.out)
        assert [line[:7] for line in first[1:]] in ([], ["test   "], ["next   "], ["test   ", "next   "]), command
        heads.add(first[0].split("  ")[0])
        step = re.search(r"^next   ((?:--\w+ \w+ ?)+) returns weights that separate the points", told.out, re.M)
        if step:
            promised += 1
            assert novikoff(*command, *step[1].split(), "--quiet", "--json").json["train_errors"] == 0, command
    assert heads >= {"SEPARATED", "NOT SEPARABLE (proved)", "SEPARABLE (proved)", "STOPPED: maximum passes", "SOLVED"}
    assert promised > 2


def test_a_soft_margin_has_as_few_short_lines_whatever_ended_it(tmp_path: Path) -> None:
    path = tmp_path / "sizes.csv"
    path.write_text("a,b,c,label\n-0.01,1.5e-08,-92800,1\n0.0093,-4.6e-09,34400,1\n0.0092,1.02e-08,49400,0\n"
                    "0.0014,-3.7e-09,46500,1\n0.0136,-4.4e-09,28800,0\n")  # fmt: skip
    ended = set()
    for more in (["--C", "1e12"], ["--C", "1e12", "--scale"], ["--max-passes", "1"], ["--max-seconds", "1e-9"], []):
        first = first_lines(novikoff("fit", path, "--soft", "hinge", *more, "--quiet").out)
        assert first[-1] == "next   --C auto chooses C on held-out points"
        ended.add(first[0].partition("  ")[0])
    assert len(ended) == 5, ended
