"""`certify` and `nv.decide` on three classes: an answer for each pair of them."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import novikoff as nv
from oracles import rays
from oracles.auditor import api
from oracles.auditor.claims import Audit, dot, sum_is_zero
from oracles.auditor.fits import kind_of_plane, sides_of


def audit_certify(a: Audit, folder: Path, chance: random.Random) -> None:
    a.run(folder)
    if a.json is None:
        return
    a.shape()
    pairs = {tuple(map(str, one["classes"])): one for one in a.json["pairs"]}
    proofs = {pair: a.rows(one["support"], "support") for pair, one in pairs.items()}
    true = _claims_of_words(a, proofs)
    said = {pair: (one["kind"], one["separable"], one["n"]) for pair, one in pairs.items()}
    a.claim("each pair", said, {pair: (kind, kind == "complete", len(sides)) for pair, (kind, sides) in true.items()})
    every = all(kind == "complete" for kind, _ in true.values())
    a.claim("every pair is separable", (a.json["separable"], a.code), (every, 0 if every else 1))


def audit_decide(a: Audit, folder: Path, chance: random.Random) -> None:
    points, t = api.given(a, folder, chance), a.table
    found: Any = nv.decide(*points, fit_intercept=t.bias)
    a.words = found.explain()
    verdicts = {(str(one), str(other)): v for (one, other), v in found.items()}
    true = _claims_of_words(a, {pair: api.indices(a, v.support) for pair, v in verdicts.items()})
    every = all(kind == "complete" for kind, _ in true.values())
    a.claim("every pair is separable", (found.separable, bool(found)), (every, every))
    for pair, v in verdicts.items():
        kind, sides = true[pair]
        a.claim("a pair: separable, kind and n", (v.separable, v.kind, v.n), (kind == "complete", kind, len(sides)))
        signed = {i: [s * value for value in t.padded[i]] for i, s in sides.items()}
        if kind == "complete":
            plane = t.plane(v.w, v.b)
            sign = 1 if str(v.classes[-1]) == pair[1] else -1  # the class that a person reads as positive
            a.claim("a pair: the plane", min(sign * dot(plane, z) for z in signed.values()) > 0, True)
        elif set(support := api.indices(a, v.support)) <= set(signed):
            chosen, weights = [signed[i] for i in support], [Fraction(k) for k in v.weights]
            a.claim("a pair: the proof", (min(weights) > 0, sum_is_zero(weights, chosen)), (True, True))


def _claims_of_words(a: Audit, proofs: dict[Any, list[int]]) -> dict[Any, tuple[str, dict[int, int]]]:
    """Return the kind of each pair, and the sides of its rows. proofs: the rows that prove it, as answered."""
    t, lines = a.table, a.words.split("\n")
    true = {}
    for pair, sides in sides_of(t, "ovo").items():
        true[pair] = rays.answer([t.padded[i] for i in sides], [[s] for s in sides.values()])[0], sides
        a.claim("the proof is of points of the pair", set(proofs.get(pair, [-1])) <= set(sides), True)
    a.claim("the pairs", list(proofs), list(true))
    apart = sum(kind == "complete" for kind, _ in true.values())
    head = f"{apart} of {len(true)} pairs of classes are separable, each by a {kind_of_plane(a)} checked exactly"
    a.claim("the first words", lines[0], head)
    for (pair, (kind, _)), line in zip(true.items(), lines[1:], strict=False):
        named, answer = re.split(r" {2,}", line.strip(), maxsplit=1)
        places = [a.places[i] for i in proofs.get(pair, [])]
        words = "separable" if kind == "complete" else f"NOT SEPARABLE, {kind}: points {', '.join(places)}"
        a.claim("a pair in words", (named, answer), (" | ".join(pair), words))
    return true
