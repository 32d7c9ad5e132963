"""The run in exact fractions: what it accepts, when it stops, its rules by their formulas, and the tables it writes."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from scipy import sparse

import novikoff as nv
from commands import novikoff
from data.choices import RULES
from novikoff import example, trace

CORNWELL, SIGNS = [(-1, 3), (-1, -1), (3, -1), (0, 1.5)], [-1, -1, 1, 1]
XOR = ([(0, 0), (1, 0), (0, 1), (1, 1)], [-1, 1, 1, -1])


@st.composite
def labelled_points(draw: st.DrawFn) -> tuple[list[list[Fraction]], list[int]]:
    """A few points with quarters as coordinates, and both signs."""
    n, d = draw(st.integers(2, 7)), draw(st.integers(1, 3))
    quarter = st.integers(-8, 8).map(lambda k: Fraction(k, 4))
    X = draw(st.lists(st.lists(quarter, min_size=d, max_size=d), min_size=n, max_size=n))
    y = draw(st.lists(st.sampled_from([-1, 1]), min_size=n, max_size=n).filter(lambda y: len(set(y)) == 2))
    return X, y


def steps(t: Any) -> list[tuple[int, tuple[Fraction, ...]]]:
    return [(step.row, step.w) for step in t.steps]


def dot(a: Any, b: Any) -> Any:
    return sum(p * q for p, q in zip(a, b, strict=True))


# ---- what it accepts


@pytest.mark.parametrize(
    "X",
    [
        CORNWELL,
        [tuple(map(Fraction, x)) for x in CORNWELL],
        [tuple(map(str, x)) for x in CORNWELL],
        [("-1", "3e0"), ("-2/2", "-1.0"), (Decimal(3), np.int8(-1)), (np.False_, np.float32(1.5))],
        np.array(CORNWELL),
        np.array(CORNWELL, dtype=np.float32),
        np.asfortranarray(np.array(CORNWELL, dtype=np.longdouble)),
        sparse.csr_array(np.array(CORNWELL)),
        pd.DataFrame(CORNWELL, columns=["a", "b"]),
        (iter(x) for x in CORNWELL),
    ],
)
def test_the_same_numbers_in_any_dress(X: Any) -> None:
    """Lists, fractions, strings, arrays, sparse matrices and frames of the same numbers give the same run."""
    assert steps(trace(X, SIGNS)) == steps(trace(CORNWELL, SIGNS))
    for eta in (2, 2.0, "2", Fraction(2), Decimal(2), np.float32(2)):
        assert trace(CORNWELL, SIGNS, eta0=eta).w == (8, -1, 2)


def test_a_float_is_what_it_stores_and_a_string_what_it_spells() -> None:
    """0.1 is a binary fraction near one tenth, "0.1" is one tenth."""
    assert trace([["0.1"], [0]], [1, 0]).steps[0].x[0] == Fraction(1, 10)
    assert trace([[0.1], [0]], [1, 0]).steps[0].x[0] == Fraction(0.1) != Fraction(1, 10)
    assert trace([[np.float32(0.1)], [0]], [1, 0]).steps[0].x[0] == Fraction(float(np.float32(0.1)))


def test_large_integers_do_not_overflow() -> None:
    """numpy's int64 becomes Python's own whole number before anything is multiplied."""
    big = np.array([[2**62], [2**62 + 1]])
    t = trace(big, [0, 1], fit_intercept=False, max_updates=5)
    assert t.steps[0].norm2 == 2**124
    assert type(t.steps[0].norm2.numerator) is int


def test_a_trace_of_plain_lists_needs_the_standard_library_only() -> None:
    code = "import sys, novikoff as nv; nv.trace([[0], [1]], [0, 1]).to_text(); print('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"


# ---- when it stops


def test_the_first_order_ends_after_n_right_looks_from_the_first_point() -> None:
    t = trace(CORNWELL, SIGNS)
    assert (t.n_looks, t.passes, t.counts) == (24, 6, (3, 1, 0, 5))
    t = trace(CORNWELL, SIGNS, order="first")
    assert (t.n_looks, t.passes) == (29, 8)
    assert t.n_looks == t.steps[-1].looks + 4


def test_max_updates() -> None:
    """The limit ends the run at the mistake that would need one more update, with a sentence on what is left."""
    t = trace(CORNWELL, SIGNS, max_updates=2)
    assert (t.stop_reason, len(t.steps), t.n_looks, t.passes) == ("max_updates", 2, 4, 1)
    assert t.to_text().splitlines()[-2:] == [
        "STOPPED  2 updates · 4 looks · order cyclic · limit max_updates",
        "1 of 4 points is not on its own side: a larger max_updates goes further",
    ]
    assert trace(CORNWELL, SIGNS, max_updates=9).stop_reason == "separated", "nine are enough"
    assert trace(*XOR, max_updates=4).stop_reason == "cycle", "a return at the last allowed update is a return"


def test_brents_windows() -> None:
    """From the first point XOR never returns to its start; w is saved after 64 updates and met again after 68."""
    t = trace(*XOR, order="first")
    assert (t.stop_reason, len(t.steps), t.cycle_counts) == ("cycle", 68, (1, 1, 1, 1))
    assert t.w == t.steps[63].w
    assert "what they were after update 64" in t.to_text()


def test_a_point_at_the_origin_is_a_proof() -> None:
    """Without a bias a point at the origin is a proof by itself, and so are two colours on one ray."""
    alone = trace([(0, 0), (1, 0)], [0, 1], fit_intercept=False)
    assert (alone.stop_reason, alone.cycle_counts) == ("cycle", (1, 0))
    ray = trace([(1, 2), (2, 4)], [0, 1], fit_intercept=False)
    assert (ray.stop_reason, ray.cycle_counts) == ("cycle", (2, 1))


def test_a_schedule_makes_no_claim() -> None:
    """With a changing step a return proves nothing, so none is looked for."""
    t = trace(*XOR, schedule=lambda k: 1, max_updates=50)
    assert (t.stop_reason, t.cycle_counts) == ("max_updates", None)


@pytest.mark.parametrize(("name", "rate"), [("inverse", lambda k: Fraction(1, k)), ("inverse-sqrt", lambda k: k**-0.5)])
def test_schedules_with_a_name(name: str, rate: Any, tmp_path: Path) -> None:
    """They are these functions, in fractions and in the fast run, which can be saved where a function cannot."""
    named, own = (trace(X, Y, schedule=schedule, max_updates=40) for schedule in (name, rate))
    assert [step.row for step in named.steps] == [step.row for step in own.steps]
    assert named.steps[2].w == pytest.approx(own.steps[2].w, rel=1e-15)
    fast, other = (nv.Perceptron(schedule=schedule, max_iter=50).fit(X, Y) for schedule in (name, rate))
    assert fast.coef_ == pytest.approx(other.coef_, rel=1e-12)
    assert fast.coef_.tolist() != nv.Perceptron().fit(X, Y).coef_.tolist()
    nv.save(fast, tmp_path / "m.nvk")
    assert nv.load(tmp_path / "m.nvk").schedule == name


def test_random_counts_before_it_says_separated() -> None:
    """A random pass without a mistake may have missed a point: the end is said only after an exact count."""
    for seed in range(20):
        t = trace(*example("and"), order="random", seed=seed)
        assert t.stop_reason == "separated"
        assert t.steps[-1].errors_after == 0
        assert t.n_looks % 4 == 0


@pytest.mark.parametrize("order", ["shuffle", "random"])
def test_seeds(order: str) -> None:
    """The same seed shows the same run, and some other seed another one."""
    runs = [[step.row for step in trace(*example("and"), order=order, seed=s).steps] for s in (1, 1, 2, 3, 4)]
    assert runs[0] == runs[1]
    assert any(run != runs[0] for run in runs)


# ---- what it says is true


@given(labelled_points(), st.booleans(), st.sampled_from(["cyclic", "first"]))
def test_every_step_is_a_mistake_and_every_end_is_true(
    problem: tuple[list[list[Fraction]], list[int]], fit_intercept: bool, order: str
) -> None:
    """Only mistakes move w; `separated` leaves none; a `cycle` sums to zero; errors_after is the count."""
    points, y = problem
    t = trace(points, y, fit_intercept=fit_intercept, order=order, max_updates=200)
    Z = [[sign * v for v in [*x, 1][: len(t.w)]] for x, sign in zip(points, y, strict=True)]
    w = t.start
    for step in t.steps:
        assert step.sign * step.score == dot(w, Z[step.row]) <= 0
        w = tuple(a + z for a, z in zip(w, Z[step.row], strict=True))
        assert step.w == w
        assert step.errors_after == sum(dot(w, z) <= 0 for z in Z)
    assert t.w == w
    if t.stop_reason == "separated":
        assert all(dot(w, z) > 0 for z in Z)
    if t.stop_reason == "cycle":
        assert t.cycle_counts is not None
        assert any(t.cycle_counts)
        assert not any(dot(t.cycle_counts, column) for column in zip(*Z, strict=True))


# ---- its rules

X, Y = example("cornwell")


def reference(rule: str, limit: int, threshold: Fraction, C: Fraction) -> tuple[list[Fraction], int]:
    """The weights after a cyclic run, and its updates: each rule as its formula says."""
    rows = [[*map(Fraction, x), Fraction(1)] for x in X.tolist()]
    w, updates = [Fraction(0)] * 3, 0
    while updates < limit:
        before, wrong = updates, 0
        for x, sign in zip(rows, Y.tolist(), strict=True):
            m = sign * sum(a * v for a, v in zip(w, x, strict=True))
            q, wrong = sum(v * v for v in x), wrong + (m <= 0)
            step = {
                "perceptron": Fraction(m <= 0),
                "margin": Fraction(m <= threshold),
                "pa": max(Fraction(0), 1 - m) / q,
                "pa1": min(C, max(Fraction(0), 1 - m) / q),
                "pa2": max(Fraction(0), 1 - m) / (q + 1 / (2 * C)),
            }[rule]
            if step and updates < limit:
                w, updates = [a + step * sign * v for a, v in zip(w, x, strict=True)], updates + 1
        right = all(sign * sum(a * v for a, v in zip(w, x, strict=True)) > 0 for x, sign in zip(rows, Y, strict=True))
        if updates == before or (wrong == 0 and right):
            break
    return w, updates


@pytest.mark.parametrize("rule", RULES)
def test_each_rule_is_its_formula(rule: str) -> None:
    threshold, C = Fraction(3, 2), Fraction(1, 4)
    run = trace(X, Y, rule=rule, threshold=threshold, C=C, max_updates=25)
    w, updates = reference(rule, 25, threshold, C)
    assert (list(run.w), len(run.steps), run.rule) == (w, updates, rule)


@pytest.mark.parametrize("order", ["cyclic", "first"])
@pytest.mark.parametrize("threshold", [0.5, 1.0, 4.0])
def test_the_margin_rule_makes_the_updates_of_the_perceptron_that_is_fitted(order: str, threshold: float) -> None:
    model = nv.Perceptron(rule="margin", threshold=threshold, order=order, keep="last").fit(X, Y)
    run = trace(X, Y, rule="margin", threshold=threshold, order=order)
    assert run.stop_reason == "separated"
    assert [float(v) for v in run.w] == [*model.coef_[0].tolist(), model.intercept_[0]]
    assert len(run.steps) == model.n_updates_


def test_a_run_ends_when_every_point_is_on_its_own_side() -> None:
    """After a pass without a mistake, as a fit does; the rule may still update within such a pass."""
    for order in ("cyclic", "random", "shuffle", "first"):
        run = trace(X, Y, rule="margin", threshold=2, order=order, seed=3)
        scores = np.array([[float(v) for v in run.w]]) @ np.c_[X, np.ones(4)].T * Y
        assert run.stop_reason == "separated"
        assert scores.min() > 0


def test_other_rules_claim_a_cycle_for_constant_steps_only_and_say_when_they_still_update() -> None:
    square, labels = example("xor")
    run = trace(square, labels, rule="margin", threshold="1/2")
    assert run.stop_reason == "cycle"
    assert (np.c_[square, np.ones(4)].T @ (np.array(run.cycle_counts) * labels) == 0).all()
    assert trace(square, labels, rule="pa1", max_updates=50).stop_reason == "max_updates"
    run = trace([[0.0], [1.0]], [-1, 1], rule="pa", max_updates=5)
    assert run.steps[-1].errors_after == 0
    assert run.to_text().endswith(
        "every point is on its own side, and the rule still updates: a larger max_updates goes further"
    )


def test_the_command_takes_the_rules() -> None:
    done = novikoff("trace", "--example", "cornwell", "--rule", "margin", "--threshold", "1/2", "--json")
    run = trace(X, Y, rule="margin", threshold=Fraction(1, 2))
    assert (done.json["updates"], done.json["rule"], done.json["plane"]) == (12, "margin", run.plane())
    done = novikoff("trace", "--example", "cornwell", "--threshold", "1/2")
    assert (done.code, "say --rule margin" in done.err) == (2, True)
    done = novikoff("trace", "--example", "cornwell", "--rule", "pa1", "--pa-C", "1/4", "--max-updates", "5", "--json")
    assert done.json["steps"][0]["eta"] == "1/11"


# ---- the tables


def test_the_whole_table_as_a_person_reads_it() -> None:
    assert trace(CORNWELL, SIGNS).to_text() == (
        "  k  pass  point  label  y·x          y·(w·x)  + η‖x‖²  w after        errors after\n"
        "  1     1      1      −  (1, −3, −1)        0       11  (1, −3, −1)               2\n"
        "  2     1      2      −  (1, 1, −1)        −1        3  (2, −2, −2)               1\n"
        "  3     1      4      +  (0, 3/2, 1)       −5     13/4  (2, −1/2, −1)             1\n"
        "  4     2      4      +  (0, 3/2, 1)     −7/4     13/4  (2, 1, 0)                 1\n"
        "  5     3      1      −  (1, −3, −1)       −1       11  (3, −2, −1)               1\n"
        "  6     3      4      +  (0, 3/2, 1)       −4     13/4  (3, −1/2, 0)              1\n"
        "  7     4      4      +  (0, 3/2, 1)     −3/4     13/4  (3, 1, 1)                 1\n"
        "  8     5      1      −  (1, −3, −1)       −1       11  (4, −2, 0)                1\n"
        "  9     5      4      +  (0, 3/2, 1)       −3     13/4  (4, −1/2, 1)              0\n"
        "SEPARATED  9 updates · 24 looks · order cyclic · 4·x1 − 1/2·x2 + 1 = 0"
    )


def test_texts_of_other_runs() -> None:
    """Labels are named; a start that separates has no rows; of wide data the length of w is shown."""
    assert trace(*example("spam")).to_text().endswith("\nlabel + is spam, − is ham")
    lines = trace(CORNWELL, SIGNS, w0=(4, "-1/2", 1)).to_text().splitlines()
    assert lines[1:] == ["SEPARATED  0 updates · 4 looks · order cyclic · 4·x1 − 1/2·x2 + 1 = 0"]
    text = trace(*example("retina")).to_text()
    assert "‖w‖² after" in text.splitlines()[0]
    assert "SEPARATED  11 updates · 932 looks · order cyclic · ‖w‖² = 197" in text
    assert max(map(len, text.splitlines())) < 120


def test_long_numbers_are_rounded_for_a_person_only() -> None:
    """A long fraction is shown rounded and marked; CSV and JSON have it exactly, of any number of digits."""
    t = trace(CORNWELL, SIGNS, eta0=0.1)
    text = t.to_text()
    assert "≈(0.1, −0.3, −0.1)" in text
    assert "≈0.4·x1 − 0.05·x2 + 0.1 = 0" in text
    assert text.endswith("≈ a number rounded here; CSV and JSON have it exactly")
    assert [Fraction(v) for v in t.to_dict()["w"]] == list(t.w)
    assert str(Fraction(0.1)) in t.to_csv()
    latex = trace([[1e-9, 1e99], [0, 1]], [0, 1], max_updates=1).to_latex()
    assert r"$\approx 1\times10^{198}$" in latex
    assert r"$\approx (-1\times10^{-9},\, -1\times10^{99},\, -1)$" in latex
    far = trace([[Fraction(10**5000 + 1, 3)], [Fraction(1, 10**400)]], [1, 0], max_updates=2, fit_intercept=False)
    assert "≈(3.33333E+4999)" in far.to_text()
    assert "≈1E−800" in far.to_text()
    assert "1" + "0" * 4999 + "1/3" in far.to_csv()


def test_a_large_cycle_is_told_by_its_counts() -> None:
    """A proof of more than 12 points names the first ones and how many there are; JSON has all."""
    rng = np.random.default_rng(1)
    t = trace(rng.integers(-3, 4, (60, 3)), rng.choice(["a", "b"], 60))
    assert t.cycle_counts is not None
    used = sum(k > 0 for k in t.cycle_counts)
    assert used > 12
    assert f"({used} points in all, JSON has them)" in t.to_text()
    assert t.to_dict()["cycle_counts"] == list(t.cycle_counts)


def test_zeros_are_left_out_of_a_plane_and_a_factor_1_is_not_written() -> None:
    for w, plane in [
        (("4", "-1/2", "1"), "4·x1 − 1/2·x2 + 1 = 0"),
        (("0", "0", "0"), "0 = 0"),
        (("-1", "1", "0"), "−x1 + x2 = 0"),
        (("0", "1", "-1"), "x2 − 1 = 0"),
        (("0", "0", "-3/2"), "−3/2 = 0"),
        (("1/3", "0", "0"), "1/3·x1 = 0"),
    ]:
        assert replace(trace(CORNWELL, SIGNS), w=tuple(map(Fraction, w))).plane() == plane


def test_json_has_every_field_and_any_labels() -> None:
    """Exact numbers are strings, rows are counted from 0; labels that JSON cannot write are texts."""
    t = trace(*example("tao"), fit_intercept=False)
    document = json.loads(t.to_json())
    assert document == t.to_dict()
    step = {"number": 2, "pass_number": 1, "row": 1, "sign": -1, "x": ["0", "-1"], "reflected": ["0", "1"]}
    step |= {"score": "0", "eta": "1", "norm2": "1", "w": ["1", "1"], "errors_after": 0, "looks": 2}
    assert document["steps"][1] == step
    expected = {"stop_reason": "separated", "updates": 2, "looks": 8, "passes": 2, "n": 4, "d": 2}
    assert (expected | {"counts": [1, 1, 0, 0], "classes": ["blue", "red"]}).items() <= document.items()
    for y in ([False, True], [np.int64(2), np.int64(5)], [pd.Timestamp(0), pd.Timestamp(9)]):
        assert len(json.loads(trace([[0], [1]], y).to_json())["classes"]) == 2


def test_csv_has_a_line_for_each_update_with_points_from_1() -> None:
    rows = list(csv.DictReader(io.StringIO(trace(CORNWELL, SIGNS).to_csv())))
    assert [row["point"] for row in rows] == list("124414414")
    names = "update pass point label y score eta norm2 w1 w2 b errors_after looks reflected1 reflected2 reflected_bias"
    values = "9 5 4 1 1 -3 1 13/4 4 -1/2 1 0 20 0 3/2 1"
    assert rows[8] == dict(zip(names.split(), values.split(), strict=True))


@pytest.mark.parametrize("name", ["cornwell", "spam", "retina"])
def test_latex_is_one_tabular_in_ascii_with_balanced_braces(name: str) -> None:
    """Nine columns, or eight of wide points; a row an update."""
    t = trace(*example(name))
    latex, wide = t.to_latex(), name == "retina"
    lines = latex.splitlines()
    assert latex.isascii()
    assert lines[0] == (r"\begin{tabular}{rrrrrrlr}" if wide else r"\begin{tabular}{rrrrlrrlr}")
    assert lines[-1] == r"\end{tabular}"
    rows = [line for line in lines if line.endswith(r"\\")]
    assert len(rows) == len(t.steps) + 1
    assert all(row.count("&") == 8 - wide and row.count("$") % 2 == 0 for row in rows)
    assert latex.count("{") == latex.count("}")
    if name == "cornwell":
        last = r"$9$ & $5$ & $4$ & $+$ & $(0,\, 3/2,\, 1)$ & $-3$ & $13/4$ & $(4,\, -1/2,\, 1)$ & $0$ \\"
        assert lines[-2] == last
