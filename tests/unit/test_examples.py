"""The named examples: what they hold, and what an unknown name is told."""

from __future__ import annotations

import hashlib
import subprocess
import sys

import numpy as np
import pytest

from novikoff.data.examples import EXAMPLES, WORDS, example, passes_through_origin
from novikoff.errors import InputError

SHAPES = {
    "tao": (4, 2),
    "cornwell": (4, 2),
    "spam": (6, 5),
    "or": (4, 2),
    "xor": (4, 2),
    "and": (4, 2),
    "digits": (1797, 64),
    "iris": (150, 4),
    "wine": (178, 13),
    "breast-cancer": (569, 30),
    "retina": (466, 400),
}
CLASSES = {
    "tao": ["blue", "red"],
    "cornwell": [-1, 1],
    "spam": ["ham", "spam"],
    "or": [-1, 1],
    "xor": [-1, 1],
    "and": [-1, 1],
    "digits": list(range(10)),
    "iris": ["setosa", "versicolor", "virginica"],
    "wine": ["class_0", "class_1", "class_2"],
    "breast-cancer": ["benign", "malignant"],
    "retina": ["left", "right"],
}


def test_the_names() -> None:
    """The examples are those of the notes, four real sets, and the retina."""
    assert list(EXAMPLES) == list(SHAPES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_shape_type_and_classes(name: str) -> None:
    """X is finite float64, y has one label for each row and the classes as the notes or scikit-learn call them."""
    X, y = example(name)
    assert X.shape == SHAPES[name]
    assert X.dtype == np.float64
    assert np.isfinite(X).all()
    assert y.shape == (len(X),)
    assert np.unique(y).tolist() == CLASSES[name]


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_call_gives_fresh_arrays(name: str) -> None:
    """Who changes an example changes only his own copy."""
    X, y = example(name)
    X[:], y[:] = 7, y[0]
    again, labels = example(name)
    assert not (again == 7).all()
    assert len(set(labels.tolist())) > 1


def test_spam_table() -> None:
    """The columns are Zhang's words: mail 1 lacks only "the", mail 5 has "and", "the", "nigeria"."""
    X, y = example("spam")
    assert [word for word, there in zip(WORDS, X[0], strict=True) if not there] == ["the"]
    assert [word for word, there in zip(WORDS, X[4], strict=True) if there] == ["and", "the", "nigeria"]
    assert y.tolist() == ["spam", "ham"] * 3


@pytest.mark.parametrize(("name", "rule"), [("or", max), ("and", min), ("xor", lambda c: int(sum(c) == 1))])
def test_corners(name: str, rule: object) -> None:
    """The four corners in the order (0,0), (1,0), (0,1), (1,1), + where the function is 1."""
    X, y = example(name)
    assert X.tolist() == [[0, 0], [1, 0], [0, 1], [1, 1]]
    assert y.tolist() == [2 * rule(corner) - 1 for corner in X.tolist()]  # type: ignore[operator]


def test_only_tao_passes_through_the_origin() -> None:
    """Of all examples only Tao's is separated without a bias."""
    assert [name for name in EXAMPLES if passes_through_origin(name)] == ["tao"]


def test_retina_shows_one_square_on_one_side() -> None:
    """Every picture is one filled square within the half that its label names; no picture occurs twice."""
    X, y = example("retina")
    pictures = X.reshape(-1, 20, 20)
    for picture, label in zip(pictures, y, strict=True):
        rows, columns = np.nonzero(picture)
        side = rows.max() - rows.min() + 1
        assert side == columns.max() - columns.min() + 1
        assert picture.sum() == side**2
        assert (columns < 10).all() if label == "left" else (columns >= 10).all()
    assert len(np.unique(X, axis=0)) == len(X)
    assert (y == "left").sum() == (y == "right").sum() == 233


def test_retina_is_the_same_everywhere() -> None:
    """The pictures and their order never change, so a figure told once stays true."""
    X, y = example("retina")
    seen = hashlib.sha256(X.astype(np.uint8).tobytes() + "".join(y).encode()).hexdigest()
    assert seen == "e7158e9386d54c08cb325dd25a8fce7de7415e7f5fe6df166e53d87ae430e6b0"


@pytest.mark.parametrize(("name", "closest"), [("cornwel", "cornwell"), ("brest_cancer", "breast-cancer"), (3, "")])
def test_unknown_name(name: str, closest: str) -> None:
    """An unknown name is told back with the names there are, the closest first."""
    for ask in (example, passes_through_origin):
        with pytest.raises(InputError) as error:
            ask(name)
        message = str(error.value)
        assert message.startswith(f"example: found {name!r}, expected one of {closest}")
        assert all(known in message for known in EXAMPLES)


def test_lecture_examples_do_not_import_scikit_learn() -> None:
    """Only the real sets need scikit-learn."""
    code = (
        "import sys; from novikoff.data.examples import example; "
        "example('tao'); example('retina'); print('sklearn' in sys.modules)"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "False"
