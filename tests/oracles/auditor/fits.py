"""`fit`: the words and the JSON of a run on two classes or more."""

from __future__ import annotations

import random
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

from commands import novikoff
from oracles.auditor.claims import Audit, claims_of_chance, dot, sign, sum_is_zero, truth
from oracles.auditor.problems import Table
from oracles.auditor.proofs import claims_of_relation, kind_of, kind_of_plane, sides_of
from oracles.auditor.runs import claim_average, counted, played

PASSES = 6  # of a fit: the lecture's run is made again in fractions
COMPUTED = {False: ", by a plane that was computed, not learned", True: ", some planes computed, not learned"}
"""what is said after the points of a model of two classes, and of many"""
ENDED = {
    "max_passes": "maximum passes", "cycle": "the weights returned to an earlier value",
    "train_stalled": "no progress on the training points",
    "separable": "the decision proved the points separable before the run had separated them",
}  # fmt: skip
KEEPS, ORDERS = ("auto", "auto", "pocket", "last", "average"), ("auto", "auto", "cyclic")


def chosen(**options: str) -> list[str]:
    """The options, unless their values are the defaults."""
    return [word for name, value in options.items() if value != "auto" for word in (f"--{name}", value)]


def audit_fit(a: Audit, folder: Path, chance: random.Random) -> None:
    """Two classes."""
    passes, keep, order = chance.choice([PASSES, PASSES, 25, 150, 150]), chance.choice(KEEPS), chance.choice(ORDERS)
    if wide := chance.random() < 0.25:
        a.table = narrow(chance)
        a.number_rows(a.table.of)
    passes = 150 if wide else passes
    a.run(folder, "--max-passes", str(passes), *chosen(keep=keep, order=order))
    if a.json is not None:
        claims_of_fit(a, order)


def audit_batch(a: Audit, folder: Path, chance: random.Random) -> None:
    """Two classes in the order batch."""
    passes, keep = chance.choice([PASSES, 25, 60]), chance.choice(KEEPS)
    a.run(folder, "--max-passes", str(passes), *chosen(keep=keep, order="batch"))
    if a.json is not None:
        claims_of_fit(a, "batch")
        plane = a.json["unscaled"]
        for said, whole in zip([*a.json["w"], a.json["b"]], [*plane["w"], plane["b"]], strict=True):
            a.claim("w is the plane of the run times 1/n", said, whole * (1.0 / a.table.n))


def narrow(chance: random.Random) -> Table:
    """Points that a plane separates, but the perceptron not in some hundred passes."""
    far, apart = chance.choice([10**5, 10**6]), chance.choice(["0.999", "0.99"])
    rows = ["0,1,p", "1,1,p", "0,-1,n", "1,-1,n", f"{far},1,p", f"{far},{apart},n"]
    chance.shuffle(rows)
    points = [[Fraction(float(v)) for v in row.split(",")[:2]] for row in rows]  # as binary64 has them
    table = Table(".csv", ["u,v,label", *rows], [], points, [row[-1] for row in rows], list(range(6)), ["u", "v"])
    table.head, table.kept, table.rounds = ["u,v,label"], rows, True
    return table


def claims_of_fit(a: Audit, order: str) -> None:
    """What the words and the JSON of a fit on two classes say."""
    t, info = a.table, a.json
    a.shape()
    a.fields(info, bias=t.bias)
    if not t.bias:
        a.fields(info, b=0)
    decided, reason = info.get("unscaled", info), info["stop_reason"]
    errors, ties = counted(t.signed, t.plane(decided["w"], decided["b"]))
    a.fields(info, train_errors=errors, ties=ties, separated=errors == 0)
    kind, _, _ = truth(t)
    if info["separable"] is not None:
        a.fields(info, separable=kind == "complete")
    if reason == "separated":
        a.claim("stopped because it is separated", kind, "complete")
    if reason in ("cycle", "not_separable"):
        a.claim("stopped because no plane separates", kind != "complete", True)
    if reason == "separable":
        a.claim("a computed plane separates", (errors, kind, info["passes"] >= 20), (0, "complete", True))
    _first_words(a, errors, kind != "complete" and info["separable"] is False)
    fewer = re.search(r"wrong, and (no plane|none) has fewer\n", a.words)
    told = [str(ties)] if ties and not fewer else []
    a.claim("of which ties", re.findall(r"of which (\d+) ties?$", a.words, re.M), told)
    a.claim("SEPARABLE (proved)", a.words.startswith("SEPARABLE (proved)") and kind != "complete", False)
    a.claim("no plane has fewer", fewer is not None and (errors != 1 or kind == "complete"), False)
    a.claim("no plane, or none through the origin", fewer and fewer[1], fewer and ("no plane" if t.bias else "none"))
    _claims_of_the_run(a, kind)
    _claims_of_the_next_step(a, kind)
    made = r"(\d+) updates? in (\d+) pass"
    a.told("updates and passes in words", made, info["updates"], info["passes"])
    run = played(t.signed, order, info["looks"], seed=info["seed"]) if info["random_from"] is None else None
    if run is not None:
        a.fields(info, passes=len(run.passes), updates=len(run.updates))
        a.claim("mistakes", info.get("mistakes", info["updates"]), sum(run.counts))
        if "best weights seen" in a.words:
            a.claim("the best weights seen", errors, run.least)
        if reason != "separable":
            scale = Fraction(1, t.n) if order == "batch" else 1
            average = [Fraction(v) / scale for v in t.plane(info["w"], info["b"])]
            claim_average(a, info["keep"], run, average)
    if (info["keep"] not in ("average", "auto") or reason == "separable") and any(info["w"]):
        a.plane(info["w"], info["b"])
    a.told("which class is +", r"− is (\S+), \+ is (\S+)", *t.classes)
    claims_of_chance(a, errors == 0 and kind == "complete")
    _claims_of_proof(a)


def _first_words(a: Audit, errors: int, no_plane: bool) -> None:
    """The verdict, and the errors."""
    reason, first = a.json["stop_reason"], a.words.splitlines()[0]
    a.claim("SEPARATED in words", first.startswith("SEPARATED  "), errors == 0)
    a.claim("RUN SEPARATED in words", first.startswith("RUN SEPARATED  "), errors > 0 and reason == "separated")
    head = f"NOT SEPARABLE{'' if a.table.bias else ' by a plane through the origin'} (proved)  "
    a.claim("NOT SEPARABLE in words", first.startswith(head), errors > 0 and no_plane and reason != "separated")
    how = COMPUTED[a.json["multi"] is not None] if errors == 0 and reason == "separable" else ""
    a.claim("computed, not learned, in words", first.partition("(checked exactly)")[2], how)
    right, wrong = r"  all (\d+) training points right \(checked exactly\)", r"  (\d+) of (\d+) training points wrong"
    a.told("errors in words", right, a.table.n, need=errors == 0, text=first)
    a.told("errors in words", wrong, errors, a.table.n, need=errors > 0, text=first)


def _claims_of_the_run(a: Audit, kind: str) -> None:
    """The line of a run on two classes: what is proved, and what ended the run."""
    line = a.told("the run", r"^run +(.*)$", need=True)
    if line is None:
        return
    proof = a.json.get("proof") or {}
    rows = re.search(rf"; no {kind_of_plane(a)} separates the points, proved by (\d+) rows?;", line[1])
    if rows:
        a.claim("no plane, in words", (kind != "complete", int(rows[1])), (True, len(proof["support"])))
    if f"; a {kind_of_plane(a)} separates the points, proved" in line[1]:
        a.claim("a plane, in words", kind, "complete")
    if a.json["stop_reason"] in ENDED:
        a.claim("why the run ended, in words", f"; {ENDED[a.json['stop_reason']]};" in line[1], True)


def _claims_of_the_next_step(a: Audit, kind: str) -> None:
    """A next step is possible, and does what it promises."""
    step = re.search(r"^next +(.*)$", a.words, re.M)
    if step is None:
        return
    promised = re.match(r"((?:--\w+ \w+ ?)+) returns weights that separate the points", step[1])
    if promised:
        info, t = novikoff(*a.command.split(" "), *promised[1].split(), "--json").json, a.table
        errors = counted(t.signed, t.plane(info["w"], info["b"]))[0]
        a.claim("next: the promised weights separate the points", errors, 0)
    if "margin finds the widest plane" in step[1]:
        a.claim("next: there is a widest plane", kind, "complete")
    if "certify prints the proof" in step[1] or "allows errors" in step[1]:
        a.claim("next: no plane separates the points", kind != "complete", True)


def _claims_of_proof(a: Audit) -> None:
    """Points that add up to zero, in words and in JSON."""
    proof = a.json.get("proof") or {}
    if "support" in proof and proof.get("weights"):
        claims_of_relation(a, a.rows(proof["support"], "proof"), proof["weights"], "proof: ")
    line = re.search(r"^proof  (.*), each point with its sign, add up to zero", a.words, re.M)
    if line and "more" not in line[1] and "multiples" not in line[1]:
        named = re.findall(r"([\d,]+)·p(\d+)", line[1])
        rows = [a.at(number, "proof in words") for _, number in named]
        counts = [int(k.replace(",", "")) for k, _ in named]
        points = [a.table.signed[i] for i in rows if i is not None]
        a.claim("proof in words: they add up to zero", len(points) == len(counts) and sum_is_zero(counts, points), True)


# ---- several classes -------------------------------------------------------------------------------------------------


def audit_many(a: Audit, folder: Path, chance: random.Random) -> None:
    scheme = chance.choice(["auto", "ova", "ovo", "joint"])
    model, passes = folder / "model.nvk", chance.choice([PASSES * 3, 150])
    a.run(folder, "--max-passes", str(passes), *chosen(multi=scheme), "-o", str(model))
    if a.json is None:
        return
    t, info = a.table, a.json
    a.shape()
    scheme = automatic(t) if scheme == "auto" else scheme
    errors = strictly_wrong(t, info["w"], info["b"], scheme)
    a.fields(info, multi=scheme, train_errors=errors, separated=errors == 0)
    decided = [(name, separable) for name, separable in map(dict.values, info.get("planes_decided") or ())]
    _first_words(a, info["train_errors"], any(not separable for _, separable in decided))
    sides = sides_of(t, scheme)
    for name, separable in decided:
        rows = sides[tuple(map(str, name)) if scheme == "ovo" else str(name)]
        a.claim("decided planes", separable, kind_of(t, rows) == "complete")
    if not_separable := [name for name, separable in decided if not separable]:
        apart = [" and ".join(map(str, name)) if scheme == "ovo" else str(name) for name in not_separable]
        named = ", ".join(apart[:3]) + (f" and {len(apart) - 3} more" if len(apart) > 3 else "")
        others = "" if scheme == "ovo" else " from the others"
        a.claim("no plane, in words", f"; no {kind_of_plane(a)} separates {named}{others} (proved); " in a.words, True)
    returned = re.search(r"; returned: of each plane weights that separate its points(, learned or computed)?", a.words)
    if returned:
        may = info["stop_reason"] in ("separable", "not_separable")
        a.claim("planes that may be computed", returned[1] is not None, may)
    if info["stop_reason"] == "separable" or (info["stop_reason"] == "separated" and scheme != "joint"):
        planes = [t.plane(w, c) for w, c in zip(info["w"], info["b"], strict=True)]
        wrong = [sum(s * dot(plane, t.padded[i]) <= 0 for i, s in rows.items())
                 for plane, rows in zip(planes, sides.values(), strict=True)]  # fmt: skip
        a.claim("each plane separates its points", wrong, [0] * len(planes))
    largest = sum(sorted(map(t.labels.count, t.sorted))[-2:])
    perfect = info["train_errors"] == 0 and info["stop_reason"] in ("separated", "separable")
    points, which = (t.n, "each class and the others: ") if scheme == "ova" else (largest, "the two largest classes: ")
    claims_of_chance(a, perfect, points, which)


def automatic(t: Table) -> str:
    """The scheme that is chosen where none is asked for."""
    many, stored = len(t.sorted), sum(v != 0 for x in t.points for v in x)
    return "ovo" if many * (many - 1) // 2 * (t.d + t.bias) <= stored else "ova"


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


def strictly_wrong(t: Table, W: Any, b: Any, scheme: str | None) -> int:
    """Points whose own class does not win strictly."""
    if scheme is None:
        return counted(t.signed, t.plane(W, b))[0]
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


def claims_of_scores(a: Audit, name: str, said: Any, W: Any, b: Any, scheme: str | None, i: int) -> None:
    """The scores of a point: of two classes one; where pairs vote, the votes and the squashed sum of the scores."""
    x = a.table.padded[i]
    if scheme is None:
        a.score(name, said[0], dot(a.table.plane(W, b), x))
        return
    had = ranks(a.table, W, b, scheme, x)
    a.claim(f"{name}: the highest is that of the class", said.index(max(said)), had.index(max(had)))
    for value, rank in zip(said, had, strict=True):
        if scheme != "ovo":
            a.near(f"{name}: of a class", value, rank[0])
        else:
            squashed = rank[1] / (3 * (abs(rank[1]) + 1))
            a.near(f"{name}: votes and the squashed score", value, rank[0] + squashed)
            if squashed == 0 or abs(squashed) > 1e-15:  # votes + a smaller one are rounded to the votes
                a.claim(f"{name}: the sign of the squashed score", sign(Fraction(value) - rank[0]), sign(squashed))


def claims_of_history(a: Audit, history: Any, run: Any, eta: Fraction = Fraction(1), mistakes: Any = None) -> None:
    """A line for each pass of the run that was made again."""
    updates = [p.updates for p in run.passes]
    a.fields(history, "history: ", **{"pass": [*range(1, len(updates) + 1)], "updates": updates})
    a.fields(history, "history: ", mistakes=updates if mistakes is None else mistakes)
    for said, true in zip(history.get("loss", ()), run.passes, strict=False):
        a.near("history: loss", said, true.loss * eta, Fraction(1, 10**9))
    for said, true in zip(history.get("norm", ()), run.passes, strict=False):
        a.near("history: norm²", Fraction(said) ** 2, true.norm2 * eta**2, Fraction(1, 10**9))
    for said, true in zip(history["errors"], run.passes, strict=False):
        if said is not None:
            a.claim("history: errors", said, true.errors)
    pocket = [v for v in history["pocket_errors"] if v is not None]
    a.claim("history: the pocket never gets worse", pocket, sorted(pocket, reverse=True))
