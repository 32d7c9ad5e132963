"""The named examples: what they hold, and what an unknown name is told."""

from __future__ import annotations

import hashlib
import subprocess
import sys

import numpy as np
import pytest

import novikoff as nv

EXAMPLES = {
    "tao": ((4, 2), ["blue", "red"]),
    "cornwell": ((4, 2), [-1, 1]),
    "spam": ((6, 5), ["ham", "spam"]),
    "or": ((4, 2), [-1, 1]),
    "xor": ((4, 2), [-1, 1]),
    "and": ((4, 2), [-1, 1]),
    "digits": ((1797, 64), list(range(10))),
    "iris": ((150, 4), ["setosa", "versicolor", "virginica"]),
    "wine": ((178, 13), ["class_0", "class_1", "class_2"]),
    "breast-cancer": ((569, 30), ["benign", "malignant"]),
    "retina": ((466, 400), ["left", "right"]),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_has_its_shape_and_classes_and_each_call_gives_fresh_arrays(name: str) -> None:
    X, y = nv.example(name)
    assert (X.shape, np.unique(y).tolist()) == EXAMPLES[name]
    assert X.dtype == np.float64
    assert np.isfinite(X).all()
    assert y.shape == (len(X),)
    X[:], y[:] = 7, y[0]
    again, labels = nv.example(name)
    assert not (again == 7).all()
    assert len(set(labels.tolist())) > 1


def test_the_mails_and_the_corners_are_those_of_the_lectures() -> None:
    """The columns are Zhang's words and, vicodin, the, of, nigeria; + stands where the function is 1."""
    X, y = nv.example("spam")
    assert X[[0, 4]].tolist() == [[1, 1, 0, 1, 1], [1, 0, 1, 0, 1]]
    assert y.tolist() == ["spam", "ham"] * 3
    for name, ones in (("or", [-1, 1, 1, 1]), ("and", [-1, -1, -1, 1]), ("xor", [-1, 1, 1, -1])):
        X, y = nv.example(name)
        assert X.tolist() == [[0, 0], [1, 0], [0, 1], [1, 1]]
        assert y.tolist() == ones


def test_retina_shows_one_square_on_one_side_and_is_the_same_everywhere() -> None:
    """Every picture is one filled square within the half that its label names; no picture occurs twice."""
    X, y = nv.example("retina")
    for picture, label in zip(X.reshape(-1, 20, 20), y, strict=True):
        rows, columns = np.nonzero(picture)
        side = rows.max() - rows.min() + 1
        assert side == columns.max() - columns.min() + 1
        assert picture.sum() == side**2
        assert (columns < 10).all() if label == "left" else (columns >= 10).all()
    assert len(np.unique(X, axis=0)) == len(X)
    assert (y == "left").sum() == (y == "right").sum() == 233
    seen = hashlib.sha256(X.astype(np.uint8).tobytes() + "".join(y).encode()).hexdigest()
    assert seen == "e7158e9386d54c08cb325dd25a8fce7de7415e7f5fe6df166e53d87ae430e6b0"


@pytest.mark.parametrize(("name", "closest"), [("cornwel", "cornwell"), ("brest_cancer", "breast-cancer"), (3, "")])
def test_an_unknown_name_is_told_the_names_there_are_the_closest_first(name: str, closest: str) -> None:
    with pytest.raises(nv.InputError) as error:
        nv.example(name)
    assert str(error.value).startswith(f"example: found {name!r}, expected one of {closest}")
    assert all(known in str(error.value) for known in EXAMPLES)


def test_only_the_real_sets_need_scikit_learn() -> None:
    code = "import sys, novikoff as nv; nv.example('tao'); nv.example('retina'); print('sklearn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"
