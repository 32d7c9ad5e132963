"""Without a bias planes go through the origin, and every sentence that claims or denies one says so."""

from __future__ import annotations

import re
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import novikoff as nv
from commands import novikoff

X, Y = [[1.0], [2.0]], ["a", "b"]  # a plane with a bias separates them
UNSAID = re.compile(r"\b(?:[Nn]o|no single) plane\b(?! through the origin)")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "one.csv").write_text("x,label\n1,a\n2,b\n")
    (tmp_path / "same.csv").write_text("x,label\n1,a\n2,a\n-1,b\n")
    (tmp_path / "three.csv").write_text("x,label\n1,a\n2,b\n3,c\n")
    return tmp_path


def alone(folder: Path, *args: object) -> str:
    """What the checker prints that `verify --checker` writes."""
    assert novikoff("verify", "--checker", folder / "alone.py").code == 0
    made = subprocess.run(
        [sys.executable, "-I", "-S", folder / "alone.py", *map(str, args)], capture_output=True, text=True, check=True
    )
    return made.stdout


@pytest.mark.parametrize("options", [[], ["--slow"]])
def test_a_proof_without_a_bias_is_about_planes_through_the_origin(files: Path, options: list[str]) -> None:
    assert nv.decide(X, Y).separable
    proof, data = files / "proof.json", files / "one.csv"
    assert (
        "no plane through the origin separates the 2 points" in novikoff("certify", data, "--no-bias", "-o", proof).out
    )
    assert "no plane through the origin has every point" in novikoff("verify", proof, data, *options).out
    assert "no plane through the origin has every point" in alone(files, proof, data)


def test_so_is_a_plane_that_separates(files: Path) -> None:
    proof, data = files / "proof.json", files / "same.csv"
    assert "a plane through the origin has" in novikoff("certify", data, "--no-bias", "-o", proof).out
    assert "a plane through the origin has every point" in novikoff("verify", proof, data).out
    assert "a plane through the origin has every point" in alone(files, proof, data)
    assert novikoff("margin", data, "--no-bias", "-o", proof).code == 0
    for said in (novikoff("verify", proof, data).out, alone(files, proof, data)):
        assert "a plane through the origin has" in said


def test_with_a_bias_no_sentence_speaks_of_the_origin(files: Path) -> None:
    proof, data = files / "proof.json", files / "one.csv"
    novikoff("certify", data, "-o", proof)
    assert "through the origin" not in novikoff("verify", proof, data).out + alone(files, proof, data)


TWO = ("certify", "certify --removal", "fit", "fit --keep pocket", "fit --known-margin 0.5", "margin", "trace",
       "report -o page.html")  # fmt: skip


@pytest.mark.parametrize(
    ("name", "verb"),
    [*(("one.csv", verb) for verb in TWO), ("three.csv", "certify"), ("three.csv", "report -o page.html")],
)
def test_every_verb_says_so(files: Path, name: str, verb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(files)
    first, *rest = verb.split()
    said = novikoff(first, name, "--no-bias", *rest)
    assert said.code in (0, 1), said.err
    page = (files / "page.html").read_text() if first == "report" else ""
    words = said.out + said.err + page
    assert not UNSAID.search(words), UNSAID.search(words)
    assert "through the origin" in words


def test_python_says_so() -> None:
    verdict = nv.decide(X, Y, fit_intercept=False)
    assert "plane through the origin" in str(verdict)
    assert "plane through the origin" in repr(verdict)
    assert "no plane through the origin separates" in verdict.explain()
    with pytest.raises(nv.NotSeparableError, match="no plane through the origin separates"):
        nv.margin(X, Y, fit_intercept=False)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        clf = nv.Perceptron(fit_intercept=False, keep="pocket").fit(X, Y)
    assert not [w for w in told if UNSAID.search(str(w.message))]
    assert not UNSAID.search(clf._repr_html_())
    assert "through the origin" in clf._repr_html_()
    assert "no plane through the origin" in nv.trace(X, Y, fit_intercept=False).to_text()
    assert "through the origin" in nv.trace(X, Y, fit_intercept=False).to_html()
