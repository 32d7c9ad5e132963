"""Labels that stay in their file: codes of chunks, classes, counts, and one number for each class."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from novikoff.data.labels.stored_labels import ClassValues, LabelCoding, StoredLabels, UnknownLabelError

TEXTS = ["b", "a", "c", "a", "b", "a"]


def coding(labels: list[Any]) -> LabelCoding:
    numbers = {label: k for k, label in enumerate(dict.fromkeys(labels))}
    return LabelCoding(numbers, np.bincount([numbers[label] for label in labels]))


def stored(labels: list[Any], reads: list[int] | None = None) -> StoredLabels:
    """The labels, read again from a list; reads: gets an entry for each reading."""
    code = coding(labels)
    classes, place = np.unique(list(code.numbers), return_inverse=True)

    def read(given: LabelCoding) -> np.ndarray:
        if reads is not None:
            reads.append(1)
        return given.codes(labels)

    return StoredLabels(classes, place, code, read)


@pytest.mark.parametrize("many", [2, 8, 9, 200, 40_000])
def test_codes_of_numbers_are_those_of_their_places(many: int) -> None:
    """Compared one by one, or sorted; one, two or four bytes."""
    values = np.random.default_rng(many).permutation(many).astype(float)
    code = coding(values.tolist())
    found = code.codes(values[::-1])
    assert found.tolist() == list(range(many))[::-1]
    assert found.itemsize == (1 if many <= 128 else 2 if many <= 1 << 15 else 4)
    assert code.codes(values[:0]).size == 0


@pytest.mark.parametrize("labels", [["a", "x"], np.array([1.0, 5.0]), np.array([5, 1])])
def test_a_label_that_was_not_there_is_refused(labels: Any) -> None:
    for code in (coding(["a", 1.0]), coding(["a", *map(float, range(5)), *map(float, range(6, 30))])):
        with pytest.raises(UnknownLabelError, match=r"x|5"):
            code.codes(labels)


def test_classes_and_counts_need_no_reading() -> None:
    reads: list[int] = []
    y = stored(TEXTS, reads)
    assert (len(y), y.classes.tolist(), y.counts().tolist()) == (6, ["a", "b", "c"], [3, 2, 1])
    named = y.renamed(lambda classes: np.array(["z" if name == "a" else "b" for name in classes]))
    assert (named.classes.tolist(), named.counts().tolist(), named.tidy() is named) == (["b", "z"], [3, 3], True)
    assert not reads
    assert (y.tolist(), named.tolist()) == (TEXTS, ["b", "z", "b", "z", "b", "z"])
    assert len(reads) == 1  # both have the same codes
    assert y.some(np.array([1, 3])).tidy().classes.tolist() == ["a"]


def test_one_number_for_each_class_is_one_for_each_row() -> None:
    signs = stored(TEXTS).values(np.array([-1, 1, 1]))
    codes = signs.coding.codes(TEXTS)
    assert signs.of(codes).tolist() == [1, -1, 1, -1, 1, -1]
    assert (-signs).of(codes).tolist() == [-1, 1, -1, 1, -1, 1]
    assert (signs.size, signs.occurring(), signs.count(1), signs.count(-1)) == (6, [-1, 1], 3, 3)
    assert signs.mapped(np.array([5, 7, 9])).of(codes).tolist() == [7, 9, 7, 9, 7, 9]  # numbers[1], numbers[-1]
    assert ClassValues(np.ones(3, np.int8), signs.coding).occurring() == [1]


def test_another_process_gets_no_codes_of_rows() -> None:
    y = stored(TEXTS)
    assert y.codes.size == 6
    assert y.coding.kept is not None
    assert pickle.loads(pickle.dumps(y.coding)).kept is None
