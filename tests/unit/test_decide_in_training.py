"""What a run is told about its points: verdicts with limited work, stored without the points, and in words."""

from __future__ import annotations

import pickle
import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from data.small_sets import noisy_teacher
from data.storages import storages_of
from novikoff.data.problem import problem_of
from novikoff.estimators import decide_in_training
from novikoff.estimators.decide_in_training import DecideInTraining, nonzeros
from novikoff.perceptron.scheme import TWO_CLASSES
from novikoff.scoring.scorer import Scorer

pytestmark = pytest.mark.filterwarnings("ignore::novikoff.estimators.perceptron_estimator.NotSeparatedWarning")


def narrow() -> tuple[np.ndarray, np.ndarray]:
    """Points that a plane separates, but the perceptron not in some hundred passes."""
    X = np.array([[0.0, 1.0], [1.0, 1.0], [0.0, -1.0], [1.0, -1.0], [1e6, 1.0], [1e6, 1.0 - 1e-3]])
    return X, np.array([1, 1, -1, -1, 1, -1])


# ---- who is asked, and about what ----------------------------------------------------------------------------------


def answered(work: int, seconds: float | None = None) -> tuple[Any, int]:
    X, y = noisy_teacher()
    problem, classes = problem_of(X, y)
    decider = DecideInTraining(TWO_CLASSES, classes.tolist())
    return decider.decide(problem, 0, np.arange(problem.n), work, seconds)


def test_work_is_never_more_than_allowed_and_the_answer_comes_when_it_is_enough() -> None:
    found = [answered(work) for work in range(0, 20_000, 250)]
    assert all(spent <= work for (_, spent), work in zip(found, range(0, 20_000, 250), strict=True))
    decided = [verdict is not None for verdict, _ in found]
    assert decided[0] is False
    assert decided[-1] is True
    assert len({(verdict.indices, verdict.weights) for verdict, _ in found if verdict is not None}) >= 1


def test_time_that_is_over_is_an_error_and_not_an_answer() -> None:
    with pytest.raises(TimeoutError):
        answered(10**9, 0.0)


def test_points_too_many_and_wide_for_the_memory_are_not_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = noisy_teacher()
    assert nv.Perceptron(max_iter=100).fit(X, y).verdict_.separable is False
    monkeypatch.setattr(decide_in_training, "LARGEST", 10)
    clf = nv.Perceptron(max_iter=100).fit(X, y)
    assert (clf.stop_reason_, clf.verdict_) == ("max_passes", None)


def test_the_numbers_of_a_row_do_not_depend_on_the_storage() -> None:
    X, y = noisy_teacher()
    X = np.where(np.abs(X) < 0.3, 0.0, np.rint(4 * X))
    found = set()
    for _, stored in storages_of(X):
        scorer = Scorer(problem_of(stored, y)[0])
        scorer.survey()  # as a run does: columns of a row that occur twice are added
        found.add(nonzeros(scorer.problem))
    assert found == {int(np.count_nonzero(X))}


@pytest.mark.parametrize("points", [noisy_teacher(), narrow()])
def test_a_record_gives_the_same_verdict_and_a_changed_one_is_refused(points: tuple[np.ndarray, np.ndarray]) -> None:
    problem, classes = problem_of(*points)
    decider = DecideInTraining(TWO_CLASSES, classes.tolist())
    verdict, _ = decider.decide(problem, 0, np.ones(problem.n), 10**9, None)
    assert verdict is not None
    record = decider.record(verdict)
    again = decider.restored(problem, 0, record)
    assert decider.record(again) == record
    assert (again.separable, again.support, again.weights, again.w) == (
        verdict.separable, verdict.support, verdict.weights, verdict.w,
    )  # fmt: skip
    key = "plane" if verdict.separable else "indices"
    bad = [
        {}, [], record | {"separable": not verdict.separable}, record | {key: record[key][::-1]}, record | {key: []},
        record | {key: "text"}, record | {"how": 1}, record | {"more": 1}, record | {key: [*record[key][:-1], "g"]},
    ]  # fmt: skip
    for one in bad:
        with pytest.raises(ValueError):  # noqa: PT011 (the caller says which file it is)
            decider.restored(problem, 0, one)


@pytest.mark.slow
def test_a_verdict_is_stored_without_the_points() -> None:
    X, y = noisy_teacher(500, 4)
    for warm_start in (False, True):
        clf = nv.Perceptron(max_iter=100, warm_start=warm_start).fit(X, y)
        verdict = clf.verdict_
        assert clf.stop_reason_ == "not_separable"
        bare = pickle.dumps(nv.Perceptron(max_iter=100, warm_start=warm_start, train_patience=None).fit(X, y))
        assert len(pickle.dumps(clf)) < len(bare) + 2000, "the 500 points have 16,000 bytes"
        again = pickle.loads(pickle.dumps(clf)).verdict_
        for one in (verdict, again):
            assert (one.kind, one.support, one.weights) == ("overlap", verdict.support, verdict.weights)
            assert one.check(X, y)
            with pytest.raises(nv.InputError, match=r"use with_points\(X, y\)"):
                one.save("proof.json")
            assert nv.verify(one, X, y) == "overlap"
            assert "multiplied by" in one.with_points(X, y).explain()
            with pytest.raises(nv.CertificateError, match="it is about others"):
                nv.verify(one, X[::-1], y)
            with pytest.raises(nv.InputError, match="this proof does not hold"):
                one.with_points(X[::-1], y)


def test_the_kind_is_known_without_the_points() -> None:
    X = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 0.0], [0.5, 1.0], [0.5, -1.0]])
    y = np.array([0, 0, 1, 1, 1])
    clf = nv.Perceptron(max_iter=100, order="random", random_state=0, rule="pa1", keep="last").fit(X, y)
    assert clf.stop_reason_ == "max_passes"
    assert pickle.loads(pickle.dumps(clf)).verdict_.kind == nv.decide(X, y).kind
    y = np.array([0, 0, 1, 1, 0])
    clf.fit(X, y)
    assert clf.stop_reason_ == "max_passes"
    verdict = pickle.loads(pickle.dumps(clf)).verdict_
    assert verdict.kind == nv.decide(X, y).kind == "quasi-complete"
    assert verdict.separated.tolist() == [3, 4]


@pytest.mark.slow
def test_validation_joint_planes_and_streams_do_not_ask() -> None:
    X, y = noisy_teacher(200)
    aside = nv.Perceptron(max_iter=100, early_stopping=True, valid_patience=1000, random_state=0).fit(X, y)
    given = nv.Perceptron(max_iter=100, valid_patience=1000).fit(X, y, X_valid=X, y_valid=y)
    joint = nv.Perceptron(max_iter=100, multi_class="joint").fit(X, np.arange(200) % 3)
    assert {(clf.stop_reason_, clf.verdict_) for clf in (aside, given, joint)} == {("max_passes", None)}
    assert nv.Perceptron().partial_fit(X, y).verdict_ is None
    request = nv.Perceptron(max_iter=100).fit(X, y)
    assert request.verdict_ is not None
    assert request.partial_fit(X, y).verdict_ is None


@pytest.mark.parametrize("scheme", ["ova", "ovo"])
def test_many_classes_have_a_verdict_for_each_plane_that_makes_mistakes(scheme: str) -> None:
    X, y = nv.example("iris")
    clf = nv.Perceptron(multi_class=scheme).fit(X, y)
    assert (clf.stop_reason_, clf.n_iter_) == ("not_separable", 20)
    names = ["versicolor", "virginica"] if scheme == "ova" else [("versicolor", "virginica")]
    assert sorted(clf.verdict_) == names
    for name, verdict in clf.verdict_.items():
        assert verdict.separable is False
        if scheme == "ova":
            assert verdict.check(X, y == name)
        else:
            two = np.isin(y, name)
            assert verdict.check(X[two], y[two])
            assert set(verdict.support) <= set(np.flatnonzero(two).tolist())


def test_a_separated_run_has_no_verdict() -> None:
    assert nv.Perceptron().fit(*nv.example("and")).verdict_ is None


def test_labels_in_a_column_are_warned_of_once() -> None:
    X, y = noisy_teacher()
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        nv.Perceptron(max_iter=100).fit(X, y[:, None])
    assert [w.category.__name__ for w in seen] == ["DataConversionWarning", "NotSeparatedWarning"]


@pytest.mark.slow
def test_a_fit_that_never_stalls_does_not_load_the_exact_numbers() -> None:
    script = (
        "import sys, warnings, novikoff as nv\nwarnings.simplefilter('ignore')\n"
        "clf = nv.Perceptron().fit(*nv.example('and')); X, y = nv.example('iris')\n"
        "nv.Perceptron(max_iter=99).fit(X[50:], y[50:])\n"
        "print('flint' in sys.modules)\n"
        "nv.Perceptron(max_iter=100).fit(X[50:], y[50:])\n"
        "print('flint' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.split() == ["False", "True"]


# ---- in words ------------------------------------------------------------------------------------------------------


def test_the_warning_says_what_is_proved_and_what_is_returned() -> None:
    X, y = noisy_teacher()
    with pytest.warns(nv.NotSeparatedWarning) as seen:
        clf = nv.Perceptron().fit(X, y)
    said, proof = str(seen[0].message), "no plane separates the points: `verdict_` proves it with"
    assert said.startswith(f"not_separable: {proof} {len(clf.verdict_.support)} rows (")
    last = clf.history_["mistakes"][-1]
    assert f"in 20 passes); the last pass made {last} mistakes, and the average of the weights is returned." in said
    with pytest.warns(nv.NotSeparatedWarning) as seen:
        clf = nv.Perceptron(keep="pocket", order="cyclic", max_iter=100).fit(X, y)
    said, errors = str(seen[0].message), clf.history_["pocket_errors"][-1]
    assert said.startswith(f"max_passes: the limit of passes was reached, and {proof}")
    assert f"have {errors} of 60 training points on the wrong side" in said
    with pytest.warns(nv.NotSeparatedWarning) as seen:
        nv.Perceptron(multi_class="ova").fit(*nv.example("iris"))
    proof = "some planes of the run have points that no plane separates: `verdict_` proves it for 2 of 3 planes"
    assert str(seen[0].message).startswith(f"not_separable: {proof} (")


def test_the_warning_says_that_a_plane_is_known() -> None:
    X, y = narrow()
    with pytest.warns(nv.NotSeparatedWarning) as seen:
        clf = nv.Perceptron(max_iter=100, keep="average").fit(X, y)
    assert (clf.stop_reason_, clf.verdict_.separable) == ("max_passes", True)
    said = str(seen[0].message)
    assert "The points are separable, which is proved: `verdict_.w`, `verdict_.b` are a plane" in said
    assert "keep='auto' returns such a plane" in said
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert nv.Perceptron(max_iter=100).fit(X, y).score(X, y) == 1.0
    assert "no number of passes is enough" not in said
    w, b = np.array(clf.verdict_.w, object), clf.verdict_.b
    assert ((X.astype(object) @ w + b) * y > 0).all()
