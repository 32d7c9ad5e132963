"""What a separation report says, as values and in words, how its input is told, and causes derived from the rows."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

import novikoff as nv
from commands import novikoff

X = [[-2.0, 1.0], [0.0, 3.0], [0.0, 3.0], [2.0, 1.0], [0.0, 7.0], [0.0, 7.0]]
Y = [0, 0, 1, 1, 0, 1]
FRAME = {
    "died": ["no", "no", "yes", "yes", "no", "yes"],
    "dose": [x[0] for x in X],
    "g": ["u", "v", "v", "u", "w", "w"],
    "trials": [2, 2, 2, 2, 2, 0],
}


# ---- what is said


def test_a_report_names_rows_and_coefficients_as_values_and_in_json() -> None:
    r = nv.separation(X, Y, names=["dose", "age"])
    assert (r.kind, r.rows.tolist(), r.n, r.rank) == ("quasi-complete", [0, 3], 6, 3)
    assert r.coefficients == {"(Intercept)": "finite", "dose": "+inf", "age": "finite"}
    assert (r.direction, r.infinite, r.aliases, r.notes) == ((0, 1, 0), ("dose",), {}, ())
    assert r.separated
    assert r
    assert repr(r) == "Separation(quasi-complete, 2 of 6 rows; dose: +inf)"
    info = json.loads(json.dumps(r.to_dict()))
    assert (info["rows"], info["coefficients"]) == ([0, 3], r.coefficients)
    assert [int(v) for v in info["direction"]] == list(r.direction or ())
    assert [int(v) for v in info["held_weights"]] == list(r.held_weights)


def test_the_text_numbers_rows_from_1_and_ends_with_what_to_do() -> None:
    text = str(nv.separation(X, Y, names=["dose", "age"])).splitlines()
    assert text[0] == "QUASI-COMPLETE SEPARATION: some estimates do not exist (6 rows, 3 coefficients, rank 3)"
    assert text[1] == "2 of 6 rows separated, numbered from 1: 1, 4"
    assert text[3:7] == ["coefficient  estimate", "(Intercept)  finite", "dose         +inf", "age          finite"]
    assert text[7] == "(coefficients of the logit of 1, against 0)"
    assert text[9].startswith("The only row with dose = 2 is of class 1. The only row with dose = -2 is of class 0. ")
    assert " Do not report a finite estimate of dose: penalise" in text[9]
    assert text[10].startswith("next: Firth's penalty (logistf, brglm2) · exact logistic regression")
    assert len(text) == 11
    assert str(nv.separation([[-1], [0], [1], [2]], [0, 1, 0, 1])).endswith("exist and are unique.")


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


# ---- columns


def test_frames_bring_their_names() -> None:
    columns = {"dose": [float(x[0]) for x in X], "age": [int(x[1]) for x in X]}
    plain = nv.separation(X, Y, names=["dose", "age"])
    for frame in (pd.DataFrame(columns), pl.DataFrame(columns), pa.table(columns)):
        assert str(nv.separation(frame, Y)) == str(plain)
    for stored in (sparse.csr_array(np.array(X)), sparse.csc_array(np.array(X)), np.asfortranarray(X), np.float32(X)):
        assert str(nv.separation(stored, Y, names=["dose", "age"])) == str(plain)


def test_a_constant_column_is_the_intercept() -> None:
    """As in statsmodels' add_constant, wherever the column is; without an intercept it is a column like others."""
    for constant in (1.0, -2.5, 0.1):
        frame = pd.DataFrame(X, columns=["dose", "age"]).assign(const=constant)
        r = nv.separation(frame, Y)
        assert r.coefficients == {"const": "finite", "dose": "+inf", "age": "finite"}
        assert r.notes == ("column 'const' is constant: it is the intercept, and none was added",)
        plain = nv.separation(frame, Y, fit_intercept=False)
        assert plain.coefficients == {"dose": "+inf", "age": "finite", "const": "finite"}
        assert plain.notes == ()


def test_the_intercept_comes_first_and_later_columns_are_aliased() -> None:
    """As in R: all levels of a factor beside the intercept, and the last level is set aside."""
    g = np.arange(12) % 3
    r = nv.separation(np.eye(3)[g], (np.arange(12) // 3) % 2, names=["a", "b", "c"])
    assert (r.kind, r.rank) == ("overlap", 3)
    assert r.aliases == {"c": ("(Intercept)", "a", "b")}


@pytest.mark.compiled
def test_rare_rows_are_found_by_the_rank() -> None:
    """A dummy that is 1 in one row of 50,000, and a column that depends on others but for one row."""
    rng = np.random.default_rng(0)
    Z = rng.integers(-5, 6, (50_000, 4)).astype(float)
    Z[:, 2] = 0.0
    Z[31_234, 2] = 1.0
    Z[:, 3] = Z[:, 0] - 2 * Z[:, 1]
    y = rng.integers(0, 2, 50_000)
    r = nv.separation(Z, y)
    assert (r.rank, r.rows.tolist(), r.aliases) == (4, [31_234], {"x4": ("x1", "x2")})
    assert r.coefficients["x3"] == ("+inf" if y[31_234] else "-inf")
    Z[7, 3] += 2.0**-30
    assert nv.separation(Z, y).rank == 5


@pytest.mark.compiled
@pytest.mark.parametrize("family", ["binomial", "poisson"])
def test_many_dummies_of_many_rows(family: str) -> None:
    rng = np.random.default_rng(1)
    n, groups = 20_000, 60
    g = rng.integers(0, groups, n)
    dummies = np.eye(groups)[g][:, 1:]
    y = rng.integers(0, 2, n)
    y[g == 7] = 0
    if family == "binomial":
        y[g == 9] = 1
    r = nv.separation(np.column_stack([dummies, rng.standard_normal(n)]), y, family=family)
    expected = dict.fromkeys(r.coefficients, "finite") | {"x7": "-inf"}
    assert r.coefficients == expected | ({"x9": "+inf"} if family == "binomial" else {})
    assert r.rows.tolist() == np.flatnonzero((g == 7) | ((g == 9) & (family == "binomial"))).tolist()


# ---- counts and families


def test_counts_are_successes_out_of_trials_or_labels_of_trials() -> None:
    Z = [[0.0], [1.0], [2.0]]
    successes = nv.separation(Z, [0, 2, 5], counts=[4, 4, 5])
    assert (successes.kind, successes.rows.tolist()) == ("quasi-complete", [0, 2])
    assert nv.separation(Z, [0.0, 0.5, 1.0], counts=[4, 4, 5]).coefficients == successes.coefficients
    assert nv.separation(Z, [0.0, 0.5, 1.0], response="proportions").coefficients == successes.coefficients
    labels = nv.separation(Z, ["no", "no", "yes"], counts=[4, 4, 5])
    assert labels.kind == "complete"
    assert nv.separation(Z, [0, 0, 1], counts=[4, 4, 5], response="labels").kind == "complete"
    assert nv.separation(Z, [0, 1, 1], counts=[4, 4, 5], response="successes").kind == "overlap"
    assert nv.separation(Z, [0, 0, 1], counts=[1, 1, 1]).kind == "complete"


def test_poisson_rows_with_a_count_are_held() -> None:
    r = nv.separation([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]], [0, 0, 3, 0.5], family="poisson")
    assert (r.kind, r.rows.tolist()) == ("quasi-complete", [0, 1])
    assert r.coefficients == {"(Intercept)": "finite", "x1": "-inf", "x2": "finite"}
    assert r.advice.startswith("All 2 rows with x1 = 1 have y = 0. Drop the 2 separated rows")
    zeros = nv.separation([[1.0], [-1.0]], [0, 0], family="poisson")
    assert (zeros.kind, zeros.coefficients) == ("complete", {"(Intercept)": "-inf", "x1": "not-unique"})


# ---- formulas and statsmodels


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_a_formula_makes_the_columns(kind: type) -> None:
    r = nv.separation("died ~ dose + C(g)", kind(FRAME))
    assert list(r.coefficients) == ["Intercept", "dose", "C(g)[T.v]", "C(g)[T.w]"]
    assert (r.kind, r.coefficients["dose"], r.rows.tolist()) == ("quasi-complete", "+inf", [0, 3])
    assert list(nv.separation("died ~ 0 + dose", kind(FRAME)).coefficients) == ["dose"]
    assert nv.separation("died ~ dose", kind(FRAME), counts="trials").notes == ("1 row without trials was ignored",)


def test_without_formulaic_the_way_out_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "formulaic", None)
    with pytest.raises(nv.InputError, match=r"pip install 'novikoff\[formula\]'"):
        nv.separation("died ~ dose", pd.DataFrame(FRAME))


def test_design_matrices_bring_their_names() -> None:
    import formulaic
    import patsy

    frame = pd.DataFrame(FRAME)
    expected = nv.separation("died ~ dose + C(g)", frame).coefficients
    made = nv.separation(formulaic.model_matrix("dose + C(g)", frame), frame["died"])
    assert made.coefficients == expected
    assert "is the intercept" in made.notes[0]
    assert nv.separation(patsy.dmatrix("dose + C(g)", frame), frame["died"]).coefficients == {
        name: expected[name] for name in ("Intercept", "C(g)[T.v]", "C(g)[T.w]", "dose")
    }


def models() -> dict[str, tuple[object, dict[str, object]]]:
    """Models of statsmodels, and the arguments that say the same."""
    import statsmodels.api as sm
    import statsmodels.formula.api as smf

    frame = pd.DataFrame(FRAME | {"y": Y, "n": [3, 0, 2, 1, 0, 4], "m": [1, 2, 2, 0, 4, 0]}, index=list("pqrstu"))
    table = sm.add_constant(frame[["dose"]])
    plain = {"X": table, "fit_intercept": False}
    binomial, poisson = sm.families.Binomial, sm.families.Poisson
    counts = {"y": frame["n"], "counts": frame["n"] + frame["m"], "response": "successes"}
    return {
        "Logit": (sm.Logit(frame["y"], table), plain | {"y": frame["y"]}),
        "formula": (smf.logit("y ~ dose", frame), {"X": "y ~ dose", "y": frame}),
        "Probit": (sm.Probit(frame["y"], table), plain | {"y": frame["y"]}),
        "GLM": (sm.GLM(frame["y"], table, family=binomial()), plain | {"y": frame["y"]}),
        "GLM of counts": (sm.GLM(frame[["n", "m"]], table, family=binomial()), plain | counts),
        "Poisson": (sm.Poisson(frame["n"], table), plain | {"y": frame["n"], "family": "poisson"}),
        "GLM Poisson": (sm.GLM(frame["n"], table, family=poisson()), plain | {"y": frame["n"], "family": "poisson"}),
        "MNLogit": (sm.MNLogit(frame["g"].astype("category"), table), plain | {"y": frame["g"]}),
        "weights": (
            sm.GLM(frame["y"], table, family=binomial(), freq_weights=np.array([1, 1, 0, 1, 1, 0.0])),
            plain | {"y": frame["y"], "counts": [1, 1, 0, 1, 1, 0], "response": "labels"},
        ),
    }


@pytest.mark.parametrize("name", list(models()))
def test_a_model_of_statsmodels_has_the_report_of_its_parts(name: str) -> None:
    model, arguments = models()[name]
    r, plain = nv.separation(model), nv.separation(**arguments)  # type: ignore[arg-type]
    assert (r.kind, r.rows.tolist(), r.coefficients) == (plain.kind, plain.rows.tolist(), plain.coefficients)
    assert (r.family, r.row_names, r.n) == (plain.family, plain.row_names, 6)
    assert not r.rows.size or str(r.row_names[0]).startswith("[")


@pytest.mark.filterwarnings("ignore:divide by zero:RuntimeWarning")
def test_a_finite_offset_of_a_model_has_no_effect_and_another_is_refused() -> None:
    import statsmodels.api as sm

    table, y, family = sm.add_constant(np.array(X)), [0, 0, 1, 3, 0, 2], sm.families.Poisson()
    plain = nv.separation(sm.Poisson(y, table)).coefficients
    known = np.array([1.0, 2, 0.5, 9, 3, 1])
    for model in (sm.Poisson(y, table, offset=known), sm.GLM(y, table, family=family, exposure=known)):
        assert nv.separation(model).coefficients == plain
    known[1] = 0
    for model in (sm.Poisson(y, table, exposure=known), sm.GLM(y, table, family=family, offset=np.log(known))):
        with pytest.raises(nv.InputError, match="of the model is not finite in all rows"):
            nv.separation(model)


def test_rows_of_weight_0_have_no_effect_and_rows_keep_their_numbers() -> None:
    import statsmodels.api as sm

    X, y, w = [[1.0, 0], [1, 0], [1, 0], [0, 1], [0, 2]], [3, 0, 0, 3, 0], np.array([0.0, 1, 1, 1, 1])
    frame = pd.DataFrame(X, index=list("pqrst"))
    r = nv.separation(sm.GLM(y, frame, family=sm.families.Poisson(), freq_weights=w))
    assert (r.rows.tolist(), r.row_names) == ([1, 2], ("[q]", "[r]"))
    assert nv.separation(sm.GLM(y, frame, family=sm.families.Poisson())).kind == "overlap"


@pytest.mark.filterwarnings("ignore:The Log link function")
def test_models_that_are_not_described_are_refused_by_name() -> None:
    import statsmodels.api as sm

    X = sm.add_constant([[-1.0], [0.0], [1.0], [2.0]])
    family = sm.families
    for model, message in [
        (sm.OLS(np.arange(4), X), "found a statsmodels model OLS; expected Logit"),
        (sm.GLM(np.arange(1, 5), X, family=family.Gaussian()), "GLM with the family Gaussian"),
        (sm.GLM([0, 1, 0, 1], X, family=family.Binomial(family.links.Log())), "the link Log of the family Binomial"),
    ]:
        with pytest.raises(nv.InputError, match=message):
            nv.separation(model)
    with pytest.raises(nv.InputError, match="y, counts, names: a statsmodels model has them"):
        nv.separation(sm.Logit([0, 1, 0, 1], X), [0, 1, 0, 1])


def test_a_response_of_one_column_is_a_response() -> None:
    """patsy and formulaic return y as one column, and a data frame has one as well."""
    import formulaic
    import patsy

    frame = pd.DataFrame(FRAME | {"y": Y}, index=list("pqrstu"))
    expected = nv.separation("y ~ dose", frame)
    for y, X in (
        patsy.dmatrices("y ~ dose", frame),
        patsy.dmatrices("y ~ dose", frame, return_type="dataframe"),
        formulaic.model_matrix("y ~ dose", frame),
        (frame[["y"]], frame[["dose"]].assign(Intercept=1.0)[["Intercept", "dose"]]),
        (pl.DataFrame({"y": Y}), patsy.dmatrix("dose", frame)),
    ):
        r = nv.separation(X, y)
        assert (r.kind, r.rows.tolist(), r.coefficients) == (expected.kind, [0, 3], expected.coefficients)


# ---- classes and reference levels ----------------------------------------------------------------------------------


def test_three_classes_are_a_multinomial_logit_against_the_first() -> None:
    r = nv.separation([[0.0], [1.0], [2.0], [2.0], [3.0], [9.0]], ["a", "b", "a", "b", "c", "c"], names=["x"])
    assert (r.kind, r.family, r.rank) == ("quasi-complete", "multinomial", 4)
    assert r.classes == ("a", "b", "c")
    assert list(r.coefficients) == ["b: (Intercept)", "b: x", "c: (Intercept)", "c: x"]
    assert r.coefficients == {"b: (Intercept)": "finite", "b: x": "finite", "c: (Intercept)": "-inf", "c: x": "+inf"}
    assert r.rows.tolist() == [0, 1, 2, 3, 4, 5]
    assert set(r.pairs) == {(i, 2) for i in range(4)} | {(i, c) for i in (4, 5) for c in (0, 1)}
    text = str(r)
    assert "6 of 6 rows separated from at least one other class" in text
    assert "(coefficients of the multinomial logit: of each class against a)" in text
    assert "the separated rows are removed" not in text
    assert json.loads(json.dumps(r.to_dict()))["pairs"] == [list(pair) for pair in r.pairs]
    by_b = nv.separation("y ~ x", pd.DataFrame({"x": [0.0, 1, 2, 2, 3, 9], "y": list("ababcc")}), reference="b")
    assert list(by_b.coefficients) == ["a: Intercept", "a: x", "c: Intercept", "c: x"]
    assert by_b.coefficients["c: x"] == "+inf"


FACTORS = "arm,sex,age,died\nb,m,3,0\nb,f,4,1\na,m,5,0\na,f,2,0\nc,m,1,1\nc,f,3,0\nb,f,2,0\nc,m,6,1\n"


def test_the_first_level_is_the_reference_as_in_a_formula(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(FACTORS)
    points = nv.open_data(tmp_path / "t.csv", label="died", one_hot=True).prepare()
    r = nv.separation(points)
    assert r.references == ("arm=a", "sex=f")
    assert "arm=a        reference level" in str(r)
    assert r.to_dict()["references"] == ["arm=a", "sex=f"]
    formula = nv.separation("died ~ age + C(arm) + C(sex)", pd.read_csv(tmp_path / "t.csv"))
    same = {
        name.replace("C(", "").replace(")[T.", "=").removesuffix("]"): v for name, v in formula.coefficients.items()
    }
    same["(Intercept)"] = same.pop("Intercept")
    assert {name: r.coefficients[name] for name in same} == same
    chosen = nv.separation(points, reference={"arm": "c", "died": 1})
    assert (chosen.references, chosen.classes) == (("arm=c", "sex=f"), (1, 0))
    assert chosen.kind == r.kind
    assert nv.separation(points, fit_intercept=False).references == ("sex=f",)  # as R: the first factor keeps all
    with pytest.raises(nv.InputError, match="reference: 'z' is not a level of arm; its levels are a, b, c"):
        nv.separation(points, reference={"arm": "z"})
    with pytest.raises(
        nv.InputError, match=r"reference: 'age' is neither a factor nor the response \(arm, sex, died\)"
    ):
        nv.separation(points, reference={"age": "3"})


def test_a_coefficient_that_need_not_diverge_is_not_unique() -> None:
    """Both signs of x1 and of the intercept occur among the separating directions: the data determine neither."""
    X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [0, 0, 1, 1]
    r = nv.separation(X, y)
    assert r.coefficients == {"(Intercept)": "not-unique", "x1": "not-unique", "x2": "+inf"}
    assert (r.infinite, r.not_unique) == (("x2",), ("(Intercept)", "x1"))
    for b, w1, w2 in ((0.5, 0.5, 2), (-0.5, -0.5, 2)):  # two directions that separate, of either sign
        assert all((2 * label - 1) * (b + w1 * a + w2 * c) > 0 for (a, c), label in zip(X, y, strict=True))
    said = "no estimate of x2 is finite, and (Intercept) and x1 can be anything: the data do not determine them"
    assert said in r.advice
    one = nv.separation([[-2.0], [-1], [1], [2]], [0, 0, 1, 1], names=["x"])
    assert "(Intercept) can be anything: the data do not determine it" in one.advice
    assert "limit" not in f"{r}{one}"


def test_columns_collinear_up_to_rounding_get_a_note_with_the_condition() -> None:
    """The sum is rounded, so that the columns are independent by their last digits only, raw and standardised."""
    A = np.random.default_rng(0).normal(size=(50, 3))
    y = np.arange(50) % 2
    X = np.column_stack([A, 0.1 * A[:, 0] + 0.2 * A[:, 1]])
    for table in (X, (X - X.mean(axis=0)) / X.std(axis=0)):
        (note,) = nv.separation(table, y, names=["a", "b", "other", "sum"]).notes
        assert re.match(r"columns a, b, sum are collinear up to rounding \(condition number about \de\+1[3-9]\)", note)
    assert nv.separation(A, y).notes == ()
    exactly = np.column_stack([A[:, :1], 2 * A[:, :1]])
    assert nv.separation(exactly, y).coefficients["x2"] == "aliased"
    assert nv.separation(exactly, y).notes == ()
    assert nv.separation(X * [1e100, 1e-100, 1, 1e-100], y).notes != ()
