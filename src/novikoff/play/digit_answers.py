"""Answer with a perceptron for handwritten digits: its weights as images, and the class of a drawn digit.

The digits are those of scikit-learn: 8 × 8 cells; each counts the ink in a 4 × 4 block of a 32 × 32 bitmap, 0 to 16.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.play.answers import Settings
from novikoff.play.posted_points import numbers_of

CELLS, INK = 64, 16
TEST_EVERY = 4  # every fourth digit is held out


@cache
def model() -> tuple[Any, dict[str, Any]]:
    """Return an averaged perceptron trained on three of four digits, one class against the others, and its results."""
    import warnings

    import novikoff as nv

    X, y = nv.example("digits")
    test = np.arange(len(y)) % TEST_EVERY == TEST_EVERY - 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = nv.Perceptron(multi_class="ova", keep="average", max_iter=100).fit(X[~test], y[~test])
    wrong = fitted.predict(X) != y
    parts = {name: {"n": int(part.sum()), "errors": int(wrong[part].sum())}
             for name, part in (("train", ~test), ("test", test))}  # fmt: skip
    return fitted, parts


def weights(request: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """Return the 64 weights and the bias of each digit, and the errors on training and test digits."""
    fitted, parts = model()
    return {"classes": fitted.classes_.tolist(), "weights": fitted.coef_.tolist(),
            "biases": fitted.intercept_.tolist(), **parts}  # fmt: skip


def classify(request: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """Return the class and the scores of 64 cells."""
    cells = numbers_of(request.get("cells"), "cells")
    if len(cells) != CELLS or not all(0 <= v <= INK for v in cells):
        raise InputError(f"expected {CELLS} numbers from 0 to {INK}", "cells")
    fitted, _ = model()
    scores = fitted.decision_function(np.array([cells]))[0]
    return {"class": int(fitted.predict(np.array([cells]))[0]), "scores": np.asarray(scores).tolist()}
