"""multi_class="auto": one-vs-one if its planes have no more weights than X has numbers that are not 0."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import novikoff as nv
from commands import answer, novikoff
from data.small_sets import fit_quietly
from data.storages import storages_of


def sparse_points(numbers: int, classes: int = 4, d: int = 9, n: int = 40) -> tuple[np.ndarray, np.ndarray]:
    """Points with so many numbers that are not 0."""
    X = np.zeros((n, d))
    X.ravel()[np.random.default_rng(numbers).choice(n * d, numbers, replace=False)] = 1.0
    return X, np.arange(n) % classes


def chosen(X: Any, y: Any, **how: Any) -> str:
    return fit_quietly(nv.Perceptron(max_iter=2, **how), X, y).multi_class_


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("classes", [3, 4, 7])
def test_pairs_are_chosen_up_to_the_count_of_numbers(classes: int, bias: bool) -> None:
    weights = classes * (classes - 1) // 2 * (9 + bias)
    for numbers, scheme in ((weights - 1, "ova"), (weights, "ovo"), (weights + 1, "ovo")):
        X, y = sparse_points(numbers, classes)
        assert np.count_nonzero(X) == numbers
        clf = fit_quietly(nv.Perceptron(max_iter=2, fit_intercept=bias), X, y)
        assert clf.multi_class_ == scheme
        assert len(clf.coef_) == (classes if scheme == "ova" else classes * (classes - 1) // 2)
        named = fit_quietly(nv.Perceptron(max_iter=2, fit_intercept=bias, multi_class=scheme), X, y)
        assert clf.coef_.tobytes() == named.coef_.tobytes()


def test_a_scheme_that_is_asked_for_is_used() -> None:
    X, y = sparse_points(100)
    assert [chosen(X, y, multi_class=name) for name in ("ova", "ovo", "joint")] == ["ova", "ovo", "joint"]


@pytest.mark.parametrize("numbers", [59, 60])
def test_every_storage_chooses_alike(numbers: int) -> None:
    X, y = sparse_points(numbers)
    wanted = "ovo" if numbers == 60 else "ova"
    found = {name: chosen(stored, y) for name, stored in storages_of(X)}
    assert set(found.values()) == {wanted}, found
    twice = sp.coo_matrix((np.full(2, 0.5), ([0, 0], [0, 0])), shape=X.shape).tocsr()
    zeros = sp.csr_matrix(X) + twice - twice
    assert chosen(zeros, y) == wanted
    stored = sp.csr_matrix((np.append(sp.csr_matrix(X).data, [0.0]), np.append(sp.csr_matrix(X).indices, [8]),
                            np.append(sp.csr_matrix(X).indptr[:-1], [numbers + 1])), shape=X.shape)  # fmt: skip
    assert chosen(stored, y) == wanted, "a stored 0 is no number"


@pytest.mark.parametrize("numbers", [59, 60])
def test_a_file_chooses_alike_in_memory_and_out_of_it(numbers: int, tmp_path: Path) -> None:
    X, y = sparse_points(numbers)
    wanted = "ovo" if numbers == 60 else "ova"
    table = "".join(
        ",".join([*map(str, x), f"c{label}"]) + "\n" for x, label in zip(X.tolist(), y.tolist(), strict=True)
    )
    (tmp_path / "t.csv").write_text(",".join([*"abcdefghi", "label"]) + "\n" + table)
    lines = (
        f"{label} " + " ".join(f"{j + 1}:{v}" for j, v in enumerate(x) if v) for x, label in zip(X, y, strict=True)
    )
    (tmp_path / "t.svm").write_text("\n".join(lines) + "\n")
    for name in ("t.csv", "t.svm"):
        for memory in ([], ["--memory", "1K"]):
            command = ("fit", tmp_path / name, "--max-passes", 2, *memory)
            assert answer(*command)["multi"] == wanted, (name, memory)
            said = wanted + (" by votes" if wanted == "ovo" else "")
            assert (
                f"4 classes ({', '.join(answer(*command)['classes']) if name == 't.csv' else '0, 1, 2, 3'}), {said}"
                in (novikoff(*command).out)
            )


@pytest.mark.parametrize("numbers", [59, 60])
def test_a_model_file_has_the_scheme_that_was_used_and_the_parameter(numbers: int, tmp_path: Path) -> None:
    X, y = sparse_points(numbers)
    clf = fit_quietly(nv.Perceptron(max_iter=3), X, y)
    nv.save(clf, tmp_path / "m.nvk")
    loaded: Any = nv.load(tmp_path / "m.nvk")
    assert (loaded.multi_class, loaded.multi_class_) == ("auto", clf.multi_class_)
    assert loaded.predict(X).tolist() == clf.predict(X).tolist()
    inspected = novikoff("explain", tmp_path / "m.nvk").out
    assert f"({'one-vs-one' if numbers == 60 else 'one-vs-all'}" in inspected or clf.multi_class_ in inspected


def test_a_stream_is_one_vs_all_and_so_are_two_classes() -> None:
    X, y = sparse_points(100)
    clf = nv.Perceptron().partial_fit(X, y, classes=[0, 1, 2, 3])
    assert clf.multi_class_ == "ova"
    assert clf.partial_fit(X, y).multi_class_ == "ova"
    assert chosen(X, y % 2) == "ova"


def test_a_stream_after_a_fit_keeps_its_scheme() -> None:
    X, y = sparse_points(100)
    clf = fit_quietly(nv.Perceptron(max_iter=2), X, y)
    assert clf.multi_class_ == "ovo"
    assert clf.partial_fit(X, y).multi_class_ == "ovo"
    assert len(clf.coef_) == 6


def test_a_warm_start_keeps_the_scheme_though_the_points_would_choose_another() -> None:
    (X, y), (more, labels) = sparse_points(59), sparse_points(60)
    clf = fit_quietly(nv.Perceptron(max_iter=2, warm_start=True), X, y)
    assert clf.multi_class_ == "ova"
    assert chosen(more, labels) == "ovo"
    assert fit_quietly(clf, more, labels).multi_class_ == "ova"


def test_a_clone_chooses_anew() -> None:
    from sklearn.base import clone

    clf = fit_quietly(nv.Perceptron(max_iter=2), *sparse_points(59))
    assert fit_quietly(clone(clf), *sparse_points(60)).multi_class_ == "ovo"
    assert fit_quietly(clf, *sparse_points(60)).multi_class_ == "ovo"
