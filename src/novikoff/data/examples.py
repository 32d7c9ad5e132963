"""Load the example data of the lecture notes, and the real data sets they mention.

    X, y = example("cornwell")

Lecture examples are small float64 arrays with the labels of the notes. Real data sets are the copies in scikit-learn,
all rows and all classes: digits (C1: 1,797 handwritten digits of 8 × 8 cells of grey 0–16), iris (150 flowers, 4
lengths, 3 species; only setosa can be separated from the rest), wine (178 wines, 13 measurements, 3 growers) and
breast-cancer (569 tumours, 30 measurements). The retina is generated here. With two classes the one that sorts last is
positive.

From the notes: T3 (tao), C5 C6 (cornwell), Z3 Z6 (spam), Z4 (or), Z12 S3 (xor), T2 (Tao, Problem 2).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from novikoff.data import EXAMPLES
from novikoff.errors import InputError

Labelled: TypeAlias = tuple[NDArray[np.float64], NDArray[Any]]

CORNERS = ((0, 0), (1, 0), (0, 1), (1, 1))
WORDS = ("and", "viagra", "the", "of", "nigeria")
MAILS = ((1, 1, 0, 1, 1), (0, 0, 1, 1, 0), (0, 1, 1, 0, 0), (1, 0, 0, 1, 0), (1, 0, 1, 0, 1), (1, 0, 1, 1, 0))
LECTURE: dict[str, tuple[Any, Sequence[Any]]] = {  # points and labels
    "tao": (((1, 0), (0, -1), (0, 1), (-1, 0)), ("red", "blue", "red", "blue")),  # T3: four points on the axes
    "cornwell": (((-1, 3), (-1, -1), (3, -1), (0, 1.5)), (-1, -1, 1, 1)),  # C5: four points in the plane
    "spam": (MAILS, ("spam", "ham") * 3),  # Z3: six mails (rows) as bags of the five WORDS (columns)
    "or": (CORNERS, (-1, 1, 1, 1)),  # Z4: + where x1 or x2 is 1
    "xor": (CORNERS, (-1, 1, 1, -1)),  # Z12 S3: + where just one of x1, x2 is 1: no plane separates them
    "and": (CORNERS, (-1, -1, -1, 1)),  # + where both x1 and x2 are 1
}

SIDE = 20  # the retina has SIDE × SIDE = 400 cells
SQUARES = (4, 6, 8)  # sides of the squares shown to it
STRIDE = 181  # odd and coprime to the number of pictures: left and right alternate, sizes and positions mix


def example(name: str) -> Labelled:
    """Return the points X (float64, one per row) and labels y of a named example.

    Parameters
    ----------
    name : one of `EXAMPLES`

    Raises
    ------
    InputError : no example has this name; the closest name comes first.

    Examples
    --------
    >>> import novikoff as nv
    >>> X, y = nv.example("tao")
    >>> X.tolist(), y.tolist()
    ([[1.0, 0.0], [0.0, -1.0], [0.0, 1.0], [-1.0, 0.0]], ['red', 'blue', 'red', 'blue'])
    """
    name = _known(name)
    if name == "retina":
        return _retina()
    if name in LECTURE:
        rows, labels = LECTURE[name]
        return np.array(rows, dtype=np.float64), np.array(labels)
    import sklearn.datasets

    bunch = getattr(sklearn.datasets, f"load_{name.replace('-', '_')}")()
    labels = bunch.target if name == "digits" else np.asarray(bunch.target_names)[bunch.target]
    return np.array(bunch.data, dtype=np.float64), np.array(labels)


def passes_through_origin(name: str) -> bool:
    """Return whether the notes separate this example with a plane through the origin, without a bias.

    x·c = 0

    Examples
    --------
    >>> passes_through_origin("tao"), passes_through_origin("cornwell")
    (True, False)
    """
    return _known(name) == "tao"


def _known(name: str) -> str:
    if name in EXAMPLES:
        return name
    closest = difflib.get_close_matches(str(name), EXAMPLES, n=len(EXAMPLES), cutoff=0.0)
    raise InputError(f"example: found {name!r}, expected one of {', '.join(closest)}")


def _retina() -> Labelled:
    """Rosenblatt's demonstration of 1958: is the square on the left or on the right of 400 photo-cells?

    Every filled square of side 4, 6 or 8 that fits into one half of the 20 × 20 cells: 466 pictures, the same ones in
    the same order on every machine.
    """
    squares = list(_squares())
    n = len(squares)
    X = np.zeros((n, SIDE, SIDE))
    labels = []
    for k in range(n):
        side, top, left = squares[k * STRIDE % n]
        X[k, top : top + side, left : left + side] = 1
        labels.append("left" if left < SIDE // 2 else "right")
    return X.reshape(n, SIDE * SIDE), np.array(labels)


def _squares() -> Iterator[tuple[int, int, int]]:
    """Yield side, top and left edge of every square; each square on the left is followed by its mirror on the right."""
    half = SIDE // 2
    for side in SQUARES:
        for top in range(SIDE - side + 1):
            for left in range(half - side + 1):
                yield side, top, left
                yield side, top, left + half
