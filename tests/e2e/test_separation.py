"""`novikoff separation`: tables, counts and formulas answer as in Python, and saved answers are proved by everyone."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import novikoff as nv
from commands import answer, novikoff

TRIAL = """id,arm,age,sex,death,grade
1,placebo,50,f,0,a
2,placebo,61,m,1,b
3,drug,55,f,0,c
4,drug,48,m,0,a
5,drug,70.5,f,0,b
6,placebo,52,m,0,c
7,placebo,49,f,1,a
8,other,49,f,1,b
9,other,66.1,m,0,c
"""
SHOES = "size,sport,bought,seen\n40,0,2,3\n41,0,1,4\n42,1,5,5\n43,1,2,2\n44,0,3,6\n45,0,0,0\n"
Checker = Callable[..., tuple[int, str, str]]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the tables, in which commands run."""
    (tmp_path / "trial.csv").write_text(TRIAL)
    (tmp_path / "shoes.csv").write_text(SHOES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def checker(here: Path) -> Checker:
    """The copied checker, run by Python alone: exit code, stdout, stderr."""
    assert novikoff("verify", "--checker", "verify_novikoff.py").code == 0

    def run(*args: str) -> tuple[int, str, str]:
        words = [sys.executable, "-I", "-S", "verify_novikoff.py", *args]
        done = subprocess.run(words, capture_output=True, text=True, timeout=60, env={})
        return done.returncode, done.stdout, done.stderr

    return run


# ---- tables and counts


def test_separated_is_1_and_finite_is_0(here: Path) -> None:
    Path("t.csv").write_text("dose,y\n-2,0\n0,0\n0,1\n2,1\n")
    code, out, err = novikoff("separation", "t.csv")
    assert (code, err) == (1, "")
    assert out.startswith("QUASI-COMPLETE SEPARATION: some estimates do not exist (4 rows, 2 coefficients, rank 2)\n")
    assert "2 of 4 rows separated, numbered from 1: 1, 4\n" in out
    assert "dose         +inf\n" in out
    Path("t.csv").write_text("dose,y\n-1,0\n0,1\n1,0\n2,1\n")
    code, out, _ = novikoff("separation", "t.csv")
    assert (code, out.splitlines()[0]) == (0, "OVERLAP: the estimates exist (4 rows, 2 coefficients, rank 2)")


FINITE = {"(Intercept)": "finite", "x1": "finite"}
COUNTED = {"(Intercept)": "finite", "size": "finite", "sport": "+inf"}
AB = "a,b,y\n1,0,0\n1,0,0\n0,1,3\n0,2,0\n"


@pytest.mark.parametrize(
    ("text", "options", "code", "expected"),
    [
        (SHOES, "--label bought --counts seen", 1, {"kind": "quasi-complete", "coefficients": COUNTED, "rows": [2, 3],
                                                    "notes": ["1 row without trials was ignored"]}),
        (SHOES, "--label bought --counts 4", 1, {"schema": "novikoff/separation/1", "coefficients": COUNTED}),
        ("1,3,7\n2,2,8\n0,5,9\n1,4,10\n", "--label 1 --counts 2", 0, {"coefficients": FINITE}),
        (AB, "--family poisson", 1, {"rows": [0, 1, 3]}),
        (AB, "--family poisson --no-bias", 1, {"coefficients": {"a": "-inf", "b": "finite"}}),
        ("x,y\n9,c\n-2,a\n0,a\n8,c\n0,b\n2,b\n", "--classes a,b", 1, {"rows": [1, 5], "held": [2, 4]}),
    ],
)  # fmt: skip
def test_counts_families_and_chosen_classes(text: str, options: str, code: int, expected: object, here: Path) -> None:
    Path("t.csv").write_text(text)
    assert expected == {k: v for k, v in answer("separation", "t.csv", *options.split(), code=code).items()
                        if k in expected}  # fmt: skip


def test_counts_may_be_a_column_of_the_table() -> None:
    frame = pd.DataFrame({"size": [40, 41, 42, 43], "sport": [0, 0, 1, 1], "seen": [3, 4, 5, 2]})
    bought = [2, 1, 5, 2]
    r = nv.separation(frame, bought, counts="seen")
    plain = nv.separation(frame[["size", "sport"]], bought, counts=frame["seen"])
    assert (r.coefficients, r.rows.tolist()) == (plain.coefficients, plain.rows.tolist())
    for table in (frame.to_numpy(), frame.to_numpy().tolist()):
        assert nv.separation(table, bought, counts=2).rows.tolist() == r.rows.tolist()
    assert r.certificate().record()["model"]["trials"] == plain.certificate().record()["model"]["trials"] == 2
    with pytest.raises(nv.InputError, match="counts: 'n' is no column of X; its columns are size, sport, seen"):
        nv.separation(frame, bought, counts="n")


def test_the_reference_level_is_the_first_or_the_chosen_one(here: Path) -> None:
    words = ("separation", "trial.csv", "--label", "death", "--columns", "arm,age", "--one-hot")
    first = answer(*words, code=1)
    assert (first["references"], first["coefficients"]["(Intercept)"]) == (["arm=drug"], "-inf")
    chosen = answer(*words, "--reference", "arm=placebo", "--reference", "death=1", code=1)
    assert (chosen["references"], chosen["classes"]) == (["arm=placebo"], [1, 0])
    assert chosen["coefficients"] == {"(Intercept)": "finite", "age": "finite", "arm=drug": "+inf",
                                      "arm=other": "finite", "arm=placebo": "aliased"}  # fmt: skip
    info = novikoff(*words, "--reference", "arm=placebo")
    for said in ("arm=placebo  reference level\n", "(coefficients of the logit of 1, against 0)\n",
                 "next: Firth's penalty"):  # fmt: skip
        assert said in info.out
    for option, message in (("arm=x", "'x' is not a level of arm; its levels are drug, other, placebo"),
                            ("age=50", "'age' is neither a factor nor the response (arm, death)")):  # fmt: skip
        info = novikoff(*words, "--reference", option)
        assert (info.code, f"--reference: {message}" in info.err) == (3, True)


# ---- formulas


@pytest.fixture
def relapse(here: Path) -> pd.DataFrame:
    """relapse.csv: all of the west relapse, so that site separates."""
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
    frame.to_csv("relapse.csv", index=False)
    return frame


def test_the_command_line_answers_formulas_as_python(relapse: pd.DataFrame) -> None:
    for terms in (
        "bs(age, df=4)", "bs(age, df=4) + sex", "sex * bs(age, df=4)", "bs(log(age), df=4) + x",
        "bs(`dose.mg`, df=3) + x", "cr(age, df=3) + sex", "cc(age, df=4) + sex", "poly(age, 2) + sex",
        "center(age) * sex", "scale(age) + C(sex)", "log(age) + x", "np.log(age) + x", "I(age ** 2) + age", "{age + 1}",
        "C(sex)", "C(age > 50) + x", "C(sex, contr.treatment('m')) + x", "C(sex, Treatment('m')) + x",
        "hashed(sex, levels=3)", "age:sex", "age * sex", "(age + x + sex) ** 2", "0 + sex + age", "age - 1",
        "age.clip(30, 50)", "exp(x)", "`clinic site`", "C(`clinic site`) + center(x)", "Q('clinic site')", "dose.mg",
        "`dose.mg` + center(age)", ".", ". - age", ". + poly(age, 2)", ". - `clinic site` - expo",
        "age + offset(log(expo))", "center(age) + offset(scale(expo)) + sex",
    ):  # fmt: skip
        r = nv.separation(f"relapse ~ {terms}", relapse)
        found = answer("separation", "relapse.csv", "--formula", f"relapse ~ {terms}", code=int(r.separated))
        assert (found["kind"], found["rows"], found["rank"]) == (r.kind, r.rows.tolist(), r.rank), terms
        assert (found["coefficients"], found["notes"]) == (r.coefficients, list(r.notes)), terms
        assert found["aliases"] == {name: list(on) for name, on in r.aliases.items()}, terms


@pytest.mark.parametrize(("family", "response"), [("binomial", "relapse"), ("poisson", "visits")])
def test_an_offset_changes_no_estimate_and_is_named(relapse: pd.DataFrame, family: str, response: str) -> None:
    formula, offset = f"{response} ~ `clinic site` + age", " + offset(log(expo))"
    without, r = (nv.separation(formula + more, relapse, family=family) for more in ("", offset))
    assert (r.kind, r.coefficients, r.rows.tolist()) == (without.kind, without.coefficients, without.rows.tolist())
    note = "offset(log(expo)) is left out: a known, finite offset does not change which estimates exist"
    assert (r.notes, without.notes) == ((note,), ())
    words = ("separation", "relapse.csv", "--formula", formula + offset, "--family", family)
    assert f"note: {note}" in novikoff(*words).out
    X, y = np.array([[1, -2.0], [1, 0], [1, 0], [1, 2]]), np.array([0, 0, 1, 1])
    assert nv.separation(X, y, fit_intercept=False).direction == (0, 1)
    for given in (np.zeros(4), np.array([5.0, -3, 7, -40])):  # the likelihood rises along it, either way
        values = [-np.logaddexp(0, -(2 * y - 1) * (X @ [0.3, t] + given)).sum() for t in (0, 5, 10, 15)]
        assert all(np.diff(values) > 0)


def test_missing_values_of_other_columns_drop_no_row_and_rows_are_those_of_the_file(
    here: Path, checker: Checker
) -> None:
    """As R: complete cases of the variables in the formula; the checker numbers the rows of the prepared file."""
    Path("gaps.csv").write_text(TRIAL.replace("50,f", ",f").replace("61,m", "61,"))
    drop = ("separation", "gaps.csv", "--missing", "drop", "--formula")
    assert answer(*drop, "death ~ C(arm)", code=1)["n"] == 9
    found = answer(*drop, "death ~ C(arm) + age", "-o", "proof.json", code=1)
    assert (found["n"], found["rows"]) == (8, [2, 3, 4])
    assert answer("verify", "proof.json", "gaps.csv")["rows"] == [2, 3, 4]
    assert "; separated rows: 3 of 8\n" in novikoff("verify", "proof.json", "gaps.csv").out
    assert novikoff("convert", "gaps.csv", "prepared.csv", *drop[2:], "death ~ C(arm) + age").code == 0
    assert "; separated rows: 3 of 8\n" in checker("proof.json", "prepared.csv")[1]
    info = novikoff("separation", "gaps.csv", "--formula", "death ~ age")
    assert (info.code, "column 3 ('age')" in info.err) == (3, True)


# ---- certificates

PLAIN = {  # command, and whether the checker reads the file itself
    "shoes.csv --label sport": True,
    "shoes.csv --label bought --counts seen": True,
    "shoes.csv --label bought --family poisson --no-bias": True,
    "shoes.csv --label bought": True,
    "trial.csv --label death --columns id,age": False,
    "trial.csv --label death --columns arm,age --one-hot --reference arm=other": False,
    "trial.csv --label death --columns sex,age --one-hot --scale": False,
    "trial.csv --formula grade~C(sex)+age": False,
    "shoes.csv --formula bought~C(sport) --counts seen": False,
    "trial.csv --formula death~C(arm)+age": False,
}


@pytest.mark.parametrize("command", PLAIN)
def test_a_saved_separation_is_checked_by_everyone(here: Path, checker: Checker, command: str) -> None:
    """verify and the copied checker prove the printed answer; a changed table is refused."""
    file, *words = command.split()
    found = novikoff("separation", file, *words, "-o", "proof.json", "--json").json
    proved = answer("verify", "proof.json", file)
    assert (found["certificate"], proved["proved"]) == ("proof.json", True)
    assert (proved["kind"], proved["rows"]) == (found["kind"], found["rows"])
    known = [word for word in proved["coefficients"] if word is not None]
    assert sorted(known) == sorted(found["coefficients"].values())
    said = novikoff("separation", file, *words, "-o", "proof.json").out
    assert f"check  novikoff verify proof.json {file}" in said
    if not PLAIN[command]:
        code, out, err = checker("proof.json", file)
        wanted = next(line for line in said.splitlines() if "novikoff convert" in line).strip(" ;")
        assert (code in (1, 3), out) == (True, "")
        assert code == 3 or wanted in err  # both say the same command
        assert novikoff(*shlex.split(wanted)[1:]).code == 0
        file = "prepared.csv"
        assert answer("verify", "proof.json", file)["kind"] == found["kind"]
    code, out, err = checker("proof.json", file)
    assert (code, err) == (0, "")
    assert out.startswith(f"PROVED {found['kind']}: ")
    assert out.splitlines()[0].endswith(f"; separated rows: {len(found['rows'])} of {found['n']}")
    head, first, *rest = Path(file).read_text().splitlines()
    Path(file).write_text("\n".join([head, ",".join(["7", *first.split(",")[1:]]), *rest]) + "\n")
    assert checker("proof.json", file)[0] in (1, 3)
    assert novikoff("verify", "proof.json", file).code in (1, 3)


def test_python_saves_what_the_command_line_checks(here: Path, checker: Checker) -> None:
    frame = pd.read_csv("shoes.csv")
    X, y = frame[["size", "bought", "seen"]], frame["sport"]
    r = nv.separation(X, y)
    r.save("proof.json")
    assert nv.verify("proof.json", X, y) == nv.verify(r, X, y, slow=True) == r.kind
    assert answer("verify", "proof.json", "shoes.csv", "--label", "sport")["kind"] == r.kind
    assert checker("proof.json", "shoes.csv")[0] == 1  # of arrays: the label is taken to be the last cell
    record = json.loads(Path("proof.json").read_text())
    record["data"]["file"]["csv"]["label"] = 1
    Path("proof.json").write_text(json.dumps(record))
    code, out, _ = checker("proof.json", "shoes.csv")
    assert (code, out.splitlines()[0].split(":")[0]) == (0, f"PROVED {r.kind}")
    assert "the first line skipped as a header, 'size, bought, seen, sport'" in out


@pytest.mark.parametrize("options", [
    "--label death --one-hot", "--label death --one-hot --scale", "--label death --columns age,arm --category arm",
    "--label sex --columns age,id --normalize", "--label sex --columns age,id --features poly2",
    "--label death --text arm --columns age --tfidf", "--label death --text arm --columns age --hash-bits 3",
    "--label death --one-hot --missing impute",
    "--label sex --auto", "--label grade --columns age --classes a,b",
])  # fmt: skip
def test_prepared_points_are_written_bit_for_bit(here: Path, checker: Checker, options: str) -> None:
    """A certificate about prepared points is proved about the file that convert writes, in every format."""
    words, whole = options.split(), "--classes" not in options
    assert not whole or novikoff("certify", "trial.csv", *words, "-o", "proof.json").code in (0, 1)
    for target in ("prepared.csv", "prepared.svm", "prepared.npz"):
        assert novikoff("convert", "trial.csv", target, *words).code == 0
        assert not whole or novikoff("verify", "proof.json", target).code == 0, target
    if not whole:
        assert len(Path("prepared.csv").read_text().splitlines()) == 7
        return
    assert checker("proof.json", "prepared.csv")[0] == 0
    made_by = json.loads(Path("proof.json").read_text())["data"]["made_by"]
    assert made_by.startswith("novikoff convert trial.csv prepared.csv --label ")
    assert checker("proof.json", "trial.csv")[0] in (1, 3)
