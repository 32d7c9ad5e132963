"""The waterfall: what each column adds to a score."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from matplotlib.figure import Figure

import novikoff as nv
from data.small_sets import fit_quietly
from novikoff.plot.displays.contributions_display import contributions_of

IRIS = nv.example("iris")


def ax() -> Any:
    return Figure().add_subplot()


@pytest.mark.parametrize("name", ["spam", "breast-cancer", "iris", "digits"])
def test_the_bars_of_a_waterfall_sum_to_the_score(name: str) -> None:
    X, y = nv.example(name)
    clf = fit_quietly(nv.Perceptron(max_iter=2, multi_class="ova"), X, y)
    for row in (0, 3):
        x = np.asarray(X, float)[row : row + 1]
        display = contributions_of(clf, sp.csr_matrix(x) if row else x, count=5)
        scores = np.ravel(clf.decision_function(x))
        k = 0 if len(scores) == 1 else clf.classes_.tolist().index(clf.predict(x)[0])
        assert display.score == pytest.approx(scores[k])
        assert sum(display.values[:-1]) == pytest.approx(display.score, abs=1e-9 * max(map(abs, display.values)))
        panel = display.panels[0]
        bars = panel.named("bar")
        assert len(bars) == len(display.names) == len(panel.y_ticks or ())
        for before, after in pairwise(bars[:-1]):
            assert after.x[0] == before.x[1]  # each begins where the one above ends
        assert (bars[0].x[0], bars[-1].x[0], bars[-1].x[1]) == (0.0, 0.0, display.score)
        products = clf.coef_[k] * x[0]
        order = np.argsort(-np.abs(products), kind="stable")[:5]
        shown = [f"x{j + 1}" for j in order if products[j]]
        assert display.names[1 : 1 + len(shown)] == shown


def test_a_waterfall_is_read_without_colours() -> None:
    display = nv.ContributionsDisplay([3.0, 0.0, -1.0, 0.5, -0.25], list("abcde"), -0.5, count=2, title="above 0: spam")
    assert display.names == ["bias", "a", "c", "2 more", "score"]
    assert display.ends.tolist() == [-0.5, 2.5, 1.5, 1.75, 1.75]
    panel = display.panels[0]
    assert [bar.hatch for bar in panel.named("bar")] == ["///", "", "///", "", ""]
    assert [note.text for note in panel.named("value")] == ["−0.5", "+3", "−1", "+0.25", "+1.75"]
    assert panel.title == "score +1.75\nabove 0: spam"
    assert nv.ContributionsDisplay([0.0], bias=None).names == ["score"]
    X, y = nv.example("cornwell")
    frame = pd.DataFrame(X, columns=["height", "width"])
    named = nv.ContributionsDisplay.from_estimator(nv.Perceptron().fit(frame, y), frame[:1], ax=ax())
    assert sorted(named.names) == ["bias", "height", "score", "width"]


def test_what_has_no_waterfall_is_an_error() -> None:
    X, y = nv.example("cornwell")
    two, many = nv.Perceptron().fit(X, y), fit_quietly(nv.Perceptron(max_iter=2), *IRIS)
    assert "the score of setosa" in contributions_of(many, IRIS[0][-1:], label="setosa").panels[0].title
    for wrong, message in (
        (lambda: contributions_of(nv.Perceptron(), X[:1]), "call fit first"),
        (lambda: contributions_of(nv.Perceptron(keep="vote").fit(X, y), X[:1]), "no single score"),
        (lambda: contributions_of(two, X), "X: found shape .4, 2.; one row of 2 numbers was expected"),
        (lambda: contributions_of(two, X[:1], label=1), "label: found a class"),
        (lambda: contributions_of(many, IRIS[0][:1], label="rose"), "label: found 'rose'"),
        (lambda: nv.ContributionsDisplay([np.nan]), "products: found numbers that are not finite"),
        (lambda: nv.ContributionsDisplay([1.0], ["a", "b"]), "names: found 2"),
        (lambda: nv.ContributionsDisplay([1.0], count=0), "count: found 0"),
    ):
        with pytest.raises(nv.InputError, match=message):
            wrong()
