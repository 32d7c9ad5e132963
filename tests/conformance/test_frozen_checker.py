"""The frozen checker proves, in the formats of before, what the product writes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

import novikoff as nv
from commands import novikoff
from oracles import frozen_checker
from oracles.old_certificates import old_certificate

TABLES = {
    "or.csv": "a,b,y\n0,0,0\n1,0,1\n0,1,1\n1,1,1\n",
    "xor.csv": "a,b,y\n0,0,0\n1,0,1\n0,1,1\n1,1,0\n",
    "quasi.csv": "x,y\n-2,no\n0,no\n0,yes\n2,yes\n",
    "one.csv": "x,y\n1,7\n2,7\n",
    "decimals.csv": "a,b,s,y\n0.1,0.2,0.3,1\n0,0,0,0\n1,0,1,0\n0,1,1,0\n-2.5e-3,1e9,0.5,1\n",
    "sparse.svm": "+1 1:0.1 3:2\n-1 2:0.3\n+1 1:1\n-1 3:-1e-3\n",
    "shoes.csv": "size,seen,sport,bought\n40,3,0,2\n41,4,0,1\n42,5,1,5\n43,2,1,2\n44,6,0,3\n45,9,0,0\n",
    "arms.csv": "x,z,grade\n0,1,a\n1,0,b\n2,1,c\n3,1,a\n4,0,b\n9,2,c\n10,2,c\n",
}
COMMANDS = {  # the command, and the claim of its certificate
    "certify or.csv": "complete",
    "certify or.csv --no-bias": "quasi-complete",
    "certify xor.csv": "overlap",
    "certify xor.csv --positive 0": "overlap",
    "certify xor.csv --no-bias": "overlap",
    "certify quasi.csv": "quasi-complete",
    "certify one.csv": "complete",
    "certify decimals.csv": "complete",
    "certify sparse.svm": "complete",
    "certify sparse.svm --no-bias": "complete",
    "margin or.csv": "margin",
    "margin or.csv --no-bias": "quasi-complete",
    "margin decimals.csv": "margin",
    "margin sparse.svm": "margin",
    "margin xor.csv": "overlap",
    "separation or.csv": "complete",
    "separation xor.csv": "overlap",
    "separation quasi.csv": "quasi-complete",
    "separation shoes.csv --label sport": "complete",
    "separation shoes.csv --label bought --counts seen": "quasi-complete",
    "separation shoes.csv --label bought --family poisson": "overlap",
    "separation shoes.csv --label bought --family poisson --no-bias": "overlap",
    "separation arms.csv": "quasi-complete",
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in TABLES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def judged(data: str) -> tuple[str, str]:
    """The claim of proof.json, and what the frozen checker proves of the same content and of the file's rows."""
    record = json.loads(Path("proof.json").read_text())
    hints = {"label": record["data"]["file"]["csv"]["label"]} if data.endswith("csv") else {}
    width, rows = record["data"]["columns"], []
    for label, x in frozen_checker.file_rows(data, hints):
        numbers = x if isinstance(x, dict) else dict(enumerate(x))
        rows.append((label, [float(numbers.get(j, 0)) for j in range(width)]))
    proved = frozen_checker.check(old_certificate(record, rows), rows)
    return "margin" if record["margins"] else record["claim"], proved


@pytest.mark.parametrize("command", COMMANDS)
def test_C4_the_frozen_checker_proves_what_the_product_writes(command: str, here: Path) -> None:
    data = command.split()[1]
    done = novikoff(*command.split(), "-o", "proof.json")
    assert done.code in (0, 1), done.err
    assert judged(data) == (COMMANDS[command], COMMANDS[command])


@pytest.mark.parametrize(("name", "command", "claim"), [("breast-cancer", "certify", "complete"),
                                                        ("digits", "margin", "margin")])  # fmt: skip
def test_the_frozen_checker_proves_facts_about_bundled_data(name: str, command: str, claim: str, here: Path) -> None:
    """Thousands of numbers, in a file."""
    X, y = nv.example(name)
    chosen = np.isin(y, np.unique(y)[:2])
    Path("data.csv").write_text(
        "".join(
            ",".join([*map(repr, x), str(label)]) + "\n" for x, label in zip(X[chosen].tolist(), y[chosen], strict=True)
        )
    )
    novikoff(command, "data.csv", "-o", "proof.json")
    assert judged("data.csv") == (claim, claim)


def test_the_frozen_checker_imports_nothing_of_novikoff() -> None:
    text = Path(frozen_checker.__file__).read_text(encoding="utf-8")
    assert not re.search(r"^\s*(import|from) novikoff", text, re.MULTILINE)
