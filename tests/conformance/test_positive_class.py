"""T7a: which class is the positive one, in plane, proof, trace and explanation; R1a, C2a Z5a, Z2a and R4 as shown."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from commands import answer, novikoff
from novikoff.data.positive_class import positive_place
from novikoff.scoring.unit_plane import unit_plane

OR = [[0, 0], [1, 0], [0, 1], [1, 1]]
SIGNED = ["-", "+", "+", "+"]
PAIRS = [("-", "+"), ("-1", "+1"), ("no", "yes"), ("No", "yes"), ("no", "Yes"), ("false", "true"), ("False", "true"),
         ("ham", "spam"), ("ham", "Spam"), ("blue", "red"), (0, 1), (-1, 1), (False, True)]  # fmt: skip


def scores(w: Any, b: Any) -> list[Fraction]:
    return [sum((Fraction(a) * x for a, x in zip(w, row, strict=True)), Fraction(b)) for row in OR]


@pytest.mark.parametrize("pair", PAIRS)
def test_T7a_labels_are_read_as_a_person_reads_them(pair: tuple[Any, Any]) -> None:
    """Every plane is above 0 on the positive class."""
    negative, positive = pair
    y = [negative, positive, positive, positive]
    v = nv.decide(OR, y)
    assert v.classes == (negative, positive)
    t = nv.trace(OR, y)
    assert t.classes == (negative, positive)
    w, b = nv.margin(OR, y).geometric.plane
    for plane in ((v.w, v.b), (t.w[:2], t.w[2]), (w.tolist(), b)):
        assert [s > 0 for s in scores(*plane)] == [False, True, True, True]
    assert nv.separation(OR, y).classes == (negative, positive)
    assert v.check(OR, y)


def test_T7a_any_other_pair_by_a_named_choice() -> None:
    y = ["red", "blue", "blue", "blue"]
    v = nv.decide(OR, y, positive="blue")
    assert [s > 0 for s in scores(v.w, v.b)] == [False, True, True, True]
    assert nv.trace(OR, y, positive="blue").classes == ("red", "blue")
    assert nv.separation(OR, y, positive="blue").classes == ("red", "blue")
    assert nv.margin(OR, y, positive="blue").geometric.plane[0][0] > 0
    for ask in (nv.decide, nv.trace, nv.margin, nv.separation):
        with pytest.raises(nv.InputError, match="positive: found 'green'; expected one of the two classes"):
            ask(OR, y, positive="green")


def test_T7a_an_estimator_keeps_the_convention_of_scikit_learn() -> None:
    """classes_ are sorted, a positive score is classes_[1], and verdict_ speaks of that class."""
    clf = nv.Perceptron().fit(OR, SIGNED)
    assert clf.classes_.tolist() == ["+", "-"]
    assert (clf.decision_function(OR) > 0).tolist() == [True, False, False, False]
    X, y = np.array([[0.0], [1], [2], [3]]), ["+", "-", "+", "-"]
    with pytest.warns(nv.NotSeparatedWarning):
        stuck = nv.Perceptron(max_iter=1000, train_patience=2).fit(X, y)
    if stuck.verdict_ is not None:
        assert stuck.verdict_.classes == ("+", "-")
        assert stuck.verdict_.check(X, y)
    widest = nv.MaxMargin().fit(OR, SIGNED)
    assert (widest.decision_function(OR) > 0).tolist() == [True, False, False, False]


def test_T7a_zhangs_signs_come_out_as_on_the_slide(tmp_path: Path) -> None:
    """In plane, proof, trace and explanation of every verb, and the choice is printed."""
    path = tmp_path / "or.csv"
    path.write_text("x1,x2,label\n" + "".join(f"{a},{b},{s}\n" for (a, b), s in zip(OR, SIGNED, strict=True)))
    fit = novikoff("fit", path, "-o", tmp_path / "m.nvk").out
    assert "− is -, + is +" in fit
    assert "plane  2·x1 + 2·x2 − 1 = 0" in fit
    info = answer("fit", path)
    assert (info["positive"], info["w"], info["b"]) == ("+", [2, 2], -1)
    certified = answer("certify", path)
    assert certified["classes"] == ["-", "+"]
    assert [s > 0 for s in scores(certified["w"], certified["b"])] == [False, True, True, True]
    assert "> 0 on +, < 0 on -" in novikoff("certify", path).out
    assert "+ is +, − is -" in novikoff("margin", path).out
    assert answer("margin", path)["geometric"]["w"] == [2, 2]
    assert "2·x1 + 2·x2 − 1 = 0" in novikoff("trace", path).out
    assert "(coefficients of the logit of +, against -)" in novikoff("separation", path).out
    explained = answer("explain", tmp_path / "m.nvk", path, "--row", 2)
    assert (explained["class"], explained["of"]) == ("+", "+")
    assert explained["score"] == 1 == sum(part["product"] for part in explained["parts"])
    assert "(+ is +)" in novikoff("explain", tmp_path / "m.nvk").out
    assert answer("certify", path, "--positive", "-")["classes"] == ["+", "-"]
    assert answer("fit", path, "--positive", "-")["w"] == [-2, -2]
    assert novikoff("certify", path, "--positive", "spam").code == 3


def test_T7a_a_certificate_with_the_old_signs_verifies_unchanged(tmp_path: Path) -> None:
    """A proof that calls `-` positive, as older versions wrote it, is about the same points."""
    nv.decide(OR, SIGNED, positive="-").save(tmp_path / "old.json")
    old = json.loads((tmp_path / "old.json").read_text())
    assert old["model"]["classes"] == ["+", "-"]
    assert nv.verify(tmp_path / "old.json", OR, SIGNED) == "complete"
    nv.decide(OR, SIGNED).save(tmp_path / "new.json")
    assert nv.verify(tmp_path / "new.json", OR, SIGNED) == "complete"


def test_T7a_pairs_of_classes_are_read_the_same_way() -> None:
    assert nv.decide_pairs(OR, SIGNED)["+", "-"].classes == ("-", "+")
    assert positive_place(["y", "n"][::-1]) == 1
    assert positive_place(["+", "x"]) == 1


@pytest.mark.parametrize("seed", range(30))
def test_C2a_Z5a_only_the_direction_of_w_and_b_matters(seed: int) -> None:
    """Scaling by any c > 0 changes no side, and neither unit normal nor distance; both are right to the last digits."""
    rng = np.random.default_rng(seed)
    w, b = rng.normal(size=4) * 10.0 ** rng.integers(-100, 100), float(rng.normal() * 10.0 ** rng.integers(-100, 100))
    unit = unit_plane(w.tolist(), b)
    assert unit is not None
    square = sum(Fraction(v) ** 2 for v in w.tolist())
    for value, exact in zip([*unit.normal, unit.offset], [*w.tolist(), b], strict=True):
        near = Fraction(value) ** 2 * square
        assert abs(near - Fraction(exact) ** 2) <= Fraction(exact) ** 2 / 2**50
        assert (value > 0) == (exact > 0)
    for c in (2.0**-40, 3.0, 1e7):
        scaled = unit_plane((c * w).tolist(), c * b)
        assert scaled is not None
        assert np.allclose([*scaled.normal, scaled.offset], [*unit.normal, unit.offset], rtol=1e-14, atol=0)
    X = rng.normal(size=(20, 4))
    small, y = rng.normal(size=4), rng.integers(0, 2, 20)
    y[:2] = 0, 1
    assert (nv.margins(X, y, 7 * small, 7.0).scores > 0).tolist() == (nv.margins(X, y, small, 1.0).scores > 0).tolist()


def test_C2a_Z5a_inspect_and_margin_print_them(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b,label\n3,4,1\n6,8,1\n0,0,0\n")
    novikoff("fit", tmp_path / "t.csv", "-o", tmp_path / "m.nvk")
    clf = nv.load(tmp_path / "m.nvk")
    unit = unit_plane(clf.coef_[0].tolist(), float(clf.intercept_[0]))
    assert unit is not None
    info = answer("explain", tmp_path / "m.nvk")["plane"]
    assert (info["positive"], info["unit_normal"], info["distance"]) == (1, unit.normal, unit.distance)
    assert f"the plane's distance from the origin is {unit.distance:.6g}" in novikoff("explain", tmp_path / "m.nvk").out
    wide = answer("margin", tmp_path / "t.csv")["geometric"]
    assert wide["unit_normal"] == [0.6, 0.8]
    assert wide["distance"] == 2.5
    assert "unit normal ≈(0.6, 0.8), distance from the origin ≈2.5" in novikoff("margin", tmp_path / "t.csv").out


def test_R1a_missed_and_false_positives_by_class(tmp_path: Path) -> None:
    """Each class's counts are re-derived from the confusion matrix and from the predictions."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, 60)
    X = rng.normal(size=(60, 2)) + y[:, None]
    lines = [f"{a!r},{b!r},{'abc'[k]}" for (a, b), k in zip(X.tolist(), y.tolist(), strict=True)]
    (tmp_path / "t.csv").write_text("u,v,label\n" + "\n".join(lines) + "\n")
    novikoff("fit", tmp_path / "t.csv", "--max-passes", "5", "-o", tmp_path / "m.nvk")
    info = answer("evaluate", tmp_path / "m.nvk", tmp_path / "t.csv")
    called = np.asarray(nv.load(tmp_path / "m.nvk").predict(nv.read(tmp_path / "t.csv")))
    words = novikoff("evaluate", tmp_path / "m.nvk", tmp_path / "t.csv").out
    assert info["errors"] > 0
    for k, row in enumerate(info["classes"]):
        of_class, so_called = y == k, called == "abc"[k]
        assert row["missed"] == int((of_class & ~so_called).sum())
        assert row["false_positives"] == int((so_called & ~of_class).sum())
        line = next(line for line in words.splitlines() if re.match(rf"{'abc'[k]} .*%", line))
        assert line.split()[-2:] == [str(row["missed"]), str(row["false_positives"])]


def test_R4_the_trace_shows_reflected_points() -> None:
    """y·x beside each point, in text, CSV and JSON; a mistake is y·⟨w, x⟩ = ⟨w, y·x⟩ ≤ 0."""
    t = nv.trace(*nv.example("cornwell"))
    for step, info in zip(t.steps, t.to_dict()["steps"], strict=True):
        assert step.reflected == tuple(step.sign * v for v in step.x)
        assert [Fraction(v) for v in info["reflected"]] == list(step.reflected)
    assert t.to_text().splitlines()[0].split()[:5] == ["k", "pass", "point", "label", "y·x"]
    assert "(1, −3, −1)" in t.to_text().splitlines()[1]


ZHANG = [",x1,x2,x3,x4,x5,x6", "and,1,0,0,1,1,1", "vicodin,1,0,1,0,0,0", "the,0,1,1,0,1,1", "of,1,1,0,1,0,1",
         "nigeria,1,0,0,0,1,0", "y,+,-,+,-,+,-"]  # fmt: skip


@pytest.mark.parametrize("corner", ["", "word", None])
def test_Z2a_zhangs_table_is_read_as_it_stands(corner: str | None, tmp_path: Path) -> None:
    """With its heading line, whose corner may be empty, named or not there: w = (0, 2, 0, −1, 1) as on the slide."""
    head = ZHANG[0][1:] if corner is None else f"{corner}{ZHANG[0]}"
    (tmp_path / "z.csv").write_text("\n".join([head, *ZHANG[1:]]) + "\n")
    info = answer("fit", tmp_path / "z.csv", "--transpose", "--no-bias")
    assert (info["w"], info["positive"], info["n"], info["d"]) == ([0, 2, 0, -1, 1], "+", 6, 5)
    plain = tmp_path / "plain.csv"
    plain.write_text("\n".join(ZHANG[1:]) + "\n")
    assert answer("fit", plain, "--transpose", "--no-bias")["w"] == info["w"]


def test_Z2a_errors_are_in_the_files_own_coordinates(tmp_path: Path) -> None:
    (tmp_path / "z.csv").write_text(
        "\n".join([*ZHANG[:3], ZHANG[3].replace("the,0,1", "the,0,oops"), *ZHANG[4:]]) + "\n"
    )
    info = novikoff("fit", tmp_path / "z.csv", "--transpose")
    assert info.code == 3
    assert f"{tmp_path / 'z.csv'}, line 4, column 3 ('the'): found 'oops'" in info.err
    assert "transposed" not in info.err
