"""The trusted checker alone: what it reads, what it refuses, and in which words."""

from __future__ import annotations

import copy
import json
import random
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from novikoff.certify.check import certificate_parts, verify
from novikoff.certify.check.export_checker import standalone
from novikoff.certify.check.verify import CertificateError, check, read_certificate
from novikoff.data import plain_files as reader
from novikoff.data.plain_files import UnreadableError, label_text
from oracles.brute_force_proofs import certificate
from oracles.judge_of_proofs import digest, rank

XOR = [("0", ["0", "0"]), ("1", ["1", "0"]), ("1", ["0", "1"]), ("0", ["1", "1"])]
LINE = [("0", ["-2"]), ("0", ["-1"]), ("1", ["1"]), ("1", ["2"])]
KONIS = [("0", ["-2"]), ("0", ["0"]), ("1", ["0"]), ("1", ["2"])]


def written(folder: Path, record: Any, raw: bytes | None = None) -> Path:
    path = folder / "proof.json"
    path.write_bytes(json.dumps(record).encode() if raw is None else raw)
    return path


# ---- what is proved ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rows", "kind"), [(XOR, "overlap"), (LINE, "complete"), (KONIS, "quasi-complete")])
def test_the_three_kinds(rows: Any, kind: str) -> None:
    c = certificate(rows, True)
    assert check(c, rows) == kind
    assert check(c, lambda: iter(rows)) == kind
    assert check(c, [(int(y), {j: float(v) for j, v in enumerate(x)}) for y, x in rows]) == kind


def test_the_strict_claim_needs_the_support_alone() -> None:
    c = certificate(XOR, True, strict_only=True)
    assert c["claim"] == "not separable"
    assert c["w"] is c["held"] is None
    assert check(c, XOR) == "not separable"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"claim": "quasi-complete"}, "claim: quasi-complete, but the certificate proves overlap"),
        ({"held_weights": ["1", "1", "1", "2"]}, "held: the weighted rows do not sum to zero"),
        ({"weights": ["1", "2", "1", "1"]}, "support: the weighted rows do not sum to zero"),
        ({"held_weights": ["1", "1", "1", "0"]}, "held_weights: the weight of row 3 is not greater than 0"),
        ({"held_weights": ["1", "1", "1", "-1"]}, "held_weights: the weight of row 3 is not greater than 0"),
        ({"held": [0, 1, 2, 2]}, "held: row 2 is there twice"),
        ({"held": [0, 1, 2, 4]}, "held: row 4 of 4 rows"),
        ({"held": [0, 1, 2, -1]}, "held: row -1 of 4 rows"),
        ({"held": [], "held_weights": []}, "row 0 is neither separated by w, b nor held"),
        ({"held": None, "held_weights": None, "w": ["2", "2"], "b": "-1"}, "row 3 is on the wrong side of the plane"),
        ({"held": None, "held_weights": None, "support": None, "weights": None}, "no proof is in it"),
        ({"support": [], "weights": []}, "support: 0 rows; 1 to 4 were expected"),
    ],
)
def test_what_is_refused_is_named(change: dict[str, Any], said: str) -> None:
    with pytest.raises(CertificateError, match=said) as info:
        check(certificate(XOR, True) | change, XOR)
    assert not isinstance(info.value, UnreadableError)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "novikoff-certificate/4"}, "format 'novikoff-certificate/4' is not known"),
        ({"format": "novikoff-certificate/2"}, "a field 'w' is not known"),
        ({"claim": "separable"}, "claim one of"),
        ({"lambda": {}}, "a field 'lambda' is not known"),
        ({"data": []}, "data must be an object"),
        ({"w": ["1"], "b": "0"}, "2 integers and b were expected"),
        ({"w": ["1", "1"], "b": None}, "2 integers and b were expected"),
        ({"w": ["1", 1.0], "b": "0"}, r"w\[1\]: 1.0 is not an integer as text"),
        ({"w": ["1", 1], "b": "0"}, r"w\[1\]: 1 is not an integer as text"),
        ({"w": ["1", "01"], "b": "0"}, r"w\[1\]: '01' is not an integer as text"),
        ({"held": [0, 1, 2, True]}, "held: True is not a row's number"),
        ({"held": [0, 1, 2, "3"]}, "held: '3' is not a row's number"),
        ({"held": [0, 1, 2]}, "two lists of one length"),
        ({"held": None}, "two lists of one length"),
        ({"interval": {}}, "a field 'interval' is not known"),
        ({"proof": "interval"}, "a field 'proof' is not known"),
    ],
)
def test_what_cannot_be_read_is_named(change: dict[str, Any], said: str) -> None:
    with pytest.raises(UnreadableError, match=said):
        check(certificate(XOR, True) | change, XOR)


@pytest.mark.parametrize(
    "change",
    [{"n": 0}, {"n": True}, {"d": "2"}, {"bias": 1}, {"numbers": "decimal"}, {"digest": "0" * 63}, {"digest": 1},
     {"positive": 1}, {"positive": "0"}, {"file": "data.csv"}, {"file": {"label": 1.5}}, {"file": {"how": "?"}},
     {"file": {"header": 1}}, {"sha256": "1"}],
)  # fmt: skip
def test_what_is_said_of_the_data_must_be_well_formed(change: dict[str, Any]) -> None:
    c = certificate(XOR, True)
    with pytest.raises(UnreadableError):
        check(c | {"data": c["data"] | change}, XOR)


def test_other_data_are_named_by_both_digests() -> None:
    c = certificate(XOR, True)
    other = [*XOR[:3], ("0", ["1", "2"])]
    with pytest.raises(CertificateError, match=f"{digest(other)}.*{c['data']['digest']}"):
        check(c, other)
    plane = certificate(LINE, True)
    with pytest.raises(CertificateError, match="other data"):  # before what its plane gets wrong
        check(plane, [("1", ["-2"]), *LINE[1:]])
    with pytest.raises(CertificateError, match="other data: row 0 has 3 columns"):
        check(c, [(y, [*x, "1"]) for y, x in XOR])
    with pytest.raises(CertificateError, match="other data: row 3 has a column 7"):
        check(c, [*XOR[:3], ("0", {7: 1.0})])


def test_a_pass_over_other_rows_than_before_is_noticed() -> None:
    """Rows are read twice; the second time counts as much as the first."""
    c, times = certificate(KONIS, True), []

    def changing() -> Any:
        times.append(1)
        return KONIS if len(times) == 1 else [("0", ["-2"]), ("0", ["-1"]), *KONIS[2:]]

    with pytest.raises(CertificateError, match="other data"):
        check(c, changing)
    assert len(times) == 2


@pytest.mark.parametrize("bad", ["nan", "inf", "1e999", "", "1_0", "1 2", "0x1", "١", float("nan"), float("inf"), None,
                                 2**53 + 1, 10**400, [1]])  # fmt: skip
def test_a_number_that_is_none_is_named_with_its_place(bad: Any) -> None:
    with pytest.raises(UnreadableError, match=r"X: row 2, column 1: .* is not a binary64 number"):
        check(certificate(XOR, True), [*XOR[:2], ("1", ["0", bad]), XOR[3]])


# ---- absurd certificates -------------------------------------------------------------------------------------------


PEAK = "def peak(): return int(next(x.split()[1] for x in open('/proc/self/status') if x.startswith('VmHWM')))\n"
"""The largest memory of a process in kB. `ru_maxrss` of a young process also counts the parent it was started from."""

needs_proc = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is read from /proc")


def memory_of(path: Path) -> tuple[str, int]:
    """(what is said, largest memory in kB) of reading a certificate in a process of its own."""
    script = (
        f"{PEAK}import sys; from novikoff.certify.check.verify import read_certificate, CertificateError\n"
        "try: read_certificate(sys.argv[1])\nexcept CertificateError as error: print(error)\n"
        "print(peak())"
    )
    done = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True)
    said, peak = done.stdout.rsplit("\n", 2)[:2]
    return said, int(peak)


def absurd(c: dict[str, Any]) -> dict[str, Callable[[], bytes]]:
    text = json.dumps(c).encode()
    return {
        "more bytes than are read": lambda: text + b" " * verify.LARGEST_FILE,
        "an integer of ten million digits": lambda: text.replace(b'["1"', b'["' + b"9" * 10**7 + b'"', 1),
        "a bare number of ten million digits": lambda: text.replace(b'"n": 4', b'"n": ' + b"9" * 10**7),
        "depth": lambda: b"[" * 10**6,
        "objects in objects": lambda: b'{"a":' * 10**6,
        "millions of lists": lambda: b"[" + b"[]," * 10**7 + b"[]]",
        "millions of entries": lambda: b"[" + b"0," * 10**7 + b"0]",
        "zeros": lambda: bytes(10**6),
    }


@needs_proc
@pytest.mark.parametrize("name", absurd({}))
def test_an_absurd_certificate_takes_little_memory_and_is_refused(name: str, tmp_path: Path) -> None:
    said, kilobytes = memory_of(written(tmp_path, None, absurd(certificate(XOR, True))[name]()))
    assert said
    assert kilobytes < 400_000


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "Expecting value"),
        (b"{", "Expecting property name"),
        (b"\xff\xfe{}", "codec can't decode"),
        (b'{"format": "novikoff-certificate/1", "format": "novikoff-certificate/1"}', "a name is there twice"),
        (b'{"n": 1.5}', "'1.5' where a small whole number"),
        (b'{"n": NaN}', "'NaN' where a small whole number"),
        (b'{"n": 1e400}', "'1e400' where a small whole number"),
        (b"[]", "where a small whole number or a text is expected"),
        (b"null", "where a small whole number or a text is expected"),
        (b'"\xed\xa0\x80"', "codec can't decode"),
    ],
)
def test_a_text_that_is_no_certificate_is_said_to_be_none(raw: bytes, said: str, tmp_path: Path) -> None:
    path = written(tmp_path, None, raw)
    with pytest.raises(UnreadableError, match=said) as info:
        read_certificate(path)
    assert str(info.value).startswith(f"{path}: not a certificate that can be read")


def test_every_cut_of_a_certificate_is_refused(tmp_path: Path) -> None:
    raw = json.dumps(certificate(XOR, True)).encode()
    for end in range(len(raw)):
        with pytest.raises(UnreadableError):
            read_certificate(written(tmp_path, None, raw[:end]))


def test_no_file_and_a_folder_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "nothing.json", tmp_path):
        with pytest.raises(UnreadableError, match="not a certificate that can be read"):
            read_certificate(path)


def test_long_integers_are_read_although_python_would_not() -> None:
    """4,300 digits are Python's own limit."""
    long = 7**30_000
    assert long.bit_length() * 0.30103 > 20_000
    c = certificate(LINE, True)
    from novikoff.exact.integer_rows import digits

    assert check(c | {"w": [digits(long)], "b": digits(-long // 10)}, LINE) == "complete"
    assert read_certificate(c | {"w": [digits(-long)], "b": "0"}).plane == {0: -long, 1: 0}
    with pytest.raises(CertificateError, match="wrong side"):
        check(c | {"w": [digits(-long)], "b": "0"}, LINE)


def test_a_hundred_thousand_digits_are_read_and_no_more() -> None:
    c = certificate(LINE, True)
    assert read_certificate(c | {"w": ["7" * certificate_parts.MOST_DIGITS], "b": "0"}).plane[0] % 10**9 == 777_777_777
    with pytest.raises(UnreadableError, match="at most 100,000 digits"):
        read_certificate(c | {"w": ["7" * (certificate_parts.MOST_DIGITS + 1)], "b": "0"})


def test_the_certificate_is_not_changed_by_being_read() -> None:
    c = certificate(KONIS, True)
    before = copy.deepcopy(c)
    check(c, KONIS)
    assert c == before


# ---- labels and digest ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ways", [
    (1, 1.0, True, "1", "+1", "1.0", "1e0", " 1 ", "001", "True", "true", "TRUE"),
    (0, -0.0, False, "0", "-0", "0.0", "False", "-0e5"),
    (-2, -2.0, "-2", "-2.000", "-.2e1"),
    (0.1, "0.1", ".10", "1e-1"),
    (10**18, "1000000000000000000", "1e18"),
])  # fmt: skip
def test_a_label_has_one_text_however_it_is_written(ways: tuple[Any, ...]) -> None:
    assert len({label_text(way) for way in ways}) == 1


def test_texts_are_themselves() -> None:
    for text in ("spam", "Iris-setosa", " a", "", "nan", "inf", "1_0", "1 2", "½", "tRue", "9" * 500, "1e999"):
        assert label_text(text) == text
    assert label_text("ä".encode()) == "ä"


@pytest.mark.parametrize("bad", [None, float("nan"), float("inf"), [], {}])
def test_a_label_that_is_none_is_refused(bad: Any) -> None:
    with pytest.raises(UnreadableError, match="neither a text nor a finite number"):
        label_text(bad)


def test_the_digest_is_what_the_docstring_says() -> None:
    """A row to the byte, and the tree over blocks, against SHA-256 by hand."""
    from hashlib import sha256

    d = verify.Digest(3)
    d.add("-1", {2: 0.5, 0: -2.0})
    row = bytes.fromhex("0200000000000000" "2d31000000000000" "0200000000000000"
                        "0000000000000000" "00000000000000c0" "0200000000000000" "000000000000e03f")  # fmt: skip
    head = (26).to_bytes(8, "little") + b"novikoff-digest/1 binary64" + bytes(6)
    sizes = (1).to_bytes(8, "little") + (3).to_bytes(8, "little")
    assert d.hexdigest() == sha256(head + sizes + sha256(row).digest()).hexdigest()


@pytest.mark.parametrize("n", [1, 2, 4095, 4096, 4097, 8192, 9000])
def test_the_digest_of_the_judge_is_the_same(n: int) -> None:
    rows = [(str(i % 2), [str(i % 7 - 3), f"{i % 5}.{i % 3}", "0"]) for i in range(n)]
    ours = verify.Digest(3)
    for label, texts in rows:
        ours.add(label, {j: v for j, text in enumerate(texts) if (v := reader.number_of(text))})
    assert ours.hexdigest() == digest(rows)


# ---- files ---------------------------------------------------------------------------------------------------------

FILES = {
    "header.csv": "a,b,y\n0,0,0\n1,0,1\n0,1,1\n1,1,0\n",
    "plain.csv": "0,0,0\n1,0,1\n0,1,1\n1,1,0\n",
    "spaces.csv": " 0 , 0.0,0\n+1,-0,1.0\n\n0e5,1e0,+1\n1.,1,0",
    "quotes.csv": '"a","b","label"\r\n"0","0","0"\r\n"1","0","1"\r\n0,1,1\r\n1,1,0\r\n',
    "bom.csv": "\ufeffa,b,class\n0,0,0\n1,0,1\n0,1,1\n1,1,0\n",
    "named.csv": "a,Y,b\n0,0,0\n1,1,0\n0,1,1\n1,0,1\n",
    "tabs.tsv": "a\tb\ttarget\n0\t0\t0\n1\t0\t1\n0\t1\t1\n1\t1\t0\n",
    "ones.svm": "0\n+1 1:1\n1 2:1 # a comment\n# nothing\n0 1:1 2:1\n",
    "zeros.svmlight": "0\n1 0:1\n1 1:1\n0 0:1 1:1.0\n",
    "explicit.libsvm": "0 1:0 2:0\n1 1:1 2:0\n1 2:1 1:0\n0 1:1 2:1\n",
    "no_ending": "0\n1 1:1\n1 2:1\n0 1:1 2:1\n",
}


@pytest.mark.parametrize("name", FILES)
def test_the_same_points_from_every_file(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(FILES[name], encoding="utf-8", newline="")
    proof = written(tmp_path, certificate(XOR, True))
    assert verify.main([str(proof), str(tmp_path / name)]) == 0


def test_the_label_is_named_or_numbered(tmp_path: Path) -> None:
    proof, data = written(tmp_path, certificate(XOR, True)), tmp_path / "data.csv"
    data.write_text("who,a,b\n0,0,0\n1,1,0\n1,0,1\n0,1,1\n")
    assert verify.main([str(proof), str(data), "who"]) == 0
    assert verify.main([str(proof), str(data), "1"]) == 0
    assert verify.main([str(proof), str(data)]) == 1
    assert verify.main([str(proof), str(data), "4"]) == 3
    assert verify.main([str(proof), str(data), "whom"]) == 3
    c = certificate(XOR, True)
    for hint in ("who", 0):
        hinted = c | {"data": c["data"] | {"file": {"format": "csv", "label": hint, "header": True}}}
        assert verify.main([str(written(tmp_path, hinted)), str(data)]) == 0


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("x.csv", "0,0,0\n1,x,1\n", "line 2, column 2: 'x' is not a binary64 number"),
        ("x.csv", "0,0,0\n1,,1\n", "line 2, column 2: an empty cell; a number was expected"),
        ("x.csv", "0,0,0\n1,nan,1\n", "line 2, column 2: 'nan', a missing number; a number was expected"),
        ("x.csv", "0,0,0\n1,0\n", "line 2: 2 cells, 3 as above were expected"),
        ("x.csv", "0,0,0\n1,0,1,\n", "line 2: 4 cells, 3 as above were expected"),
        ("x.csv", "y,a,b\n0,1,1e999\n", "line 2, column 3: '1e999' is not a binary64 number"),
        ("x.csv", f"0,0,0\n1,{'1' * 3000},1\n", "line 2, column 2: .* is not a binary64 number"),
        ("x.csv", f"0,0,0\n1,{'1' * 200_000},1\n", "field larger than field limit"),
        ("x.svm", "0 1:1\n1 1:x\n", "line 2, column 1: 'x' is not a binary64 number"),
        ("x.svm", "0 1:1\n1 1:1 1:2\n", "line 2: '1:2' is not column:number, or the column occurs twice"),
        ("x.svm", "0 1:1\n1 qid:3 1:2\n", "line 2: 'qid:3' is not column:number"),
        ("x.svm", "0 1:1\n1 -1:2\n", "line 2: '-1:2' is not column:number"),
        ("x.svm", "0 1:1\n1 2\n", "line 2: '2' is not column:number"),
        ("x.svm", "0 1:1\n1 99999999999999999999:2\n", "is not column:number"),
    ],
)
def test_what_is_wrong_with_a_file_is_named_with_its_place(
    name: str, text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text(text)
    assert verify.main([str(written(tmp_path, certificate(XOR, True))), str(tmp_path / name)]) == 3
    import re

    assert re.search(f"CANNOT BE READ  .*{name}.*{said}", capsys.readouterr().err)


@pytest.mark.parametrize("raw", [b"0,0,0\n\xff,1,1\n", b"", b"\x00\x00", b"0,0,0\n1,\x001,1\n"])
def test_a_file_that_is_no_text_is_no_proof(raw: bytes, tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_bytes(raw)
    assert verify.main([str(written(tmp_path, certificate(XOR, True))), str(tmp_path / "data.csv")]) in (1, 3)


def test_an_endless_line_is_refused_before_it_fills_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "LONGEST_LINE", 1000)
    (tmp_path / "x.svm").write_text("1 " + "1:1 " * 1000)
    with pytest.raises(UnreadableError, match="line 1: more than 1,000 characters"):
        list(reader.file_rows(tmp_path / "x.svm", {}))


def test_the_command_says_proved_refused_or_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "data.csv"
    data.write_text(FILES["header.csv"])
    proof = str(written(tmp_path, certificate(XOR, True)))
    assert verify.main([proof, str(data)]) == 0
    assert capsys.readouterr().out.startswith("PROVED  overlap: no plane separates the 4 points")
    data.write_text(FILES["header.csv"].replace("1,1,0", "1,1,1"))
    assert verify.main([proof, str(data)]) == 1
    assert capsys.readouterr().err.startswith("REFUSED  other data: their digest is")
    assert verify.main([proof, str(tmp_path / "nothing.csv")]) == 3
    assert capsys.readouterr().err.startswith("CANNOT BE READ")
    assert verify.main([str(data), str(data)]) == 3
    for args in ([], [proof], ["--help"], [proof, str(data), "y", "more"]):
        assert verify.main(args) == 2


def test_the_copied_file_needs_nothing_but_python(tmp_path: Path) -> None:
    """In an empty folder, without site-packages and without novikoff."""
    (tmp_path / "verify_novikoff.py").write_text(standalone(), encoding="utf-8")
    (tmp_path / "data.csv").write_text(FILES["header.csv"])
    written(tmp_path, certificate(XOR, True))
    run = [sys.executable, "-I", "-S", "verify_novikoff.py", "proof.json"]
    done = subprocess.run([*run, "data.csv"], cwd=tmp_path, capture_output=True, text=True, timeout=60, env={})
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("PROVED  overlap")
    assert subprocess.run([*run, "proof.json"], cwd=tmp_path, capture_output=True, timeout=60).returncode == 3
    alone = [sys.executable, "-I", "-S", "-c", "import novikoff"]
    assert b"ModuleNotFoundError" in subprocess.run(alone, cwd=tmp_path, capture_output=True, timeout=60).stderr


def test_the_checker_imports_the_standard_library_only() -> None:
    import ast

    tree = ast.parse(standalone())
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in names} <= set(sys.stdlib_module_names)
    assert not any(isinstance(node, ast.Assert) for node in ast.walk(tree))  # python -O leaves asserts out
    made = [node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    assert len(set(made)) == len(made)  # neither of the two files hides a name of the other


@pytest.mark.slow
@needs_proc
def test_memory_is_bounded_by_the_rows_in_hand(tmp_path: Path) -> None:
    """60,000 rows of a file are checked without holding them."""
    n = 60_000
    rows = [("1" if i % 2 else "0", [str(i % 97 + 1) if i % 2 else str(-(i % 89))] * 3) for i in range(n)]
    (tmp_path / "data.csv").write_text("".join(f"{','.join(x)},{y}\n" for y, x in rows))
    data = {"digest": digest(rows), "n": n, "d": 3, "positive": "1", "negative": "0", "bias": True}
    c = certificate(LINE, True) | {"data": data | {"numbers": "binary64"}, "w": ["2", "0", "0"], "b": "-1"}
    proof = written(tmp_path, c)
    script = (
        f"{PEAK}import sys; from novikoff.certify.check.verify import main\n"
        "before = peak(); code = main(sys.argv[1:]); print(code, peak() - before)"
    )
    command = [sys.executable, "-c", script, str(proof), str(tmp_path / "data.csv")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    code, more = done.stdout.splitlines()[-1].split()
    assert code == "0"
    assert int(more) < 5_000  # kB


@pytest.mark.parametrize("prime", [2**61 - 1, 10007])
def test_the_rank_of_packed_rows_is_the_rank(prime: int) -> None:
    """Rows of small numbers: no minor is a multiple of these primes but 0."""
    chance = random.Random(7)
    met = set()
    for _ in range(300):
        width = chance.randint(1, 6)
        rows = [[chance.choice([-1, 0, 0, 1, 2]) for _ in range(width)] for _ in range(width + chance.randint(0, 2))]
        if chance.random() < 0.5:
            rows = [[*row[:-1], row[0]] for row in rows]
        found = certificate_parts._rank_modulo(prime, [{j: v for j, v in enumerate(row) if v} for row in rows], width)
        assert found == rank([[Fraction(v) for v in row] for row in rows])
        met.add(width - found)
    assert len(met) > 2
