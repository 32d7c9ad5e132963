"""Forgeries of certificates: random changes of every field, of the data, of the digest."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import novikoff as nv
from data.certificate_problems import Problem, margins, regression, two_class, write
from novikoff.proof import verify as checker
from oracles import certificate_oracle as oracle

STATES = ("finite", "+inf", "-inf", "not-unique", "undecided", "aliased")
KINDS = ("complete", "quasi-complete", "overlap", "not separable")
WORDS = (*KINDS, *STATES, "margin", "labels", "successes", "proportions", "frequencies", "poisson", "0", "1", "", None)
LISTS = ({"at", "values"}, {"rows", "against", "weights"})  # of one vector, and of one weighted sum of rows
CHANGES = (
    "number number number row row word word words claim drop swap shorter longer type section section scale model nest "
    "extra digest state state bounds term term term term vector vector"
)
Place = tuple[Any, ...]


def paths(value: Any, at: Place = ()) -> list[Place]:
    """Return the path of every value inside."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [at, *(p for k, one in inner for p in paths(one, (*at, k)))]


def get(value: Any, path: Place) -> Any:
    for k in path:
        value = value[k]
    return value


def put(record: Any, path: Place, value: Any) -> None:
    get(record, path[:-1])[path[-1]] = value


def number(draw: random.Random, old: Any) -> Any:
    """Return another text in place of an integer as text, or p/q."""
    if "/" in old:
        p, q = map(int, old.split("/"))
        pairs = [(p + 1, q), (p - 1, q), (p * 10 + 1, q * 10), (p * 10 - 1, q * 10), (2 * p, q), (p, 2 * q), (q, p)]
        pairs += [(p * 3, q * 3), (0, q), (p, 0)]
        return draw.choice([*(f"{top}/{bottom}" for top, bottom in pairs), f"-{p}/{q}", f"{p}", f"{p}/{q}/1"])
    v = int(old) if old.lstrip("-").isdigit() and len(old) < 4000 else 7
    near = [str(one) for one in (v + 1, v - 1, -v, 2 * v, 3 * v, 0, 1, -1, v * 10**40 + 1)]
    return draw.choice([*near, "01", "+1", "1.0", "1e5", "-0", "٣", "nan", "9" * 700, "1" * 100_001, " 1", "", v])


def mutate(draw: random.Random, c: dict[str, Any], others: list[dict[str, Any]]) -> str:
    """Change one thing; return what."""
    every = [p for p in paths(c) if p]
    texts = [p for p in every if isinstance(get(c, p), str) and p[0] != "format"]
    lists = [p for p in every if isinstance(get(c, p), list) and get(c, p)]
    what = draw.choice(CHANGES.split(" "))
    if what == "number":
        digits = [p for p in texts if get(c, p).lstrip("-").replace("/", "").isdigit() and p[:2] != ("data", "digest")]
        put(c, p := draw.choice(digits), number(draw, get(c, p)))
    elif what == "row":
        p = draw.choice([p for p in every if type(get(c, p)) is int])
        near = [get(c, p) + 1, get(c, p) - 1, 0, 1, 2, 3]
        put(c, p, draw.choice([*near, 2**62, 2**63, 10**18, True, 1.0, str(get(c, p)), None]))
    elif what == "word":
        put(c, draw.choice(texts), draw.choice(WORDS))
    elif what == "words":
        known = [p for p in every if not isinstance(get(c, p), dict | list) and get(c, p) in WORDS]
        put(c, draw.choice(known), draw.choice(WORDS))
    elif what == "claim":
        c["claim"] = draw.choice(KINDS)
    elif what == "drop":
        p = draw.choice(every)
        if draw.random() < 0.7 or isinstance(p[-1], int):
            put(c, p, draw.choice([None, []]))
        else:
            get(c, p[:-1]).pop(p[-1])
    elif what in ("swap", "shorter", "longer"):
        one = get(c, draw.choice(lists))
        i, j = draw.randrange(len(one)), draw.randrange(len(one))
        if what == "swap":
            one[i], one[j] = one[j], one[i]
        else:
            one[i : i + 1] = [] if what == "shorter" else [copy.deepcopy(one[j]), one[i]]
    elif what == "type":
        put(c, draw.choice(every), draw.choice([None, True, 0, -1, 1.5, "x", [], {}, [[]], {"a": 1}, 10**30]))
    elif what == "section":
        other = draw.choice(others)
        name = draw.choice([k for k in c if k in other and k != "data"] or ["claim"])
        c[name] = copy.deepcopy(other.get(name))
    elif what == "scale":
        p = draw.choice(lists)
        if all(isinstance(v, str) and v.lstrip("-").isdigit() and len(v) < 4000 for v in get(c, p)):
            put(c, p, [str(draw.choice([2, 3, 3]) * int(v)) for v in get(c, p)])
    elif what == "model":
        v = c["model"][k := draw.choice([*c["model"]])]
        options = [v, None, "labels", "poisson", "successes", 0, 1, [v], not v]
        if isinstance(v, list):
            options += [v[::-1], [*v, "zzz"], v[:1], [*v[:-1], None], [*v[1:], *v[:1]], [*v, None]] * 2
        c["model"][k] = draw.choice(options)
    elif what == "nest":
        value: Any = "1"
        for _ in range(draw.choice([3, 60])):
            value = [value] if draw.random() < 0.5 else {"at": value}
        put(c, draw.choice(every), value)
    elif what == "extra":
        target = get(c, draw.choice([p for p in [(), *every] if isinstance(get(c, p), dict)]))
        target[draw.choice(["note", "weights", "claim", "", "at"])] = "1"
    elif what == "digest":
        c["data"] |= {"digest": f"{draw.getrandbits(256):064x}"}
    elif what == "state":
        known = [p for p in every if not isinstance(get(c, p), list) and get(c, p) in STATES[:-1]]
        for p in draw.sample(known, min(len(known), draw.choice([1, 1, 2]))):
            put(c, p, draw.choice(STATES))
    elif what == "term":
        _other_term(
            draw, get(c, draw.choice([p for p in every if isinstance(get(c, p), dict) and get(c, p).keys() in LISTS]))
        )
    elif what == "vector":
        _other_vector(draw, c)
    elif what == "bounds":
        p = draw.choice([p for p in texts if p[-1] in ("lower", "upper")])
        top, bottom = map(int, get(c, p).split("/"))
        put(c, p, f"{top * 10**30 + draw.choice([-1, 1])}/{bottom * 10**30}")
    return what


def _other_term(draw: random.Random, one: dict[str, Any]) -> None:
    """One weighted row, or one place of a vector, is removed, changed or added in all its lists."""
    size = min(map(len, one.values()))
    k, how = draw.randrange(size) if size else 0, draw.choice(["remove", "change", "change", "add"])
    for name, values in one.items():
        new = draw.choice(["1", "2", "3", "-1"]) if name in ("weights", "values") else draw.randrange(4)
        if how == "remove" and size:
            values.pop(k)
        elif how == "add" or not size:
            values.insert(k, new)
        elif draw.random() < 0.5:
            values[k] = new
    if "at" in one and draw.random() < 0.8 and all(type(j) is int for j in one["at"]):
        order = dict(sorted(zip(one["at"], one["values"], strict=False)))
        one["at"], one["values"] = list(order), list(order.values())


def _other_vector(draw: random.Random, c: dict[str, Any]) -> None:
    """Of directions and complement: a vector is lost, moved to the other, at another place, or new."""
    name, other = draw.sample(["directions", "complement"], 2)
    kept, how = c[name], draw.randrange(4)
    if how < 2 and kept:
        vector = kept.pop(draw.randrange(len(kept)))
        c[other] += [vector] * how
    elif how == 2 and kept:
        draw.shuffle(kept)
    else:
        at = sorted(draw.sample(range(4), draw.choice([1, 1, 2])))
        values = [draw.choice(["1", "-1", "2"]) for _ in at]
        kept.insert(draw.randrange(len(kept) + 1), {"at": at, "values": values})


def changed_data(draw: random.Random, X: list[list[Any]], y: list[Any]) -> tuple[list[list[Any]], list[Any]]:
    X, y = copy.deepcopy(X), list(y)
    i, j = draw.randrange(len(X)), draw.randrange(len(X[0]))
    what = draw.randrange(5)
    if what == 0:
        X[i][j] = type(X[i][j])(float(X[i][j]) + draw.choice([1, -1, 0.25]))
    elif what == 1:
        y[i] = draw.choice(y)
    elif what == 2 and len(X) > 1:
        k = draw.randrange(len(X))
        X[i], X[k], y[i], y[k] = X[k], X[i], y[k], y[i]
    elif what == 3:
        X.append(list(draw.choice(X)))
        y.append(draw.choice(y))
    elif len(X) > 1:
        X.pop(i), y.pop(i)
    return X, y


def bases(folder: Path, many: int, seed: object) -> list[Problem]:
    """Return small problems with certificates, so that the oracle is fast."""
    found: list[Problem] = []
    for k in range(100 * many):
        p = (two_class, margins, regression, regression)[k % 4](folder, k, random.Random(f"forge {seed} {k}"))
        classes = p.certificate["model"]["classes"] or "01"
        D = (len(classes) - 1) * (p.certificate["data"]["columns"] + 1)
        if len(p.X) <= 8 and D <= 8 and sum(len(str(x)) for row in p.X for x in row) < 600:
            found.append(p)
        if len(found) == many:
            return found
    raise AssertionError("too few small problems")


def digest_of(X: list[list[Any]], y: list[Any]) -> str:
    """Return the digest of points, by the checker."""
    found = checker.Digest(len(X[0]))
    for row, t in zip(X, y, strict=True):
        pairs = [(j, float(x)) for j, x in enumerate(row) if float(x)]
        found.add(checker.label_value(str(t)), [j for j, _ in pairs], [x for _, x in pairs])
    return found.hexdigest()


def said(source: Any, path: str) -> str | None:
    """Return the kind that the checker proves; None if it refuses. Anything else it raises is a fault of it."""
    try:
        c = checker.read_certificate(source)
        table = checker.PlainTable(path, c)
        found = checker.check(c, table)
        list(checker.report(c, found, table.header))
    except checker.CertificateError:
        return None
    return found.kind


class Forgery(NamedTuple):
    """A certificate that was changed, as text, and the data that it is tried on."""

    text: str
    path: str
    X: list[list[Any]]
    y: list[Any]
    what: list[str]  # the changes


def forgeries(folder: Path, many: int, seed: object, at_once: int = 60) -> Iterator[Forgery]:
    """Yield so many forgeries of small problems."""
    draw, every, made = random.Random(f"forgeries {seed}"), bases(folder, at_once, seed), 0
    while made < many:
        p = draw.choice(every)
        c, X, y, path, what = copy.deepcopy(p.certificate), p.X, p.y, p.path, [p.name]
        if draw.random() < 0.35:  # about other data, with their digest
            X, y = changed_data(draw, X, y)
            path, file = write(folder, f"forged{made}", X, y, draw)
            c["data"] |= {"digest": digest_of(X, y), "rows": len(X), "file": file}
            what.append("other data")
        alike = [q.certificate for q in every if len(q.X[0]) == len(p.X[0])]
        for _ in range(draw.choice([0, 1, 1, 2, 3] if what[1:] else [1, 1, 2, 3])):
            try:
                what.append(mutate(draw, c, alike))
            except (TypeError, KeyError, AttributeError, ValueError, IndexError):
                what.append("none")  # a second change of what the first one destroyed
        if c != p.certificate:
            made += 1
            text = json.dumps(c)
            yield Forgery(damaged(draw, text) if draw.random() < 0.15 else text, path, X, y, what)


def tried(found: Forgery, folder: Path) -> str | None:
    """Return the kind that the checker proves, or None; AssertionError if it accepts what is false."""
    (folder / "forged.json").write_text(found.text)
    kind = said(folder / "forged.json", found.path)
    if kind is not None:
        c, points = json.loads(found.text), oracle.points_of(found.X, found.y)
        why = oracle.false(points, oracle.claims_of(c, points))
        assert why is None, (why, found)
        assert kind == c["claim"]
        assert nv.verify(c, [[float(x) for x in row] for row in found.X], [str(t) for t in found.y]) == kind
    return kind


def damaged(draw: random.Random, text: str) -> str:
    """Return the text of a certificate, now and then broken."""
    if draw.random() > 0.2:
        return text
    nested = ["[" * 50_000 + text, text.replace(": ", ": " + "[" * 150_000, 1), "null", "[]", "\x00" + text]
    words = [text.replace('"1"', "1e400", 1), text.replace("1", "NaN", 1), text[:-1] + ', "claim": "overlap"}']
    return draw.choice([*nested, *words, text[:-1]])
