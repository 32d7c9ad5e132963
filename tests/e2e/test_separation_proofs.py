"""A separation is saved, checked by verify and by the copied checker; prepared points are written by convert."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

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
    assert novikoff("verify", "--checker", here / "verify_novikoff.py").code == 0

    def run(*args: str) -> tuple[int, str, str]:
        words = [sys.executable, "-I", "-S", "verify_novikoff.py", *args]
        done = subprocess.run(words, cwd=here, capture_output=True, text=True, timeout=60, env={})
        return done.returncode, done.stdout, done.stderr

    return run


# ---- formulas and reference levels ---------------------------------------------------------------------------------


def test_missing_values_of_other_columns_drop_no_row(here: Path) -> None:
    """As R: complete cases of the variables in the formula."""
    (here / "gaps.csv").write_text(TRIAL.replace("50,f", ",f").replace("61,m", "61,"))
    drop = ("separation", "gaps.csv", "--missing", "drop", "--formula")
    assert answer(*drop, "death ~ C(arm)", code=1)["n"] == 9
    assert answer(*drop, "death ~ C(arm) + age", code=1)["n"] == 8
    rows = answer(*drop, "death ~ C(arm) + age", code=1)["rows"]
    assert rows == [2, 3, 4]  # the numbers of the file
    info = novikoff("separation", "gaps.csv", "--formula", "death ~ age")
    assert info.code == 3
    assert "column 3 ('age')" in info.err


def test_the_reference_level_is_the_first_or_the_chosen_one(here: Path) -> None:
    words = ("separation", "trial.csv", "--label", "death", "--columns", "arm,age", "--one-hot")
    first = answer(*words, code=1)
    assert first["references"] == ["arm=drug"]
    assert first["coefficients"]["(Intercept)"] == "-inf"
    chosen = answer(*words, "--reference", "arm=placebo", "--reference", "death=1", code=1)
    assert (chosen["references"], chosen["classes"]) == (["arm=placebo"], [1, 0])
    assert chosen["coefficients"] == {"(Intercept)": "finite", "age": "finite", "arm=drug": "+inf",
                                      "arm=other": "finite", "arm=placebo": "aliased"}  # fmt: skip
    info = novikoff(*words, "--reference", "arm=placebo")
    assert "arm=placebo  reference level\n" in info.out
    assert "(coefficients of the logit of 1, against 0)\n" in info.out
    assert "next: Firth's penalty" in info.out
    for option, message in (("arm=x", "'x' is not a level of arm; its levels are drug, other, placebo"),
                            ("age=50", "'age' is neither a factor nor the response (arm, death)")):  # fmt: skip
        info = novikoff(*words, "--reference", option)
        assert (info.code, f"--reference: {message}" in info.err) == (3, True)


# ---- certificates --------------------------------------------------------------------------------------------------

PLAIN = {  # command, and whether the checker reads the file itself
    "labels": ("separation shoes.csv --label sport", True),
    "counts": ("separation shoes.csv --label bought --counts seen", True),
    "poisson": ("separation shoes.csv --label bought --family poisson --no-bias", True),
    "three classes": ("separation shoes.csv --label bought", True),
    "columns": ("separation trial.csv --label death --columns id,age", False),
    "factors": ("separation trial.csv --label death --columns arm,age --one-hot --reference arm=other", False),
    "scaled": ("separation trial.csv --label death --columns sex,age --one-hot --scale", False),
    "three classes of a formula": ("separation trial.csv --formula grade~C(sex)+age", False),
    "counts of a formula": ("separation shoes.csv --formula bought~C(sport) --counts seen", False),
    "formula": ("separation trial.csv --formula death~C(arm)+age", False),
}


@pytest.mark.parametrize("name", PLAIN)
def test_a_saved_separation_is_checked_by_everyone(here: Path, checker: Checker, name: str) -> None:
    """verify and the copied checker prove the printed answer; a changed table is refused."""
    command, plain = PLAIN[name]
    words = command.split()
    file = words[1]
    document = json.loads(novikoff(*words, "-o", "proof.json", "--json").out)
    assert document["certificate"] == "proof.json"
    proved = answer("verify", "proof.json", file)
    assert (proved["proved"], proved["kind"], proved["rows"]) == (True, document["kind"], document["rows"])
    known = [word for word in proved["coefficients"] if word is not None]
    assert sorted(known) == sorted(document["coefficients"].values())
    said = novikoff(*words, "-o", "proof.json").out
    assert f"check  novikoff verify proof.json {file}" in said
    if not plain:
        code, out, err = checker("proof.json", file)
        assert (code in (1, 3), out) == (True, "")
        wanted = next(line for line in said.splitlines() if "novikoff convert" in line).strip(" ;")
        if code == 1:
            assert wanted in err  # both say the same command
        assert run_as_typed(wanted).returncode == 0
        file = "prepared.csv"
        assert answer("verify", "proof.json", file)["kind"] == document["kind"]
    code, out, err = checker("proof.json", file)
    assert (code, err) == (0, "")
    assert out.startswith(f"PROVED {document['kind']}: ")
    assert out.splitlines()[0].endswith(f"; separated rows: {len(document['rows'])} of {document['n']}")
    text = (here / file).read_text().splitlines()
    last = text[1].split(",")
    (here / file).write_text("\n".join([text[0], ",".join(["7", *last[1:]]), *text[2:]]) + "\n")
    assert checker("proof.json", file)[0] in (1, 3)
    assert novikoff("verify", "proof.json", file).code in (1, 3)


def run_as_typed(command: str) -> subprocess.CompletedProcess[str]:
    """Run a command of novikoff that was printed, as a shell does."""
    typed = command.replace("novikoff", f"'{sys.executable}' -m novikoff", 1)
    return subprocess.run(typed, shell=True, capture_output=True, text=True, timeout=120)


def test_python_saves_what_the_command_line_checks(here: Path, checker: Checker) -> None:
    frame = pd.read_csv("shoes.csv")
    r = nv.separation(frame[["size", "bought", "seen"]], frame["sport"])
    r.save("proof.json")
    assert nv.verify("proof.json", frame[["size", "bought", "seen"]], frame["sport"]) == r.kind
    assert nv.verify(r, frame[["size", "bought", "seen"]], frame["sport"], slow=True) == r.kind
    assert answer("verify", "proof.json", "shoes.csv", "--label", "sport")["kind"] == r.kind
    assert checker("proof.json", "shoes.csv")[0] == 1  # of arrays: the label is taken to be the last cell
    record = json.loads((here / "proof.json").read_text())
    record["data"]["file"]["csv"]["label"] = 1
    (here / "proof.json").write_text(json.dumps(record))
    code, out, _ = checker("proof.json", "shoes.csv")
    assert (code, out.splitlines()[0].split(":")[0]) == (0, f"PROVED {r.kind}")
    assert "the first line skipped as a header, 'size, bought, seen, sport'" in out


def test_rows_of_a_proof_are_those_of_the_file(here: Path, checker: Checker) -> None:
    """Where rows were dropped, verify numbers the rows as in the file, and the checker as in the prepared file."""
    (here / "gaps.csv").write_text(TRIAL.replace("50,f", ",f"))
    words = ("gaps.csv", "--formula", "death ~ C(arm) + age", "--missing", "drop")
    assert answer("separation", *words, "-o", "proof.json", code=1)["rows"] == [2, 3, 4]
    assert answer("verify", "proof.json", "gaps.csv")["rows"] == [2, 3, 4]
    assert "; separated rows: 3 of 8\n" in novikoff("verify", "proof.json", "gaps.csv").out
    assert novikoff("convert", words[0], "prepared.csv", *words[1:]).code == 0
    assert "; separated rows: 3 of 8\n" in checker("proof.json", "prepared.csv")[1]


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


# ---- convert -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [
    "--label death --one-hot", "--label death --one-hot --scale", "--label death --columns age,arm --category arm",
    "--label sex --columns age,id --normalize", "--label sex --columns age,id --features poly2",
    "--label death --text arm --columns age --tfidf", "--label death --text arm --columns age --hash-bits 3",
    "--label death --columns age --scale-by 7", "--label death --one-hot --missing impute",
    "--label sex --auto", "--label grade --columns age --classes a,b",
])  # fmt: skip
def test_prepared_points_are_written_bit_for_bit(here: Path, checker: Checker, options: str) -> None:
    """A certificate about prepared points is proved about the file that convert writes, in every format."""
    words = options.split()
    if "--classes" not in words:
        assert novikoff("certify", "trial.csv", *words, "-o", "proof.json").code in (0, 1)
    for target in ("prepared.csv", "prepared.svm", "prepared.npz"):
        assert novikoff("convert", "trial.csv", target, *words).code == 0
        if "--classes" not in words:
            assert novikoff("verify", "proof.json", target).code == 0, target
    if "--classes" in words:
        assert len((here / "prepared.csv").read_text().splitlines()) == 7
        return
    assert checker("proof.json", "prepared.csv")[0] == 0
    made_by = json.loads((here / "proof.json").read_text())["data"]["made_by"]
    assert made_by.startswith("novikoff convert trial.csv prepared.csv --label ")
    assert checker("proof.json", "trial.csv")[0] in (1, 3)
