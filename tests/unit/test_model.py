"""A saved model and a loaded one are the same model; answers survive a pickle and a copy."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import novikoff as nv
from damage import put_together, taken_apart
from data.choices import KEEPS, SCHEDULES, SCHEMES, allowed_for_many
from data.small_sets import fit_quietly

pytestmark = pytest.mark.bounds

CHANCE = np.random.default_rng(5)
X = CHANCE.integers(-3, 4, (40, 4)).astype(np.float64) / 2
Y = CHANCE.integers(0, 3, 40)
POINTS = np.vstack([np.zeros(4), CHANCE.integers(-4, 5, (20, 4)) / 2, CHANCE.normal(size=(15, 4)), X[:10]])


def fitted(X: Any = X, y: Any = Y, **choices: Any) -> nv.Perceptron:
    return fit_quietly(nv.Perceptron(**{"max_iter": 4, "random_state": 3, **choices}), X, y)


def again(clf: Any, folder: Path, **more: Any) -> Any:
    """The model saved, loaded, saved again to the same bytes."""
    digest = nv.save(clf, folder / "model.nvk", **more)
    loaded = nv.load(folder / "model.nvk")
    assert nv.save(loaded, folder / "again.nvk", counts=more.get("counts", True)) == digest
    assert (folder / "again.nvk").read_bytes() == (folder / "model.nvk").read_bytes()
    return loaded


def check_same(a: Any, b: Any, points: Any = POINTS) -> None:
    assert a.predict(points).tolist() == b.predict(points).tolist()
    assert a.predict(points).dtype == b.predict(points).dtype
    for name in ("coef_", "intercept_"):
        assert getattr(a, name).tobytes() == getattr(b, name).tobytes()
    assert a.decision_function(points).tobytes() == b.decision_function(points).tobytes()


@pytest.mark.parametrize(
    ("classes", "scheme", "keep"),
    [one for one in product((2, 3), SCHEMES, KEEPS) if one[0] == 2 or allowed_for_many(*one[1:])],
)
def test_a_loaded_model_predicts_to_the_bit_and_learns_on_from_its_weights(
    classes: int, scheme: str, keep: str, tmp_path: Path
) -> None:
    y = Y % classes
    for tie, eta, bias in (("negative", 1.0, True), ("positive", 0.3, True), ("positive", 1e-9, False)):
        choices = {"multi_class": scheme, "keep": keep, "tie": tie, "eta0": eta, "fit_intercept": bias}
        clf = fitted(y=y, warm_start=True, **choices)
        loaded = again(clf, tmp_path)
        check_same(clf, loaded)
        fresh = fit_quietly(
            nv.Perceptron(**loaded.get_params()), X, y, coef_init=clf.coef_, intercept_init=clf.intercept_ * bias
        )
        check_same(fit_quietly(loaded, X, y), fresh)
        assert loaded.n_looks_ == fresh.n_looks_


def test_a_stream_goes_on_from_loaded_weights_and_weights_changed_by_hand_are_saved(tmp_path: Path) -> None:
    clf = fitted(y=Y % 2, keep="average")
    loaded = again(clf, tmp_path)
    check_same(clf.partial_fit(X, Y % 2), loaded.partial_fit(X, Y % 2))
    clf = fitted(y=Y % 2, eta0=0.3)
    clf.coef_ = np.array([[1, -2, 0.1, 0]])
    check_same(clf, again(clf, tmp_path))


@pytest.mark.parametrize("stored", [np.float32, np.int8, np.uint8, np.int64, bool, sp.csr_array, "frame"])
def test_votes_come_from_every_storage(stored: Any, tmp_path: Path) -> None:
    whole = X * 2 + (3 if stored is np.uint8 else 0)
    frame = stored == "frame"
    rows = pd.DataFrame(whole, columns=list("abcd")) if frame else whole
    rows = sp.csr_array(whole) if stored is sp.csr_array else rows if frame else whole.astype(stored)
    clf = fitted(X=rows, y=Y % 2, keep="vote")
    check_same(clf, again(clf, tmp_path), pd.DataFrame(POINTS, columns=list("abcd")) if frame else POINTS)


LABELS: list[tuple[list[Any], Any]] = [
    ([-1, 1], int), ([7, 300], np.uint16), ([-5, 2**62], int), ([2**63, 2**64 - 1], np.uint64), ([0.1, 0.2], float),
    ([0.1, 2.5], np.float32), ([1, 2], np.float16), ([False, True], bool), (["ham", "spam"], str),
    (["ä\U0001f600", "ß"], str), (["ham", "spam"], object), (["a", "b"], "U30"), ([b"a", b"\xff"], bytes),
    ([1, 2], object), ([-(2**70), 2**70], object), ([1.5, 2.0], object), ([1, 2], ">i4"), (["x", "y"], ">U3"),
    ([False, True], object), (["", "\ud800"], object),
]  # fmt: skip


@pytest.mark.parametrize(("values", "kind"), LABELS)
def test_labels_come_back_with_their_type(values: list[Any], kind: Any, tmp_path: Path) -> None:
    clf = fitted(y=np.array(values, kind)[Y % 2])
    loaded = again(clf, tmp_path)
    assert loaded.classes_.dtype == clf.classes_.dtype
    assert [(type(v), v) for v in loaded.classes_.tolist()] == [(type(v), v) for v in clf.classes_.tolist()]
    assert loaded.predict(POINTS).tolist() == clf.predict(POINTS).tolist()


def test_a_loaded_model_has_the_attributes_of_a_fitted_one(tmp_path: Path) -> None:
    """All but the wall clock, which would make every file another, and what belongs to a certificate of its own."""
    frame = pd.DataFrame(X, columns=list("abcd"))
    clf = fitted(frame, early_stopping=True, class_weight={0: 2.0, np.int64(1): np.float32(0.1)}, order="shuffle")
    loaded = again(clf, tmp_path)
    assert loaded.get_params() == clf.get_params() == clone(loaded).get_params()
    public = {name for name in vars(clf) if name.endswith("_") and not name.startswith("_")} - {"verdict_", "order_"}
    assert public == {name for name in vars(loaded) if name.endswith("_") and not name.startswith("_")}
    timed = ("seconds", "loss", "norm")
    assert loaded.history_ == {name: column for name, column in clf.history_.items() if name not in timed}
    for name in ("n_mistakes_", "classes_", "feature_names_in_"):
        assert getattr(loaded, name).tolist() == getattr(clf, name).tolist()
    same = ("stop_reason_", "n_iter_", "n_updates_", "n_looks_", "seed_", "n_features_in_", "mistake_bound_")
    assert [getattr(loaded, name) for name in same] == [getattr(clf, name) for name in same]
    with pytest.raises(ValueError, match="feature names"):
        loaded.predict(frame[["b", "a", "c", "d"]])
    check_same(clf, pickle.loads(pickle.dumps(loaded)), frame)


def test_counts_can_be_left_out_and_a_long_history_is_thinned(tmp_path: Path) -> None:
    clf = fitted(*nv.example("xor"), max_iter=100)
    assert again(clf, tmp_path).cycle_counts_.tolist() == clf.cycle_counts_.tolist()
    size = (tmp_path / "model.nvk").stat().st_size
    assert not hasattr(again(clf, tmp_path, counts=False), "n_mistakes_")
    assert (tmp_path / "model.nvk").stat().st_size < size
    assert again(fitted(y=Y % 2), tmp_path).cycle_counts_ is None
    chance = np.random.default_rng(3)
    how = {"keep": "last", "rule": "pa1", "max_iter": 3_000, "train_patience": None}
    clf = fitted(chance.normal(size=(30, 2)), chance.integers(0, 2, 30), **how)
    assert len(clf.history_["pass"]) == 3_000
    loaded = again(clf, tmp_path).history_
    assert (loaded["pass"][:3], loaded["pass"][-1]) == ([1, 4, 7], 3_000)
    assert {len(column) for column in loaded.values()} == {1_000}
    assert loaded["mistakes"] == [clf.history_["mistakes"][number - 1] for number in loaded["pass"]]
    assert (tmp_path / "model.nvk").stat().st_size < 100_000


# ---- what is not saved, and what is refused


def test_what_cannot_be_stored_is_said_with_the_way_out(tmp_path: Path) -> None:
    class Mine(nv.Perceptron):  # type: ignore[misc]
        pass

    with pytest.raises(NotFittedError):
        nv.save(nv.Perceptron(), tmp_path / "m")
    for stranger in (Mine().fit(*nv.example("or")), 3, "Perceptron"):
        with pytest.raises(nv.InputError, match="a fitted Perceptron or MaxMargin or SoftMargin was expected"):
            nv.save(stranger, tmp_path / "m")
    clf = fitted(y=Y % 2, schedule=lambda k: 1 / k)
    with pytest.raises(nv.InputError, match=r"schedule: .* clf\.set_params\(schedule='constant'\)"):
        nv.save(clf, tmp_path / "m")
    drawn = fitted(y=Y % 2, random_state=np.random.RandomState(1))
    with pytest.raises(nv.InputError, match=r"random_state: .* clf\.set_params\(random_state=clf.seed_\)"):
        nv.save(drawn, tmp_path / "m")
    assert list(tmp_path.iterdir()) == []
    check_same(clf, again(clf.set_params(schedule="constant"), tmp_path))
    again(drawn.set_params(random_state=drawn.seed_), tmp_path)


def parameter(name: str, value: Any) -> Callable[[Any], Any]:
    return lambda said: {**said, "parameters": said["parameters"] | {name: value}}


def classes(kind: str, values: list[Any]) -> Callable[[Any], Any]:
    return lambda said: {**said, "classes": {"dtype": kind, "values": values}}


def field(name: str, value: Any) -> Callable[[Any], Any]:
    return lambda said: {**said, name: value}


REFUSED: list[tuple[Callable[[Any], Any], str]] = [
    (field("estimator", "Pipeline"), "estimator: found 'Pipeline'; one of Perceptron"),
    (field("estimator", "os.system"), "one of Perceptron"),
    (field("extra", 1), "extra: found 1; no such field is known"),
    (field("preparation", {"kind": "tfidf"}), "kind: found 'tfidf'"),
    (field("preparation", {}), "kind: the field is missing"),
    (field("n_features", 3), r"coef: found float64 of shape \(3, 4\); float64 of shape \(3, 3\)"),
    (field("n_features", 0), "n_features: found 0"),
    (field("feature_names", ["a"]), "null or 4 names"),
    (field("scale", 2.0), "not the trained planes times 2.0"),
    (field("scale", 0.0), "scale: found 0.0"),
    (field("bias", False), "intercept: not 0 in a model without a bias"),
    (field("multi_class", "all"), "multi_class: found 'all'"),
    (field("stop_reason", "bored"), "stop_reason: found 'bored'"),
    (field("passes", -1), "passes: found -1"),
    (field("seed", 1.0), "seed: found 1.0"),
    (field("history", {"a": [1], "b": []}), "history.b"),
    (field("history", {"a": ["x"]}), "history.a: found 'x'"),
    (field("data_digest", "abc"), "data_digest"),
    (classes("<i8", [0, 1, 1]), "labels of type <i8 in rising order"),
    (classes("<i8", [0, 1, 2.0]), "labels of type <i8"),
    (classes("|i1", [0, 1, 200]), "labels of type |i1"),
    (classes("<f4", [0.1, 1.0, 2.0]), "labels of type <f4"),
    (classes("<U1", ["a", "b", "cc"]), "labels of type <U1"),
    (classes("object", [0, "b", None]), "labels of type object"),
    (classes("object", [0, "b", "c"]), "labels of type object"),
    (classes("<M8[D]", [0, 1, 2]), "a type of labels"),
    (classes("<U9999", [str(10**5 + k) for k in range(9999)]), "labels of type <U9999"),
    (classes("<i8", list(range(10_000))), "coef: found float64"),
    (parameter("unheard_of", 1), "parameters.*no such parameter"),
    (parameter("eta0", -1), "parameters.*eta0: found -1"),
    (parameter("schedule", []), "parameters.*a plain value"),
    (parameter("class_weight", {"pairs": [[0]]}), "parameters.*a pair of plain values"),
    (parameter("class_weight", {"pairs": [[0, 1], [0, 2]]}), "parameters.*for each class, once"),
    (parameter("keep", "best"), "parameters.*keep: found 'best'"),
    (parameter("tie", None), "parameters.*tie: found None"),
    (parameter("engine", "os"), "parameters.*engine"),
]


@pytest.mark.parametrize(("change", "words"), REFUSED)
def test_what_is_not_known_is_refused(change: Callable[[Any], Any], words: str, tmp_path: Path) -> None:
    nv.save(fitted(), tmp_path / "m.nvk")
    header, said, rest = taken_apart((tmp_path / "m.nvk").read_bytes())
    (tmp_path / "bad.nvk").write_bytes(put_together(header, change(said), rest))
    with pytest.raises(nv.InputError, match=rf"bad\.nvk.*{words}"):
        nv.load(tmp_path / "bad.nvk")


def test_weights_that_are_no_numbers_or_too_large_are_refused(tmp_path: Path) -> None:
    nv.save(fitted(), tmp_path / "m.nvk")
    header, said, rest = taken_apart((tmp_path / "m.nvk").read_bytes())
    lo = header["coef"]["data_offsets"][0]
    for number in (np.nan, np.inf, -np.inf, 1e200):
        damaged = rest[:lo] + np.float64(number).tobytes() + rest[lo + 8 :]
        (tmp_path / "bad.nvk").write_bytes(put_together(header, said, damaged))
        with pytest.raises(nv.InputError, match="coef, intercept: not finite"):
            nv.load(tmp_path / "bad.nvk")


# ---- pickles and copies of answers: they still speak of their points


@pytest.fixture(params=[lambda value: pickle.loads(pickle.dumps(value)), copy.deepcopy], ids=["pickled", "copied"])
def copied(request: pytest.FixtureRequest) -> Callable[[Any], Any]:
    return request.param  # type: ignore[no-any-return]


def test_copies_of_answers_speak_of_their_points(copied: Callable[[Any], Any]) -> None:
    for name, store in product(("or", "xor"), (np.asarray, np.float32, np.int8, sp.csr_matrix, sp.csc_matrix)):
        X, y = nv.example(name)
        X = store(np.asarray(X))
        verdict = nv.decide(X, y)
        other = copied(verdict)
        assert (other.kind, other.support, other.w, other.b) == (verdict.kind, verdict.support, verdict.w, verdict.b)
        assert other.check(X, y)
        assert other.explain() == verdict.explain()
        assert other.certificate().record() == verdict.certificate().record()
    rng = np.random.default_rng(3)
    wide, y = rng.integers(0, 9, (40, 60)).astype(np.uint8), np.arange(40) % 2
    assert copied(nv.decide(wide, y)).check(wide, y)
    m = nv.margin(*nv.example("or"))
    other = copied(m)
    facts = (m.geometric.gamma, m.mistake_bound, m.updates)
    assert (other.geometric.gamma, other.mistake_bound, other.updates) == facts
    found = nv.removal(*nv.example("xor"))
    assert (copied(found).rows, copied(found).rest.w) == (found.rows, found.rest.w)
    with pytest.raises(nv.NotSeparableError) as raised:
        nv.margin(*nv.example("xor"))
    assert str(copied(raised.value)) == str(raised.value)
    assert copied(raised.value).verdict.check(*nv.example("xor"))


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_copies_of_a_stream_and_a_warm_start_go_on(copied: Callable[[Any], Any], schedule: str) -> None:
    X, y = nv.example("cornwell")
    for clf in (nv.Perceptron(schedule=schedule).partial_fit(X, y),
                fit_quietly(nv.Perceptron(schedule=schedule, warm_start=True, max_updates=2), X, y)):  # fmt: skip
        other = copied(clf)
        for one in (clf, other):
            fit_quietly(one, X, y) if one.warm_start else one.partial_fit(X, y)
        assert other.coef_.tolist() == clf.coef_.tolist()
