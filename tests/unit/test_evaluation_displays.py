"""The confusion matrix, errors against the number of training examples, and mean images: what they draw."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from matplotlib.figure import Figure
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import confusion_matrix

import novikoff as nv
from data.small_sets import fit_quietly
from novikoff.plot.displays.weight_images import weights_of
from novikoff.plot.evaluation.contributions_display import contributions_of
from novikoff.plot.evaluation.sample_size_display import SampleSizeErrors, sample_size_errors

IRIS = nv.example("iris")


def ax() -> Any:
    return Figure().add_subplot()


def test_the_confusion_matrix_has_the_counts_and_the_shares_of_each_row() -> None:
    X, y = IRIS
    clf = fit_quietly(nv.Perceptron(max_iter=3), X, y)
    display = nv.ConfusionDisplay.from_estimator(clf, X, y, ax=ax())
    wanted = confusion_matrix(y, clf.predict(X))
    assert display.counts.tolist() == wanted.tolist()
    (panel,) = display.panels
    texts = {(note.y, note.x): note.text for note in panel.named("count")}
    for (i, j), n in np.ndenumerate(wanted):
        assert texts.get((i, j)) == (f"{n}\n{100 * n / 50:.1f} %" if n else None)
    assert panel.named("shares")[0].values.sum(axis=1) == pytest.approx(1)
    assert panel.x_ticks == panel.y_ticks == ("setosa", "versicolor", "virginica")
    assert [t.get_text() for t in display.ax_.get_xticklabels()] == ["setosa", "versicolor", "virginica"]
    assert display.ax_.get_ylim() == (2.5, -0.5)  # the first class is at the top
    wrong = int(wanted.sum() - np.trace(wanted))
    assert panel.title.startswith(f"{wrong} of 150 points get another class\nmost often ")
    sparse = nv.ConfusionDisplay.from_estimator(clf, sp.csr_matrix(X), y, ax=ax())
    assert sparse.counts.tolist() == wanted.tolist()


def test_the_most_confused_pair_has_the_outline() -> None:
    display = nv.ConfusionDisplay([[5, 3, 0], [3, 1, 0], [0, 2, 90]], ["a", "b", "c"])
    assert display.most_confused == (1, 0)  # 3 of 4, against 3 of 8
    (outline,) = display.panels[0].named("most confused")
    assert (outline.x.mean(), outline.y.min() < 1 < outline.y.max()) == (pytest.approx(0, abs=0.1), True)
    assert display.panels[0].title == "8 of 104 points get another class\nmost often b gets a: 3"
    assert display.to_text().split("\n")[4].split() == ["b", "3*", "1", "0"]
    right = nv.ConfusionDisplay([[2, 0], [0, 0]], [0, 1])  # a class without points
    assert right.most_confused is None
    assert not right.panels[0].named("most confused")
    assert right.panels[0].title == "0 of 2 points get another class"


def test_given_predictions_and_many_classes() -> None:
    display = nv.ConfusionDisplay.from_predictions(["a", "b", "b"], ["a", "c", "b"], ax=ax())
    assert (display.classes, display.counts.tolist()) == (["a", "b", "c"], [[1, 0, 0], [0, 1, 1], [0, 0, 0]])
    many = nv.ConfusionDisplay(np.diag(np.arange(1, 21)), list(range(20)))
    assert {note.text for note in many.panels[0].named("count")} == {str(k) for k in range(1, 21)}
    for wrong, message in (
        (lambda: nv.ConfusionDisplay([[1, 2]], ["a", "b"]), "counts: found int64 of shape"),
        (lambda: nv.ConfusionDisplay([[0.5]], ["a"]), "counts: found float64"),
        (lambda: nv.ConfusionDisplay(np.eye(31, dtype=int), list(range(31))), "classes: found 31; 1 to 30"),
        (lambda: nv.ConfusionDisplay.from_predictions([1, 2], [1]), "y_pred"),
        (lambda: nv.ConfusionDisplay.from_estimator(nv.Perceptron(), *IRIS), "call fit first"),
    ):
        with pytest.raises(nv.InputError, match=message):
            wrong()


def test_curves_are_the_means_and_bands_the_extremes_over_the_seeds() -> None:
    training, held_out = np.array([[0.0, 0.1], [0.2, 0.3]]), np.array([[0.5, 0.2], [0.4, 0.4]])
    errors = SampleSizeErrors(np.array([10, 100]), training, held_out, 7)
    (panel,) = nv.SampleSizeDisplay(errors).panels
    assert panel.named("training")[0].y == pytest.approx([10, 20])
    assert panel.named("held out")[0].y == pytest.approx([45, 30])
    (band,) = panel.named("held out band")
    assert list(zip(band.x, band.y, strict=True)) == [(10, 40), (100, 20), (100, 40), (10, 50)]
    assert panel.x_log
    assert panel.x_places == (10, 100)
    assert panel.title == "7 points held out\nmean of 2 seeds; bands: smallest to largest"
    assert len({panel.named(name)[0].style for name in ("training", "held out")}) == 2


@pytest.mark.parametrize("model", [nv.Perceptron(max_iter=3), LogisticRegression(max_iter=50)])
def test_held_out_points_are_never_trained_on_and_every_size_has_every_class(model: Any) -> None:
    X, y = IRIS
    seen = []

    class Recorder(type(model)):  # type: ignore[misc]
        def fit(self, X: Any, y: Any) -> Any:
            seen.append((X, y))
            return super().fit(X, y)

        def predict(self, X: Any) -> Any:
            seen[-1] += (X,)
            return super().predict(X)

    numbered = np.column_stack([X, np.arange(len(y))])
    found = sample_size_errors(Recorder(**model.get_params()), numbered, y, sizes=[3, 30, 120], seeds=2)
    assert (found.sizes.tolist(), found.n_held_out) == ([3, 30, 120], 30)
    assert found.training.shape == found.held_out.shape == (2, 3)
    for X_train, y_train, X_again, X_test in seen:
        assert np.array_equal(X_train, X_again)
        assert set(y_train) == set(y)
        assert not set(X_train[:, -1]) & set(X_test[:, -1])
    rows = [set(X_train[:, -1]) for X_train, *_ in seen]
    assert rows[0] < rows[1] < rows[2]
    assert rows[2] != rows[5]
    assert [len(part) for part in rows] == [3, 30, 120] * 2


def test_errors_are_those_of_a_model_that_is_fitted_by_hand() -> None:
    X, y = IRIS
    found = sample_size_errors(nv.Perceptron(max_iter=5), sp.csr_matrix(X), y, sizes=[120], seeds=1)
    dense = sample_size_errors(nv.Perceptron(max_iter=5), X, y, sizes=[120], seeds=1)
    assert found.held_out.tolist() == dense.held_out.tolist()  # the same bits from every storage
    order = np.random.default_rng(0).permutation(150)
    parts = [order[np.asarray(y)[order] == label] for label in np.unique(y)]
    test = np.concatenate([part[:10] for part in parts])
    first, rest = [part[10] for part in parts], {int(i) for part in parts for i in part[11:]}
    train = np.array(first + [i for i in order if int(i) in rest])
    clf = fit_quietly(nv.Perceptron(max_iter=5), X[train], np.asarray(y)[train])
    assert dense.held_out[0, 0] == pytest.approx(1 - clf.score(X[test], np.asarray(y)[test]))
    assert dense.training[0, 0] == pytest.approx(1 - clf.score(X[train], np.asarray(y)[train]))


def test_a_ring_marks_the_sizes_at_which_a_run_was_stopped() -> None:
    """Two flowers are separated; 80 of versicolor and virginica are not: a limit ends one run, a proof the other."""
    X, y = IRIS[0][50:], IRIS[1][50:]
    found = sample_size_errors(nv.Perceptron(max_iter=1000), X, y, sizes=[2, 80], seeds=2)
    assert found.stop_reasons == (("separated", "max_passes"), ("separated", "not_separable"))
    panel = nv.SampleSizeDisplay(found).panels[0]
    (rings,) = panel.named("stopped")
    assert rings.x.tolist() == [80]
    assert rings.y == pytest.approx([100 * found.training[:, 1].mean()])
    assert rings.label == "ended by max_passes, not_separable"
    assert not nv.SampleSizeDisplay(SampleSizeErrors(*list(vars(found).values())[:4])).panels[0].named("stopped")


def test_sizes_by_default_and_wrong_ones() -> None:
    X, y = IRIS
    clf = nv.Perceptron(max_iter=2)
    display = nv.SampleSizeDisplay.from_estimator(clf, X, y, seeds=1, ax=ax())
    assert (display.errors.sizes[0], display.errors.sizes[-1], len(display.errors.sizes)) == (10, 120, 8)
    assert not hasattr(clf, "coef_")
    assert not display.panels[0].named("training band")
    assert display.panels[0].title.endswith("one seed")
    for how, message in (
        ({"sizes": [2]}, "from 3 .one of each class. to 120"),
        ({"sizes": [121]}, "sizes: found"),
        ({"sizes": [10.5]}, "sizes: found 10.5"),
        ({"sizes": []}, "sizes"),
        ({"seeds": 0}, "seeds: found 0"),
        ({"held_out": 1.0}, "held_out: found 1.0"),
        ({"held_out": 0.01}, "0 of 150 points to hold out"),
    ):
        with pytest.raises(nv.InputError, match=message):
            nv.SampleSizeDisplay.from_estimator(clf, X, y, **how)  # type: ignore[arg-type]
    with pytest.raises(nv.InputError, match="found 1 class and"):
        nv.SampleSizeDisplay.from_estimator(clf, X, ["a"] * 150)


def test_mean_images_are_below_the_weights_of_their_class() -> None:
    X, y = nv.example("digits")
    clf = fit_quietly(nv.Perceptron(max_iter=1), X[:300], y[:300])
    display = weights_of(clf, X=sp.csr_matrix(X), y=y)
    names = [panel.title for panel in display.panels]
    assert names[:10] == ["0", "1", "2", "3", "4", *(f"mean of {k}" for k in range(5))]
    assert (len(names), display.columns) == (30, 5)
    scores = np.asarray(X) @ clf.coef_.T + clf.intercept_
    for k in range(10):
        (cells,) = display.panels[names.index(f"mean of {k}")].named("mean")
        assert cells.values.ravel() == pytest.approx(np.asarray(X)[np.asarray(y) == k].mean(axis=0))
        assert cells.largest == display.means.max()
        other = int(np.argmax(np.where(np.asarray(y) == k, -np.inf, scores[:, k])))
        panel = display.panels[names.index(f"mean of {k}") + 5]
        assert panel.title == f"closest to {k}: {y[other]}"
        assert panel.named("closest")[0].values.ravel().tolist() == np.asarray(X)[other].tolist()
    pairs = fit_quietly(nv.Perceptron(multi_class="ovo", max_iter=2), *IRIS)
    drawn = nv.WeightsDisplay.from_estimator(pairs, (2, 2), *IRIS, ax=Figure().subplots(2, 3))
    assert [panel.title for panel in drawn.panels][3:] == ["mean of setosa", "mean of versicolor", "mean of virginica"]
    retina = fit_quietly(nv.Perceptron(max_iter=1), *nv.example("retina"))
    both = weights_of(retina, None, nv.WeightsDisplay, *nv.example("retina"))
    assert [panel.title for panel in both.panels] == [
        "right (+) against left (−)", "mean of left", "mean of right", "closest to left: right",
        "closest to right: left",
    ]  # fmt: skip
    with pytest.raises(nv.InputError, match="X: found 4 columns; 64 were expected"):
        weights_of(clf, X=np.ones((10, 4)), y=np.arange(10))


# what each column adds to one score


@pytest.mark.parametrize("name", ["spam", "breast-cancer", "iris", "digits"])
def test_the_bars_of_a_waterfall_sum_to_the_score(name: str) -> None:
    X, y = nv.example(name)
    clf = fit_quietly(nv.Perceptron(max_iter=2), X, y)
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
