"""The exported checker alone, a program of the standard library: what it proves, refuses and cannot read."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from commands import novikoff
from oracles.brute_force_proofs import certificate

XOR = [("0", ["0", "0"]), ("1", ["1", "0"]), ("1", ["0", "1"]), ("0", ["1", "1"])]
PLAIN = "0,0,0\n1,0,1\n0,1,1\n1,1,0\n"
Checked = Callable[..., tuple[int, str]]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("checker") / "verify_novikoff.py"
    assert novikoff("verify", "--checker", path).code == 0
    return path


@pytest.fixture
def checked(program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Checked:
    """`checked(proof, text, name)`: exit code and words; a proof is a dictionary, or bytes."""
    spec = importlib.util.spec_from_file_location("verify_novikoff", program)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def check(proof: Any, text: str | bytes = PLAIN, name: str = "data.csv", *more: str) -> tuple[int, str]:
        raw = proof if isinstance(proof, bytes) else json.dumps(proof).encode()
        (tmp_path / "proof.json").write_bytes(raw)
        (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        code = module.main([str(tmp_path / "proof.json"), str(tmp_path / name), *more])
        return code, "".join(capsys.readouterr())

    return check


GOOD = certificate(XOR, True)

REFUSED: list[tuple[dict[str, Any], int, str]] = [
    ({"claim": "quasi-complete"}, 1, "claim: quasi-complete, but the certificate proves overlap"),
    ({"held_weights": ["1", "1", "1", "2"]}, 1, "held: the weighted rows do not sum to zero"),
    ({"weights": ["1", "2", "1", "1"]}, 1, "support: the weighted rows do not sum to zero"),
    ({"held_weights": ["1", "1", "1", "0"]}, 1, "the weight of row 4 is not greater than 0"),
    ({"held_weights": ["1", "1", "1", "-1"]}, 1, "the weight of row 4 is not greater than 0"),
    ({"held": [0, 1, 2, 2]}, 1, "held: row 3 is there twice"),
    ({"held": [0, 1, 2, 4]}, 1, "held: row 5 of 4 rows"),
    ({"held": [], "held_weights": []}, 1, "row 1 is neither separated by w, b nor held"),
    ({"held": None, "held_weights": None, "w": ["2", "2"], "b": "-1"}, 1, "row 4 is on the wrong side of the plane"),
    ({"held": None, "held_weights": None, "support": None, "weights": None}, 1, "no proof is in it"),
    ({"support": [], "weights": []}, 1, "support: 0 rows; 1 to 4 were expected"),
    ({"format": "novikoff-certificate/4"}, 3, "is not known"),
    ({"claim": "separable"}, 3, "claim one of"),
    ({"lambda": {}}, 3, "a field 'lambda' is not known"),
    ({"data": []}, 3, "data must be an object"),
    ({"w": ["1"], "b": "0"}, 3, "2 integers and b were expected"),
    ({"w": ["1", "1"], "b": None}, 3, "2 integers and b were expected"),
    ({"w": ["1", 1], "b": "0"}, 3, "w[1]: 1 is not an integer as text"),
    ({"w": ["1", "01"], "b": "0"}, 3, "w[1]: '01' is not an integer as text"),
    ({"w": ["7" * 100_001, "1"], "b": "0"}, 3, "at most 100,000 digits"),
    ({"held": [0, 1, 2, True]}, 3, "held: True is not a row's number"),
    ({"held": [0, 1, 2]}, 3, "two lists of one length"),
    ({"held": None}, 3, "two lists of one length"),
    *[({"data": GOOD["data"] | change}, 3, "CANNOT BE READ") for change in (
        {"n": 0}, {"n": True}, {"d": "2"}, {"bias": 1}, {"numbers": "decimal"}, {"digest": "0" * 63}, {"positive": 1},
        {"positive": "0"}, {"file": "data.csv"}, {"file": {"label": 1.5}}, {"file": {"how": "?"}}, {"sha256": "1"})],
]  # fmt: skip


@pytest.mark.parametrize(("change", "code", "words"), REFUSED)
def test_a_changed_certificate_is_refused_in_words(
    change: dict[str, Any], code: int, words: str, checked: Checked
) -> None:
    found, said = checked(GOOD | change)
    assert (found, words in said) == (code, True), said
    assert said.startswith("REFUSED  " if code == 1 else "CANNOT BE READ  ")


def test_all_kinds_are_proved_and_other_data_refused(checked: Checked) -> None:
    line = [("0", ["-2"]), ("0", ["-1"]), ("1", ["1"]), ("1", ["2"])]
    touching = [("0", ["-2"]), ("0", ["0"]), ("1", ["0"]), ("1", ["2"])]
    for rows, strict, kind in [(XOR, False, "overlap"), (XOR, True, "not separable"), (line, False, "complete"),
                               (touching, False, "quasi-complete")]:  # fmt: skip
        proof, text = certificate(rows, True, strict), "".join(f"{','.join(x)},{y}\n" for y, x in rows)
        code, said = checked(proof, text)
        assert (code, said.startswith(f"PROVED  {kind}: ")) == (0, True), said
        for other in (text.replace("0", "3", 1), text.replace("1\n", "0\n", 1), text + text.splitlines()[0] + "\n"):
            code, said = checked(proof, other)
            assert (code, said.startswith("REFUSED  other data")) == (1, True), said


def test_planes_of_thirty_thousand_digits_are_read(checked: Checked) -> None:
    """4,300 digits are Python's own limit for a text."""
    line = certificate([("0", ["-2"]), ("1", ["1"])], True)
    long = "1" + "0" * 30_000
    assert checked(line | {"w": [long], "b": "0"}, "-2,0\n1,1\n")[0] == 0
    code, said = checked(line | {"w": ["-" + long], "b": "0"}, "-2,0\n1,1\n")
    assert (code, "wrong side" in said) == (1, True)


def test_a_text_that_is_no_certificate_is_said_to_be_none(checked: Checked) -> None:
    good = json.dumps(GOOD).encode()
    for raw in (
        b"", b"{", b"[]", b"null", b"\xff\xfe{}", b'"\xed\xa0\x80"', b'{"n": 1.5}', b'{"n": NaN}', b'{"n": 1e400}',
        b'{"format": "novikoff-certificate/1", "format": "novikoff-certificate/1"}', bytes(10**6), b"[" * 10**6,
        b'{"a":' * 10**5, good + b" " * (1 << 26), good.replace(b'"n": 4', b'"n": ' + b"9" * 10**7),
        *(good[:end] for end in range(0, len(good), 9)),
    ):  # fmt: skip
        code, said = checked(raw)
        assert (code, said.startswith("CANNOT BE READ  ")) == (3, True), raw[:40]
        assert "not a certificate that can be read" in said


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is read from /proc")
@pytest.mark.parametrize(
    "raw", [b"[" + b"[]," * 10**7 + b"[]]", b"[" + b"0," * 10**7 + b"0]"], ids=["lists", "numbers"]
)
def test_an_absurd_certificate_takes_little_memory(raw: bytes, program: Path, tmp_path: Path) -> None:
    (tmp_path / "proof.json").write_bytes(raw)
    script = (
        f"import runpy, sys; sys.argv = ['c', 'proof.json', 'none.csv']\n"
        f"try: runpy.run_path({str(program)!r}, run_name='__main__')\nexcept SystemExit as end: print(end.code)\n"
        "print(next(x.split()[1] for x in open('/proc/self/status') if x.startswith('VmHWM')))"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    code, kilobytes = map(int, done.stdout.split())
    assert code == 3
    assert kilobytes < 400_000


FILES = {
    "header.csv": "a,b,y\n" + PLAIN,
    "plain.csv": PLAIN,
    "spaces.csv": " 0 , 0.0,0\n+1,-0,1.0\n\n0e5,1e0,+1\n1.,1,0",
    "quotes.csv": '"a","b","label"\r\n"0","0","0"\r\n"1","0","1"\r\n0,1,1\r\n1,1,0\r\n',
    "bom.csv": "\ufeffa,b,class\n" + PLAIN,
    "named.csv": "a,Y,b\n0,0,0\n1,1,0\n0,1,1\n1,0,1\n",
    "tabs.tsv": "a\tb\ttarget\n0\t0\t0\n1\t0\t1\n0\t1\t1\n1\t1\t0\n",
    "ones.svm": "0\n+1 1:1\n1 2:1 # a comment\n# nothing\n0 1:1 2:1\n",
    "zeros.svmlight": "0\n1 0:1\n1 1:1\n0 0:1 1:1.0\n",
    "explicit.libsvm": "0 1:0 2:0\n1 1:1 2:0\n1 2:1 1:0\n0 1:1 2:1\n",
    "truth.csv": "0,0,False\n1,0,TRUE\n0,1,true\n1,1,-0\n",
}


@pytest.mark.parametrize("name", FILES)
def test_the_same_points_from_every_file(name: str, checked: Checked) -> None:
    assert checked(GOOD, FILES[name], name)[0] == 0


def test_the_label_is_named_or_numbered(checked: Checked) -> None:
    text = "who,a,b\n0,0,0\n1,1,0\n1,0,1\n0,1,1\n"
    assert [checked(GOOD, text, "data.csv", *more)[0] for more in (["who"], ["1"], [], ["4"], ["whom"])] == [
        0,
        0,
        1,
        3,
        3,
    ]
    for hint in ("who", 0):
        hinted = GOOD | {"data": GOOD["data"] | {"file": {"format": "csv", "label": hint, "header": True}}}
        assert checked(hinted, text)[0] == 0


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("x.csv", "0,0,0\n1,x,1\n", "line 2, column 2: 'x' is not a binary64 number"),
        ("x.csv", "0,0,0\n1,,1\n", "line 2, column 2: an empty cell; a number was expected"),
        ("x.csv", "0,0,0\n1,nan,1\n", "line 2, column 2: 'nan', a missing number; a number was expected"),
        ("x.csv", "0,0,0\n1,1_0,1\n", "line 2, column 2: '1_0' is not a binary64 number"),
        ("x.csv", "0,0,0\n1,0\n", "line 2: 2 cells, 3 as above were expected"),
        ("x.csv", "y,a,b\n0,1,1e999\n", "line 2, column 3: '1e999' is not a binary64 number"),
        ("x.csv", f"0,0,0\n1,{'1' * 3000},1\n", "is not a binary64 number"),
        ("x.csv", f"0,0,0\n1,{'1' * 200_000},1\n", "field larger than field limit"),
        ("x.svm", "0 1:1\n1 1:x\n", "line 2, column 1: 'x' is not a binary64 number"),
        ("x.svm", "0 1:1\n1 1:1 1:2\n", "line 2: '1:2' is not column:number, or the column occurs twice"),
        ("x.svm", "0 1:1\n1 qid:3 1:2\n", "line 2: 'qid:3' is not column:number"),
        ("x.svm", "0 1:1\n1 -1:2\n", "line 2: '-1:2' is not column:number"),
        ("x.svm", "0 1:1\n1 99999999999999999999:2\n", "is not column:number"),
        ("x.svm", "1 " + "1:1 " * 20_000_000, "line 1: more than"),
    ],
    ids=range(14),
)
def test_what_is_wrong_with_a_file_is_named_with_its_place(name: str, text: str, words: str, checked: Checked) -> None:
    code, said = checked(GOOD, text, name)
    assert (code, words in said) == (3, True), said[:300]
    assert re.match(f"CANNOT BE READ  .*{name}", said)


def test_a_file_that_is_no_text_is_no_proof(checked: Checked) -> None:
    for raw in (b"0,0,0\n\xff,1,1\n", b"", b"\x00\x00", b"0,0,0\n1,\x001,1\n"):
        assert checked(GOOD, raw)[0] in (1, 3)


def test_it_needs_nothing_but_python(program: Path, tmp_path: Path) -> None:
    """In an empty folder, without site-packages and without novikoff; with 5 MB for 60,000 rows."""
    tree = ast.parse(program.read_text(encoding="utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in names} <= set(sys.stdlib_module_names)
    assert not any(isinstance(node, ast.Assert) for node in ast.walk(tree))  # python -O leaves asserts out
    made = [node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    assert len(set(made)) == len(made)  # no part hides a name of another
    (tmp_path / "data.csv").write_text(PLAIN)
    (tmp_path / "proof.json").write_text(json.dumps(GOOD))
    run = [sys.executable, "-I", "-S", str(program)]
    done = subprocess.run([*run, "proof.json", "data.csv"], cwd=tmp_path, capture_output=True, text=True, env={})
    assert (done.returncode, done.stderr, done.stdout[:15]) == (0, "", "PROVED  overlap")
    for args in ([], ["proof.json"], ["--help"], ["proof.json", "data.csv", "y", "more"]):
        assert subprocess.run([*run, *args], cwd=tmp_path, capture_output=True).returncode == 2
