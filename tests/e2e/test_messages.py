"""What the command says about data that it cannot use, and how it counts and names what a person reads."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import novikoff as nv
from commands import answer, novikoff
from novikoff.certify.check import verify
from novikoff.cli import main

OR = "a,b,y\n0,0,0\n1,0,1\n0,1,1\n1,1,1\n"
VERBS = ("certify", "separation", "margin")

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a verb, on a text as the file data.csv where one is given: exit code, stdout, stderr."""
    monkeypatch.chdir(tmp_path)

    def go(verb: str, *args: str, text: str | None = None, name: str = "data.csv") -> tuple[int, str, str]:
        if text is not None:
            Path(name).write_text(text)
            args = (name, *args)
        code = main([verb, *args])
        return code, *capsys.readouterr()

    return go


# ---- files


@pytest.mark.parametrize("verb", VERBS)
def test_an_empty_label_is_bad_input(run: Run, verb: str) -> None:
    code, out, err = run(verb, text="a,y\n1,\n2,z\n")
    assert (code, out) == (3, "")
    assert "data.csv, line 2, column 2 ('y'): found an empty cell; a label was expected" in err


def test_an_empty_label_is_bad_input_to_verify(run: Run) -> None:
    assert run("certify", "-o", "proof.json", text="a,y\n1,0\n2,z\n")[0] == 0
    Path("data.csv").write_text("a,y\n1,\n2,z\n")
    for slow, said in ((), "line 2: no label"), (("--slow",), "line 2: no label"):
        code, _, err = run("verify", "proof.json", "data.csv", *slow)
        assert code == 3
        assert said in err


def test_cells_with_other_signs_between_them(run: Run) -> None:
    """Semicolons are found out; the checker alone does not read them, and it is said how it would."""
    code, out, _ = run("certify", "-o", "proof.json", text="a;b;y\n1;2;0\n3;4;1\n")
    assert code == 0
    assert "verify_novikoff.py, reads only plain CSV and svmlight files (novikoff convert data.csv plain.csv" in out
    assert run("verify", "proof.json", "data.csv")[0] == 0
    code, _, err = run("certify", text="a,b,y\n1,2,0\n", name="data.tsv")
    assert (code, "data.tsv: found one column, 'a,b,y'; cells between tabs were expected" in err) == (3, True)


def test_columns_are_counted_from_1(run: Run) -> None:
    assert run("certify", "--label", "0", text=OR)[0] == 2
    code, _, err = run("certify", "--label", "9", text=OR)
    assert (code, "data.csv: there is no column 9; the first line has 3 cells" in err) == (3, True)


@pytest.mark.parametrize(("cell", "found"), [("", "an empty cell"), (" ", "an empty cell"), ("NA", "'NA'")])
def test_a_missing_number_is_named(run: Run, cell: str, found: str) -> None:
    code, _, err = run("certify", text=f"a,b,y\n1,{cell},0\n2,3,1\n")
    assert code == 3
    assert f"data.csv, line 2, column 2 ('b'): found {found}; a number was expected; --missing drop" in err


# ---- rows


def test_refusals_number_rows_from_1_and_their_json_from_0(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("certify", "-o", "proof.json", text=OR)[0] == 0
    record = json.loads(Path("proof.json").read_text())
    record["b"] = str(int(record["b"]) + 10**6)
    Path("proof.json").write_text(json.dumps(record))
    for slow in ((), ("--slow",)):
        code, out, _ = run("verify", "proof.json", "data.csv", *slow)
        assert (code, out) == (1, "REFUSED  w, b: row 1 is on the wrong side of the plane\n")
        info = json.loads(run("verify", "proof.json", "data.csv", "--json", *slow)[1])
        assert info["reason"] == "w, b: row 0 is on the wrong side of the plane"
    assert verify.main(["proof.json", "data.csv"]) == 1
    assert capsys.readouterr().err == "REFUSED  w, b: row 1 is on the wrong side of the plane\n"


def test_a_label_that_looks_like_a_row_is_left_alone() -> None:
    refusal = verify.CertificateError("y: label 'row 4' of row 2 is neither of the certificate's")
    assert verify.in_words(refusal) == "y: label 'row 4' of row 3 is neither of the certificate's"


# ---- one of a thing


def test_one_row_and_one_point_are_singular(run: Run) -> None:
    origin = nv.decide([[0.0, 0.0]], [1], fit_intercept=False)
    assert repr(origin).startswith("Verdict(not separable by a plane through the origin, 1 row proves it; ")
    assert "proved by 1 of 1 point of 2 numbers" in str(origin)
    assert "no plane through the origin separates the 1 point, nor some" in origin.explain()
    assert "each of 2 points of 1 number strictly" in str(nv.decide([[0.0], [1.0]], [0, 1]))
    assert "has the one point on one side" in nv.decide([[1.0]], [1]).explain()
    assert repr(nv.removal(*nv.example("xor"))) == "Removal(exactly 1 row)"
    _, out, _ = run("certify", "--no-bias", "-o", "proof.json", text="a,y\n0,1\n", name="one.csv")
    assert "1 points" not in out
    _, out, _ = run("verify", "proof.json", "one.csv")
    assert out.startswith("PROVED  overlap: no plane through the origin separates the one point, ")
    assert verify.meaning("complete", 1, True) == "the plane has the one point strictly on its own side"
    assert (
        verify.meaning("complete", 1000, True) == "the plane has every one of the 1,000 points strictly on its own side"
    )


def test_one_label_too_few_is_singular() -> None:
    with pytest.raises(nv.InputError, match="X and y: 2 rows and 1 label; give"):
        nv.decide([[1], [2]], [0])
    with pytest.raises(nv.InputError, match="X and y: 2 rows and 1 value; give"):
        nv.separation([[1], [2]], [0])


def test_the_refused_margin_of_one_point(run: Run) -> None:
    code, out, _ = run("margin", "--no-bias", text="a,y\n0,1\n1,1\n")
    assert code == 1
    assert "proof  1 point: 1: it is at the origin\n" in out


# ---- options


@pytest.mark.parametrize("verb", ["certify", "separation"])
@pytest.mark.parametrize("text", ["nan", "inf", "0", "-1", "1e999", "1e-999"])
def test_seconds_that_are_none_are_usage_errors(run: Run, verb: str, text: str) -> None:
    code, _, err = run(verb, f"--max-seconds={text}", text=OR)
    assert code == 2
    assert "--max-seconds" in err


def test_separation_names_the_option_that_stopped_it(run: Run) -> None:
    code, out, _ = run("separation", "--max-seconds=1e-9", text=OR)
    assert code == 4
    assert out.startswith("UNDECIDED: stopped by --max-seconds")
    assert "max_time" not in out
    info = json.loads(run("separation", "--max-seconds=1e-9", "--json", text=OR)[1])
    assert info["notes"] == ["stopped by --max-seconds"]


def test_the_advice_on_poisson_counts_is_whole_sentences() -> None:
    advice = nv.separation([[1], [2], [4]], [0, 0, 0], names=["x"], family="poisson").advice
    end = "or penalise the likelihood. (Intercept) and x can be anything: the data do not determine them."
    assert advice.endswith(end)
    some = nv.separation([[1, 0], [2, 0], [4, 0], [3, 1]], [1, 2, 3, 0], names=["x", "z"], family="poisson").advice
    assert some.endswith(". No estimate of z is finite; those of (Intercept) and x stay what they are.")


def test_eta_without_a_start_is_a_usage_error(run: Run) -> None:
    for eta in ("2", "1"):
        code, out, err = run("margin", "--example", "or", "--eta", eta)
        assert (code, out) == (2, "")
        assert "--w0" in err
    assert run("margin", "--example", "or", "--eta", "2", "--w0=1,1,1")[0] == 0


@pytest.mark.parametrize("path", [None, 3, ""])
def test_a_proof_is_saved_to_a_named_file(path: object) -> None:
    with pytest.raises(nv.InputError, match=r"path: found .*the name of a file was expected"):
        nv.decide(*nv.example("or")).save(path)  # type: ignore[arg-type]


def test_a_class_that_may_be_a_missing_label_is_told(run: Run) -> None:
    for more in ((), ("--memory", "10")):
        code, _, err = run("fit", *more, text="a,y\n1,NA\n2,b\n")
        assert (code, "data.csv: the label 'NA' is taken as a class; --missing drop leaves" in err) == (0, True)
    assert "taken as a class" not in run("fit", "--label-as", "NA:unknown", text="a,y\n1,NA\n2,b\n")[2]


@pytest.mark.compiled
def test_where_no_plane_separates_no_margin_is_told_to_bound_the_updates() -> None:
    info = novikoff("fit", "--example", "xor", "--known-margin", "1/10").out
    bound = next(line for line in info.splitlines() if line.startswith("bound"))
    assert bound.endswith("no plane separates the points, so none has any margin")
    assert "at most" not in bound
    with pytest.warns(nv.NotSeparatedWarning) as seen:
        nv.Perceptron(known_margin=0.1).fit(*nv.example("xor"))
    assert sum("so none has a margin of 0.1" in str(one.message) for one in seen) == 1
    assert "at most (R/γ)² = " in novikoff("fit", "--example", "or", "--known-margin", "1/10").out


@pytest.mark.parametrize(("rows", "folds", "way_out"), [
    ("1,p\n2,q\n", 2, "each fold needs a row of every class: add rows"),
    ("1,p\n2,q\n3,q\n4,r\n5,r\n", 2, "add rows, or leave the class out with --classes"),
    ("1,p\n2,q\n3,q\n4,p\n", 3, "use at most --folds 2"),
])  # fmt: skip
def test_too_few_rows_for_the_parts_of_cv_have_a_way_out_that_works(
    tmp_path: Path, rows: str, folds: int, way_out: str
) -> None:
    (tmp_path / "t.csv").write_text("a,y\n" + rows)
    info = novikoff("cv", tmp_path / "t.csv", "--folds", folds)
    assert info.code == 3
    assert info.err.strip().endswith(way_out)
    if "--folds" in way_out:
        assert novikoff("cv", tmp_path / "t.csv", *way_out.split()[-2:]).code == 0


@pytest.mark.compiled
def test_a_stalled_run_is_told_what_to_set() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.integers(-3, 4, (30, 2)).astype(float), rng.integers(0, 2, 30)
    with pytest.warns(nv.NotSeparatedWarning, match=r"^train_stalled: .*train_patience=None runs to max_iter"):
        nv.Perceptron(train_patience=3, keep="pocket").fit(X, y)
    with pytest.warns(nv.NotSeparatedWarning, match="^max_passes: "):
        clf = nv.Perceptron(train_patience=None, max_iter=150, keep="pocket").fit(X, y)
    assert clf.n_iter_ == 150


@pytest.mark.compiled
def test_errors_are_told_with_the_points_that_are_counted(tmp_path: Path) -> None:
    """Of rows set aside for validation, too: their number is derived again from the classes."""
    info = novikoff("fit", "--example", "xor", "--stall-valid", "2").out
    document = answer("fit", "--example", "xor", "--stall-valid", "2")
    assert document["set_aside"] == 2  # one of each class
    counted = f"{document['train_errors']} of 4 points (2 set aside) wrong"
    assert counted in info
    assert "training points" not in info
    assert "set_aside" not in answer("fit", "--example", "xor")
    iris = answer("fit", "--example", "iris", "--classes", "versicolor,virginica", "--stall-valid", "2")
    assert iris["set_aside"] == 10  # a tenth of fifty of each class


def test_a_model_without_weights_says_so(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,y\n0,p\n0,q\n")
    assert novikoff("fit", tmp_path / "t.csv", "--no-bias", "--max-passes", "1", "-o", tmp_path / "m.nvk").code == 0
    info = novikoff("explain", tmp_path / "m.nvk").out
    assert "largest      all weights are 0, bias +0" in info


def test_a_verdict_of_few_rows_is_told_by_its_weights() -> None:
    frame = pd.DataFrame({"a": [0.0, 0, 1, 1], "b": [0.0, 1, 0, 1]}, index=list("pqrs"))
    verdict = nv.decide(frame, [0, 1, 1, 0])
    assert "intervals" not in str(verdict)
    assert "proved by 4 of 4 points" in str(verdict)
