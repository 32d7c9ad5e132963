"""Rows whose removal makes points separable, and pairs of classes."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import novikoff as nv
from commands import novikoff


def flipped(n: int, d: int, bad: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, set[int]]:
    """Points with a gap, some with the wrong label."""
    rng = np.random.default_rng(seed)
    X, w = rng.standard_normal((n, d)), rng.standard_normal(d)
    scores = X @ w
    X, scores = X[abs(scores) > 0.5], scores[abs(scores) > 0.5]
    y = (scores > 0).astype(int)
    out = rng.choice(y.size, bad, replace=False)
    y[out] ^= 1
    return X, y, set(out.tolist())


def test_separable_points_need_no_removal() -> None:
    found = nv.removal([[0.0], [1.0]], [0, 1])
    assert (found.rows, found.at_least) == ((), 0)
    assert found.rest


def test_one_row_is_enough_for_xor_and_none_is_not() -> None:
    found = nv.removal(*nv.example("xor"))
    assert (len(found.rows), found.at_least) == (1, 1)
    assert repr(found) == "Removal(exactly 1 row)"
    assert found.rest is not None


@pytest.mark.compiled
def test_wrong_labels_are_found_and_the_rest_is_proved() -> None:
    X, y, bad = flipped(3000, 4, 4)
    found = nv.removal(X, y)
    assert set(found.rows) <= bad
    keep = np.setdiff1d(np.arange(y.size), found.rows)
    assert found.rest is not None
    assert found.rest.check(X[keep], y[keep])
    for row in found.rows:
        back = np.sort([*keep, row])
        assert not nv.decide(X[back], y[back])


def test_without_time_only_the_bound_is_known() -> None:
    X, y, _ = flipped(400, 3, 5)
    found = nv.removal(X, y, max_time=1e-9)
    assert (found.rows, found.rest, found.at_least) == (None, None, 0)
    assert repr(found) == "Removal(at least 0 rows)"


def test_a_verdict_stands_for_its_points() -> None:
    X, y = nv.example("xor")
    assert nv.removal(nv.decide(X, y)).rows == nv.removal(X, y).rows
    assert nv.removal(nv.decide(X, [0, 1, 1, 1])).rows == ()
    with pytest.raises(nv.UndecidedError):
        nv.removal(nv.decide(*nv.example("breast-cancer"), max_time=1e-9))


@pytest.mark.parametrize("bad", [{"max_time": 0}, {"fit_intercept": 3}, {"y": [0, 1, 2, 3]}])
def test_bad_input_is_named(bad: dict[str, object]) -> None:
    with pytest.raises(nv.InputError):
        nv.removal(**({"X": [[0.0], [1.0], [2.0], [3.0]], "y": [0, 1, 0, 1]} | bad))


# ---- pairs


def test_two_classes_are_one_pair_and_one_class_is_an_error() -> None:
    assert list(nv.decide_pairs([[0.0], [1.0]], ["b", "a"])) == [("a", "b")]
    with pytest.raises(nv.InputError, match="only one class"):
        nv.decide_pairs([[0.0], [1.0]], ["a", "a"])


def test_decide_answers_for_each_pair_of_many_classes(tmp_path: Path) -> None:
    X, y = nv.example("iris")
    found = nv.decide(X, y)
    assert (found.separable, bool(found), list(found)) == (False, False, list(nv.decide_pairs(X, y)))
    assert {pair: found[pair].kind for pair in found} == found.kinds
    assert list(found.kinds.values()) == ["complete", "complete", "overlap"]
    assert str(found) == "2 of 3 pairs of classes are separable, each by a plane checked exactly"
    assert found.explain() == "\n".join(novikoff("certify", "--example", "iris").out.splitlines()[:4])
    assert bool(nv.decide(X[:, :2] + [[1e6 * (label == "virginica"), 0] for label in y], y, proof="rational"))
    found["setosa", "virginica"].save(tmp_path / "pair.json")
    of_two = np.isin(y, ["setosa", "virginica"])
    assert nv.verify(tmp_path / "pair.json", X[of_two], y[of_two]) == "complete"
    with pytest.raises(nv.InputError, match=r"found\['setosa', 'versicolor'\]\.save"):
        found.save(tmp_path / "all.json")
    assert pickle.loads(pickle.dumps(nv.decide_pairs([[0.0], [1.0]], [0, 1]))).separable


def test_many_classes_without_a_bias() -> None:
    with_bias = nv.decide([[0.0], [1.0], [2.0]], ["a", "b", "c"])
    assert with_bias.separable
    without = nv.decide([[1.0], [2.0], [-3.0]], ["a", "b", "c"], fit_intercept=False)
    assert [verdict.separable for verdict in without.values()] == [False, True, True]
    assert "a plane through the origin" in str(without)
    with pytest.raises(nv.InputError, match="positive: found 'b' and more than two classes"):
        nv.decide([[0.0], [1.0], [2.0]], ["a", "b", "c"], positive="b")
    with pytest.raises(nv.InputError, match="of two classes"):
        nv.HullsDisplay.from_verdict(without, [[1], [2], [-3]], ["a", "b", "c"])


def test_many_classes_without_time_are_undecided() -> None:
    found = nv.decide(*nv.example("digits"), max_time=1e-9)
    assert (found.separable, set(found.kinds.values())) == (None, {"undecided"})
    assert "0 of 45 pairs of classes are separable" in str(found)
    assert str(found).endswith("45 undecided")
    with pytest.raises(nv.UndecidedError, match="max_time"):
        bool(found)
