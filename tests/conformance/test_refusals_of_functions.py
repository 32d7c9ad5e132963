"""What the functions refuse: for each its arguments, the change that spoils them, and a part of the words."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import novikoff as nv

XOR = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
CORNWELL = [(-1, 3), (-1, -1), (3, -1), (0, 1.5)]
QUASI = [[-2.0, 1.0], [0.0, 3.0], [0.0, 3.0], [2.0, 1.0], [0.0, 7.0], [0.0, 7.0]]
NOISY = np.random.default_rng(0).normal(size=(80, 3))
LABELS = np.where(NOISY[:, 0] + np.random.default_rng(1).normal(size=80) > 0, "yes", "no")
HOLE = np.where(np.arange(240).reshape(80, 3) == 10, np.nan, NOISY)
SECOND = "X, row 2 (1 counted from 0), column 2: found "
OR_MARGIN = nv.margin(*nv.example("or"))


def soft_margin(X: Any = NOISY, y: Any = LABELS, sample_weight: Any = None, **how: Any) -> nv.SoftMargin:
    return nv.SoftMargin(**how).fit(X, y, sample_weight=sample_weight)


Change = dict[str, Any]
KNOWN: dict[Callable[..., Any], Change] = {
    nv.decide: {"X": XOR, "y": [0, 1, 1, 0]},
    nv.decide_pairs: {"X": XOR, "y": ["a"] * 4},
    nv.removal: {"X": XOR, "y": [0, 1, 1, 0]},
    nv.margin: {"X": [[1.0], [2.0]], "y": [0, 1]},
    OR_MARGIN.mistake_bound_from: {"w0": [0, 0, 0]},
    nv.separation: {"X": QUASI, "y": [0, 0, 1, 1, 0, 1]},
    nv.trace: {"X": CORNWELL, "y": [-1, -1, 1, 1]},
    nv.cover_count: {"P": 3, "N": 2},
    nv.approximate_fraction: {"N": 5},
    nv.bits_needed: {"s": 1, "t": 1},
    nv.bits_used: {"X": [[1], [2]], "y": [1, 1]},
    nv.count_dichotomies: {"X": [[1, 2], [3, 5]]},
    nv.generalization_bound: {"n": 10, "bits": 3},
    nv.sample_size: {"bits": 300},
}
REFUSED: dict[Callable[..., Any], list[tuple[Change, str]]] = {
    nv.decide: [
        ({"X": []}, "X: "),
        ({"y": [0, 1, 2, 3], "positive": 1}, "positive: found 1 and more than two classes"),
        ({"positive": "green"}, "positive: found 'green'; expected one of the two classes"),
        ({"y": [0, 1]}, "2 labels"),
        ({"y": [1, 1]}, "2 labels"),
        ({"y": [np.nan] * 4}, "NaN"),
        ({"y": [np.inf] * 4}, "infinity"),
        ({"y": [None] * 4}, "y: "),
        ({"y": [0.5] * 4}, "y: "),
        ({"fit_intercept": 2}, "fit_intercept"),
        ({"proof": "yes"}, "proof"),
        ({"max_time": 0}, "max_time"),
        ({"max_time": "soon"}, "max_time"),
        ({"engine": "dask"}, "engine"),
        ({"X": np.where(np.eye(4, 2), math.inf, 1)}, "infinity: row 1 (0 counted from 0), column 1"),
        ({"X": HOLE, "y": LABELS}, "row 4 (3 counted from 0), column 2"),
    ],
    nv.decide_pairs: [({}, "only one class")],
    nv.removal: [
        ({"max_time": 0}, "max_time"),
        ({"fit_intercept": 3}, "fit_intercept"),
        ({"y": [0, 1, 2, 3]}, "4 classes"),
    ],
    nv.margin: [
        ({"X": [[1.0], [math.nan]]}, "NaN"),
        ({"X": [[1.0], [math.inf]]}, "infinity"),
        ({"X": [[1.0], [2.0], [3.0]], "y": [0, 1, 2]}, "Found 3 classes"),
        ({"y": [0, 1, 1]}, "2 rows and 3 labels"),
        ({"X": np.zeros((0, 2)), "y": []}, "no labels"),
        ({"gap": 0}, "gap: found 0"),
        ({"engine": "threads"}, "engine: found 'threads'"),
        ({"fit_intercept": "yes"}, "fit_intercept"),
        ({"X": [[1.0], [1e200]]}, "too large"),
        ({"positive": "green"}, "positive: found 'green'; expected one of the two classes"),
    ],
    OR_MARGIN.mistake_bound_from: [
        *(({"w0": w0}, "w0: found") for w0 in ([1], [1, 2, 3, 4], ["x", 0, 0], [math.inf, 0, 0], 5)),
        *(({"eta": eta}, "eta: found") for eta in (0, -1, math.nan, math.inf, "fast")),
    ],
    nv.separation: [
        ({"X": np.zeros((0, 2)), "y": []}, "X: Found array with 0 sample"),
        ({"X": [[1.0, 2.0], [np.nan, 1.0]], "y": [0, 1]}, "row 2 (1 counted from 0), column 1"),
        ({"X": pd.DataFrame({"g": ["a", "b"]}), "y": [0, 1]}, "column 'g' holds"),
        ({"positive": "green"}, "positive: found 'green'; expected one of the two classes"),
        ({"y": [0, 1, 2, 0, 1, 2], "positive": 1}, "positive: is for two classes, and y has 3"),
        ({"y": [0, 1, 2, 0, 1, 2], "reference": 7}, "reference: found 7; expected one of the classes, 0, 1, 2"),
        ({"reference": 7}, "reference: found 7; expected one of the classes, 0, 1"),
        ({"reference": 1, "positive": 1}, "reference: 1 is the positive class, too"),
        ({"reference": {"g": "a"}}, "reference: 'g' is neither a factor nor the response (there are none)"),
        ({"family": "poisson", "reference": 1}, "reference: a class was given, which is for labels"),
        ({"family": "poisson", "positive": 1}, "positive: a class was given, which is for labels"),
        ({"y": np.zeros((6, 2))}, "y: found 2 columns; one was expected: give the labels themselves"),
        ({"y": [0, 1]}, "6 rows and 2 values"),
        ({"y": [0, 1, np.nan, 1, 0, 1]}, "y: "),
        ({"y": [None] * 6}, "y: a missing label"),
        ({"y": [0.2, 0.5, 1, 0, 0, 1]}, "y: proportions between 0 and 1; give the number of trials"),
        ({"counts": [1, 1, 1, 1, 1, -2]}, "counts: found -2 in row 6 (5 counted from 0); a number of trials is 0 or"),
        ({"counts": [1, 1]}, "X and counts: 6 rows and 2 values"),
        ({"counts": ["a"] * 6}, "counts: found"),
        ({"counts": [0] * 6, "response": "labels"}, "no row has a trial"),
        ({"counts": [5] * 6}, "y: only 0 and 1, with counts up to 5"),
        ({"y": [7, 1, 2, 1, 0, 1], "counts": [5] * 6}, "y: found 7 in row 1 (0 counted from 0); there are no more suc"),
        ({"y": [-1, 1, 2, 1, 0, 1], "counts": [5] * 6}, "y: found -1 in row 1 (0 counted from 0); a number of"),
        ({"y": [0.5, 1, 2, 1, 0, 1], "counts": [5] * 6}, "y: found 2 in row 3 (2 counted from 0); a proportion is"),
        ({"response": "successes"}, "response: 'successes' without counts"),
        ({"family": "poisson", "y": [0, 1, -3, 1, -1, 0]}, "y: found -3 in row 3 (2 counted from 0) (and in 1 more)"),
        ({"family": "poisson", "y": [0, 1, np.nan, 1, 0, 0]}, "y: found nan in row 3 (2 counted from 0); drop the row"),
        ({"family": "poisson", "y": ["a"] * 6}, "y: found"),
        ({"family": "poisson", "counts": [1] * 6}, "they are for family='binomial'"),
        ({"family": "gamma"}, "family: found 'gamma'; 'binomial' or 'poisson' was expected"),
        ({"response": "yes"}, "response: found 'yes'"),
        ({"names": ["a"]}, "names: found 1, but X has 2 columns"),
        ({"names": ["a", "a"]}, "names: 'a' occurs more than once"),
        ({"names": ["a", "(Intercept)"]}, "occurs more than once"),
        ({"names": "ab"}, "names: found 'ab'; a list"),
        ({"fit_intercept": 2}, "fit_intercept"),
        ({"max_time": 0}, "max_time"),
        ({"X": "y ~ x", "y": [0, 1]}, "y: found list; with a formula, expected the data frame"),
        (
            {"X": "y ~ C(g)", "y": pd.DataFrame({"y": [0, 1, 0], "g": ["a", None, "b"]}, index=list("pqr"))},
            "column 'g': it is missing in row [q]; drop these rows",
        ),
    ],
    soft_margin: [
        ({"loss": "perceptron"}, "only optimum is w = 0"),
        ({"loss": "log"}, "loss: found 'log'"),
        ({"penalty": "l1"}, "penalty: found 'l1' with loss='hinge'"),
        ({"C": 0.0}, "C: found 0.0; a finite number above 0"),
        ({"C": -1.0}, "C: found -1.0"),
        ({"C": float("nan")}, "C: found nan"),
        ({"C": "best"}, "C: found 'best'; a finite number above 0 or 'auto' was expected"),
        ({"gap": 0.0}, "gap: found 0.0"),
        ({"bias": "none"}, "bias: found 'none'"),
        ({"solver": "coordinates", "bias": "free"}, "solver: found 'coordinates' with bias='free'"),
        ({"solver": "proximal_newton"}, "solver: found 'proximal_newton' with penalty='l2'"),
        ({"max_iter": 0}, "max_iter: found 0"),
        ({"sample_weight": [-1.0] * 80}, "sample_weight: found -1 at row 1"),
        ({"sample_weight": [0.0] * 80}, "every weight is zero"),
        ({"sample_weight": [np.nan] * 80}, "NaN or infinity"),
        ({"sample_weight": [1.0] * 79}, "found shape (79,)"),
        ({"sample_weight": ["a"] * 80}, "not numbers"),
        ({"y": ["yes"] * 80}, "only one class"),
        ({"X": HOLE}, "contains NaN: row 4 (3 counted from 0), column 2"),
    ],
    nv.trace: [
        ({"X": []}, "X: found no rows"),
        ({"X": [[], [], [], []]}, "X: found rows without columns"),
        ({"X": 7}, "X: found 7, expected a list of rows"),
        ({"X": [1, 2, 3, 4]}, "X, row 1 (0 counted from 0): found 1, expected a list"),
        ({"X": ["12", "34", "56", "78"]}, "X, row 1 (0 counted from 0): found '12', expected a list"),
        ({"X": [(1, 2), (3,), (4, 5), (6, 7)]}, "X, row 2 (1 counted from 0): found 1 numbers, expected 2 as in row 1"),
        ({"X": [(0, 1), (0, float("nan")), (1, 1), (2, 2)]}, f"{SECOND}nan, expected a finite number"),
        ({"X": np.array([(0, 1), (0, np.inf), (0, 1), (2, 2)])}, f"{SECOND}inf"),
        *(
            ({"X": [(0, 1), (0, bad), (1, 1), (2, 2)]}, f"{SECOND}{bad!r}")
            for bad in ("n/a", "1/0", "1e999999999", 1 + 2j, None)
        ),
        ({"y": [1, 1, 1, 1]}, "y: found 1 class (1), expected exactly two"),
        ({"y": [1, 2, 3, 1]}, "y: found 3 classes (1, 2, 3), expected exactly two"),
        ({"X": [[k] for k in range(9)], "y": range(9)}, "y: found 9 classes (0, 1, 2, 3, 4, …)"),
        ({"y": [1, 0]}, "y: found 2 labels, expected 4"),
        ({"y": [1, "1", 1, 1]}, "y: found labels of type int, str"),
        ({"y": [1.0, 0.0, float("nan"), 1.0]}, "y: found a missing label"),
        ({"y": [1, 0, None, 1]}, "y: found a missing label"),
        ({"y": [math.inf, 1.0, 1.0, 1.0]}, "y: found infinity"),
        ({"y": None}, "y: found None"),
        ({"y": [[1], [0], [1], [0]]}, "y: found labels of type list"),
        ({"positive": "green"}, "positive: found 'green'; expected one of the two classes"),
        ({"eta0": 0}, "eta0: found 0, expected a number above 0"),
        ({"eta0": -0.5}, "eta0: found -0.5"),
        ({"eta0": "fast"}, "eta0: found 'fast', expected a finite number"),
        ({"schedule": lambda k: 2 - k}, "schedule(2): found 0, expected a number above 0"),
        ({"schedule": "invscaling"}, "schedule: found 'invscaling'; 'constant', 'inverse', 'inverse-sqrt' or a fun"),
        ({"w0": [1, 2]}, "w0: found 2 numbers, expected 3, the bias last"),
        ({"w0": [1, 2, 3], "fit_intercept": False}, "w0: found 3 numbers, expected 2"),
        ({"w0": [1, 2, "x"]}, "w0, number 3: found 'x'"),
        ({"w0": 0}, "w0: found 0, expected a list"),
        ({"order": "sorted"}, "order: found 'sorted', expected one of cyclic, first, shuffle, random"),
        *(({"max_updates": bad}, f"max_updates: found {bad}") for bad in (0, 2.5, True)),
        ({"seed": -1}, "seed: found -1, expected a whole number of at least 0"),
        ({"seed": None}, "seed: found None"),
        ({"rule": "up"}, "rule: found 'up', expected one of perceptron, margin, pa, pa1, pa2"),
        ({"rule": ["pa"]}, "rule: found"),
        ({"rule": "pa", "order": "batch"}, "rule: found 'pa', expected 'perceptron' with the order 'batch'"),
        ({"rule": "margin", "threshold": 0}, "threshold: found 0, expected a number above 0"),
        ({"rule": "pa1", "C": -1}, "C: found -1, expected a number above 0"),
    ],
    nv.cover_count: [
        ({"P": -1}, "P: found -1; an integer of at least 1"),
        ({"P": 0}, "P: found 0"),
        ({"P": 2.5}, "P: found 2.5"),
        ({"N": -2}, "N: found -2"),
        ({"P": True}, "P: found True"),
        ({"fit_intercept": 1}, "fit_intercept: found 1"),
        ({"P": 10**9, "N": 10**8}, "log10_cover_count"),
        ({"P": 10**15, "N": 10**15}, "digits"),
    ],
    nv.approximate_fraction: [({"P": 10**13}, "P: found 1e+13; at most 1e+12")],
    nv.bits_needed: [
        ({"s": 0}, "s: found 0"),
        ({"t": -1}, "t: found -1"),
        ({"s": 1.5}, "s: found 1.5"),
    ],
    nv.encoding_bits: [({"model": []}, "model: found no weights"), ({"model": ["x"]}, "model, number 1")],
    nv.bits_used: [
        ({}, "y: found 1 class"),
        ({"y": [0, 1], "order": "batch"}, "order: found 'batch'"),
    ],
    nv.count_dichotomies: [
        ({"through": [1]}, "through: found 1 numbers; 2 were expected"),
        ({"through": [0, 0], "fit_intercept": False}, "through: found the origin"),
        ({"fit_intercept": "no"}, "fit_intercept: found 'no'"),
        ({"max_time": -1}, "max_time: found -1"),
        ({"X": np.zeros((60_000, 2))}, "at most 100,000 numbers"),
        ({"X": [[1], [2, 3]]}, "row 2"),
    ],
    nv.general_position: [
        ({"X": []}, "X: found no rows"),
        ({"X": [[]]}, "rows without columns"),
        ({"X": [[1], [2, 3]]}, "row 2"),
        ({"X": [["a"]]}, "row 1 (0 counted from 0), column 1"),
        ({"X": [[float("nan")]]}, "row 1 (0 counted from 0), column 1"),
        ({"X": 5}, "X: found 5"),
    ],
    nv.generalization_bound: [
        ({"n": 0}, "n: found 0"),
        ({"bits": None}, "bits, parameters, updated_rows: found none"),
        ({"bits": 0}, "bits: found 0"),
        ({"delta": 1}, "delta: found 1"),
        *(({"held_out": bad}, "held_out") for bad in ((8, 7), (-1, 7), (0, 0), 5)),
    ],
    nv.sample_size: [({"error": 0}, "error: found 0"), ({"error": 1e-12}, "error: more than 1e+11")],
    nv.capacity_experiment: [
        ({"N": 0}, "N: found 0"),
        ({"N": []}, "N: found none"),
        ({"N": 10**9}, "N: found 1e+09; at most 1,000,000"),
        ({"N": 10**6}, "N, P: a draw of 200,000 points in 1,000,000 dimensions has 200,000,000,000"),
        *(
            ({"ratios": bad}, f"ratios: found {said}")
            for bad, said in (([0], "0"), ([-1], "-1"), (["much"], "'much'"), ([], "none"))
        ),
        ({"trials": 0}, "trials: found 0"),
        ({"seed": -1}, "seed: found -1"),
        ({"level": 1}, "level: found 1"),
    ],
    nv.margin_experiment: [({"N": 10**6, "P": 10**6}, "at most 100,000,000 were expected")],
    nv.convergence_experiment: [
        ({"N": 10**5, "P": 10**4}, "N, P: a draw of"),
        ({"max_updates": 0}, "max_updates: found 0"),
        ({"N": 1, "P": 1}, "P: found 1"),
    ],
    nv.angle_experiment: [({"N": 10**6, "P": 10**6}, "N, P: a draw of"), ({"N": 1, "P": 1}, "P: found 1")],
    nv.position_experiment: [
        ({"N": 10**5, "trials": 1}, "N, P: a draw of 100,001 points"),
        ({"max_time": 0}, "max_time: found 0"),
    ],
    nv.worst_case: [
        ({"deltas": [0.9]}, "deltas: found 0.9"),
        ({"deltas": ["1/3"]}, "deltas: found 1/3"),
        ({"deltas": []}, "deltas: found none"),
    ],
}
CASES = [(call, KNOWN.get(call, {}) | change, words) for call, rows in REFUSED.items() for change, words in rows]


@pytest.mark.parametrize(("call", "arguments", "words"), CASES, ids=[call.__name__ for call, *_ in CASES])
def test_a_function_names_the_wrong_argument(call: Callable[..., Any], arguments: Change, words: str) -> None:
    with pytest.raises(nv.InputError) as refused:
        call(**arguments)
    assert words in str(refused.value)


DATA: list[tuple[Change, Callable[[Any], Any], str]] = [
    ({"missing": "keep"}, repr, "missing: found 'keep'; 'fail' or 'drop' or 'impute' was expected"),
    ({"one_hot": False}, repr, "found 'blue'; a number was expected; one_hot=True takes words as categories, text= c"),
    ({"classes": ("x", "u")}, repr, "classes: found x, u; expected two or more of the classes"),
    ({"first_column": 0}, repr, "first_column: is for svmlight"),
    *(({"memory": memory}, lambda data: data.rows, "found texts or categories; ") for memory in ("1G", 1)),
    *(
        ({}, lambda data, value=value: data.split(holdout=value), f"holdout: found {value}{then}")
        for value, then in (
            (0.001, ", with which no row of 90 is for the test"),
            (2, "; expected a part between 0 and 1"),
            (0, "; expected a part between 0 and 1"),
            (float("nan"), "; expected a part between 0 and 1"),
        )
    ),
    ({}, lambda data: data.split(test_every=1), "test_every: found 1, with which no row of 90 is left for training"),
    ({}, lambda data: data.split(test_every=0), "test_every: found 0"),
    ({}, lambda data: data.folds(1), "folds: found 1"),
    ({}, lambda data: data.folds(2.5), "folds: found 2.5"),
    ({}, lambda data: data.prepare(nonsense=1), "prepare: no step is called 'nonsense'; the steps are analyzer, "),
    ({}, lambda data: data.prepare(scale="x"), "scale: found 'x'; True or False was expected"),
    ({}, lambda data: data.select([0, 7]), "classes: found 0, 7; expected two or more of the classes"),
    ({}, lambda data: nv.Perceptron().fit(data.prepare(), observer=3), "observer: found 3; an object of a subclass"),
]


@pytest.mark.parametrize(("how", "call", "words"), DATA)
def test_data_of_a_file_name_the_wrong_argument(how: Change, call: Any, words: str, tmp_path: Path) -> None:
    rows = itertools.islice(zip(itertools.cycle(["blue", "red", "red"]), itertools.cycle("xyz"), strict=False), 90)
    path = tmp_path / "t.csv"
    path.write_text("a,color,label\n" + "".join(f"{k},{color},{label}\n" for k, (color, label) in enumerate(rows)))
    with pytest.raises(nv.InputError) as refused:
        call(nv.open_data(path, **{"one_hot": True} | how))
    assert words in str(refused.value)
