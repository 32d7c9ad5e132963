"""The sentence about a perfect fit: said from one labelling in a hundred on."""

from __future__ import annotations

import pytest

from novikoff.theory.cover import separable_fraction
from novikoff.theory.perfect_fit import LEAST, in_words, separable_by_chance


def test_the_fraction_is_Covers_and_is_left_out_below_one_in_a_hundred() -> None:
    for n in (1, 2, 3, 10, 40, 100, 300):
        for parameters in (1, 2, 5, 20, 64, 200):
            exact = separable_fraction(n, parameters)
            found = separable_by_chance(n, parameters)
            if float(exact) >= LEAST:
                assert found == {"parameters": parameters, "at_most": pytest.approx(float(exact))}
            else:
                assert found is None


def test_large_sizes_are_answered_at_once() -> None:
    assert separable_by_chance(10**15, 100) is None
    assert separable_by_chance(100, 10**9) == {"parameters": 10**9, "at_most": 1.0}
    assert separable_by_chance(2 * 10**6, 10**6) == {"parameters": 10**6, "at_most": 0.5}
    assert separable_by_chance(10**14, 5 * 10**13) is None  # too large to compute: nothing is said


def test_the_sentence_names_points_parameters_and_the_fraction() -> None:
    assert in_words(1, {"parameters": 1, "at_most": 1.0}).startswith(
        "with 1 point and 1 parameter, every labelling may"
    )
    assert "at most 1.83 % of all labellings" in in_words(156, {"parameters": 65, "at_most": 0.0182114})
    assert "almost every labelling may" in in_words(91, {"parameters": 65, "at_most": 0.99998})
