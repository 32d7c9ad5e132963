"""A search or cross-validation of many fits warns once; a single fit always warns, with its figures."""

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
from sklearn.ensemble import BaggingClassifier
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import novikoff as nv
from novikoff.estimators import messages

CHANCE = np.random.default_rng(14)
X = CHANCE.normal(size=(40, 3))
Y = np.where(X[:, 0] + CHANCE.normal(size=40) > 0, "yes", "no")
MORE = "Other fits at this line may have ended like this; they are not reported."


@pytest.fixture(autouse=True)
def nothing_warned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "_WARNED", set())


def clf(**how: Any) -> nv.Perceptron:
    return nv.Perceptron(**{"max_iter": 2} | how)


def grid(columns: int = 3) -> None:
    GridSearchCV(clf(), {"max_iter": [1, 2, 3, 4]}, cv=5).fit(X[:, :columns], Y)


def found(action: Any, call: Callable[[], object], times: int = 1) -> list[warnings.WarningMessage]:
    """The warnings of a call, repeated, with a filter."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.resetwarnings()
        warnings.simplefilter(action)
        for _ in range(times):
            call()
    return caught


@pytest.mark.parametrize("action", ["default", "module", "once"])
def test_a_grid_of_21_fits_warns_once_at_the_line_of_its_call(action: str) -> None:
    (warning,) = found(action, grid)
    assert warning.category is nv.NotSeparatedWarning
    assert warning.filename == __file__
    assert str(warning.message).startswith("max_passes: the limit of passes was reached (")
    assert str(warning.message).endswith(MORE)


def test_each_fit_warns_with_a_filter_that_says_so() -> None:
    warned = found("always", grid)
    assert len(warned) == 21
    assert not any(MORE in str(one.message) for one in warned)
    assert found("ignore", grid) == []
    with pytest.raises(nv.NotSeparatedWarning, match="max_passes"):  # pytest's own filter is "error"
        clf().fit(X, Y)


def test_other_points_at_the_same_line_warn_again() -> None:
    columns = iter([3, 3, 2, 2])
    assert len(found("default", lambda: grid(next(columns)), 4)) == 2


@pytest.mark.parametrize(
    "call",
    [
        lambda: cross_val_score(clf(), X, Y),
        lambda: BaggingClassifier(clf(), 4, random_state=0).fit(X, Y),
        lambda: GridSearchCV(make_pipeline(StandardScaler(), clf()), {"perceptron__max_iter": [1, 2]}).fit(X, Y),
    ],
    ids=["cross_val_score", "bagging", "pipeline in a grid"],
)
def test_other_calls_of_many_fits_warn_once(call: Callable[[], object]) -> None:
    (warning,) = found("default", call)
    assert warning.filename == __file__
    assert str(warning.message).endswith(MORE)


@pytest.mark.parametrize("one", [lambda n: clf(max_iter=n), lambda n: make_pipeline(StandardScaler(), clf(max_iter=n))])
def test_single_fits_each_warn_with_their_own_figures(one: Callable[[int], Any]) -> None:
    choices = iter([1, 2, 3])
    warned = found("default", lambda: one(next(choices)).fit(X, Y), 3)
    assert len({str(warning.message) for warning in warned}) == 3
    assert not any(MORE in str(warning.message) for warning in warned)


@pytest.mark.parametrize(
    ("pattern", "many"), [("max_passes", 0), ("train_stalled", 1)], ids=["a filter of this text", "of another text"]
)
def test_filters_by_text_apply(pattern: str, many: int) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.resetwarnings()
        warnings.simplefilter("default")
        warnings.filterwarnings("ignore", pattern)
        grid()
    assert len(caught) == many


@pytest.mark.slow
def test_parallel_processes_warn_at_most_once_each() -> None:
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
    assert 1 <= done.stderr.count("NotSeparatedWarning") <= 3
    where = [line.partition(": NotSeparatedWarning")[0] for line in done.stderr.splitlines() if ": NotSep" in line]
    assert all("sklearn" in place or place.startswith("<string>:") for place in where), where


def test_parallel_threads_warn_once_at_the_line_that_fits() -> None:
    """The line of the call is in another thread."""

    def call() -> None:
        with joblib.parallel_config("threading"):
            cross_val_score(clf(), X, Y, n_jobs=2)

    (warning,) = found("default", call)
    assert "sklearn" in Path(warning.filename).parts
    assert str(warning.message).endswith(MORE)
