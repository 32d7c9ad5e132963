"""A formula states the same on the command line as in Python, and what cannot be used is named in both."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import novikoff as nv
from commands import answer, novikoff


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pd.DataFrame:
    """relapse.csv in a folder where commands run: all of the west relapse, so that site separates."""
    rng = np.random.default_rng(3)
    site = rng.choice(["north", "south", "west"], 60)
    frame = pd.DataFrame({
        "sex": rng.choice(["m", "f"], 60),
        "age": rng.integers(20, 80, 60),
        "clinic site": site,
        "x": rng.normal(size=60).round(3),
        "dose.mg": rng.integers(0, 4, 60),
        "expo": rng.uniform(1, 9, 60).round(2),
        "relapse": np.where(site == "west", "yes", rng.choice(["no", "yes"], 60)),
        "visits": rng.poisson(2, 60),
    })  # fmt: skip
    frame.to_csv(tmp_path / "relapse.csv", index=False)
    monkeypatch.chdir(tmp_path)
    return frame


@pytest.mark.parametrize("terms", [
    "bs(age, df=4)", "bs(age, df=4) + sex", "sex * bs(age, df=4)", "bs(log(age), df=4) + x", "bs(`dose.mg`, df=3) + x",
    "cr(age, df=3) + sex", "cc(age, df=4) + sex", "poly(age, 2) + sex", "center(age) * sex", "scale(age) + C(sex)",
    "log(age) + x", "np.log(age) + x", "I(age ** 2) + age", "{age + 1}", "C(sex)", "C(age > 50) + x",
    "C(sex, contr.treatment('m')) + x", "C(sex, Treatment('m')) + x", "hashed(sex, levels=3)",
    "age:sex", "age * sex", "(age + x + sex) ** 2", "0 + sex + age", "age - 1", "age.clip(30, 50)", "exp(x)",
    "`clinic site`", "C(`clinic site`) + center(x)", "Q('clinic site')", "dose.mg", "`dose.mg` + center(age)",
    ".", ". - age", ". + poly(age, 2)", ". - `clinic site` - expo", "age + offset(log(expo))",
    "center(age) + offset(scale(expo)) + sex",
])  # fmt: skip
def test_the_command_line_answers_as_python(table: pd.DataFrame, terms: str) -> None:
    formula = f"relapse ~ {terms}"
    r = nv.separation(formula, table)
    document = answer("separation", "relapse.csv", "--formula", formula, code=int(r.separated))
    assert (document["kind"], document["rows"], document["rank"]) == (r.kind, r.rows.tolist(), r.rank)
    assert document["coefficients"] == r.coefficients
    assert document["aliases"] == {name: list(on) for name, on in r.aliases.items()}
    assert document["notes"] == list(r.notes)


# ---- offsets -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("family", "response"), [("binomial", "relapse"), ("poisson", "visits")])
def test_an_offset_changes_no_estimate_and_is_named(table: pd.DataFrame, family: str, response: str) -> None:
    without = nv.separation(f"{response} ~ `clinic site` + age", table, family=family)
    r = nv.separation(f"{response} ~ `clinic site` + age + offset(log(expo))", table, family=family)
    assert (r.kind, r.coefficients, r.rows.tolist()) == (without.kind, without.coefficients, without.rows.tolist())
    note = "offset(log(expo)) is left out: a known, finite offset does not change which estimates exist"
    assert (r.notes, without.notes) == ((note,), ())
    words = ("relapse.csv", "--formula", f"{response} ~ `clinic site` + age + offset(log(expo))", "--family", family)
    assert f"note: {note}" in novikoff("separation", *words).out


def test_the_likelihood_rises_along_the_same_directions_with_an_offset() -> None:
    """The supremum of the log-likelihood along a separating direction is approached, and is no maximum, either way."""
    X, y = np.array([[1, -2.0], [1, 0], [1, 0], [1, 2]]), np.array([0, 0, 1, 1])
    assert nv.separation(X, y, fit_intercept=False).direction == (0, 1)
    for offset in (np.zeros(4), np.array([5.0, -3, 7, -40])):
        scores = [(2 * y - 1) * (X @ [0.3, t] + offset) for t in (0, 5, 10, 15)]
        values = [-np.logaddexp(0, -score).sum() for score in scores]
        assert all(np.diff(values) > 0)
