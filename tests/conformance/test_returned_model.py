"""What is said about separation is said of the weights that are handed back (Z15a), by Python and the command line."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from commands import answer, novikoff
from data.problems import draws

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.filterwarnings("ignore::novikoff.estimators.perceptron_estimator.NotSeparatedWarning"),
]


def exact_scores(X: Any, planes: np.ndarray) -> list[list[Fraction]]:
    padded = [[*map(Fraction, x), Fraction(1)] for x in np.asarray(X).tolist()]
    each = [list(map(Fraction, plane)) for plane in planes.tolist()]
    return [[sum((a * v for a, v in zip(plane, x, strict=True)), Fraction(0)) for plane in each] for x in padded]


def ranks(clf: Any, X: Any, by_votes: bool) -> list[list[tuple[Any, ...]]]:
    """By point and class, exactly: (votes, summed score), or (score,); the class with the highest wins."""
    K = len(clf.classes_)
    planes = np.column_stack([clf.coef_, clf.intercept_])
    if clf.multi_class_ != "ovo":
        return [[(s,) for s in row] for row in exact_scores(X, planes)]
    pairs = list(itertools.combinations(range(K), 2))  # the second class is on the positive side
    sums = np.zeros((K, planes.shape[1]))
    for (a, b), plane in zip(pairs, planes, strict=True):
        sums[b] += plane
        sums[a] -= plane
    info = []
    for scores, summed in zip(exact_scores(X, planes), exact_scores(X, sums), strict=True):
        votes = [0] * K
        for (a, b), s in zip(pairs, scores, strict=True):
            votes[b] += s > 0
            votes[a] += s < 0
        info.append([(votes[k] if by_votes else 0, summed[k]) for k in range(K)])
    return info


def drawn(rng: np.random.Generator, K: int) -> tuple[np.ndarray, np.ndarray]:
    """Whole numbers with many ties; classes by a rule, and some at random."""
    X = rng.integers(-3, 4, (40, 3)).astype(float)
    y = np.argmax(X @ rng.integers(-2, 3, (3, K)), axis=1)
    y[rng.random(40) < rng.choice([0.0, 0.1])] = 0
    y[:K] = np.arange(K)
    return X, y


@pytest.mark.parametrize("ovo", ["vote", "sum"])
@pytest.mark.parametrize("scheme", ["ova", "ovo", "joint"])
def test_Z15a_predict_is_the_exact_rule_and_the_argmax_of_decision_function(scheme: str, ovo: str) -> None:
    rng = np.random.default_rng(3)
    for k in range(draws(12)):
        X, y = drawn(rng, 3 + k % 3)
        how = {
            "multi_class": scheme,
            "ovo": ovo,
            "keep": ("pocket" if scheme != "joint" else "average", "last")[k % 2],
            "eta0": (1.0, 0.3)[k % 2],
        }
        clf = nv.Perceptron(max_iter=6, **how).fit(X, y)
        new = np.vstack([np.zeros(3), rng.integers(-4, 5, (60, 3))])
        rank = ranks(clf, new, ovo == "vote") if how["eta0"] == 1.0 else None
        called, scores = clf.predict(new), clf.decision_function(new)
        assert np.array_equal(clf.classes_[np.argmax(scores, axis=1)], called)
        if rank is not None:
            assert [row.index(max(row)) for row in rank] == called.tolist()  # the first of equal ones
            lost = [row[label] <= max(r for c, r in enumerate(row) if c != label)
                    for row, label in zip(ranks(clf, X, ovo == "vote"), y.tolist(), strict=True)]  # fmt: skip
            tied = sum(row.count(max(row)) > 1 for row in ranks(clf, X, ovo == "vote"))
            assert clf.lost_and_tied(X, y) == (sum(lost), tied)
            if how["keep"] == "pocket":
                assert clf.history_["pocket_errors"][-1] == sum(lost)
        if scheme == "ovo" and ovo == "vote" and rank is not None:
            votes = np.array([[int(v) for v, _ in row] for row in rank])
            sums = np.array([[float(s) for _, s in row] for row in rank])
            assert np.abs(scores - votes - sums / (3 * (np.abs(sums) + 1))).max() < 1e-12


def test_Z15a_pairs_that_are_all_separated_make_no_error_by_votes_and_154_by_summed_scores() -> None:
    X, y = nv.example("digits")
    how: dict[str, Any] = {"multi_class": "ovo", "keep": "pocket", "order": "cyclic"}
    voted = nv.Perceptron(**how).fit(X, y)
    assert (voted.stop_reason_, voted.score(X, y)) == ("separated", 1.0)
    with pytest.warns(nv.NotSeparatedWarning, match=r"^separated: .* 154 of 1,797 training points in a wrong class"):
        summed = nv.Perceptron(ovo="sum", **how).fit(X, y)
    assert summed.stop_reason_ == "separated"
    assert int((summed.predict(X) != y).sum()) == 154
    said = novikoff("fit", "--example", "digits", "--multi", "ovo", "--expect", "separated")
    assert said.code == 0
    assert said.out.startswith("SEPARATED  all 1,797 training points right (checked exactly)\n")
    words = ("--keep", "pocket", "--order", "cyclic", "--expect", "separated")
    said = novikoff("fit", "--example", "digits", "--multi", "ovo", "--ovo", "sum", *words)
    assert said.code == 1
    assert said.out.startswith("RUN SEPARATED  154 of 1,797 training points wrong\n")
    assert "\nnext   --keep auto --ovo vote returns weights that separate the points; " in said.out
    assert "; returned: the pocket weights\n" in said.out


def test_Z15a_a_plane_of_one_vs_all_that_separates_its_class_is_the_one_returned_and_errors_never_rise() -> None:
    rng = np.random.default_rng(6)
    separated = 0
    for k in range(draws(25)):
        X, y = drawn(rng, 4)
        for passes in (3, 20, 60):
            how: Any = {"max_iter": passes, "train_patience": None}
            clf = nv.Perceptron(multi_class="ova", keep="pocket", **how).fit(X, y)
            pocket = clf.history_["pocket_errors"]
            assert all(b <= a for a, b in itertools.pairwise(pocket)), (k, pocket)
            assert clf.lost_and_tied(X, y)[0] == pocket[-1]
            for c in range(4):
                alone = nv.Perceptron(keep="last", **how).fit(X, y == c)
                if alone.stop_reason_ != "separated":
                    continue
                separated += 1
                score = X @ clf.coef_[c] + clf.intercept_[c]  # whole numbers
                assert ((score > 0) == (y == c)).all()
                assert not (score == 0).any()
                ours, own = np.append(clf.coef_[c], clf.intercept_[c]), np.append(alone.coef_[0], alone.intercept_[0])
                assert len(set((ours[own != 0] / own[own != 0]).tolist())) == 1  # a positive multiple of it
                assert not ours[own == 0].any()
    assert separated > draws(10)


def test_explain_tells_the_votes_and_the_parts_of_the_summed_score(tmp_path: Any) -> None:
    model = tmp_path / "m.nvk"
    X, y = nv.example("iris")
    data = tmp_path / "iris.csv"
    lines = [",".join([*map(str, row), label]) for row, label in zip(X.tolist(), y.tolist(), strict=True)]
    data.write_text("a,b,c,d,class\n" + "\n".join(lines) + "\n")
    assert novikoff("fit", data, "--multi", "ovo", "--max-passes", "50", "-o", model).code == 0
    clf = nv.load(model)
    for row in (1, 60, 120):
        info = json.loads(novikoff("explain", model, data, "--row", row, "--json").out)
        k = clf.classes_.tolist().index(info["of"])
        ((votes, summed),) = [ranks(clf, X[row - 1 : row], True)[0][k]]
        assert (info["votes"], info["pairs"]) == (votes, 2)
        assert info["score"] == pytest.approx(float(summed), rel=1e-9)
        assert sum(part["product"] for part in info["parts"]) == pytest.approx(info["score"], rel=1e-9)
        assert f"{votes} of 2 votes for {info['of']}, score" in novikoff("explain", model, data, "--row", row).out


@pytest.mark.parametrize("scheme", ["ova", "ovo", "joint"])
def test_of_many_classes_an_error_that_is_only_a_tie_is_told_as_one(tmp_path: Path, scheme: str) -> None:
    """Two rows with the same numbers and different labels: a model cannot tell them apart, and may have them equal."""
    (tmp_path / "m.csv").write_text("a,b,c,y\n1,2,0,u\n2,1,0,v\n0,0,1,w\n1,1,1,u\n1,1,1,v\n")
    how = ("--multi", scheme, "--max-passes", 50, "--keep", "last", "--order", "cyclic")
    info = answer("fit", tmp_path / "m.csv", *how, "-o", tmp_path / "m.nvk")
    rank = ranks(nv.load(tmp_path / "m.nvk"), [[1, 2, 0], [2, 1, 0], [0, 0, 1], [1, 1, 1], [1, 1, 1]], scheme == "ovo")
    tied = sum(row.count(max(row)) > 1 for row in rank)
    others = [(row[k], max(row[:k] + row[k + 1 :])) for row, k in zip(rank, (0, 1, 2, 0, 1), strict=True)]
    assert (info["train_errors"], info["ties"]) == (sum(own <= other for own, other in others), tied)
    assert (f"wrong, of which {tied} tie" in novikoff("fit", tmp_path / "m.csv", *how).out) == (tied > 0)
