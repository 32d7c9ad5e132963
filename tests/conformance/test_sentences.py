"""Sentences that the auditor found to be false, each by a test of its own."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import novikoff as nv
from commands import answer, novikoff


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


def test_one_row_and_one_point_are_singular(tmp_path: Path) -> None:
    origin = nv.decide([[0.0, 0.0]], [1], fit_intercept=False)
    assert repr(origin).startswith("Verdict(not separable by a plane through the origin, 1 row proves it; ")
    assert "proved by 1 of 1 point of 2 numbers" in str(origin)
    assert "no plane through the origin separates the 1 point, nor some" in origin.explain()
    assert "each of 2 points of 1 number strictly" in str(nv.decide([[0.0], [1.0]], [0, 1]))
    assert "has the one point on one side" in nv.decide([[1.0]], [1]).explain()
    assert repr(nv.removal(*nv.example("xor"))) == "Removal(exactly 1 row)"
    (tmp_path / "one.csv").write_text("a,y\n0,1\n")
    assert "1 points" not in novikoff("certify", tmp_path / "one.csv", "--no-bias").out


@pytest.mark.compiled
def test_where_no_plane_separates_no_margin_is_told_to_bound_the_updates() -> None:
    info = novikoff("fit", "--example", "xor", "--known-margin", "1/10").out
    (bound,) = (line for line in info.splitlines() if line.startswith("bound"))
    assert bound.endswith("no plane separates the points, so none has any margin")
    assert "at most" not in bound
    with pytest.warns(nv.NotSeparatedWarning) as seen:
        nv.Perceptron(known_margin=0.1).fit(*nv.example("xor"))
    assert sum("so none has a margin of 0.1" in str(one.message) for one in seen) == 1
    assert "at most (R/γ)² = " in novikoff("fit", "--example", "or", "--known-margin", "1/10").out


@pytest.mark.compiled
def test_errors_are_told_with_the_points_that_are_counted() -> None:
    """Of rows set aside for validation, too: their number is derived again from the classes."""
    for name, more, n, aside in (("xor", (), 4, 2), ("iris", ("--classes", "versicolor,virginica"), 100, 10)):
        ask = ("fit", "--example", name, *more, "--stall-valid", "2")
        document, told = answer(*ask), novikoff(*ask).out
        assert document["set_aside"] == aside  # one of each class, or a tenth of fifty of each
        assert f"{document['train_errors']} of {n} points ({aside} set aside) wrong" in told
        assert "training points" not in told
    assert "set_aside" not in answer("fit", "--example", "xor")


@pytest.mark.parametrize("size", [1e-155, 1e-300])
def test_a_bound_beyond_the_range_of_doubles_is_said(size: float, tmp_path: Path) -> None:
    X = np.round(np.random.default_rng(4).normal(size=(20, 2)), 2)
    X[:, 0] += np.sign(X[:, 0])
    y, path = np.where(X[:, 0] > 0, "a", "b"), tmp_path / "p.csv"
    rows = [f"{a!r},{b!r},{c}" for (a, b), c in zip((X * size).tolist(), y, strict=True)]
    path.write_text("\n".join(["u,v,y", *rows]) + "\n")
    beyond = "a number beyond the range of doubles"
    assert f"mistakes ≤ (R/γ)² = {beyond}, from weights 0 in any order" in novikoff("margin", path).out
    found = answer("margin", path)
    low, high = (Fraction(v) for v in found["padded"]["gamma"])
    assert (found["mistake_bound"][1], low > 0) == (None, True)
    assert 1 / high**2 > Fraction(float(np.finfo(float).max))  # R ≥ 1: the bound is larger than every double
    assert nv.margin(X * size, y)._repr_html_().count(beyond) == 1
