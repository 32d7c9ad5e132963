"""R2: a stream is one look at each row, in any chunks, from any storage, to the bit; its columns may grow."""

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
from data.problems import draws
from data.small_sets import fit_quietly
from data.storages import storages_of

pytestmark = pytest.mark.usefixtures("both_modes")


def many() -> int:
    """How many problems a test draws."""
    return 8 if all_interpreted() else 24


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
    """What is compared of two streams."""
    arrays = clf.coef_.shape, clf.coef_.tobytes(), clf.intercept_.tobytes(), clf.n_updates_, clf.n_looks_
    return *arrays, clf.n_mistakes_.tolist(), clf.classes_.tolist(), clf.stop_reason_


def test_R2_any_chunks_give_the_same_bits_also_with_a_rest_between_them() -> None:
    for X, y, how in problems(1):
        for more in ({}, {"classes": np.unique(y)}):
            expected = bits_of(streamed(X, y, len(y), how, **more))
            for chunk in (1, 7):
                assert bits_of(streamed(X, y, chunk, how, **more)) == expected, (chunk, how, more)
        clf = nv.Perceptron(**how)
        for lo in range(0, len(y), 6):
            clf = pickle.loads(pickle.dumps(clf.partial_fit(X[lo : lo + 6], y[lo : lo + 6])))
        assert bits_of(clf) == bits_of(streamed(X, y, len(y), how))


def test_R2_chunks_of_different_storages_give_the_same_bits() -> None:
    for first, (X, y, how) in enumerate(problems(2, 4)):
        clf = nv.Perceptron(**how)
        for k, lo in enumerate(range(0, len(y), 5)):
            stores = [(name, rows) for name, rows in storages_of(X[lo : lo + 5]) if not name.startswith(("p", "lists"))]
            clf.partial_fit(stores[(11 * first + k) % len(stores)][1], y[lo : lo + 5])
        assert bits_of(clf) == bits_of(streamed(X, y, 5, how))


def test_R2_one_pass_of_fit_is_the_same_run() -> None:
    met = 0
    for X, y, how in problems(3):
        if how["keep"] == "pocket":
            continue
        fit = fit_quietly(nv.Perceptron(**how, max_iter=1), X, y)
        if fit.stop_reason_ == "cycle":
            continue  # fit ended in the middle of the pass, with a proof
        clf = streamed(X, y, 7, how, classes=np.unique(y))
        assert bits_of(clf)[:5] == bits_of(fit)[:5], how
        assert clf.n_mistakes_.tolist() == np.bincount(y, fit.n_mistakes_).astype(int).tolist()
        met += 1
    assert met > many() // 4


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


# ---- what is refused, or ended, within a stream

TYPES: list[tuple[Any, Any]] = [
    ([0, 1], [1.5]),
    ([2**60 + 1, 5], np.array([2**63], np.uint64)),
    ([False, True], [2]),
    (["a", "b"], [1]),
]
LYING = sp.csr_matrix((np.ones(1), np.array([7]), np.array([0, 1])))
LYING.resize(1, 8)
LYING._shape = (1, 1)
HUGE = {"eta0": 2.0**400, "rule": "margin", "keep": "last"}
LEFT: dict[str, tuple[dict[str, Any], Any, Any, Any, str]] = {  # choices, labels of 1 and −2, rows, labels, words
    **{f"labels of another type, {then}": ({}, first, [[1.0]] * len(then), then, "y: ") for first, then in TYPES},
    "a third class": ({"known_margin": 0.1}, [0, 1], [[1.0]], [2], r"known_margin: 0\.1 is for two classes, found 3"),
    "weights too large": (HUGE, [0, 1], [[1.0], [-(2.0**150)], [2.0**150]], [0, 0, 0], "weights would pass"),
    "a column that does not exist": ({}, [0, 1], LYING, [0], "column index 7"),
}


@pytest.mark.parametrize("case", LEFT)
def test_a_refused_chunk_leaves_the_model_as_it_was(case: str) -> None:
    how, first, X, y, words = LEFT[case]
    clf = nv.Perceptron(**how).partial_fit([[1.0], [-2.0]], first)
    before = bits_of(clf)
    with pytest.raises(nv.InputError, match=words):
        clf.partial_fit(X, y)
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
    assert bits_of(clf.partial_fit(X[10:12], y[10:12]))[4] == before[4] + 2


def test_whole_floats_are_the_same_classes_and_balanced_weights_need_all_rows() -> None:
    clf = nv.Perceptron().partial_fit([[1.0], [2.0]], [0, 1]).partial_fit([[3.0]], [1.0])
    assert clf.classes_.dtype.kind == "i"
    halves = nv.Perceptron().partial_fit([[1.0], [2.0]], [0.5, 1.5], classes=[0.5, 1.5])
    assert halves.classes_.tolist() == [0.5, 1.5]
    with pytest.raises(nv.InputError, match="class_weight: 'balanced' with partial_fit; the classes of a stream are"):
        nv.Perceptron(class_weight="balanced").partial_fit([[1.0], [2.0]], [0, 1])


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


# ---- columns that come later

GROWING = draws(36)


def narrow(X: sp.csr_array) -> sp.csr_array:
    """The rows with as many columns as they have numbers for."""
    return sp.csr_array((X.data, X.indices, X.indptr), shape=(X.shape[0], int(X.indices.max(initial=0)) + 1))


def growing(seed: int) -> tuple[sp.csr_array, np.ndarray, dict[str, Any]]:
    """Rows in which later columns come later, labels of two to four classes, and choices."""
    rng = np.random.default_rng(seed)
    n, d, K = int(rng.integers(20, 60)), int(rng.integers(3, 30)), 2 + seed % 3
    X = rng.integers(-3, 4, (n, d)) * (rng.random((n, d)) < 0.4)
    X[np.arange(d) > 2 + np.arange(n)[:, None] * d // n] = 0
    X[-1, -1] = 1
    how = {
        "keep": ["last", "average", "pocket"][seed // 3 % 3],
        "multi_class": str(rng.choice(["ova", "ovo", "joint"])),
        "fit_intercept": bool(rng.integers(2)),
        "class_weight": [None, {0: 0.3, 1: 2.5}][int(rng.integers(2))],
    }
    if how["multi_class"] == "joint" and how["keep"] == "pocket" and K > 2:
        how["keep"] = "last"
    if how["multi_class"] != "joint":
        how["rule"] = str(rng.choice(["perceptron", "margin", "pa1"]))
    return sp.csr_array(X.astype(float)), rng.integers(0, K, n), how


def test_R2_columns_that_come_later_change_nothing() -> None:
    grew = 0
    for seed in range(GROWING):
        X, y, how = growing(seed)
        wanted = bits_of(nv.Perceptron(**how).partial_fit(X, y))
        for chunk in (1, 6, 25):
            clf, widths = nv.Perceptron(**how), []
            for lo in range(0, len(y), chunk):
                clf.partial_fit(narrow(X[lo : lo + chunk]), y[lo : lo + chunk], grow=True)
                widths.append(clf.n_features_in_)
                assert clf.coef_.shape[1] == widths[-1]
            assert bits_of(clf) == wanted, (seed, chunk, how)
            grew += len(set(widths)) > 2
    assert grew > GROWING


def test_a_bad_row_in_new_columns_leaves_the_stream_as_it_was() -> None:
    for seed in range(6):
        X, y, how = growing(seed)
        clf = nv.Perceptron(**how).partial_fit(narrow(X[:10]), y[:10], grow=True)
        before = bits_of(clf)
        bad = X[10:20].toarray()
        bad[3, -1] = np.nan
        with pytest.raises(nv.InputError, match="NaN"):
            clf.partial_fit(sp.csr_array(bad), y[10:20], grow=True)
        assert bits_of(clf) == before
        clf.partial_fit(X[10:], y[10:], grow=True)
        assert bits_of(clf) == bits_of(nv.Perceptron(**how).partial_fit(X, y))


def test_only_where_it_is_asked_for_and_only_sparse() -> None:
    X, y, how = growing(1)
    clf = nv.Perceptron(**how).partial_fit(X[:10, :3], y[:10])
    with pytest.raises(ValueError, match="features"):
        clf.partial_fit(X[10:], y[10:])
    with pytest.raises(nv.InputError, match="sparse rows"):
        clf.partial_fit(X[10:].toarray(), y[10:], grow=True)


@pytest.mark.filterwarnings("ignore::novikoff.NotSeparatedWarning")
def test_a_fit_goes_on_as_a_stream_of_more_columns() -> None:
    rng = np.random.default_rng(0)
    X, y = sp.csr_array(rng.integers(-2, 3, (40, 5)).astype(float)), rng.integers(0, 2, 40)
    narrow_fit = nv.Perceptron(max_iter=1, keep="last").fit(X[:20, :3], y[:20])
    wide_fit = nv.Perceptron(max_iter=1, keep="last").fit(
        sp.csr_array(np.hstack([X[:20, :3].toarray(), np.zeros((20, 2))])), y[:20]
    )
    grown, wide = narrow_fit.partial_fit(X[20:], y[20:], grow=True), wide_fit.partial_fit(X[20:], y[20:])
    assert bits_of(grown) == bits_of(wide)
