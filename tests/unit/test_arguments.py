"""Parameters of the estimators: one table states them, and names that are not there are answered with what does it."""

from __future__ import annotations

import copy
import inspect
import pickle
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.utils.validation import has_fit_parameter

import novikoff as nv
from commands import novikoff
from novikoff.estimators.maxmargin_estimator import MaxMarginParameters
from novikoff.estimators.parameter_table import FIXED_BY_A_RUN, FREE_IN_A_RUN, PERCEPTRON, parameters_of

OR = nv.example("or")


@pytest.mark.parametrize("kind", [nv.Perceptron, nv.MaxMargin])
def test_the_table_is_the_signature_and_the_docstring(kind: Any) -> None:
    table, signature = dict(parameters_of(kind)), inspect.signature(kind).parameters
    assert {one.kind for one in signature.values()} == {inspect.Parameter.KEYWORD_ONLY}
    defaults = {name: info.default for name, info in table.items()}
    assert {name: one.default for name, one in signature.items()} == defaults == kind().get_params()
    section = kind.__doc__.partition("Parameters\n")[2].partition("Attributes\n")[0]
    named = re.findall(r"^    (\w+) : (.*), default=(.*)$", section, re.MULTILINE)
    assert [(name, allowed, eval(default)) for name, allowed, default in named] == [
        (name, str(info.allowed), info.default) for name, info in table.items()
    ]
    said = " ".join(section.split())
    assert "{parameters}" not in said
    for info in table.values():
        assert f"{info.sentence} {info.details}".strip() in said
        assert info.sentence[-1] in ".…"
        assert not info.details.endswith(".")


def test_what_a_run_fixes_changes_the_run_and_a_file_has_all_but_the_engine() -> None:
    assert not {*FIXED_BY_A_RUN} & {*FREE_IN_A_RUN}
    assert {*FIXED_BY_A_RUN} | {*FREE_IN_A_RUN} < PERCEPTRON.keys()
    limits = PERCEPTRON.keys() - {*FIXED_BY_A_RUN} - {*FREE_IN_A_RUN}
    assert limits == {"max_iter", "max_updates", "train_patience", "early_stopping", "validation_fraction",
                      "valid_patience", "random_state"}  # fmt: skip
    assert [name for name, info in PERCEPTRON.items() if not info.in_model] == ["engine"]
    assert list(parameters_of(MaxMarginParameters)) == ["bias"]
    table = "novikoff.estimators.parameter_table"
    code = f"import sys, {table}; print({{'numpy', 'sklearn', 'numba'}} & {{*sys.modules}})"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "set()\n"


# ---- names that are not there

SKLEARN = ["tol", "shuffle", "penalty", "alpha", "l1_ratio", "n_iter_no_change", "n_jobs"]


@pytest.mark.parametrize("name", SKLEARN)
def test_a_parameter_of_another_library_is_answered_with_the_one_here(name: str) -> None:
    """By `__init__` as a TypeError and by `set_params` as a ValueError; every name in the answer exists."""
    with pytest.raises(TypeError, match=f"^Perceptron: no parameter is called '{name}'; ") as refused:
        nv.Perceptron(**{name: 1})
    assert {*re.findall(r"(\w+)=", str(refused.value))} <= nv.Perceptron().get_params().keys()
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


class Named(nv.Perceptron):  # type: ignore[misc]
    def __init__(self, *, mine: int = 1) -> None:
        super().__init__()
        self.mine = mine


MISSPELT: list[tuple[Any, str]] = [
    (lambda: nv.Perceptron(max_itr=3), r"no parameter is called 'max_itr'; did you mean 'max_iter'\?"),
    (lambda: nv.MaxMargin(clusters=1), r"^MaxMargin: no parameter is called 'clusters'; its parameters are bias$"),
    (lambda: nv.Perceptron(0.1), "passed by name, as in Perceptron"),
    (lambda: Named(eta0=1.0), r"^Named: "),
    (lambda: nv.SoftMargin(tol=1e-3), "gap is the proved gap"),
    (lambda: nv.SoftMargin(alpha=1e-3), "C = 1/"),
    (lambda: nv.Perceptron().fit(*OR, X_val=1), r"^fit: no parameter is called 'X_val'; did you mean 'X_valid'\?"),
    (lambda: nv.Perceptron().fit(), "missing 1 required positional argument: 'X'"),
]


@pytest.mark.parametrize(("call", "words"), MISSPELT)
def test_a_misspelt_name_is_answered_with_the_likely_one(call: Any, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        call()


def test_the_contract_of_scikit_learn_stands() -> None:
    clf = nv.Perceptron(eta0=2.0)
    for same in (clone(clf), pickle.loads(pickle.dumps(clf)), copy.deepcopy(clf)):
        assert same.get_params() == clf.get_params()
    assert clf.set_params(eta0=3.0) is clf
    assert clf.eta0 == 3.0
    assert clone(Named(mine=4)).mine == 4

    class Free(nv.Perceptron):
        def __init__(self, mine: int = 1, **others: Any) -> None:
            super().__init__(**others)
            self.mine = mine

    assert Free(2, eta0=3.0).eta0 == 3.0


@pytest.mark.parametrize("estimator", [nv.Perceptron, nv.MaxMargin])
def test_sample_weight_and_predict_proba_are_answered_with_what_does_it(estimator: Any) -> None:
    clf = estimator().fit(*OR)
    for method in ("fit", "partial_fit") if estimator is nv.Perceptron else ("fit",):
        reason = "no weighted sum.*class_weight=" if estimator is nv.Perceptron else "same for all weights of the rows"
        expected = rf"^{method}: no parameter is called 'sample_weight'; .*{reason}.*novikoff.SoftMargin"
        with pytest.raises(TypeError, match=expected):
            getattr(estimator(), method)(*OR, sample_weight=[1, 1, 1, 1])
        assert not has_fit_parameter(clf, "sample_weight")
    for method in ("predict_proba", "predict_log_proba"):
        assert not hasattr(clf, method)
        expected = rf"^{estimator.__name__} has no {method}: .*decision_function.*CalibratedClassifierCV"
        with pytest.raises(AttributeError, match=expected):
            getattr(clf, method)(OR[0])
    X = np.vstack([OR[0]] * 10)
    chances = CalibratedClassifierCV(estimator(), cv=2).fit(X, np.tile(OR[1], 10)).predict_proba(X)
    assert np.allclose(chances.sum(axis=1), 1)


def test_read_advises_in_its_own_parameters_and_commands_end_in_one_vocabulary(tmp_path: Path) -> None:
    """No message of `read` names an option of the command line as if it were a parameter."""
    for text, words in [
        ("x,label\n1,a\n,b\n", "missing='drop' leaves such rows out"),
        ("x,label\n1,a\nred,b\n", "`read` takes numbers only"),
        ("x;label\n1;a\n0,5;b\n", "decimal_comma=True reads 0,5 as a half"),
    ]:
        (tmp_path / "t.csv").write_text(text)
        with pytest.raises(nv.InputError, match=words):
            nv.read(tmp_path / "t.csv")
    info = novikoff("fit", "--example", "or", "--known-margin", "2").out
    assert "so no plane has this margin on these points" in info
    assert nv.margin(*nv.example("or")).padded.gamma[1] < 2
    assert "no plane has this margin" not in novikoff("fit", "--example", "or", "--known-margin", "0.1").out
    for verb in ("trace", "fit", "certify"):
        info = novikoff(verb, "--example", "xor").out
        assert re.search(r"^NOT SEPARABLE( \(proved\))?  ", info, re.MULTILINE)
        assert "CYCLE" not in info
