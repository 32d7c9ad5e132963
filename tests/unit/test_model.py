"""A saved model and a loaded one are the same model: predictions to the bit, attributes, what training does next."""

from __future__ import annotations

import pickle
import warnings
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import novikoff as nv
from damage import put_together, taken_apart
from data.choices import KEEPS, SCHEMES, allowed_for_many
from data.small_sets import fit_quietly
from novikoff.errors import InputError

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
    assert a.decision_function(points).tobytes() == b.decision_function(points).tobytes()
    assert a.coef_.tobytes() == b.coef_.tobytes()
    assert a.intercept_.tobytes() == b.intercept_.tobytes()


@pytest.mark.parametrize(
    ("classes", "scheme", "keep"),
    [one for one in product((2, 3), SCHEMES, KEEPS) if one[0] == 2 or allowed_for_many(*one[1:])],
)
def test_a_loaded_model_predicts_to_the_bit_as_the_saved_one(
    classes: int, scheme: str, keep: str, tmp_path: Path
) -> None:
    for tie, eta, bias in (("negative", 1.0, True), ("positive", 0.3, True), ("positive", 1e-9, False)):
        choices = {"multi_class": scheme, "keep": keep, "tie": tie, "eta0": eta, "fit_intercept": bias}
        clf = fitted(y=Y % classes, **choices)
        check_same(clf, again(clf, tmp_path))


@pytest.mark.parametrize("stored", [np.float32, np.int8, np.uint8, np.int64, bool, csr_array, "frame"])
def test_votes_come_from_every_storage(stored: Any, tmp_path: Path) -> None:
    whole = X * 2 + (3 if stored is np.uint8 else 0)
    frame = stored == "frame"
    rows = pd.DataFrame(whole, columns=list("abcd")) if frame else csr_array(whole) if stored is csr_array else whole
    rows = rows if frame or stored is csr_array else whole.astype(stored)
    points = pd.DataFrame(POINTS, columns=list("abcd")) if frame else POINTS
    clf = fitted(X=rows, y=Y % 2, keep="vote")
    check_same(clf, again(clf, tmp_path), points)


@pytest.mark.parametrize(
    "labels",
    [np.array([-1, 1]), np.array([7, 300], np.uint16), np.array([-5, 2**62]), np.array([2**63, 2**64 - 1], np.uint64),
     np.array([0.1, 0.2]), np.array([0.1, 2.5], np.float32), np.array([1, 2], np.float16), np.array([False, True]),
     np.array(["ham", "spam"]), np.array(["ä\U0001f600", "ß"]), np.array(["ham", "spam"], object),
     np.array(["a", "b"], "U30"), np.array([b"a", b"\xff"]), np.array([1, 2], object),
     np.array([-(2**70), 2**70], object), np.array([1.5, 2.0], object), np.array([1, 2], ">i4"),
     np.array(["x", "y"], ">U3"), np.array([False, True], object), np.array(["", "\ud800"], object)],
)  # fmt: skip
def test_labels_come_back_with_their_type(labels: np.ndarray, tmp_path: Path) -> None:
    clf = fitted(y=labels[Y % 2])
    loaded = again(clf, tmp_path)
    assert loaded.classes_.dtype == clf.classes_.dtype
    assert [(type(v), v) for v in loaded.classes_.tolist()] == [(type(v), v) for v in clf.classes_.tolist()]
    assert loaded.predict(POINTS).tolist() == clf.predict(POINTS).tolist()


def test_a_loaded_model_has_the_attributes_of_a_fitted_one(tmp_path: Path) -> None:
    """All but the wall clock, which would make every file another, and what belongs to a certificate of its own."""
    frame = pd.DataFrame(X, columns=list("abcd"))
    clf = fitted(frame, early_stopping=True, class_weight={0: 2.0, np.int64(1): np.float32(0.1)}, order="shuffle")
    loaded = again(clf, tmp_path)
    assert loaded.get_params() == clf.get_params()
    public = {name for name in vars(clf) if name.endswith("_") and not name.startswith("_")} - {"verdict_", "order_"}
    assert public == {name for name in vars(loaded) if name.endswith("_") and not name.startswith("_")}
    assert loaded.feature_names_in_.tolist() == list("abcd")
    assert loaded.history_ == {
        name: column for name, column in clf.history_.items() if name not in ("seconds", "loss", "norm")
    }
    for name in ("n_mistakes_", "classes_"):
        assert getattr(loaded, name).tolist() == getattr(clf, name).tolist()
    same = ("stop_reason_", "n_iter_", "n_updates_", "n_looks_", "seed_", "n_features_in_", "mistake_bound_")
    assert [getattr(loaded, name) for name in same] == [getattr(clf, name) for name in same]
    with pytest.raises(ValueError, match="feature names"):
        loaded.predict(frame[["b", "a", "c", "d"]])
    assert clone(loaded).get_params() == clf.get_params()
    check_same(clf, pickle.loads(pickle.dumps(loaded)), frame)


def test_counts_can_be_left_out(tmp_path: Path) -> None:
    clf = fitted(*nv.example("xor"), max_iter=100)
    assert again(clf, tmp_path).cycle_counts_.tolist() == clf.cycle_counts_.tolist()
    size = (tmp_path / "model.nvk").stat().st_size
    loaded = again(clf, tmp_path, counts=False)
    assert not hasattr(loaded, "n_mistakes_")
    assert (tmp_path / "model.nvk").stat().st_size < size
    assert fitted(y=Y % 2).cycle_counts_ is None
    assert again(fitted(y=Y % 2), tmp_path).cycle_counts_ is None


def test_weights_that_were_changed_by_hand_are_those_that_are_saved(tmp_path: Path) -> None:
    clf = fitted(y=Y % 2, eta0=0.3)
    clf.coef_ = np.array([[1, -2, 0.1, 0]])
    check_same(clf, again(clf, tmp_path))


# ---- going on ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("classes", "keep"), [choice for choice in product((2, 3), KEEPS) if choice != (3, "vote")])
def test_a_warm_start_after_loading_is_a_new_run_from_the_weights(classes: int, keep: str, tmp_path: Path) -> None:
    y = Y % classes
    clf = fitted(y=y, keep=keep, warm_start=True, max_iter=2, eta0=0.5)
    loaded = again(clf, tmp_path)
    fresh = nv.Perceptron(**loaded.get_params())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        loaded.fit(X, y)
        fresh.fit(X, y, coef_init=clf.coef_, intercept_init=clf.intercept_)
    check_same(loaded, fresh)
    assert loaded.n_looks_ == fresh.n_looks_


def test_partial_fit_goes_on_from_the_weights(tmp_path: Path) -> None:
    clf = fitted(y=Y % 2, keep="average")
    loaded = again(clf, tmp_path)
    check_same(clf.partial_fit(X, Y % 2), loaded.partial_fit(X, Y % 2))


# ---- what is not saved ---------------------------------------------------------------------------------------------


def test_what_cannot_be_stored_is_said_with_the_way_out(tmp_path: Path) -> None:
    clf = fitted(y=Y % 2, schedule=lambda k: 1 / k)
    with pytest.raises(InputError, match=r"schedule: .* clf\.set_params\(schedule='constant'\)"):
        nv.save(clf, tmp_path / "m")
    check_same(clf, again(clf.set_params(schedule="constant"), tmp_path))
    clf = fitted(y=Y % 2, random_state=np.random.RandomState(1))
    with pytest.raises(InputError, match=r"random_state: .* clf\.set_params\(random_state=clf.seed_\)"):
        nv.save(clf, tmp_path / "m")
    again(clf.set_params(random_state=clf.seed_), tmp_path)


def test_only_a_fitted_perceptron_is_saved(tmp_path: Path) -> None:
    class Mine(nv.Perceptron):  # type: ignore[misc]
        pass

    with pytest.raises(NotFittedError):
        nv.save(nv.Perceptron(), tmp_path / "m")
    for stranger in (Mine().fit(*nv.example("or")), 3, "Perceptron"):
        with pytest.raises(InputError, match="a fitted Perceptron or MaxMargin or SoftMargin was expected"):
            nv.save(stranger, tmp_path / "m")
    assert list(tmp_path.iterdir()) == []


# ---- what is refused -----------------------------------------------------------------------------------------------

REFUSED: list[tuple[str, Any, str]] = [
    ("estimator", "Pipeline", "estimator: found 'Pipeline'; one of Perceptron"),
    ("estimator", "os.system", "one of Perceptron"),
    ("extra", 1, "extra: found 1; no such field is known"),
    ("preparation", {"kind": "tfidf"}, "kind: found 'tfidf'"),
    ("preparation", {}, "kind: the field is missing"),
    ("n_features", 3, r"coef: found float64 of shape \(3, 4\); float64 of shape \(3, 3\)"),
    ("n_features", 0, "n_features: found 0"),
    ("feature_names", ["a"], "null or 4 names"),
    ("scale", 2.0, "not the trained planes times 2.0"),
    ("scale", 0.0, "scale: found 0.0"),
    ("bias", False, "intercept: not 0 in a model without a bias"),
    ("multi_class", "all", "multi_class: found 'all'"),
    ("stop_reason", "bored", "stop_reason: found 'bored'"),
    ("passes", -1, "passes: found -1"),
    ("seed", 1.0, "seed: found 1.0"),
    ("history", {"a": [1], "b": []}, "history.b"),
    ("history", {"a": ["x"]}, "history.a: found 'x'"),
    ("data_digest", "abc", "data_digest"),
    ("classes", {"dtype": "<i8", "values": [0, 1, 1]}, "labels of type <i8 in rising order"),
    ("classes", {"dtype": "<i8", "values": [0, 1, 2.0]}, "labels of type <i8"),
    ("classes", {"dtype": "|i1", "values": [0, 1, 200]}, "labels of type |i1"),
    ("classes", {"dtype": "<f4", "values": [0.1, 1.0, 2.0]}, "labels of type <f4"),
    ("classes", {"dtype": "<U1", "values": ["a", "b", "cc"]}, "labels of type <U1"),
    ("classes", {"dtype": "object", "values": [0, "b", None]}, "labels of type object"),
    ("classes", {"dtype": "object", "values": [0, "b", "c"]}, "labels of type object"),
    ("classes", {"dtype": "<M8[D]", "values": [0, 1, 2]}, "a type of labels"),
    ("classes", {"dtype": "<U9999", "values": [str(10**5 + k) for k in range(9999)]}, "labels of type <U9999"),
    ("classes", {"dtype": "<i8", "values": list(range(10_000))}, "coef: found float64"),
]


@pytest.mark.parametrize(("field", "value", "words"), REFUSED)
def test_what_is_not_known_is_refused(field: str, value: Any, words: str, tmp_path: Path) -> None:
    header, said, rest = _one(tmp_path)
    (tmp_path / "bad.nvk").write_bytes(put_together(header, {**said, field: value}, rest))
    with pytest.raises(InputError, match=words) as caught:
        nv.load(tmp_path / "bad.nvk")
    assert "bad.nvk" in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [("unheard_of", 1, "no such parameter"), ("eta0", -1, "eta0: found -1"), ("schedule", [], "a plain value"),
     ("class_weight", {"pairs": [[0]]}, "a pair of plain values"),
     ("class_weight", {"pairs": [[0, 1], [0, 2]]}, "for each class, once"), ("keep", "best", "keep: found 'best'"),
     ("tie", None, "tie: found None"), ("engine", "os", "engine")],
)  # fmt: skip
def test_parameters_are_checked_as_at_a_fit(name: str, value: Any, words: str, tmp_path: Path) -> None:
    header, said, rest = _one(tmp_path)
    said["parameters"][name] = value
    (tmp_path / "bad.nvk").write_bytes(put_together(header, said, rest))
    with pytest.raises(InputError, match=words) as caught:
        nv.load(tmp_path / "bad.nvk")
    assert "bad.nvk: parameters" in str(caught.value)


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf, 1e200])
def test_weights_that_are_no_numbers_or_too_large_are_refused(number: float, tmp_path: Path) -> None:
    header, said, rest = _one(tmp_path)
    lo = header["coef"]["data_offsets"][0]
    (tmp_path / "bad.nvk").write_bytes(
        put_together(header, said, rest[:lo] + np.float64(number).tobytes() + rest[lo + 8 :])
    )
    with pytest.raises(InputError, match="coef, intercept: not finite"):
        nv.load(tmp_path / "bad.nvk")


def _one(folder: Path) -> tuple[Any, Any, bytes]:
    nv.save(fitted(), folder / "m.nvk")
    return taken_apart((folder / "m.nvk").read_bytes())


# ---- files that are kept -------------------------------------------------------------------------------------------


def test_a_model_file_has_at_most_1_000_entries_of_the_history(tmp_path: Path) -> None:
    chance = np.random.default_rng(3)
    clf = nv.Perceptron(keep="last", rule="pa1", max_iter=3_000, train_patience=None)
    with pytest.warns(nv.NotSeparatedWarning):
        clf.fit(chance.normal(size=(30, 2)), chance.integers(0, 2, 30))
    assert len(clf.history_["pass"]) == 3_000
    nv.save(clf, tmp_path / "m.nvk")
    loaded = nv.load(tmp_path / "m.nvk").history_
    assert loaded["pass"][:3] == [1, 4, 7]
    assert loaded["pass"][-1] == 3_000
    assert {len(column) for column in loaded.values()} == {1_000}
    places = [number - 1 for number in loaded["pass"]]
    assert loaded["mistakes"] == [clf.history_["mistakes"][k] for k in places]
    assert (tmp_path / "m.nvk").stat().st_size < 100_000
    again = nv.load(tmp_path / "m.nvk")
    assert nv.save(again, tmp_path / "again.nvk") == nv.save(clf, tmp_path / "m.nvk")
