"""certify, verify, margin, separation and trace read what fit reads: every format, prepared, larger than memory."""

from __future__ import annotations

import io
import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commands import answer, novikoff
from data.files import written

FORMS = ("csv", "tsv", "svm", "parquet", "npz", "csv.gz", "svm.zst", "arrow")
XOR = "a,b,y\n0,0,0\n1,0,1\n0,1,1\n1,1,0\n"


def document(*args: object, code: int = 0) -> dict[str, Any]:
    info = answer(*args, code=code)
    return {name: value for name, value in info.items() if name not in ("seconds", "data", "certificate")}


def points(separable: bool, classes: int = 2) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(5)
    X = np.round(rng.normal(size=(200, 3)), 2)
    score = X @ [1.0, -2.0, 0.5] + 0.1
    X, score = X[np.abs(score) > 0.1], score[np.abs(score) > 0.1]
    y = np.digitize(score, [0.0, 1.0][: classes - 1])
    if not separable:
        y[:2] = 1 - y[:2]
    return X, y


# ---- formats -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("separable", [True, False])
def test_every_format_has_the_same_answer_and_proofs_go_from_one_to_another(separable: bool, tmp_path: Path) -> None:
    X, y = points(separable)
    paths = {form: written(tmp_path, form, X, y) for form in FORMS}
    code = 0 if separable else 1
    wanted = document("certify", paths["csv"], code=code)  # which has the label's name; some formats have none
    assert wanted["label"] == "y"
    for form, path in paths.items():
        proof = tmp_path / f"{form}.json"
        assert document("certify", path, "-o", proof, code=code) | {"label": "y"} == wanted, form
        record = json.loads(proof.read_text())
        assert record["data"]["digest"] == json.loads((tmp_path / "csv.json").read_text())["data"]["digest"]
        assert (record["data"]["made_by"] is None) == (form in ("csv", "tsv", "svm")), form
        for other in ("csv", "svm", "parquet"):
            assert novikoff("verify", proof, paths[other])[0] == 0, (form, other)
        assert novikoff("verify", proof, path)[0] == 0
        assert novikoff("verify", tmp_path / "csv.json", path)[0] == 0
    X[7, 1] += 1
    assert novikoff("verify", tmp_path / "csv.json", written(tmp_path, "parquet", X, y))[0] == 1


def test_the_checker_alone_checks_what_is_converted_and_says_what_it_does_not_read(tmp_path: Path) -> None:
    parquet, proof, program = written(tmp_path, "parquet", *points(False)), tmp_path / "p.json", tmp_path / "check.py"
    info = novikoff("certify", parquet, "-o", proof)[1]
    assert f"novikoff convert {parquet} prepared.csv" in info
    novikoff("verify", "--checker", program)
    novikoff("convert", parquet, tmp_path / "data.csv")

    def alone(path: Path) -> subprocess.CompletedProcess[str]:
        words = [sys.executable, "-I", "-S", str(program), str(proof), str(path)]
        return subprocess.run(words, capture_output=True, text=True, timeout=60)

    assert alone(tmp_path / "data.csv").stdout.startswith("PROVED overlap")
    other = alone(parquet)
    assert (other.returncode, other.stdout) == (3, "")
    assert "cannot be read" in other.stderr
    assert novikoff("verify", proof, parquet, "--slow")[0] == 3


def test_standard_input_patterns_and_turned_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = points(True)
    whole = document("certify", written(tmp_path, "csv", X, y))
    for k, part in enumerate((slice(0, 50), slice(50, None))):
        (tmp_path / f"part-{k}.csv").write_bytes(written(tmp_path, "csv", X[part], y[part]).read_bytes())
    proof = tmp_path / "p.json"
    assert document("certify", tmp_path / "part-*.csv", "-o", proof) == whole
    assert novikoff("verify", proof, tmp_path / "part-*.csv")[0] == 0
    turned = tmp_path / "turned.csv"
    turned.write_text("\n".join(",".join(map(str, [*column])) for column in [*X.T.tolist(), y.tolist()]) + "\n")
    assert document("certify", turned, "--transpose", "-o", proof)["w"] == whole["w"]
    assert json.loads(proof.read_text())["data"]["made_by"].endswith(" prepared.csv --transpose")
    assert novikoff("verify", proof, turned)[0] == 0
    raw = written(tmp_path, "svm", X, y).read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))
    assert document("certify", "-", "--format", "svm")["w"] == whole["w"]


# ---- preparation ---------------------------------------------------------------------------------------------------


def test_a_proof_speaks_of_the_prepared_vectors_and_says_so(tmp_path: Path) -> None:
    path, proof = tmp_path / "xor.csv", tmp_path / "p.json"
    path.write_text(XOR)
    assert novikoff("certify", path)[0] == 1
    code, out, _ = novikoff("certify", path, "--features", "poly2", "-o", proof)
    assert code == 0
    assert "about  the prepared vectors, 5 columns made of the rows of" in out
    assert "a·b" in out
    code, out, _ = novikoff("verify", proof, path)
    made_by = f"novikoff convert {path} prepared.csv --features poly2"
    assert (code, f", prepared by {made_by}\n" in out) == (0, True)
    code, out, _ = novikoff("verify", proof, path, "--slow")
    assert (code, f"; the points were made by {made_by}\n" in out) == (1, True)
    assert document("certify", path, "--features", "poly2")["prepared"] is True
    assert document("margin", path, "--features", "poly2", "--scale-by", "1/2")["d"] == 5


def test_words_and_categories_are_read_again_as_they_were(tmp_path: Path) -> None:
    path, proof = tmp_path / "mails.tsv", tmp_path / "p.json"
    path.write_text("label\tcity\ttext\nspam\tRome\tfree cash now\nham\tOslo\tcall me\nspam\tOslo\tfree call\n")
    options = ["--text", "3", "--category", "city", "--one-hot", "--label-as", "sp*:junk", "--tfidf"]
    assert novikoff("certify", path, *options, "-o", proof)[0] == 0
    record = json.loads(proof.read_text())
    assert sorted(shlex.split(record["data"]["made_by"])[4:]) == sorted(options)
    assert record["model"]["classes"] == ["ham", "junk"]
    assert novikoff("verify", proof, path)[0] == 0
    path.write_text(path.read_text().replace("Rome", "Turin"))
    assert novikoff("verify", proof, path)[0] == 0  # another name for the same vectors
    path.write_text(path.read_text().replace("Turin", "Oslo"))
    assert novikoff("verify", proof, path)[0] == 1


@pytest.mark.parametrize(
    "made_by",
    ["--example or", "other.csv", "--help", "--nonsense", "--features", "--features poly9", "--classes 0,1", "-- x",
     "rm -rf x", "novikoff fit a b", "'", ""],
)  # fmt: skip
def test_commands_that_no_certificate_has_are_refused(made_by: str, tmp_path: Path) -> None:
    path, proof = tmp_path / "xor.csv", tmp_path / "p.json"
    path.write_text(XOR)
    novikoff("certify", path, "-o", proof)
    record = json.loads(proof.read_text())
    record["data"]["made_by"] = f"novikoff convert IN OUT {made_by}" if made_by[:1] in ("-", "o") else made_by
    proof.write_text(json.dumps(record))
    code, out, err = novikoff("verify", proof, path)
    assert (code, out) == (3, "")
    assert "made_by" in err
