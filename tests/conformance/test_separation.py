"""Infinite estimates where the answer is published: rows, coefficients and signs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import novikoff as nv

Find = Callable[[str], Path]


@pytest.fixture
def read(shared_data: Find) -> Callable[[str], pd.DataFrame]:
    return lambda name: pd.read_csv(shared_data(f"separation/{name}.csv"))


Read = Callable[[str], pd.DataFrame]


def dummies(frame: pd.DataFrame, *names: str) -> pd.DataFrame:
    """A column of 0 and 1 for every level but the first."""
    return pd.get_dummies(frame[list(names)].astype(str), drop_first=True).astype(float)


def only(r: Any, **infinite: str) -> bool:
    """Whether these coefficients have these fates and all others are finite."""
    return r.coefficients == dict.fromkeys(r.coefficients, "finite") | infinite


# ---- files of statistics -------------------------------------------------------------------------------------------


def test_endometrial_has_an_infinite_coefficient_of_nv(read: Read) -> None:
    """Heinze and Schemper 2002; detectseparation's first example."""
    frame = read("endometrial")
    r = nv.separation(frame[["NV", "PI", "EH"]], frame["HG"])
    assert (r.kind, len(r.rows), r.rank, r.n) == ("quasi-complete", 13, 4, 79)
    assert only(r, NV="+inf")
    assert frame["NV"].to_numpy()[r.rows].tolist() == [1] * 13
    assert (r.direction, r.infinite) == ((0, 1, 0, 0), ("NV",))


def test_lizards_are_all_finite(read: Read) -> None:
    """Counts of two species: 42 rows with a count, of 23."""
    frame = read("lizards")
    X, trials = dummies(frame, "height", "diameter", "light", "time"), frame["grahami"] + frame["opalinus"]
    for y, response in ((frame["grahami"], "auto"), (frame["grahami"] / trials, "proportions")):
        r = nv.separation(X, y, counts=trials, response=response)
        assert (r.kind, r.rank, len(r.rows), only(r)) == ("overlap", 6, 0, True)


def test_murder_rates(read: Read) -> None:
    """executions > 0 ~ time + income + noncauc + lfp + southern (its help page in R)."""
    frame = read("MurderRates")
    X = frame[["time", "income", "noncauc", "lfp"]].assign(southern=frame["southern"] == "yes")
    r = nv.separation(X, frame["executions"] > 0)
    assert (r.kind, len(r.rows)) == ("quasi-complete", 15)
    assert only(r, southern="+inf")


@pytest.mark.parametrize(("name", "separated"), [("sex2", 7), ("sexagg", 5)])
def test_logistf_s_example(name: str, separated: int, read: Read) -> None:
    frame = read(name)
    names = ["age", "oc", "vic", "vicl", "vis", "dia"]
    counts = {"counts": frame["COUNT"], "response": "labels"} if name == "sexagg" else {}
    r = nv.separation(frame[names], frame["case"], **counts)
    assert (r.kind, len(r.rows)) == ("quasi-complete", separated)
    assert only(r, dia="+inf")


def test_hepatitis(read: Read) -> None:
    """The two binary parts of Bull's table: HCV ~ group * time is separated, nonABC ~ group * time is not."""
    frame = read("hepatitis")
    X = pd.DataFrame({"withhold": frame["group"] == "withhold", "post": frame["time"] == "post"}).astype(float)
    X["withhold:post"] = X["withhold"] * X["post"]
    r = nv.separation(X, frame["HCV"], counts=frame["counts"], response="labels")
    assert (r.kind, len(r.rows)) == ("quasi-complete", 5)
    assert only(r, **{"withhold": "-inf", "withhold:post": "+inf"})
    other = nv.separation(X, frame["nonABC"], counts=frame["counts"], response="labels")
    assert (other.kind, only(other)) == ("overlap", True)


def test_hepatitis_of_three_classes(read: Read) -> None:
    """Bull, Mak and Greenwood 2002, type ~ group * time: as in its binary part, no HCV where blood was withheld."""
    frame = read("hepatitis").rename(columns={"group": "arm"})
    kinds = {1: "none", 2: "HCV", 3: "nonABC"}
    frame["type"] = (1 - frame["HCV"] * frame["nonABC"] + frame["HCV"] + 2 * frame["nonABC"]).map(kinds)
    given = {"counts": "counts", "response": "labels", "reference": "none"}
    r = nv.separation("type ~ C(arm) * C(time, contr.treatment('pre'))", frame, **given)
    assert (r.kind, r.family, r.classes) == ("quasi-complete", "multinomial", ("none", "HCV", "nonABC"))
    infinite = {name: fate for name, fate in r.coefficients.items() if fate != "finite"}
    post = "C(time, contr.treatment('pre'))[T.post]"
    assert infinite == {"HCV: C(arm)[T.withhold]": "-inf", f"HCV: C(arm)[T.withhold]:{post}": "+inf"}
    assert {r.classes[c] for _, c in r.pairs} == {"HCV"}  # P(HCV) goes to 0 in the rows of withhold and pre
    rows = frame.iloc[r.rows]
    assert set(zip(rows["arm"], rows["time"], strict=True)) == {("withhold", "pre")}
    assert r.certificate().record()["claim"] == "quasi-complete"


# ---- small published tables ----------------------------------------------------------------------------------------

SMALL = {
    "detectseparation's counterexample": (
        [[-1, 2], [-1, -2], [-2, -2], [2, 2]],
        [0, 1, 1, 1],
        "complete",
        ["+inf", "+inf", "-inf"],
    ),
    "detectseparation's overlap": ([[-1], [0], [1], [2]], [0, 1, 0, 1], "overlap", ["finite", "finite"]),
    "Konis, complete": ([[-2], [-1], [1], [2]], [0, 0, 1, 1], "complete", ["not-unique", "+inf"]),
    "Konis, quasi-complete": ([[-2], [0], [0], [2]], [0, 0, 1, 1], "quasi-complete", ["finite", "+inf"]),
    "UCLA": (
        [[1, 3], [2, 2], [3, -1], [3, -1], [5, 2], [6, 4], [10, 1], [11, 0]],
        [0, 0, 0, 0, 1, 1, 1, 1],
        "complete",
        ["-inf", "+inf", "not-unique"],
    ),
}


@pytest.mark.parametrize("name", SMALL)
def test_small_tables(name: str) -> None:
    X, y, kind, limits = SMALL[name]
    r = nv.separation(X, y)
    assert (r.kind, list(r.coefficients.values())) == (kind, limits)
    assert bool(r) == r.separated == (kind != "overlap")


def test_a_direction_that_an_optimum_of_a_linear_program_can_miss() -> None:
    """Z of rows (1,−1), (1,−1), (0,1): the box program's optimum (1, 0) calls the second coefficient finite."""
    r = nv.separation([[1, -1], [1, -1], [0, 1]], [1, 1, 1], fit_intercept=False)
    assert (r.kind, r.coefficients) == ("complete", {"x1": "+inf", "x2": "+inf"})


def test_collinear_columns_of_a_statsmodels_issue() -> None:
    """statsmodels #659: all rows are separated, and the third column is the first."""
    X = pd.DataFrame([[1, 0, 1], [1, 0, 1], [1, 2, 1], [1, 1, 1]], columns=["a", "b", "c"])
    r = nv.separation(X, [1, 1, 0, 0], fit_intercept=False)
    assert (r.kind, r.rank, r.aliases) == ("complete", 2, {"c": ("a",)})
    assert r.coefficients == {"a": "+inf", "b": "-inf", "c": "aliased"}


# ---- Poisson -------------------------------------------------------------------------------------------------------


def with_effects(frame: pd.DataFrame, effects: list[str]) -> pd.DataFrame:
    """Fixed effects are columns of 0 and 1, given by the user."""
    columns = [frame[[name for name in frame if name.startswith("x")]], *(dummies(frame, name) for name in effects)]
    return pd.concat([part for part in columns if part.shape[1]], axis=1)


@pytest.mark.parametrize("number", range(1, 19))
def test_the_rows_of_ppmlhdfe(number: int, read: Read) -> None:
    """Correia, Guimarães and Zylkin: 18 files, and which of their rows are separated."""
    frame = read(f"ppmlhdfe/{number:02d}")
    X = with_effects(frame, [name for name in frame if name.startswith("id")])
    if X.shape[1]:
        r = nv.separation(X, frame["y"], family="poisson")
    else:
        r = nv.separation(np.ones((len(frame), 1)), frame["y"], family="poisson")
    assert r.rows.tolist() == np.flatnonzero(frame["separated"] == 1).tolist()
    assert bool(r) == bool((frame["separated"] == 1).any())


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("example1", [5]),
        ("example2", list(range(1, 10))),
        ("fe1", [5, 8, 14, 15]),
        ("fe2", [1, 2, 3, 4, 5]),
        ("fe3", [5, 6, 7, 8, 9, 11, 12]),
    ],
)
def test_the_guides_of_ppmlhdfe(name: str, rows: list[int], read: Read) -> None:
    """Rows numbered from 1. fe3's text says 8 rows with the 10th, but the z printed there is 0 on row 10."""
    frame = read(f"ppmlhdfe/guide_{name}")
    r = nv.separation(with_effects(frame, [c for c in ("i", "j") if c in frame]), frame["y"], family="poisson")
    assert (r.rows + 1).tolist() == rows
