"""Sentences that the auditor found to be false, each by a test of its own."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import novikoff as nv
from commands import novikoff


def test_a_proved_margin_in_words_is_between_its_decimals(tmp_path: Path) -> None:
    """γ² = 11/4: the shortest decimal of the lower double, 1.6583123951777, is above γ."""
    data = tmp_path / "two.csv"
    data.write_text("1,1,3,1\n0,2,0,0\n")
    info = novikoff("margin", data, "--no-header", "--label", 4).out
    ends = re.findall(r"proved  (\S+) ≤ γ ≤ (\S+)", info)
    assert len(ends) == 2
    for (low, high), gamma2 in zip(ends, (Fraction(11, 4), Fraction(51, 23)), strict=True):
        assert Fraction(low) ** 2 <= gamma2 <= Fraction(high) ** 2


def test_a_saved_widest_plane_is_told_with_decimals_that_hold(tmp_path: Path) -> None:
    clf = nv.MaxMargin().fit([[1, 1, 3], [0, 2, 0]], [1, 0])
    nv.save(clf, tmp_path / "widest.nvk")
    low, high = re.findall(r"margin from (\S+) to (\S+), proved", novikoff("explain", tmp_path / "widest.nvk").out)[0]
    assert Fraction(low) ** 2 <= Fraction(11, 4) <= Fraction(high) ** 2


@pytest.mark.parametrize(
    ("points", "options", "info"),
    [
        ("3,1\n-3,0\n", [], "R = √10 ≈ 3.16227766016838, the length of the longest (x, 1)"),
        ("1.5,1\n-4,0\n", ["--no-bias"], "R = √16 = 4, the length of the longest x"),
    ],
)
def test_a_radius_that_is_rounded_is_marked(points: str, options: list[str], info: str, tmp_path: Path) -> None:
    data = tmp_path / "two.csv"
    data.write_text(points)
    assert info in novikoff("margin", data, "--no-header", "--label", 2, *options).out


def test_equal_scores_of_many_classes_stay_equal() -> None:
    """A score of 0 in every class was told as 5e-324 for the first one."""
    X = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0], [-2.0, -1.0]])
    for scheme in ("ova", "ovo", "joint"):
        clf = nv.Perceptron(multi_class=scheme).fit(X, ["a", "b", "c", "c"])
        clf.coef_[:], clf.intercept_[:] = 0.0, 0.0
        assert clf.decision_function(X).tolist() == [[0.0] * 3] * 4
        assert clf.predict(X).tolist() == ["a"] * 4


def test_explain_tells_no_number_as_minus_zero(tmp_path: Path) -> None:
    """Of labels + and - the plane is told negated, and a weight of 0 times −1 was -0."""
    data, model = tmp_path / "signs.csv", tmp_path / "model.nvk"
    data.write_text("1,-1,+\n-1,-1,-\n2,-1,+\n-2,-1,-\n")
    assert novikoff("fit", data, "--no-header", "--label", 3, "--no-bias", "-o", model).code == 0
    for row in range(1, 5):
        said = novikoff("explain", model, data, "--row", row)
        assert said.code == 0
        assert not re.search(r"(?<![\de])-0(?![.\d])", said.out), said.out
