"""Parameters that are not there are answered with the name that does it here."""

from __future__ import annotations

import copy
import inspect
import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.utils.validation import has_fit_parameter

import novikoff as nv
from commands import novikoff

SKLEARN = ["tol", "shuffle", "penalty", "alpha", "l1_ratio", "n_iter_no_change", "n_jobs"]


@pytest.mark.parametrize("name", SKLEARN)
def test_a_parameter_of_another_library_is_answered_with_the_one_here(name: str) -> None:
    """By `__init__` as a TypeError and by `set_params` as a ValueError; every name in the answer exists."""
    with pytest.raises(TypeError, match=f"^Perceptron: no parameter is called '{name}'; ") as refused:
        nv.Perceptron(**{name: 1})
    known = nv.Perceptron().get_params()
    for parameter in re.findall(r"(\w+)=", str(refused.value)):
        assert parameter in known
    with pytest.raises(ValueError, match=f"Invalid parameter '{name}' for estimator Perceptron: "):
        nv.Perceptron().set_params(**{name: 1})


@pytest.mark.parametrize("name", ["C", "max_iter", "tol", "n_jobs", "fit_intercept"])
def test_a_parameter_that_the_widest_plane_has_not_is_answered_with_what_does_it(name: str) -> None:
    """Every function and every parameter that is named exists."""
    with pytest.raises(TypeError, match=f"^MaxMargin: no parameter is called '{name}'; ") as refused:
        nv.MaxMargin(**{name: 1})
    info = str(refused.value)
    assert "its parameters are" not in info
    for function, parameter in re.findall(r"novikoff\.(\w+)\((?:X, y, )?(\w+)=", info):
        assert parameter in inspect.signature(getattr(nv, function)).parameters


def test_a_misspelt_parameter_is_answered_with_the_likely_one() -> None:
    with pytest.raises(TypeError, match=r"no parameter is called 'max_itr'; did you mean 'max_iter'\?"):
        nv.Perceptron(max_itr=3)
    with pytest.raises(TypeError, match=r"^MaxMargin: no parameter is called 'clusters'; its parameters are bias$"):
        nv.MaxMargin(clusters=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="passed by name, as in Perceptron"):
        nv.Perceptron(0.1)  # type: ignore[misc]


def test_the_contract_of_scikit_learn_stands() -> None:
    clf = nv.Perceptron(eta0=2.0)
    for same in (clone(clf), pickle.loads(pickle.dumps(clf)), copy.deepcopy(clf)):
        assert same.get_params() == clf.get_params()
    assert clf.set_params(eta0=3.0) is clf
    assert clf.eta0 == 3.0

    class Free(nv.Perceptron):
        def __init__(self, mine: int = 1, **others: Any) -> None:
            super().__init__(**others)
            self.mine = mine

    class Named(nv.Perceptron):
        def __init__(self, *, mine: int = 1) -> None:
            super().__init__()
            self.mine = mine

    assert Free(2, eta0=3.0).eta0 == 3.0
    assert clone(Named(mine=4)).mine == 4
    with pytest.raises(TypeError, match=r"^Named: "):
        Named(eta0=1.0)  # type: ignore[call-arg]


def test_a_margin_that_no_plane_has_is_commented() -> None:
    info = novikoff("fit", "--example", "or", "--known-margin", "2").out
    assert "so no plane has this margin on these points" in info
    assert nv.margin(*nv.example("or")).padded.gamma[1] < 2
    assert "no plane has this margin" not in novikoff("fit", "--example", "or", "--known-margin", "0.1").out


def test_xor_ends_in_one_vocabulary() -> None:
    for verb in ("trace", "fit", "certify"):
        info = novikoff(verb, "--example", "xor").out
        assert re.search(r"^NOT SEPARABLE( \(proved\))?  ", info, re.MULTILINE)
        assert "CYCLE" not in info


def test_read_advises_in_its_own_parameters(tmp_path: Path) -> None:
    """No message of `read` names an option of the command line as if it were a parameter."""
    (tmp_path / "gap.csv").write_text("x,label\n1,a\n,b\n")
    with pytest.raises(nv.InputError, match="missing='drop' leaves such rows out"):
        nv.read(tmp_path / "gap.csv")
    (tmp_path / "word.csv").write_text("x,label\n1,a\nred,b\n")
    with pytest.raises(nv.InputError, match="`read` takes numbers only"):
        nv.read(tmp_path / "word.csv")
    (tmp_path / "comma.csv").write_text("x;label\n1;a\n0,5;b\n")
    with pytest.raises(nv.InputError, match="decimal_comma=True reads 0,5 as a half"):
        nv.read(tmp_path / "comma.csv")


OR = nv.example("or")


def test_a_misspelt_argument_is_answered_with_the_likely_one() -> None:
    with pytest.raises(TypeError, match=r"^fit: no parameter is called 'X_val'; did you mean 'X_valid'\?"):
        nv.Perceptron().fit(*OR, X_val=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'X'"):
        nv.Perceptron().fit()  # type: ignore[call-arg]


@pytest.mark.parametrize("estimator", [nv.Perceptron, nv.MaxMargin])
def test_sample_weight_and_predict_proba_are_answered_with_what_does_it(estimator: Any) -> None:
    clf = estimator().fit(*OR)
    methods = ["fit", "partial_fit"] if estimator is nv.Perceptron else ["fit"]
    for method in methods:
        reason = "no weighted sum.*class_weight=" if estimator is nv.Perceptron else "same for all weights of the rows"
        expected = rf"^{method}: no parameter is called 'sample_weight'; .*{reason}.*novikoff.SoftMargin"
        with pytest.raises(TypeError, match=expected):
            getattr(estimator(), method)(*OR, sample_weight=[1, 1, 1, 1])
        assert not has_fit_parameter(clf, "sample_weight")
    assert "class_weight" in nv.Perceptron().get_params()
    for method in ("predict_proba", "predict_log_proba"):
        assert not hasattr(clf, method)
        expected = rf"^{estimator.__name__} has no {method}: .*decision_function.*CalibratedClassifierCV"
        with pytest.raises(AttributeError, match=expected):
            getattr(clf, method)(OR[0])
    X = np.vstack([OR[0]] * 10)
    chances = CalibratedClassifierCV(estimator(), cv=2).fit(X, np.tile(OR[1], 10)).predict_proba(X)
    assert np.allclose(chances.sum(axis=1), 1)
