"""Ways to damage a certificate or its data; each keeps the rest as it is."""

from __future__ import annotations

import contextlib
import copy
import json
import random
from collections.abc import Callable
from typing import Any

from oracles.brute_force_proofs import certificate, problem
from oracles.judge_of_proofs import Rows, digest

Case = tuple[dict[str, Any], Rows]
Change = Callable[[random.Random, dict[str, Any], Rows], None]
LISTS = ["w", "weights", "held_weights", "support", "held"]
ODD = [None, True, 0, -1, 1.0, "", "0", "-0", "+1", "1.0", "01", " 1", "1e3", "0x10", "1_0", "½", "١", [], {}, ["1"],
       float("nan"), 2**70, "9" * 50]  # fmt: skip


def known_list(random: random.Random, c: dict[str, Any]) -> list[Any]:
    there = [c[name] for name in LISTS if c[name]]
    return random.choice(there)


def another_entry(random: random.Random, c: dict[str, Any], rows: Rows) -> None:
    """A number of a list is changed a little, negated, or becomes nonsense."""
    values = known_list(random, c)
    k = random.randrange(len(values))
    old = int(values[k])
    new = random.choice([old + 1, old - 1, -old, 0, old * 2, old * 10, old + len(rows), old + 10**40])
    values[k] = random.choice(ODD) if random.random() < 0.2 else new if isinstance(values[k], int) else str(new)


def digit(random: random.Random, c: dict[str, Any], rows: Rows) -> None:
    """One digit of an integer is another."""
    values = [v for name in ("w", "weights", "held_weights") if (v := c[name])]
    if not values:
        return another_entry(random, c, rows)
    some = random.choice(values)
    k = random.randrange(len(some))
    at = random.randrange(len(some[k]))
    some[k] = some[k][:at] + random.choice("0123456789-") + some[k][at + 1 :]
    return None


def shorter_or_longer(random: random.Random, c: dict[str, Any], rows: Rows) -> None:
    values = known_list(random, c)
    if random.random() < 0.5:
        values.pop(random.randrange(len(values)))
    else:
        values.insert(random.randrange(len(values) + 1), random.choice(values))


def row_out_of_the_proof(random: random.Random, c: dict[str, Any], rows: Rows) -> None:
    names = random.choice([("support", "weights"), ("held", "held_weights")])
    if c[names[0]]:
        k = random.randrange(len(c[names[0]]))
        for name in names:
            c[name].pop(k)
    else:
        c[names[0]], c[names[1]] = [random.randrange(len(rows))], ["1"]


def all_weights_times(random: random.Random, c: dict[str, Any], rows: Rows) -> None:
    """The same proof in other words (times 3), or its negative."""
    name, times = random.choice(["w", "weights", "held_weights"]), random.choice([3, -1, 0])
    c[name] = c[name] and [str(int(text) * times) for text in c[name]]
    if name == "w" and c["b"] is not None:
        c["b"] = str(int(c["b"]) * times)


def order_of_rows(random: random.Random, c: dict[str, Any], rows: Rows) -> None:
    random.shuffle(known_list(random, c))


def bias_term(random: random.Random, c: dict[str, Any], rows: Rows) -> None:
    c["b"] = random.choice([None, "0", "1", "-1", str(int(c["b"] or 0) + random.choice([1, -1, 10**9]))])


def no_field(random: random.Random, c: dict[str, Any], rows: Rows) -> None:
    where = random.choice([c, c["data"]])
    name = random.choice(list(where))
    if random.random() < 0.5:
        del where[name]
    else:
        where[name] = random.choice(ODD)


def new_field(random: random.Random, c: dict[str, Any], rows: Rows) -> None:
    random.choice([c, c["data"]])[random.choice(["interval", "lambda", "proof", "W", "note"])] = "interval"


def other_claim(random: random.Random, c: dict[str, Any], rows: Rows) -> None:
    c["claim"] = random.choice(["complete", "quasi-complete", "overlap", "not separable", "separable", "Overlap", ""])


def other_version(random: random.Random, c: dict[str, Any], rows: Rows) -> None:
    c["format"] = random.choice(["novikoff-certificate/2", "novikoff-certificate/1 ", "novikoff-certificate", 1])


def other_size(random: random.Random, c: dict[str, Any], rows: Rows) -> None:
    c["data"][random.choice(["n", "d"])] += random.choice([1, -1, 10**6, 2**63])


def other_digest(random: random.Random, c: dict[str, Any], rows: Rows) -> None:
    old, at = c["data"]["digest"], random.randrange(64)
    c["data"]["digest"] = random.choice(
        [old[:at] + random.choice("0123456789abcdefG") + old[at + 1 :], old.upper(), ""]
    )


def other_bias(random: random.Random, c: dict[str, Any], rows: Rows) -> None:
    c["data"]["bias"] = not c["data"]["bias"]
    c["b"] = random.choice([c["b"], None, "0", "1"])


def other_meaning(random: random.Random, c: dict[str, Any], rows: Rows) -> None:
    c["data"]["numbers"] = random.choice(["decimal", "binary32", 64, None])


def other_positive(random: random.Random, c: dict[str, Any], rows: Rows) -> None:
    data = c["data"]
    data["positive"], data["negative"] = random.choice(
        [(data["negative"], data["positive"]), (data["positive"], data["positive"]), ("2", data["negative"])]
    )


def other_number(random: random.Random, c: dict[str, Any], rows: Rows) -> None:
    """One number of the data."""
    _, texts = rows[random.randrange(len(rows))]
    k = random.randrange(len(texts))
    texts[k] = random.choice(["7", "-1", "0", "0.3", "0.30000000000000004", texts[k] + "1", texts[k].lstrip("-")])


def other_label(random: random.Random, c: dict[str, Any], rows: Rows) -> None:
    k = random.randrange(len(rows))
    rows[k] = (random.choice(["0", "1", "0", "1", "2"]), rows[k][1])


def row_less_or_more(random: random.Random, c: dict[str, Any], rows: Rows) -> None:
    if len(rows) > 1 and random.random() < 0.5:
        rows.pop(random.randrange(len(rows)))
    else:
        label, texts = random.choice(rows)
        rows.insert(random.randrange(len(rows) + 1), (random.choice([label, "0", "1"]), list(texts)))
    if random.random() < 0.7:
        c["data"]["n"] = len(rows)


def rows_in_another_order(random: random.Random, c: dict[str, Any], rows: Rows) -> None:
    random.shuffle(rows)


def column_less(random: random.Random, c: dict[str, Any], rows: Rows) -> None:
    k = random.randrange(len(rows[0][1]))
    if len(rows[0][1]) > 1:
        for _, texts in rows:
            texts.pop(k)
        if c["w"] and random.random() < 0.8:
            c["w"].pop(k)
        c["data"]["d"] = len(rows[0][1])


CHANGES: list[Change] = [another_entry, digit, shorter_or_longer, row_out_of_the_proof, all_weights_times,
                         order_of_rows, bias_term, no_field, new_field, other_claim, other_version, other_size,
                         other_digest, other_bias, other_meaning, other_positive, other_number, other_label,
                         row_less_or_more, rows_in_another_order, column_less]  # fmt: skip


def case(random: random.Random) -> Case:
    """A true certificate and its data."""
    while True:
        rows, bias = problem(random)
        try:
            return certificate(rows, bias, random.random() < 0.3), rows
        except RuntimeError:
            continue


def tampered(random: random.Random, true: Case, change: Change) -> Case:
    """A damaged copy; half of the damage to data comes with the digest of what it has become."""
    c, rows = copy.deepcopy(true)
    change(random, c, rows)
    data = c.get("data")
    if random.random() < 0.6 and change is not other_digest and isinstance(data, dict) and "digest" in data:
        with contextlib.suppress(OverflowError):  # a number has become infinite
            data["digest"] = digest(rows)
    return c, rows


def tampered_text(random: random.Random, c: dict[str, Any]) -> bytes:
    """The certificate's text, cut, or with a byte changed, left out or doubled."""
    raw = json.dumps(c).encode()
    at = random.randrange(len(raw))
    how = random.randrange(4)
    some = bytes([random.choice([random.randrange(256), *b'0123456789"[]{},:-null'])])
    return [raw[:at], raw[:at] + some + raw[at + 1 :], raw[:at] + raw[at + 1 :], raw[:at] + raw[at:]][how] + (
        raw[at:][:5] if how == 3 else b""
    )
