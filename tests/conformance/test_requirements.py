"""The statements of the notes about the model and its training, each by its id: the lecture's run and the fast path.

docs/notes.md maps every statement to names, and test_documentation.py every id to a test of this folder.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import novikoff as nv
from data.choices import FIXED_ORDERS, KEEPS
from data.small_sets import fit_quietly
from oracles.slides import SLIDES

LECTURE = ("tao", "cornwell", "spam", "or", "xor", "and")
ROUTE = ("cyclic", "first")


def fit(X: Any, y: Any, start: Any = None, **how: Any) -> nv.Perceptron:
    """A fit whose limits do not warn; start = (w⁰, b⁰)."""
    init = {} if start is None else {"coef_init": start[0], "intercept_init": start[1]}
    return fit_quietly(nv.Perceptron(**how), X, y, **init)


def lecture_run(name: str, **how: Any) -> Any:
    return nv.trace(*nv.example(name), fit_intercept=name != "tao", **how)


def weights(clf: nv.Perceptron) -> list[float]:
    """w, and b when there is one."""
    return [*clf.coef_[0].tolist(), *(clf.intercept_.tolist() if clf.fit_intercept else [])]


def small_sets(seed: int, count: int, n: int = 7, d: int = 2) -> list[tuple[np.ndarray, np.ndarray]]:
    """Small whole numbers with labels by chance: some sets are separable, some are not."""
    rng = np.random.default_rng(seed)
    return [
        (rng.integers(-3, 4, (n, d)).astype(float), np.concatenate([[-1, 1], rng.choice([-1, 1], n - 2)]))
        for _ in range(count)
    ]


def overlapping(seed: int = 0, n: int = 60) -> tuple[np.ndarray, np.ndarray]:
    """Two clouds that no plane separates."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 3))
    return X, np.where(X[:, 0] + rng.standard_normal(n) > 0, 1, -1)


# ---- the slides


@pytest.mark.parametrize("name", SLIDES)
def test_T3_C5_C6_Z3_Z4_Z6_Z12_S3_every_slide_update_by_update(name: str) -> None:
    """The lecture's run and the fast path, stopped after each update: the slide's points, scores and weights."""
    slide = SLIDES[name]
    X, y = nv.example(slide.example)
    how: dict[str, Any] = {"order": slide.order, "fit_intercept": slide.fit_intercept}
    t = nv.trace(X, y, **how)
    assert [(step.row, step.sign * step.score, step.w) for step in t.steps] == slide.updates
    assert (t.stop_reason, t.n_looks) == (slide.stop_reason, slide.looks)
    for stored in (X, X.astype(np.float32), sp.csr_matrix(X)):
        clf = fit(stored, y, keep="last", **how)
        assert weights(clf) == list(slide.w)
        assert (clf.stop_reason_, clf.n_updates_, clf.n_looks_) == (slide.stop_reason, len(slide.rows), slide.looks)
        for k, (_, _, w) in enumerate(slide.updates[: None if slide.stop_reason == "separated" else -1], start=1):
            clf = fit(stored, y, keep="last", max_updates=k, **how)
            assert weights(clf) == list(w)
            assert clf.n_mistakes_.tolist() == np.bincount(slide.rows[:k], minlength=len(y)).tolist()


def test_Z3_Z6_the_test_mail_is_spam() -> None:
    clf = fit(*nv.example("spam"))
    assert clf.decision_function([[1, 1, 0, 0, 0]]).tolist() == [2.0]
    assert clf.predict([[1, 1, 0, 0, 0]]).tolist() == ["spam"]


@pytest.mark.parametrize("keep", KEEPS)
def test_Z12_S3_xor_returns_to_zero_and_its_contradiction_is_written_out(keep: str) -> None:
    """Each point used once, and the warning says that no plane separates; the pocket goes on (R7a)."""
    X, y = nv.example("xor")
    with pytest.warns(nv.NotSeparatedWarning, match="no plane separates"):
        clf = nv.Perceptron(keep=keep, order="cyclic").fit(X, y)
    assert clf.stop_reason_ == ("not_separable" if keep == "pocket" else "cycle")
    assert clf.cycle_counts_ is not None
    assert clf.cycle_counts_.tolist() == [1, 1, 1, 1]
    if keep != "pocket":
        assert (clf.n_updates_, clf.n_looks_, clf.n_mistakes_.tolist()) == (4, 4, [1, 1, 1, 1])
    text = lecture_run("xor").to_text()
    assert "− 1·(0, 0, 1) + 1·(1, 0, 1) + 1·(0, 1, 1) − 1·(1, 1, 1) = (0, 0, 0)" in text
    for inequality in ("−b > 0", "w1 + b > 0", "w2 + b > 0", "−w1 − w2 − b > 0"):
        assert f"  {inequality}\n" in text
    assert "NOT SEPARABLE" in text


@pytest.mark.parametrize("order", FIXED_ORDERS)
@pytest.mark.parametrize("name", LECTURE)
def test_T3_C6_Z6_every_order_is_the_run_of_the_lecture_and_separates(name: str, order: str) -> None:
    X, y = nv.example(name)
    for seed, eta in itertools.product(range(4), (1, 0.5)):
        clf = fit(X, y, fit_intercept=name != "tao", order=order, random_state=seed, eta0=eta, keep="last")
        t = lecture_run(name, order=order, seed=seed, eta0=eta)
        assert (clf.stop_reason_, clf.n_looks_) == (t.stop_reason, t.n_looks)
        assert clf.n_mistakes_.tolist() == list(t.counts)
        assert weights(clf) == [float(v) for v in t.w]
        if name != "xor":
            assert t.stop_reason == "separated"
            assert t.steps[-1].errors_after == 0
            assert clf.predict(X).tolist() == y.tolist()
        loss = [Fraction(0)] * t.passes  # Z10: −min(y·score, 0) of the looks of each pass
        for step in t.steps:
            loss[step.pass_number - 1] -= min(step.sign * step.score, Fraction(0))
        assert clf.history_["loss"] == pytest.approx([float(v) for v in loss], rel=1e-12)
        assert clf.history_["norm"][-1] == pytest.approx(math.sqrt(sum(v * v for v in t.w)))


def test_T3_C6_Z6_chance_is_by_seed() -> None:
    """The same seed gives the same run, `seed_` names the seed that was drawn, and other seeds give other runs."""
    X, y = overlapping(8)
    for order in ("shuffle", "random"):
        one = fit(X, y, order=order, max_iter=5, keep="last")
        again = fit(X, y, order=order, max_iter=5, keep="last", random_state=one.seed_)
        other = fit(X, y, order=order, max_iter=5, keep="last", random_state=one.seed_ + 1)
        assert again.coef_.tobytes() == one.coef_.tobytes() != other.coef_.tobytes()


# ---- the model


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_T1_Z7_a_strict_plane_or_a_proof_that_there_is_none(fit_intercept: bool) -> None:
    """On whole numbers a run ends in a plane with no point on it, or in counts by which the signed points sum to 0."""
    ends = set()
    for (X, y), order in itertools.product(small_sets(1, 20), FIXED_ORDERS):
        how = {"order": order, "keep": "last", "random_state": 1, "max_iter": None, "train_patience": None}
        clf = fit(X, y, fit_intercept=fit_intercept, **how)
        ends.add(clf.stop_reason_)
        if clf.stop_reason_ == "separated":
            sides = nv.margins(X, y, clf.coef_[0], clf.intercept_[0] if fit_intercept else None).sides
            assert (sides == y).all()  # and none is 0
            assert clf.cycle_counts_ is None
        else:
            padded = np.hstack([X, np.ones((len(y), 1))]) if fit_intercept else X
            assert clf.cycle_counts_ is not None
            assert clf.cycle_counts_.min() >= 0 < clf.cycle_counts_.max()
            assert not (clf.cycle_counts_ * y @ padded).any()  # whole numbers: exact
        if not fit_intercept:
            assert clf.intercept_.tolist() == [0.0]
    assert ends == {"separated", "cycle"}


def test_T2_a_point_at_the_origin_and_two_colours_on_one_ray_have_proofs_of_one_and_two_rows() -> None:
    X, y = nv.example("tao")
    for keep in ("auto", "pocket"):
        clf = fit(np.vstack([X, [[0.0, 0.0]]]), [*y, "red"], fit_intercept=False, keep=keep)
        assert (clf.stop_reason_, clf.verdict_.indices) == ("not_separable", (4,))
    ray = [[1.0, 2.0], [2.0, 4.0]], ["red", "blue"]
    for order in FIXED_ORDERS:
        clf = fit(*ray, fit_intercept=False, order=order, random_state=0, keep="pocket")
        assert clf.stop_reason_ == "not_separable"
        assert clf.cycle_counts_ is not None
        assert clf.cycle_counts_[0] == 2 * clf.cycle_counts_[1] > 0  # 2·(1, 2) − 1·(2, 4) = 0
    assert fit(*ray).stop_reason_ == "separated"  # with a bias


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("order", FIXED_ORDERS)
def test_T3a_R4_swapped_labels_negate_w_and_reflected_points_change_nothing(order: str, keep: str) -> None:
    """Which colour is "> 0" does not matter; the learner sees z = y·(x, 1) only."""
    rng = np.random.default_rng(3)
    for k, (X, y) in enumerate([*small_sets(3, 5), overlapping(9, 20)]):
        points = X if k % 2 else X + rng.standard_normal(X.shape)
        how = {"order": order, "keep": keep, "random_state": 5, "max_iter": 30}
        one, other = fit(points, y, **how), fit(points, -y, **how)
        assert weights(other) == [-v for v in weights(one)]
        assert other.n_mistakes_.tolist() == one.n_mistakes_.tolist()
        assert (other.decision_function(points) == -one.decision_function(points)).all()
        flip = np.where(rng.random(len(y)) < 0.5, -1, 1)
        flip[[y.argmin(), y.argmax()]] = 1  # both labels stay
        padded = np.hstack([points, np.ones((len(y), 1))]) * flip[:, None]
        reflected = fit(padded, y * flip, fit_intercept=False, **how)
        assert weights(reflected) == weights(one)
        assert reflected.n_mistakes_.tolist() == one.n_mistakes_.tolist()


@pytest.mark.parametrize("wrap", [np.asarray, sp.csr_matrix])
@pytest.mark.parametrize("keep", ["last", "pocket", "average"])
def test_T5_Z8_S1_R3_the_bias_as_one_more_dimension(keep: str, wrap: Any) -> None:
    """A constant 1 behind or before the row, or −1 with a threshold: the mistakes and the plane stay the same."""
    ends = set()
    for X, y in small_sets(4, 20):
        X = X + np.random.default_rng(4).standard_normal(X.shape)
        one = np.ones((len(y), 1))
        ours = fit(wrap(X), y, keep=keep, max_iter=50)
        *w, b = weights(ours)
        for columns, plane in (([X, one], [*w, b]), ([one, X], [b, *w]), ([X, -one], [*w, -b])):
            other = fit(wrap(np.hstack(columns)), y, keep=keep, max_iter=50, fit_intercept=False)
            assert weights(other) == plane
            assert other.n_mistakes_.tolist() == ours.n_mistakes_.tolist()
            assert other.stop_reason_ == ours.stop_reason_  # P is separable ⇔ P′ is by a plane through the origin
        ends.add(ours.stop_reason_)
    assert "separated" in ends


@pytest.mark.parametrize("store", [np.asarray, sp.csr_matrix, sp.csc_array])
def test_C2_C3_a_given_plane_can_be_asked(store: Any) -> None:
    """The plane x + y + 1 = 0 is w = (1, 1), b = 1; sides, scores, distances and margins of each point come from it."""
    X = np.array([[3.0, 4.0], [-1.0, 0.0], [-2.0, -2.0], [0.0, 0.0]])
    m = nv.margins(store(X), [1, 1, -1, -1], w=(1, 1), b=1)
    assert (m.sides.tolist(), m.scores.tolist()) == ([1, 0, -1, 1], [8.0, 0.0, -3.0, 1.0])
    assert m.distances == pytest.approx([8 / math.sqrt(2), 0, 3 / math.sqrt(2), -1 / math.sqrt(2)])
    norms = [math.sqrt(26), math.sqrt(2), 3.0, 1.0]  # of (x, 1)
    assert m.angular == pytest.approx([t / (math.sqrt(3) * n) for t, n in zip([8, 0, 3, -1], norms, strict=True)])


def test_S8_the_margin_of_every_example_for_planes_of_any_length() -> None:
    """δ^μ = y·(w·x + b)/‖w‖ for every example, and the angular margin by ‖x‖ too; a plane has no length."""
    m = nv.margins(*nv.example("tao"), w=(1, 1))
    assert m.distances == pytest.approx([1 / math.sqrt(2)] * 4)  # γ of Tao's four points
    assert m.angular == pytest.approx([1 / math.sqrt(2)] * 4)
    rng = np.random.default_rng(15)
    X, y, w, b = rng.standard_normal((50, 4)), rng.choice([-1, 1], 50), rng.standard_normal(4), 0.3
    for scale in (1.0, 1e-200, 1e-160, 1e160, 1e300):
        m, through = nv.margins(X, y, w * scale, b * scale), nv.margins(X, y, w * scale)
        assert m.sides.tolist() == np.sign(X @ w + b).tolist()
        assert m.distances == pytest.approx(y * (X @ w + b) / np.linalg.norm(w))
        padded = np.hstack([X, np.ones((50, 1))])
        lengths = np.linalg.norm([*w, b]) * np.linalg.norm(padded, axis=1)
        assert m.angular == pytest.approx(y * (X @ w + b) / lengths)
        assert (np.abs(m.angular) <= 1 + 1e-12).all()
        assert through.angular == pytest.approx(y * (X @ w) / (np.linalg.norm(w) * np.linalg.norm(X, axis=1)))


@pytest.mark.parametrize(("tie", "answer"), [("negative", -1), ("positive", 1)])
def test_T7_R1_Z5_what_a_tie_predicts_is_chosen_and_in_training_it_is_a_mistake(tie: str, answer: int) -> None:
    """A score of exactly 0 predicts the negative class (Zhang) or, if asked, the positive one (Tao, Radivojac)."""
    X, y = nv.example("or")  # 2·x1 + 2·x2 − 1
    on_the_plane = [[0.5, 0.0], [0.0, 0.5], [0.25, 0.25]]
    clf = fit(X, y, tie=tie)
    assert clf.decision_function(on_the_plane).tolist() == [0.0] * 3
    assert clf.predict(on_the_plane).tolist() == [answer] * 3
    assert clf.predict(X).tolist() == y.tolist()
    points = [[1.0, -1.0], [5.0, 5.0], [-5.0, -5.0]]
    for label in (-1, 1):
        clf = fit(points, [label, 1, -1], ((1.0, 1.0), 0.0), keep="last", max_updates=1, tie=tie)
        assert clf.n_mistakes_.tolist() == [1, 0, 0]
        assert weights(clf) == [1.0 + label, 1.0 - label, label]


@pytest.mark.parametrize(
    "pair",
    [(0, 1), (-1, 1), (1, 2), (-0.5, 7.25), ("blue", "red"), ("a", "longer label"), (False, True),
     (np.int8(3), np.int8(7)), (b"no", b"yes")],
    ids=str,
)  # fmt: skip
def test_T7_R1_any_two_labels(pair: tuple[Any, Any]) -> None:
    """Any two labels that sort will do, and they come back as they were given; the last one is the positive side."""
    X, y = nv.example("spam")
    labels = [pair[1] if label == "spam" else pair[0] for label in y]
    for given in (labels, np.array(labels), np.array(labels, dtype=object)):
        clf = fit(X, given)
        assert clf.classes_.tolist() == list(pair)
        assert clf.predict(X).tolist() == labels
        assert weights(clf) == [0, 2, 0, -1, 1, 0]


# ---- starts, rates, and why an update is right


def test_S7_R6_Z10_any_start() -> None:
    """Tao's points from (−10, −10) take 22 updates; a start that separates takes none."""
    X, y = nv.example("tao")
    t = lecture_run("tao", w0=(-10, -10))
    clf = fit(X, y, ((-10, -10), None), fit_intercept=False)
    assert (clf.n_updates_, weights(clf), len(t.steps), t.start, t.w) == (22, [1, 1], 22, (-10, -10), (1, 1))
    done, t = fit(X, y, (clf.coef_, None), fit_intercept=False), lecture_run("tao", w0=t.w)
    assert (done.n_updates_, done.n_looks_, weights(done)) == (0, 4, [1, 1])
    assert (t.steps, t.stop_reason, t.n_looks, t.w) == ((), "separated", 4, (1, 1))
    clf, t = fit(*nv.example("cornwell"), ((1, 2), 3), eta0=0.5), lecture_run("cornwell", w0=(1, 2, 3), eta0="1/2")
    assert weights(clf) == [float(v) for v in t.w]
    assert clf.n_mistakes_.tolist() == list(t.counts)


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("order", FIXED_ORDERS)
def test_S7_R6_Z10_a_constant_rate_changes_no_mistake(order: str, keep: str) -> None:
    """From w⁰ = 0 the mistakes are the same for every constant η, and w is η times that of η = 1, to the bit."""
    X, y = overlapping(6)
    how = {"order": order, "keep": keep, "max_iter": 6, "random_state": 7}
    one = fit(X, y, **how)
    for eta in (0.1, 3.0, 1e-3, 1 / 3, 1e6, 2.0**-40):
        other = fit(X, y, eta0=eta, **how)
        assert other.n_mistakes_.tolist() == one.n_mistakes_.tolist()
        assert (other.n_updates_, other.n_looks_) == (one.n_updates_, one.n_looks_)
        assert other.coef_.tobytes() == (one.coef_ * eta).tobytes()
        assert other.intercept_.tobytes() == (one.intercept_ * eta).tobytes()


def test_S7_R6_Z10_a_schedule_of_rates() -> None:
    """η may change from update to update: with η_k = 1/2^k the run is that of the lecture in fractions."""
    X, y = nv.example("cornwell")
    clf = fit(X, y, keep="last", schedule=lambda k: 2.0**-k, eta0=3.0, max_updates=20)
    t = lecture_run("cornwell", schedule=lambda k: Fraction(1, 2**k), eta0=3, max_updates=20)
    assert weights(clf) == [float(v) for v in t.w]
    assert clf.n_mistakes_.tolist() == list(t.counts)
    assert [step.eta for step in t.steps] == [Fraction(3, 2**k) for k in range(1, len(t.steps) + 1)]
    assert fit(X, y, schedule=lambda k: 1.0 / k).stop_reason_ == "separated"


@pytest.mark.parametrize("eta", [1, "0.3", Fraction(1, 3), 1000])
@pytest.mark.parametrize("name", LECTURE)
def test_R3a_Z9a_R6_T6a_what_an_update_adds_and_raises_in_the_run_of_the_lecture(name: str, eta: Any) -> None:
    """y·score of the point rises by η‖x‖², which is η(‖x‖² + 1) with the bias; w is η times a signed sum of points."""
    X, y = nv.example(name)
    for order in ROUTE:
        one, t = lecture_run(name, order=order), lecture_run(name, order=order, eta0=eta)
        assert [step.row for step in t.steps] == [step.row for step in one.steps]
        assert (t.w, t.cycle_counts) == (tuple(Fraction(eta) * v for v in one.w), one.cycle_counts)
        for step in t.steps:
            after = sum((p * q for p, q in zip(step.w, step.x, strict=True)), Fraction(0))
            assert step.sign * after == step.sign * step.score + step.eta * step.norm2
            assert step.norm2 == sum(Fraction(v) ** 2 for v in X[step.row].tolist()) + t.fit_intercept
        signed = zip(t.counts, [1 if label == t.classes[1] else -1 for label in y.tolist()], X.tolist(), strict=True)
        terms = [[k * s * Fraction(v) for v in [*x, 1][: len(t.w)]] for k, s, x in signed]
        assert t.w == tuple(Fraction(eta) * sum(column) for column in zip(*terms, strict=True))
        assert sum(t.counts) == len(t.steps)


def test_R3a_Z9a_the_rise_is_shown() -> None:
    """The table shows the rise beside the score: point 1 of Cornwell, (−1, 3, 1), rises by 11."""
    first = lecture_run("cornwell").to_text().splitlines()[1]
    assert first.split()[:9] == ["1", "1", "1", "−", "(1,", "−3,", "−1)", "0", "11"]


@pytest.mark.parametrize("order", FIXED_ORDERS)
def test_T6a_the_weights_are_a_signed_sum_of_points(order: str) -> None:
    """w = Σ kᵢ·yᵢ·xᵢ where `n_mistakes_` counts how often point i was added; on whole numbers this is exact."""
    X, y = nv.example("digits")
    X, y = X[(y == 3) | (y == 8)][:60], y[(y == 3) | (y == 8)][:60]
    clf = fit(X, y, order=order, keep="last", random_state=0)
    k = clf.n_mistakes_ * np.where(y == 8, 1, -1)
    assert weights(clf) == [*(k @ X).tolist(), k.sum()]
    assert clf.n_mistakes_.sum() == clf.n_updates_


# ---- when it stops, and its three phases


RULES: dict[str, dict[str, Any]] = {
    "max_passes": {"max_iter": 7},
    "max_updates": {"max_updates": 40},
    "max_seconds": {"max_time": 1e-9},
    "train_stalled": {"train_patience": 3},
}
NO_LIMIT = {"max_iter": None, "train_patience": None}
FAR = {"max_iter": 10**6, "max_updates": 10**9, "max_time": 1000.0, "train_patience": 10**6, "valid_patience": 10**6}


@pytest.mark.parametrize("order", FIXED_ORDERS)
@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("reason", RULES)
def test_Z14_each_stopping_rule_alone_and_before_the_others(reason: str, keep: str, order: str) -> None:
    """Each rule alone ends the run, and so does the first one to come true; the fit says which one it was."""
    X, y = overlapping(11)
    how: dict[str, Any] = {"keep": keep, "order": order, "random_state": 2}
    clf = fit(X, y, **how, **(NO_LIMIT | RULES[reason]))
    assert clf.stop_reason_ == reason
    if reason == "max_passes":
        assert (clf.n_iter_, clf.n_looks_) == (7, 7 * len(y))
    if reason == "max_updates":
        assert clf.n_updates_ == 40
    if reason == "train_stalled":
        counts = clf.history_["pocket_errors" if keep == "pocket" else "mistakes"]
        assert min(counts[:-3]) <= min(counts[-3:])
        assert len(counts) == 4 or min(counts[:-4]) > counts[-4]  # not a pass later than needed
    assert fit(X, y, early_stopping=True, **how, **(FAR | RULES[reason])).stop_reason_ == reason


@pytest.mark.parametrize("keep", KEEPS)
def test_Z14_the_validation_error_stops_decreasing(keep: str) -> None:
    """The validation rule alone ends the run after `valid_patience` passes without fewer validation errors."""
    X, y = overlapping(12, 120)
    for valid in ({}, {"X_valid": X[80:], "y_valid": y[80:]}):
        n = 80 if valid else 120
        clf = nv.Perceptron(keep=keep, early_stopping=not valid, valid_patience=4, random_state=3, **NO_LIMIT)
        clf.fit(X[:n], y[:n], **valid)
        counts = clf.history_["valid_errors"]
        assert clf.stop_reason_ == "valid_stalled"
        assert len(counts) == clf.n_iter_ == int(np.argmin(counts)) + 5
        if valid:  # the weights are those of the best pass
            assert int((clf.decision_function(X[80:]) * y[80:] <= 0).sum()) == min(counts)


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("order", FIXED_ORDERS)
def test_Z14_all_points_right_ends_every_run(order: str, keep: str) -> None:
    """As `separated`, without warning, whatever else is asked for, and also where the last allowed pass is clean."""
    X, y = nv.example("cornwell")
    passes = nv.Perceptron(order=order, keep=keep, random_state=0).fit(X, y)
    own = {"max_iter": passes.n_iter_}, {"max_updates": passes.n_updates_}
    for limits in ({}, NO_LIMIT, {"max_time": 1000.0, "max_updates": 10**6, "train_patience": 500}, *own):
        clf = nv.Perceptron(keep=keep, order=order, random_state=0, **limits).fit(X, y)
        assert clf.stop_reason_ == "separated"
    for limits, reason in zip(own, ("max_passes", "max_updates"), strict=True):
        ((name, most),) = limits.items()
        assert fit(X, y, keep=keep, order=order, random_state=0, **{name: most - 1}).stop_reason_ == reason


@pytest.mark.parametrize("reason", RULES)
def test_Z14_one_warning_names_the_rule_and_what_is_left(reason: str) -> None:
    X, y = overlapping(14)
    with pytest.warns(nv.NotSeparatedWarning) as caught:
        clf = nv.Perceptron(keep="pocket", **(NO_LIMIT | RULES[reason])).fit(X, y)
    (said,) = (str(one.message) for one in caught)
    errors = int((clf.decision_function(X) * y <= 0).sum())
    assert reason in said
    assert f"{errors} of {len(y)}" in said
    assert [one.filename for one in caught] == [__file__]  # the line of the caller


@pytest.mark.parametrize("keep", KEEPS)
def test_Z1_training_prediction_evaluation(keep: str) -> None:
    """The three phases are one call each: fit, predict, score."""
    X, y = nv.example("breast-cancer")
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    clf = fit(X[::2], y[::2], keep=keep, max_iter=8)
    predicted = clf.predict(X[1::2])
    assert set(predicted) <= {"benign", "malignant"}
    assert clf.score(X[1::2], y[1::2]) == np.mean(predicted == y[1::2]) > 0.9
