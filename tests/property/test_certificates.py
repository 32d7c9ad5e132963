"""Certificates of random problems: accepted by every checker; and thousands of forgeries: what is accepted is true."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import novikoff
import novikoff as nv
from data.certificate_problems import problems
from data.forgeries import forgeries, said, tried
from novikoff.proof import verify as checker
from oracles import frozen_checker as frozen
from oracles.old_certificates import old_certificate

PARTS = 5
MANY = 20_000 if os.environ.get("STRESS") else 1_000  # forgeries of each part


@pytest.mark.parametrize("part", range(3))
def test_every_checker_accepts_the_certificates_of_novikoff(part: int, tmp_path: Path) -> None:
    """By the checker, by `nv.verify`, and, in the formats of before, by the checker of before."""
    met: Counter[str] = Counter()
    for k, p in enumerate(problems(tmp_path, 100, f"part {part}")):
        X, claim = [[float(x) for x in row] for row in p.X], p.certificate["claim"]
        c = checker.read_certificate(json.loads(json.dumps(p.certificate)))
        table = checker.PlainTable(p.path, c)
        found = checker.check(c, table)
        assert found.kind == claim == nv.verify(p.certificate, X, p.y)
        lines = list(checker.report(c, found, table.header))
        assert lines[0].startswith(f"PROVED {claim}: ")
        assert lines[1].startswith("model: ")
        rows = [(str(t), x) for t, x in zip(p.y, X, strict=True)]
        assert frozen.check(old_certificate(p.certificate, rows), rows) == (
            "margin" if p.certificate["margins"] else claim
        )
        met[f"{p.name.rstrip('0123456789')} {claim}"] += 1
        if k % 50 == 0:  # as a program, without any package
            (tmp_path / "proof.json").write_text(json.dumps(p.certificate))
            words = [sys.executable, "-I", "-S", checker.__file__, str(tmp_path / "proof.json"), p.path]
            done = subprocess.run(words, capture_output=True, text=True, check=True)
            assert done.stdout.splitlines() == lines
    assert len(met) >= 15
    assert not re.search(r"(?m)^\s*(import|from) novikoff", Path(frozen.__file__).read_text("utf-8"))


@pytest.mark.parametrize("part", range(PARTS))
def test_whatever_is_accepted_of_a_forgery_is_true(part: int, tmp_path: Path) -> None:
    """`tried` raises AssertionError for one that is not; 5,000 here, 100,000 in `make stress`."""
    kinds = [tried(found, tmp_path) for found in forgeries(tmp_path, MANY, part)]
    refused = kinds.count(None)
    assert MANY // 3 < refused < MANY - MANY // 30


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_the_reader_in_javascript_agrees(tmp_path: Path) -> None:
    """Written from docs/certificate.md, it accepts and refuses the same 150 certificates and 2,000 forgeries."""
    tries = [(json.dumps(p.certificate), p.path) for p in problems(tmp_path, 150, "node")]
    tries += [(found.text, found.path) for found in forgeries(tmp_path, 2_000, "node")]
    (tmp_path / "package.json").write_text('{"type": "module"}')
    shutil.copy(Path(novikoff.__file__).parent / "play" / "static" / "certificate_check.js", tmp_path)
    shutil.copy(Path(__file__).parents[1] / "oracles" / "node_reader.js", tmp_path)
    lines = [json.dumps({"text": text, "path": path}) for text, path in tries]
    node = subprocess.run(
        ["node", str(tmp_path / "node_reader.js")], input="\n".join(lines), capture_output=True, text=True, check=True
    )
    answers = [json.loads(line) for line in node.stdout.splitlines()]
    assert len(answers) == len(tries)
    for (text, path), answer in zip(tries, answers, strict=True):
        (tmp_path / "one.json").write_text(text)
        assert said(tmp_path / "one.json", path) == answer["kind"], (answer, text, path)
