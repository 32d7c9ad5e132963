"""R2: a stream is one look at each row, in any chunks, from any storage, to the bit."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import novikoff as nv
from data.kernel_mode import all_interpreted
from data.small_sets import fit_quietly
from data.storages import storages_of

pytestmark = pytest.mark.usefixtures("both_modes")


def many() -> int:
    """How many problems a test draws."""
    return 10 if all_interpreted() else 40


def problems(seed: int, count: int | None = None) -> Iterator[tuple[np.ndarray, np.ndarray, dict[str, Any]]]:
    """Points, labels of two to five classes, and the choices of a run that a stream can have."""
    rng = np.random.default_rng(seed)
    for k in range(count or many()):
        n, d, K = int(rng.integers(12, 50)), int(rng.integers(1, 7)), 2 + k % 4
        X = rng.integers(-3, 4, (n, d)).astype(float) if k % 3 else rng.standard_normal((n, d))
        y = rng.integers(0, K, n)
        y[:K] = rng.permutation(K)
        how: dict[str, Any] = {
            "keep": ["last", "average", "pocket"][k % 3],
            "multi_class": str(rng.choice(["ova", "ovo", "joint"])),
            "fit_intercept": bool(rng.integers(2)),
            "eta0": float(rng.choice([1.0, 0.1])),
            "class_weight": [None, None, {0: 0.3, 1: 2.5}][int(rng.integers(3))],
        }
        if how["multi_class"] == "joint" and how["keep"] == "pocket" and K > 2:
            how["keep"] = "last"
        if how["multi_class"] != "joint":
            how["rule"] = str(rng.choice(["perceptron", "margin", "pa", "pa1", "pa2"]))
        yield X, y, how


def streamed(X: Any, y: np.ndarray, chunk: int, how: dict[str, Any], **more: Any) -> nv.Perceptron:
    clf = nv.Perceptron(**how)
    for lo in range(0, len(y), chunk):
        clf.partial_fit(X[lo : lo + chunk], y[lo : lo + chunk], **more)
    return clf


def bits_of(clf: nv.Perceptron) -> tuple[Any, ...]:
    return (
        clf.coef_.tobytes(),
        clf.intercept_.tobytes(),
        clf.n_updates_,
        clf.n_looks_,
        clf.n_mistakes_.tolist(),
        clf.classes_.tolist(),
        clf.stop_reason_,
    )


def test_R2_any_chunks_give_the_same_bits() -> None:
    for X, y, how in problems(1):
        for more in ({}, {"classes": np.unique(y)}):
            expected = bits_of(streamed(X, y, len(y), how, **more))
            for chunk in (1, 7, 1000):
                assert bits_of(streamed(X, y, chunk, how, **more)) == expected, (chunk, how, more)


def test_R2_chunks_of_different_storages_give_the_same_bits() -> None:
    for X, y, how in problems(2, many() // 4):
        expected = bits_of(streamed(X, y, 5, how))
        stores = list(storages_of(X))
        clf = nv.Perceptron(**how)
        for k, lo in enumerate(range(0, len(y), 5)):
            pick = [name for name, _ in stores if not name.startswith(("pandas", "polars", "pyarrow", "lists"))]
            stored = dict(storages_of(X[lo : lo + 5])).get(pick[k % len(pick)], X[lo : lo + 5])
            clf.partial_fit(stored, y[lo : lo + 5])
        assert bits_of(clf) == expected


def test_R2_one_pass_of_fit_is_the_same_run() -> None:
    met = 0
    for X, y, how in problems(3):
        if how["keep"] == "pocket":
            continue
        fit = fit_quietly(nv.Perceptron(**how, max_iter=1), X, y)
        if fit.stop_reason_ == "cycle":
            continue  # fit ended in the middle of the pass, with a proof
        clf = streamed(X, y, 7, how, classes=np.unique(y))
        assert bits_of(clf)[:4] == bits_of(fit)[:4], how
        assert clf.n_mistakes_.tolist() == np.bincount(y, fit.n_mistakes_).astype(int).tolist()
        met += 1
    assert met > many() // 4


def test_R2_a_stream_that_rests_goes_on_as_if_nothing_had_happened() -> None:
    for X, y, how in problems(4, many() // 2):
        clf = nv.Perceptron(**how)
        for lo in range(0, len(y), 6):
            clf = pickle.loads(pickle.dumps(clf.partial_fit(X[lo : lo + 6], y[lo : lo + 6])))
        assert bits_of(clf) == bits_of(streamed(X, y, len(y), how))


def test_R2_a_loaded_model_begins_a_stream_from_its_weights(tmp_path: Path) -> None:
    """The last weights are all that such a stream has: it goes on as if it had not been saved."""
    path, met = tmp_path / "m.nvk", 0
    for X, y, how in problems(4):
        half = len(y) // 2
        if how["keep"] != "last" or set(y) != set(y[:half]):
            continue
        if how.get("eta0", 1.0) != 1.0 or how.get("schedule") is not None:
            continue
        met += 1
        nv.save(streamed(X[:half], y[:half], 7, how), path)
        loaded = nv.load(path).partial_fit(X[half:], y[half:])
        whole = streamed(X, y, 7, how)
        assert (loaded.coef_.tobytes(), loaded.intercept_.tobytes()) == (
            whole.coef_.tobytes(),
            whole.intercept_.tobytes(),
        )
        assert loaded.n_looks_ < whole.n_looks_
    assert met


def test_R2_a_class_is_born_at_its_first_row() -> None:
    for X, y, how in problems(5):
        if how["multi_class"] != "ova" or how["class_weight"] is not None or how["keep"] == "pocket":
            continue
        birth = {int(c): int(np.argmax(y == c)) for c in np.unique(y)}
        third = sorted(birth.values())[2:]
        clf = streamed(X, y, 7, how)
        assert clf.classes_.tolist() == sorted(birth)
        for c, row in birth.items():
            if row in third:
                alone = streamed(X[row:], (y == c)[row:], 7, how, classes=[False, True])
                assert clf.coef_[c].tobytes() == alone.coef_[0].tobytes()
                assert clf.intercept_[c] == alone.intercept_[0]


def test_R2_the_plane_of_two_classes_is_that_of_the_last_and_mirrored_that_of_the_first() -> None:
    X = np.array([[1.0, 2.0], [2.0, -1.0], [-1.0, 0.5], [3.0, 3.0]])
    two = nv.Perceptron(keep="last").partial_fit(X[:3], ["b", "d", "b"])
    for name in "ace":
        names = sorted({"b", "d", name})
        clf = pickle.loads(pickle.dumps(two)).partial_fit(X[3:] * 0.0, [name])
        assert clf.classes_.tolist() == names
        planes = dict(zip(names, clf.coef_, strict=True))
        assert planes["d"].tolist() == two.coef_[0].tolist()
        assert planes["b"].tolist() == (-two.coef_[0]).tolist()
        assert planes[name].tolist() == [0.0, 0.0]


def test_R2_nothing_is_learned_before_a_second_class() -> None:
    X, y = np.array([[1.0], [2.0], [5.0], [-1.0]]), np.array(["a", "a", "a", "b"])
    clf = nv.Perceptron().partial_fit(X[:2], y[:2]).partial_fit(X[2:3], y[2:3])
    assert (clf.n_updates_, clf.n_looks_, clf.classes_.tolist(), clf.coef_.shape) == (0, 0, ["a"], (0, 1))
    with pytest.raises(nv.InputError, match="only one class, 'a', was seen so far"):
        clf.predict(X)
    clf.partial_fit(X[3:], y[3:])
    assert (clf.n_updates_, clf.n_looks_, clf.coef_.tolist(), clf.intercept_.tolist()) == (1, 1, [[-1.0]], [1.0])


def test_R2_the_pocket_of_a_stream_is_the_longest_run() -> None:
    for X, y, how in problems(6):
        if how["keep"] != "pocket" or how["class_weight"] is not None:
            continue
        clf, best, longest, run, present = nv.Perceptron(**how), None, 0, 0, None
        last = nv.Perceptron(**how | {"keep": "last"})
        for i in range(len(y)):
            created = i > 0 and len(set(y[: i + 1])) > len(set(y[:i]))
            if created:
                best, longest, run, present = None, 0, 0, None
            before = last.n_updates_ if i else 0
            last.partial_fit(X[i : i + 1], y[i : i + 1])
            if last.n_updates_ > before or present is None:
                if run > longest:
                    best, longest = present, run
                run = 0 if last.n_updates_ > before else 1
                present = last.coef_.copy()
            else:
                run += 1
            clf.partial_fit(X[i : i + 1], y[i : i + 1])
        expected = present if best is None or run > longest else best
        assert clf.coef_.tolist() == expected.tolist(), how  # type: ignore[union-attr]


def test_balanced_weights_are_refused_by_a_stream() -> None:
    with pytest.raises(nv.InputError, match="class_weight: 'balanced' with partial_fit; the classes of a stream are"):
        nv.Perceptron(class_weight="balanced").partial_fit([[1.0], [2.0]], [0, 1])


def test_R2_mistakes_stay_within_the_bound_of_a_known_margin(capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(0)
    plane = np.array([0.6, 0.0, 0.8, 0.0])  # of unit length on the padded points
    X = rng.uniform(-1, 1, (3000, 3))
    scores = X @ plane[:-1] + plane[-1]
    X, y = X[abs(scores) > 0.1], np.sign(scores[abs(scores) > 0.1])
    clf = nv.Perceptron(known_margin=0.1, verbose=1)
    for lo in range(0, len(y), 100):
        clf.partial_fit(X[lo : lo + 100], y[lo : lo + 100])
        R2 = (X[: lo + 100] ** 2).sum(axis=1).max() + 1
        assert clf.mistake_bound_ == pytest.approx(R2 / 0.01)
        assert clf.n_updates_ <= clf.mistake_bound_
    assert "of at most" in capsys.readouterr().out
    assert clf.history_["mistake_bound"][-1] <= clf.mistake_bound_
    fit = nv.Perceptron(known_margin=0.1).fit(X, y)
    assert fit.n_updates_ <= fit.mistake_bound_ == pytest.approx(((X**2).sum(axis=1).max() + 1) / 0.01)


def test_R2_more_mistakes_than_the_bound_refute_the_margin() -> None:
    X, y = np.array([[1.0], [1.0]] * 20), np.array([0, 1] * 20)
    with pytest.warns(nv.NotSeparatedWarning, match="no plane has a margin of 0.9"):
        nv.Perceptron(known_margin=0.9).partial_fit(X, y)


def test_partial_fit_goes_on_from_fit_and_fit_begins_anew() -> None:
    X, y = np.array([[1.0, 0.0], [0.0, 1.0], [2.0, 3.0], [-1.0, -2.0]]), np.array([0, 1, 1, 0])
    fitted = nv.Perceptron().fit(X, y)
    start = fitted.coef_.copy(), fitted.intercept_.copy()
    fitted.partial_fit(X[:1], [1])
    alone = nv.Perceptron(keep="last", max_iter=1).fit(X, y, coef_init=start[0], intercept_init=start[1])
    assert alone.coef_.tolist() == start[0].tolist()
    assert fitted.n_looks_ == 1
    again = fitted.fit(X, y)
    assert again.coef_.tolist() == start[0].tolist()
    assert again.n_mistakes_.size == 4


BAD: dict[str, tuple[Any, Any, dict[str, Any], str]] = {
    "a new class in a fixed-class model": ([[1.0, 2.0]], ["c"], {}, "y: found 'c'; one of the classes of this stream"),
    "more features": ([[1.0, 2.0, 3.0]], ["a"], {}, "X has 3 features, but Perceptron is expecting 2 features"),
    "fewer features": ([[1.0]], ["a"], {}, "X has 1 features"),
    "NaN in the last row": ([[1.0, 2.0], [9.0, np.nan]], ["a", "b"], {}, "contains NaN: row 2 .*, column 2"),
    "too large": ([[1.0, 2.0], [9.0, 1e300]], ["a", "b"], {}, "numbers too large at row 2"),
    "fewer labels": ([[1.0, 2.0], [9.0, 1.0]], ["a"], {}, "2 rows and 1 labels"),
    "other classes": ([[1.0, 2.0]], ["a"], {"classes": ["a", "c"]}, "classes: found"),
    "numbers for labels": ([[1.0, 2.0]], [1], {}, "y: found 1"),
    "a column that does not exist": (
        sp.csr_matrix((np.ones(1), np.array([1]), np.array([0, 1])), shape=(1, 2)), ["a"], {}, "column index 7"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_bad_chunk_leaves_the_model_as_it_was(name: str) -> None:
    X, y, more, message = BAD[name]
    if name == "a column that does not exist":
        X.indices[0] = 7
    clf = nv.Perceptron().partial_fit([[1.0, 0.0], [0.0, 1.0], [2.0, 1.0]], ["a", "b", "a"], classes=["a", "b"])
    before = pickle.dumps(clf)
    with pytest.raises(ValueError, match=message):
        clf.partial_fit(X, y, **more)
    assert pickle.dumps(clf) == before
    clf.partial_fit([[1.0, 1.0]], ["b"])


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"keep": "vote"}, "keep: 'vote' with partial_fit"),
        ({"early_stopping": True}, "early_stopping: True with partial_fit"),
        ({"order": "shuffle"}, "order: 'shuffle' with partial_fit"),
        ({"max_updates": 5}, "max_updates: 5 with partial_fit"),
        ({"max_time": 5}, "max_time: 5 with partial_fit"),
    ],
)
def test_what_a_stream_cannot_have_is_refused_with_a_reason(choice: dict[str, Any], message: str) -> None:
    clf = nv.Perceptron(**choice)
    with pytest.raises(nv.InputError, match=message):
        clf.partial_fit([[1.0]], [0])
    assert not hasattr(clf, "classes_")


def test_choices_cannot_change_in_a_stream() -> None:
    clf = nv.Perceptron().partial_fit([[1.0], [2.0]], [0, 1])
    with pytest.raises(nv.InputError, match="partial_fit: rule is 'margin' now and was 'perceptron'"):
        clf.set_params(rule="margin").partial_fit([[1.0]], [0])


def test_a_third_class_that_cannot_be_learned_is_refused_before_anything_changes() -> None:
    clf = nv.Perceptron(known_margin=0.1).partial_fit([[1.0], [-2.0]], [0, 1])
    before = pickle.dumps(clf)
    with pytest.raises(nv.InputError, match=r"known_margin: 0\.1 is for two classes, found 3"):
        clf.partial_fit([[1.0]], [2])
    assert pickle.dumps(clf) == before


def test_weights_that_would_overflow_leave_the_model_as_it_was() -> None:
    clf = nv.Perceptron(eta0=2.0**400, rule="margin", keep="last").partial_fit([[1.0], [-1.0]], [0, 1])
    before = bits_of(clf)
    with pytest.raises(nv.InputError, match="weights would pass"):
        clf.partial_fit([[1.0], [-(2.0**150)], [2.0**150]], [0, 0, 0])
    assert bits_of(clf) == before


def test_an_error_of_the_users_schedule_leaves_the_model_as_it_was() -> None:
    def rate(k: int) -> float:
        if k > 20:
            raise RuntimeError("no more rates")
        return 1.0

    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((200, 2)), rng.integers(0, 2, 200)
    clf = nv.Perceptron(schedule=rate, keep="last").partial_fit(X[:10], y[:10])
    before = bits_of(clf)
    with pytest.raises(RuntimeError, match="no more rates"):
        clf.partial_fit(X[10:], y[10:])
    assert bits_of(clf) == before
    assert bits_of(clf.partial_fit(X[10:12], y[10:12]))[3] == before[3] + 2


@pytest.mark.parametrize(
    ("first", "then"),
    [([0, 1], [1.5]), ([2**60 + 1, 5], np.array([2**63], np.uint64)), ([False, True], [2]), (["a", "b"], [1])],
)
def test_labels_of_another_type_than_before_are_refused(first: Any, then: Any) -> None:
    clf = nv.Perceptron().partial_fit([[1.0], [2.0]], first)
    before = pickle.dumps(clf)
    with pytest.raises(nv.InputError, match="y: "):
        clf.partial_fit([[1.0]] * len(then), then)
    assert pickle.dumps(clf) == before


def test_whole_floats_are_the_same_classes() -> None:
    clf = nv.Perceptron().partial_fit([[1.0], [2.0]], [0, 1]).partial_fit([[3.0]], [1.0])
    assert clf.classes_.dtype.kind == "i"
    halves = nv.Perceptron().partial_fit([[1.0], [2.0]], [0.5, 1.5], classes=[0.5, 1.5])
    assert halves.classes_.tolist() == [0.5, 1.5]


@pytest.mark.parametrize("weights", [{0: float("nan")}, {0: float("inf")}, {0: 0.0}, {0: -1}, {0: "a"}])
def test_weights_of_classes_are_checked_before_a_stream_begins(weights: dict[int, Any]) -> None:
    with pytest.raises(nv.InputError, match=r"class_weight: found .*; a dict of"):
        nv.Perceptron(class_weight=weights).partial_fit([[1.0], [2.0]], [0, 1])


def test_ctrl_c_is_heard_when_the_chunk_is_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    from novikoff.estimators import stream

    class Pressed(stream.Interrupt):
        def __bool__(self) -> bool:
            return True

    X, y = [[1.0], [2.0], [-1.0]], [0, 1, 0]
    whole = nv.Perceptron().partial_fit(X, y)
    whole.stop_reason_ = "interrupted"
    expected = bits_of(whole)
    monkeypatch.setattr(stream, "Interrupt", Pressed)
    clf = nv.Perceptron()
    with pytest.raises(KeyboardInterrupt):
        clf.partial_fit(X, y)
    assert bits_of(clf) == expected


def test_the_history_has_a_row_after_1_2_4_rows_in_whatever_chunks_they_come() -> None:
    rng = np.random.default_rng(2)
    X, y = rng.integers(-9, 10, (100, 3)).astype(float), rng.integers(0, 3, 100)
    found = []
    for size in (1, 7, 33, 100):
        clf = nv.Perceptron()
        for k in range(0, 100, size):
            clf.partial_fit(X[k : k + size], y[k : k + size], classes=[0, 1, 2])
        found.append({name: column for name, column in clf.history_.items() if name not in ("seconds", "loss", "norm")})
    assert all(one == found[0] for one in found)
    assert found[0]["looks"] == [1, 2, 4, 8, 16, 32, 64]
