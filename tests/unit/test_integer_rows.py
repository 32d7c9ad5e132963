"""Numbers as whole numbers, frames and their way back, planes of any size against rows: all exact."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from data.degenerate import degenerate
from data.problems import KINDS, problem as draw
from novikoff.data.problem import problem_of
from novikoff.exact.deadline import Clock
from novikoff.exact.integer_rows import of_rows, relation_holds, whole_rows
from novikoff.exact.rescale import Frame
from novikoff.exact.signed_rows import Signed, chunks_of
from novikoff.separate.solver import circuit_of, circuits_or_separator
from novikoff.separate.wolfe import Circuit, Separator, strict


def signed(X: np.ndarray, y: np.ndarray, bias: bool) -> Signed:
    return Signed(problem_of(X, y, fit_intercept=bias)[0])


@pytest.mark.parametrize("kind", KINDS)
def test_whole_rows_are_the_rows_up_to_a_power_of_two(kind: str) -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        X = draw(kind, rng).X
        rows, powers = whole_rows(X)
        for x, row, power in zip(X, rows, powers, strict=True):
            assert [Fraction(r) * Fraction(2) ** power for r in row] == [Fraction(float(v)) for v in x]
            assert not any(row) or any(r % 2 for r in row)


@pytest.mark.parametrize("digits", [1, 20, 53, 54, 200, 900, 1500, 3000])
@pytest.mark.parametrize("kind", ["small_integers", "cancellation", "scaled_entries", "subnormals", "gaussian"])
def test_a_plane_of_any_size_has_the_exact_sign_on_every_row(kind: str, digits: int) -> None:
    rng = np.random.default_rng(digits)
    for _ in range(8):
        p = draw(kind, rng)
        points = signed(p.X, p.y, p.fit_intercept)
        plane = [int(rng.integers(-9, 10)) * (1 << digits) // 7 + int(rng.integers(-1, 2)) for _ in range(points.D)]
        if rng.random() < 0.5:  # a plane that a row lies on
            z = whole_rows(points.floats(np.array([0])))[0][0]
            plane = [int(a) for a in np.roll(np.array(z, dtype=object), 1) * (1 << digits)]
            plane[0], plane[-1] = (z[-1] << digits, -z[0] << digits) if points.D > 1 else (plane[0], plane[-1])
        rows = [[Fraction(v) for v in z] for z in points.floats(np.arange(points.n)).tolist()]
        exact = [sum(a * w for a, w in zip(z, plane, strict=True)) for z in rows]
        assert np.sign(points.margins(plane)).tolist() == [(s > 0) - (s < 0) for s in exact]


def test_chunks_sum_to_the_plane_or_say_that_they_do_not() -> None:
    plane = [3**200, -(7**50), 1, 0]
    C, rest, share = chunks_of(plane)
    factor = Fraction(2) ** max(v.bit_length() for v in plane)
    assert [sum(Fraction(c) for c in column) * factor for column in C.T.tolist()] == plane
    assert share < 1
    assert rest > 0
    assert chunks_of([1 << 1200, 1])[2] >= 1
    assert chunks_of([5, -3])[1:] == (0.0, 0.0)


def test_a_plane_comes_back_from_the_frame_exactly() -> None:
    """In exact numbers, the rows of the frame under g and the rows under the plane have the same signs."""
    rng = np.random.default_rng(3)
    for _ in range(300):
        X, y, bias = degenerate(rng)
        Z = np.column_stack([X, np.ones(len(X))]) * y[:, None] if bias else X * y[:, None]
        frame = Frame(Z, int(bias))
        g = rng.integers(-9, 10, Z.shape[1]).astype(float)
        plane = frame.back(g)
        centre, powers = [Fraction(float(c)) for c in frame.centre], frame.powers.tolist()
        for z in Z.tolist():
            x = [Fraction(v) for v in z]
            moved = [
                (v - x[-1] * c if bias else v) / Fraction(2) ** p for v, c, p in zip(x, centre, powers, strict=False)
            ]
            inside = sum(Fraction(a) * v for a, v in zip(g.tolist(), [*moved, x[-1]] if bias else moved, strict=True))
            outside = sum(v * w for v, w in zip(x, plane, strict=True))
            assert (inside > 0, inside < 0) == (outside > 0, outside < 0)


@pytest.mark.parametrize("solve", [strict, lambda Z: circuits_or_separator(Z, Clock(None))])
def test_the_primitive_gives_a_separator_or_a_circuit_that_holds(solve: object) -> None:
    assert callable(solve)
    rng = np.random.default_rng(4)
    seen = set()
    for _ in range(400):
        X, y, _ = degenerate(rng)
        Z, _ = whole_rows(X * y[:, None])
        found = solve(Z)
        found = found[0] if isinstance(found, list) else found
        seen.add(type(found))
        if isinstance(found, Separator):
            assert all(sum(a * b for a, b in zip(z, found.w, strict=True)) > 0 for z in Z)
        else:
            assert relation_holds(found.weights, [Z[i] for i in found.rows])
            assert (
                np.linalg.matrix_rank(np.array([Z[i] for i in found.rows], float)) <= len(found.rows) - 1 <= X.shape[1]
            )
    assert seen == {Separator, Circuit}


def test_the_exact_method_ends_from_any_start() -> None:
    rng = np.random.default_rng(5)
    for _ in range(300):
        X, y, _ = degenerate(rng)
        Z, _ = whole_rows(X * y[:, None])
        start = rng.permutation(len(Z))[: int(rng.integers(0, len(Z) + 1))].tolist()
        weights = [float(w) for w in rng.choice([0.0, 0.5, 1.0, np.nan], len(start))]
        assert type(strict(Z, start, weights)) is type(strict(Z))


def test_a_circuit_is_found_among_rows_with_many_relations_and_not_where_signs_differ() -> None:
    assert circuit_of([[1, 0], [0, 1]]) is None
    assert circuit_of([[1, 0], [2, 0]]) is None
    assert circuit_of([[3, 0], [-2, 0]]) == Circuit([0, 1], [2, 3])
    assert circuit_of([[1, 1], [0, 5], [-1, -1]]) == Circuit([0, 2], [1, 1])
    found = circuit_of([[1, 0], [-1, 0], [0, 1], [0, -1]])
    assert found is not None
    assert len(found.rows) == 2


def test_weights_of_whole_rows_become_weights_of_the_rows() -> None:
    rows, powers = whole_rows(np.array([[0.375], [-6.0]]))
    assert (rows, powers) == ([[3], [-3]], [-3, 1])
    assert of_rows([1, 1], powers) == [16, 1]


def test_a_relation_needs_positive_weights_and_a_zero_sum() -> None:
    assert relation_holds([1, 2], [[2, 4], [-1, -2]])
    assert not relation_holds([1, 1], [[2, 4], [-1, -2]])
    assert not relation_holds([0, 0], [[2], [-1]])
    assert not relation_holds([], [])
