"""Parameter mixing: equal to its references in fractions and in binary64, with every keep, stop and scheme."""

from __future__ import annotations

import signal
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

import novikoff as nv
from data.choices import allowed_for_many
from data.resumed import points
from data.small_sets import fit_quietly, noisy_teacher
from novikoff.data.problem import problem_of
from novikoff.errors import InputError
from novikoff.estimators.learner import Learner
from novikoff.model import FORMAT
from novikoff.perceptron.mixing import ClassErrors, mixing_table, radius2_of, rows_of_each
from novikoff.perceptron.observer import Observer
from novikoff.perceptron.orders import rows_of_pass
from novikoff.perceptron.scheme import Scheme
from novikoff.records.container import load_file, save_file
from oracles.mixing_twin import cuts, in_fractions, rounded


def mixed(X: Any, y: Any, partitions: int, fit: dict[str, Any] | None = None, **how: Any) -> Learner:
    chosen = {"keep": "last", "order": "cyclic", "max_iter": 12, "train_patience": None, **how}
    return fit_quietly(Learner(mix=True, partitions=partitions, **chosen), X, y, **(fit or {}))


def plane(clf: Any) -> list[float]:
    return [*clf.coef_[0].tolist(), float(clf.intercept_[0])]


def signed(seed: int, n: int = 24) -> tuple[np.ndarray, list[int]]:
    X, y = points(seed, n=n)
    return X, [1 if label else -1 for label in y]


class Rounds(Observer):
    """The weights after each round."""

    def __init__(self) -> None:
        self.planes: list[np.ndarray] = []

    def end_pass(self, run: Any) -> None:
        self.planes.append(run.S.present)


# ---- the references


@pytest.mark.twins
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("partitions", [1, 2, 3, 7])
def test_every_bit_is_that_of_the_rounded_reference(seed: int, partitions: int) -> None:
    X, y = signed(seed)
    twin, rounds = rounded(X, y, partitions, 12), Rounds()
    clf = mixed(X, y, partitions, {"observer": rounds})
    assert plane(clf) == twin.w
    assert [planes[0].tolist() for planes in rounds.planes] == twin.after
    assert (clf.n_iter_, clf.n_updates_, clf.n_looks_) == (len(twin.updates), twin.total, len(twin.updates) * len(y))
    assert clf.n_mistakes_.tolist() == np.sum(twin.updates, axis=0).tolist()
    assert clf.history_["updates"] == [sum(made) for made in twin.updates]
    assert (clf.stop_reason_ == "separated") == twin.separated


@pytest.mark.parametrize("seed", [1, 3, 5, 7])
@pytest.mark.parametrize("partitions", [1, 2, 5])
def test_whole_numbers_stay_whole_and_are_P_times_the_average_of_the_paper(seed: int, partitions: int) -> None:
    X, y = signed(seed)
    paper = in_fractions(X.astype(int).tolist(), y, partitions, 12)
    clf = mixed(X, y, partitions)
    assert [Fraction(v) for v in plane(clf)] == [partitions * v for v in paper.w]
    assert all(v == int(v) for v in plane(clf))
    assert clf.n_mistakes_.tolist() == np.sum(paper.updates, axis=0).tolist()


def test_a_start_enters_as_P_times_itself_and_every_mistake_is_added_once() -> None:
    X, y = signed(1)
    start = [Fraction(k, 4) for k in range(X.shape[1] + 1)]
    first = {"coef_init": [float(v) for v in start[:-1]], "intercept_init": float(start[-1])}
    paper = in_fractions(X.astype(int).tolist(), y, 3, 6, start=start, eta=Fraction(1, 2))
    clf = mixed(X, y, 3, first, eta0=0.5, max_iter=6)
    assert [Fraction(v) for v in plane(clf)] == [3 * v for v in paper.w]
    assert plane(clf) == rounded(X, y, 3, 6, start=[float(v) for v in start], eta=0.5).w


def test_eta_from_zero_changes_no_decision_and_multiplies_at_the_end() -> None:
    X, y = signed(2)
    one, tenth = mixed(X, y, 3), mixed(X, y, 3, eta0=0.1)
    assert [v * 0.1 for v in plane(one)] == plane(tenth)
    assert one.n_mistakes_.tolist() == tenth.n_mistakes_.tolist()


def test_class_weights_multiply_the_steps() -> None:
    X, y = signed(4)
    clf = mixed(X, y, 3, class_weight={-1: 0.3, 1: 2.0})
    assert plane(clf) == rounded(X, y, 3, 12, factors=(0.3, 2.0)).w


def test_no_bias() -> None:
    X, y = signed(6)
    clf = mixed(X, y, 4, fit_intercept=False)
    assert plane(clf) == rounded(X, y, 4, 12, bias=False).w
    assert plane(clf)[-1] == 0.0


def test_rows_of_each_partition_are_shuffled_by_seed_round_and_partition() -> None:
    X, y = signed(8, 30)

    def order(number: int, partition: int, size: int) -> Any:
        return rows_of_pass("shuffle", size, 5, number, partition)

    clf = mixed(X, y, 3, order="shuffle", random_state=5)
    assert plane(clf) == rounded(X, y, 3, 12, order=order).w
    auto = mixed(X, y, 3, order="auto", max_iter=14)
    assert plane(auto) == rounded(
        X, y, 3, 14, order=lambda k, p, size: range(size) if k < 10 else rows_of_pass("shuffle", size, 0, k, p)
    ).w  # fmt: skip
    drawn = [rows_of_pass("shuffle", 50, 5, k, p).tolist() for k in range(3) for p in range(3)]
    assert len({tuple(rows) for rows in drawn}) == 9
    assert all(sorted(rows) == list(range(50)) for rows in drawn)
    assert drawn[0] == rows_of_pass("shuffle", 50, 5, 0).tolist()


@pytest.mark.parametrize("multi", ["ova", "ovo", "joint"])
@pytest.mark.parametrize("seed", [1, 2])
def test_with_one_partition_it_is_the_sequential_perceptron(seed: int, multi: str) -> None:
    for classes in (2, 4):
        X, y = points(seed, classes)
        how: dict[str, Any] = {"keep": "last", "order": "shuffle", "random_state": 3, "train_patience": None}
        how |= {"max_iter": 9, "multi_class": multi, "eta0": 0.3}
        one = fit_quietly(Learner(mix=True, partitions=1, **how), X, y)
        other = fit_quietly(Learner(**how), X, y)
        if other.stop_reason_ == "cycle":
            continue
        assert one.coef_.tobytes() == other.coef_.tobytes()
        assert one.intercept_.tobytes() == other.intercept_.tobytes()
        assert (one.n_iter_, one.n_updates_, one.stop_reason_) == (other.n_iter_, other.n_updates_, other.stop_reason_)
        assert one.history_["loss"] == pytest.approx(other.history_["loss"])
        assert one.history_["norm"] == pytest.approx(other.history_["norm"])


@pytest.mark.parametrize("multi", ["ova", "ovo"])
def test_each_plane_of_many_classes_is_a_run_of_its_own(multi: str) -> None:
    X, y = points(3, 3, 30)
    clf = mixed(X, y, 4, multi_class=multi)
    scheme = Scheme(multi, 3)
    if multi == "ova":
        for k in range(3):
            alone = mixed(X, np.where(y == k, 1, -1), 4)
            assert clf.coef_[k].tobytes() == alone.coef_[0].tobytes()
    else:
        for k, (positive, negative) in enumerate(scheme.pairs):
            V = [0.0] * (X.shape[1] + 1)
            for _ in range(clf.n_iter_):
                V = _round_of_pair(X, y, V, positive, negative, 4)
            assert [*clf.coef_[k].tolist(), float(clf.intercept_[k])] == V


def _round_of_pair(
    X: np.ndarray, y: np.ndarray, V: list[float], positive: int, negative: int, partitions: int
) -> list[float]:
    """One round of a pair: the partitions are those of all rows, of which it looks at two classes."""
    sums = [0.0] * len(V)
    for lo, hi in cuts(len(y), partitions):
        w = list(V)
        for i in range(lo, hi):
            side = 1 if y[i] == positive else -1 if y[i] == negative else 0
            z = [Fraction(side) * Fraction(v) for v in [*X[i].tolist(), 1.0]]
            if side and sum(a * Fraction(b) for a, b in zip(z, w, strict=True)) <= 0:
                w = [b + float(partitions * side) * v for b, v in zip(w, [*X[i].tolist(), 1.0], strict=True)]
        sums = [s + (b - v) for s, b, v in zip(sums, w, V, strict=True)]
    return [v + s / partitions for v, s in zip(V, sums, strict=True)]


def test_joint_planes_add_each_mistake_once() -> None:
    X, y = points(5, 3, 30)  # whole numbers
    clf = mixed(X, y, 4, multi_class="joint")
    assert clf.coef_.sum(axis=0).tolist() == [0.0] * X.shape[1]  # what one plane gains another loses
    assert (clf.coef_ == clf.coef_.astype(int)).all()


# ---- separated, keeps and stops


def test_a_round_without_a_mistake_separates_everything() -> None:
    for seed in range(12):
        X, y = signed(seed)
        clf = fit_quietly(Learner(mix=True, partitions=3, max_iter=400), X, y)
        if clf.stop_reason_ == "separated":
            scores = [
                side * (sum(Fraction(a) * Fraction(v) for a, v in zip(clf.coef_[0], x, strict=True))
                        + Fraction(float(clf.intercept_[0])))
                for x, side in zip(X, y, strict=True)
            ]  # fmt: skip
            assert min(scores) > 0
            assert clf.history_["updates"][-1] == 0
            assert clf.history_["errors"][-1] == 0
        else:
            assert clf.stop_reason_ in ("train_stalled", "max_passes")
            assert clf.verdict_ is None  # nothing is decided during the run


def test_average_is_the_mean_over_rounds_and_auto_counts_from_round_11() -> None:
    X, y = noisy_teacher(40)
    rounds = Rounds()
    clf = mixed(X, y, 3, {"observer": rounds}, keep="average", max_iter=15)
    sums = np.zeros_like(rounds.planes[0])
    for planes in rounds.planes:
        sums = sums + planes
    assert plane(clf) == pytest.approx((sums / 15.0)[0].tolist(), rel=1e-12)
    rounds = Rounds()
    clf = mixed(X, y, 3, {"observer": rounds}, keep="auto", max_iter=15)
    sums = np.zeros_like(rounds.planes[0])
    for planes in rounds.planes[10:]:
        sums = sums + planes
    assert plane(clf) == pytest.approx((sums / 5.0)[0].tolist(), rel=1e-12)


def test_the_pocket_has_the_fewest_errors_of_all_rounds() -> None:
    for seed, weights in ((0, None), (1, {-1: 1.0, 1: 3.0}), (2, "balanced")):
        X, y = noisy_teacher(40, seed=seed)
        rounds = Rounds()
        clf = mixed(X, y, 3, {"observer": rounds}, keep="pocket", class_weight=weights)
        each = {None: (1.0, 1.0), "balanced": tuple(40 / (2 * np.bincount(y > 0)))}.get(
            weights if not isinstance(weights, dict) else 0, (1.0, 3.0)
        )
        errors = [
            sum(each[int(s > 0)] for x, s in zip(X, y, strict=True) if s * (planes[0, :-1] @ x + planes[0, -1]) <= 0)
            for planes in rounds.planes
        ]
        best = int(np.argmin(errors))
        assert plane(clf) == rounds.planes[best][0].tolist()
        assert clf.history_["pocket_errors"][-1] == pytest.approx(min(errors))
        assert clf.history_["errors"] == pytest.approx(errors)


@pytest.mark.parametrize(
    ("multi", "keep"),
    [choice for choice in product(["ova", "ovo", "joint"], ["auto", "last", "average", "pocket"])
     if allowed_for_many(*choice)],
)  # fmt: skip
def test_many_classes_with_every_keep(multi: str, keep: str) -> None:
    X, y = points(4, 3, 40)
    clf = mixed(X, y, 4, multi_class=multi, keep=keep, order="auto", max_iter=13)
    assert clf.coef_.shape == (3, X.shape[1])
    assert clf.n_mistakes_.sum() == clf.n_updates_ == sum(clf.history_["updates"])
    if keep == "pocket":
        assert int((clf.predict(X) != y).sum()) <= clf.history_["pocket_errors"][-1] == min(clf.history_["errors"])


def test_the_limits() -> None:
    X, y = noisy_teacher(40)
    assert mixed(X, y, 3, max_iter=4).stop_reason_ == "max_passes"
    clf = mixed(X, y, 3, max_updates=20)
    assert clf.stop_reason_ == "max_updates"
    assert clf.n_updates_ >= 20 > sum(clf.history_["updates"][:-1])
    assert mixed(X, y, 3, max_iter=None, train_patience=5).stop_reason_ == "train_stalled"
    clf = mixed(X, y, 3, max_iter=None, max_time=1e-9)
    assert (clf.stop_reason_, clf.n_iter_, clf.n_updates_) == ("max_seconds", 0, 0)  # a round is whole or not made
    assert plane(clf) == [0.0] * 4
    clf = fit_quietly(Learner(mix=True, partitions=3, max_iter=None), X, y)  # keep auto ends after 20 stalled rounds
    assert clf.stop_reason_ == "train_stalled"
    clf = mixed(X, y, 3, keep="pocket", max_iter=None, early_stopping=True, random_state=0)
    assert clf.stop_reason_ == "valid_stalled"
    assert clf.partition_rows_.sum() == 36
    assert clf.n_mistakes_.size == 3


def test_validation_points_choose_the_round() -> None:
    X, y = noisy_teacher(60)
    rounds = Rounds()
    clf = mixed(X[:40], y[:40], 3, {"observer": rounds, "X_valid": X[40:], "y_valid": y[40:]})
    errors = [int((y[40:] * (X[40:] @ p[0, :-1] + p[0, -1]) <= 0).sum()) for p in rounds.planes]
    assert plane(clf) == rounds.planes[int(np.argmin(errors))][0].tolist()
    assert clf.history_["valid_errors"] == errors


def test_an_interrupted_round_is_dropped() -> None:
    X, y = noisy_teacher(40)
    whole = mixed(X, y, 4, max_iter=3)

    class Press(Observer):
        def after_looks(self, run: Any) -> None:
            if run.passes == 4 and run.shown == 20:
                signal.raise_signal(signal.SIGINT)

    clf = Learner(mix=True, partitions=4, keep="last", order="cyclic", train_patience=None)
    with pytest.raises(KeyboardInterrupt):
        fit_quietly(clf, X, y, observer=Press())
    assert (clf.stop_reason_, clf.n_iter_, plane(clf)) == ("interrupted", 3, plane(whole))


# ---- the bound with a known margin, and what the estimator says


def test_the_bound_of_a_known_margin_is_P_times_that_of_one_partition() -> None:
    X = np.array([[1.0, 0.0], [0.0, -1.0], [0.0, 1.0], [-1.0, 0.0]])
    y = [1, -1, 1, -1]
    clf = Learner(mix=True, partitions=2, fit_intercept=False, known_margin=0.5**0.5).fit(X, y)
    assert clf.mistake_bound_ == pytest.approx(4.0)
    assert clf.n_updates_ <= 4
    with pytest.warns(UserWarning, match=r"more than P·\(R/γ\)²"):
        Learner(mix=True, partitions=2, fit_intercept=False, known_margin=5.0).fit(X, y)


def test_refused_by_name() -> None:
    X, y = nv.example("or")
    for how, message in (
        ({"rule": "pa"}, r"rule: 'pa' with mix=True"),
        ({"rule": "margin"}, r"rule: 'margin' with mix=True"),
        ({"keep": "vote"}, r"keep: 'vote' with mix=True"),
        ({"order": "batch"}, r"order: 'batch' with mix=True"),
        ({"order": "random"}, r"order: 'random' with mix=True"),
        ({"order": "first"}, r"order: 'first' with mix=True"),
        ({"schedule": "inverse"}, r"schedule: 'inverse' with mix=True"),
        ({"warm_start": True}, r"warm_start: True with mix=True"),
        ({"partitions": 5}, r"partitions: found 5 for 4 rows; at most one partition for each row"),
        ({"partitions": 0}, r"partitions: found 0"),
    ):
        with pytest.raises(InputError, match=message):
            Learner(mix=True, **how).fit(X, y)
    with pytest.raises(InputError, match=r"partitions: 2 without mix=True"):
        Learner(partitions=2).fit(X, y)
    with pytest.raises(InputError, match=r"beyond 2\^500 when multiplied by the number of partitions, 4"):
        Learner(mix=True, partitions=4).fit(X, y, coef_init=[[2.0**499, 0.0]])
    assert not hasattr(nv.Perceptron(mix=True), "partial_fit")
    with pytest.raises(InputError, match=r"mix: True with partial_fit"):
        nv.Perceptron(mix=True).partial_fit(X, y)
    with pytest.raises(TypeError, match="'engine'; one thread solves"):
        nv.SoftMargin(engine=nv.engine("threads"))


def test_a_bad_row_is_named() -> None:
    X, y = noisy_teacher(40)
    X[31, 2] = np.nan
    with pytest.raises(InputError, match=r"row 32 \(31 counted from 0\), column 3"):
        mixed(X, y, 4)
    X[31, 2] = 1e200
    with pytest.raises(InputError, match=r"too large at row 32 \(31 counted from 0\)"):
        mixed(X, y, 4)


def test_clone_pickle_and_scikit_learns_parameters() -> None:
    clf = clone(nv.Perceptron(mix=True, partitions=3))
    assert (clf.mix, clf.partitions) == (True, 3)
    X, y = noisy_teacher(40)
    fit_quietly(clf, X, y)
    assert clf.partition_rows_.tolist() == [13, 13, 14]
    assert fit_quietly(nv.Perceptron(), X, y).partition_rows_ is None


def test_verbose_prints_each_round_once(capsys: pytest.CaptureFixture[str]) -> None:
    X, y = noisy_teacher(40)
    mixed(X, y, 3, max_iter=4, verbose=1)
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("pass")]
    assert [int(line.split()[1]) for line in lines] == [1, 2, 4]
    mixed(X, y, 3, max_iter=None, max_time=1e-9, verbose=1)
    assert "pass" not in capsys.readouterr().out


def test_a_model_file_has_the_partition_table_and_damaged_ones_are_refused(tmp_path: Path) -> None:
    X, y = noisy_teacher(40)
    clf = fit_quietly(nv.Perceptron(mix=True, partitions=3, max_iter=5), X, y)
    nv.save(clf, tmp_path / "m.nvk")
    other = nv.load(tmp_path / "m.nvk")
    assert (other.mix, other.partitions, other.partition_rows_.tolist()) == (True, 3, [13, 13, 14])
    assert other.decision_function(X).tobytes() == clf.decision_function(X).tobytes()
    assert other.n_mistakes_.tolist() == clf.n_mistakes_.tolist()
    whole = load_file(tmp_path / "m.nvk", FORMAT)
    for rows in (None, [13, 13], [13, 27, 0], []):
        tensors = {name: tensor for name, tensor in whole.tensors.items() if name != "partition_rows"}
        tensors |= {} if rows is None else {"partition_rows": np.array(rows, np.int64)}
        save_file(tmp_path / "bad.nvk", FORMAT, whole.record, tensors)
        with pytest.raises(InputError, match="partition_rows"):
            nv.load(tmp_path / "bad.nvk")
    plain = fit_quietly(nv.Perceptron(max_iter=5), X, y)
    nv.save(plain, tmp_path / "plain.nvk")
    record = load_file(tmp_path / "plain.nvk", FORMAT)
    save_file(tmp_path / "bad.nvk", FORMAT, record.record, record.tensors | {"partition_rows": np.array([40])})
    with pytest.raises(InputError, match="partition_rows: an unknown tensor"):
        nv.load(tmp_path / "bad.nvk")
    assert nv.load(tmp_path / "plain.nvk").partition_rows_ is None


# ---- the parts


def test_the_partition_table_depends_on_the_number_of_rows_alone() -> None:
    for n, partitions in ((1, 1), (10, 3), (7, 7), (1000, 13)):
        table = mixing_table(n, partitions)
        assert [(part.first, part.end) for part in table] == cuts(n, partitions)
        assert [part.number for part in table] == list(range(partitions))
        rows = rows_of_each(table)
        assert (rows.sum(), rows.min() >= 1, np.ptp(rows) <= 1) == (n, True, True)
    assert [len(mixing_table(n, None)) for n in (1, 65_536, 65_537, 10**6)] == [1, 1, 2, 16]


def test_counts_over_partitions() -> None:
    X, y = points(4, 3, 40)
    problem, _ = problem_of(X, y, many=True)
    planes = np.random.default_rng(1).normal(size=(3, X.shape[1] + 1))
    scores = X @ planes[:, :-1].T + planes[:, -1]
    wrong = scores.argmax(axis=1) != y
    lost = [int((wrong & (y == k)).sum()) for k in range(3)]
    assert ClassErrors(planes[None], Scheme("ova", 3))(problem).tolist() == [lost]
    assert radius2_of(problem) == pytest.approx((X**2).sum(axis=1).max() + 1)
