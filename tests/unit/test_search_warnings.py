"""Each fit of a search or cross-validation warns with its figures, at the user's line or the line that fits."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import novikoff as nv

CHANCE = np.random.default_rng(14)
X = CHANCE.normal(size=(40, 3))
Y = np.where(X[:, 0] + CHANCE.normal(size=40) > 0, "yes", "no")


def clf(**how: Any) -> nv.Perceptron:
    return nv.Perceptron(**{"max_iter": 2} | how)


def grid() -> None:
    GridSearchCV(clf(), {"max_iter": [1, 2, 3, 4]}, cv=5).fit(X, Y)


def found(action: Any, call: Callable[[], object], times: int = 1) -> list[warnings.WarningMessage]:
    """The warnings of a call, repeated, with a filter."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.resetwarnings()
        warnings.simplefilter(action)
        for _ in range(times):
            call()
    return caught


def test_each_fit_warns_unless_a_filter_says_otherwise() -> None:
    warned = found("always", grid)
    assert len(warned) == 21
    assert {(one.category, one.filename) for one in warned} == {(nv.NotSeparatedWarning, __file__)}
    assert found("ignore", grid) == []
    with pytest.raises(nv.NotSeparatedWarning, match="max_passes"):  # pytest's own filter is "error"
        clf().fit(X, Y)


@pytest.mark.parametrize("one", [lambda n: clf(max_iter=n), lambda n: make_pipeline(StandardScaler(), clf(max_iter=n))])
def test_single_fits_each_warn_with_their_own_figures(one: Callable[[int], Any]) -> None:
    choices = iter([1, 2, 3])
    warned = found("default", lambda: one(next(choices)).fit(X, Y), 3)
    assert len({str(warning.message) for warning in warned}) == 3


@pytest.mark.slow
def test_parallel_processes_warn_at_the_line_that_fits() -> None:
    program = """
import numpy as np, novikoff as nv
from sklearn.model_selection import GridSearchCV
chance = np.random.default_rng(14)
X = chance.normal(size=(40, 3))
y = np.where(X[:, 0] + chance.normal(size=40) > 0, "yes", "no")
GridSearchCV(nv.Perceptron(), {"max_iter": [1, 2, 3, 4]}, cv=5, n_jobs=2).fit(X, y)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    where = [line.partition(": NotSeparatedWarning")[0] for line in done.stderr.splitlines() if ": NotSep" in line]
    assert where
    assert all("sklearn" in place or place.startswith("<string>:") for place in where), where


def test_parallel_threads_warn_at_the_line_that_fits() -> None:
    """The line of the call is in another thread."""

    def call() -> None:
        with joblib.parallel_config("threading"):
            cross_val_score(clf(), X, Y, n_jobs=2)

    warned = found("always", call)
    assert len(warned) == 5
    assert all("sklearn" in Path(warning.filename).parts for warning in warned)
