"""docs/soft-margin.md is run, and the statements of the notes about the soft margin are tested."""

from __future__ import annotations

import contextlib
import io
import itertools
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import novikoff as nv
from novikoff.cli import door

pytestmark = pytest.mark.slow  # where the compiler is off

PAGE = (Path(__file__).parents[2] / "docs" / "soft-margin.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", PAGE, flags=re.S)


def test_the_page_prints_what_it_shows() -> None:
    names: dict[str, object] = {}
    for (kind, code), (shown_kind, shown) in itertools.pairwise(BLOCKS):
        if kind != "python":
            continue
        assert shown_kind == "text"
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(code, names)
        assert said.getvalue() == shown


def test_the_command_of_the_page_prints_what_it_shows() -> None:
    """Up to the size of the gap, which depends on the machine."""
    (shown,) = (text for kind, text in BLOCKS if kind == "console")
    command, *lines = shown.splitlines()
    done = CliRunner().invoke(door, command.removeprefix("$ novikoff ").split())
    gap = re.compile(r"at most \S+ of itself")
    assert [gap.sub("", line) for line in done.stdout.splitlines()] == [gap.sub("", line) for line in lines]


def test_Z13_mean_loss_plus_regulariser_is_the_same_problem() -> None:
    """½λ|w|² + mean loss has the optimum of C = 1/(λn)."""
    from scipy.optimize import minimize

    X, y = nv.example("iris")
    X, signs = X[50:], np.where(y[50:] == y[-1], 1.0, -1.0)
    rate = 0.01

    def notes(w: np.ndarray) -> float:
        m = signs * (X @ w[:-1] + w[-1])
        return float(np.logaddexp(0.0, -m).mean() + 0.5 * rate * w @ w)

    best = minimize(notes, np.zeros(5), method="BFGS", options={"gtol": 1e-10})
    clf = nv.SoftMargin(loss="logistic", C=1 / (rate * len(X))).fit(X, signs)
    np.testing.assert_allclose([*clf.coef_[0], *clf.intercept_], best.x, rtol=1e-3)
    assert notes(np.array([*clf.coef_[0], *clf.intercept_])) <= best.fun * (1 + 1e-12)


@pytest.mark.parametrize("threshold", [0.5, 4.0])
def test_Z13_the_perceptron_loss_with_a_threshold_is_the_hinge(threshold: float) -> None:
    """½|w|² + C Σ max(0, t − m) at w = t·u is t²·(hinge objective of u with C/t)."""
    X, y = nv.example("iris")
    X, signs, C = X[50:], np.where(y[50:] == y[-1], 1.0, -1.0), 2.0
    clf = nv.SoftMargin(C=C / threshold).fit(X, signs)
    w = threshold * np.array([*clf.coef_[0], *clf.intercept_])
    m = signs * (X @ w[:-1] + w[-1])
    own = 0.5 * w @ w + C * np.maximum(0.0, threshold - m).sum()
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
