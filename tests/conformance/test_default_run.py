"""The default run: ten passes in order, then shuffled ones; separating weights, or the average from pass 11 on.

The reference runs in fractions. The same bits come from every storage, engine and division into stretches, compiled or
interpreted, and after every interruption.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from data.resumed import fitted, info, points, same_from_everywhere
from data.small_sets import fit_quietly, noisy_teacher
from data.storages import storages_of
from novikoff.data.examples import example, passes_through_origin
from novikoff.perceptron import run_state
from novikoff.perceptron.orders import Order, rows_of_pass
from novikoff.perceptron.trace import trace

pytestmark = pytest.mark.filterwarnings("ignore::novikoff.estimators.perceptron_estimator.NotSeparatedWarning")


def whole_points(n: int = 40, d: int = 3, classes: int = 2, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Integer points and noisy labels."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-9, 10, (n, d)).astype(float)
    scores = X @ rng.normal(size=(d, classes)) + 5 * rng.normal(size=(n, classes))
    return X, scores.argmax(axis=1)


def reference(X: np.ndarray, signs: np.ndarray, passes: int, seed: int = 0) -> tuple[list[Any], list[Any], bool]:
    """(last weights, mean of the weights after each look from pass 11 on or of all, whether a pass was clean)."""
    Z = [[*map(Fraction, x.tolist()), Fraction(1)] for x in X]
    w, sums, looks = [Fraction(0)] * len(Z[0]), [Fraction(0)] * len(Z[0]), 0
    for number in range(passes):
        clean = True
        if number == 10:
            sums, looks = [Fraction(0)] * len(w), 0
        rows = range(len(Z)) if number < 10 else rows_of_pass("shuffle", len(Z), seed, number).tolist()
        for i in rows:
            s = int(signs[i])
            if s * sum(a * b for a, b in zip(w, Z[i], strict=True)) <= 0:
                w, clean = [a + s * b for a, b in zip(w, Z[i], strict=True)], False
            sums, looks = [a + b for a, b in zip(sums, w, strict=True)], looks + 1
        if clean:
            return w, w, True
    return w, [a / looks for a in sums], False


def same_numbers(found: np.ndarray, wanted: list[Any]) -> bool:
    return bool(np.allclose(found, [float(v) for v in wanted], rtol=1e-12, atol=1e-12))


@pytest.mark.parametrize("passes", [1, 7, 10, 11, 12, 25])
def test_two_classes_as_in_fractions(passes: int, both_modes: None) -> None:
    for seed in (0, 5):
        X, y = whole_points(seed=seed)
        clf = nv.Perceptron(max_iter=passes, random_state=seed).fit(X, y)
        last, average, clean = reference(X, 2 * y - 1, passes, seed)
        assert not clean
        assert same_numbers(np.append(clf.coef_, clf.intercept_), average)
        assert clf.n_looks_ == passes * len(y)
        assert clf.order_ == ("cyclic" if passes < 11 else "shuffle")
        kept = nv.Perceptron(max_iter=passes, random_state=seed, keep="last").fit(X, y)
        assert [Fraction(v) for v in np.append(kept.coef_, kept.intercept_).tolist()] == last


@pytest.mark.parametrize("passes", [5, 30])
def test_a_plane_of_many_classes_is_its_separating_weights_or_its_average(passes: int, both_modes: None) -> None:
    X, y = whole_points(60, 2, 3)
    X[y == 2] += 40  # this class is separated in the first passes
    clf = nv.Perceptron(max_iter=passes, multi_class="ova").fit(X, y)
    rest = []
    for k in range(3):
        _, wanted, clean = reference(X, np.where(y == k, 1, -1), passes)
        rest.append(clean)
        assert same_numbers(np.append(clf.coef_[k], clf.intercept_[k]), wanted)
    assert passes == 5 or rest == [False, False, True]


def test_a_run_that_separates_returns_its_last_weights_and_no_average() -> None:
    X, y = whole_points(n=12, d=5, seed=3)
    clf = nv.Perceptron().fit(X, y)
    assert clf.stop_reason_ == "separated"
    last, _, clean = reference(X, 2 * y - 1, clf.n_iter_)
    assert clean
    assert [Fraction(v) for v in np.append(clf.coef_, clf.intercept_).tolist()] == last
    assert clf.score(X, y) == 1.0


@pytest.mark.parametrize("name", ["tao", "cornwell", "spam", "or", "and"])
def test_C5_Z3_T3_lecture_examples_come_out_as_on_the_slides_with_default_options(name: str) -> None:
    X, y = example(name)
    bias = not passes_through_origin(name)
    clf, slide = nv.Perceptron(fit_intercept=bias).fit(np.array(X, float), y), trace(X, y, fit_intercept=bias)
    w = [*clf.coef_[0].tolist(), *(clf.intercept_.tolist() if bias else [])]
    assert (clf.stop_reason_, clf.n_updates_) == ("separated", len(slide.steps))
    assert tuple(Fraction(v) for v in w) == slide.w


def test_Z12_xor_is_proved_not_separable_by_its_four_points() -> None:
    clf = nv.Perceptron().fit(*nv.example("xor"))
    assert (clf.stop_reason_, clf.n_iter_, clf.cycle_counts_.tolist()) == ("cycle", 20, [1, 1, 1, 1])


def test_the_default_is_repeatable_and_its_seed_is_0() -> None:
    X, y = noisy_teacher()
    one, two, three = (nv.Perceptron(random_state=seed).fit(X, y) for seed in (None, 0, 1))
    assert one.seed_ == two.seed_ == 0
    assert info(one, X) == info(two, X)
    assert one.coef_.tobytes() != three.coef_.tobytes()


def test_validation_returns_the_best_average() -> None:
    X, y = whole_points(80)
    V, v = whole_points(60, seed=0)
    V = V + 1
    clf = nv.Perceptron(max_iter=15, valid_patience=100).fit(X, y, X_valid=V, y_valid=v)
    averages = [reference(X, 2 * y - 1, k)[1] for k in range(1, 16)]
    errors = [sum((2 * t - 1) * (np.append(x, 1) @ np.array(w, float)) <= 0 for x, t in zip(V, v, strict=True))
              for w in averages]  # fmt: skip
    assert clf.history_["valid_errors"] == errors
    assert same_numbers(np.append(clf.coef_, clf.intercept_), averages[int(np.argmin(errors))])


def test_a_stream_returns_the_average() -> None:
    X, y = noisy_teacher()
    found, wanted = (nv.Perceptron(keep=keep).partial_fit(X, y) for keep in ("auto", "average"))
    assert found.coef_.tobytes() == wanted.coef_.tobytes()


def test_a_warm_start_in_parts_is_the_whole_run() -> None:
    X, y = noisy_teacher()
    whole, parts = nv.Perceptron(max_iter=30).fit(X, y), nv.Perceptron(max_iter=6, warm_start=True)
    for _ in range(5):
        parts.fit(X, y)
    assert parts.coef_.tobytes() == whole.coef_.tobytes()
    assert (parts.n_looks_, parts.n_iter_) == (whole.n_looks_, whole.n_iter_)


# ---- the same bits -------------------------------------------------------------------------------------------------


def learned(clf: Any) -> tuple[Any, ...]:
    verdicts = clf.verdict_ if isinstance(clf.verdict_, dict) else {0: clf.verdict_}
    proofs = [(name, None if v is None else (v.separable, v.support, v.weights)) for name, v in verdicts.items()]
    counts = (clf.stop_reason_, clf.n_iter_, clf.n_updates_, clf.n_looks_, clf.n_mistakes_.tolist())
    return clf.coef_.tobytes(), clf.intercept_.tobytes(), counts, proofs


@pytest.mark.parametrize("classes", [2, 3])
def test_every_storage_engine_and_division_into_stretches(classes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = whole_points(50, 3, classes)
    wanted = learned(nv.Perceptron().fit(X, y))
    assert wanted[2][:2] == ("not_separable", 20)
    for name, stored in list(storages_of(X))[:: 1 if classes == 2 else 5]:
        assert learned(nv.Perceptron().fit(stored, y)) == wanted, name
    with nv.engine("threads", workers=2) as engine:
        assert learned(nv.Perceptron(engine=engine).fit(X, y)) == wanted
    for numbers in (4, 30, 200):
        monkeypatch.setattr(run_state, "NUMBERS_AT_ONCE", numbers)
        assert learned(nv.Perceptron().fit(X, y)) == wanted


@pytest.mark.compiled
def test_interpreted_and_compiled_runs_ask_and_end_alike(run_kernels: Any) -> None:
    found = []
    for mode in ("interpreted", "compiled"):
        run_kernels(mode)
        for classes in (2, 3):
            found.append(learned(nv.Perceptron().fit(*whole_points(60, 6, classes, seed=2))))
    assert found[:2] == found[2:]
    assert {one[2][0] for one in found} == {"not_separable"}


@pytest.mark.parametrize("scheme", ["two", "ova", "ovo", "joint"])
def test_a_run_that_is_interrupted_anywhere_is_the_same_run(scheme: str, tmp_path: Path) -> None:
    classes = 2 if scheme == "two" else 3
    X, y = points(8 if classes == 2 else 6, classes, 25)
    how = {"max_iter": 100 if scheme != "joint" else 14}
    how |= {} if scheme == "two" else {"multi_class": scheme}
    states = same_from_everywhere(X, y, how, tmp_path, numbers=60, most=8)
    assert states > 10


def test_one_point_with_both_labels_is_found_where_no_other_proof_has_work_enough() -> None:
    """A table of categories: few rows, many columns, and rows alike but for the label."""
    rng = np.random.default_rng(0)
    X, y = np.eye(90)[rng.integers(0, 90, 200)], rng.integers(0, 2, 200)
    clf = nv.Perceptron().fit(X, y)
    assert (clf.stop_reason_, clf.n_iter_) == ("not_separable", 20)
    one, two = clf.verdict_.support
    assert (X[one] == X[two]).all()
    assert y[one] != y[two]
    apart = np.column_stack([X, np.arange(200.0)])  # no two rows are alike
    assert fit_quietly(nv.Perceptron(), apart, y).stop_reason_ == "train_stalled"


def test_a_resumed_run_asks_nothing_that_was_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from data.resumed import gone_on, written_always
    from novikoff.estimators.decide_in_training import DecideInTraining
    from novikoff.records.container import unpack

    X, y = noisy_teacher()
    asked: list[int] = []
    decide = DecideInTraining.decide

    def counted(self: Any, *request: Any) -> Any:
        asked.append(1)
        return decide(self, *request)

    monkeypatch.setattr(DecideInTraining, "decide", counted)
    with written_always() as states:
        wanted = info(fitted(X, y, {}, checkpoint=tmp_path), X)
        assert len(asked) == 1
        for state in states[:-1]:
            record = unpack(state, "novikoff-checkpoint/1").record["state"]
            asked.clear()
            assert info(gone_on(state, X, y, {}, tmp_path), X) == wanted
            assert len(asked) == (record["questions"]["next"] == 10)


def test_an_order_of_one_pass_is_found_from_its_number() -> None:
    auto = Order("auto", 7)
    assert [auto.of_pass(number) for number in (0, 1, 10)] == [Order("cyclic")] * 3
    assert auto.of_pass(11) == Order("shuffle", 7)
    assert rows_of_pass("auto", 9, 7, 9).tolist() == list(range(9))
    assert rows_of_pass("auto", 9, 7, 10).tolist() == rows_of_pass("shuffle", 9, 7, 10).tolist()
