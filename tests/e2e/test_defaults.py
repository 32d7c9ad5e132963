"""`novikoff fit` with no option about learning: what it says on separable, noisy, wide and many-class tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from commands import answer, novikoff

pytestmark = pytest.mark.filterwarnings("ignore::novikoff.estimators.perceptron_estimator.NotSeparatedWarning")

LOANS = """age,income,debt,years,label
34,52,8,3,paid
51,61,20,12,paid
23,24,11,1,late
45,48,9,7,paid
29,31,17,2,late
62,40,3,20,paid
38,35,21,5,late
27,44,6,2,paid
55,38,24,9,late
41,57,12,8,paid
33,29,9,4,late
48,66,30,15,paid
26,28,7,1,paid
59,33,16,18,late
36,47,19,6,late
44,39,5,11,paid
31,36,14,3,late
50,54,11,10,paid
"""


@pytest.fixture
def loans(tmp_path: Path) -> Path:
    """A small table; one row is there twice, with both labels."""
    path = tmp_path / "loans.csv"
    path.write_text(LOANS + "36,47,19,6,paid\n")
    return path


def noisy(path: Path, n: int, d: int, classes: int = 2, seed: int = 0) -> Path:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)).round(3)
    y = (X @ rng.normal(size=(d, classes)) + rng.normal(size=(n, classes))).argmax(axis=1)
    lines = [",".join([*(f"x{j}" for j in range(d)), "label"])]
    lines += [",".join([*map(str, x), f"c{label}"]) for x, label in zip(X.tolist(), y.tolist(), strict=True)]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_noisy_table_ends_after_twenty_passes_with_a_proof_and_the_average(loans: Path) -> None:
    said = novikoff("fit", loans).out
    assert said.startswith("NOT SEPARABLE (proved)  ")
    assert "in 20 passes; no plane separates the points, proved by 2 rows; returned: the averaged weights\n" in said
    assert "1·p15 + 1·p19, each point with its sign, add up to zero" in said
    document = answer("fit", loans)
    assert (document["stop_reason"], document["passes"], document["separable"]) == ("not_separable", 20, False)
    assert (document["keep"], document["order"], document["last_order"]) == ("auto", "auto", "shuffle")
    assert document["proof"] == {"support": [14, 18], "weights": [1, 1]}


@pytest.mark.compiled
def test_many_classes_end_when_every_plane_is_settled(tmp_path: Path) -> None:
    path = noisy(tmp_path / "m.csv", 200, 3, classes=4)
    said, document = novikoff("fit", path, "--multi", "ova").out, answer("fit", path, "--multi", "ova")
    assert (document["stop_reason"], document["passes"]) == ("not_separable", 20)
    assert document["planes_decided"] == [{"plane": f"c{k}", "separable": False} for k in range(4)]
    assert said.startswith("NOT SEPARABLE (proved)  ")
    assert "in 20 passes; no plane separates c0, c1, c2 and 1 more from the others (proved); returned: of each " in said
    pairs = [one["plane"] for one in answer("fit", path)["planes_decided"] if not one["separable"]]
    assert pairs
    assert f"; no plane separates {' and '.join(pairs[0])}" in novikoff("fit", path).out


def test_a_limit_ends_a_separable_run_and_says_that_a_plane_exists(tmp_path: Path) -> None:
    path = tmp_path / "narrow.csv"
    path.write_text("a,b,label\n0,1,p\n1,1,p\n0,-1,n\n1,-1,n\n1000000,1,p\n1000000,0.999,n\n")
    how = ("fit", path, "--keep", "average", "--max-passes", 200)
    said, document = novikoff(*how).out, answer(*how)
    assert (document["stop_reason"], document["separable"]) == ("max_passes", True)
    assert said.startswith("SEPARABLE (proved)  ")
    assert "; a plane separates the points, proved by the decision during the run; maximum passes; returned: " in said
    assert "\nnext   --keep auto returns weights that separate the points\n" in said
    assert answer("fit", path, "--max-passes", 200)["train_errors"] == 0
    w, b = [int(v) for v in document["proof"]["w"]], int(document["proof"]["b"])
    for x, y, label in ((0, 1, 1), (1, 1, 1), (0, -1, -1), (1, -1, -1), (10**6, 1, 1), (10**6, 0.999, -1)):
        assert label * (w[0] * x + w[1] * y + b) > 0
