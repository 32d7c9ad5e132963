"""The requirements of the notes, each by its id, through the fast path: `Perceptron` and `margins`."""

from __future__ import annotations

import itertools
import math
import warnings
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import novikoff as nv
from data.choices import KEEPS
from data.small_sets import fit_quietly
from oracles.slides import SLIDES, Slide

LECTURE = ["tao", "cornwell", "spam", "or", "xor", "and"]
SEPARABLE = [name for name in LECTURE if name != "xor"]

ORDERS = ("cyclic", "first", "shuffle", "random")  # the notes' own


def fit(X: Any, y: Any, start: Any = None, **how: Any) -> nv.Perceptron:
    """A fit whose limits do not warn; start = (w⁰, b⁰)."""
    init = {} if start is None else {"coef_init": start[0], "intercept_init": start[1]}
    return fit_quietly(nv.Perceptron(**how), X, y, **init)


def lecture(name: str, **how: Any) -> nv.Perceptron:
    X, y = nv.example(name)
    return fit(X, y, fit_intercept=name != "tao", **how)


def signs(y: Any) -> np.ndarray:
    """−1 for the class that sorts first, 1 for the other."""
    return np.where(np.asarray(y) == np.unique(y)[1], 1, -1)


def plane(clf: nv.Perceptron) -> list[float]:
    """(w, b)."""
    return [*clf.coef_[0].tolist(), *clf.intercept_.tolist()]


def small_sets(seed: int, count: int, n: int = 7, d: int = 2) -> list[tuple[np.ndarray, np.ndarray]]:
    """Small whole numbers with labels by chance: some sets are separable, some are not."""
    rng = np.random.default_rng(seed)
    sets = []
    for _ in range(count):
        X = rng.integers(-3, 4, (n, d)).astype(float)
        y = rng.choice([-1, 1], n)
        y[:2] = -1, 1
        sets.append((X, y))
    return sets


def overlapping(seed: int = 0, n: int = 60) -> tuple[np.ndarray, np.ndarray]:
    """Two clouds that no plane separates."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 3))
    return X, np.where(X[:, 0] + rng.standard_normal(n) > 0, 1, -1)


# the model


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_T1_Z7_a_strict_plane_or_a_proof_that_there_is_none(fit_intercept: bool) -> None:
    """On whole numbers a run ends in a plane with no point on it, or in counts by which the signed points sum to 0."""
    ends = set()
    for X, y in small_sets(1, 40):
        clf = fit(X, y, fit_intercept=fit_intercept, max_iter=None, train_patience=None)
        ends.add(clf.stop_reason_)
        if clf.stop_reason_ == "separated":
            sides = nv.margins(X, y, clf.coef_[0], clf.intercept_[0] if fit_intercept else None).sides
            assert (sides == y).all()  # and none is 0
            assert clf.cycle_counts_ is None
        else:
            assert clf.stop_reason_ == "cycle"
            padded = np.hstack([X, np.ones((len(y), 1))]) if fit_intercept else X
            assert clf.cycle_counts_ is not None
            assert clf.cycle_counts_.min() >= 0 < clf.cycle_counts_.max()
            assert not (clf.cycle_counts_ * y @ padded).any()  # whole numbers: exact
    assert ends == {"separated", "cycle"}


def test_T2_a_point_at_the_origin_has_a_one_row_proof() -> None:
    """Without a bias no plane has a point at the origin on a side, and that row alone is the proof."""
    X, y = nv.example("tao")
    X = np.vstack([X, [[0.0, 0.0]]])
    for keep in ("auto", "pocket"):
        clf = fit(X, [*y, "red"], fit_intercept=False, keep=keep)
        assert clf.stop_reason_ == "not_separable"
        assert clf.verdict_.indices == (4,)


@pytest.mark.parametrize("order", ORDERS)
def test_T2_two_colours_on_one_ray_have_a_two_row_proof(order: str) -> None:
    """Without a bias opposite colours on one ray, (1, 2) and (2, 4), cannot be separated: 2·(1, 2) − 1·(2, 4) = 0."""
    how = {"fit_intercept": False, "order": order, "random_state": 0, "keep": "pocket"}
    clf = fit([[1.0, 2.0], [2.0, 4.0]], ["red", "blue"], **how)
    assert clf.stop_reason_ == "not_separable"
    assert clf.cycle_counts_ is not None
    k = clf.cycle_counts_.tolist()
    assert k[0] == 2 * k[1] > 0
    assert fit([[1.0, 2.0], [2.0, 4.0]], ["red", "blue"]).stop_reason_ == "separated"  # with a bias


def test_T2_no_bias_means_no_bias() -> None:
    """`fit_intercept=False` gives a plane through the origin."""
    for X, y in small_sets(2, 10):
        assert fit(X, y, fit_intercept=False, max_iter=50).intercept_.tolist() == [0.0]


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("order", ORDERS)
def test_T3a_swapping_the_labels_negates_w(order: str, keep: str) -> None:
    """Which colour is "> 0" does not matter: with the labels swapped the mistakes stay and w changes its sign."""
    rng = np.random.default_rng(3)
    for k, (X, y) in enumerate(small_sets(3, 5)):
        points = X if k % 2 else X + rng.standard_normal(X.shape)
        how = {"order": order, "keep": keep, "random_state": 5, "max_iter": 30}
        one, other = fit(points, y, **how), fit(points, -y, **how)
        assert (other.coef_ == -one.coef_).all()
        assert (other.intercept_ == -one.intercept_).all()
        assert other.n_mistakes_.tolist() == one.n_mistakes_.tolist()
        assert (other.decision_function(points) == -one.decision_function(points)).all()


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("keep", ["last", "pocket", "average"])
def test_T5_Z8_S1_R3_the_bias_as_one_more_dimension(keep: str, sparse: bool) -> None:
    """A constant 1 behind or before the row, or −1 with a threshold: the mistakes and the plane stay the same."""
    ends = set()
    for X, y in small_sets(4, 20):
        X = X + np.random.default_rng(4).standard_normal(X.shape)
        one = np.ones((len(y), 1))
        wrap = sp.csr_matrix if sparse else np.asarray
        ours = fit(wrap(X), y, keep=keep, max_iter=50)
        last = fit(wrap(np.hstack([X, one])), y, keep=keep, max_iter=50, fit_intercept=False)
        first = fit(wrap(np.hstack([one, X])), y, keep=keep, max_iter=50, fit_intercept=False)
        threshold = fit(wrap(np.hstack([X, -one])), y, keep=keep, max_iter=50, fit_intercept=False)
        w, b = ours.coef_[0].tolist(), ours.intercept_[0]
        assert last.coef_[0].tolist() == [*w, b]
        assert first.coef_[0].tolist() == [b, *w]
        assert threshold.coef_[0].tolist() == [*w, -b]  # w·x − θ, θ = −b
        for other in (last, first, threshold):
            assert other.n_mistakes_.tolist() == ours.n_mistakes_.tolist()
            assert other.stop_reason_ == ours.stop_reason_  # P is separable ⇔ P′ is by a plane through the origin
        ends.add(ours.stop_reason_)
    assert "separated" in ends


def test_C2_C3_a_given_plane_can_be_asked() -> None:
    """The plane x + y + 1 = 0 is w = (1, 1), b = 1; sides, scores, distances and margins of each point come from it."""
    X = np.array([[3.0, 4.0], [-1.0, 0.0], [-2.0, -2.0], [0.0, 0.0]])
    m = nv.margins(X, [1, 1, -1, -1], w=(1, 1), b=1)
    assert m.sides.tolist() == [1, 0, -1, 1]
    assert m.scores.tolist() == [8.0, 0.0, -3.0, 1.0]
    assert m.distances == pytest.approx([8 / math.sqrt(2), 0, 3 / math.sqrt(2), -1 / math.sqrt(2)])
    norms = [math.sqrt(26), math.sqrt(2), 3.0, 1.0]  # of (x, 1)
    expected = [t / (math.sqrt(3) * n) for t, n in zip([8, 0, 3, -1], norms, strict=True)]
    assert m.angular == pytest.approx(expected)


@pytest.mark.parametrize("store", [np.asarray, sp.csr_matrix, sp.csc_array])
def test_C2_C3_margins_from_every_storage(store: Any) -> None:
    """The half-space model says the same of dense and sparse points, and scaling the plane changes no distance."""
    X, y = nv.example("cornwell")
    one = nv.margins(X, y, w=(4, -0.5), b=1)
    other = nv.margins(store(X), y, w=(4, -0.5), b=1)
    for a, b in zip(one, other, strict=True):
        assert a.tolist() == b.tolist()
    scaled = nv.margins(X, y, w=(8, -1), b=2)
    assert scaled.distances == pytest.approx(one.distances)
    assert scaled.angular == pytest.approx(one.angular)
    assert (one.distances > 0).all()  # Cornwell's plane is strict


def test_T7_R1_Z5_what_a_tie_predicts_is_chosen() -> None:
    """A score of exactly 0 predicts the negative class (Zhang) or, if asked, the positive one (Tao, Radivojac)."""
    X, y = nv.example("or")  # 2·x1 + 2·x2 − 1
    on_the_plane = [[0.5, 0.0], [0.0, 0.5], [0.25, 0.25]]
    for tie, answer in (("negative", -1), ("positive", 1)):
        clf = fit(X, y, tie=tie)
        assert clf.decision_function(on_the_plane).tolist() == [0.0] * 3
        assert clf.predict(on_the_plane).tolist() == [answer] * 3
        assert clf.predict(X).tolist() == y.tolist()


@pytest.mark.parametrize("tie", ["negative", "positive"])
@pytest.mark.parametrize("label", [-1, 1])
def test_T7_R1_Z5_a_tie_is_always_a_mistake_in_training(label: int, tie: str) -> None:
    """A point on the plane is a mistake whatever its label and whatever a tie predicts."""
    X = np.array([[1.0, -1.0], [5.0, 5.0], [-5.0, -5.0]])
    clf = fit(X, [label, 1, -1], ((1.0, 1.0), 0.0), keep="last", max_updates=1, tie=tie)
    assert clf.n_mistakes_.tolist() == [1, 0, 0]
    assert clf.coef_.tolist() == [[1.0 + label, 1.0 - label]]
    assert clf.intercept_.tolist() == [label]


LABELS: list[tuple[Any, Any]] = [
    (0, 1),
    (-1, 1),
    (1, 2),
    (-0.5, 7.25),
    ("blue", "red"),
    ("a", "longer label"),
    (False, True),
    (np.int8(3), np.int8(7)),
    (b"no", b"yes"),
]


@pytest.mark.parametrize("pair", LABELS, ids=str)
def test_T7_R1_any_two_labels(pair: tuple[Any, Any]) -> None:
    """Any two labels that sort will do, and they come back as they were given; the last one is the positive side."""
    X, y = nv.example("spam")
    labels = [pair[1] if label == "spam" else pair[0] for label in y]
    for given in (labels, np.array(labels), np.array(labels, dtype=object)):
        clf = fit(X, given)
        assert clf.classes_.tolist() == list(pair)
        assert clf.predict(X).tolist() == labels
        assert plane(clf) == [0, 2, 0, -1, 1, 0]


# training


@pytest.mark.parametrize("name", SLIDES)
def test_T3_C5_C6_Z3_Z6_Z4_Z12_S3_every_slide_by_the_fast_path(name: str) -> None:
    """Stopped after k updates, for every k, the fast path holds the slide's weights and has used the slide's points."""
    slide = SLIDES[name]
    X, y = nv.example(slide.example)
    for storage in (X, X.astype(np.float32), sp.csr_matrix(X)):
        for k, (_, _, w) in enumerate(slide.updates, start=1):
            if slide.stop_reason != "separated" and k == len(slide.rows):
                continue  # the last update of a cycle ends the run by itself
            clf = fit_slide(slide, storage, y, max_updates=k)
            assert weights(clf) == list(w)
            assert clf.n_mistakes_.tolist() == np.bincount(slide.rows[:k], minlength=len(y)).tolist()
        clf = fit_slide(slide, storage, y)
        assert weights(clf) == list(slide.w)
        assert (clf.stop_reason_, clf.n_updates_, clf.n_looks_) == (slide.stop_reason, len(slide.rows), slide.looks)


def fit_slide(slide: Slide, X: Any, y: Any, **how: Any) -> nv.Perceptron:
    return fit(X, y, keep="last", order=slide.order, fit_intercept=slide.fit_intercept, **how)


def weights(clf: nv.Perceptron) -> list[float]:
    """w, and b when there is one."""
    return plane(clf) if clf.fit_intercept else clf.coef_[0].tolist()


def test_T3_tao_by_the_fast_path() -> None:
    """Tao's four points: (1, 0), then (1, 1), two updates."""
    clf = lecture("tao")
    assert (clf.n_updates_, clf.coef_.tolist(), clf.stop_reason_) == (2, [[1.0, 1.0]], "separated")


def test_C5_C6_cornwell_by_the_fast_path() -> None:
    """Nine updates on points 1, 2, 4, 4, 1, 4, 4, 1, 4 end in W¹⁰ = (4, −0.5, 1)."""
    clf = lecture("cornwell")
    assert (clf.n_updates_, plane(clf)) == (9, [4, -0.5, 1])
    assert clf.n_mistakes_.tolist() == [3, 1, 0, 5]


def test_Z3_Z6_spam_by_the_fast_path() -> None:
    """Four updates end in w = (0, 2, 0, −1, 1), b = 0, all six right; the test mail (1, 1, 0, 0, 0) scores +2: spam."""
    X, y = nv.example("spam")
    clf = lecture("spam")
    assert (clf.n_updates_, plane(clf)) == (4, [0, 2, 0, -1, 1, 0])
    assert clf.predict(X).tolist() == y.tolist()
    assert clf.decision_function([[1, 1, 0, 0, 0]]).tolist() == [2.0]
    assert clf.predict([[1, 1, 0, 0, 0]]).tolist() == ["spam"]


def test_Z4_or_by_the_fast_path() -> None:
    """OR is learned: (2, 2, −1) after 9 updates, cyclic."""
    clf = lecture("or")
    assert (clf.n_updates_, plane(clf), clf.stop_reason_) == (9, [2, 2, -1], "separated")


@pytest.mark.parametrize("keep", KEEPS)
def test_Z12_S3_xor_by_the_fast_path(keep: str) -> None:
    """XOR is back at 0 after 4 updates, each point used once: `cycle`, and the warning says that no plane separates.

    The pocket goes on until one error is left (R7a).
    """
    X, y = nv.example("xor")
    with pytest.warns(nv.NotSeparatedWarning, match="no plane separates"):
        clf = nv.Perceptron(keep=keep, order="cyclic").fit(X, y)
    assert clf.stop_reason_ == ("not_separable" if keep == "pocket" else "cycle")
    assert clf.cycle_counts_ is not None
    assert clf.cycle_counts_.tolist() == [1, 1, 1, 1]
    if keep == "pocket":
        assert clf.score(X, y) == 0.75
        return
    assert (clf.n_updates_, clf.n_looks_, clf.n_mistakes_.tolist()) == (4, 4, [1, 1, 1, 1])
    if keep == "last":
        assert plane(clf) == [0, 0, 0]


@pytest.mark.parametrize("order", ORDERS)
def test_Z12_S3_weights_on_rational_data_return(order: str) -> None:
    """On whole numbers that no plane separates the weights stay bounded and return: found in every order."""
    X, y = nv.example("xor")
    for at in range(3):
        points = np.hstack([X, np.full((4, 1), float(at))])
        clf = fit(points, y, order=order, keep="last", random_state=at, max_iter=None, train_patience=None)
        assert clf.stop_reason_ == "cycle"
        assert clf.cycle_counts_ is not None
        assert not (clf.cycle_counts_ * y @ np.hstack([points, np.ones((4, 1))])).any()


@pytest.mark.parametrize("order", ["cyclic", "first"])
def test_Z12_S3_a_return_by_rounding_proves_nothing(order: str) -> None:
    """(−1, 1), (2e-17, 1e-17) freeze in binary64 although (0, 1) separates them: `rounding`, no proof is claimed."""
    X, y = [[-1.0, 1.0], [-2e-17, -1e-17]], [1, -1]  # the second point is reflected
    clf = fit(X, y, fit_intercept=False, order=order, keep="last")
    assert clf.stop_reason_ == "rounding"
    assert clf.cycle_counts_ is None
    assert nv.margins(X, y, w=(0, 1)).sides.tolist() == y


def test_S7_R6_Z10_any_start() -> None:
    """A run starts from any w⁰, b⁰: Tao's points from (−10, −10) take 22 updates; a start that separates takes none."""
    X, y = nv.example("tao")
    clf = fit(X, y, ((-10, -10), None), fit_intercept=False)
    assert (clf.n_updates_, clf.coef_.tolist()) == (22, [[1.0, 1.0]])
    done = fit(X, y, (clf.coef_, None), fit_intercept=False)
    assert (done.n_updates_, done.n_looks_, done.coef_.tolist()) == (0, 4, [[1.0, 1.0]])
    X, y = nv.example("cornwell")
    t = nv.trace(X, y, w0=(1, 2, 3), eta0="1/2")
    clf = fit(X, y, ((1, 2), 3), eta0=0.5)
    assert plane(clf) == [float(v) for v in t.w]
    assert clf.n_mistakes_.tolist() == list(t.counts)


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("eta", [0.1, 3.0, 1e-3, 1 / 3, 1e6, 2.0**-40])
def test_S7_R6_Z10_a_constant_rate_changes_no_mistake(eta: float, order: str, keep: str) -> None:
    """From w⁰ = 0 the mistakes are the same for every constant η, and w is η times that of η = 1, to the bit."""
    X, y = overlapping(6)
    how = {"order": order, "keep": keep, "max_iter": 6, "random_state": 7}
    one, other = fit(X, y, **how), fit(X, y, eta0=eta, **how)
    assert other.n_mistakes_.tolist() == one.n_mistakes_.tolist()
    assert (other.n_updates_, other.n_looks_) == (one.n_updates_, one.n_looks_)
    assert other.coef_.tobytes() == (one.coef_ * eta).tobytes()
    assert other.intercept_.tobytes() == (one.intercept_ * eta).tobytes()


def test_S7_R6_Z10_a_schedule_of_rates() -> None:
    """η may change from update to update: with η_k = 1/2^k the run is that of the lecture in fractions."""
    X, y = nv.example("cornwell")
    clf = fit(X, y, keep="last", schedule=lambda k: 2.0**-k, eta0=3.0, max_updates=20)
    t = nv.trace(X, y, schedule=lambda k: Fraction(1, 2**k), eta0=3, max_updates=20)
    assert plane(clf) == [float(v) for v in t.w]
    assert clf.n_mistakes_.tolist() == list(t.counts)
    assert fit(X, y, schedule=lambda k: 1.0 / k).stop_reason_ == "separated"


@pytest.mark.parametrize("name", SEPARABLE)
@pytest.mark.parametrize("order", ORDERS)
def test_T3_C6_Z6_every_order_separates_by_the_fast_path(order: str, name: str) -> None:
    """In every order of presentation the run is that of the lecture and ends with all points on their own sides."""
    X, y = nv.example(name)
    for seed in range(4):
        clf = lecture(name, order=order, random_state=seed)
        t = nv.trace(X, y, order=order, seed=seed, fit_intercept=name != "tao")
        assert clf.stop_reason_ == "separated"
        assert clf.n_mistakes_.tolist() == list(t.counts)
        assert clf.n_looks_ == t.n_looks
        assert weights(clf) == [float(v) for v in t.w]
        assert clf.predict(X).tolist() == y.tolist()


def test_T3_C6_Z6_chance_is_by_seed() -> None:
    """The same seed gives the same run, `seed_` names the seed that was drawn, and other seeds give other runs."""
    X, y = overlapping(8)
    for order in ("shuffle", "random"):
        one = fit(X, y, order=order, max_iter=5, keep="last")
        again = fit(X, y, order=order, max_iter=5, keep="last", random_state=one.seed_)
        other = fit(X, y, order=order, max_iter=5, keep="last", random_state=one.seed_ + 1)
        assert again.coef_.tobytes() == one.coef_.tobytes()
        assert other.coef_.tobytes() != one.coef_.tobytes()


@pytest.mark.parametrize("order", ORDERS)
def test_R4_reflected_points(order: str) -> None:
    """The learner sees z = y·(x, 1) only: points reflected together with their labels give the same run and w."""
    rng = np.random.default_rng(9)
    for X, y in [*small_sets(9, 5), overlapping(9, 20)]:
        padded = np.hstack([X, np.ones((len(y), 1))])
        flip = rng.choice([-1, 1], len(y))
        flip[:2] = 1  # both labels stay
        how = {"order": order, "keep": "last", "random_state": 1, "max_iter": 30}
        one = fit(X, y, **how)
        other = fit(padded * flip[:, None], y * flip, fit_intercept=False, **how)
        assert other.coef_[0].tolist() == plane(one)
        assert other.n_mistakes_.tolist() == one.n_mistakes_.tolist()


@pytest.mark.parametrize("eta", [1.0, 0.25, 8.0])
@pytest.mark.parametrize("name", LECTURE)
def test_R3a_Z9a_an_update_raises_the_score_by_eta_norm2_by_the_fast_path(name: str, eta: float) -> None:
    """An update raises y·score of its point by exactly η‖x‖², which is η(‖x‖² + 1) with the bias."""
    X, y = nv.example(name)
    bias, sign = name != "tao", signs(y)
    updates = lecture(name, keep="last").n_updates_
    for k in range(updates - (name == "xor")):
        start = [0.0] * (X.shape[1] + 1) if k == 0 else plane(lecture(name, keep="last", eta0=eta, max_updates=k))
        after = lecture(name, keep="last", eta0=eta, max_updates=k + 1)
        before = np.zeros(len(y), int) if k == 0 else lecture(name, keep="last", eta0=eta, max_updates=k).n_mistakes_
        (row,) = np.flatnonzero(after.n_mistakes_ - before)
        rise = sign[row] * (np.array(plane(after)) - start) @ np.array([*X[row], float(bias)])
        assert rise == eta * (X[row] @ X[row] + bias)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", [*LECTURE, "digits"])
def test_T6a_the_weights_are_a_signed_sum_of_points(name: str, order: str) -> None:
    """w = Σ kᵢ·yᵢ·xᵢ where `n_mistakes_` counts how often point i was added; on whole numbers this is exact."""
    X, y = nv.example(name)
    if name == "digits":
        X, y = X[(y == 3) | (y == 8)][:60], y[(y == 3) | (y == 8)][:60]
    clf = fit(X, y, order=order, keep="last", random_state=0)
    k = clf.n_mistakes_ * signs(y)
    assert plane(clf) == [*(k @ X).tolist(), k.sum()]
    assert clf.n_mistakes_.sum() == clf.n_updates_


@pytest.mark.parametrize("order", ORDERS)
def test_R7_the_pocket_error_never_rises(order: str) -> None:
    """The pocket's training error never rises, and the weights handed back have exactly the errors that are claimed."""
    for seed in range(5):
        X, y = overlapping(seed)
        clf = fit(X, y, order=order, max_iter=25, random_state=seed, keep="pocket")
        errors = clf.history_["pocket_errors"]
        assert len(errors) == clf.n_iter_
        assert all(later <= earlier for earlier, later in itertools.pairwise(errors))
        wrong = nv.margins(X, y, clf.coef_[0], clf.intercept_[0]).sides != y
        assert np.count_nonzero(wrong) == errors[-1]
        last = fit(X, y, order=order, max_iter=25, random_state=seed, keep="last")
        assert errors[-1] <= np.count_nonzero(nv.margins(X, y, last.coef_[0], last.intercept_[0]).sides != y)


# when it stops: Z14


RULES: dict[str, dict[str, Any]] = {
    "max_passes": {"max_iter": 7},
    "max_updates": {"max_updates": 40},
    "max_seconds": {"max_time": 0.05},
    "train_stalled": {"train_patience": 3},
}
NO_LIMIT = {"max_iter": None, "train_patience": None}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("reason", RULES)
def test_Z14_each_stopping_rule_alone(reason: str, keep: str, order: str) -> None:
    """Each rule alone ends the run, and the fit says which one it was."""
    X, y = overlapping(11)
    clf = fit(X, y, keep=keep, order=order, random_state=2, **(NO_LIMIT | RULES[reason]))
    assert clf.stop_reason_ == reason
    if reason == "max_passes":
        assert (clf.n_iter_, clf.n_looks_) == (7, 7 * len(y))
    if reason == "max_updates":
        assert clf.n_updates_ == 40
    if reason == "train_stalled":
        column = "pocket_errors" if keep == "pocket" else "mistakes"
        counts = clf.history_[column]
        assert min(counts[:-3]) <= min(counts[-3:])
        assert len(counts) == 4 or min(counts[:-4]) > counts[-4]  # not a pass later than needed


@pytest.mark.parametrize("keep", KEEPS)
def test_Z14_the_validation_error_stops_decreasing(keep: str) -> None:
    """The validation rule alone ends the run after `valid_patience` passes without fewer validation errors."""
    X, y = overlapping(12, 120)
    for valid in ({}, {"X_valid": X[80:], "y_valid": y[80:]}):
        n = 80 if valid else 120
        clf = nv.Perceptron(keep=keep, early_stopping=not valid, valid_patience=4, random_state=3, **NO_LIMIT)
        clf.fit(X[:n], y[:n], **valid)
        assert clf.stop_reason_ == "valid_stalled"
        counts = clf.history_["valid_errors"]
        assert len(counts) == clf.n_iter_ >= 5
        assert min(counts[:-4]) <= min(counts[-4:])


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("order", ORDERS)
def test_Z14_all_points_right_ends_every_run(order: str, keep: str) -> None:
    """When every point is on its own side the run ends as `separated`, whatever else is asked for, without warning."""
    X, y = nv.example("cornwell")
    for limits in ({}, NO_LIMIT, {"max_time": 1000.0, "max_updates": 10**6, "train_patience": 500}):
        clf = nv.Perceptron(keep=keep, order=order, random_state=0, **limits).fit(X, y)
        assert clf.stop_reason_ == "separated"


@pytest.mark.parametrize("reason", RULES)
def test_Z14_together_the_first_one_to_come_true_ends_the_run(reason: str) -> None:
    """With all rules at once the one whose limit is reached first ends the run."""
    X, y = overlapping(13)
    far = {"max_iter": 10**6, "max_updates": 10**9, "max_time": 1000.0, "train_patience": 10**6}
    clf = fit(X, y, early_stopping=True, valid_patience=10**6, random_state=1, **(far | RULES[reason]))
    assert clf.stop_reason_ == reason


@pytest.mark.parametrize("reason", ["max_passes", "max_updates", "train_stalled"])
def test_Z14_one_warning_names_the_rule_and_what_is_left(reason: str) -> None:
    """A limit that ends the run warns once, in words: which rule, and how many errors are left."""
    X, y = overlapping(14)
    with pytest.warns(nv.NotSeparatedWarning) as caught:
        clf = nv.Perceptron(keep="pocket", **(NO_LIMIT | RULES[reason])).fit(X, y)
    assert len(caught) == 1
    said = str(caught[0].message)
    assert reason in said
    assert f"{clf.history_['pocket_errors'][-1]} of {len(y)}" in said


def test_Z14_a_separating_run_is_not_cut_by_its_own_limit() -> None:
    """A run whose last allowed pass is clean is `separated`, not `max_passes`; the ninth update may be the last one."""
    X, y = nv.example("cornwell")
    passes = nv.Perceptron().fit(X, y).n_iter_
    assert nv.Perceptron(max_iter=passes).fit(X, y).stop_reason_ == "separated"
    assert nv.Perceptron(max_updates=9).fit(X, y).stop_reason_ == "separated"
    assert fit(X, y, max_iter=passes - 1).stop_reason_ == "max_passes"
    assert fit(X, y, max_updates=8).stop_reason_ == "max_updates"


@pytest.mark.parametrize("eta", [1.0, 0.5])
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", LECTURE)
def test_Z10_the_loss_of_each_pass_is_reported(name: str, order: str, eta: float) -> None:
    """The perceptron loss −min(y·score, 0) of the looks of a pass stands in `history_`, as in the lecture's run."""
    X, y = nv.example(name)
    bias = name != "tao"
    clf = fit(X, y, fit_intercept=bias, order=order, random_state=4, eta0=eta, keep="last")
    t = nv.trace(X, y, order=order, seed=4, fit_intercept=bias, eta0=eta)
    loss, mistakes = [Fraction(0)] * t.passes, [0] * t.passes
    for step in t.steps:
        loss[step.pass_number - 1] -= min(step.sign * step.score, Fraction(0))
        mistakes[step.pass_number - 1] += 1
    assert clf.history_["pass"] == list(range(1, t.passes + 1))
    assert clf.history_["loss"] == pytest.approx([float(v) for v in loss], rel=1e-12)
    assert clf.history_["mistakes"] == mistakes
    assert clf.history_["norm"][-1] == pytest.approx(math.sqrt(sum(v * v for v in t.w)))


# prediction and evaluation


@pytest.mark.parametrize("keep", KEEPS)
def test_Z1_training_prediction_evaluation(keep: str) -> None:
    """The three phases are one call each: fit, predict, score."""
    X, y = nv.example("breast-cancer")
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    clf = fit(X[::2], y[::2], keep=keep, max_iter=8)
    predicted = clf.predict(X[1::2])
    assert set(predicted) <= {"benign", "malignant"}
    assert clf.score(X[1::2], y[1::2]) == np.mean(predicted == y[1::2])
    assert clf.score(X[1::2], y[1::2]) > 0.9


def test_S8_the_margin_of_every_example() -> None:
    """δ^μ = y·(w·x + b)/‖w‖ for every example, the smallest among them, and the angular margin by ‖x‖ too."""
    X, y = nv.example("tao")
    m = nv.margins(X, y, w=(1, 1))
    assert m.distances == pytest.approx([1 / math.sqrt(2)] * 4)  # γ of Tao's four points
    assert m.angular == pytest.approx([1 / math.sqrt(2)] * 4)
    rng = np.random.default_rng(15)
    X, y = rng.standard_normal((50, 4)), rng.choice([-1, 1], 50)
    w, b = rng.standard_normal(4), 0.3
    m = nv.margins(X, y, w, b)
    score = X @ w + b
    assert m.distances == pytest.approx(y * score / np.linalg.norm(w))
    padded = np.hstack([X, np.ones((50, 1))])
    expected = y * score / (np.linalg.norm([*w, b]) * np.linalg.norm(padded, axis=1))
    assert m.angular == pytest.approx(expected)
    assert (np.abs(m.angular) <= 1 + 1e-12).all()
    through = nv.margins(X, y, w)
    assert through.angular == pytest.approx(y * (X @ w) / (np.linalg.norm(w) * np.linalg.norm(X, axis=1)))


@pytest.mark.parametrize("scale", [1e-200, 1e-160, 1e160, 1e300])
def test_S8_margins_do_not_depend_on_the_length_of_w(scale: float) -> None:
    """Distance and angle belong to the plane: a very short or very long (w, b) gives the same ones."""
    X, y = nv.example("cornwell")
    one = nv.margins(X, y, w=(4.0, -0.5), b=1.0)
    other = nv.margins(X, y, w=(4.0 * scale, -0.5 * scale), b=scale)
    assert other.sides.tolist() == one.sides.tolist()
    assert other.distances == pytest.approx(one.distances)
    assert other.angular == pytest.approx(one.angular)


def test_Z15a_votes_of_pairs_decide_and_summed_scores_break_ties() -> None:
    """One-vs-one on whole numbers, votes and sums counted again in plain arithmetic from the stored planes."""
    X, y = nv.example("digits")
    X, y = X[:400].astype(int), y[:400]
    how = {"multi_class": "ovo", "keep": "last", "max_iter": 1}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clf = nv.Perceptron(**how).fit(X[:200], y[:200])
        by_sums = nv.Perceptron(**how, ovo="sum").fit(X[:200], y[:200])
    planes, biases = clf.coef_.astype(int).tolist(), clf.intercept_.astype(int).tolist()
    by_vote, by_sum = [], []
    for x in X.tolist():
        votes, sums = [0] * 10, [0] * 10
        for (low, high), w, b in zip(itertools.combinations(range(10), 2), planes, biases, strict=True):
            score = sum(p * q for p, q in zip(w, x, strict=True)) + b
            votes[high], votes[low] = votes[high] + (score > 0), votes[low] + (score < 0)
            sums[high], sums[low] = sums[high] + score, sums[low] - score
        ranks = [(votes[k], sums[k], -k) for k in range(10)]
        by_vote.append(ranks.index(max(ranks)))
        by_sum.append(sums.index(max(sums)))
    assert clf.predict(X).tolist() == by_vote
    assert clf.decision_function(X).argmax(axis=1).tolist() == by_vote
    assert by_sums.predict(X).tolist() == by_sum
    assert by_vote != by_sum
