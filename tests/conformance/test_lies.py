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
COMPUTED = ", some planes computed, not learned"
Change = Callable[[str], str]


def found_in(what: str, cases: int = 25) -> set[str]:
    """The claims that are found to be false."""
    return {finding.claim for done in audits(0, cases, what) for finding in done.found}


def told_otherwise(patch: pytest.MonkeyPatch, words: Change, document: Change) -> None:
    """Commands that answer something else than they do."""
    honest = claims.novikoff

    def lying(*args: object) -> Told:
        info = honest(*args)
        change = document if "--json" in args else words
        return info._replace(out=change(info.out))

    patch.setattr(claims, "novikoff", lying)
    patch.setattr(traces, "novikoff", lying)


def same(text: str) -> str:
    return text


def with_field(name: str, change: Callable[[Any], Any]) -> Change:
    """The JSON document with another value."""

    def changed(text: str) -> str:
        info = json.loads(text)
        return json.dumps(info | {name: change(info[name])} if info.get(name) is not None else info)

    return changed


def raised(pattern: str) -> Change:
    """One more in the first place of the words that fits."""
    return lambda text: re.sub(pattern, lambda place: f"{place[1]}{int(place[2]) + 1}", text, count=1)


def swapped(text: str) -> str:
    """The two classes of a sentence that says which is +."""
    return re.sub(r"\+ is (\S+), − is (\S+)", r"+ is \2, − is \1", text)


def next_step(promise: str) -> Change:
    """Another next step."""
    return lambda text: re.sub("^next   .*", f"next   {promise}", text, flags=re.M)


LIES = {
    "a count of errors in words": ("fit", raised(r"()(\d+)(?= of \d+ training points wrong)"), same, "errors in words"),
    "a count of updates in JSON": ("fit", same, with_field("updates", lambda k: k + 1), "updates"),
    "SEPARATED of a model that errs": (
        "fit many", lambda text: text.replace("STOPPED: maximum passes", "SEPARATED"), same, "SEPARATED in words",
    ),
    "a computed plane told as a learned one": (
        "fit", lambda text: text.replace(", by a plane that was computed, not learned", ""), same,
        "computed, not learned, in words",
    ),
    "a learned plane told as a computed one": (
        "fit many", lambda text: text.replace("(checked exactly)\n", f"(checked exactly){COMPUTED}\n"), same,
        "computed, not learned, in words",
    ),
    "planes that cannot have been computed": (
        "fit many", lambda text: text.replace("its points, else", "its points, learned or computed, else"), same,
        "planes that may be computed",
    ),
    "a pair that is separable": (
        "certify many", lambda text: re.sub("NOT SEPARABLE, .*", "separable", text, count=1), same, "a pair in words",
    ),
    "more pairs that are separable": ("certify many", raised(r"^()(\d+)"), same, "the first words"),
    "another proof of a pair": (
        "certify many", same, with_field("pairs", lambda pairs: [one | {"support": [0]} for one in pairs]),
        "the proof is of points of the pair",
    ),
    "a computed plane that does not separate": ("fit", same, with_field("w", lambda w: [-v for v in w]),
                                                "a computed plane separates"),
    "NOT SEPARABLE of separable points": (
        "fit", lambda text: re.sub("^SEPARATED|^SEPARABLE", "NOT SEPARABLE", text), same, "SEPARATED in words",
    ),
    "SEPARABLE of points that are not": ("fit", lambda text: text.removeprefix("NOT "), same, "SEPARABLE (proved)"),
    "no plane has fewer errors": (
        "fit", lambda text: text.replace(" wrong\n", " wrong, and no plane has fewer\n"), same, "no plane has fewer",
    ),
    "a tie less": ("fit", lambda text: re.sub(r", of which \d+ ties?", "", text), same, "of which ties"),
    "a next step that does not do it": ("fit", next_step("--keep auto returns weights that separate the points"), same,
                                        "next: the promised weights separate the points"),
    "a proof that is not there": ("fit", next_step("novikoff certify prints the proof"), same,
                                  "next: no plane separates the points"),
    "a widest plane that is not there": ("fit", next_step("novikoff margin finds the widest plane"), same,
                                         "next: there is a widest plane"),
    "another class that cannot be separated": (
        "fit many", lambda text: text.replace("; no plane separates ", "; no plane separates not "), same,
        "no plane, in words",
    ),
    "a class that can be separated": (
        "fit many", same, with_field("planes_decided", lambda some: [one | {"separable": True} for one in some]),
        "decided planes",
    ),
    "more rows in a proof": ("fit", raised(r"(proved by )(\d+)"), same, "no plane, in words"),
    "why the run ended in words": ("fit", lambda text: text.replace("; maximum passes;", ";"), same,
                                   "why the run ended, in words"),
    "another scheme": ("fit many", same, with_field("multi", lambda multi: "joint"), "multi"),
    "another chance": ("fit many", raised(r"(chance .*with )(\d+)"), same, "chance: parameters"),
    "a smaller gap in words": ("fit soft", lambda text: re.sub(r"at most \S+ of", "at most 1e-99 of", text), same,
                               "the gap in words is not below the gap"),
    "a gap that does not hold": ("fit soft", same, with_field("gap", lambda gap: -1e-3),
                                 "the objective is not above its minimum by more than the gap"),
    "another objective": ("fit soft", same, with_field("objective", lambda P: 0.999 * P), "objective"),
    "one error more": ("fit soft", same, with_field("train_errors", lambda k: k + 1), "train_errors"),
    "class weights that were not used": ("fit soft", lambda text: text.replace("balanced class weights, ", ""), same,
                                         "class weights in words"),
    "another kind": ("certify", same, with_field("kind", lambda kind: "overlap"), "kind"),
    "a row that is another": ("certify", raised(r"(on it, with every such plane: \d+ \(points? )(\d+)"), same,
                              "on it: numbers of the file"),
    "a row that is another in JSON": ("separation", same, with_field("rows", lambda rows: [i + 1 for i in rows]),
                                      "separated rows"),
    "classes swapped": ("trace", swapped, same,
                        "which label is +"),
    "classes swapped in the first words": ("margin", swapped, same, "the first words"),
    "a coefficient that does not diverge": ("separation", lambda text: text.replace("+inf", "finite"), same,
                                            "what becomes of the coefficients, in words"),
    "one digit of γ": ("margin", raised(r"(γ = [^\n]*\d)(\d)(?=…)"), same, "geometric: digits of γ"),
    "a bound on the wrong side": ("margin", lambda text: re.sub(r"proved  \S+ ≤", "proved  9 ≤", text), same,
                                  "geometric: γ between its bounds, in words"),
    "R rounded and called exact": ("margin", lambda text: text.replace(" ≈ ", " = "), same, "R = in words is exact"),
    "looks in words": ("trace", raised(r"(· )(\d+)(?= looks)"), same, "the end in words"),
    "a weight of one row": ("explain", raised(r"(bias +1 · +-?)(\d+)"), same, "table: value, weight and product"),
    "missed rows": ("evaluate", raised(r"( )(\d+)(?= +\d+\n\n)"), same, "missed and false positives, in words"),
    "why the run ended": ("explain model", lambda text: text.replace("ended by     ", "ended by     not_"), same,
                          "the end in words"),
}  # fmt: skip


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_of_a_command_is_found(lie: str, monkeypatch: pytest.MonkeyPatch) -> None:
    what, words, document, claim = LIES[lie]
    told_otherwise(monkeypatch, words, document)
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
