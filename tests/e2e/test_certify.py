"""`novikoff certify` as a user runs it: answers, exit codes, saved proofs that a stranger checks."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from contextlib import chdir
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commands import answer, novikoff

XOR = "a,b,y\n0,0,0\n1,0,1\n0,1,1\n1,1,0\n"
OR = "a,b,y\n0,0,0\n1,0,1\n0,1,1\n1,1,1\n"
KONIS = "x,y\n-2,0\n0,0\n0,1\n2,1\n"
SUMS = "a,b,s,y\n0.1,0.2,0.3,1\n0,0,0,0\n1,0,1,0\n0,1,1,0\n"
RANDOM = np.random.default_rng(1)
NOISE = "\n".join([",".join([*"abcdefgh", "y"]),
                  *(",".join(map(str, [*RANDOM.integers(-99, 99, 8), i % 2])) for i in range(60))])  # fmt: skip


def document(*args: object, code: int = 0) -> Any:
    return answer("certify", *args, code=code)


@pytest.fixture
def data(tmp_path: Path) -> Any:
    def write(text: str, name: str = "data.csv") -> Path:
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return write


# ---- answers


def test_the_command_in_a_process_of_its_own(data: Any) -> None:
    for text, code in ((OR, 0), (XOR, 1)):
        command = [sys.executable, "-m", "novikoff", "certify", str(data(text))]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        assert (done.returncode, done.stderr) == (code, "")


def test_a_separable_file_has_exit_code_0_and_its_plane(data: Any) -> None:
    done = novikoff("certify", data(OR))
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        "SEPARABLE  a plane has every one of the 4 points strictly on its own side (checked exactly).",
        "plane  2·a + 2·b − 1   > 0 on 1, < 0 on 0",
        "label  y: classes 0, 1",
        "chance with 4 points and 3 parameters, at most 87.5 % of all labellings are separable: a perfect fit here "
        "means little",
    ]


def test_the_document_has_what_the_interface_promises(data: Any) -> None:
    yes = document(data(OR))
    assert yes["schema"] == "novikoff/certify/1"
    assert {"separable", "kind", "n", "d", "w", "b", "support", "weights", "proof", "exact", "seconds"} <= set(yes)
    assert (yes["separable"], yes["kind"], yes["n"], yes["d"], yes["w"], yes["b"]) == (
        True, "complete", 4, 2, ["2", "2"], "-1")  # fmt: skip
    no = document(data(XOR), code=1)
    assert (no["separable"], no["kind"], no["w"], no["support"], no["weights"]) == (
        False, "overlap", None, [0, 1, 2, 3], ["1"] * 4)  # fmt: skip
    assert no["obstruction"]["point"] == ["1/2", "1/2"]
    assert (no["proof"], no["exact"], no["classes"]) == ("rational", True, [0, 1])
    quasi = document(data(KONIS), code=1)
    assert (quasi["kind"], quasi["w"], quasi["b"], quasi["separated"]) == ("quasi-complete", ["1"], "0", [0, 3])


@pytest.mark.parametrize(
    ("text", "expected", "code"),
    [(XOR, "overlap", 0), (XOR, "not-separable", 0), (XOR, "separable", 1), (XOR, "quasi-complete", 1),
     (OR, "separable", 0), (OR, "complete", 0), (OR, "overlap", 1), (KONIS, "quasi-complete", 0)],
)  # fmt: skip
def test_what_is_expected_decides_the_exit_code(text: str, expected: str, code: int, data: Any) -> None:
    assert novikoff("certify", data(text), "--expect", expected).code == code


def test_examples_and_their_planes_through_the_origin() -> None:
    assert novikoff("certify", "--example", "or", "--expect", "separable").code == 0
    done = novikoff("certify", "--example", "tao")
    assert done.code == 0
    assert "planes through the origin" in done.err


def test_every_example_in_the_help_runs() -> None:
    lines = [line.split() for line in novikoff("certify", "--help").out.splitlines()]
    examples = [line[1:] for line in lines if line[:2] == ["novikoff", "certify"]]
    assert len(examples) >= 4
    for args in examples:
        assert novikoff(*args).code == 0, args


def test_many_classes_are_told_pair_by_pair() -> None:
    done = novikoff("certify", "--example", "iris")
    assert done.code == 1
    assert done.out.splitlines()[0].startswith("2 of 3 pairs of classes are separable")
    assert re.search(r"versicolor \| virginica  NOT SEPARABLE, overlap: points \d+(, \d+){5}\n", done.out)
    found = document("--example", "iris", code=1)
    assert [pair["separable"] for pair in found["pairs"]] == [True, True, False]
    assert min(found["pairs"][2]["support"]) >= 50
    assert novikoff("certify", "--example", "digits").code == 0
    assert novikoff("certify", "--example", "iris", "--expect", "not-separable").code == 0
    for more in (["-o", "p.json"], ["--removal"], ["--expect", "overlap"]):
        assert novikoff("certify", "--example", "iris", *more).code == 2


def test_chosen_classes_keep_their_row_numbers_and_are_no_certificate_of_the_file(data: Any, tmp_path: Path) -> None:
    path = data("x,y\n9,c\n0,a\n1,b\n0,b\n")
    found = document(path, "--classes", "a,b", code=1)
    assert found["support"] == [1, 3]
    assert "points 2 and 4 are the same point" in novikoff("certify", path, "--classes", "a,b").out
    done = novikoff("certify", path, "--classes", "a,b", "-o", tmp_path / "p.json")
    assert done.code == 3
    assert "a certificate is about a whole file" in done.err


def test_rows_to_remove(data: Any) -> None:
    done = novikoff("certify", data(XOR), "--removal")
    assert "remove 1 row (" in done.out
    assert "no smaller set would do (proved)" in done.out
    found = document(data(XOR), "--removal", code=1)["removal"]
    assert (found["at_least"], len(found["rows"])) == (1, 1)
    assert "remove nothing" in novikoff("certify", data(OR), "--removal").out


def test_one_class_only_is_said(data: Any) -> None:
    done = novikoff("certify", data("x,y\n1,yes\n2,yes\n"))
    assert done.code == 0
    assert "only one class, yes" in done.out


# ---- proofs that a stranger checks


@pytest.mark.parametrize(
    ("text", "name"),
    [(XOR, "x.csv"), (OR, "x.csv"), (KONIS, "x.csv"), (SUMS, "x.csv"), ("+1 1:0.1 3:2\n-1 2:0.3\n1 1:1\n", "x.svm"),
     ("who\tu\nred\t0.1\nblue\t0.7\nred\t0.9\n", "x.tsv"), ("x,y\n1,1\n2,1\n", "x.csv")],
)  # fmt: skip
def test_what_is_saved_is_proved_with_the_standard_library_alone(
    text: str, name: str, data: Any, tmp_path: Path
) -> None:
    path, label = data(text, name), ["--label", "who"] * (name == "x.tsv")
    with chdir(tmp_path):
        done = novikoff("certify", path.name, *label, "-o", "proof.json")
    assert done.code in (0, 1), done.err
    assert f"python verify_novikoff.py proof.json {name}" in done.out
    record = json.loads((tmp_path / "proof.json").read_text())
    assert record["data"]["numbers"] == "binary64"
    assert record["data"]["file"]["sha256"] == sha256(path.read_bytes()).hexdigest()
    assert novikoff("verify", "--checker", tmp_path / "verify_novikoff.py").code == 0
    alone = [sys.executable, "-I", "-S", "verify_novikoff.py", "proof.json", name]
    info = subprocess.run(alone, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (info.returncode, info.stderr) == (0, "")
    assert info.stdout.startswith(f"PROVED  {record['claim']}")
    for slow in ([], ["--slow"]):
        assert novikoff("verify", tmp_path / "proof.json", path, *slow).code == 0
    path.write_text(text.replace("1", "5", 1))
    assert novikoff("verify", tmp_path / "proof.json", path).code == 1


def test_an_interval_proof_decides_and_cannot_be_saved(data: Any, tmp_path: Path) -> None:
    path, proof = data(NOISE), tmp_path / "proof.json"
    refused = novikoff("certify", path, "--proof", "interval", "-o", proof)
    assert (refused.code, proof.exists()) == (3, False)
    assert "--proof: an interval proof cannot be saved; use --proof rational" in refused.err
    done = novikoff("certify", path, "--proof", "interval")
    assert done.code == 1
    assert "positive weights exist" in done.out
    found = document(path, "--proof", "interval", code=1)
    assert (found["proof"], found["weights"], len(found["support"])) == ("interval", None, 10)
    plain = novikoff("certify", path, "-o", proof)
    assert "python verify_novikoff.py" in plain.out
    assert novikoff("verify", proof, path, "--slow").code == 0


def test_the_proof_of_an_example_is_checked_in_python(tmp_path: Path) -> None:
    import novikoff as nv

    done = novikoff("certify", "--example", "xor", "-o", tmp_path / "proof.json")
    assert "nv.verify(" in done.out
    assert nv.verify(tmp_path / "proof.json", *nv.example("xor")) == "overlap"


# ---- limits and bad input


def test_time_that_is_over_claims_nothing(data: Any, tmp_path: Path) -> None:
    rows = [",".join(str((i * i * (j + 3) + 7 * i * j) % 1009) for j in range(40)) + f",{i * 7 % 11 % 2}"
            for i in range(900)]  # fmt: skip
    path = data("\n".join([",".join(f"x{j}" for j in range(40)) + ",y", *rows]))
    done = novikoff("certify", path, "--max-seconds", "1e-6", "-o", tmp_path / "proof.json")
    assert done.code == 4
    assert done.out.startswith("UNDECIDED")
    assert not (tmp_path / "proof.json").exists()
    found = document(path, "--max-seconds", "1e-6", "--expect", "overlap", code=4)
    assert (found["separable"], found["kind"], found["exact"], found["w"]) == (None, "undecided", False, None)
    assert novikoff("certify", path, "--max-seconds", "300").code == 1


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("", "x.csv", "found no rows"),
        ("a,b,y\n", "x.csv", "found no rows"),
        ("", "x.svm", "found no rows"),
        ("a,y\n1,0\nnan,1\n", "x.csv", "line 3, column 1 ('a'): found 'nan'"),
        ("a,y\n1,0\n,1\n", "x.csv", "line 3, column 1 ('a'): found an empty cell"),
        ("a,y\n1,0\n1e999,1\n", "x.csv", "line 3, column 1"),
        ("a,y\n1,0\n1,2,3\n", "x.csv", "line 3: found 3 cells"),
        ("1 1:1\n0 1:x\n", "x.svm", "line 2"),
    ],
)
def test_bad_files_exit_with_3_and_one_line(text: str, name: str, said: str, data: Any) -> None:
    done = novikoff("certify", data(text, name))
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith("novikoff: error: ")
    assert len(done.err.splitlines()) == 1
    assert said in done.err


def test_usage_and_places_that_cannot_be_written(data: Any, tmp_path: Path) -> None:
    for args in ([], ["x.csv", "--example", "xor"],
                 ["--example", "xor", "--expect", "maybe"], ["--example", "xor", "--max-seconds", "0"]):  # fmt: skip
        assert novikoff("certify", *args).code == 2, args
    assert novikoff("certify", data(OR), "-o", tmp_path / "nowhere" / "p.json").code == 3
    assert novikoff("certify", tmp_path / "nothing.csv").code == 3
    assert novikoff("certify", "--example", "nobody").code == 3
    assert novikoff("certify", data(OR), "--label", "who").code == 3


def test_certificates_that_cannot_be_read_or_are_about_other_data(data: Any, tmp_path: Path) -> None:
    """Through the commands: a proof saved by certify, then damaged."""
    path, proof = data(XOR), tmp_path / "proof.json"
    novikoff("certify", path, "-o", proof)
    good = proof.read_text()
    cases = [
        (good.replace("certificate/1", "certificate/2"), 3),
        (good[: len(good) // 2], 3),
        (good + " " * (1 << 26), 3),
        (good.replace('"1", "1", "1", "1"', f'"1", "1", "1", "{"9" * 200_000}"', 1), 3),
        (good.replace('"weights": ["1"', '"weights": ["2"', 1), 1),
        (good.replace('"n": 4', '"n": 1000000000000000000000'), 3),
        (good.replace('"support": [0', '"support": [1e3'), 3),
        ("[" * 100_000, 3),
        (good, 0),
    ]
    for text, code in cases:
        proof.write_text(text)
        for slow in ([], ["--slow"]):
            assert novikoff("verify", proof, path, *slow).code == code, text[:80]
    other = data(XOR.replace("1,1,0", "1,2,0"), "other.csv")
    assert novikoff("verify", proof, other).code == 1


@pytest.mark.parametrize("name", ["endometrial.csv", "ionosphere.csv", "sonar.csv"])
def test_published_answers_through_the_command(name: str, shared_data: Any, tmp_path: Path) -> None:
    path = shared_data("separation") / name
    label = ["--label", "HG"] * (name == "endometrial.csv")
    kind = {"endometrial.csv": "quasi-complete", "ionosphere.csv": "quasi-complete", "sonar.csv": "complete"}[name]
    done = novikoff("certify", path, *label, "-o", tmp_path / "proof.json", "--expect", kind)
    assert done.code == 0, done.out + done.err
    assert novikoff("verify", tmp_path / "proof.json", path).code == 0


def test_a_saved_margin_is_proved_to_a_stranger(tmp_path: Path) -> None:
    """From the file to the checker alone; rows, digest and bounds speak of the file."""
    data, proof, checker = tmp_path / "data.csv", tmp_path / "proof.json", tmp_path / "checker.py"
    data.write_text("a,b,y\n0,0,no\n1,0,yes\n0,1,yes\n1,1,yes\n")
    done = novikoff("margin", str(data), "-o", str(proof))
    assert done.code == 0
    assert f"check  novikoff verify {proof} {data}" in done.out
    assert novikoff("verify", str(proof), str(data)).out.startswith("PROVED  margin: ")
    novikoff("verify", "--checker", str(checker))
    assert len(checker.read_text(encoding="utf-8").splitlines()) <= 1510  # 440 of them for separations
    alone = [sys.executable, "-I", "-S", str(checker), str(proof)]
    assert subprocess.run([*alone, str(data)], capture_output=True, check=False).returncode == 0
    data.write_text(data.read_text().replace("1,1,yes", "1,1,no"))
    assert subprocess.run([*alone, str(data)], capture_output=True, check=False).returncode == 1
    done = novikoff("margin", str(data), "-o", str(proof), "--json")
    assert (done.code, json.loads(done.out)["certificate"]) == (1, str(proof))
    assert novikoff("verify", str(proof), str(data)).out.startswith("PROVED  overlap: ")
    assert novikoff("margin", str(data), "-o", str(data)).code == 2
