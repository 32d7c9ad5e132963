"""scikit-learn's own checks, and what its users do with an estimator.

The defaults pass every check; others miss at most the accuracies in tests/oracles/sklearn_checks.py. Only
`NotSeparatedWarning` is ignored: the checks fit on data that no plane separates, and a limit then speaks: 500 passes
here, the default of 10,000 and all combinations in `make stress`.
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
from sklearn.exceptions import ConvergenceWarning, DataConversionWarning, NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_dataframe_column_names_consistency, parametrize_with_checks

import novikoff as nv
from data.choices import KEEPS, RULES, SCHEMES, allowed_for_many
from data.kernel_mode import RunKernels
from oracles import sklearn_checks as checked

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::novikoff.estimators.perceptron_estimator.NotSeparatedWarning"),
]
EARLY = nv.Perceptron(order="shuffle", early_stopping=True, random_state=0, max_iter=20)
DEFAULTS = [
    nv.Perceptron(max_iter=500),
    *(nv.SoftMargin(loss=loss, bias=bias) for loss in ("hinge", "squared_hinge", "logistic")
      for bias in ("padded", "free")),
    nv.SoftMargin(loss="squared_hinge", penalty="l1", multi_class="ovo"),
]  # fmt: skip
OTHERS = [
    *map(checked.estimator, checked.PAIRS),
    nv.Perceptron(order="random", random_state=0, max_iter=20),
    EARLY,
]


@parametrize_with_checks(DEFAULTS)
def test_scikit_learns_checks_on_defaults(estimator: Any, check: Any) -> None:
    """Every check of scikit-learn's `check_estimator` passes, both checks of sample weights included."""
    check(estimator)


@parametrize_with_checks(OTHERS, expected_failed_checks=checked.expected_failures)
def test_scikit_learns_checks(estimator: Any, check: Any, run_kernels: RunKernels) -> None:
    """Every check passes but the thresholds that are listed, and those are missed."""
    run_kernels("compiled")
    check(estimator)


@pytest.mark.parametrize("choice", checked.PAIRS)
def test_the_scores_of_missed_thresholds_are_those_listed(choice: checked.Choice) -> None:
    for check, score in checked.missed(choice).items():
        assert checked.score(check, checked.estimator(choice)) == pytest.approx(score, abs=0.001), check


def test_pairs_are_pairs_and_the_score_with_early_stopping_is_the_one_listed() -> None:
    """Every two choices that can meet in the whole product meet in the part that is always run."""
    for one, other in itertools.combinations(range(3), 2):
        pairs, all_pairs = ({(c[one], c[other]) for c in part} for part in (checked.PAIRS, checked.PRODUCT))
        assert pairs == all_pairs
    assert checked.score(checked.WEIGHTS, clone(EARLY)) == pytest.approx(checked.EARLY, abs=0.001)


@pytest.mark.parametrize("how", [{}, {"rule": "pa1", "keep": "average"}, {"multi_class": "ovo", "keep": "pocket"}])
def test_a_check_of_column_names_that_scikit_learn_keeps_for_itself(how: dict[str, Any]) -> None:
    check_dataframe_column_names_consistency("Perceptron", nv.Perceptron(max_iter=20, **how))


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ({"keep": "best"}, "keep: found 'best'; 'last' or 'pocket' or 'average' or 'vote' or 'auto' was expected"),
        ({"max_iter": 0}, "max_iter: found 0; an integer of at least 1, or None for no limit, was expected"),
        ({"class_weight": "even"}, "class_weight: found 'even'; None, \"balanced\" or a dict {class: weight} was ex"),
        ({"random_state": -1}, "random_state: found -1; an integer from 0 to 2^63, a RandomState or None was expected"),
        ({"engine": 3}, "engine: found 3; novikoff.engine('threads') or the like was expected, or None"),
        ({"known_margin": 0.5, "class_weight": "balanced"}, "known_margin: 0.5, but "),
    ],
)
def test_a_refused_parameter_is_reported_once_also_by_a_pickle(how: dict[str, Any], expected: str) -> None:
    with pytest.raises(nv.InputError) as refused:
        nv.Perceptron(**how).fit(*nv.example("or"))
    said = str(refused.value)
    assert (said.startswith(expected), said.count("\n")) == (True, 0)
    assert str(pickle.loads(pickle.dumps(refused.value))) == said


def fitted(**how: Any) -> tuple[nv.Perceptron, np.ndarray, np.ndarray]:
    X, y = (part[::6] for part in load_breast_cancer(return_X_y=True))
    return nv.Perceptron(max_iter=5, **how).fit(X, y), X, y


@pytest.mark.parametrize("keep", KEEPS)
def test_a_pickle_predicts_as_before_and_does_not_carry_the_data(keep: str) -> None:
    """A vote keeps the rows it names, once."""
    clf, X, y = fitted(keep=keep)
    for one in (clf, clone(clf).fit(sp.csr_matrix(X), y)):
        again = pickle.loads(pickle.dumps(one))
        assert again.decision_function(X).tolist() == one.decision_function(X).tolist()
        assert (again.predict(X).tolist(), again.get_params()) == (one.predict(X).tolist(), one.get_params())
    X, y = np.random.default_rng(0).standard_normal((5000, 20)), np.arange(5000) % 2
    most = 2 if keep == "vote" else 0.2
    assert len(pickle.dumps(nv.Perceptron(max_iter=1, keep=keep).fit(X, y))) < most * X.nbytes


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


def test_a_search_over_every_choice_of_the_family_and_cross_validation() -> None:
    """A grid over ways of many classes, keeps and rules gives a score for each that can be, on ten classes."""
    X, y = load_digits(return_X_y=True)
    pipe = make_pipeline(StandardScaler(), nv.Perceptron(max_iter=3, order="shuffle", random_state=0))
    grid = [
        {"perceptron__multi_class": [scheme], "perceptron__keep": [k for k in KEEPS if allowed_for_many(scheme, k)]}
        for scheme in SCHEMES
    ] + [{"perceptron__multi_class": ["ova", "ovo"], "perceptron__rule": list(RULES)}]
    search = GridSearchCV(pipe, grid, cv=2, error_score="raise").fit(X[::3], y[::3])
    assert search.cv_results_["mean_test_score"].min() > 0.6
    assert search.best_score_ > 0.85
    X, y = load_breast_cancer(return_X_y=True)
    soft = make_pipeline(StandardScaler(), nv.SoftMargin(loss="logistic"))
    assert cross_val_score(soft, X, y, cv=3).mean() > 0.96
    assert GridSearchCV(soft, {"softmargin__C": [0.01, 1.0]}, cv=3).fit(X, y).best_score_ > 0.96


@pytest.mark.parametrize("load", [load_breast_cancer, load_iris])
@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
@pytest.mark.parametrize("how", [{}, {"multi_class": "ovo"}, {"multi_class": "joint", "keep": "average"}])
def test_calibration_makes_probabilities(load: Any, method: str, how: dict[str, Any]) -> None:
    """CalibratedClassifierCV turns the scores into probabilities that add up to 1 and rank rightly."""
    X, y = load(return_X_y=True)
    learner = make_pipeline(StandardScaler(), nv.Perceptron(max_iter=20, order="shuffle", random_state=0, **how))
    calibrated = CalibratedClassifierCV(learner, method=method, cv=3).fit(X, y)
    probabilities = calibrated.predict_proba(X)
    assert probabilities.shape == (len(y), len(set(y)))
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)
    assert calibrated.score(X, y) > 0.85


@pytest.mark.parametrize("wrapper", [OneVsRestClassifier, OneVsOneClassifier])
def test_many_classes_by_scikit_learns_wrappers(wrapper: Any) -> None:
    X, y = load_iris(return_X_y=True)
    assert wrapper(nv.Perceptron(max_iter=50)).fit(X, y).score(X, y) > 0.6


def test_columns_of_several_types_are_taken_by_value_and_names_are_compared() -> None:
    frame = pd.DataFrame({"a": [1, 2, 3, 4], "b": [0.5, 1.5, -1.0, 0.0], "c": [True, False, True, False]})
    clf, plain = (nv.Perceptron(max_iter=20).fit(X, [0, 1, 0, 1]) for X in (frame, frame.to_numpy(float)))
    assert clf.coef_.tobytes() == plain.coef_.tobytes()
    assert (clf.feature_names_in_.tolist(), clf.n_features_in_) == (["a", "b", "c"], 3)
    with pytest.raises(ValueError, match="feature names"):
        clf.predict(frame[["c", "b", "a"]])
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        clf.predict(frame.to_numpy(float))


def test_labels_of_pandas_and_a_column_vector_are_taken() -> None:
    X, y = nv.example("spam")
    for dtype in ("string", "category", object):
        assert nv.Perceptron().fit(X, pd.Series(y, dtype=dtype)).predict(X).tolist() == y.tolist()
    with pytest.warns(DataConversionWarning):
        assert nv.Perceptron().fit(X, y[:, None]).predict(X).tolist() == y.tolist()


def test_the_warning_is_a_convergence_warning() -> None:
    """Code that already filters scikit-learn's ConvergenceWarning hears ours too."""
    assert issubclass(nv.NotSeparatedWarning, ConvergenceWarning)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        with pytest.raises(nv.NotSeparatedWarning):
            nv.Perceptron().fit(*nv.example("xor"))


# ---- soft margins


def test_probabilities_exist_with_the_logistic_loss_only() -> None:
    X, y = nv.example("iris")
    clf = nv.SoftMargin(loss="logistic").fit(X, y)
    p = clf.predict_proba(X)
    assert p.shape == (150, 3)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    assert (clf.classes_[p.argmax(axis=1)] == clf.predict(X)).all()
    np.testing.assert_allclose(clf.predict_log_proba(X), np.log(p))
    for other in (nv.SoftMargin(), nv.SoftMargin(loss="logistic", multi_class="ovo")):
        assert not hasattr(other, "predict_proba")
        with pytest.raises(AttributeError, match="predict_proba"):
            other.predict_proba(X)


def two_irises() -> tuple[np.ndarray, np.ndarray]:
    X, y = nv.example("iris")
    return X[50:], np.where(y[50:] == y[-1], 1.0, -1.0)


def test_Z13_mean_loss_plus_regulariser_is_the_same_problem() -> None:
    """½λ|w|² + mean loss has the optimum of C = 1/(λn)."""
    from scipy.optimize import minimize

    (X, signs), rate = two_irises(), 0.01

    def notes(w: np.ndarray) -> float:
        return float(np.logaddexp(0.0, -signs * (X @ w[:-1] + w[-1])).mean() + 0.5 * rate * w @ w)

    best = minimize(notes, np.zeros(5), method="BFGS", options={"gtol": 1e-10})
    clf = nv.SoftMargin(loss="logistic", C=1 / (rate * len(X))).fit(X, signs)
    np.testing.assert_allclose([*clf.coef_[0], *clf.intercept_], best.x, rtol=1e-3)
    assert notes(np.array([*clf.coef_[0], *clf.intercept_])) <= best.fun * (1 + 1e-12)


@pytest.mark.parametrize("threshold", [0.5, 4.0])
def test_Z13_the_perceptron_loss_with_a_threshold_is_the_hinge(threshold: float) -> None:
    """½|w|² + C Σ max(0, t − m) at w = t·u is t²·(hinge objective of u with C/t)."""
    (X, signs), C = two_irises(), 2.0
    clf = nv.SoftMargin(C=C / threshold).fit(X, signs)
    w = threshold * np.array([*clf.coef_[0], *clf.intercept_])
    own = 0.5 * w @ w + C * np.maximum(0.0, threshold - signs * (X @ w[:-1] + w[-1])).sum()
    np.testing.assert_allclose(own, threshold**2 * clf.objective_, rtol=1e-12)
    with pytest.raises(ValueError, match="only optimum is w = 0"):
        nv.SoftMargin(loss="perceptron").fit(X, signs)


def test_Z11_the_soft_margin_depends_on_no_order() -> None:
    """Shuffled rows give the same plane to within the gaps."""
    X, y = nv.example("breast-cancer")
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    first = nv.SoftMargin().fit(X, y)
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(y))
        other = nv.SoftMargin().fit(X[order], y[order])
        bound = np.sqrt(2 * first.gap_) + np.sqrt(2 * other.gap_)
        assert np.linalg.norm(first.coef_ - other.coef_) <= bound + 1e-14
