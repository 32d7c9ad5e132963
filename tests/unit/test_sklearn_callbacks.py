"""scikit-learn's callbacks: a pass is a task, what a callback sees is true, and nothing else changes."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import novikoff as nv
from data.small_sets import labels_in_turn
from novikoff.perceptron import KEEPS

callback = pytest.importorskip("sklearn.callback", reason="scikit-learn has callbacks from 1.9 on")
pytestmark = pytest.mark.filterwarnings("ignore::novikoff.estimators.perceptron_estimator.NotSeparatedWarning")


class Notes:
    """Writes down every task and the estimator as it then was; stops after `stop` passes."""

    def __init__(self, stop: int | None = None) -> None:
        self.seen: list[tuple[str, str, int]] = []
        self.models: list[Any] = []
        self.most: list[int | None] = []
        self.stop = stop

    def setup(self, estimator: Any, context: Any) -> None:
        self.seen.append(("setup", context.task_name, context.task_id))
        self.most.append(context.max_subtasks)

    def teardown(self, estimator: Any, context: Any) -> None:
        self.seen.append(("teardown", context.task_name, context.task_id))

    def on_fit_task_begin(self, estimator: Any, context: Any) -> None:
        self.seen.append(("begin", context.task_name, context.task_id))

    def on_fit_task_end(self, estimator: Any, context: Any, *, fitted_estimator: Any = None) -> bool:
        self.seen.append(("end", context.task_name, context.task_id))
        self.models.append(fitted_estimator)
        return context.task_name == "pass" and context.task_id + 1 == self.stop


class Quiet(Notes):
    """The same without asking for the fitted estimator."""

    def on_fit_task_end(self, estimator: Any, context: Any) -> bool:  # type: ignore[override]
        return super().on_fit_task_end(estimator, context)


def test_a_callback_sees_the_verdict_after_pass_10() -> None:
    notes = Notes()
    clf = nv.Perceptron(max_iter=100).set_callbacks(notes).fit(*points())
    reasons = [model.stop_reason_ for model in notes.models]
    assert reasons == ["interrupted"] * 19 + ["not_separable"] * 2  # of the passes, and of the fit
    assert [model.verdict_ for model in notes.models] == [None] * 9 + [clf.verdict_] * 12
    assert clf.verdict_.check(*points())


def points(classes: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """Points that no plane separates."""
    return labels_in_turn(60, 4, classes, seed=1)


def test_every_pass_is_a_task_in_its_order() -> None:
    notes = Notes()
    nv.Perceptron(max_iter=3).set_callbacks(notes).fit(*points())
    passes = [(what, "pass", k) for k in range(3) for what in ("begin", "end")]
    fit = [(what, "fit", 0) for what in ("setup", "begin", "end", "teardown")]
    assert notes.seen == [*fit[:2], *passes, *fit[2:]]
    assert notes.most == [3]


def test_the_number_of_passes_may_be_unknown() -> None:
    notes = Notes()
    clf = nv.Perceptron(max_iter=None, max_updates=100).set_callbacks(notes).fit(*points())
    assert notes.most == [None]
    assert notes.seen.count(("end", "pass", clf.n_iter_ - 1)) == 1


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("how", [{}, {"early_stopping": True}, {"warm_start": True}])
def test_a_watched_run_is_the_same_run_and_each_pass_is_seen_as_it_was(
    classes: int, keep: str, how: dict[str, Any]
) -> None:
    """The estimator seen after pass k is the one that k passes make: weights, votes, counts and history."""
    if keep == "vote" and classes > 2:
        pytest.skip("refused: votes of many classes")
    X, y = points(classes)
    how = {"keep": keep, "order": "shuffle", "random_state": 0, "train_patience": None, "valid_patience": 99} | how
    notes = Notes()
    watched = nv.Perceptron(max_iter=5, **how).set_callbacks(notes).fit(X, y)
    assert_same(watched, nv.Perceptron(max_iter=5, **how).fit(X, y), X)
    assert watched.stop_reason_ == "max_passes"
    for k, model in enumerate(notes.models[:5], 1):
        assert_same(model, nv.Perceptron(max_iter=k, **how).fit(X, y), X)
        assert model.warm_start == watched.warm_start
    assert_same(notes.models[5], watched, X)


def assert_same(one: Any, other: Any, X: np.ndarray) -> None:
    """Two estimators learned the same, to the bit."""
    assert one.coef_.tobytes() == other.coef_.tobytes()
    assert one.intercept_.tobytes() == other.intercept_.tobytes()
    assert one.n_mistakes_.tolist() == other.n_mistakes_.tolist()
    assert (one.n_iter_, one.n_updates_, one.n_looks_) == (other.n_iter_, other.n_updates_, other.n_looks_)
    assert one.decision_function(X).tolist() == other.decision_function(X).tolist()
    for name in ("pass", "updates", "mistakes", "errors", "pocket_errors", "valid_errors"):
        assert one.history_[name] == other.history_[name]


def test_warm_start_goes_on_under_callbacks() -> None:
    X, y = points()
    warm = nv.Perceptron(max_iter=3, warm_start=True).set_callbacks(Notes()).fit(X, y).fit(X, y)
    assert_same(warm, nv.Perceptron(max_iter=6).fit(X, y), X)


def test_a_callback_can_end_the_run() -> None:
    X, y = points()
    with pytest.warns(nv.NotSeparatedWarning, match="interrupted"):
        clf = nv.Perceptron(max_iter=9).set_callbacks(Quiet(stop=2)).fit(X, y)
    assert (clf.stop_reason_, clf.n_iter_) == ("interrupted", 2)
    assert_same(clf, nv.Perceptron(max_iter=2).fit(X, y), X)


def test_a_run_that_separated_in_its_last_pass_is_separated_whatever_a_callback_says() -> None:
    X, y = nv.example("or")
    passes = nv.Perceptron().fit(X, y).n_iter_
    assert nv.Perceptron().set_callbacks(Quiet(stop=passes)).fit(X, y).stop_reason_ == "separated"


def test_nobody_asks_nothing_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    from novikoff.estimators.sklearn_glue.sklearn_callbacks import Callbacks

    monkeypatch.setattr(Callbacks, "as_if_ended", None)  # making it would fail
    assert nv.Perceptron(max_iter=3).set_callbacks(Quiet()).fit(*points()).n_iter_ == 3


def test_the_callbacks_are_let_go_when_a_callback_or_the_input_fails() -> None:
    class Fails(Quiet):
        def on_fit_task_begin(self, estimator: Any, context: Any) -> None:
            raise KeyError("mine")

    X, y = points()
    failing, quiet = Fails(), Quiet()
    clf = nv.Perceptron(max_iter=3).fit(X, y)
    before = clf.coef_.tobytes()
    with pytest.raises(KeyError, match="mine"):
        clf.set_callbacks(failing).fit(-X, y)
    assert failing.seen == [("setup", "fit", 0), ("teardown", "fit", 0)]
    assert clf.coef_.tobytes() == before
    with pytest.raises(nv.InputError):
        clf.set_callbacks(quiet).fit(np.full_like(X, np.nan), y)
    assert quiet.seen in ([], [*quiet.seen[:-1], ("teardown", "fit", 0)])
    assert not hasattr(clf, "_callback_fit_ctx")


@pytest.mark.parametrize("keep", KEEPS)
def test_scoring_monitor_scores_the_weights_after_each_pass(keep: str) -> None:
    X, y = points(3)
    monitor = callback.ScoringMonitor(scoring="accuracy")
    clf = nv.Perceptron(max_iter=4, keep=keep).set_callbacks(monitor).fit(X, y)
    scores = {(row["task_name"], row["task_id"]): row["accuracy"] for row in monitor.get_logs().data}
    want = {("pass", k): nv.Perceptron(max_iter=k + 1, keep=keep).fit(X, y).score(X, y) for k in range(4)}
    assert scores == want | {("fit", 0): clf.score(X, y)}


@pytest.mark.parametrize("max_iter", [5, None])
def test_the_progress_bar_runs_to_its_end(max_iter: int | None, capsys: pytest.CaptureFixture[str]) -> None:
    nv.Perceptron(max_iter=max_iter, max_updates=200).set_callbacks(callback.ProgressBar()).fit(*points())
    out = capsys.readouterr().out
    assert "Perceptron - fit" in out
    assert "100%" in out


def test_inside_a_pipeline_and_a_search_the_passes_are_parts_of_theirs(capsys: pytest.CaptureFixture[str]) -> None:
    X, y = load_iris(return_X_y=True)
    pipe = make_pipeline(StandardScaler(), nv.Perceptron(max_iter=3))
    search = GridSearchCV(pipe, {"perceptron__keep": ["last", "average"]}, cv=2)
    search.set_callbacks(callback.ProgressBar(max_propagation_depth=None)).fit(X, y)
    assert "Perceptron - fit" in capsys.readouterr().out
    notes = Notes()
    make_pipeline(StandardScaler(), nv.Perceptron(max_iter=3).set_callbacks(notes)).fit(X, y)
    assert [seen for seen in notes.seen if seen[1] == "pass"][-1] == ("end", "pass", 2)


def test_a_clone_and_a_pickle_keep_the_callbacks_and_a_fit_leaves_nothing_behind() -> None:
    X, y = points()
    clf = nv.Perceptron(max_iter=2).set_callbacks(Quiet()).fit(X, y)
    assert not [name for name in vars(clf) if "_ctx" in name or "teardown" in name]
    assert clone(clf)._skl_callbacks == clf._skl_callbacks
    assert pickle.loads(pickle.dumps(clf)).predict(X).tolist() == clf.predict(X).tolist()


def test_without_scikit_learns_callbacks_progress_and_history_are_there() -> None:
    """Before scikit-learn 1.9: no `set_callbacks`, everything else as it is."""
    code = """
import sys, warnings
sys.modules["sklearn.callback"] = None  # as if it were not there
warnings.simplefilter("ignore")
import novikoff as nv
X, y = nv.example("xor")
clf = nv.Perceptron(verbose=1).fit(X, y)
print(clf.n_iter_, len(clf.history_["mistakes"]), hasattr(clf, "set_callbacks"))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    *progress, last = done.stdout.splitlines()
    passes, length, can = last.split()
    assert progress[0].startswith("pass      1  mistakes")
    assert passes == length
    assert can == "False"


def test_importing_the_package_imports_no_callbacks() -> None:
    code = "import sys, novikoff; print([name for name in sys.modules if name.split('.')[0] == 'sklearn'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
