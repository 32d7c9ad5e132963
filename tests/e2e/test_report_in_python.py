"""The report of a data set in Python: its numbers are those of the functions, its pictures show the points."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import novikoff as nv
from oracles.html_tree import Node, parsed

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::UserWarning")]
ORDER = ["data", "verdict", "margin", "capacity", "learners", "confusion", "weights"]
EVIL = "<script>alert(1)</script>"


def blobs(n: int = 60, d: int = 2, gap: float = 0.0, classes: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """Points around one centre for each class."""
    rng = np.random.default_rng(7)
    y = np.arange(n) % classes
    X = np.round(rng.normal(size=(n, d)), 2)
    X[:, 0] += (2 + gap) * y
    return X, y


@pytest.fixture(scope="module")
def overlapping() -> tuple[Any, Node, Any, Any]:
    X, y = blobs()
    found = nv.report(X, y, title="blobs")
    return found, parsed(found.to_html()), X, y


@pytest.fixture(scope="module")
def separable() -> tuple[Any, Node, Any, Any]:
    X, y = blobs(d=3, gap=9)
    found = nv.report(X, y)
    return found, parsed(found.to_html()), X, y


def test_the_sections_are_in_order_and_linked(overlapping: tuple[Any, Node, Any, Any]) -> None:
    tree = overlapping[1]
    assert [node["id"] for node in tree.all("section")] == ORDER
    assert [node["href"] for node in tree.one("nav").all("a")] == [f"#{name}" for name in ORDER]
    assert not tree.all("script")
    assert len(set(tree.ids())) == len(tree.ids())


# ---- pictures ------------------------------------------------------------------------------------------------------


def marks(tree: Node) -> dict[str, int]:
    """How many marks of each shape the picture of the points has."""
    picture = tree.by_id("data").all("svg")[0]
    kinds = ("square", "circle", "triangle", "diamond")
    return {kind: n for kind in kinds if (n := len(picture.all(kind=kind)))}


def test_more_features_are_drawn_on_their_true_side(separable: tuple[Any, Node, Any, Any]) -> None:
    tree = separable[1]
    picture = tree.by_id("data").all("svg")[0]
    (line,) = [node for node in picture.all("polyline") if node.attributes.get("data-of") == "boundary"]
    first, last = (float(pair.split(",")[0]) for pair in line["points"].split())
    assert first == last
    assert all(float(mark["cx"]) > first for mark in picture.all("circle", "circle"))
    assert all(float(mark["points"].split(",")[0]) < first for mark in picture.all("polygon", "square"))
    assert marks(tree) == {"circle": 30, "square": 30}


def test_more_than_2000_points_are_thinned_and_the_page_stays_small() -> None:
    X, y = blobs(n=3000, gap=9)
    page = nv.report(X, y).to_html()
    tree = parsed(page)
    assert marks(tree) == {"circle": 1000, "square": 1000}
    assert "2,000 of 3,000 points are drawn, evenly thinned." in tree.by_id("data").text
    assert len(page.encode()) <= 2_000_000


# ---- input ---------------------------------------------------------------------------------------------------------


def test_names_labels_and_the_title_are_text() -> None:
    X, y = blobs(n=20, gap=9)
    frame = pd.DataFrame(X, columns=[EVIL, "b"])
    tree = parsed(nv.report(frame, np.where(y, EVIL, "<b>x</b>"), title=EVIL).to_html())
    assert not [node for node in tree.all() if node.name in ("script", "b")]
    assert tree.one("h1").text == f"Report on {EVIL}"
    assert EVIL in tree.by_id("weights").text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y": [1, 1, 1, 1]}, "y: found one class, 1; two or more were expected"),
        ({"max_time": 0}, "max_time: found 0; a finite number above 0 was expected"),
        ({"fit_intercept": "yes"}, "fit_intercept: found 'yes'; True or False was expected"),
        ({"X": [[1, math.nan]] * 4}, "X"),
    ],
)
def test_bad_input_is_a_sentence(change: dict[str, Any], message: str) -> None:
    X, y = nv.example("cornwell")
    given = {"X": X, "y": y, **change}
    with pytest.raises(nv.InputError, match=message):
        nv.report(**given)


def test_a_part_that_is_stopped_by_the_time_limit_says_so() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 20)), rng.integers(0, 2, 300)
    found = nv.report(X, y, max_time=1e-9)
    tree = parsed(found.to_html())
    assert found.separable is None
    assert "undecided within the time limit" in tree.one(kind="lead").text
    assert "was not decided in time" in tree.by_id("margin").text
    rows = {row[0]: row[4] for row in tree.by_id("learners").one("table").rows()[1:]}
    assert set(rows.values()) == {"the time limit was reached", "not found within the time limit"}


def test_save_writes_the_page_and_nothing_on_error(tmp_path: Path) -> None:
    found = nv.report(*nv.example("cornwell"))
    found.save(tmp_path / "r.html")
    assert (tmp_path / "r.html").read_text("utf-8") == found.to_html()
    with pytest.raises(nv.InputError, match="cannot be written"):
        found.save(tmp_path / "none" / "r.html")
    assert [path.name for path in tmp_path.iterdir()] == ["r.html"]


def test_the_page_is_the_same_every_time() -> None:
    X, y = blobs(n=30)
    assert nv.report(X, y).to_html() == nv.report(sparse.csr_matrix(X), y).to_html()
