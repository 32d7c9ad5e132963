"""Lies in certificates, with the digest of their data right where it can be; judged by fractions and ranks."""

from __future__ import annotations

import json
import random
from pathlib import Path

from commands import Told
from damage.pairs import Lie, Pair
from damage.tampering import CHANGES, ODD, case, tampered
from oracles.judge_of_proofs import judged

TOP, DATA = ("format", "claim", "w", "b", "support", "weights", "held", "held_weights"), ("digest", "n", "d",
    "positive",
             "negative", "bias", "numbers")  # fmt: skip


def honest() -> None:
    """Nothing: every lie has data and a certificate of its own."""


def certificate(chance: random.Random) -> Lie:
    """A lie in a certificate, or in one number or label of the data that it speaks of."""
    true = case(chance)
    field = chance.choice(["no lie", "field", "field", *(change.__name__ for change in CHANGES)])
    if field == "no lie":
        proof, rows = true
    elif field == "field":
        proof, rows = json.loads(json.dumps(true[0])), true[1]
        inside = proof if chance.random() < 0.6 else proof["data"]
        name = chance.choice(TOP if inside is proof else DATA)
        inside[name] = chance.choice(ODD)
        field = f"field {name}"
    else:
        proof, rows = tampered(chance, true, next(change for change in CHANGES if change.__name__ == field))
    Path("bad.json").write_text(json.dumps(proof))
    width = len(rows[0][1])
    lines = [
        ",".join([*(f"x{j}" for j in range(width)), "label"]),
        *(",".join([*texts, label]) for label, texts in rows),
    ]
    Path("bad.csv").write_text("\n".join(lines) + "\n")
    kind = judged(json.loads(Path("bad.json").read_text()), rows)

    def judge(info: Told) -> str | None:
        if info.code == 0 and kind is None:
            return "accepted; an independent judge refuses"
        return None if info.code != 4 else "undecided"

    def judge_of_document(info: Told) -> str | None:
        said = json.loads(info.out)
        return judge(info) or (
            f"kind {said.get('kind')}; it is {kind}" if info.code == 0 and said.get("kind") != kind else None
        )

    pairs = [
        Pair(("verify", "bad.json", "bad.csv"), judge, field == "no lie"),
        Pair(("verify", "bad.json", "bad.csv", "--json"), judge_of_document, field == "no lie"),
        Pair(("verify", "bad.json", "bad.csv", "--checker", "out.py"), lambda info: None),  # writes a program only
    ]
    return Lie("certificate", field, json.dumps(proof)[:60], pairs)
