"""scikit-learn's checks on the default and on every combination of `multi_class`, `keep` and `rule`: `make stress`."""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import novikoff as nv
from data.kernel_mode import RunKernels
from oracles import sklearn_checks as checked

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.filterwarnings("ignore::novikoff.estimators.perceptron_estimator.NotSeparatedWarning"),
]


@parametrize_with_checks(
    [nv.Perceptron(), *map(checked.estimator, checked.PRODUCT)], expected_failed_checks=checked.expected_failures
)
def test_scikit_learns_checks(estimator: Any, check: Any, run_kernels: RunKernels) -> None:
    """No check fails but the thresholds listed in tests/oracles/sklearn_checks.py, and every one listed there does."""
    run_kernels("compiled")
    check(estimator)


@pytest.mark.parametrize("choice", checked.PRODUCT)
def test_the_scores_are_those_listed(choice: checked.Choice) -> None:
    for check, score in checked.missed(choice).items():
        assert checked.score(check, checked.estimator(choice)) == pytest.approx(score, abs=0.001), check
