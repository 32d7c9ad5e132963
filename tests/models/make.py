"""Makes the model files of this version: `python tests/models/make.py [FOLDER]`. The same bytes every time.

Files of released versions are never made again: they stay as they are and must load. When a later version writes other
bytes (a new parameter, say), its files go beside them under new names.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import novikoff as nv

VERSION = "0.1.0"
HERE = Path(__file__).parent


def one(**choices: Any) -> nv.Perceptron:
    return nv.Perceptron(**{"random_state": 4, "keep": "pocket", "order": "cyclic", "multi_class": "ova"} | choices)


def models() -> dict[str, Any]:
    """Small fitted models of every kind."""
    X, y = nv.example("iris")
    X, y = X[::3], np.unique(y[::3], return_inverse=True)[1]
    words = np.array(["setosa", "versicolor", "virginica"])
    small, signs = nv.example("cornwell")
    chance = np.random.default_rng(1)
    A, sides = chance.integers(-3, 4, (30, 4)), chance.integers(0, 2, 30)
    made: dict[str, Any] = {
        "cornwell": one().fit(small, signs),
        "xor": one(keep="last", tie="positive").fit(*nv.example("xor")),
        "ova": one(max_iter=5, eta0=0.3).fit(X, words[y]),
        "ovo": one(multi_class="ovo", ovo="sum", max_iter=5, class_weight={0: 2.0, 2: 0.5}).fit(X, y),
        "chosen": one(multi_class="auto", max_iter=5).fit(X, words[y]),
        "ovo-votes": one(multi_class="ovo", max_iter=5).fit(X, y),
        "auto": one(keep="auto", order="auto", max_iter=40).fit(A, sides),
        "noisy": one(max_iter=40).fit(A, sides),
        "joint": one(multi_class="joint", keep="average", max_iter=5).fit(X, y.astype(np.float32)),
        "vote": one(keep="vote", max_iter=3, fit_intercept=False).fit(A, sides == 1),
        "stream": one(keep="average", known_margin=0.01).partial_fit(A, sides),
    }
    made["widest"] = nv.MaxMargin().fit(X[y < 2], words[y[y < 2]])
    made["widest-padded"] = nv.MaxMargin(bias="padded").fit(small, signs)
    made["cornwell"].feature_names_in_ = np.array(["weight", "height"], dtype=object)
    return made


def make(folder: Path) -> None:
    """Write them."""
    own, nv.__version__ = nv.__version__, VERSION
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for name, clf in models().items():
                nv.save(clf, folder / f"v1-{name}.nvk", data_digest="ab" * 32 if name == "cornwell" else None)
    finally:
        nv.__version__ = own


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
