"""A proof is taken when it is one, and a damaged one is not: against a judge that shares nothing with novikoff."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

import novikoff as nv
from damage.tampering import CHANGES, Change, case, tampered, tampered_text
from examples import examples
from oracles.brute_force_proofs import certificate, problem, true_kind
from oracles.judge_of_proofs import Rows, judged

TAMPERED = 90  # of each change


def verified(c: Any, rows: Rows, slow: bool) -> str | None:
    """The kind that is proved, or None; slow: by the standard-library checker."""
    try:
        X = [[float(text) for text in texts] for _, texts in rows]
        return nv.verify(c, X, [label for label, _ in rows], slow=slow)
    except (nv.CertificateError, nv.InputError):
        return None


def slowly(c: Any, rows: Rows) -> str | None:
    return verified(c, rows, True)


def agreed(c: Any, rows: Rows) -> str | None:
    """What both paths say; whatever they take, the independent judge takes too, and it is true."""
    kind = slowly(c, rows)
    assert verified(c, rows, False) == kind
    if kind is not None:
        assert judged(c, rows) == kind
        data = c["data"]
        true = true_kind(rows, data["bias"], data.get("positive"))
        assert kind == true or (kind == "not separable" and true != "complete")
    return kind


@given(seed=st.integers(0, 2**32))
@examples(60)
def test_a_proof_made_by_brute_force_is_taken_by_all(seed: int) -> None:
    c, rows = case(random.Random(seed))
    assert agreed(c, rows) == judged(c, rows) == c["claim"]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_no_damaged_certificate_is_taken_that_the_judge_does_not_take(change: Change) -> None:
    chance = random.Random(change.__name__)
    info = Counter(agreed(*tampered(chance, case(chance), change)) is None for _ in range(TAMPERED))
    assert info[True] >= TAMPERED // 4 or change.__name__ in ("order_of_rows", "all_weights_times"), info


def test_damage_that_matters_is_always_refused() -> None:
    """No other data, no other version, no other digest is ever taken, whatever the judge says."""
    chance = random.Random(7)
    for name in ("other_digest", "other_version", "new_field"):
        change = next(change for change in CHANGES if change.__name__ == name)
        for _ in range(40):
            true = case(chance)
            c, rows = tampered(chance, true, change)
            assert c == true[0] or slowly(c, rows) is None


def test_a_damaged_text_is_refused_or_still_the_same_proof(tmp_path: Path) -> None:
    chance, path, taken = random.Random(11), tmp_path / "proof.json", 0
    for _ in range(400):
        c, rows = case(chance)
        path.write_bytes(tampered_text(chance, c))
        kind = slowly(path, rows)
        if kind is not None:
            taken += 1
            assert judged(path.read_text(encoding="utf-8"), rows) == kind
    assert taken < 100


@given(seed=st.integers(0, 2**32), data=st.data())
@examples(40)
def test_several_damages_at_once(seed: int, data: Any) -> None:
    chance = random.Random(seed)
    spoilt = case(chance)
    for change in data.draw(st.lists(st.sampled_from(CHANGES), min_size=2, max_size=4)):
        try:
            spoilt = tampered(chance, spoilt, change)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
            return  # damaged beyond this change
    agreed(*spoilt)


def test_one_class_alone_is_proved_by_the_bias() -> None:
    rows: Rows = [("1", ["0.5"]), ("1", ["-3"])]
    c = certificate(rows, True)
    assert c["data"]["negative"] is None
    assert agreed(c | {"w": ["0"], "b": "1"}, rows) == "complete"


def test_a_zero_row_holds_itself() -> None:
    """Without a bias a point at the origin is on every plane, and no weights are needed to say so."""
    rows: Rows = [("1", ["0"]), ("1", ["2"]), ("0", ["-1"])]
    c = certificate(rows, False)
    assert agreed(c, rows) == "quasi-complete"
    assert agreed(c | {"held": [], "held_weights": []}, rows) == "quasi-complete"


def test_the_generator_makes_every_kind() -> None:
    chance = random.Random(3)
    kinds = Counter(case(chance)[0]["claim"] for _ in range(200))
    assert set(kinds) == {"complete", "quasi-complete", "overlap", "not separable"}
    assert min(kinds.values()) >= 5, kinds
    assert json.loads(json.dumps(case(chance)[0]))
    assert problem(chance)[0]
