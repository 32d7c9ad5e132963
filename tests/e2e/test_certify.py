"""`novikoff certify` as a user runs it: answers, exit codes, saved proofs that a stranger checks."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from commands import answer, novikoff

XOR = "a,b,y\n0,0,0\n1,0,1\n0,1,1\n1,1,0\n"
OR = "a,b,y\n0,0,0\n1,0,1\n0,1,1\n1,1,1\n"
KONIS = "x,y\n-2,0\n0,0\n0,1\n2,1\n"


def document(*args: object, code: int = 0) -> Any:
    return answer("certify", *args, code=code)


@pytest.fixture
def data(tmp_path: Path) -> Any:
    def write(text: str, name: str = "data.csv") -> Path:
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return write


# ---- answers


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


def test_certificates_that_cannot_be_read_or_are_about_other_data(data: Any, tmp_path: Path) -> None:
    """Through the commands: a proof saved by certify, then damaged."""
    path, proof = data(XOR), tmp_path / "proof.json"
    novikoff("certify", path, "-o", proof)
    good = proof.read_text()
    cases = [
        (good.replace("proof/1", "proof/2"), 3),
        (good[: len(good) // 2], 3),
        (good + " " * (1 << 26), 3),
        (good.replace('"1", "1", "1", "1"', f'"1", "1", "1", "{"9" * 200_000}"', 1), 3),
        (good.replace('"weights": ["1"', '"weights": ["2"', 1), 1),
        (good.replace('"rows": 4', '"rows": 1000000000000000000000'), 3),
        (good.replace('"rows": [0', '"rows": [1e3'), 3),
        ("[" * 100_000, 3),
        (good, 0),
    ]
    for text, code in cases:
        proof.write_text(text)
        for slow in ([], ["--slow"]):
            assert novikoff("verify", proof, path, *slow).code == code, text[:80]
    other = data(XOR.replace("1,1,0", "1,2,0"), "other.csv")
    assert novikoff("verify", proof, other).code == 1


def test_a_saved_margin_is_proved_to_a_stranger(tmp_path: Path) -> None:
    """From the file to the checker alone; rows, digest and bounds speak of the file."""
    data, proof, checker = tmp_path / "data.csv", tmp_path / "proof.json", tmp_path / "checker.py"
    data.write_text("a,b,y\n0,0,no\n1,0,yes\n0,1,yes\n1,1,yes\n")
    done = novikoff("margin", str(data), "-o", str(proof))
    assert done.code == 0
    assert f"check  novikoff verify {proof} {data}" in done.out
    assert novikoff("verify", str(proof), str(data)).out.startswith("PROVED complete: ")
    novikoff("verify", "--checker", str(checker))
    assert len(checker.read_text(encoding="utf-8").splitlines()) <= 650
    alone = [sys.executable, "-I", "-S", str(checker), str(proof)]
    assert subprocess.run([*alone, str(data)], capture_output=True, check=False).returncode == 0
    data.write_text(data.read_text().replace("1,1,yes", "1,1,no"))
    assert subprocess.run([*alone, str(data)], capture_output=True, check=False).returncode == 1
    done = novikoff("margin", str(data), "-o", str(proof), "--json")
    assert (done.code, json.loads(done.out)["certificate"]) == (1, str(proof))
    assert novikoff("verify", str(proof), str(data)).out.startswith("PROVED overlap: ")
    assert novikoff("margin", str(data), "-o", str(data)).code == 2
