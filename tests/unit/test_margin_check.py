"""Saved margins: what is written, who accepts it, and that every false one is refused by both checkers."""

from __future__ import annotations

import copy
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from oracles.judge_of_proofs import judged_margin

OR = [("0", ["0", "0"]), ("1", ["1", "0"]), ("1", ["0", "1"]), ("1", ["1", "1"])]


def arrays(rows: Any) -> tuple[np.ndarray, np.ndarray]:
    return np.array([[float(v) for v in x] for _, x in rows]), np.array([label for label, _ in rows])


def record_of(rows: Any, **how: Any) -> dict[str, Any]:
    found: dict[str, Any] = nv.margin(*arrays(rows), **how).certificate().record()
    return found


def answers(record: Any, rows: Any) -> list[bool]:
    """Whether the slow and the fast checker accept it."""
    said = []
    for slow in (True, False):
        try:
            said.append(nv.verify(record, *arrays(rows), slow=slow) == "margin")
        except nv.CertificateError:
            said.append(False)
    return said


def test_points_changed_before_saving_are_noticed(tmp_path: Path) -> None:
    X, y = arrays(OR)
    m = nv.margin(X, y)
    m.padded, m.radius2  # noqa: B018
    X[3] = 0.4
    with pytest.raises(nv.InputError, match="the points were changed after margin"):
        m.save(tmp_path / "proof.json")
    assert not list(tmp_path.iterdir())


# ---- forged ones ---------------------------------------------------------------------------------------------------


def some_rows(random: random.Random) -> Any:
    """Two to six points of one to three numbers, of one scale or of all."""
    n, d, wild = random.randint(2, 6), random.randint(1, 3), random.random() < 0.5
    values = ["-2", "-1", "0", "1", "2", "0.3", *(["1e9", "-1e-9", "1e20"] if wild else [])]
    return [(random.choice("01"), [random.choice(values) for _ in range(d)]) for _ in range(n)]


def forged(random: random.Random, record: dict[str, Any]) -> None:
    """One number of a certificate is another."""
    name = random.choice([name for name in ("geometric", "padded", "radius2") if record[name]])
    field = random.choice(list(record[name]))
    old = record[name][field]
    if field in ("lower", "upper"):
        p, q = (int(v) for v in old.split("/"))
        p, q = random.choice([(p + 1, q), (p, q + 1), (p * 10**18 + 1, q * 10**18), (p * 10**18 - 1, q * 10**18)])
        record[name][field] = str(Fraction(p, q)) if Fraction(p, q).denominator > 1 else f"{p}/{q}"
    elif field == "b":
        record[name][field] = old and str(int(old) + random.choice([1, -1]))
    else:
        k = random.randrange(len(old))
        change = random.choice([1, -1, 2])
        old[k] = old[k] + change if field == "rows" else str(int(old[k]) + change)


@pytest.mark.slow
def test_no_forged_margin_is_accepted_unless_it_is_true() -> None:
    """300 true ones, each changed five times; an independent judge in fractions says which are still true."""
    chance = random.Random(5)
    true = refused = 0
    while true < 300:
        rows = some_rows(chance)
        try:
            record = record_of(rows, fit_intercept=chance.random() < 0.7)
        except nv.NotSeparableError:
            continue
        true += 1
        assert judged_margin(record, rows)
        assert answers(record, rows) == [True, True], record
        for _ in range(5):
            other = copy.deepcopy(record)
            forged(chance, other)
            still = judged_margin(other, rows)
            refused += not still
            assert answers(other, rows) == [still, still], (other, rows)
    assert refused > 800
