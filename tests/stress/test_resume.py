"""Checkpoints: every state of many runs (`make stress`)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from data.choices import allowed, allowed_for_many
from data.resumed import points, same_from_everywhere
from novikoff.perceptron import KEEPS, ORDERS, RULES

STRESS = bool(os.environ.get("STRESS"))
ROUNDS = 60 if STRESS else 1


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_every_state_of_a_run(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    classes = int(rng.choice([2, 3, 5]))
    X, y = points(seed, classes, int(rng.integers(10, 40)))
    scheme = str(rng.choice(["ova", "ovo", "joint"])) if classes > 2 else "ova"
    how: dict[str, Any] = {
        "keep": str(rng.choice([keep for keep in KEEPS if keep != "vote"])),
        "order": str(rng.choice(ORDERS if classes == 2 else ("cyclic", "shuffle", "random"))),
        "rule": "perceptron" if scheme == "joint" else str(rng.choice(RULES)),
        "multi_class": scheme,
        "fit_intercept": bool(rng.integers(2)),
        "eta0": float(rng.choice([1.0, 0.1])),
        "class_weight": [None, "balanced"][int(rng.integers(2))],
        "max_iter": int(rng.integers(2, 9)),
        "random_state": seed,
    }
    if not allowed(how["order"], how["keep"], how["rule"]):
        how |= {"keep": "pocket", "rule": "perceptron"}
    if classes > 2 and not allowed_for_many(scheme, how["keep"], how["rule"]):
        how["keep"] = "average"
    same_from_everywhere(X, y, how, tmp_path, numbers=int(rng.integers(1, 60)), most=10**9)
