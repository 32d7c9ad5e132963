"""`explain`, `evaluate` and `predict`: what is said of a model, and what a model says of rows."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from commands import novikoff
from data.choices import allowed_for_many
from oracles.auditor.claims import Audit, dot, figures, fractions, sign
from oracles.auditor.fits import KEEPS, ORDERS, PASSES, called, chosen, claims_of_history, claims_of_scores, ranks
from oracles.auditor.problems import Table
from oracles.auditor.runs import played

Z = Fraction("1.959963984540054")  # of 95 %


@dataclass
class Model:
    """What the JSON of a fit says: planes as the model has them, the class that sorts last on the positive side."""

    info: Any
    t: Table
    path: Path
    order: str

    def __post_init__(self) -> None:
        self.scheme = None if self.info["multi"] is None else str(self.info["multi"])
        self.W, self.b = self.info["w"], self.info["b"]
        if self.scheme is None and self.t.classes != self.t.sorted:  # the words have the model's plane, negated
            self.W, self.b = [-v for v in self.W], -self.b

    def predicts(self, i: int) -> str:
        return called(self.t, self.W, self.b, self.scheme, self.t.padded[i], self.info.get("tie", "negative"))

    def class_plane(self, k: int) -> list[Fraction]:
        """(w, b) of class k: its own plane, or the sum over its pairs."""
        planes = [fractions((*w, c)) for w, c in zip(self.W, self.b, strict=True)]
        if self.scheme != "ovo":
            return planes[k]
        many = len(self.t.sorted)
        pairs = [(i, j) for i in range(many) for j in range(i + 1, many)]
        signed = [[v * ((j == k) - (i == k)) for v in p] for (i, j), p in zip(pairs, planes, strict=True)]
        return [sum(column, Fraction(0)) for column in zip(*signed, strict=True)]


def audit_model(a: Audit, folder: Path, chance: random.Random) -> None:
    """One of the verbs, on a model that was fitted to the file and its rows."""
    if (model := _fitted(a, folder, chance)) is not None:
        {"explain": _explain, "evaluate": _evaluate, "predict": _predict}[a.verb](a, model, chance)


def audit_description(a: Audit, folder: Path, chance: random.Random) -> None:
    """The description of a model that was fitted to the file."""
    if (model := _fitted(a, folder, chance)) is not None:
        _describe(a, model)


def _fitted(a: Audit, folder: Path, chance: random.Random) -> Model | None:
    """Fit a model to the file."""
    t, path = a.table, folder / "model.nvk"
    keep, order = chance.choice(KEEPS), chance.choice(ORDERS)
    options = ["--max-passes", str(chance.choice([PASSES, 150])), *chosen(keep=keep, order=order)]
    if len(t.sorted) > 2:
        schemes = [scheme for scheme in ("ova", "ovo", "joint") if allowed_for_many(scheme, keep)]
        options += ["--multi", chance.choice(schemes)]
    fitted = novikoff("fit", t.write(folder), *t.options, *options, "-o", str(path), "--json")
    a.command = f"fit, then {a.verb}"
    a.claim("fit answers", (fitted.code, fitted.err[-300:] if fitted.code else ""), (0, ""))
    return None if fitted.code else Model(fitted.json, t, path, order)


def known(a: Audit, folder: Path) -> tuple[Path, bool]:
    """The file, and whether it is the one that was fitted: a model leaves out missing cells again, not bad lines."""
    t = a.table
    if t.left_out != "bad":
        return folder / f"data{t.suffix}", True
    return t.write_rows(folder, list(range(len(t.kept)))), False


# ---- a model ---------------------------------------------------------------------------------------------------------


def _describe(a: Audit, model: Model) -> None:
    a.ask(["explain", str(model.path)])
    if a.json is None:
        return
    t, info, fitted = a.table, a.json, model.info
    same = ("stop_reason", "passes", "updates", "looks", "seed")
    a.claim("classes", [str(c) for c in info["classes"]["values"]], t.sorted)
    a.fields(info, n_features=t.d, bias=t.bias, **{name: fitted[name] for name in same})
    multi = {None: "", "ovo": r" \(ovo by votes\)"}.get(model.scheme, rf" \({model.scheme}\)")
    a.told("classes in words", rf"^classes +(.*){multi}$", ", ".join(t.sorted).replace(",", ""), need=True)
    a.told("columns in words", r"^columns +(\d+) and (a|no) bias$", t.d, "a" if t.bias else "no", need=True)
    ended = r"^ended by +(\w+) after ([\d,]+) updates? in ([\d,]+) pass"
    a.told("the end in words", ended, *(fitted[k] for k in ("stop_reason", "updates", "passes")), need=True)
    if model.scheme is None:
        run = played(t.signed, model.order, fitted["looks"], seed=fitted["seed"])
        if fitted["random_from"] is None and run is not None:
            claims_of_history(a, info["history"], run)
        _claims_of_unit(a, model)


def _claims_of_unit(a: Audit, model: Model) -> None:
    """The weights by size, the unit normal, and the distance of the plane from the origin."""
    t, w, b = a.table, fractions(model.info["w"]), Fraction(model.info["b"])
    norm2, unit = dot(w, w), a.json["plane"]
    a.fields(unit, "plane: ", positive=t.classes[1])
    shown = a.told("largest", r"^largest +(.*?),? ?bias (\S+) \(\+ is (\S+)\)$", need=True)
    if shown:
        a.claim("largest: all weights are 0", shown[1] == "all weights are 0", norm2 == 0)
        parts = [part.rsplit(" ", 1) for part in shown[1].split(", ") if norm2]
        a.claim("largest: columns by size", [abs(w[t.names.index(name)]) for name, _ in parts],
                sorted((abs(v) for v in w if v), reverse=True))  # fmt: skip
        for name, said in parts:
            a.claim("largest: the weight of a column", figures(said, w[t.names.index(name)], 4), True)
        a.claim("largest: bias", figures(shown[2], b, 4), True)
        a.claim("largest: which class is +", shown[3], t.classes[1])
    a.claim("a unit normal where there is a plane", unit["unit_normal"] is not None, norm2 != 0)
    if norm2 and unit["unit_normal"] is not None:
        for said, v in zip(unit["unit_normal"], w, strict=True):
            a.claim("unit normal: signs", sign(said), sign(v))
            a.near("unit normal", Fraction(said) ** 2, v * v / norm2)
        a.near("distance from the origin", Fraction(unit["distance"]) ** 2, b * b / norm2)
        a.claim("distance: at least 0", unit["distance"] >= 0, True)
        said = a.told("distance", r"^unit normal .*distance from the origin is (\S+)$", need=True)
        a.claim("distance in words", said is not None and figures(said[1], unit["distance"], 6), True)


# ---- explain ---------------------------------------------------------------------------------------------------------


def _explain(a: Audit, model: Model, chance: random.Random) -> None:
    t = a.table
    path, whole = known(a, model.path.parent)
    i = chance.randrange(t.n)
    row = (t.of[i] if whole else i) + 1
    of = chance.choice(t.sorted) if model.scheme is not None and chance.random() < 0.5 else None
    a.ask(["explain", str(model.path), str(path), "--row", str(row), *(["--class", of] if of is not None else [])])
    if a.json is None:
        return
    info, predicted = a.json, model.predicts(i)
    of = t.classes[1] if model.scheme is None else of or predicted
    a.fields(info, **{"class": predicted, "of": of})
    if model.scheme is None:
        plane = fractions((*model.info["w"], model.info["b"]))
    else:
        plane = model.class_plane(t.sorted.index(of))
    x = [*t.points[i], Fraction(1)]
    score = dot(plane, x)
    a.score("score", info["score"], score)
    if model.scheme == "ovo":
        votes = int(ranks(t, model.W, model.b, "ovo", t.padded[i])[t.sorted.index(of)][0])
        a.fields(info, votes=votes, pairs=len(t.sorted) - 1)
        a.claim("votes in words", f"{votes} of {len(t.sorted) - 1} votes for {of}, score" in a.words, True)
    parts = {part["name"]: part for part in info["parts"]}
    expected = {name: v for name, v in zip(t.names, t.points[i], strict=True) if v} | {"bias": Fraction(1)}
    a.claim("parts: the columns that are not 0", {name: Fraction(p["value"]) for name, p in parts.items()}, expected)
    weights = dict(zip([*t.names, "bias"], plane, strict=True))
    for name, part in parts.items():
        a.near("parts: weight", part["weight"], weights.get(name, Fraction(0)))
        a.near("parts: value · weight", part["product"], Fraction(part["value"]) * weights.get(name, Fraction(0)))
    a.near("the parts sum to the score", sum(Fraction(p["product"]) for p in info["parts"]), score)
    sizes = [abs(p["product"]) for p in info["parts"][:-1]]
    a.claim("parts: the largest first", sizes, sorted(sizes, reverse=True))
    head = re.match(r"(\S+): .*?score ([+-]\S+) \((?:a positive score is|the score of) (\S+)\)", a.words)
    a.claim("the first words", head and [head[1], head[3]], [predicted, of])
    a.claim("the score in words", head is not None and figures(head[2], info["score"], 6), True)
    table = re.findall(r"^(\S+) +(\S+) · +(\S+) = +(\S+)$", a.words, re.M)[1:]
    a.claim("table: the parts in words", [line[0] for line in table], [p["name"] for p in info["parts"]])
    for part, (_, *cells) in zip(info["parts"], table, strict=False):
        right = [figures(c, part[k], 4) for c, k in zip(cells, ("value", "weight", "product"), strict=True)]
        a.claim("table: value, weight and product", right, [True] * 3)
    a.claim("no number is told as -0", re.findall(r"(?<![\de])-0(?![.\d])", a.words), [])


# ---- evaluate and predict --------------------------------------------------------------------------------------------


def _evaluate(a: Audit, model: Model, chance: random.Random) -> None:
    t = a.table
    path, _ = known(a, model.path.parent)
    a.ask(["evaluate", str(model.path), str(path)])
    if a.json is None:
        return
    info, classes, n = a.json, t.sorted, t.n
    pairs = list(zip(t.labels, (model.predicts(i) for i in range(n)), strict=True))
    confusion = [[pairs.count((c, p)) for p in classes] for c in classes]
    right = sum(c == p for c, p in pairs)
    a.fields(info, n=n, errors=n - right, confusion=confusion)
    a.near("accuracy", info["accuracy"], Fraction(right, n))
    _interval(a, "accuracy", info["accuracy_interval"], right, n)
    a.told("rightly, in words", r": (\d+) of (\d+) rows", right, n, need=True)
    said = re.search(r"accuracy +(\S+) %", a.words)
    off = Fraction(said[1] if said else 0) - Fraction(100 * right, n)
    a.claim("accuracy in words", abs(off) <= Fraction(1, 200), True)
    ends = re.search(r"accuracy .* 95 %: (\S+) to (\S+)", a.words)
    _outside(a, "accuracy in words", ends.groups() if ends else (), right, n)
    section = a.words.partition("precision")[2]
    for k, (c, line) in enumerate(zip(classes, info["classes"], strict=True)):
        of, as_it, hits = sum(confusion[k]), sum(row[k] for row in confusion), confusion[k][k]
        a.fields(line, **{"class": c, "missed": of - hits, "false_positives": as_it - hits})
        rates = re.search(rf"^{re.escape(c)}  .*", section, re.M)
        told = re.findall(r"(\d+\.\d+) to (\d+\.\d+)", rates[0] if rates else "")
        for (name, many), two in zip((("precision", as_it), ("recall", of)), told, strict=True):
            share = line[name]
            a.fields(share, f"{name}: ", of=str(many))
            a.claim(f"{name}: where there are any", share["value"] is None, many == 0)
            if many:
                a.near(name, share["value"], Fraction(hits, many))
                _interval(a, name, share["interval"], hits, many)
            _outside(a, f"{name} in words", two, hits, many)
        missed = rf"^{re.escape(c)} .*[\d–] +(\d+) +(\d+)$"
        a.told("missed and false positives, in words", missed, of - hits, as_it - hits, need=True, text=section)
    matrix = a.words.partition("predicted")[2].split("\n")
    a.claim("confusion in words: columns", matrix[0].split(), classes)
    a.claim("confusion in words", [line.split() for line in matrix[1:] if line],
            [[c, *map(str, row)] for c, row in zip(classes, confusion, strict=True)])  # fmt: skip
    if model.scheme is None:
        scores = [dot(t.plane(model.W, model.b), x) for x in t.padded]
        high, low = ([s for s, c in zip(scores, t.labels, strict=True) if c == classes[k]] for k in (1, 0))
        won = sum(Fraction(sign(p - q) + 1, 2) for p in high for q in low)
        a.near("AUC", info["auc"], won / (len(high) * len(low)))
        a.claim("AUC within its interval", info["auc_interval"][0] <= info["auc"] <= info["auc_interval"][1], True)


def _interval(a: Audit, name: str, ends: list[float], k: int, n: int) -> None:
    """Wilson's: each end p has (p − k/n)² = z²·p(1 − p)/n, and k/n lies between them."""
    share = Fraction(k, n)
    a.claim(f"{name}: within its interval", ends[0] <= share <= ends[1], True)
    for end in fractions(ends):
        off = (end - share) ** 2 - Z * Z * end * (1 - end) / n
        holds = abs(off) < Fraction(1, 10**9) or (end, share) in ((0, 0), (1, 1))
        a.claim(f"{name}: an end of its interval", holds, True)


def _outside(a: Audit, name: str, ends: Sequence[str], k: int, n: int) -> None:
    """The printed ends of Wilson's interval enclose it, and are at most 0.02 % farther out."""
    share = Fraction(k, n) if n else Fraction(1, 2)
    for end, inward in zip([Fraction(end) / 100 for end in ends], (1, -1), strict=True):
        within = end + inward * Fraction(2, 10**4)
        holds = end in (0, 1) or (end - share) ** 2 * n >= Z * Z * end * (1 - end)
        a.claim(f"{name}: the printed end of its interval encloses it", holds, True)
        near = not n or (within - share) * inward >= 0 or (within - share) ** 2 * n <= Z * Z * within * (1 - within)
        a.claim(f"{name}: the printed end of its interval is near", near, True)


def _predict(a: Audit, model: Model, chance: random.Random) -> None:
    """Some of the rows, so that trailing columns, or all columns 0, may be missing in the file."""
    t = a.table
    rows = sorted(chance.sample(range(t.n), chance.randint(1, t.n)))
    path = t.write_rows(model.path.parent, rows)
    scored = chance.random() < 0.5
    info = novikoff("predict", model.path, path, *(["--scores"] if scored else []))
    a.claim("predict answers", (info.code, info.err[-300:] if info.code else ""), (0, ""))
    lines = [line.split("\t") for line in info.out.splitlines()]
    a.claim("predict: the class of each row", [line[0] for line in lines], [model.predicts(i) for i in rows])
    for i, (_, *cells) in zip(rows, lines, strict=False):
        a.claim("scores where they are asked for", len(cells), scored * (1 if model.scheme is None else len(t.sorted)))
        if scored:
            claims_of_scores(a, "predict: score", [*map(float, cells)], model.W, model.b, model.scheme, i)
