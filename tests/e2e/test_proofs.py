"""certify, margin and verify on files: answers, exit codes, and saved proofs that the checker alone proves again."""

from __future__ import annotations

import gzip
import io
import json
import re
import shlex
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from commands import answer, novikoff
from data.files import written

FORMS = ("csv", "tsv", "svm", "parquet", "npz", "csv.gz", "svm.zst", "arrow")
TABLES = {
    "xor.csv": "a,b,y\n0,0,0\n1,0,1\n0,1,1\n1,1,0\n",
    "or.csv": "a,b,y\n0,0,0\n1,0,1\n0,1,1\n1,1,1\n",
    "konis.csv": "x,y\n-2,0\n0,0\n0,1\n2,1\n",
    "classes.csv": "x,y\n9,c\n0,a\n1,b\n0,b\n",
    "one.csv": "x,label\n1,a\n2,b\n",
    "same.csv": "x,label\n1,a\n2,a\n-1,b\n",
    "three.csv": "x,label\n1,a\n2,b\n3,c\n",
}
Checked = Callable[..., tuple[int, str]]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in TABLES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def checker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("checker") / "check.py"
    assert novikoff("verify", "--checker", path).code == 0
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 650
    return path


@pytest.fixture
def alone(checker: Path) -> Checked:
    """Exit code and words of the checker that `verify --checker` writes, run by Python alone."""

    def check(*args: object) -> tuple[int, str]:
        words = [sys.executable, "-I", "-S", checker, *args]
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False, env={})
        return done.returncode, done.stdout + done.stderr

    return check


def document(*args: object, code: int = 0) -> dict[str, Any]:
    """The answer without what differs from run to run and from file to file."""
    info = answer(*args, code=code)
    return {name: value for name, value in info.items() if name not in ("seconds", "data", "certificate")}


# ---- answers


def test_a_separable_file_has_exit_code_0_and_its_plane(here: Path) -> None:
    done = novikoff("certify", "or.csv")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        "SEPARABLE  a plane has every one of the 4 points strictly on its own side (checked exactly).",
        "plane  2·a + 2·b − 1   > 0 on 1, < 0 on 0",
        "label  y: classes 0, 1",
        "chance with 4 points and 3 parameters, at most 87.5 % of all labellings are separable: a perfect fit here "
        "means little",
    ]


def test_the_document_has_what_the_interface_promises(here: Path) -> None:
    yes, no, quasi = answer("certify", "or.csv"), *(answer("certify", f"{n}.csv", code=1) for n in ("xor", "konis"))
    assert {"support", "weights", "proof", "exact", "seconds"} <= set(yes)
    assert [yes[k] for k in ("schema", "separable", "kind", "n", "d", "w", "b")] == [
        "novikoff/certify/1", True, "complete", 4, 2, ["2", "2"], "-1"]  # fmt: skip
    assert [no[k] for k in ("separable", "kind", "w", "support", "weights", "proof", "exact", "classes")] == [
        False, "overlap", None, [0, 1, 2, 3], ["1"] * 4, "rational", True, [0, 1]]  # fmt: skip
    assert no["obstruction"]["point"] == ["1/2", "1/2"]
    assert [quasi[k] for k in ("kind", "w", "b", "separated")] == ["quasi-complete", ["1"], "0", [0, 3]]


@pytest.mark.parametrize(
    ("name", "expected", "code"),
    [("xor", "overlap", 0), ("xor", "not-separable", 0), ("xor", "separable", 1), ("xor", "quasi-complete", 1),
     ("or", "separable", 0), ("or", "complete", 0), ("or", "overlap", 1), ("konis", "quasi-complete", 0)],
)  # fmt: skip
def test_what_is_expected_decides_the_exit_code(name: str, expected: str, code: int, here: Path) -> None:
    assert novikoff("certify", f"{name}.csv", "--expect", expected).code == code


def test_many_classes_are_told_pair_by_pair() -> None:
    done = novikoff("certify", "--example", "iris")
    assert done.code == 1
    assert done.out.splitlines()[0].startswith("2 of 3 pairs of classes are separable")
    assert re.search(r"versicolor \| virginica  NOT SEPARABLE, overlap: points \d+(, \d+){5}\n", done.out)
    found = answer("certify", "--example", "iris", code=1)
    assert [pair["separable"] for pair in found["pairs"]] == [True, True, False]
    assert min(found["pairs"][2]["support"]) >= 50
    assert novikoff("certify", "--example", "digits").code == 0
    assert novikoff("certify", "--example", "iris", "--expect", "not-separable").code == 0
    assert novikoff("certify", "--example", "iris", "--expect", "overlap").code == 2


def test_chosen_classes_keep_their_row_numbers_and_rows_to_remove_are_few(here: Path) -> None:
    assert answer("certify", "classes.csv", "--classes", "a,b", code=1)["support"] == [1, 3]
    assert "points 2 and 4 are the same point" in novikoff("certify", "classes.csv", "--classes", "a,b").out
    told = novikoff("certify", "xor.csv", "--removal").out
    assert "remove 1 row (" in told
    assert "no smaller set would do (proved)" in told
    found = answer("certify", "xor.csv", "--removal", code=1)["removal"]
    assert (found["at_least"], len(found["rows"])) == (1, 1)
    assert "remove nothing" in novikoff("certify", "or.csv", "--removal").out


def test_time_that_is_over_claims_nothing(here: Path) -> None:
    rows = [",".join(str((i * i * (j + 3) + 7 * i * j) % 1009) for j in range(40)) + f",{i * 7 % 11 % 2}"
            for i in range(900)]  # fmt: skip
    Path("long.csv").write_text("\n".join([",".join(f"x{j}" for j in range(40)) + ",y", *rows]))
    done = novikoff("certify", "long.csv", "--max-seconds", "1e-6", "-o", "proof.json")
    assert (done.code, done.out[:9], Path("proof.json").exists()) == (4, "UNDECIDED", False)
    found = answer("certify", "long.csv", "--max-seconds", "1e-6", "--expect", "overlap", code=4)
    assert (found["separable"], found["kind"], found["exact"], found["w"]) == (None, "undecided", False, None)
    assert novikoff("certify", "long.csv", "--max-seconds", "300").code == 1


# ---- saved proofs


def points(separable: bool) -> tuple[np.ndarray, np.ndarray]:
    X = np.round(np.random.default_rng(5).normal(size=(200, 3)), 2)
    score = X @ [1.0, -2.0, 0.5] + 0.1
    X, y = X[np.abs(score) > 0.1], (score > 0).astype(int)[np.abs(score) > 0.1]
    y[:2] = y[:2] if separable else 1 - y[:2]
    return X, y


@pytest.mark.parametrize("separable", [True, False])
def test_every_format_has_the_same_answer_and_proofs_go_from_one_to_another(separable: bool, here: Path) -> None:
    X, y = points(separable)
    paths = {form: written(here, form, X, y) for form in FORMS}
    code = 0 if separable else 1
    wanted = document("certify", paths["csv"], code=code)  # which has the label's name; some formats have none
    assert wanted["label"] == "y"
    for form, path in paths.items():
        assert document("certify", path, "-o", f"{form}.json", code=code) | {"label": "y"} == wanted, form
        data, first = (json.loads(Path(f"{one}.json").read_text())["data"] for one in (form, "csv"))
        assert data["digest"] == first["digest"]
        assert (data["made_by"] is None) == (form in ("csv", "tsv", "svm")), form
        for proof, other in ((form, "csv"), (form, "svm"), (form, "parquet"), (form, form), ("csv", form)):
            assert novikoff("verify", f"{proof}.json", paths[other]).code == 0, (proof, other)
    X[7, 1] += 1
    assert novikoff("verify", "csv.json", written(here, "parquet", X, y)).code == 1


def test_the_checker_alone_checks_what_is_converted_and_says_what_it_does_not_read(here: Path, alone: Checked) -> None:
    parquet = written(here, "parquet", *points(False))
    assert f"novikoff convert {parquet} prepared.csv" in novikoff("certify", parquet, "-o", "p.json").out
    novikoff("convert", parquet, "data.csv")
    assert alone("p.json", "data.csv")[1].startswith("PROVED overlap")
    code, words = alone("p.json", parquet)
    assert (code, "cannot be read" in words, "PROVED" in words) == (3, True, False)
    assert novikoff("verify", "p.json", parquet, "--slow").code == 3


def test_standard_input_patterns_and_turned_tables(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = points(True)
    whole = document("certify", written(here, "csv", X, y))
    for k, part in enumerate((slice(0, 50), slice(50, None))):
        Path(f"part-{k}.csv").write_bytes(written(here, "csv", X[part], y[part]).read_bytes())
    assert document("certify", "part-*.csv", "-o", "p.json") == whole
    assert novikoff("verify", "p.json", "part-*.csv").code == 0
    columns = [*X.T.tolist(), y.tolist()]
    Path("turned.csv").write_text("\n".join(",".join(map(str, column)) for column in columns) + "\n")
    assert document("certify", "turned.csv", "--transpose", "-o", "p.json")["w"] == whole["w"]
    assert json.loads(Path("p.json").read_text())["data"]["made_by"].endswith(" prepared.csv --transpose")
    assert novikoff("verify", "p.json", "turned.csv").code == 0
    raw = written(here, "svm", X, y).read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))
    assert document("certify", "-", "--format", "svm")["w"] == whole["w"]


def test_a_saved_margin_is_proved_to_a_stranger(here: Path, alone: Checked) -> None:
    done = novikoff("margin", "or.csv", "-o", "p.json")
    assert (done.code, "check  novikoff verify p.json or.csv" in done.out) == (0, True)
    assert novikoff("verify", "p.json", "or.csv").out.startswith("PROVED complete: ")
    assert alone("p.json", "or.csv")[0] == 0
    Path("or.csv").write_text(TABLES["xor.csv"])
    assert alone("p.json", "or.csv")[0] == 1
    assert answer("margin", "or.csv", "-o", "p.json", code=1)["certificate"] == "p.json"
    assert novikoff("verify", "p.json", "or.csv").out.startswith("PROVED overlap: ")


def test_certificates_that_cannot_be_read_or_are_about_other_data(here: Path) -> None:
    assert novikoff("certify", "xor.csv", "-o", "p.json").code == 1
    good = Path("p.json").read_text()
    for text, code in [
        (good.replace("proof/1", "proof/2"), 3),
        (good[: len(good) // 2], 3),
        (good + " " * (1 << 26), 3),
        (good.replace('"1", "1", "1", "1"', f'"1", "1", "1", "{"9" * 200_000}"', 1), 3),
        (good.replace('"weights": ["1"', '"weights": ["2"', 1), 1),
        (good.replace('"rows": 4', '"rows": 1000000000000000000000'), 3),
        (good.replace('"rows": [0', '"rows": [1e3'), 3),
        ("[" * 100_000, 3),
        (good.replace('"claim": "overlap"', '"claim": "complete"'), 1),
        (good, 0),
    ]:
        Path("p.json").write_text(text)
        for slow in ([], ["--slow"]):
            assert novikoff("verify", "p.json", "xor.csv", *slow).code == code, text[:80]
    told = answer("verify", "p.json", "xor.csv")
    assert [told[k] for k in ("schema", "proved", "kind", "n", "d")] == ["novikoff/verify/1", True, "overlap", 4, 2]
    for text, code, words in (
        (TABLES["or.csv"], 1, "REFUSED other data: found 4 rows of digest "),
        ("a,b,y\n0,0,0\n1,x,1\n", 3, "other.csv, line 3: found 'x'; expected finite numbers"),
        ("", 1, "REFUSED"),
    ):
        Path("other.csv").write_text(text)
        for slow in ([], ["--slow"]):
            done = novikoff("verify", "p.json", "other.csv", *slow)
            assert (done.code, words in done.out + done.err) == (code, True), done
    assert novikoff("certify", "or.csv", "-o", "p.json").code == 0
    record = json.loads(Path("p.json").read_text())
    values = record["directions"][0]["values"]
    values[-1] = str(int(values[-1]) + 10**6)
    Path("p.json").write_text(json.dumps(record))
    said = "directions: a row is on the wrong side of one of them: row 1, counted from 1"
    for slow in ([], ["--slow"]):
        assert answer("verify", "p.json", "or.csv", *slow, code=1)["reason"] == said


# ---- prepared vectors


def test_a_proof_speaks_of_the_prepared_vectors_and_says_so(here: Path) -> None:
    done = novikoff("certify", "xor.csv", "--features", "poly2", "-o", "p.json")
    assert done.code == 0
    assert "about  the prepared vectors, 5 columns made of the rows of" in done.out
    assert "a·b" in done.out
    made_by = "novikoff convert xor.csv prepared.csv --features poly2"
    fast, slow = novikoff("verify", "p.json", "xor.csv"), novikoff("verify", "p.json", "xor.csv", "--slow")
    assert (fast.code, f", prepared by {made_by}\n" in fast.out) == (0, True)
    assert (slow.code, f"; the points were made by {made_by}\n" in slow.out) == (1, True)
    assert document("certify", "xor.csv", "--features", "poly2")["prepared"] is True
    assert document("margin", "xor.csv", "--features", "poly2")["d"] == 5


def test_words_and_categories_are_read_again_as_they_were(here: Path) -> None:
    mails = Path("mails.tsv")
    mails.write_text("label\tcity\ttext\nspam\tRome\tfree cash now\nham\tOslo\tcall me\nspam\tOslo\tfree call\n")
    options = ["--text", "3", "--category", "city", "--one-hot", "--label-as", "sp*:junk", "--tfidf"]
    assert novikoff("certify", mails, *options, "-o", "p.json").code == 0
    record = json.loads(Path("p.json").read_text())
    assert sorted(shlex.split(record["data"]["made_by"])[4:]) == sorted(options)
    assert record["model"]["classes"] == ["ham", "junk"]
    for city, code in (("Rome", 0), ("Turin", 0), ("Oslo", 1)):  # another name for the same vectors; other vectors
        mails.write_text(re.sub("Rome|Turin", city, mails.read_text()))
        assert novikoff("verify", "p.json", mails).code == code


@pytest.mark.parametrize(
    "made_by",
    ["--example or", "other.csv", "--help", "--nonsense", "--features", "--features poly9", "--classes 0,1", "-- x",
     "rm -rf x", "novikoff fit a b", "'", ""],
)  # fmt: skip
def test_commands_that_no_certificate_has_are_refused(made_by: str, here: Path) -> None:
    record = nv.decide([[0, 0], [1, 0], [0, 1], [1, 1]], [0, 1, 1, 0]).certificate().record()
    record["data"]["made_by"] = f"novikoff convert IN OUT {made_by}" if made_by[:1] in ("-", "o") else made_by
    Path("p.json").write_text(json.dumps(record))
    code, out, err = novikoff("verify", "p.json", "xor.csv")
    assert (code, out, "made_by" in err) == (3, "", True)


# ---- what a certificate states of its data is compared with the data, or printed with the proof


@pytest.fixture(params=["verify", "verify --slow", "alone", "verify a compressed file"])
def verified(request: pytest.FixtureRequest, alone: Checked, here: Path) -> Checked:
    """Exit code and words of a check of a record against the text of a file whose label is this column, or the last."""

    def check(proof: Any, text: str, header: bool = True) -> tuple[int, str]:
        record, data = proof.certificate().record(), here / "data.csv"
        csv = {"delimiter": ",", "header": header, "label": text.partition("\n")[0].count(",")}
        Path("p.json").write_text(
            json.dumps(record | {"data": record["data"] | {"file": {"csv": csv, "svmlight": None}}})
        )
        data.write_text(text)
        if request.param == "alone":
            return alone("p.json", data)
        if request.param.endswith("file"):
            data = here / "data.csv.gz"
            data.write_bytes(gzip.compress(text.encode()))
        code, out, err = novikoff("verify", "p.json", data, *(["--slow"] if "--slow" in request.param else []))
        return code, out + err

    return check


@pytest.mark.parametrize("first", ["5,0", "5,a", "5,y", "5,1.0"])
def test_a_row_is_not_left_out_as_a_header(verified: Checked, first: str) -> None:
    """The four points overlap; the certificate is about the last three."""
    names = {"5,0": ["0", "1"], "5,1.0": ["1", "2"]}.get(first, [first[-1], "z"])
    X, y = [[0.0], [1.0], [2.0]], [names[0], names[0], names[1]]
    assert nv.decide([[5.0], *X], [names[0], *y]).kind == "overlap"
    rows = "".join(f"{x[0]:g},{name}\n" for x, name in zip(X, y, strict=True))
    code, words = verified(nv.decide(X, y), f"{first}\n{rows}")
    assert (code in (1, 3), "PROVED" in words, words.count("\n"), "the first line" in words) == (True, False, 1, True)


TRIAL = [[0, 1], [0, 2], [1, 1], [1, 3], [0, 3], [0, 1]]
DEATH = ["no", "yes", "yes", "yes", "no", "yes"]
TEXT = "drug,age,label\n" + "".join(f"{a},{b},{t}\n" for (a, b), t in zip(TRIAL, DEATH, strict=True))


def test_names_of_columns_are_those_of_the_data_and_stay_in_their_line(verified: Checked) -> None:
    """A certificate has no names: they are read from the header, where there is one."""
    for names in (["drug", "age"], ["age", "drug"], None):
        proof = nv.separation(TRIAL, DEATH, names=names)
        code, words = verified(proof, TEXT)
        assert (code, "\n+inf: drug\n" in words) == (0, True)
        code, words = verified(proof, TEXT.partition("\n")[2], header=False)
        assert (code, "\n+inf: column 1\n" in words or "\n+inf: x1\n" in words) == (0, True)
    code, words = verified(proof, TEXT.replace("drug", '"drug\nPROVED overlap: all is well"'))
    assert code in (0, 3)
    assert [line for line in words.split("\n") if line.startswith("PROVED")] == words.split("\n")[: int(code == 0)]


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("positive", ["on", "off"])
def test_a_proof_says_which_class_is_positive_whether_there_is_a_bias_and_what_numbers(
    verified: Checked, bias: bool, positive: str
) -> None:
    other, intercept = {"on": "off", "off": "on"}[positive], "an" if bias else "no"
    for made in (nv.decide, nv.margin):
        proof = made([[1.0], [-2.0]], ["on", "off"], fit_intercept=bias, positive=positive)
        code, words = verified(proof, "x,lamp\n1,on\n-2,off\n")
        assert code == 0
        assert f"model: classes '{positive}' against the reference '{other}'; {intercept} intercept\n" in words
        assert "1 columns of binary64 numbers" in words
        assert "lamp" in words  # the name of the label's column
    proof = nv.separation(TRIAL, [{"yes": "on", "no": "off"}[one] for one in DEATH], positive=positive)
    code, words = verified(proof, TEXT.replace("yes", "on").replace("no", "off"))
    assert (code, f"model: classes '{positive}' against the reference '{other}'; an intercept\n" in words) == (0, True)
    assert f"{'+' if positive == 'on' else '-'}inf: drug" in words


# ---- without a bias planes go through the origin, and every sentence that claims or denies one says so

UNSAID = re.compile(r"\b(?:[Nn]o|no single) plane\b(?! through the origin)")


@pytest.mark.parametrize(("name", "said"), [("one.csv", "no plane through the origin"),
                                            ("same.csv", "a plane through the origin has")])  # fmt: skip
def test_a_proof_without_a_bias_is_about_planes_through_the_origin(
    name: str, said: str, here: Path, alone: Checked
) -> None:
    for verb, bias in (("certify", "--no-bias"), ("margin", "--no-bias"), ("certify", "--bias")):
        told = novikoff(verb, name, bias, "-o", "p.json")
        proofs = [novikoff("verify", "p.json", name).out, novikoff("verify", "p.json", name, "--slow").out,
                  alone("p.json", name)[1]]  # fmt: skip
        if bias == "--bias":
            assert "through the origin" not in told.out + "".join(proofs)
        else:
            assert all(said in words for words in (proofs if verb == "margin" else [told.out, *proofs])), verb


@pytest.mark.parametrize(
    ("name", "verb"),
    [*(("one.csv", verb) for verb in ("certify", "certify --removal", "fit", "fit --keep pocket", "margin", "trace",
                                      "fit --known-margin 0.5", "report -o page.html")),
     ("three.csv", "certify"), ("three.csv", "report -o page.html")],
)  # fmt: skip
def test_every_verb_without_a_bias_says_so(name: str, verb: str, here: Path) -> None:
    first, *rest = verb.split()
    said = novikoff(first, name, "--no-bias", *rest)
    words = said.out + said.err + (Path("page.html").read_text() if first == "report" else "")
    assert said.code in (0, 1), said.err
    assert UNSAID.search(words) is None
    assert "through the origin" in words


def test_python_without_a_bias_says_so() -> None:
    X, Y = [[1.0], [2.0]], ["a", "b"]  # a plane with a bias separates them
    verdict, trace = nv.decide(X, Y, fit_intercept=False), nv.trace(X, Y, fit_intercept=False)
    with pytest.raises(nv.NotSeparableError, match="no plane through the origin separates"):
        nv.margin(X, Y, fit_intercept=False)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        clf = nv.Perceptron(fit_intercept=False, keep="pocket").fit(X, Y)
    said = [str(verdict), repr(verdict), verdict.explain(), trace.to_text(), trace.to_html(), clf._repr_html_()]
    assert all("through the origin" in words for words in said)
    assert not [words for words in (*said, *(str(w.message) for w in told)) if UNSAID.search(words)]
