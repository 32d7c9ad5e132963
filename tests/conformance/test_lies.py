"""The auditor can fail: every kind of claim is found to be false when the product's answer is changed in one place."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from commands import Told, novikoff
from oracles.auditor import AUDITS, Audit, audit, audits, claims as claims, fits, models, traces

Verdict, Trace = type(nv.decide([[0.0], [1.0]], [0, 1])), type(nv.trace([[0], [1]], [-1, 1]))
COMMANDS = [what for what in AUDITS if not what.startswith("nv.")]
CASES, MOST = 10, 500  # files, and lies of a command; each kind of lie is told once


def changed(value: Any) -> Iterator[Any]:
    """Other values of JSON in place of one."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield from (value + 1, -value - 1)
    elif isinstance(value, str):
        number = re.fullmatch(r"(-?)(\d+)(.*)", value)
        yield from ([f"{number[1]}{int(number[2]) + 1}{number[3]}", f"-{value}"] if number else [f"{value}x"])


def documents(value: Any, at: str = "") -> Iterator[tuple[str, Any]]:
    """The document with one value changed, and where; of lists the first and the last item."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from ((place, value | {key: new}) for place, new in documents(inner, f"{at}.{key}"))
    elif isinstance(value, list):
        for k in {0, len(value) - 1} if value else ():
            yield from ((place, [*value[:k], new, *value[k + 1 :]]) for place, new in documents(value[k], f"{at}.*"))
        if value:
            yield f"{at} shorter", value[:-1]
    else:
        yield from ((f"{at} {k}", new) for k, new in enumerate(changed(value)))


def texts(words: str) -> Iterator[tuple[str, str]]:
    """The words with one number or line changed, and where."""
    for found in re.finditer(r"(?<![\w.])\d+", words):
        line = words[words.rfind("\n", 0, found.start()) + 1 : found.start()]
        where = re.sub(r"\d[\d.,/e+…]*", "#", line)[-25:]
        yield where, f"{words[: found.start()]}{int(found[0]) + 1}{words[found.end() :]}"
    lines = words.split("\n")
    for k, line in enumerate(lines):
        where = re.sub(r"\d+", "#", line)[:12]
        yield f"no {where}", "\n".join([*lines[:k], *lines[k + 1 :]])
        yield f"swapped {where}", "\n".join([*lines[:k], " ".join(line.split(" ")[::-1]), *lines[k + 1 :]])
    for old, new in SENTENCES:
        if (other := re.sub(old, new, words, count=1, flags=re.M)) != words:
            yield f"{old} {new}", other


SENTENCES = (
    (" through the origin", ""),
    (r" plane (separates|has)", r" plane through the origin \1"),
    ("^", "SEPARABLE (proved)  "),
    (r"\A", "separable by a plane  "),
    (r"^SEPARATED|^SEPARABLE", "NOT SEPARABLE (proved)"),
    (" wrong$", " wrong, and none has fewer"),
    (" wrong$", " wrong, and no plane has fewer"),
    (r", of which \d+ ties?$", ""),
    (r"points wrong$", "points wrong, of which 9 ties"),
    ("^next .*", "next   novikoff margin finds the widest plane"),
    ("^next .*", "next   novikoff certify prints the proof"),
    ("; maximum passes;", ";"),
    (r"\+ is (\S+), − is (\S+)", r"+ is \2, − is \1"),
    (r"− is (\S+), \+ is (\S+)", r"− is \2, + is \1"),
    (r"> 0 on (\S+), < 0 on (\S+)", r"> 0 on \2, < 0 on \1"),
    ("finite", "+inf"),
    ("≈", "≈−"),
    (" ≈ ", " = "),
    (", computed, not learned|, by a plane that was computed, not learned", ""),
    (r"\(checked exactly\)$", "(checked exactly), by me"),
    (", learned or computed", ""),
    (r"(its points), else", r"\1, learned or computed, else"),
    ("every labelling", "almost every labelling"),
    (r"no estimate of \S+", "no estimate of it"),
    ("the objective of every plane", "the objective"),
    ("gap    the objective is", "gap    the objective of every plane is"),
)


def lies(command: tuple[str, ...], honest: Told) -> Iterator[tuple[str, Told]]:
    """What the command might have told instead, and the kind of the lie."""
    yield "exit code", honest._replace(code=1 - honest.code)
    if "--json" in command:
        for where, document in documents(honest.json):
            yield where, honest._replace(out=json.dumps(document))
    else:
        for where, words in texts(honest.out):
            yield where, honest._replace(out=words)


def falsified(what: str, patch: pytest.MonkeyPatch) -> tuple[set[str], set[str]]:
    """The kinds of claims that are checked, and those of them that some lie makes false."""
    told: dict[tuple[str, ...], Told] = {}
    lie: dict[tuple[str, ...], Told] = {}
    checked, found, tried = set[str](), set[str](), set[str]()

    def telling(*args: object) -> Told:
        command = tuple(map(str, args))
        if command not in told:
            told[command] = novikoff(*args)
        return lie.get(command, told[command])

    class Recorded(Audit):
        def claim(self, name: str, said: Any, true: Any) -> None:
            checked.add(name)
            super().claim(name, said, true)

    for module in (claims, fits, models, traces):
        patch.setattr(module, "novikoff", telling)
    patch.setattr("oracles.auditor.Audit", Recorded)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(CASES):
            told.clear()
            assert audit(number, Path(folder), what).found == []
            answers = {c: info for c, info in told.items() if c[0] == what.split()[0] or c[0] == "verify"}
            for command, honest in answers.items():
                for kind, other in lies(command, honest):
                    if (kind := f"{kind} {command[0]} {len(command)}") not in tried and len(tried) < MOST:
                        tried.add(kind)
                        lie[command] = other
                        with suppress(Exception):  # an answer that cannot be read is noticed, but is no claim
                            found |= {one.claim for one in audit(number, Path(folder), what).found}
                        lie.clear()
    return checked, found


@pytest.mark.parametrize("what", COMMANDS)
def test_the_claims_of_a_command_can_be_false(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three of four kinds by such simple lies; the others need two lies that agree, or points that are rare."""
    checked, found = falsified(what, monkeypatch)
    assert found <= checked
    assert len(checked - found) <= max(2, len(checked) // 4), checked - found


RARE = {
    "SEPARABLE (proved)": lambda text: text.removeprefix("NOT "),
    "next: the promised weights separate the points": lambda text: re.sub(
        "^next .*", "next   --keep auto returns weights that separate the points", text, flags=re.M
    ),
}


@pytest.mark.parametrize("claim", RARE)
def test_a_rare_lie_is_found(claim: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def lying(*args: object) -> Told:
        info = novikoff(*args)
        return info if "--json" in args else info._replace(out=RARE[claim](info.out))

    monkeypatch.setattr(claims, "novikoff", lying)
    assert claim in {one.claim for done in audits(0, 25, "fit") for one in done.found}


def lying_method(kind: type, name: str, change: Callable[[Any], Any]) -> tuple[type, str, Any]:
    honest = getattr(kind, name)
    return kind, name, lambda self, *args, **more: change(honest(self, *args, **more))


CALLS = {
    "a prediction": ("nv.Perceptron", lying_method(nv.Perceptron, "predict", lambda y: y[::-1]), "predict"),
    "a score": ("nv.Perceptron", lying_method(nv.Perceptron, "decision_function", np.negative),
                "decision_function: its sign"),
    "the score of all": ("nv.MaxMargin", lying_method(nv.MaxMargin, "score", lambda share: share / 2), "score"),
    "a sentence": ("nv.decide", lying_method(Verdict, "__str__", lambda text: f"not {text}"), "str: the answer"),
    "a place": ("nv.decide", lying_method(Verdict, "place", lambda place: f"{place}0"), "places"),
    "a step": ("nv.trace", lying_method(Trace, "to_csv", lambda text: text.replace(",1,", ",2,")), "CSV: the rest"),
}  # fmt: skip


@pytest.mark.parametrize("lie", CALLS)
def test_a_lie_of_a_call_is_found(lie: str, monkeypatch: pytest.MonkeyPatch) -> None:
    what, patched, claim = CALLS[lie]
    monkeypatch.setattr(*patched)
    assert claim in {one.claim for done in audits(0, 25, what) for one in done.found}


@pytest.mark.parametrize("number", [4008, 4655])
def test_a_proof_of_a_fit_that_counts_rows_among_the_points_is_found(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Perceptron fitted to a file without some rows, whose proof names rows after these: by their numbers there."""
    (honest,) = audits(number, 1, "nv.Perceptron")
    assert (honest.verb, honest.found) == ("nv.Perceptron", [])
    assert honest.numbers == honest.table.of != list(range(len(honest.table.of)))
    monkeypatch.setattr(Verdict, "support", property(lambda self: self.indices))
    (lying,) = audits(number, 1, "nv.Perceptron")
    assert "the weighted rows add up to zero" in {finding.claim for finding in lying.found}
