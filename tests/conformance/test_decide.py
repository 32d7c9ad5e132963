"""Separable or not where the answer is published, known by construction, or follows from a theorem."""

from __future__ import annotations

import csv
import itertools
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import novikoff as nv

Find = Callable[[str], Path]


def kind_of(X: object, y: object, fit_intercept: bool = True) -> str:
    v = nv.decide(X, y, fit_intercept=fit_intercept)
    assert v.check(X, y)
    return v.kind


def table(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return list(csv.DictReader(file))


def without_header(path: Path) -> tuple[np.ndarray, list[str]]:
    with path.open() as file:
        rows = [row for row in csv.reader(file) if "?" not in row]
    return np.array([[float(v) for v in row[:-1]] for row in rows]), [row[-1] for row in rows]


def dummies(rows: list[dict[str, str]], name: str) -> np.ndarray:
    """A column of 0 and 1 for every level but the first."""
    levels = sorted({row[name] for row in rows})
    return np.array([[float(row[name] == level) for level in levels[1:]] for row in rows])


SMALL = {
    "and": ([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1], "complete"),
    "or": ([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 1], "complete"),
    "xor": ([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0], "overlap"),
    "detectseparation's counterexample": ([[-1, 2], [-1, -2], [-2, -2], [2, 2]], [0, 1, 1, 1], "complete"),
    "detectseparation's overlap": ([[-1], [0], [1], [2]], [0, 1, 0, 1], "overlap"),
    "Konis, complete": ([[-2], [-1], [1], [2]], [0, 0, 1, 1], "complete"),
    "Konis, quasi-complete": ([[-2], [0], [0], [2]], [0, 0, 1, 1], "quasi-complete"),
    "mlumr": ([[-1], [0], [0], [1]], [0, 0, 1, 1], "quasi-complete"),
    "UCLA": (
        [[1, 3], [2, 2], [3, -1], [3, -1], [5, 2], [6, 4], [10, 1], [11, 0]],
        [0, 0, 0, 0, 1, 1, 1, 1],
        "complete",
    ),
    "one point with both labels": ([[0.3], [0.3]], [0, 1], "overlap"),
    "0.1 + 0.2 and 0.3 are two numbers": ([[0.1 + 0.2], [0.3]], [0, 1], "complete"),
    "three on a line": ([[0, 0], [1, 1], [2, 2]], [0, 1, 0], "overlap"),
}


@pytest.mark.parametrize("name", SMALL)
def test_C4_small_cases_have_the_known_answer_and_its_proof(name: str) -> None:
    X, y, kind = SMALL[name]
    assert kind_of(X, y) == kind


@pytest.mark.parametrize("k", range(1, 53))
def test_two_points_2_to_the_minus_k_apart_are_separable(k: int) -> None:
    near = 1 + 2.0**-k
    assert kind_of([[1.0], [near]], [0, 1]) == "complete"
    assert kind_of([[1.0], [near], [1.0]], [0, 1, 1]) == "quasi-complete"
    assert kind_of([[1.0, near], [near, 1.0], [near, near], [1.0, 1.0]], [0, 0, 1, 1]) == "overlap"


@pytest.mark.parametrize("offset", [1e6, 1e9, 1e12])
def test_an_offset_does_not_change_the_answer(offset: float) -> None:
    grid = np.array(list(itertools.product(range(3), repeat=2)), float)
    for word in range(1, 2**9 - 1, 7):
        y = [(word >> i) & 1 for i in range(9)]
        assert kind_of(grid + offset, y) == kind_of(grid, y)


def test_three_bits_have_104_threshold_functions_in_three_kinds() -> None:
    cube = np.array(list(itertools.product((0, 1), repeat=3)))
    kinds = [nv.decide(cube, [(f >> i) & 1 for i in range(8)]).kind for f in range(256)]
    assert [kinds.count(k) for k in ("complete", "quasi-complete", "overlap")] == [104, 48, 104]


@pytest.mark.parametrize("bits", range(2, 9))
def test_parity_is_not_separable(bits: int) -> None:
    cube = np.array(list(itertools.product((0, 1), repeat=bits)))
    v = nv.decide(cube, cube.sum(axis=1) % 2)
    assert (v.separable, v.kind) == (False, "overlap")
    assert len(v.support) <= bits + 2
    assert v.check(cube, cube.sum(axis=1) % 2)


@pytest.mark.parametrize(("points", "dimension"), [(4, 2), (6, 3), (8, 3)])
def test_cover_counts_the_labelings(points: int, dimension: int) -> None:
    """Of points in general position, C(P, N) = 2 Σ_{k<N} binom(P−1, k) labelings are separable, N = dimension + 1."""
    moments = np.array([[float(t**k) for k in range(1, dimension + 1)] for t in range(points)])
    labelings = itertools.product((0, 1), repeat=points)
    found = sum(nv.decide(moments, y).separable is True for y in labelings)
    assert found == 2 * sum(math.comb(points - 1, k) for k in range(dimension + 1))


@pytest.mark.parametrize("name", ["iris", "wine", "breast-cancer"])
def test_sets_that_are_completely_separable(name: str) -> None:
    from sklearn.datasets import load_breast_cancer, load_iris, load_wine

    load = {"iris": load_iris, "wine": load_wine, "breast-cancer": load_breast_cancer}[name]
    X, y = load(return_X_y=True)
    separable = {"iris": [0], "wine": [0, 1, 2], "breast-cancer": [0, 1]}[name]
    for c in np.unique(y).tolist():
        assert kind_of(X, y == c) == ("complete" if c in separable else "overlap")


@pytest.mark.compiled
def test_digits_pairs_are_separable_and_8_and_9_are_not_from_the_rest() -> None:
    from sklearn.datasets import load_digits

    X, y = load_digits(return_X_y=True)
    for a, b in itertools.combinations(range(10), 2):
        two = (y == a) | (y == b)
        v = nv.decide(X[two], y[two])
        assert v.separable
        assert v.check(X[two], y[two])
    assert [nv.decide(X, y == c).separable for c in range(10)] == [True] * 8 + [False] * 2


OF_FILES = {
    "sonar": ("complete", 208),
    "ionosphere": ("quasi-complete", 38),
    "breast-cancer-wisconsin": ("overlap", 0),
    "banknote_authentication": ("overlap", 0),
    "pima-indians-diabetes": ("overlap", 0),
    "haberman": ("overlap", 0),
}


@pytest.mark.parametrize("name", OF_FILES)
def test_files_of_machine_learning(name: str, shared_data: Find) -> None:
    X, y = without_header(shared_data(f"separation/{name}.csv"))
    v = nv.decide(X, y)
    assert (v.kind, len(v.separated)) == OF_FILES[name]
    assert v.check(X, y)


def test_files_of_statistics(shared_data: Find) -> None:
    def read(name: str) -> list[dict[str, str]]:
        return table(shared_data(f"separation/{name}.csv"))

    def answer(X: object, y: object) -> tuple[str, int]:
        v = nv.decide(X, y)
        assert v.check(X, y)
        return v.kind, len(v.separated)

    def numbers(rows: list[dict[str, str]], *names: str) -> np.ndarray:
        return np.array([[float(row[name]) for name in names] for row in rows])

    rows = read("endometrial")
    assert answer(numbers(rows, "NV", "PI", "EH"), [r["HG"] for r in rows]) == ("quasi-complete", 13)
    rows = read("silvapulle1981")
    assert answer(numbers(rows, "ghqs"), [r["y"] for r in rows]) == ("quasi-complete", 33)
    rows = read("MurderRates")
    X = np.column_stack([numbers(rows, "time", "income", "noncauc", "lfp"), [r["southern"] == "yes" for r in rows]])
    assert answer(X, [float(r["executions"]) > 0 for r in rows]) == ("quasi-complete", 15)
    names = ("age", "oc", "vic", "vicl", "vis", "dia")
    rows = read("sex2")
    assert answer(numbers(rows, *names), [r["case"] for r in rows]) == ("quasi-complete", 7)
    rows = [r for r in read("sexagg") if float(r["COUNT"]) > 0]
    assert answer(numbers(rows, *names), [r["case"] for r in rows]) == ("quasi-complete", 5)
    rows = [r for r in read("hepatitis") if float(r["counts"]) > 0]
    group, post = dummies(rows, "group"), dummies(rows, "time")
    X = np.column_stack([group, post, group * post])
    assert answer(X, [r["HCV"] for r in rows]) == ("quasi-complete", 5)
    assert answer(X, [r["nonABC"] for r in rows]) == ("overlap", 0)
    rows = read("lizards")
    factors = np.column_stack([dummies(rows, name) for name in ("height", "diameter", "light", "time")])
    both = [(x, c) for x, r in zip(factors, rows, strict=True) for c in ("grahami", "opalinus") if float(r[c]) > 0]
    assert len(both) == 42
    assert answer(np.array([x for x, _ in both]), [c for _, c in both]) == ("overlap", 0)


@pytest.mark.parametrize("seed", range(8))
def test_a_row_that_is_there_once_is_separated_among_many_that_are_held(seed: int) -> None:
    """The few rows that are looked at first all vanish where this one does not."""
    rng = np.random.default_rng(seed)
    X, y = np.zeros((300, 2)), rng.integers(0, 2, 300)
    X[:, 0] = rng.choice([-1.0, 1.0], 300)
    X[seed], y[seed] = [0.0, 1.0], seed % 2
    v = nv.decide(X, y, fit_intercept=False)
    assert (v.kind, v.separated.tolist(), v.w) == ("quasi-complete", [seed], (0, 1 if seed % 2 else -1))
