"""The auditor: runs a verb on a file, or calls Python on its points, reads every claim of the answer, and derives it
again in fractions from the file alone.

`problems` draws the files and gives their points in many storages, `claims` holds a claim against what is true, `runs`
is the perceptron in fractions; each other module audits some verbs and calls.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

from oracles.auditor import estimators, fits, margins, models, proofs, separations, soft_fits, traces
from oracles.auditor.claims import Audit, Finding
from oracles.auditor.problems import drawn

__all__ = ["AUDITS", "Audit", "Finding", "audit", "audits"]

AUDITS = {
    "fit": fits.audit_fit,
    "fit many": fits.audit_many,
    "fit soft": soft_fits.audit_soft,
    "fit soft many": soft_fits.audit_soft,
    "certify": proofs.audit_certify,
    "certify many": proofs.audit_certify_pairs,
    "separation": separations.audit_separation,
    "margin": margins.audit_margin,
    "trace": traces.audit_trace,
    "explain model": models.audit_description,
    "explain": models.audit_model,
    "explain many": models.audit_model,
    "evaluate": models.audit_model,
    "evaluate many": models.audit_model,
    "predict": models.audit_model,
    "predict many": models.audit_model,
    "explain model many": models.audit_description,
    "nv.decide": proofs.audit_decide,
    "nv.decide many": proofs.audit_decide_pairs,
    "nv.removal": proofs.audit_removal,
    "nv.margin": margins.audit_call,
    "nv.margins": margins.audit_margins,
    "nv.separation": separations.audit_call,
    "nv.trace": traces.audit_call,
    "nv.Perceptron": estimators.audit_perceptron,
    "nv.Perceptron many": estimators.audit_perceptron,
    "nv.Perceptron.partial_fit": estimators.audit_partial_fit,
    "nv.MaxMargin": margins.audit_widest,
    "fit batch": fits.audit_batch,
    "trace batch": traces.audit_batch,
    "nv.Perceptron batch": estimators.audit_batch,
}
"""what is run: on three classes where it says many, in the order batch where it says so"""
WILD = ("certify", "separation", "trace", "nv.decide", "nv.margin", "nv.separation", "nv.trace")
"""what is exact for numbers of any size; a run of `fit` is held against one that does not round"""
BIASED = ("separation", "nv.separation", "nv.MaxMargin", "fit soft", "fit soft many")  # always with an intercept


def audit(seed: object, folder: Path, what: str | None = None) -> Audit:
    """One case."""
    chance = random.Random(str(seed))
    what = what or chance.choice(list(AUDITS))
    verb = what.split()[0]
    table = drawn(chance, what.endswith(" many"), verb in WILD)
    if what not in BIASED and chance.random() < 0.2:
        table.without_bias()
    done = Audit(table, verb)
    AUDITS[what](done, folder, chance)
    return done


def audits(first: int, count: int, what: str | None = None) -> Iterator[Audit]:
    """Cases by their numbers."""
    with tempfile.TemporaryDirectory() as where:
        for number in range(first, first + count):
            yield audit(number, Path(where), what)
