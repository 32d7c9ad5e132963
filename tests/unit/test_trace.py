"""The fraction twin: what it accepts, when it stops, and the tables it writes."""

from __future__ import annotations

import csv
import io
import json
import math
import subprocess
import sys
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
from novikoff.data import format_numbers
from novikoff.data.examples import example
from novikoff.errors import InputError
from novikoff.perceptron.trace import trace
from novikoff.perceptron.trace_tables import Trace

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


def steps(t: Trace) -> list[tuple[int, tuple[Fraction, ...]]]:
    return [(step.row, step.w) for step in t.steps]


# what it accepts


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


@pytest.mark.parametrize(
    "y",
    [[0, 0, 1, 1], ["blue", "blue", "red", "red"], [False, False, True, True], np.array(["a", "a", "b", "b"]),
     pd.Series([2.5, 2.5, 7.5, 7.5]), [np.int64(3), 3, 8, np.int8(8)], pd.Categorical(["n", "n", "y", "y"])],
)  # fmt: skip
def test_any_two_labels(y: Any) -> None:
    """Any two labels do; the one that sorts last is the positive side."""
    t = trace(CORNWELL, y)
    assert steps(t) == steps(trace(CORNWELL, SIGNS))
    labels = list(y)
    assert t.classes == (labels[0], labels[-1])


@pytest.mark.parametrize("eta", [2, 2.0, "2", Fraction(2), Decimal(2), np.float32(2)])
def test_eta_in_any_dress(eta: Any) -> None:
    """The step may be given as any kind of number."""
    assert trace(CORNWELL, SIGNS, eta0=eta).w == (8, -1, 2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"X": []}, "X: found no rows"),
        ({"X": [[], [], [], []]}, "X: found rows without columns"),
        ({"X": 7}, "X: found 7, expected a list of rows"),
        ({"X": [1, 2, 3, 4]}, "X, row 1 (0 counted from 0): found 1, expected a list"),
        ({"X": ["12", "34", "56", "78"]}, "X, row 1 (0 counted from 0): found '12', expected a list"),
        ({"X": [(1, 2), (3,), (4, 5), (6, 7)]}, "X, row 2 (1 counted from 0): found 1 numbers, expected 2 as in row 1"),
        (
            {"X": [(0, 1), (0, float("nan")), (1, 1), (2, 2)]},
            "X, row 2 (1 counted from 0), column 2: found nan, expected a finite number",
        ),
        ({"X": np.array([(0, 1), (0, 1), (np.inf, 1), (2, 2)])}, "X, row 3 (2 counted from 0), column 1: found inf"),
        ({"X": [(0, 1), (0, "n/a"), (1, 1), (2, 2)]}, "X, row 2 (1 counted from 0), column 2: found 'n/a'"),
        ({"X": [(0, 1), (0, "1/0"), (1, 1), (2, 2)]}, "X, row 2 (1 counted from 0), column 2: found '1/0'"),
        (
            {"X": [(0, 1), (0, "1e999999999"), (1, 1), (2, 2)]},
            "X, row 2 (1 counted from 0), column 2: found '1e999999999'",
        ),
        ({"X": [(0, 1), (0, 1 + 2j), (1, 1), (2, 2)]}, "X, row 2 (1 counted from 0), column 2: found (1+2j)"),
        ({"X": [(0, 1), (0, None), (1, 1), (2, 2)]}, "X, row 2 (1 counted from 0), column 2: found None"),
        ({"y": [1, 1, 1, 1]}, "y: found 1 class (1), expected exactly two"),
        ({"y": [1, 2, 3, 1]}, "y: found 3 classes (1, 2, 3), expected exactly two"),
        ({"X": [[k] for k in range(9)], "y": range(9)}, "y: found 9 classes (0, 1, 2, 3, 4, …)"),
        ({"y": [1, 0]}, "y: found 2 labels, expected 4"),
        ({"y": [1, "1", 1, 1]}, "y: found labels of type int, str"),
        ({"y": [1.0, 0.0, float("nan"), 1.0]}, "y: found a missing label"),
        ({"y": [1, 0, None, 1]}, "y: found a missing label"),
        ({"y": None}, "y: found None"),
        ({"y": [[1], [0], [1], [0]]}, "y: found labels of type list"),
        ({"eta0": 0}, "eta0: found 0, expected a number above 0"),
        ({"eta0": -0.5}, "eta0: found -0.5"),
        ({"eta0": "fast"}, "eta0: found 'fast', expected a finite number"),
        ({"schedule": lambda k: 2 - k}, "schedule(2): found 0, expected a number above 0"),
        (
            {"schedule": "invscaling"},
            "schedule: found 'invscaling'; 'constant', 'inverse', 'inverse-sqrt' or a function",
        ),
        ({"w0": [1, 2]}, "w0: found 2 numbers, expected 3, the bias last"),
        ({"w0": [1, 2, 3], "fit_intercept": False}, "w0: found 3 numbers, expected 2"),
        ({"w0": [1, 2, "x"]}, "w0, number 3: found 'x'"),
        ({"w0": 0}, "w0: found 0, expected a list"),
        ({"order": "sorted"}, "order: found 'sorted', expected one of cyclic, first, shuffle, random"),
        ({"max_updates": 0}, "max_updates: found 0, expected a whole number of at least 1"),
        ({"max_updates": 2.5}, "max_updates: found 2.5"),
        ({"max_updates": True}, "max_updates: found True"),
        ({"seed": -1}, "seed: found -1, expected a whole number of at least 0"),
        ({"seed": None}, "seed: found None"),
    ],
)
def test_bad_input(arguments: dict[str, Any], message: str) -> None:
    """Bad input is told by the argument, what was found and what was expected; rows are numbered from 1."""
    with pytest.raises(InputError) as error:
        trace(**{"X": CORNWELL, "y": SIGNS, **arguments})
    assert str(error.value).startswith(message)


def test_standard_library_only() -> None:
    """A trace of plain lists never imports numpy."""
    code = (
        "import sys; from novikoff.perceptron.trace import trace; "
        "print(trace([[0], [1]], [0, 1]).to_text(), 'numpy' in sys.modules)"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip().endswith("False")


# when it stops


def test_looks_and_passes() -> None:
    """A pass is n looks; the last one of Cornwell's run is the sixth, without a mistake."""
    t = trace(CORNWELL, SIGNS)
    assert (t.n_looks, t.passes) == (24, 6)
    assert [step.looks for step in t.steps] == [1, 2, 4, 8, 9, 12, 16, 17, 20]
    assert [step.pass_number for step in t.steps] == [1, 1, 1, 2, 3, 3, 4, 5, 5]
    assert t.counts == (3, 1, 0, 5)


def test_first_ends_after_n_right_looks_from_the_first() -> None:
    """Looking again from the first point, the run ends once all n points in a row are right."""
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


def test_cycle_comes_before_the_limit() -> None:
    """A return seen at the last allowed update is still a return."""
    assert trace(*XOR, max_updates=4).stop_reason == "cycle"


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
    X, y = example("cornwell")
    named, own = (trace(X, y, schedule=schedule, max_updates=40) for schedule in (name, rate))
    assert [step.row for step in named.steps] == [step.row for step in own.steps]
    assert named.steps[2].w == pytest.approx(own.steps[2].w, rel=1e-15)
    fast, other = (nv.Perceptron(schedule=schedule, max_iter=50).fit(X, y) for schedule in (name, rate))
    assert fast.coef_ == pytest.approx(other.coef_, rel=1e-12)
    assert fast.coef_.tolist() != nv.Perceptron().fit(X, y).coef_.tolist()
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


# what it says is true


@given(labelled_points(), st.booleans(), st.sampled_from(["cyclic", "first"]))
def test_every_step_is_a_mistake_and_every_end_is_true(
    problem: tuple[list[list[Fraction]], list[int]], fit_intercept: bool, order: str
) -> None:
    """Only mistakes move w; `separated` leaves none; a `cycle` sums to zero; errors_after is the count."""
    X, y = problem
    t = trace(X, y, fit_intercept=fit_intercept, order=order, max_updates=200)
    Z = [[sign * v for v in [*x, 1][: len(t.w)]] for x, sign in zip(X, y, strict=True)]
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


@given(labelled_points())
def test_swapped_labels_negate_w(problem: tuple[list[list[Fraction]], list[int]]) -> None:
    """Which colour is "> 0" does not matter: swapping them negates every weight."""
    X, y = problem
    one, other = trace(X, y, max_updates=50), trace(X, [-sign for sign in y], max_updates=50)
    assert [step.row for step in one.steps] == [step.row for step in other.steps]
    assert other.w == tuple(-v for v in one.w)


@given(labelled_points())
def test_the_bias_is_one_more_column(problem: tuple[list[list[Fraction]], list[int]]) -> None:
    """P with a bias runs as P′, the points with a 1 appended, through the origin."""
    X, y = problem
    padded = trace([[*x, 1] for x in X], y, fit_intercept=False, max_updates=50)
    assert steps(trace(X, y, max_updates=50)) == steps(padded)


def dot(a: Any, b: Any) -> Any:
    return sum(p * q for p, q in zip(a, b, strict=True))


# the tables


def test_text() -> None:
    """The whole table of Cornwell's run, as a person reads it."""
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


def test_text_names_the_labels() -> None:
    """Where labels are not −1 and +1, the text says which is which."""
    assert trace(*example("spam")).to_text().endswith("\nlabel + is spam, − is ham")


def test_text_without_updates() -> None:
    """A start that separates gives a table of no rows and a full sentence."""
    lines = trace(CORNWELL, SIGNS, w0=(4, "-1/2", 1)).to_text().splitlines()
    assert len(lines) == 2
    assert lines[1] == "SEPARATED  0 updates · 4 looks · order cyclic · 4·x1 − 1/2·x2 + 1 = 0"


def test_text_of_wide_data_shows_the_norm() -> None:
    """Beyond 12 columns the table shows ‖w‖² in place of w, and the end too."""
    X, y = example("retina")
    text = trace(X, y).to_text()
    assert "‖w‖² after" in text.splitlines()[0]
    assert "SEPARATED  11 updates · 932 looks · order cyclic · ‖w‖² = 197" in text
    assert max(map(len, text.splitlines())) < 120


def test_long_numbers_are_rounded_for_a_person_only() -> None:
    """A long fraction is shown rounded and marked; CSV and JSON have it exactly."""
    t = trace(CORNWELL, SIGNS, eta0=0.1)
    text = t.to_text()
    assert "≈(0.1, −0.3, −0.1)" in text
    assert "≈0.4·x1 − 0.05·x2 + 0.1 = 0" in text
    assert text.endswith("≈ a number rounded here; CSV and JSON have it exactly")
    assert [Fraction(v) for v in t.to_dict()["w"]] == list(t.w)
    assert str(Fraction(0.1)) in t.to_csv()


def test_a_large_cycle_is_told_by_its_counts() -> None:
    """A proof of more than 12 points names the first ones and how many there are; JSON has all."""
    rng = np.random.default_rng(1)
    t = trace(rng.integers(-3, 4, (60, 3)), rng.choice(["a", "b"], 60))
    assert t.cycle_counts is not None
    used = sum(k > 0 for k in t.cycle_counts)
    assert used > 12
    assert f"({used} points in all, JSON has them)" in t.to_text()
    assert t.to_dict()["cycle_counts"] == list(t.cycle_counts)


@pytest.mark.parametrize(
    ("w", "plane"),
    [
        ((4, "-1/2", 1), "4·x1 − 1/2·x2 + 1 = 0"),
        ((0, 0, 0), "0 = 0"),
        ((-1, 1, 0), "−x1 + x2 = 0"),
        ((0, 1, -1), "x2 − 1 = 0"),
        ((0, 0, "-3/2"), "−3/2 = 0"),
        (("1/3", 0, 0), "1/3·x1 = 0"),
    ],
)
def test_plane(w: tuple[Any, ...], plane: str) -> None:
    """Zeros are left out and a factor 1 is not written."""
    t = trace(CORNWELL, SIGNS)
    moved = Trace(**{**t.__dict__, "w": tuple(map(Fraction, w))})
    assert moved.plane() == plane


def test_json() -> None:
    """The JSON document has every field of the trace and of its steps, exact numbers as strings, rows from 0."""
    t = trace(*example("tao"), fit_intercept=False)
    document = json.loads(t.to_json())
    assert document == t.to_dict()
    assert document["classes"] == ["blue", "red"]
    assert document["steps"][1] == {
        "number": 2,
        "pass_number": 1,
        "row": 1,
        "sign": -1,
        "x": ["0", "-1"],
        "reflected": ["0", "1"],
        "score": "0",
        "eta": "1",
        "norm2": "1",
        "w": ["1", "1"],
        "errors_after": 0,
        "looks": 2,
    }
    expected = {
        "stop_reason": "separated",
        "updates": 2,
        "looks": 8,
        "passes": 2,
        "n": 4,
        "d": 2,
        "counts": [1, 1, 0, 0],
    }
    assert expected.items() <= document.items()


@pytest.mark.parametrize("y", [[False, True], [np.int64(2), np.int64(5)], [pd.Timestamp(0), pd.Timestamp(9)]])
def test_json_of_any_labels(y: Any) -> None:
    """Labels that JSON cannot write are written as text."""
    assert len(json.loads(trace([[0], [1]], y).to_json())["classes"]) == 2


def test_csv() -> None:
    """The CSV has one line for each update, points from 1, exact numbers."""
    rows = list(csv.DictReader(io.StringIO(trace(CORNWELL, SIGNS).to_csv())))
    assert [row["point"] for row in rows] == list("124414414")
    assert rows[8] == {
        "update": "9",
        "pass": "5",
        "point": "4",
        "label": "1",
        "y": "1",
        "score": "-3",
        "eta": "1",
        "norm2": "13/4",
        "w1": "4",
        "w2": "-1/2",
        "b": "1",
        "errors_after": "0",
        "looks": "20",
        "reflected1": "0",
        "reflected2": "3/2",
        "reflected_bias": "1",
    }


@pytest.mark.parametrize("name", ["cornwell", "spam", "retina"])
def test_latex(name: str) -> None:
    """The LaTeX is one tabular of nine columns (eight of wide points) in ASCII, a row an update, braces balanced."""
    t = trace(*example(name))
    latex = t.to_latex()
    lines = latex.splitlines()
    assert latex.isascii()
    wide = t.d > format_numbers.WIDE
    assert lines[0] == (r"\begin{tabular}{rrrrrrlr}" if wide else r"\begin{tabular}{rrrrlrrlr}")
    assert lines[-1] == r"\end{tabular}"
    rows = [line for line in lines if line.endswith(r"\\")]
    assert len(rows) == len(t.steps) + 1
    assert all(row.count("&") == 8 - wide and row.count("$") % 2 == 0 for row in rows)
    assert latex.count("{") == latex.count("}")


def test_latex_of_cornwell() -> None:
    """The last row of Cornwell's table."""
    rows = trace(CORNWELL, SIGNS).to_latex().splitlines()
    assert rows[-2] == r"$9$ & $5$ & $4$ & $+$ & $(0,\, 3/2,\, 1)$ & $-3$ & $13/4$ & $(4,\, -1/2,\, 1)$ & $0$ \\"


def test_latex_of_long_numbers() -> None:
    """A rounded number is marked and its power of ten is set as one."""
    latex = trace([[1e-9, 1e99], [0, 1]], [0, 1], max_updates=1).to_latex()
    assert r"$\approx 1\times10^{198}$" in latex
    assert r"$\approx (-1\times10^{-9},\, -1\times10^{99},\, -1)$" in latex


def test_numbers_of_any_length_can_be_written() -> None:
    """Fractions beyond Python's limit on digits are written too."""
    long = Fraction(10**5000 + 1, 3)
    assert format_numbers.exact(-long) == "−1" + "0" * 4999 + "1/3"
    assert format_numbers.short(long) == "≈3.33333E+4999"
    assert format_numbers.short(Fraction(-1, 10**400)) == "≈−1E−400"


@pytest.mark.parametrize("labels", [[math.inf, 1.0], [-math.inf, math.inf]])
def test_infinite_labels_are_refused_as_by_fit_and_decide(labels: list[Any]) -> None:
    with pytest.raises(InputError, match="y: found infinity"):
        trace([[0, 1], [1, 0]], labels)
