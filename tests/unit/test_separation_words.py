"""What a separation report says of causes, of counts, and of many coefficients, derived again from the rows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import novikoff as nv
from commands import novikoff

CAUSE = r"(?:All ([\d,]+) rows|The only row) with (.+?) (=|≥|≤) (\S+) (?:have|has) (\S+) = (\S+?)\."


def claims(r: nv.Separation) -> list[tuple[Any, ...]]:
    """(rows, column, sign, value, label, class) of each cause in the advice."""
    return re.findall(CAUSE, r.advice)


def check_causes(r: nv.Separation, X: pd.DataFrame, y: pd.Series) -> None:
    """Each cause is true of the table: how many rows, and that they are of that class only."""
    for many, column, sign, value, label, group in claims(r):
        x, v = X[column], float(value)
        chosen = {"=": x == v, "≥": x >= v, "≤": x <= v}[sign]
        assert int(chosen.sum()) == int(many.replace(",", "") or 1)
        assert label == y.name
        assert set(y[chosen].astype(str)) == {group}
        assert set(np.flatnonzero(chosen)) <= set(r.rows.tolist())
        assert column in (*r.infinite, *r.not_unique)


# ---- causes --------------------------------------------------------------------------------------------------------


def test_the_cause_comes_first_if_it_is_one_column() -> None:
    X = pd.DataFrame({"NV": [0, 0, 0, 1, 1, 0], "PI": [3.5, 1.0, 2.0, 2.0, 3.0, 5.5]})
    y = pd.Series([0, 1, 0, 1, 1, 1], name="HG")
    r = nv.separation(X, y)
    assert r.advice.startswith("All 2 rows with NV = 1 have HG = 1. Do not report a finite estimate of NV: penalise")
    check_causes(r, X, y)


def test_causes_of_random_tables_hold() -> None:
    rng, found = np.random.default_rng(5), 0
    for _ in range(300):
        X = pd.DataFrame(rng.integers(-1, rng.integers(1, 4), (rng.integers(3, 12), 2)), columns=["a", "b"])
        y = pd.Series(rng.integers(0, 2, len(X)), name="y")
        r = nv.separation(X, y)
        check_causes(r, X, y)
        found += len(claims(r))
    assert found > 100


def test_the_label_of_a_formula_is_the_response_as_it_is_written(tmp_path: Path) -> None:
    frame = pd.DataFrame({"south": ["yes", "yes", "no", "no", "no"], "n": [1, 4, 0, 2, 0]})
    frame.to_csv(tmp_path / "t.csv", index=False)
    cause = "All 2 rows with C(south)[T.yes] = 1 have {n > 0} = "
    r = nv.separation("{n > 0} ~ C(south)", frame)
    assert r.advice.startswith(cause)
    info = novikoff("separation", tmp_path / "t.csv", "--formula", "{n > 0} ~ C(south)")
    assert cause in info.out
    assert "label  {n > 0}: classes" in info.out


# ---- what to do next -----------------------------------------------------------------------------------------------


def test_what_can_be_anything_is_not_called_a_limit() -> None:
    r = nv.separation([[-2.0, 1], [-1, 0], [1, 1], [2, 0]], [0, 0, 1, 1], names=["x", "z"])
    assert r.coefficients == {"(Intercept)": "not-unique", "x": "+inf", "z": "not-unique"}
    assert "(Intercept) and z can be anything: the data do not determine them" in r.advice
    one = nv.separation([[-2.0], [-1], [1], [2]], [0, 0, 1, 1], names=["x"])
    assert "(Intercept) can be anything: the data do not determine it" in one.advice
    assert "limit" not in f"{r}{one}"


# ---- counts as a response ------------------------------------------------------------------------------------------


def test_whole_numbers_as_classes_get_a_hint(tmp_path: Path) -> None:
    X, y = np.arange(8.0)[:, None] % 3, [0, 1, 2, 3, 0, 1, 2, 3]
    said = "y has whole numbers, taken as 4 classes of a multinomial logit; if they are counts, say family='poisson'"
    assert nv.separation(X, y).notes == (said,)
    assert nv.separation(X, y, family="poisson").notes == ()
    for other in ([f"c{v}" for v in y], [v - 1 for v in y], [v % 2 for v in y]):
        assert not any("poisson" in note for note in nv.separation(X, other).notes)
    pd.DataFrame({"x": X[:, 0], "visits": y}).to_csv(tmp_path / "t.csv", index=False)
    for options in (["--label", "visits"], ["--formula", "visits ~ x"]):
        note = said.replace("family='poisson'", "--family poisson")
        assert f"note: {note}\n" in novikoff("separation", tmp_path / "t.csv", *options).out


# ---- many coefficients, a long time --------------------------------------------------------------------------------


def test_of_many_coefficients_twenty_problems_are_printed(tmp_path: Path) -> None:
    """30 groups of 4 rows, 25 of them in one class only."""
    group = np.repeat(np.arange(30), 4)
    y = np.where(group < 5, np.arange(120) % 2, group % 2)
    frame = pd.DataFrame({"g": [f"g{v:02}" for v in group], "y": y})
    r = nv.separation("y ~ C(g)", frame)
    endless = [name for name in r.coefficients if r.coefficients[name] in ("+inf", "-inf")]
    assert (len(endless), len(r.coefficients)) == (25, 30)
    table = str(r).split("\n\n")[1].splitlines()
    assert [line.split()[0] for line in table[1:21]] == endless[:20]
    assert table[21:23] == ["… 5 more: coefficients has all", "5 coefficients are finite"]
    frame.to_csv(tmp_path / "t.csv", index=False)
    assert "\n… 5 more: --json has all\n" in novikoff("separation", tmp_path / "t.csv", "--formula", "y ~ C(g)").out
