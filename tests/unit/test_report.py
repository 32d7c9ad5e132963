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
from novikoff.data.format_numbers import ends_in_words
from novikoff.data_report.capacity_section import capacity_of, cover_figure
from novikoff.data_report.compared_learners import NAMES
from novikoff.data_report.report import Report
from novikoff.data_report.weights_table import largest_weights
from novikoff.pages.window import ACROSS, LEFT
from novikoff.scoring.metrics import wilson
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
def overlapping() -> tuple[Report, Node, Any, Any]:
    X, y = blobs()
    found = nv.report(X, y, title="blobs")
    return found, parsed(found.to_html()), X, y


@pytest.fixture(scope="module")
def separable() -> tuple[Report, Node, Any, Any]:
    X, y = blobs(d=3, gap=9)
    found = nv.report(X, y)
    return found, parsed(found.to_html()), X, y


def test_the_sections_are_in_order_and_linked(overlapping: tuple[Report, Node, Any, Any]) -> None:
    tree = overlapping[1]
    assert [node["id"] for node in tree.all("section")] == ORDER
    assert [node["href"] for node in tree.one("nav").all("a")] == [f"#{name}" for name in ORDER]
    assert not tree.all("script")
    assert len(set(tree.ids())) == len(tree.ids())


def test_the_verdict_is_that_of_decide(overlapping: tuple[Report, Node, Any, Any]) -> None:
    found, tree, X, y = overlapping
    verdict = nv.decide(X, y)
    section = tree.by_id("verdict")
    assert found.separable is verdict.separable is False
    assert section.one("pre").text == verdict.explain()
    names = [node.attributes.get("data-of") for node in section.all()]
    assert {"edges 0", "edges 1", "common"} <= set(names)
    assert "No plane separates the points, so there is no margin" in tree.by_id("margin").text


def test_the_margin_is_that_of_margin(separable: tuple[Report, Node, Any, Any]) -> None:
    found, tree, X, y = separable
    m = nv.margin(X, y)
    assert found.margin is not None
    assert found.margin.mistake_bound == m.mistake_bound
    assert tree.by_id("margin").one("pre").text == str(m)


@pytest.mark.filterwarnings("ignore::novikoff.NotSeparatedWarning")
def test_the_learners_errors_are_those_of_the_estimators(overlapping: tuple[Report, Node, Any, Any]) -> None:
    found, tree, X, y = overlapping
    held = np.arange(len(y)) % 5 == 4
    estimators = {
        "perceptron": nv.Perceptron(),
        "pocket": nv.Perceptron(keep="pocket"),
        "average": nv.Perceptron(keep="average"),
        "soft": nv.SoftMargin(),
    }
    rows = {row[0]: row[1:] for row in tree.by_id("learners").one("table").rows()[1:]}
    for one in found.learners:
        if one.key == "maxmargin":
            assert rows[one.name] == ["–", "–", "–", "no plane separates the training rows"]
            continue
        clf = estimators[one.key].fit(X[~held], y[~held])
        wrong = [int((clf.predict(part) != own).sum()) for part, own in ((X[~held], y[~held]), (X[held], y[held]))]
        assert [one.train_errors, one.test_errors] == wrong
        ends = ends_in_words(wilson(12 - wrong[1], 12), ".2f", " to ", 100)
        expected = [f"{wrong[0]} of 48", f"{wrong[1]} of 12", f"{100 * (1 - wrong[1] / 12):.2f} % (95 %: {ends})"]
        assert one.to_dict()["test_accuracy_interval"] == list(wilson(12 - wrong[1], 12))
        ended = {
            "not_separable": "no plane separates the points, which is proved",
            "gap": "the requested gap is proved",
            "train_stalled": "the training error stopped falling",
        }[clf.stop_reason_]
        assert rows[one.name] == [*expected, ended]
        assert np.array_equal(one.model.coef_, clf.coef_)


def test_the_confusion_is_counted_on_the_held_out_rows(overlapping: tuple[Report, Node, Any, Any]) -> None:
    found, tree, X, y = overlapping
    held = np.arange(len(y)) % 5 == 4
    model = found.learners[0].model
    called = model.predict(X[held])
    expected = [[int(((y[held] == a) & (called == b)).sum()) for b in (0, 1)] for a in (0, 1)]
    rows = tree.by_id("confusion").all("table")[0].rows()
    assert [[int(v) for v in row[1:]] for row in rows[1:]] == expected


def test_the_weights_are_the_largest_of_the_perceptron(separable: tuple[Report, Node, Any, Any]) -> None:
    found, tree, _, _ = separable
    model = found.learners[0].model
    rows = tree.by_id("weights").one("table").rows()[1:]
    order = np.argsort(-np.abs(model.coef_[0]), kind="stable")
    shown = [(f"x{j + 1}", f"{model.coef_[0][j]:.6g}".replace("-", "−")) for j in order if model.coef_[0][j]]
    assert [(row[0], row[1]) for row in rows] == [*shown, ("(bias)", f"{model.intercept_[0]:.6g}".replace("-", "−"))]


def test_weights_are_turned_to_the_positive_class_and_cut() -> None:
    X, y = blobs(d=30, gap=9)
    model = nv.MaxMargin().fit(X, np.where(y == 1, "no", "yes"))
    model.fit_intercept = True
    (group,) = largest_weights(model, None)  # classes no, yes: yes is positive and sorts last
    (turned,) = largest_weights(model, None, "no")
    assert [value for _, value in turned.rows] == [-value for _, value in group.rows]
    assert len(group.rows) == 20
    assert group.title.endswith("10 smaller ones are not listed")


def test_every_part_has_what_reproduces_it(separable: tuple[Report, Node, Any, Any]) -> None:
    found, tree, _, _ = separable
    for name in ORDER:
        codes = [node.text for node in tree.by_id(name).all("code")]
        assert codes
        assert set(codes) <= set(found.commands.values())


@pytest.mark.parametrize(
    ("n", "d", "bias"), [(4, 2, True), (40, 3, True), (60, 3, True), (40, 20, False), (5000, 3, True)]
)
def test_the_capacity_is_cover_s_count(n: int, d: int, bias: bool) -> None:
    found = capacity_of(n, d, bias)
    exact = nv.separable_fraction(n, d, fit_intercept=bias)
    assert found.fraction == pytest.approx(float(exact), rel=1e-9, abs=1e-300)
    assert found.log10_count == pytest.approx(math.log10(nv.cover_count(n, d, fit_intercept=bias)))
    assert found.fraction_in_words == (f"{float(exact):.10g}" if float(exact) else f"10^({found.log10_fraction:.10g})")
    tree, ratio = parsed(cover_figure(found)), n / found.parameters
    end = 1.03 * (max(4.0, ratio) if ratio <= 12 else 4.0)
    (curve,) = [node for node in tree.all("polyline") if node.attributes.get("data-of") == f"theory {found.parameters}"]
    drawn = [tuple(map(float, pair.split(","))) for pair in curve["points"].split()]
    for px, py in drawn:
        at = (px - LEFT) / ACROSS * end * found.parameters
        if abs(at - round(at)) < 0.02 and found.parameters < 10:
            height = float(nv.separable_fraction(round(at), found.parameters))
            assert py == pytest.approx(332 - (height + 0.03) / 1.08 * 308, abs=0.06)
    mark = [node for node in tree.all("g") if node.attributes.get("data-of") == "data"]
    if ratio > 12:
        assert not mark
        assert f"data: P/N = {ratio:,.4g} →" in tree.text
        assert f"this data set, at P/N = {ratio:,.4g}, is beyond the right edge" in tree.text
    else:
        assert float(mark[0].one("circle")["cx"]) == pytest.approx(LEFT + ratio / end * ACROSS, abs=0.06)
        assert "the circle is this data set" in tree.text


# ---- pictures ------------------------------------------------------------------------------------------------------


def marks(tree: Node) -> dict[str, int]:
    """How many marks of each shape the picture of the points has."""
    picture = tree.by_id("data").all("svg")[0]
    kinds = ("square", "circle", "triangle", "diamond")
    return {kind: n for kind in kinds if (n := len(picture.all(kind=kind)))}


def test_two_features_are_drawn_as_they_are(overlapping: tuple[Report, Node, Any, Any]) -> None:
    assert marks(overlapping[1]) == {"circle": 30, "square": 30}


def test_more_features_are_drawn_on_their_true_side(separable: tuple[Report, Node, Any, Any]) -> None:
    tree = separable[1]
    picture = tree.by_id("data").all("svg")[0]
    (line,) = [node for node in picture.all("polyline") if node.attributes.get("data-of") == "boundary"]
    first, last = (float(pair.split(",")[0]) for pair in line["points"].split())
    assert first == last
    assert all(float(mark["cx"]) > first for mark in picture.all("circle", "circle"))
    assert all(float(mark["points"].split(",")[0]) < first for mark in picture.all("polygon", "square"))
    assert marks(tree) == {"circle": 30, "square": 30}


def test_one_feature_is_a_strip() -> None:
    X, y = blobs(d=1)
    tree = parsed(nv.report(X, y).to_html())
    picture = tree.by_id("data").all("svg")[0]
    assert [node.text for node in picture.all("text") if node["text-anchor"] == "end"] == ["0", "1"]  # the classes
    assert marks(tree) == {"circle": 24, "square": 24}  # the rows on which the plane was trained


def test_three_classes_have_pairs_and_three_shapes() -> None:
    X, y = blobs(classes=3, gap=1)
    found = nv.report(X, y)
    tree = parsed(found.to_html())
    assert marks(tree) == {"circle": 20, "square": 20, "triangle": 20}
    rows = tree.by_id("verdict").one("table").rows()[1:]
    verdicts = nv.decide_pairs(X, y)
    words = {True: "separable", False: "not separable"}
    assert [row[1] for row in rows] == [words[bool(v)] for v in verdicts.values()]
    assert "A margin is between two classes" in tree.by_id("margin").text
    assert len(tree.by_id("weights").all("table")) == 3


def test_more_than_2000_points_are_thinned_and_the_page_stays_small() -> None:
    X, y = blobs(n=3000, gap=9)
    page = nv.report(X, y).to_html()
    tree = parsed(page)
    assert marks(tree) == {"circle": 1000, "square": 1000}
    assert "2,000 of 3,000 points are drawn, evenly thinned." in tree.by_id("data").text
    assert len(page.encode()) <= 2_000_000


def test_a_thousand_features_have_a_page() -> None:
    rng = np.random.default_rng(0)
    page = nv.report(sparse.random(60, 1000, 0.05, random_state=0, format="csr"), rng.integers(0, 2, 60)).to_html()
    tree = parsed(page)
    assert len(page.encode()) <= 2_000_000
    assert (
        "The points and the plane of the largest margin: all 60 points are on their own side" in tree.by_id("data").text
    )
    assert "signed distance from the plane in 1,000 dimensions" in tree.by_id("data").text


# ---- input ---------------------------------------------------------------------------------------------------------


def test_names_labels_and_the_title_are_text() -> None:
    X, y = blobs(n=20, gap=9)
    frame = pd.DataFrame(X, columns=[EVIL, "b"])
    tree = parsed(nv.report(frame, np.where(y, EVIL, "<b>x</b>"), title=EVIL).to_html())
    assert not [node for node in tree.all() if node.name in ("script", "b")]
    assert tree.one("h1").text == f"Report on {EVIL}"
    assert EVIL in tree.by_id("weights").text


def test_few_rows_are_all_trained_on_and_this_is_said() -> None:
    found = nv.report(*nv.example("cornwell"))
    assert [one.test_errors for one in found.learners] == [None] * 5
    tree = parsed(found.to_html())
    assert tree.by_id("learners").all("p")[0].text.startswith("No rows are held out: ")
    assert tree.by_id("confusion").one("p").text.startswith("No rows are held out: ")


def test_without_a_bias_two_learners_are_left_out() -> None:
    found = nv.report(*nv.example("tao"), fit_intercept=False)
    assert [one.key for one in found.learners if one.model is None] == ["soft", "maxmargin"]
    assert "(bias)" not in found.to_html()


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


def test_the_notebook_shows_the_summary() -> None:
    tree = parsed(nv.report(*nv.example("or"))._repr_html_())
    assert tree.one("p", "lead").text == (
        "4 points, 2 features, 2 classes: separable. With 4 points and 3 parameters, at most 87.5 % of all labellings "
        "are separable: a perfect fit here means little."
    )
    assert [row[0] for row in tree.one("table").rows()[1:]] == list(NAMES.values())


def test_the_page_is_the_same_every_time() -> None:
    X, y = blobs(n=30)
    assert nv.report(X, y).to_html() == nv.report(sparse.csr_matrix(X), y).to_html()
