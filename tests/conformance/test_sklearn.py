"""scikit-learn's own checks, and what its users do with an estimator.

The default estimator passes every check; others miss at most the accuracies in tests/oracles/sklearn_checks.py.
`NotSeparatedWarning` is ignored, and no other warning: the checks fit on data that no plane separates, and a limit then
speaks: 500 passes here, the default of 10,000 and all combinations in `make stress`.
"""

from __future__ import annotations

import itertools
import pickle
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer, load_digits, load_iris
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import estimator_html_repr
from sklearn.utils.estimator_checks import (
    check_dataframe_column_names_consistency,
    parametrize_with_checks,
)

import novikoff as nv
from data.choices import KEEPS, RULES, SCHEMES, allowed_for_many
from data.kernel_mode import RunKernels
from oracles import sklearn_checks as checked

pytestmark = pytest.mark.filterwarnings("ignore::novikoff.estimators.perceptron_estimator.NotSeparatedWarning")

DEFAULT = [nv.Perceptron(max_iter=500)]
EARLY = nv.Perceptron(order="shuffle", early_stopping=True, random_state=0, max_iter=20)
OTHERS = [
    *map(checked.estimator, checked.PAIRS),
    nv.Perceptron(order="random", random_state=0, max_iter=20),
    EARLY,
]


@parametrize_with_checks(DEFAULT)
@pytest.mark.compiled
def test_scikit_learns_checks_on_the_default(estimator: Any, check: Any) -> None:
    """Every check of scikit-learn's `check_estimator` passes."""
    check(estimator)


@parametrize_with_checks(OTHERS, expected_failed_checks=checked.expected_failures)
@pytest.mark.compiled
def test_scikit_learns_checks(estimator: Any, check: Any, run_kernels: RunKernels) -> None:
    """Every check passes but the thresholds that are listed, and those are missed."""
    run_kernels("compiled")
    check(estimator)


@pytest.mark.parametrize("choice", checked.PAIRS)
@pytest.mark.compiled
def test_the_scores_of_missed_thresholds_are_those_listed(choice: checked.Choice) -> None:
    for check, score in checked.missed(choice).items():
        assert checked.score(check, checked.estimator(choice)) == pytest.approx(score, abs=0.001), check


@pytest.mark.compiled
def test_the_score_with_early_stopping_is_the_one_listed() -> None:
    assert checked.score(checked.WEIGHTS, clone(EARLY)) == pytest.approx(checked.EARLY, abs=0.001)


def test_pairs_are_pairs() -> None:
    """Every two choices that can meet in the whole product meet in the part that is always run."""
    for one, other in itertools.combinations(range(3), 2):
        pairs, all_pairs = ({(c[one], c[other]) for c in part} for part in (checked.PAIRS, checked.PRODUCT))
        assert pairs == all_pairs


@pytest.mark.parametrize("how", [{}, {"rule": "pa1", "keep": "average"}, {"multi_class": "ovo", "keep": "pocket"}])
def test_a_check_that_scikit_learn_keeps_for_itself(how: dict[str, Any]) -> None:
    """Column names are compared."""
    check_dataframe_column_names_consistency("Perceptron", nv.Perceptron(max_iter=20, **how))


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ({"keep": "best"}, "found 'best'; 'last' or 'pocket' or 'average' or 'vote' or 'auto' was expected"),
        ({"max_iter": 0}, "found 0; an integer of at least 1, or None for no limit, was expected"),
        ({"class_weight": "even"}, "found 'even'; None, \"balanced\" or a dict {class: weight} was expected"),
        ({"random_state": -1}, "found -1; an integer from 0 to 2^63, a RandomState or None was expected"),
        ({"engine": 3}, "found 3; novikoff.engine('threads') or the like was expected, or None"),
    ],
)
def test_a_refused_parameter_is_reported_once(how: dict[str, Any], expected: str) -> None:
    """The parameter, what was found, what was expected."""
    X, y = nv.example("or")
    (name,) = how
    with pytest.raises(nv.InputError) as refused:
        nv.Perceptron(**how).fit(X, y)
    assert str(refused.value) == f"{name}: {expected}"
    assert str(pickle.loads(pickle.dumps(refused.value))) == str(refused.value)


def test_parameters_that_do_not_fit_each_other_are_reported_once() -> None:
    with pytest.raises(nv.InputError, match=r"^known_margin: 0\.5, but .* no class weights$"):
        nv.Perceptron(known_margin=0.5, class_weight="balanced").fit(*nv.example("or"))


def small_breast_cancer() -> tuple[np.ndarray, np.ndarray]:
    X, y = load_breast_cancer(return_X_y=True)
    return X[::6], y[::6]


def fitted(**how: Any) -> tuple[nv.Perceptron, np.ndarray, np.ndarray]:
    X, y = small_breast_cancer()
    return nv.Perceptron(max_iter=5, **how).fit(X, y), X, y


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("sparse", [False, True])
def test_pickle(keep: str, sparse: bool) -> None:
    """A fitted estimator goes through pickle and predicts as before."""
    clf, X, y = fitted(keep=keep)
    if sparse:
        clf = clone(clf).fit(sp.csr_matrix(X), y)
    again = pickle.loads(pickle.dumps(clf))
    assert (again.predict(X) == clf.predict(X)).all()
    assert again.decision_function(X).tolist() == clf.decision_function(X).tolist()
    assert again.get_params() == clf.get_params()


def test_a_pickle_does_not_carry_the_data() -> None:
    """Without warm_start the training data are not kept: the pickle is small; a vote keeps the rows it names, once."""
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((5000, 20)), np.arange(5000) % 2
    assert len(pickle.dumps(nv.Perceptron(max_iter=1).fit(X, y))) < 0.2 * X.nbytes
    assert len(pickle.dumps(nv.Perceptron(max_iter=3, keep="vote").fit(X, y))) < 2 * X.nbytes


def test_clone_and_parameters() -> None:
    """`clone` copies the parameters and nothing that was learned; `set_params` and `repr` know every parameter."""
    clf, X, _ = fitted(keep="average", order="shuffle", eta0=0.5, random_state=3)
    other = clone(clf)
    assert other.get_params() == clf.get_params()
    with pytest.raises(NotFittedError):
        other.predict(X)
    other.set_params(eta0=2.0)
    assert (other.eta0, clf.eta0) == (2.0, 0.5)
    assert "eta0=2.0" in repr(other)


@pytest.mark.parametrize(("classes", "keep"), [(2, keep) for keep in KEEPS] + [(3, "average"), (3, "pocket")])
def test_a_warm_start_begins_at_the_weights_of_the_last_fit(classes: int, keep: str) -> None:
    """As in scikit-learn: a new run from them, whatever the storage; its counts begin at 0."""
    rng = np.random.default_rng(2)
    X, y = rng.standard_normal((120, 64)).astype(np.float32), rng.integers(0, classes, 120)
    warm = nv.Perceptron(keep=keep, max_iter=2, warm_start=True).fit(X.astype(np.float64), y)
    start = {"coef_init": warm.coef_, "intercept_init": warm.intercept_}
    new = nv.Perceptron(keep=keep, max_iter=2, eta0=0.5, multi_class=warm.multi_class_).fit(X, y, **start)
    warm.set_params(eta0=0.5).fit(sp.csr_matrix(X), y)
    assert warm.coef_.tobytes() == new.coef_.tobytes()
    assert (warm.n_updates_, warm.n_iter_) == (new.n_updates_, new.n_iter_)
    assert warm.decision_function(X).tolist() == new.decision_function(X).tolist()


def test_pipeline_search_and_cross_validation() -> None:
    """It works in a pipeline, in a grid search and under cross-validation."""
    X, y = load_breast_cancer(return_X_y=True)
    pipe = make_pipeline(StandardScaler(), nv.Perceptron(max_iter=10))
    assert pipe.fit(X, y).score(X, y) > 0.95
    assert cross_val_score(pipe, X, y, cv=3).mean() > 0.9
    search = GridSearchCV(pipe, {"perceptron__keep": list(KEEPS)}, cv=2).fit(X, y)
    assert search.best_params_["perceptron__keep"] in KEEPS
    assert search.best_score_ > 0.9


@pytest.mark.compiled
def test_a_search_over_every_choice_of_the_family() -> None:
    """A grid over ways of many classes, keeps and rules gives a score for each that can be, on ten classes."""
    X, y = load_digits(return_X_y=True)
    pipe = make_pipeline(StandardScaler(), nv.Perceptron(max_iter=3, order="shuffle", random_state=0))
    grid = [
        {"perceptron__multi_class": [scheme], "perceptron__keep": [k for k in KEEPS if allowed_for_many(scheme, k)]}
        for scheme in SCHEMES
    ] + [
        {"perceptron__multi_class": ["ova", "ovo"], "perceptron__rule": list(RULES)},
    ]
    search = GridSearchCV(pipe, grid, cv=2, error_score="raise").fit(X[::3], y[::3])
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert search.cv_results_["mean_test_score"].min() > 0.6
    assert search.best_score_ > 0.85


@pytest.mark.parametrize("load", [load_breast_cancer, load_iris])
@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
@pytest.mark.parametrize(
    "how", [{}, {"keep": "pocket"}, {"multi_class": "ovo"}, {"multi_class": "joint", "keep": "average"}]
)
@pytest.mark.compiled
def test_calibration_makes_probabilities(load: Any, method: str, how: dict[str, Any]) -> None:
    """CalibratedClassifierCV turns the scores into probabilities that add up to 1 and rank rightly."""
    X, y = load(return_X_y=True)
    learner = make_pipeline(StandardScaler(), nv.Perceptron(max_iter=20, order="shuffle", random_state=0, **how))
    calibrated = CalibratedClassifierCV(learner, method=method, cv=3).fit(X, y)
    probabilities = calibrated.predict_proba(X)
    assert probabilities.shape == (len(y), len(set(y)))
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)
    assert calibrated.score(X, y) > 0.85


@pytest.mark.parametrize("fitted_first", [False, True])
def test_the_html_repr_names_the_estimator_and_its_choices(fitted_first: bool) -> None:
    """A notebook shows the estimator, alone and in a pipeline, before and after a fit."""
    X, y = nv.example("or")
    clf = nv.Perceptron(keep="average", eta0=0.5)
    if fitted_first:
        clf.fit(X, y)
    for shown in (clf._repr_html_(), estimator_html_repr(make_pipeline(StandardScaler(), clf))):
        assert "Perceptron" in shown
        assert "average" in shown
        assert "0.5" in shown
    assert ("Not fitted" in clf._repr_html_()) is not fitted_first
    assert "text/html" in clf._repr_mimebundle_()


@pytest.mark.parametrize("wrapper", [OneVsRestClassifier, OneVsOneClassifier])
def test_many_classes_by_scikit_learns_wrappers(wrapper: Any) -> None:
    """scikit-learn's own wrappers for many classes work around the estimator."""
    X, y = load_iris(return_X_y=True)
    assert wrapper(nv.Perceptron(max_iter=50)).fit(X, y).score(X, y) > 0.6


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "bool"])
def test_data_frames(dtype: str) -> None:
    """A data frame gives its feature names and the same bits as its array; other names are refused, order included."""
    rng = np.random.default_rng(4)
    X = rng.integers(0, 2, (40, 3)).astype(dtype)
    y = np.where(np.arange(40) % 2, "yes", "no")
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    clf = nv.Perceptron(max_iter=5).fit(frame, pd.Series(y))
    assert clf.feature_names_in_.tolist() == ["a", "b", "c"]
    assert clf.n_features_in_ == 3
    assert clf.coef_.tobytes() == nv.Perceptron(max_iter=5).fit(X, y).coef_.tobytes()
    assert clf.predict(frame).tolist() == nv.Perceptron(max_iter=5).fit(X, y).predict(X).tolist()
    with pytest.raises(ValueError, match="feature names"):
        clf.predict(frame[["c", "b", "a"]])
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        clf.predict(X)


@pytest.mark.parametrize("package", ["polars", "pyarrow"])
def test_frames_of_other_packages(package: str) -> None:
    """A polars frame or a pyarrow table gives its names, and the same bits as its array."""
    frames = pytest.importorskip(package)
    X, y = np.random.default_rng(0).standard_normal((40, 3)), np.arange(40) % 2
    columns = {name: X[:, k].copy() for k, name in enumerate("abc")}
    frame = frames.DataFrame(columns) if package == "polars" else frames.table(columns)
    clf = nv.Perceptron(max_iter=5).fit(frame, y)
    plain = nv.Perceptron(max_iter=5).fit(X, y)
    assert clf.coef_.tobytes() == plain.coef_.tobytes()
    assert clf.predict(frame).tolist() == plain.predict(X).tolist()
    assert clf.feature_names_in_.tolist() == ["a", "b", "c"]
    with pytest.raises(ValueError, match="feature names"):
        clf.predict(frame.select(["c", "b", "a"]))


def test_mixed_columns_of_a_frame() -> None:
    """Columns of several numeric types are taken by value; a text column is refused by name of the argument."""
    frame = pd.DataFrame({"a": [1, 2, 3, 4], "b": [0.5, 1.5, -1.0, 0.0], "c": [True, False, True, False]})
    clf = nv.Perceptron(max_iter=20).fit(frame, [0, 1, 0, 1])
    assert clf.coef_.tobytes() == nv.Perceptron(max_iter=20).fit(frame.to_numpy(float), [0, 1, 0, 1]).coef_.tobytes()
    with pytest.raises(nv.InputError, match="X"):
        nv.Perceptron().fit(frame.assign(d=["x", "y", "z", "w"]), [0, 1, 0, 1])


def test_categories_and_strings_as_labels() -> None:
    """pandas' own string and category columns serve as labels."""
    X, y = nv.example("spam")
    for dtype in ("string", "category", object):
        clf = nv.Perceptron().fit(X, pd.Series(y, dtype=dtype))
        assert clf.predict(X).tolist() == y.tolist()


def test_the_column_vector_y_is_told_about() -> None:
    """y of shape (n, 1) is taken with scikit-learn's own warning."""
    from sklearn.exceptions import DataConversionWarning

    X, y = nv.example("or")
    with pytest.warns(DataConversionWarning):
        clf = nv.Perceptron().fit(X, y[:, None])
    assert clf.predict(X).tolist() == y.tolist()


def test_the_warning_is_a_convergence_warning() -> None:
    """Code that already filters scikit-learn's ConvergenceWarning hears ours too."""
    from sklearn.exceptions import ConvergenceWarning

    assert issubclass(nv.NotSeparatedWarning, ConvergenceWarning)
    X, y = nv.example("xor")
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        with pytest.raises(nv.NotSeparatedWarning):
            nv.Perceptron().fit(X, y)
