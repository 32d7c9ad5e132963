"""The frozen checker accepts the certificates that the product writes, and neither accepts a changed one."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from commands import novikoff
from oracles import frozen_checker

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


def frozen(proof: str, data: str) -> int:
    """The exit code of the frozen checker: 0 proved, 1 refused, 3 cannot be read."""
    return frozen_checker.main([proof, data])


@pytest.mark.parametrize("command", COMMANDS)
def test_C4_the_frozen_checker_proves_what_the_product_writes(
    command: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And after a change of one number, in the data or in the proof, it gives the product's answer."""
    data = command.split()[1]
    done = novikoff(*command.split(), "-o", "proof.json")
    assert done.code in (0, 1), done.err
    assert json.loads(Path("proof.json").read_text())["claim"] == COMMANDS[command]
    assert frozen("proof.json", data) == 0
    assert capsys.readouterr().out.startswith(f"PROVED  {COMMANDS[command]}")
    chance, good, table = random.Random(command), Path("proof.json").read_text(), TABLES[data]
    answers = []
    for k in range(12):
        Path("proof.json").write_text(json.dumps(changed(json.loads(good), chance)) if k % 3 else good)
        Path(data).write_text(table if k % 3 else another_cell(table, chance))
        answers.append(novikoff("verify", "proof.json", data).code)
        assert frozen("proof.json", data) == answers[-1], Path("proof.json").read_text()
    assert {1, 3} & set(answers)  # the changes are not harmless


def another_cell(table: str, chance: random.Random) -> str:
    """The table with one number increased by one."""
    places = [k for k, c in enumerate(table) if c in "0123456789" and "\n" in table[:k]]
    k = chance.choice(places)
    return table[:k] + str((int(table[k]) + 1) % 10) + table[k + 1 :]


def changed(record: Any, chance: random.Random) -> Any:
    """The certificate with one of its numbers changed, or one of its lists shortened."""
    places = [
        (holder, key)
        for holder in (record, *(value for value in record.values() if isinstance(value, dict)))
        for key, value in holder.items()
        if isinstance(value, str | int | list) and value not in ([], "")
    ]
    holder, key = chance.choice(places)
    value = holder[key]
    if isinstance(value, list):
        k = chance.randrange(len(value))
        value[k : k + 1] = chance.choice([[], [one_more(value[k])], [value[k], value[k]]])
    else:
        holder[key] = one_more(value)
    return record


def one_more(value: Any) -> Any:
    """A number increased by one, a number as text too; of another text its last character is changed."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    text = str(value)
    return str(int(text) + 1) if text.lstrip("-").isdecimal() else text[:-1] + ("0" if text[-1:] != "0" else "1")


@pytest.mark.parametrize(("name", "command", "claim"), [("breast-cancer", "certify", "complete"),
                                                        ("digits", "margin", "margin")])  # fmt: skip
def test_the_frozen_checker_proves_facts_about_bundled_data(
    name: str, command: str, claim: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Thousands of numbers, in a file."""
    X, y = nv.example(name)
    chosen = np.isin(y, np.unique(y)[:2])
    Path("data.csv").write_text(
        "".join(
            ",".join([*map(repr, x), str(label)]) + "\n" for x, label in zip(X[chosen].tolist(), y[chosen], strict=True)
        )
    )
    novikoff(command, "data.csv", "-o", "proof.json")
    assert frozen("proof.json", "data.csv") == 0
    assert capsys.readouterr().out.startswith(f"PROVED  {claim}")


def test_the_frozen_checker_imports_nothing_of_novikoff() -> None:
    text = Path(frozen_checker.__file__).read_text(encoding="utf-8")
    assert not re.search(r"^\s*(import|from) novikoff", text, re.MULTILINE)
