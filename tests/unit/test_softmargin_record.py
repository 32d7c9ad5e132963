"""Model files of SoftMargin: what was saved is what is loaded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from novikoff.errors import InputError
from novikoff.model import describe
from novikoff.model.model_record import record_of
from novikoff.model.softmargin_record import loaded
from novikoff.records.record_reader import Fields

pytestmark = pytest.mark.slow  # where the compiler is off

KINDS: list[dict[str, Any]] = [
    {},
    {"loss": "logistic", "C": "auto", "bias": "free"},
    {"loss": "squared_hinge", "penalty": "l1", "C": 3, "class_weight": "balanced"},
    {"loss": "hinge", "multi_class": "ovo", "class_weight": {0: 2.0}},
    {"loss": "logistic", "multi_class": "ova", "C": "auto"},
    {"loss": "squared_hinge"},
]


def fitted(parameters: dict[str, Any], classes: int) -> tuple[nv.SoftMargin, np.ndarray]:
    X, y = nv.example("iris")
    numbers = np.unique(y, return_inverse=True)[1]
    kept = numbers < classes
    return nv.SoftMargin(**parameters).fit(X[kept], numbers[kept]), X[kept]


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("parameters", KINDS)
def test_a_loaded_model_is_the_saved_one(parameters: dict[str, Any], classes: int, tmp_path: Path) -> None:
    clf, X = fitted(parameters, classes)
    path = tmp_path / "soft.nvk"
    digest = nv.save(clf, path)
    again = nv.load(path)
    assert isinstance(again, nv.SoftMargin)
    assert again.get_params() == clf.get_params()
    for name in ("coef_", "intercept_", "gap_", "objective_", "classes_"):
        np.testing.assert_array_equal(getattr(again, name), getattr(clf, name))
    for name in ("stop_reason_", "multi_class_", "C_", "path_", "solver_", "hard_margin_", "n_iter_"):
        assert getattr(again, name) == getattr(clf, name)
    np.testing.assert_array_equal(again.decision_function(X), clf.decision_function(X))
    assert nv.save(again, tmp_path / "again.nvk") == digest
    assert describe(path)["estimator"] == "SoftMargin"


def test_a_changed_record_is_refused() -> None:
    clf, _ = fitted({}, 3)
    record, tensors = record_of(clf)
    own = {
        k: v
        for k, v in record.items()
        if k not in ("estimator", "library", "preparation", "data_digest", "certificate_digest")
    }
    changes: list[tuple[dict[str, Any], dict[str, Any], str]] = [
        ({"stop_reason": "separated"}, {}, "stop_reason"),
        ({"solvers": ["newton"]}, {}, "3 solvers"),
        ({"C": -1.0}, {}, "C"),
        ({"path": {"C": [1.0]}}, {}, "path"),
        ({"parameters": {**own["parameters"], "loss": "perceptron"}}, {}, "w = 0"),
        ({"parameters": {**own["parameters"], "more": 1}}, {}, "more"),
        ({}, {"gap": np.full(3, -1.0)}, "at least 0"),
        ({}, {"coef": np.full((3, 4), np.nan)}, "not finite"),
        ({}, {"coef": np.zeros((2, 4))}, "coef"),
    ]
    for values, arrays, message in changes:
        with pytest.raises(InputError, match=message):
            loaded(Fields(own | values, "file"), dict(tensors) | arrays, nv.SoftMargin)
