"""The theorem of parameter mixing on generated data: Σ k ≤ P·(R/γ)², in fractions, for every plane that separates."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, strategies as st

import novikoff as nv
from data.small_sets import fit_quietly
from oracles.mixing_twin import in_fractions

numbers = st.integers(-6, 6)


@st.composite
def separated(draw: st.DrawFn) -> tuple[list[list[int]], list[int], list[int]]:
    """Points with their labels, and a plane (w, b) that separates them: points on it are left out."""
    d = draw(st.integers(1, 3))
    u = draw(st.lists(numbers, min_size=d + 1, max_size=d + 1).filter(any))
    points = draw(st.lists(st.lists(numbers, min_size=d, max_size=d), min_size=4, max_size=16))
    scores = [sum(a * b for a, b in zip(u, [*x, 1], strict=True)) for x in points]
    X = [x for x, s in zip(points, scores, strict=True) if s]
    return X, [1 if s > 0 else -1 for s in scores if s], u


@given(separated(), st.integers(1, 5), st.sampled_from(["cyclic", "shuffle"]), st.integers(0, 9))
def test_the_mistakes_of_all_partitions_are_at_most_P_R2_over_gamma2(
    problem: tuple[list[list[int]], list[int], list[int]], partitions: int, order: str, seed: int
) -> None:
    X, y, u = problem
    if len(set(y)) < 2 or len(y) < partitions:
        return
    clf = fit_quietly(
        nv.Perceptron(
            mix=True, partitions=partitions, order=order, random_state=seed, max_iter=None, train_patience=None
        ),
        X,
        y,
    )
    assert clf.stop_reason_ == "separated"
    R2 = max(sum(v * v for v in [*x, 1]) for x in X)
    least = min(s * sum(a * b for a, b in zip(u, [*x, 1], strict=True)) for x, s in zip(X, y, strict=True))
    gamma2 = Fraction(least**2, sum(a * a for a in u))
    assert clf.n_updates_ <= partitions * R2 / gamma2
    if order == "cyclic":
        paper = in_fractions(X, y, partitions, clf.n_iter_ + 1)
        assert paper.separated
        assert paper.total == clf.n_updates_
        weights = [*clf.coef_[0].tolist(), float(clf.intercept_[0])]
        assert [Fraction(v) for v in weights] == [partitions * v for v in paper.w]


@given(separated(), st.integers(1, 4), st.lists(numbers, min_size=4, max_size=4))
def test_V_grows_no_longer_than_the_proof_says(
    problem: tuple[list[list[int]], list[int], list[int]], partitions: int, start: list[int]
) -> None:
    """From any start, round by round: ⟨V, u⟩ by γ·k at least, |V|² by P·R²·k at most."""
    X, y, u = problem
    if len(set(y)) < 2 or len(y) < partitions:
        return
    run = in_fractions(X, y, partitions, 8, start=start[: len(u)])
    R2 = max(sum(v * v for v in [*x, 1]) for x in X)
    least = min(s * sum(a * b for a, b in zip(u, [*x, 1], strict=True)) for x, s in zip(X, y, strict=True))
    before = [partitions * Fraction(v) for v in start[: len(u)]]
    for after, made in zip(run.after, run.updates, strict=True):
        V, k = [partitions * v for v in after], sum(made)
        assert sum(a * (b - c) for a, b, c in zip(u, V, before, strict=True)) >= least * k
        assert sum(v * v for v in V) - sum(v * v for v in before) <= partitions * R2 * k
        before = V
