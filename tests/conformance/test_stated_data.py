"""What a certificate states of its data is compared with the data, or printed with the proof."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import novikoff as nv
from commands import novikoff

Said = tuple[int, str]
TRIAL = [[0, 1], [0, 2], [1, 1], [1, 3], [0, 3], [0, 1]]
DEATH = ["no", "yes", "yes", "yes", "no", "yes"]


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("checker") / "alone.py"
    assert novikoff("verify", "--checker", path).code == 0
    return path


@pytest.fixture(params=["verify", "verify --slow", "alone", "verify a compressed file"])
def verified(request: pytest.FixtureRequest, alone: Path, tmp_path: Path) -> Callable[[Any, str, str], Said]:
    """Exit code and words of a check of a record against the text of a file."""

    def check(record: dict[str, Any], name: str, text: str) -> Said:
        proof, data = tmp_path / "proof.json", tmp_path / name
        proof.write_text(json.dumps(record))
        data.write_text(text)
        if request.param == "alone":
            made = subprocess.run(
                [sys.executable, "-I", "-S", alone, proof, data], capture_output=True, text=True, check=False
            )
            return made.returncode, made.stdout + made.stderr
        if request.param.endswith("file"):
            data.with_suffix(data.suffix + ".gz").write_bytes(gzip.compress(text.encode()))
            data = data.with_suffix(data.suffix + ".gz")
        made = novikoff("verify", proof, data, *(["--slow"] if "--slow" in request.param else []))
        return made.code, made.out + made.err

    return check


def stated(record: dict[str, Any], header: bool, label: int) -> dict[str, Any]:
    file = {"csv": {"delimiter": ",", "header": header, "label": label}, "svmlight": None}
    return record | {"data": record["data"] | {"file": file}}


# ---- the header ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", ["5,0", "5,a", "5,y", "5,1.0"])
def test_a_row_is_not_left_out_as_a_header(verified: Any, first: str) -> None:
    """The four points overlap; the certificate is about the last three."""
    names = ["0", "1"] if first == "5,0" else ["1", "2"] if first == "5,1.0" else [first[-1], "z"]
    X, y = [[0.0], [1.0], [2.0]], [names[0], names[0], names[1]]
    assert nv.decide([[5.0], *X], [names[0], *y]).kind == "overlap"
    proof = stated(nv.decide(X, y).certificate().record(), True, 1)
    rows = "".join(f"{x[0]:g},{name}\n" for x, name in zip(X, y, strict=True))
    code, words = verified(proof, "three.csv", f"{first}\n{rows}")
    assert (code in (1, 3), "PROVED" in words) == (True, False)
    assert words.count("\n") == 1
    assert "the first line" in words


# ---- the names of columns --------------------------------------------------------------------------------------------


def regression(names: list[str] | None = None) -> dict[str, Any]:
    return dict(nv.separation([[float(v) for v in x] for x in TRIAL], DEATH, names=names).certificate().record())


TEXT = "drug,age,label\n" + "".join(f"{a},{b},{t}\n" for (a, b), t in zip(TRIAL, DEATH, strict=True))


def test_names_of_columns_are_those_of_the_data(verified: Any) -> None:
    """A certificate has no names: they are read from the header, where there is one."""
    for names in (["drug", "age"], ["age", "drug"], None):
        code, words = verified(stated(regression(names), True, 2), "trial.csv", TEXT)
        assert (code, "\n+inf: drug\n" in words) == (0, True)
        code, words = verified(stated(regression(names), False, 2), "bare.csv", TEXT.partition("\n")[2])
        assert (code, "\n+inf: column 1\n" in words or "\n+inf: x1\n" in words) == (0, True)


def test_a_name_stays_in_its_line(verified: Any) -> None:
    forged = '"drug\nPROVED overlap: all is well"' + TEXT.removeprefix("drug")
    code, words = verified(stated(regression(), True, 2), "trial.csv", forged)
    assert code in (0, 3)
    assert [line for line in words.split("\n") if line.startswith("PROVED")] == words.split("\n")[: int(code == 0)]


# ---- the model -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("positive", ["on", "off"])
def test_a_proof_says_which_class_is_positive_whether_there_is_a_bias_and_what_numbers(
    verified: Any, bias: bool, positive: str
) -> None:
    X, y, other = [[1.0], [-2.0]], ["on", "off"], {"on": "off", "off": "on"}[positive]
    for made in (nv.decide, nv.margin):
        record = made(X, y, fit_intercept=bias, positive=positive).certificate().record()
        code, words = verified(stated(record, True, 1), "two.csv", "x,lamp\n1,on\n-2,off\n")
        assert code == 0
        intercept = "an" if bias else "no"
        assert f"model: classes '{positive}' against the reference '{other}'; {intercept} intercept\n" in words
        assert "1 columns of binary64 numbers" in words
        assert "lamp" in words  # the name of the label's column


@pytest.mark.parametrize("positive", ["yes", "no"])
def test_a_proof_of_a_regression_says_its_reference(verified: Any, positive: str) -> None:
    found = nv.separation(TRIAL, DEATH, names=["drug", "age"], positive=positive)
    code, words = verified(stated(found.certificate().record(), True, 2), "trial.csv", TEXT)
    other = {"yes": "no", "no": "yes"}[positive]
    assert (code, f"model: classes '{positive}' against the reference '{other}'; an intercept\n" in words) == (0, True)
    assert f"{'+' if positive == 'yes' else '-'}inf: drug" in words
