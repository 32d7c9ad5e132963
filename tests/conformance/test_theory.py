"""The theory of the notes, each statement by its id, in Python and by the verb `theory`."""

from __future__ import annotations

import inspect
import json
import re
from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
import pytest

import novikoff as nv
from commands import answer, novikoff

N5 = {7: 0.891, 8: 0.773, 9: 0.637, 10: 0.5, 11: 0.377, 12: 0.274}
N65 = {91: 1.000, 104: 0.995, 117: 0.886, 130: 0.5, 143: 0.138, 156: 0.018}


# ---- capacity


def test_S5_S6_Covers_count_its_consequences_and_the_figure() -> None:
    for P in range(1, 25):
        for N in range(1, 25):
            assert nv.cover_count(P, N) == 2 * sum(comb(P - 1, k) for k in range(N))
            assert nv.cover_count(P + 1, N) == nv.cover_count(P, N) + nv.cover_count(P, N - 1)
            assert (nv.cover_count(P, N) == 2**P) == (P <= N)
        assert nv.cover_count(2 * P, P) == 2 ** (2 * P - 1)
    for N, figure in ((5, N5), (65, N65)):
        assert {P: round(float(nv.separable_fraction(P, N)), 3) for P in figure} == figure
    assert nv.separable_fraction(130, 65) == Fraction(1, 2)


def test_capacity_is_printed_of_one_size_or_as_a_table_and_a_csv(tmp_path: Path) -> None:
    told = novikoff("theory", "capacity", "-P", 20_000, "-N", 10_000)
    assert (told.code, len(max(re.findall(r"\d+", told.out), key=len))) == (0, 6021)  # more than 4,300 digits
    assert novikoff("theory", "capacity", "-P", 10**9, "-N", 10**8).code == 0  # too many: the logarithm alone
    told = novikoff("theory", "capacity", "-N", 5, "-N", 65, "--csv", tmp_path / "cover.csv")
    assert told.code == 0
    for fraction in ("0.890625", "0.773438", "0.994968", "0.137625"):
        assert fraction in told.out
    assert len((tmp_path / "cover.csv").read_text().splitlines()) == 21
    assert answer("theory", "capacity", "-N", 2, "-P", 4, "--affine")["rows"][0]["count"] == "14"


@pytest.mark.compiled
def test_capacity_simulated_is_the_experiment() -> None:
    sizes = ("theory", "capacity", "-N", 5, "--ratio", 2, "--ratio", "2.4", "--simulate", 120, "--seed", 1)
    rows, found = answer(*sizes)["rows"], nv.capacity_experiment(N=5, ratios=[2, "2.4"], trials=120, seed=1)
    assert [row["separable"] for row in rows] == [row["separable"] for row in found.rows]
    assert answer(*sizes, "--engine", "threads")["rows"] == rows
    assert "measured" in novikoff(*sizes).out


def test_S5a_S5b_Covers_recursion_on_given_points() -> None:
    X = np.random.default_rng(1).standard_normal((12, 4))
    for P in range(1, 12):
        whole, through = nv.count_dichotomies(X[:P], False), nv.count_dichotomies(X[:P], False, through=X[P])
        assert (whole, through) == (nv.cover_count(P, 4), nv.cover_count(P, 3))
        assert nv.count_dichotomies(X[: P + 1], False) == whole + through
    on_a_line = [[0, 0], [1, 1], [2, 2], [3, 0]]
    assert nv.count_dichotomies(on_a_line) < nv.cover_count(4, 2, fit_intercept=True)


# ---- general position


def test_S4_general_position_of_smooth_and_of_discrete_points() -> None:
    rng = np.random.default_rng(2)
    assert bool(nv.general_position(rng.standard_normal((30, 3))))
    assert not bool(nv.general_position(rng.integers(0, 2, (30, 3))))
    assert nv.general_position([[0, 0], [1, 1], [3, 3], [1, 0]]).dependent == (0, 1, 2)
    X, y = [[0, 0], [1, 1], [3, 3]], [-1, 1, 1]
    assert (bool(nv.general_position(X)), nv.decide(X, y).separable) == (False, True)  # it is not necessary


def test_position_decides_a_table_and_shows_a_dependent_subset(tmp_path: Path) -> None:
    path, ask = tmp_path / "points.csv", ("theory", "position", tmp_path / "points.csv")
    path.write_text("a,b,label\n0,0,x\n0.5,0.25,y\n3,1,x\n1,0.5,y\n")
    assert "points 1, 2, 4 are linearly dependent; no fewer are" in novikoff(*ask, "--count").out
    info = answer(*ask, "--count", code=1)
    assert (info["dependent"], info["independent_up_to"], info["dichotomies"]) == ([0, 1, 3], 2, "12")
    path.write_text("a,b,label\n0,0,x\n0.5,0.25,y\n3,1,x\n1,0.75,y\n")
    info = answer(*ask, "--count")
    assert (info["general_position"], info["dichotomies"], info["cover_count"]) == (True, "14", "14")
    assert "IN GENERAL POSITION" in novikoff(*ask).out
    assert "point 1 is at the origin" in novikoff(*ask, "--no-bias").out
    rows = np.random.default_rng(1).standard_normal((100, 10)).tolist()
    path.write_text("".join(",".join(map(repr, x)) + f",{k % 2}\n" for k, x in enumerate(rows)))
    assert "UNDECIDED" in novikoff(*ask, "--max-seconds", "0.05").out
    assert answer(*ask, "--max-seconds", "0.05", code=4)["general_position"] is None


# ---- bits, bounds, and a perfect fit that means little


def test_T6_the_sign_needs_a_bit(tmp_path: Path) -> None:
    run = nv.bits_used([[-2], [1]], ["blue", "red"], fit_intercept=False)
    assert (run.s, run.t, run.weights) == (2, 1, (2,))
    assert run.used == 3 == nv.bits_needed(2, 1)
    info = answer("theory", "bits", "--example", "cornwell")
    assert (info["s"], info["t"], info["bound"], info["used"]) == (3, 9, 8, 5)
    assert "5 bits by the largest weight" in novikoff("theory", "bits", "--example", "cornwell").out
    assert "did not separate" in novikoff("theory", "bits", "--example", "xor").out
    (tmp_path / "points.csv").write_text("a,label\n0.1,no\n0.7,yes\n")
    info = answer("theory", "bits", tmp_path / "points.csv")
    assert info["used"] <= info["bound"]


def test_T8_bounds_and_sample_sizes() -> None:
    bounds = nv.generalization_bound(7232, bits=100)
    assert bounds[0].value is not None
    assert bounds[0].value <= 0.01
    assert nv.sample_size(0.01, bits=100) == {"occam": 7232}


def test_fit_and_certify_say_when_a_perfect_fit_means_little(tmp_path: Path) -> None:
    sentence = "at most 87.5 % of all labellings are separable: a perfect fit here means little"
    (tmp_path / "many.csv").write_text("".join(f"{k},{'ab'[k > 20]}\n" for k in range(40)))
    for verb in ("fit", "certify"):
        assert sentence in novikoff(verb, "--example", "cornwell").out
        assert answer(verb, "--example", "cornwell")["by_chance"] == {"parameters": 3, "at_most": 0.875}
        assert "means little" not in novikoff(verb, "--example", "xor").out
        assert "means little" not in novikoff(verb, tmp_path / "many.csv").out
        assert "by_chance" not in json.dumps(answer(verb, tmp_path / "many.csv"))


def test_Z10a_the_loss_of_a_plane_is_that_of_a_pass_without_updates() -> None:
    X, y = nv.example("cornwell")
    assert nv.perceptron_loss(X, y, [4, -0.5], 1) == 0
    assert nv.perceptron_loss(X, y, [0, 1], 0) == (3 + 1) / 4  # points 1 and 3


# ---- experiments


@pytest.mark.compiled
def test_S9_S9a_S11_S12_experiments(tmp_path: Path) -> None:
    for row in nv.angle_experiment(N=5, P=20, seed=3).rows:
        assert row["overlap"] >= row["overlap_bound"] * (1 - 1e-12)
        assert row["norm"] <= row["norm_bound"] * (1 + 1e-12)
    assert {fit["in"] for fit in nv.margin_experiment(N=(5, 20), P=(50, 200), trials=50).fits} == {"P", "N"}
    assert nv.worst_case(["1/8", "1/64"]).rows[1]["updates"] > 60 * nv.worst_case(["1/8"]).rows[0]["updates"]
    run, csv = ("theory", "experiment"), tmp_path / "orders.csv"
    assert answer(*run, "worst", "--delta", "1/8")["rows"] == nv.worst_case(["1/8"]).rows
    assert len(answer(*run, "orders", "--example", "cornwell", "--trials", 5, "--csv", csv)["rows"]) == 5
    assert csv.read_text().startswith("trial,updates,separated,angle,plane\n")
    told = novikoff(*run, "margin", "-N", 5, "-P", 20, "-P", 80, "--trials", 50, "--seed", 2).out
    assert ("margin ~ P^" in told, "theory -1" in told) == (True, True)
    assert novikoff(*run, "angle", "-N", 5, "-P", 20).code == 0
    assert novikoff(*run, "position", "-N", 3, "--trials", 5).code == 0
    assert answer(*run, "convergence", "-N", 5, "-P", 20, "--trials", 5)["rows"][0]["censored"] == 0


@pytest.mark.compiled
def test_runs_that_are_stopped_are_counted_and_the_scales_are_hinted_at() -> None:
    how = ("theory", "experiment", "orders", "--example", "breast-cancer", "--trials", 3, "--max-updates", 50)
    told = novikoff(*how)
    assert "3 of 3 runs were stopped at the limit of 50 updates, before they separated the points" in told.out
    assert "hint   the columns have very different scales" in told.err
    assert "--scale usually helps" in told.err
    assert "hint" not in novikoff(*how, "--scale").err
    assert "stopped" not in novikoff("theory", "experiment", "orders", "--example", "cornwell", "--trials", 3).out


def test_the_default_limits_of_updates_are_those_in_the_help() -> None:
    functions = (nv.orders_experiment, nv.starts_experiment, nv.convergence_experiment, nv.angle_experiment,
                 nv.worst_case)  # fmt: skip
    most = [inspect.signature(one).parameters["max_updates"].default for one in functions]
    said = f"by default {most[0]:,}, of angle {most[3]:,}, of worst {most[4]:,}"
    assert most[0] == most[1] == most[2]
    assert said in " ".join(novikoff("theory", "experiment", "--help-all").out.split())
