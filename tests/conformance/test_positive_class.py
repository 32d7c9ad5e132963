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
from data.small_sets import fit_quietly

OR = [[0, 0], [1, 0], [0, 1], [1, 1]]
SIGNED = ["-", "+", "+", "+"]
PAIRS = [("-", "+"), ("-1", "+1"), ("no", "yes"), ("No", "yes"), ("no", "Yes"), ("n", "y"), ("+", "x"),
         ("false", "true"), ("False", "true"), ("ham", "spam"), ("ham", "Spam"), ("blue", "red"), (0, 1), (-1, 1),
         (False, True)]  # fmt: skip


def above(w: Any, b: Any) -> list[bool]:
    """Which corners are above the plane."""
    return [sum((Fraction(a) * x for a, x in zip(w, row, strict=True)), Fraction(b)) > 0 for row in OR]


@pytest.mark.parametrize("pair", PAIRS)
def test_T7a_labels_are_read_as_a_person_reads_them(pair: tuple[Any, Any]) -> None:
    """Every plane is above 0 on the positive class; any other pair by a named choice."""
    negative, positive = pair
    for y, named in (([negative, *[positive] * 3], {}), ([positive, *[negative] * 3], {"positive": negative})):
        v, t = nv.decide(OR, y, **named), nv.trace(OR, y, **named)
        assert v.classes == t.classes == nv.separation(OR, y, **named).classes == (y[0], y[1])
        w, b = nv.margin(OR, y, **named).geometric.plane
        for plane in ((v.w, v.b), (t.w[:2], t.w[2]), (w.tolist(), b)):
            assert above(*plane) == [False, True, True, True]
        assert v.check(OR, y)
    assert nv.decide_pairs(OR, [negative, *[positive] * 3])[tuple(sorted(pair))].classes == pair


def test_T7a_an_estimator_keeps_the_convention_of_scikit_learn() -> None:
    """classes_ are sorted, a positive score is classes_[1], and verdict_ speaks of that class."""
    for clf in (nv.Perceptron().fit(OR, SIGNED), nv.MaxMargin().fit(OR, SIGNED)):
        assert clf.classes_.tolist() == ["+", "-"]
        assert (clf.decision_function(OR) > 0).tolist() == [True, False, False, False]
    X, y = np.array([[0.0], [1], [2], [3]]), ["+", "-", "+", "-"]
    with pytest.warns(nv.NotSeparatedWarning):
        stuck = nv.Perceptron(max_iter=1000, train_patience=2).fit(X, y)
    assert stuck.verdict_ is None or (stuck.verdict_.classes, stuck.verdict_.check(X, y)) == (("+", "-"), True)


def test_T7a_zhangs_signs_come_out_as_on_the_slide(tmp_path: Path) -> None:
    """In plane, proof, trace and explanation of every verb, and the choice is printed."""
    path, model = tmp_path / "or.csv", tmp_path / "m.nvk"
    path.write_text("x1,x2,label\n" + "".join(f"{a},{b},{s}\n" for (a, b), s in zip(OR, SIGNED, strict=True)))
    for command, words in {
        ("fit", path, "-o", model): ["− is -, + is +", "plane  2·x1 + 2·x2 − 1 = 0"],
        ("certify", path): ["> 0 on +, < 0 on -"],
        ("margin", path): ["+ is +, − is -"],
        ("trace", path): ["2·x1 + 2·x2 − 1 = 0"],
        ("separation", path): ["(coefficients of the logit of +, against -)"],
        ("explain", model): ["(+ is +)"],
    }.items():
        said = novikoff(*command).out
        assert all(word in said for word in words), said
    info, certified = answer("fit", path), answer("certify", path)
    assert (info["positive"], info["w"], info["b"]) == ("+", [2, 2], -1)
    assert certified["classes"] == ["-", "+"]
    assert above(certified["w"], certified["b"]) == [False, True, True, True]
    assert answer("margin", path)["geometric"]["w"] == [2, 2]
    explained = answer("explain", model, path, "--row", 2)
    assert (explained["class"], explained["of"]) == ("+", "+")
    assert explained["score"] == 1 == sum(part["product"] for part in explained["parts"])
    assert answer("certify", path, "--positive", "-")["classes"] == ["+", "-"]
    assert answer("fit", path, "--positive", "-")["w"] == [-2, -2]
    assert novikoff("certify", path, "--positive", "spam").code == 3
    for positive in ("-", "+"):  # a proof that calls `-` positive, as older versions wrote it, is about the same points
        nv.decide(OR, SIGNED, positive=positive).save(tmp_path / "proof.json")
        assert json.loads((tmp_path / "proof.json").read_text())["model"]["classes"][1] == positive
        assert nv.verify(tmp_path / "proof.json", OR, SIGNED) == "complete"


@pytest.mark.parametrize("seed", range(8))
def test_C2a_Z5a_only_the_direction_of_w_and_b_matters(seed: int, tmp_path: Path) -> None:
    """Scaling by any c > 0 changes no side, and neither unit normal nor distance; both are right to the last digits."""
    rng = np.random.default_rng(seed)
    w, b = rng.normal(size=4) * 10.0 ** rng.integers(-60, 60), float(rng.normal() * 10.0 ** rng.integers(-60, 60))
    shown = []
    for c in (1.0, 2.0**-40, 3.0, 1e7):
        X = np.vstack([w, -w]) / abs(w).max()
        start = {"coef_init": c * w, "intercept_init": c * b}
        clf = fit_quietly(nv.Perceptron(max_updates=0, keep="last"), X, [1, -1], **start)
        nv.save(clf, tmp_path / "m.nvk")
        plane = answer("explain", tmp_path / "m.nvk")["plane"]
        shown.append([*plane["unit_normal"], plane["distance"]])
    square = sum(Fraction(v) ** 2 for v in w.tolist())
    for value, exact in zip(shown[0], [*w.tolist(), b], strict=True):
        assert abs(Fraction(value) ** 2 * square - Fraction(exact) ** 2) <= Fraction(exact) ** 2 / 2**50
    assert np.sign(shown[0][:4]).tolist() == np.sign(w).tolist()
    for scaled in shown[1:]:
        assert np.allclose(scaled, shown[0], rtol=1e-14, atol=0)
    X, small, y = rng.normal(size=(20, 4)), rng.normal(size=4), np.arange(20) % 2
    one, other = nv.margins(X, y, 7 * small, 7.0), nv.margins(X, y, small, 1.0)
    assert (one.scores > 0).tolist() == (other.scores > 0).tolist()


def test_C2a_Z5a_explain_and_margin_print_them(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b,label\n3,4,1\n6,8,1\n0,0,0\n")
    novikoff("fit", tmp_path / "t.csv", "-o", tmp_path / "m.nvk")
    info = answer("explain", tmp_path / "m.nvk")["plane"]
    assert info["positive"] == 1
    said = f"the plane's distance from the origin is {info['distance']:.6g}"
    assert said in novikoff("explain", tmp_path / "m.nvk").out
    wide = answer("margin", tmp_path / "t.csv")["geometric"]
    assert (wide["unit_normal"], wide["distance"]) == ([0.6, 0.8], 2.5)
    assert "unit normal ≈(0.6, 0.8), distance from the origin ≈2.5" in novikoff("margin", tmp_path / "t.csv").out


def test_R1a_missed_and_false_positives_by_class(tmp_path: Path) -> None:
    """Each class's counts are re-derived from the predictions."""
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
        wanted = int((of_class & ~so_called).sum()), int((so_called & ~of_class).sum())
        assert (row["missed"], row["false_positives"]) == wanted
        line = next(line for line in words.splitlines() if re.match(rf"{'abc'[k]} .*%", line))
        assert line.split()[-2:] == [*map(str, wanted)]


def test_R4_the_trace_shows_reflected_points() -> None:
    """y·x beside each point, in text and JSON; a mistake is y·⟨w, x⟩ = ⟨w, y·x⟩ ≤ 0."""
    t = nv.trace(*nv.example("cornwell"))
    for step, info in zip(t.steps, t.to_dict()["steps"], strict=True):
        assert step.reflected == tuple(step.sign * v for v in step.x)
        assert [Fraction(v) for v in info["reflected"]] == list(step.reflected)
    assert t.to_text().splitlines()[0].split()[:5] == ["k", "pass", "point", "label", "y·x"]


ZHANG = ["and,1,0,0,1,1,1", "vicodin,1,0,1,0,0,0", "the,0,1,1,0,1,1", "of,1,1,0,1,0,1", "nigeria,1,0,0,0,1,0",
         "y,+,-,+,-,+,-"]  # fmt: skip


@pytest.mark.parametrize("head", [[",x1,x2,x3,x4,x5,x6"], ["word,x1,x2,x3,x4,x5,x6"], ["x1,x2,x3,x4,x5,x6"], []])
def test_Z2a_zhangs_table_is_read_as_it_stands(head: list[str], tmp_path: Path) -> None:
    """With its heading line, whose corner may be empty, named or not there: w = (0, 2, 0, −1, 1) as on the slide."""
    path = tmp_path / "z.csv"
    path.write_text("\n".join([*head, *ZHANG]) + "\n")
    info = answer("fit", path, "--transpose", "--no-bias")
    assert (info["w"], info["positive"], info["n"], info["d"]) == ([0, 2, 0, -1, 1], "+", 6, 5)
    path.write_text("\n".join([*head, *ZHANG]).replace("the,0,1", "the,0,oops") + "\n")
    told = novikoff("fit", path, "--transpose")
    assert told.code == 3
    assert f"{path}, line {len(head) + 3}, column 3 ('the'): found 'oops'" in told.err
    assert "transposed" not in told.err
