"""Z6: a run that is resumed from its checkpoint after any pass is the same run, to the bit.

A few states of each run here, with two of the rules; all of them in tests/stress/test_resume.py.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import novikoff as nv
from data.choices import allowed_for_many
from data.resumed import fitted, gone_on, info, points, same_from_everywhere, written_always

ORDERS, KEEPS = ("cyclic", "shuffle", "random", "first"), ("last", "pocket", "average")
RULES = ("perceptron", "margin", "pa", "pa1", "pa2")


@pytest.mark.parametrize(("order", "keep"), list(itertools.product(ORDERS, KEEPS)))
def test_two_classes(order: str, keep: str, tmp_path: Path) -> None:
    k = ORDERS.index(order) + KEEPS.index(keep)
    for seed, rule in enumerate((RULES[k % 5], RULES[(k + 2) % 5])):
        X, y = points(seed)
        how = {"order": order, "keep": keep, "rule": rule, "max_iter": 6, "random_state": seed, "eta0": 0.5}
        same_from_everywhere(X, y, how, tmp_path, most=3)


@pytest.mark.parametrize("keep", ["auto", "last", "pocket", "average"])
def test_Z10a_order_batch(keep: str, tmp_path: Path) -> None:
    for seed, more in enumerate(({}, {"schedule": "inverse"}, {"class_weight": "balanced"}, {"max_updates": 3})):
        X, y = points(seed)
        how = {"order": "batch", "keep": keep, "max_iter": 25, "train_patience": None, **more}
        assert same_from_everywhere(X, y, how, tmp_path, most=6) > 3
    start = np.ones((1, X.shape[1]))
    same_from_everywhere(X, y, {"order": "batch", "keep": keep, "max_iter": 4}, tmp_path, coef_init=start)
    X, y = nv.example("xor")
    same_from_everywhere(X, y, {"order": "batch", "keep": keep, "max_iter": 40}, tmp_path, numbers=2)
    X, y = points(7, 2, 60)
    same_from_everywhere(X, y, {"order": "batch", "keep": keep, "early_stopping": True}, tmp_path)


@pytest.mark.parametrize("order", ORDERS[:3])
@pytest.mark.parametrize(
    ("scheme", "keep"),
    [choice for choice in itertools.product(("ova", "ovo", "joint"), KEEPS) if allowed_for_many(*choice)],
)
def test_many_classes(scheme: str, order: str, keep: str, tmp_path: Path) -> None:
    k = ORDERS.index(order) + KEEPS.index(keep)
    rule = "perceptron" if scheme == "joint" else RULES[k % 5]
    X, y = points(k, 4)
    how = {"order": order, "keep": keep, "rule": rule, "max_iter": 5, "random_state": k, "multi_class": scheme}
    same_from_everywhere(X, y, how, tmp_path, most=3)


@pytest.mark.parametrize(("classes", "keep"), list(itertools.product((2, 3), KEEPS)))
def test_validation_points_and_weights(keep: str, classes: int, tmp_path: Path) -> None:
    X, y = points(7, classes, 60)
    how: dict[str, Any] = {"keep": keep, "order": "shuffle", "random_state": 3, "max_iter": 12, "valid_patience": 4}
    same_from_everywhere(X, y, how | {"early_stopping": True}, tmp_path, most=5)
    V, v = points(9, classes, 20)
    same_from_everywhere(X[:, :1], y, how, tmp_path, most=5, X_valid=V[:, :1], y_valid=v)
    same_from_everywhere(X, y, how | {"class_weight": "balanced"}, tmp_path, most=5)
    same_from_everywhere(X, y, how | {"class_weight": {0: 2.0, 1: 0.25}}, tmp_path, most=5)


def test_a_seed_that_was_drawn_is_gone_on_with(tmp_path: Path) -> None:
    X, y = points(2, 2, 40)
    how = {"order": "shuffle", "max_iter": 5, "early_stopping": True}
    with written_always(8) as states:
        wanted = info(fitted(X, y, how, checkpoint=tmp_path), X)
        for state in states[::3]:
            assert info(gone_on(state, X, y, how, tmp_path), X) == wanted


def test_cycles_limits_and_verdicts(tmp_path: Path) -> None:
    """Brent's saved weights, the limit of updates, the proof of a cycle, and a question that was asked, go along."""
    X, y = nv.example("xor")
    for keep in KEEPS:
        same_from_everywhere(X, y, {"keep": keep, "max_iter": 200}, tmp_path, numbers=2, most=12)
    X, y = points(4, 2, 25)
    same_from_everywhere(X, y, {"max_updates": 37}, tmp_path)
    same_from_everywhere(X, y, {"max_iter": 120, "order": "shuffle", "random_state": 0}, tmp_path, numbers=60, most=5)
    same_from_everywhere(X, y, {"train_patience": 3, "keep": "last"}, tmp_path)
    same_from_everywhere(X, y, {"known_margin": 0.25, "max_iter": 4}, tmp_path)
    start = np.ones((1, X.shape[1]))
    same_from_everywhere(X, y, {"max_iter": 4, "eta0": 0.1}, tmp_path, coef_init=start, intercept_init=[0.5])


@pytest.mark.parametrize("storage", ["csr", "csc", "int16", "float32", "untidy", "no bias"])
def test_storages(storage: str, tmp_path: Path) -> None:
    X, y = points(5, 2, 60)
    Z: Any = {"csr": sp.csr_array, "csc": sp.csc_array, "int16": np.int16, "float32": np.float32}.get(
        storage, np.array
    )(X)
    if storage == "untidy":  # columns out of order: found and mended on the way
        Z = sp.csr_array(X)
        for row in range(40, 60):
            part = slice(Z.indptr[row], Z.indptr[row + 1])
            Z.indices[part], Z.data[part] = Z.indices[part][::-1].copy(), Z.data[part][::-1].copy()
        Z.has_sorted_indices = False
    for order, keep in (("cyclic", "pocket"), ("shuffle", "average"), ("cyclic", "last")):
        how = {"order": order, "keep": keep, "max_iter": 5, "random_state": 1, "fit_intercept": storage != "no bias"}
        same_from_everywhere(Z, y, how, tmp_path, most=5)


@pytest.mark.compiled
def test_wide_points_of_float32(tmp_path: Path) -> None:
    """The float32 copies of the weights are made again."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(50, 64)).astype(np.float32)
    for y in (rng.integers(0, 2, 50), rng.integers(0, 3, 50)):
        for keep in KEEPS if y.max() == 1 else ("last", "pocket", "average"):
            same_from_everywhere(X, y, {"keep": keep, "max_iter": 3}, tmp_path, numbers=500, most=3)
