"""multi_class="auto": one-vs-one if its planes have no more weights than X has numbers that are not 0."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone

import novikoff as nv
from commands import answer, novikoff
from data.small_sets import fit_quietly
from data.storages import storages_of


def sparse_points(numbers: int, classes: int = 4, d: int = 9, n: int = 40) -> tuple[np.ndarray, np.ndarray]:
    """Points with so many numbers that are not 0; four classes need 60 of them for pairs."""
    X = np.zeros((n, d))
    X.ravel()[np.random.default_rng(numbers).choice(n * d, numbers, replace=False)] = 1.0
    return X, np.arange(n) % classes


def fitted(X: Any, y: Any, **how: Any) -> nv.Perceptron:
    return fit_quietly(nv.Perceptron(max_iter=2, **how), X, y)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("classes", [3, 4, 7])
def test_pairs_are_chosen_up_to_the_count_of_numbers(classes: int, bias: bool) -> None:
    weights = classes * (classes - 1) // 2 * (9 + bias)
    for numbers, scheme in ((weights - 1, "ova"), (weights, "ovo"), (weights + 1, "ovo")):
        X, y = sparse_points(numbers, classes)
        clf, named = (fitted(X, y, fit_intercept=bias, **how) for how in ({}, {"multi_class": scheme}))
        assert clf.multi_class_ == scheme
        assert len(clf.coef_) == (classes if scheme == "ova" else classes * (classes - 1) // 2)
        assert clf.coef_.tobytes() == named.coef_.tobytes()


@pytest.mark.parametrize(("numbers", "wanted"), [(59, "ova"), (60, "ovo")])
def test_every_storage_file_and_model_file_has_the_same_scheme(numbers: int, wanted: str, tmp_path: Path) -> None:
    X, y = sparse_points(numbers)
    found = {name: fitted(stored, y).multi_class_ for name, stored in storages_of(X)}
    assert set(found.values()) == {wanted}, found
    S = sp.csr_matrix(X)
    stored = (np.append(S.data, [0.0]), np.append(S.indices, [8]), np.append(S.indptr[:-1], [numbers + 1]))
    assert fitted(sp.csr_matrix(stored, shape=X.shape), y).multi_class_ == wanted, "a stored 0 is no number"
    lines = [",".join([*map(str, x), f"c{label}"]) for x, label in zip(X.tolist(), y, strict=True)]
    (tmp_path / "t.csv").write_text("\n".join(["a,b,c,d,e,f,g,h,i,label", *lines]) + "\n")
    rows = [" ".join([str(k), *(f"{j}:{v}" for j, v in enumerate(x, 1) if v)]) for x, k in zip(X, y, strict=True)]
    (tmp_path / "t.svm").write_text("\n".join(rows) + "\n")
    said = wanted + (" by votes" if wanted == "ovo" else "")
    for name, classes in (("t.csv", "c0, c1, c2, c3"), ("t.svm", "0, 1, 2, 3")):
        for memory in ([], ["--memory", "1K"]):
            command = ("fit", tmp_path / name, "--max-passes", 2, *memory)
            assert answer(*command)["multi"] == wanted, (name, memory)
            assert f"4 classes ({classes}), {said}" in novikoff(*command).out
    clf = fitted(X, y)
    nv.save(clf, tmp_path / "m.nvk")
    loaded: Any = nv.load(tmp_path / "m.nvk")
    assert (loaded.multi_class, loaded.multi_class_) == ("auto", wanted)
    assert loaded.predict(X).tolist() == clf.predict(X).tolist()


def test_streams_and_warm_starts_keep_their_scheme_and_a_clone_chooses_anew() -> None:
    (X, y), (fewer, labels) = sparse_points(100), sparse_points(59)
    assert [fitted(X, y, multi_class=name).multi_class_ for name in ("ova", "ovo", "joint")] == ["ova", "ovo", "joint"]
    clf = nv.Perceptron().partial_fit(X, y, classes=[0, 1, 2, 3])
    assert clf.multi_class_ == clf.partial_fit(X, y).multi_class_ == fitted(X, y % 2).multi_class_ == "ova"
    clf = fitted(X, y)
    assert clf.partial_fit(X, y).multi_class_ == "ovo"
    assert len(clf.coef_) == 6
    clf = fitted(fewer, labels, warm_start=True)
    assert (clf.multi_class_, fit_quietly(clf, X, y).multi_class_) == ("ova", "ova")
    plain = fitted(fewer, labels)
    assert (fit_quietly(clone(plain), X, y).multi_class_, fit_quietly(plain, X, y).multi_class_) == ("ovo", "ovo")
