"""`theory` on the command line, and what fit and certify say."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path

import numpy as np
import pytest

import novikoff as nv
from commands import answer, novikoff

# capacity


def test_capacity_prints_counts_of_more_than_4300_digits() -> None:
    told = novikoff("theory", "capacity", "-P", 20_000, "-N", 10_000)
    assert told.code == 0
    digits = max(re.findall(r"\d+", told.out), key=len)
    assert len(digits) == 6021
    assert novikoff("theory", "capacity", "-P", 10**9, "-N", 10**8).code == 0  # too many digits: the logarithm alone


def test_capacity_of_several_sizes_is_a_table_and_a_csv(tmp_path: Path) -> None:
    told = novikoff("theory", "capacity", "-N", 5, "-N", 65, "--csv", tmp_path / "cover.csv")
    assert told.code == 0
    for fraction in ("0.890625", "0.773438", "0.994968", "0.137625"):
        assert fraction in told.out
    lines = (tmp_path / "cover.csv").read_text().splitlines()
    assert len(lines) == 21
    affine = answer("theory", "capacity", "-N", 2, "-P", 4, "--affine")["rows"][0]
    assert affine["count"] == "14"


@pytest.mark.compiled
def test_capacity_simulated_is_the_experiment() -> None:
    sizes = ("-N", 5, "--ratio", 2, "--ratio", "2.4", "--simulate", 120, "--seed", 1)
    rows = answer("theory", "capacity", *sizes)["rows"]
    found = nv.capacity_experiment(N=5, ratios=[2, "2.4"], trials=120, seed=1)
    assert [row["separable"] for row in rows] == [row["separable"] for row in found.rows]
    assert answer("theory", "capacity", *sizes, "--engine", "threads")["rows"] == rows
    assert "measured" in novikoff("theory", "capacity", *sizes).out


# position


def test_position_decides_a_table_and_shows_a_dependent_subset(tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    path.write_text("a,b,label\n0,0,x\n0.5,0.25,y\n3,1,x\n1,0.5,y\n")
    told = novikoff("theory", "position", path, "--count")
    assert told.code == 1
    assert "points 1, 2, 4 are linearly dependent; no fewer are" in told.out
    info = answer("theory", "position", path, "--count", code=1)
    assert (info["dependent"], info["independent_up_to"], info["dichotomies"]) == ([0, 1, 3], 2, "12")
    path.write_text("a,b,label\n0,0,x\n0.5,0.25,y\n3,1,x\n1,0.75,y\n")
    info = answer("theory", "position", path, "--count")
    assert info["general_position"]
    assert info["dichotomies"] == info["cover_count"] == "14"
    assert "IN GENERAL POSITION" in novikoff("theory", "position", path).out
    assert "point 1 is at the origin" in novikoff("theory", "position", path, "--no-bias").out


def test_position_is_undecided_at_the_time_limit(tmp_path: Path) -> None:
    rows = np.random.default_rng(1).standard_normal((100, 10))
    path = tmp_path / "points.csv"
    path.write_text("".join(",".join(map(repr, x)) + f",{k % 2}\n" for k, x in enumerate(rows.tolist())))
    told = novikoff("theory", "position", path, "--max-seconds", "0.3")
    assert told.code == 4
    assert "UNDECIDED" in told.out
    assert answer("theory", "position", path, "--max-seconds", "0.3", code=4)["general_position"] is None


# bits


def test_bits_of_an_example_and_of_a_table(tmp_path: Path) -> None:
    info = answer("theory", "bits", "--example", "cornwell")
    assert (info["s"], info["t"], info["bound"], info["used"]) == (3, 9, 8, 5)
    assert "5 bits by the largest weight" in novikoff("theory", "bits", "--example", "cornwell").out
    told = novikoff("theory", "bits", "--example", "xor")
    assert told.code == 0
    assert "did not separate" in told.out
    path = tmp_path / "points.csv"
    path.write_text("a,label\n0.1,no\n0.7,yes\n")
    info = answer("theory", "bits", path)
    assert info["used"] <= info["bound"]
    assert novikoff("theory", "bits", "--example", "iris").code == 3  # three classes


# experiment


@pytest.mark.compiled
def test_experiments_give_tables_and_documents(tmp_path: Path) -> None:
    info = answer("theory", "experiment", "worst", "--delta", "1/8")
    assert info["rows"] == nv.worst_case(["1/8"]).rows
    info = answer(
        "theory", "experiment", "orders", "--example", "cornwell", "--trials", 5, "--csv", tmp_path / "orders.csv"
    )
    assert len(info["rows"]) == 5
    assert (tmp_path / "orders.csv").read_text().startswith("trial,updates,separated,angle,plane\n")
    told = novikoff("theory", "experiment", "margin", "-N", 5, "-P", 20, "-P", 80, "--trials", 50, "--seed", 2)
    assert "margin ~ P^" in told.out
    assert "theory -1" in told.out
    assert novikoff("theory", "experiment", "angle", "-N", 5, "-P", 20).code == 0
    assert novikoff("theory", "experiment", "position", "-N", 3, "--trials", 5).code == 0
    assert answer("theory", "experiment", "convergence", "-N", 5, "-P", 20, "--trials", 5)["rows"][0]["censored"] == 0


# a perfect fit


def test_fit_and_certify_say_when_a_perfect_fit_means_little(tmp_path: Path) -> None:
    sentence = "at most 87.5 % of all labellings are separable: a perfect fit here means little"
    for verb in ("fit", "certify"):
        assert sentence in novikoff(verb, "--example", "cornwell").out
        assert answer(verb, "--example", "cornwell")["by_chance"] == {"parameters": 3, "at_most": 0.875}
        assert "means little" not in novikoff(verb, "--example", "xor").out
    path = tmp_path / "many.csv"
    path.write_text("".join(f"{k},{'ab'[k > 20]}\n" for k in range(40)))
    for verb in ("fit", "certify"):
        assert "means little" not in novikoff(verb, path).out
        assert "by_chance" not in json.dumps(answer(verb, path))


# what a long experiment says


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
    told = " ".join(novikoff("theory", "experiment", "--help-all").out.split())
    limits = {
        name: inspect.signature(getattr(nv, function)).parameters["max_updates"].default
        for name, function in {
            "orders": "orders_experiment", "starts": "starts_experiment", "convergence": "convergence_experiment",
            "angle": "angle_experiment", "worst": "worst_case",
        }.items()
    }  # fmt: skip
    assert limits["orders"] == limits["starts"] == limits["convergence"]
    said = f"by default {limits['orders']:,}, of angle {limits['angle']:,}, of worst {limits['worst']:,}"
    assert said in told
