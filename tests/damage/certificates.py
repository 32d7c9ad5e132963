"""Lies in certificates, with the digest of their data right where it can be; judged by linear programs in fractions."""

from __future__ import annotations

import json
import random
from pathlib import Path

from commands import Told
from damage.pairs import Lie, Pair
from data.forgeries import forgeries
from oracles import certificate_oracle as oracle


def honest() -> None:
    """Nothing: every lie has data and a certificate of its own."""


def certificate(chance: random.Random) -> Lie:
    """A lie in a certificate, or in one number or label of the data that it speaks of."""
    found = next(forgeries(Path(), 1, chance.random(), at_once=4))
    suffix = Path(found.path).suffix
    Path("bad.json").write_text(found.text)
    Path(f"bad{suffix}").write_bytes(Path(found.path).read_bytes())

    def judge(info: Told) -> str | None:
        if info.code == 0:
            c, points = json.loads(found.text), oracle.points_of(found.X, found.y)
            return oracle.false(points, oracle.claims_of(c, points))
        return None if info.code != 4 else "undecided"

    def judge_of_document(info: Told) -> str | None:
        said = json.loads(info.out)
        claim = json.loads(found.text)["claim"] if info.code == 0 else None
        return judge(info) or (None if said.get("kind") == claim else f"kind {said.get('kind')}; the claim is {claim}")

    pairs = [
        Pair(("verify", "bad.json", f"bad{suffix}"), judge),
        Pair(("verify", "bad.json", f"bad{suffix}", "--json"), judge_of_document),
        Pair(("verify", "bad.json", f"bad{suffix}", "--checker", "out.py"), lambda info: None),  # writes a program only
    ]
    return Lie("certificate", " ".join(found.what), found.text[:60], pairs)
