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


def test_all_other_columns_are_those_but_the_response_and_the_counts(table: pd.DataFrame) -> None:
    sites = ["clinic site[T.south]", "clinic site[T.west]"]
    numbers = ["age", "x", "dose.mg", "expo"]
    found = nv.separation("relapse ~ .", table).coefficients
    assert list(found) == ["Intercept", "sex[T.m]", "age", *sites, *numbers[1:], "visits"]
    assert found["clinic site[T.west]"] == "+inf"
    kept = table[["age", "x", "relapse"]].assign(trials=2)
    r = nv.separation("{(relapse == 'yes') * 1} ~ .", kept, counts="trials", response="labels")
    assert list(r.coefficients) == ["Intercept", "age", "x"]
    kept.assign(relapse=(kept["relapse"] == "yes") * 1).to_csv("kept.csv", index=False)
    options = ("--formula", "relapse ~ .", "--counts", "trials", "--response", "labels")
    assert answer("separation", "kept.csv", *options, code=int(r.separated))["coefficients"] == r.coefficients


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


def test_an_offset_must_be_a_finite_number(table: pd.DataFrame) -> None:
    table.loc[[4, 9], "expo"] = 0
    table.to_csv("relapse.csv", index=False)
    for formula, message in {
        "relapse ~ age + offset(log(expo))": "offset(log(expo)) is -inf in row 5; an offset is finite: drop these rows",
        "relapse ~ age + offset(sex)": "offset(sex) is not a number in each row",
        "relapse ~ age:offset(expo)": "has the interaction age:offset(expo); an offset is a term of its own",
    }.items():
        with pytest.raises(nv.InputError) as error:
            nv.separation(formula, table)
        assert message in str(error.value)
        refused(formula, message)
    gap = table.assign(age=table["age"].astype("Float64").mask(table.index < 3))
    gap.to_csv("relapse.csv", index=False)
    info = novikoff("separation", "relapse.csv", "--missing", "drop", "--formula", "relapse ~ age + offset(log(expo))")
    assert "in row 5;" in info.err  # the number in the file


# ---- what cannot be used -------------------------------------------------------------------------------------------


def refused(formula: str, message: str) -> str:
    """The error of the command line: exit code 3, one line, which contains the message."""
    info = novikoff("separation", "relapse.csv", "--formula", formula)
    assert (info.code, info.out) == (3, "")
    assert message in info.err
    assert len(info.err.splitlines()) == 1
    return info.err


@pytest.mark.parametrize(("terms", "message"), [
    ("clinic site", "a name with spaces is written in backticks, as in `clinic site`"),
    ("bs(Age, df=4)", "'Age'"),
    ("center(agee)", "'agee'"),
    ("sex | age", "has several parts, divided by |; one was expected"),
    ("te(age)", "name 'te' is not defined"),
    ("", "has no term; write 1 for the intercept alone"),
])  # fmt: skip
def test_what_cannot_be_used_is_named_in_both(table: pd.DataFrame, terms: str, message: str) -> None:
    with pytest.raises(nv.InputError) as error:
        nv.separation(f"relapse ~ {terms}", table)
    for said in (str(error.value), refused(f"relapse ~ {terms}", message)):
        assert message in said
        assert "__formulaic" not in said
        assert "\x1b" not in said
        assert "⧛" not in said
