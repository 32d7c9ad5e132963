"""`fit`: the words and the JSON of a run on two classes or more."""

from __future__ import annotations

import random
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

from oracles.auditor.claims import Audit, claims_of_chance, dot, sum_is_zero, truth
from oracles.auditor.problems import Table
from oracles.auditor.runs import claim_average, counted, in_order

PASSES = 6  # of a fit: the lecture's run is made again in fractions
KEEPS, ORDERS = ("auto", "auto", "pocket", "last", "average"), ("auto", "auto", "cyclic")


def audit_fit(a: Audit, folder: Path, chance: random.Random) -> None:
    passes, keep, order = chance.choice([PASSES, PASSES, 25, 150]), chance.choice(KEEPS), chance.choice(ORDERS)
    a.run(folder, "--max-passes", str(passes), *chosen("--keep", keep), *chosen("--order", order))
    if a.json is not None:
        claims_of_fit(a, order)


def chosen(option: str, value: str) -> list[str]:
    """The option, unless its value is the default."""
    return [] if value == "auto" else [option, value]


def claims_of_fit(a: Audit, order: str) -> None:
    """What the words and the JSON of a fit on two classes say."""
    t, info = a.table, a.json
    a.shape()
    a.claim("bias", info["bias"], t.bias)
    if not t.bias:
        a.claim("b without a bias", info["b"], 0)
    decided = info.get("unscaled", info)
    errors, ties = counted(t.signed, t.plane(decided["w"], decided["b"]))
    a.claim("train_errors", info["train_errors"], errors)
    a.claim("ties", info["ties"], ties)
    a.claim("separated", info["separated"], errors == 0)
    kind, _, _ = truth(t)
    if info["separable"] is not None:
        a.claim("separable", info["separable"], kind == "complete")
    if info["stop_reason"] == "separated":
        a.claim("stopped because it is separated", kind, "complete")
    if info["stop_reason"] in ("cycle", "not_separable"):
        a.claim("stopped because no plane separates", kind != "complete", True)
    a.claim("SEPARATED in words", a.words.count("\nSEPARATED") > 0, errors == 0)
    a.claim("NOT SEPARABLE in words", "NOT SEPARABLE" in a.words and kind == "complete", False)
    for some, of in re.findall(r"(\d+) of (?:the )?(\d+) training points wrong", a.words):
        a.claim("errors in words", (int(some), int(of)), (errors, len(t.points)))
    for updates, passes in re.findall(r"(\d+) updates? in (\d+) pass", a.words):
        a.claim("updates and passes in words", (int(updates), int(passes)), (info["updates"], info["passes"]))
    if info["random_from"] is None:
        run = in_order(order, t.signed, info["looks"], info["seed"])
        a.claim("updates", info["updates"], len(run.updates))
        a.claim("passes", info["passes"], len(run.passes))
        if "best weights seen" in a.words:
            a.claim("the best weights seen", errors, run.least)
        claim_average(a, info["keep"], run, t.plane(info["w"], info["b"]))
    if info["keep"] not in ("average", "auto") and any(info["w"]):
        a.plane(info["w"], info["b"])
    signs = re.search(r"− is (\S+), \+ is (\S+)", a.words)
    if signs:
        a.claim("which class is +", [signs[1], signs[2]], t.classes)
    claims_of_chance(a, errors == 0 and kind == "complete")
    _claims_of_proof(a)


def _claims_of_proof(a: Audit) -> None:
    """Points that add up to zero, in words and in JSON."""
    proof = a.json.get("proof") or {}
    if "support" in proof and proof.get("weights"):
        rows, weights = a.rows(proof["support"], "proof"), [Fraction(v) for v in proof["weights"]]
        a.claim("proof: weights are positive", min(weights) > 0, True)
        a.claim(
            "proof: the weighted rows add up to zero", sum_is_zero(weights, [a.table.signed[i] for i in rows]), True
        )
    line = re.search(r"^proof  (.*), each point with its sign, add up to zero", a.words, re.M)
    if line and "more" not in line[1] and "multiples" not in line[1]:
        named = re.findall(r"([\d,]+)·p(\d+)", line[1])
        rows = [a.at(number) for _, number in named]
        a.claim("proof in words: rows of the file that can be used", None in rows, False)
        counts = [int(k.replace(",", "")) for k, _ in named]
        chosen = [a.table.signed[i] for i in rows if i is not None]
        a.claim("proof in words: they add up to zero", len(chosen) == len(counts) and sum_is_zero(counts, chosen), True)


def audit_many(a: Audit, folder: Path, chance: random.Random) -> None:
    scheme = chance.choice(["ova", "ovo", "joint"])
    model = folder / "model.nvk"
    a.run(folder, "--max-passes", str(PASSES * 3), "--multi", scheme, "-o", str(model))
    if a.json is None:
        return
    t, info = a.table, a.json
    a.shape()
    a.claim("separated is train_errors = 0", info["separated"], info["train_errors"] == 0)
    a.claim("SEPARATED in words", a.words.count("\nSEPARATED") > 0, info["separated"])
    for some, of in re.findall(r"(\d+) of (?:the )?(\d+) training points wrong", a.words):
        a.claim("errors in words", (int(some), int(of)), (info["train_errors"], len(t.points)))
    a.claim("train_errors of the planes", info["train_errors"], strictly_wrong(t, info["w"], info["b"], scheme))


Ranks = list[tuple[Fraction, ...]]


def ranks(t: Table, W: list[list[float]], b: list[float], scheme: str, x: list[Fraction]) -> Ranks:
    """What each class has at a padded point: its score; or (one-vs-one) its votes, and the sum of its pairs' scores."""
    scores = [dot(t.plane(w, c), x) for w, c in zip(W, b, strict=True)]
    if scheme != "ovo":
        return [(score,) for score in scores]
    many, votes = len(t.sorted), Counter[int]()
    sums = [Fraction(0)] * many
    pairs = [(i, j) for i in range(many) for j in range(i + 1, many)]  # j is on the positive side
    for (i, j), score in zip(pairs, scores, strict=True):
        sums[j], sums[i] = sums[j] + score, sums[i] - score
        votes[j if score > 0 else i] += score != 0
    return [(Fraction(votes[k]), sums[k]) for k in range(many)]


def strictly_wrong(t: Table, W: Any, b: Any, scheme: str) -> int:
    """Points whose own class does not win strictly."""
    wrong = 0
    for x, label in zip(t.padded, t.labels, strict=True):
        had = ranks(t, W, b, scheme, x)
        own = had.pop(t.sorted.index(label))
        wrong += own <= max(had)
    return wrong


def called(t: Table, W: Any, b: Any, scheme: str | None, x: list[Fraction], tie: str = "negative") -> str:
    """The class that the planes give to a padded point: the first of equal ones; of two classes w, b is the plane of
    the class that sorts last, and a score of 0 goes by `tie`."""
    if scheme is None:
        score = dot(t.plane(W, b), x)
        return t.sorted[score > 0 or (score == 0 and tie == "positive")]
    had = ranks(t, W, b, scheme, x)
    return t.sorted[had.index(max(had))]
