"""The slides, update by update, in exact fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import novikoff as nv
from oracles.slides import SLIDES, Slide

LECTURE = ["tao", "cornwell", "spam", "or", "xor", "and"]


def run(slide: Slide, **how: object) -> Any:
    X, y = nv.example(slide.example)
    return nv.trace(X, y, order=slide.order, fit_intercept=slide.fit_intercept, **how)  # type: ignore[arg-type]


def lecture_run(name: str, **how: object) -> Any:
    X, y = nv.example(name)
    return nv.trace(X, y, fit_intercept=name != "tao", **how)  # type: ignore[arg-type]


def dot(a: tuple[Fraction, ...], b: tuple[Fraction, ...]) -> Fraction:
    return sum((p * q for p, q in zip(a, b, strict=True)), Fraction(0))


@pytest.mark.parametrize("name", SLIDES)
def test_T3_C5_C6_Z3_Z4_Z12_every_slide_update_by_update(name: str) -> None:
    """The trace makes the updates of the slide: the same points, the same scores, the same weights, in this order."""
    slide = SLIDES[name]
    t = run(slide)
    assert [(step.row, step.sign * step.score, step.w) for step in t.steps] == slide.updates
    assert (t.stop_reason, t.n_looks) == (slide.stop_reason, slide.looks)


@pytest.mark.parametrize("name", ["tao", "tao first"])
def test_T3_tao_two_updates(name: str) -> None:
    """Tao's four points give (1, 0), then (1, 1), and iteration 3 finds all points on their own sides."""
    t = run(SLIDES[name])
    assert [step.w for step in t.steps] == [(1, 0), (1, 1)]
    assert t.steps[-1].errors_after == 0
    assert t.plane() == "x1 + x2 = 0"


def test_C5_C6_cornwell_nine_updates() -> None:
    """Nine updates on points 1, 2, 4, 4, 1, 4, 4, 1, 4: W² = (1, −3, −1), W³ = (2, −2, −2), …, W¹⁰ = (4, −0.5, 1)."""
    t = run(SLIDES["cornwell"])
    W = {step.number + 1: step.w for step in t.steps}
    assert W[2] == (1, -3, -1)
    assert W[3] == (2, -2, -2)
    assert W[10] == t.w == (4, Fraction("-0.5"), 1)
    assert [step.row + 1 for step in t.steps] == [1, 2, 4, 4, 1, 4, 4, 1, 4]
    assert t.plane() == "4·x1 − 1/2·x2 + 1 = 0"


def test_Z3_Z6_spam_four_updates() -> None:
    """Algorithm 1 on the spam table ends after 4 updates in w = (0, 2, 0, −1, 1), b = 0, all six right; x′ is spam."""
    t = run(SLIDES["spam"])
    assert len(t.steps) == 4
    assert t.w == (0, 2, 0, -1, 1, 0)
    assert t.steps[-1].errors_after == 0
    test_mail = tuple(map(Fraction, (1, 1, 0, 0, 0, 1)))
    assert dot(t.w, test_mail) == 2
    assert t.classes[1] == "spam"


def test_Z4_or_is_learned() -> None:
    """OR is learned: (2, 2, −1) after 9 updates, cyclic."""
    t = run(SLIDES["or"])
    assert len(t.steps) == 9
    assert t.w == (2, 2, -1)
    assert t.stop_reason == "separated"


def test_Z12_S3_xor_returns_to_zero() -> None:
    """XOR is back at 0 after 4 updates, each point used once: with counts (1, 1, 1, 1) the signed points sum to 0."""
    t = run(SLIDES["xor"])
    assert t.stop_reason == "cycle"
    assert len(t.steps) == 4
    assert t.w == t.start == (0, 0, 0)
    assert t.cycle_counts == (1, 1, 1, 1)
    signed = [[step.sign * v for v in step.x] for step in t.steps]
    assert [sum(column) for column in zip(*signed, strict=True)] == [0, 0, 0]


def test_Z12_the_contradiction_is_written_out() -> None:
    """Zhang's contradiction stands below the table: b < 0, w1 + b > 0, w2 + b > 0, w1 + w2 + b < 0 add up to 0 > 0."""
    text = run(SLIDES["xor"]).to_text()
    assert "− 1·(0, 0, 1) + 1·(1, 0, 1) + 1·(0, 1, 1) − 1·(1, 1, 1) = (0, 0, 0)" in text
    for inequality in ("−b > 0", "w1 + b > 0", "w2 + b > 0", "−w1 − w2 − b > 0"):
        assert f"  {inequality}\n" in text
    assert "NOT SEPARABLE" in text


@pytest.mark.parametrize("eta", [2, "0.1", 0.1, Fraction(1, 3), 1000])
@pytest.mark.parametrize("name", LECTURE)
def test_R6_mistakes_do_not_depend_on_a_constant_rate(name: str, eta: object) -> None:
    """From w⁰ = 0 the mistakes are the same for every constant η, and w is η times that of η = 1."""
    one, other = lecture_run(name), lecture_run(name, eta0=eta)
    assert [step.row for step in other.steps] == [step.row for step in one.steps]
    assert other.w == tuple(Fraction(eta) * v for v in one.w)  # type: ignore[arg-type]
    assert other.cycle_counts == one.cycle_counts


@pytest.mark.parametrize("eta", [1, "0.3"])
@pytest.mark.parametrize("name", LECTURE)
def test_R3a_Z9a_an_update_raises_the_score_by_eta_norm2(name: str, eta: object) -> None:
    """Every update raises y·score of its point by exactly η‖x‖², which is η(‖x‖² + 1) with the bias."""
    X, _ = nv.example(name)
    t = lecture_run(name, eta0=eta)
    assert t.steps
    for step in t.steps:
        assert step.sign * dot(step.w, step.x) == step.sign * step.score + step.eta * step.norm2
        assert step.norm2 == sum(Fraction(v) ** 2 for v in X[step.row].tolist()) + t.fit_intercept


def test_R3a_Z9a_the_rise_is_shown() -> None:
    """The table shows the rise beside the score: point 1 of Cornwell, (−1, 3, 1), rises by 11."""
    first = run(SLIDES["cornwell"]).to_text().splitlines()[1]
    assert first.split()[:9] == ["1", "1", "1", "−", "(1,", "−3,", "−1)", "0", "11"]


@pytest.mark.parametrize("order", ["cyclic", "first"])
@pytest.mark.parametrize("name", LECTURE)
def test_T6a_weights_are_a_signed_sum_of_points(name: str, order: str) -> None:
    """w = w⁰ + η Σ kᵢ·yᵢ·xᵢ, where kᵢ counts how often point i was added."""
    X, y = nv.example(name)
    t = lecture_run(name, order=order, eta0="1/2")
    rows = [tuple(map(Fraction, [*x, 1][: len(t.w)])) for x in X.tolist()]
    signs = [1 if label == t.classes[1] else -1 for label in y.tolist()]
    for j, w in enumerate(t.w):
        assert w == Fraction(1, 2) * sum(k * s * x[j] for k, s, x in zip(t.counts, signs, rows, strict=True))
    assert sum(t.counts) == len(t.steps)


def test_S7_arbitrary_start() -> None:
    """The run starts from any w⁰: Tao's points from (−10, −10) take 22 updates; a start that separates takes none."""
    t = lecture_run("tao", w0=(-10, -10))
    assert t.start == (-10, -10)
    assert len(t.steps) == 22
    assert t.w == (1, 1)
    done = lecture_run("tao", w0=t.w)
    assert done.steps == ()
    assert (done.stop_reason, done.n_looks, done.w) == ("separated", 4, t.w)


def test_S7_learning_rate_schedule() -> None:
    """η may change from update to update: with η_k = 1/k the k-th update of Cornwell's points has step 1/k."""
    t = lecture_run("cornwell", schedule=lambda k: Fraction(1, k))
    assert [step.eta for step in t.steps] == [Fraction(1, k) for k in range(1, len(t.steps) + 1)]
    assert t.stop_reason == "separated"
    assert t.steps[-1].errors_after == 0


@pytest.mark.parametrize("name", ["tao", "cornwell", "spam", "or", "and"])
@pytest.mark.parametrize("order", ["cyclic", "first", "shuffle", "random"])
def test_T3_C6_Z6_every_order_separates(order: str, name: str) -> None:
    """In every order of presentation the run ends with all points on their own sides."""
    for seed in range(5):
        t = lecture_run(name, order=order, seed=seed)
        assert t.stop_reason == "separated"
        assert t.steps[-1].errors_after == 0


def test_T3_C6_Z6_the_order_changes_the_answer() -> None:
    """The spam table ends in (0, 2, 0, −1, 1), 0 after 4 updates cyclic, in (1, 3, 0, −2, 3), 0 after 8 by first."""
    in_turn, from_first = run(SLIDES["spam"]), run(SLIDES["spam first"])
    assert (len(in_turn.steps), in_turn.w) == (4, (0, 2, 0, -1, 1, 0))
    assert (len(from_first.steps), from_first.w) == (8, (1, 3, 0, -2, 3, 0))
