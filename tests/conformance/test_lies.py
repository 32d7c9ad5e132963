"""The auditor can fail: each of these lies, told in the product's place, is found."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from commands import Told
from oracles.auditor import audits, claims, traces

Verdict, Trace = type(nv.decide([[0.0], [1.0]], [0, 1])), type(nv.trace([[0], [1]], [-1, 1]))


def found_in(what: str, cases: int = 25) -> set[str]:
    """The claims that are found to be false."""
    return {finding.claim for done in audits(0, cases, what) for finding in done.found}


def told_otherwise(patch: pytest.MonkeyPatch, change: Callable[[str], str], document: bool) -> None:
    """Commands that answer something else than they do: in words, or as a document."""
    honest = claims.novikoff

    def lying(*args: object) -> Told:
        info = honest(*args)
        return info._replace(out=change(info.out)) if ("--json" in args) == document else info

    patch.setattr(claims, "novikoff", lying)
    patch.setattr(traces, "novikoff", lying)


def raised(place: re.Match[str]) -> str:
    """One more than the number in the second group."""
    return f"{place[1]}{int(place[2]) + 1}"


NEXT, LEARNED = "(?m)^next   .*", r"\(checked exactly\)$"
COMPUTED = "(checked exactly), some planes computed, not learned"
PROMISED = "next   --keep auto returns weights that separate the points"
SIGNS, SWAPPED = r"\+ is (\S+), − is (\S+)", r"+ is \2, − is \1"
ROW = r"(on it, with every such plane: \d+ \(points? )(\d+)"
WORDS: list[tuple[str, str, Any, str]] = [  # the command, words and those in their place, the claim that is found false
    ("fit", r"()(\d+)(?= of \d+ training points wrong)", raised, "errors in words"),
    ("fit many", "STOPPED: maximum passes", "SEPARATED", "SEPARATED in words"),
    ("fit", ", by a plane that was computed, not learned", "", "computed, not learned, in words"),
    ("fit many", f"(?m){LEARNED}", COMPUTED, "computed, not learned, in words"),
    ("fit many", "its points, else", "its points, learned or computed, else", "planes that may be computed"),
    ("certify many", "NOT SEPARABLE, .*", "separable", "a pair in words"),
    ("certify many", r"^()(\d+)", raised, "the first words"),
    ("fit", "^SEPARATED|^SEPARABLE", "NOT SEPARABLE", "SEPARATED in words"),
    ("fit", "^NOT ", "", "SEPARABLE (proved)"),
    ("fit", " wrong\n", " wrong, and no plane has fewer\n", "no plane has fewer"),
    ("fit", r", of which \d+ ties?", "", "of which ties"),
    ("fit", NEXT, PROMISED, "next: the promised weights separate the points"),
    ("fit", NEXT, "next   novikoff certify prints the proof", "next: no plane separates the points"),
    ("fit", NEXT, "next   novikoff margin finds the widest plane", "next: there is a widest plane"),
    ("fit many", "; no plane separates ", "; no plane separates not ", "no plane, in words"),
    ("fit", r"(proved by )(\d+)", raised, "no plane, in words"),
    ("fit", "; maximum passes;", ";", "why the run ended, in words"),
    ("fit many", r"(chance .*with )(\d+)", raised, "chance: parameters"),
    ("fit soft", r"at most \S+ of", "at most 1e-99 of", "the gap in words is not below the gap"),
    ("fit soft", "balanced class weights, ", "", "class weights in words"),
    ("certify", ROW, raised, "on it: numbers of the file"),
    ("trace", SIGNS, SWAPPED, "which label is +"),
    ("margin", SIGNS, SWAPPED, "the first words"),
    ("separation", r"\+inf", "finite", "what becomes of the coefficients, in words"),
    ("margin", r"(γ = [^\n]*\d)(\d)(?=…)", raised, "geometric: digits of γ"),
    ("margin", r"proved  \S+ ≤", "proved  9 ≤", "geometric: γ between its bounds, in words"),
    ("margin", " ≈ ", " = ", "R = in words is exact"),
    ("trace", r"(· )(\d+)(?= looks)", raised, "the end in words"),
    ("explain", r"(bias +1 · +-?)(\d+)", raised, "table: value, weight and product"),
    ("evaluate", r"( )(\d+)(?= +\d+\n\n)", raised, "missed and false positives, in words"),
    ("explain model", "ended by     ", "ended by     not_", "the end in words"),
]
DOCUMENTS: list[tuple[str, str, Callable[[Any], Any], str]] = [  # the command, a field, its other value, the claim
    ("fit", "updates", lambda k: k + 1, "updates"),
    ("fit", "w", lambda w: [-v for v in w], "a computed plane separates"),
    ("fit many", "planes_decided", lambda some: [one | {"separable": True} for one in some], "decided planes"),
    ("fit many", "multi", lambda multi: "joint", "multi"),
    ("fit soft", "gap", lambda gap: -1e-3, "the objective is not above its minimum by more than the gap"),
    ("fit soft", "objective", lambda P: 0.999 * P, "objective"),
    ("fit soft", "train_errors", lambda k: k + 1, "train_errors"),
    ("certify", "kind", lambda kind: "overlap", "kind"),
    (
        "certify many",
        "pairs",
        lambda pairs: [one | {"support": [0]} for one in pairs],
        "the proof is of points of the pair",
    ),
    ("separation", "rows", lambda rows: [i + 1 for i in rows], "separated rows"),
]


@pytest.mark.parametrize(("what", "words", "others", "claim"), WORDS)
def test_a_lie_in_words_is_found(
    what: str, words: str, others: Any, claim: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told_otherwise(monkeypatch, lambda text: re.sub(words, others, text), document=False)
    assert claim in found_in(what)


@pytest.mark.parametrize(("what", "field", "change", "claim"), DOCUMENTS)
def test_a_lie_in_a_document_is_found(
    what: str, field: str, change: Callable[[Any], Any], claim: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def changed(text: str) -> str:
        info = json.loads(text)
        return json.dumps(info | {field: change(info[field])} if info.get(field) is not None else info)

    told_otherwise(monkeypatch, changed, document=True)
    assert claim in found_in(what)


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
    assert claim in found_in(what)


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
