"""`nv.Perceptron`: what it has after fit, what it predicts, and what its warnings say; `partial_fit`."""

from __future__ import annotations

import random
import re
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

import novikoff as nv
from data.choices import allowed_for_many
from oracles.auditor.claims import Audit, dot, fractions, sum_is_zero, truth
from oracles.auditor.fits import KEEPS, ORDERS, called, claims_of_history, claims_of_scores, strictly_wrong
from oracles.auditor.problems import as_sorted, given, labels
from oracles.auditor.proofs import claims_of_relation
from oracles.auditor.runs import claim_average, lecture, played


def audit_batch(a: Audit, folder: Path, chance: random.Random) -> None:
    audit_perceptron(a, folder, chance, batch=True)


def audit_perceptron(a: Audit, folder: Path, chance: random.Random, batch: bool = False) -> None:
    """Two classes or more; batch: two classes in the order batch."""
    points = given(a, folder, chance)
    a.table = t = as_sorted(a.table)
    request: dict[str, Any] = {
        "keep": chance.choice(KEEPS),
        "order": chance.choice((*ORDERS, "shuffle")),
        "max_iter": chance.choice([6, 6, 150]),
        "eta0": chance.choice([1.0, 1.0, 0.5]),
        "tie": chance.choice(["negative", "positive"]),
        "fit_intercept": t.bias,
        "random_state": 0,
    }
    request |= {"order": "batch", "keep": "last", "max_iter": chance.choice([6, 30])} if batch else {}
    many = len(t.sorted) > 2
    if many:
        schemes = [scheme for scheme in ("ova", "ovo", "joint") if allowed_for_many(scheme, request["keep"])]
        request["multi_class"] = chance.choice(schemes)
    a.command += f", {request}"
    with warnings.catch_warnings(record=True) as info:
        warnings.simplefilter("always", nv.NotSeparatedWarning)
        clf = nv.Perceptron(**request).fit(*points)
    a.words = " ".join(str(w.message) for w in info)
    a.fields(clf, classes_=t.sorted, n_features_in_=t.d)
    scheme, W, b = request.get("multi_class"), clf.coef_.tolist(), clf.intercept_.tolist()
    W, b = (W, b) if many else (W[0], b[0])
    if request["order"] == "batch":  # scores are those of the run, before its weights are multiplied by 1/n
        counts = [Fraction(request["eta0"]) / t.n * int(k) for k in clf.n_mistakes_]
        *W, b = [dot(counts, column) for column in zip(*t.signed, strict=True)] + [0] * (not t.bias)
    predicted = [called(t, W, b, scheme, x, request["tie"]) for x in t.padded]
    a.claim("predict", [str(c) for c in clf.predict(points[0]).tolist()], predicted)
    a.near("score", clf.score(*points), Fraction(sum(p == c for p, c in zip(predicted, t.labels, strict=True)), t.n))
    for i, scores in enumerate(clf.decision_function(points[0])):
        claims_of_scores(a, "decision_function", np.atleast_1d(scores).tolist(), W, b, scheme, i)
    wrong = strictly_wrong(t, W, b, scheme)
    _claims_of_warning(a, clf, request, wrong)
    if scheme is None:
        _claims_of_run(a, clf, request, wrong)


def _claims_of_warning(a: Audit, clf: Any, request: dict[str, Any], wrong: int) -> None:
    """The warning of a run that did not separate the points."""
    t = a.table
    if request["keep"] == "pocket":
        a.claim("a warning where the model returned has errors", bool(a.words), wrong > 0)
    a.told("warning: what ended the run", r"\A(\w+):", clf.stop_reason_)
    made = r"\((\d[\d,]*) updates? in (\d[\d,]*) pass"
    a.told("warning: updates and passes", made, clf.n_updates_, clf.n_iter_)
    a.told("warning: errors of the weights kept", r"have (\d+) of (\d+) training points", wrong, t.n)
    a.told("warning: mistakes of the last pass", r"the last pass made (\d+) mistakes?", clf.history_["mistakes"][-1])
    if rows := re.search(r"`verdict_` proves it with (\d+) row", a.words):
        a.claim("warning: rows of the proof", int(rows[1]), len(clf.verdict_.support))
    if "sorted by class" in a.words and len(t.sorted) == 2:
        a.claim("warning: the rows are sorted by class", t.signs in (sorted(t.signs), sorted(t.signs)[::-1]), True)


def _claims_of_run(a: Audit, clf: Any, request: dict[str, Any], wrong: int) -> None:
    """Counts, history and proofs of a run on two classes."""
    t, kind, batch = a.table, truth(a.table)[0], request["order"] == "batch"
    history, eta = clf.history_, Fraction(request["eta0"]) / (t.n if batch else 1)
    w = t.plane(clf.coef_[0].tolist(), float(clf.intercept_[0]))
    a.claim("history: as many passes", len(history["pass"]), clf.n_iter_)
    a.claim("history: updates in all", sum(history["updates"]), clf.n_updates_)
    a.claim("n_mistakes_ in all", int(clf.n_mistakes_.sum()), sum(history["mistakes"]))
    if clf.stop_reason_ == "separated":
        a.claim("separated: some plane does", kind, "complete")
    if clf.stop_reason_ in ("cycle", "not_separable"):
        a.claim("no plane separates", kind == "complete", False)
    if clf.stop_reason_ == "max_passes":
        a.fields(clf, "max_passes: ", n_iter_=request["max_iter"])
    if request["keep"] == "pocket":
        a.claim("the errors of the pocket", history["pocket_errors"][-1], wrong)
    if request["keep"] == "last" and clf.random_from_ is None and clf.stop_reason_ != "separable":
        counts = [eta * int(k) for k in clf.n_mistakes_]
        for said, column in zip(w, zip(*t.signed, strict=True), strict=True):
            a.near("w is η times the sum of the signed points", said, dot(counts, column))
            if not batch:
                a.claim("w is that sum exactly", Fraction(said), dot(counts, column))
    if clf.cycle_counts_ is not None:
        a.claim("cycle_counts_: no plane separates", kind == "complete", False)
        a.claim("cycle_counts_ add up to zero", sum_is_zero(clf.cycle_counts_.tolist(), t.signed), True)
        a.claim("cycle_counts_: some row is counted", int(clf.cycle_counts_.sum()) > 0, True)
    if clf.verdict_ is not None:
        _claims_of_verdict(a, clf.verdict_)
    run = played(t.signed, request["order"], clf.n_looks_, seed=0)
    if run is not None and clf.random_from_ is None:
        if clf.stop_reason_ != "separable":  # whose plane is computed
            claim_average(a, request["keep"], run, [v / eta for v in fractions(w)])
        a.fields(clf, n_updates_=len(run.updates), n_looks_=run.looks, n_mistakes_=run.counts)
        claims_of_history(a, history, run, eta, history["mistakes"] if batch else None)


def _claims_of_verdict(a: Audit, v: Any) -> None:
    """A verdict_, which does not hold the points."""
    t = a.table
    a.fields(v, "verdict_: ", separable=truth(t)[0] == "complete", classes=t.sorted, n=t.n, d=t.d)
    if v.separable:
        a.claim("verdict_: the plane", min(dot(t.plane(v.w, v.b), z) for z in t.signed) > 0, True)
    else:
        support = a.rows(v.support, "verdict_")
        claims_of_relation(a, support, v.weights)
        a.claim("verdict_: places", [str(v.place(i)) for i in v.support], [a.places[i] for i in support])


def audit_partial_fit(a: Audit, folder: Path, chance: random.Random) -> None:
    """Rows shown once, in two parts."""
    a.table = t = as_sorted(a.table)
    a.number_rows(range(t.n))
    X, y = np.array([[float(v) for v in x] for x in t.points]), np.array(labels(t))
    cut = chance.randint(1, t.n - 1)
    clf = nv.Perceptron(keep="last", fit_intercept=t.bias)
    clf.partial_fit(X[:cut], y[:cut], classes=np.unique(y)).partial_fit(X[cut:], y[cut:])
    run = lecture(t.signed, t.n)
    of = [sum(k for k, c in zip(run.counts, t.labels, strict=True) if c == label) for label in t.sorted]
    a.command = f"partial_fit, {cut} rows first"
    a.fields(clf, n_updates_=len(run.updates), n_looks_=t.n, n_mistakes_=of, stop_reason_="stream_ended")
    a.claim("weights", fractions(t.plane(clf.coef_[0].tolist(), float(clf.intercept_[0]))), run.w)
