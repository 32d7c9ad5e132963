"""Any planes, labels and parameters go through a file and come back to the bit."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

import novikoff as nv
from data.choices import allowed_for_many
from data.small_sets import fit_quietly
from examples import examples
from novikoff.estimators.parameter_table import FIXED_BY_A_RUN
from novikoff.model import FORMAT
from novikoff.model.model_record import estimator_of, record_of
from novikoff.perceptron import KEEPS, SCHEMES
from novikoff.records.container import pack, unpack


def with_planes(clf: nv.Perceptron, planes: np.ndarray, classes: np.ndarray) -> nv.Perceptron:
    """The perceptron with these planes (w, b); there is no run."""
    clf._chosen = {name: getattr(clf, name) for name in FIXED_BY_A_RUN}
    clf.classes_, clf.n_features_in_ = classes, planes.shape[1] - 1
    clf.multi_class_, clf._with_bias = clf.multi_class, clf.fit_intercept
    clf.coef_, clf.intercept_ = planes[:, :-1].copy(), planes[:, -1].copy()
    clf._plane, clf._scale, clf._voters, clf._stream = planes, 1.0, None, None
    clf.n_iter_ = clf.n_updates_ = clf.n_looks_ = clf.seed_ = 0
    clf.stop_reason_, clf.mistake_bound_, clf.history_, clf.random_from_ = None, None, {}, None
    clf.partition_rows_ = None
    return clf


# once before Hypothesis: what it imports on the way may draw from `random`, which no strategy may
with_planes(nv.Perceptron(), np.zeros((1, 2)), np.array([0, 1]))
NUMBERS = st.floats(-(2.0**499), 2.0**499, allow_subnormal=True)
LABELS = st.one_of(
    st.sets(st.integers(-(2**63), 2**63 - 1), min_size=2, max_size=5).map(lambda v: np.array(sorted(v))),
    st.sets(st.text(max_size=8).filter(lambda t: "\0" not in t), min_size=2, max_size=5).map(
        lambda v: np.array(sorted(v), object)
    ),
    st.sets(st.floats(-1e300, 1e300), min_size=2, max_size=5).map(lambda v: np.array(sorted(v))),
)


def through_a_file(clf: Any) -> Any:
    contents = unpack(pack(FORMAT, *record_of(clf)), FORMAT)
    return estimator_of(contents.record, contents.tensors, "a file", nv.Perceptron)


@st.composite
def planes(draw: st.DrawFn) -> Any:
    """A perceptron with any planes."""
    classes, d = draw(LABELS), draw(st.integers(1, 6))
    scheme, K = draw(st.sampled_from(SCHEMES)), len(classes)
    M = 1 if K == 2 else K * (K - 1) // 2 if scheme == "ovo" else K
    w = draw(arrays(np.float64, (M, d + 1), elements=NUMBERS))
    bias = draw(st.booleans())
    w[:, -1] = w[:, -1] if bias else 0.0
    clf = nv.Perceptron(multi_class=scheme, fit_intercept=bias, tie=draw(st.sampled_from(["negative", "positive"])))
    return with_planes(clf, w, classes)


@given(planes(), st.data())
def test_any_planes_come_back_to_the_bit(clf: Any, data: st.DataObject) -> None:
    back = through_a_file(clf)
    assert back.coef_.tobytes() == clf.coef_.tobytes()
    assert back.intercept_.tobytes() == clf.intercept_.tobytes()
    assert back.classes_.tolist() == clf.classes_.tolist()
    X = data.draw(arrays(np.float64, (5, clf.n_features_in_), elements=st.floats(-1e100, 1e100)))
    assert back.predict(X).tolist() == clf.predict(X).tolist()
    assert back.decision_function(X).tobytes() == clf.decision_function(X).tobytes()


@examples(40)
@given(LABELS, st.sampled_from(KEEPS), st.sampled_from(SCHEMES), st.integers(0, 2**32), st.floats(1e-6, 1e6))
def test_any_fit_comes_back_to_the_bit(labels: np.ndarray, keep: str, scheme: str, seed: int, eta: float) -> None:
    chance = np.random.default_rng(seed)
    X, y = chance.integers(-2, 3, (24, 3)), np.append(np.arange(len(labels)), chance.integers(0, len(labels), 24))[:24]
    if labels.dtype.kind == "f" and len(labels) > 2:
        labels = np.unique(np.floor(labels))  # more than two real numbers are no labels
        y = y % len(labels)
    if len(labels) < 2 or (len(labels) > 2 and not allowed_for_many(scheme, keep)):
        return
    clf = nv.Perceptron(keep=keep, multi_class=scheme, eta0=eta, max_iter=3, random_state=seed)
    fit_quietly(clf, X, labels[y])
    back, points = through_a_file(clf), np.vstack([X, chance.normal(size=(10, 3))])
    assert back.predict(points).tolist() == clf.predict(points).tolist()
    assert back.decision_function(points).tobytes() == clf.decision_function(points).tobytes()
    assert pack(FORMAT, *record_of(back)) == pack(FORMAT, *record_of(clf))
