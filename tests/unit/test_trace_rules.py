"""The update rules of a trace in exact fractions: by their formulas, and equal to the fitted perceptron."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from commands import novikoff
from data.choices import RULES
from novikoff.errors import InputError

X, y = nv.example("cornwell")


def reference(rule: str, limit: int, threshold: Fraction, C: Fraction) -> tuple[list[Fraction], int]:
    """The weights after a cyclic run, and its updates: each rule as its formula says."""
    rows = [[*map(Fraction, x), Fraction(1)] for x in X.tolist()]
    w, updates = [Fraction(0)] * 3, 0
    while updates < limit:
        before, wrong = updates, 0
        for x, sign in zip(rows, y.tolist(), strict=True):
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
        right = all(sign * sum(a * v for a, v in zip(w, x, strict=True)) > 0 for x, sign in zip(rows, y, strict=True))
        if updates == before or (wrong == 0 and right):
            break
    return w, updates


@pytest.mark.parametrize("rule", RULES)
def test_each_rule_is_its_formula(rule: str) -> None:
    threshold, C = Fraction(3, 2), Fraction(1, 4)
    run = nv.trace(X, y, rule=rule, threshold=threshold, C=C, max_updates=25)
    w, updates = reference(rule, 25, threshold, C)
    assert (list(run.w), len(run.steps), run.rule) == (w, updates, rule)


@pytest.mark.parametrize("order", ["cyclic", "first"])
@pytest.mark.parametrize("threshold", [0.5, 1.0, 4.0])
def test_the_margin_rule_makes_the_updates_of_the_perceptron_that_is_fitted(order: str, threshold: float) -> None:
    model = nv.Perceptron(rule="margin", threshold=threshold, order=order, keep="last").fit(X, y)
    run = nv.trace(X, y, rule="margin", threshold=threshold, order=order)
    assert run.stop_reason == "separated"
    assert [float(v) for v in run.w] == [*model.coef_[0].tolist(), model.intercept_[0]]
    assert len(run.steps) == model.n_updates_


def test_a_run_ends_when_every_point_is_on_its_own_side() -> None:
    """After a pass without a mistake, as a fit does; the rule may still update within such a pass."""
    for order in ("cyclic", "random", "shuffle", "first"):
        run = nv.trace(X, y, rule="margin", threshold=2, order=order, seed=3)
        scores = np.array([[float(v) for v in run.w]]) @ np.c_[X, np.ones(4)].T * y
        assert run.stop_reason == "separated"
        assert scores.min() > 0


def test_a_cycle_is_claimed_for_constant_steps_only() -> None:
    square, labels = nv.example("xor")
    run = nv.trace(square, labels, rule="margin", threshold="1/2")
    assert run.stop_reason == "cycle"
    counts = np.array(run.cycle_counts)
    assert (np.c_[square, np.ones(4)].T @ (counts * labels) == 0).all()
    assert nv.trace(square, labels, rule="pa1", max_updates=50).stop_reason == "max_updates"


def test_a_rule_that_still_updates_right_points_says_so() -> None:
    run = nv.trace([[0.0], [1.0]], [-1, 1], rule="pa", max_updates=5)
    assert run.steps[-1].errors_after == 0
    assert run.to_text().endswith(
        "every point is on its own side, and the rule still updates: a larger max_updates goes further"
    )


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"rule": "up"}, "rule: found 'up', expected one of perceptron, margin, pa, pa1, pa2"),
        ({"rule": ["pa"]}, "rule: found"),
        ({"rule": "pa", "order": "batch"}, "rule: found 'pa', expected 'perceptron' with the order 'batch'"),
        ({"rule": "margin", "threshold": 0}, "threshold: found 0, expected a number above 0"),
        ({"rule": "pa1", "C": -1}, "C: found -1, expected a number above 0"),
    ],
)
def test_bad_rules(how: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as error:
        nv.trace(X, y, **how)
    assert words in str(error.value)


def test_the_command_takes_the_rules() -> None:
    done = novikoff("trace", "--example", "cornwell", "--rule", "margin", "--threshold", "1/2", "--json")
    run = nv.trace(X, y, rule="margin", threshold=Fraction(1, 2))
    assert (done.json["updates"], done.json["rule"], done.json["plane"]) == (12, "margin", run.plane())
    done = novikoff("trace", "--example", "cornwell", "--threshold", "1/2")
    assert (done.code, "say --rule margin" in done.err) == (2, True)
    done = novikoff("trace", "--example", "cornwell", "--rule", "pa1", "--pa-C", "1/4", "--max-updates", "5", "--json")
    assert done.json["steps"][0]["eta"] == "1/11"
