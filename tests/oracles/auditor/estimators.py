"""`Perceptron` and `MaxMargin`: what they have after fit, what they predict, and what their warnings say."""

from __future__ import annotations

import random
import re
import warnings
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

import novikoff as nv
from data.choices import allowed_for_many
from oracles.auditor import api, proofs
from oracles.auditor.claims import Audit, dot, sum_is_zero, truth
from oracles.auditor.fits import KEEPS, ORDERS, called, ranks, strictly_wrong
from oracles.auditor.models import claims_of_history, score_of_class
from oracles.auditor.problems import Table
from oracles.auditor.runs import claim_average, counted, cyclic, in_order


@dataclass
class Sorted(Table):
    """The same points, with the class that sorts last on the positive side, as estimators have it."""

    @property
    def classes(self) -> list[str]:
        return self.sorted


def as_sorted(t: Table) -> Sorted:
    return Sorted(**vars(t))


def audit_perceptron(a: Audit, folder: Path, chance: random.Random) -> None:
    points = api.given(a, folder, chance)
    a.table = t = as_sorted(a.table)
    many = len(t.sorted) > 2
    request: dict[str, Any] = {
        "keep": chance.choice(KEEPS),
        "order": chance.choice((*ORDERS, "shuffle")),
        "max_iter": chance.choice([6, 6, 150]),
        "eta0": chance.choice([1.0, 1.0, 0.5]),
        "tie": chance.choice(["negative", "positive"]),
        "fit_intercept": t.bias,
        "random_state": 0,
    }
    if many:
        schemes = [scheme for scheme in ("ova", "ovo", "joint") if allowed_for_many(scheme, request["keep"])]
        request["multi_class"] = chance.choice(schemes)
    a.command += f", {request}"
    with warnings.catch_warnings(record=True) as info:
        warnings.simplefilter("always", nv.NotSeparatedWarning)
        clf = nv.Perceptron(**request).fit(*points)
    a.words = " ".join(str(w.message) for w in info)
    a.claim("classes_", [str(c) for c in clf.classes_.tolist()], t.sorted)
    a.claim("n_features_in_", clf.n_features_in_, len(t.points[0]))
    scheme = request["multi_class"] if many else None
    W, b = (clf.coef_.tolist(), clf.intercept_.tolist()) if many else (clf.coef_[0].tolist(), float(clf.intercept_[0]))
    predicted = [called(t, W, b, scheme, x, request["tie"]) for x in t.padded]
    _claims_of_predictions(a, clf, points, predicted)
    scores = clf.decision_function(points[0])
    for i, x in enumerate(t.padded):
        if scheme is None:
            a.score("decision_function", float(scores[i]), dot(t.plane(W, b), x))
        else:
            a.claim("the argmax of decision_function", t.sorted[int(np.argmax(scores[i]))], predicted[i])
            for said, rank in zip(scores[i].tolist(), ranks(t, W, b, scheme, x), strict=True):
                score_of_class(a, said, rank)
    wrong = strictly_wrong(t, W, b, scheme) if scheme else counted(t.signed, t.plane(W, b))[0]
    _claims_of_warning(a, clf, request, wrong)
    if scheme is None:
        _claims_of_run(a, clf, request, wrong)


def _claims_of_predictions(a: Audit, clf: Any, points: tuple[Any, ...], predicted: list[str]) -> None:
    a.claim("predict", [str(c) for c in clf.predict(points[0]).tolist()], predicted)
    right = sum(p == c for p, c in zip(predicted, a.table.labels, strict=True))
    a.near("score", clf.score(*points), Fraction(right, len(predicted)))


def _claims_of_warning(a: Audit, clf: Any, request: dict[str, Any], wrong: int) -> None:
    """The warning of a run that did not separate the points."""
    if request["keep"] == "pocket":
        a.claim("a warning where the model returned has errors", bool(a.words), wrong > 0)
    for reason in re.findall(r"^(\w+):", a.words):
        a.claim("warning: what ended the run", reason, clf.stop_reason_)
    for updates, passes in re.findall(r"\((\d[\d,]*) updates? in (\d[\d,]*) pass", a.words):
        said = (int(updates.replace(",", "")), int(passes.replace(",", "")))
        a.claim("warning: updates and passes", said, (clf.n_updates_, clf.n_iter_))
    for some, of in re.findall(r"have (\d+) of (\d+) training points", a.words):
        a.claim("warning: errors of the weights kept", (int(some), int(of)), (wrong, len(a.table.points)))
    for some in re.findall(r"the last pass made (\d+) mistakes?", a.words):
        a.claim("warning: mistakes of the last pass", int(some), clf.history_["mistakes"][-1])
    for rows in re.findall(r"`verdict_` proves it with (\d+) row", a.words):
        a.claim("warning: rows of the proof", int(rows), len(clf.verdict_.support))
    by_class = all(p <= q for p, q in zip(a.table.signs, a.table.signs[1:], strict=False)) or all(
        p >= q for p, q in zip(a.table.signs, a.table.signs[1:], strict=False)
    )
    if "sorted by class" in a.words and len(a.table.sorted) == 2:
        a.claim("warning: the rows are sorted by class", by_class, True)


def _claims_of_run(a: Audit, clf: Any, request: dict[str, Any], wrong: int) -> None:
    """Counts, history and proofs of a run on two classes."""
    t, kind = a.table, truth(a.table)[0]
    history, eta = clf.history_, Fraction(request["eta0"])
    a.claim("history: as many passes", len(history["pass"]), clf.n_iter_)
    a.claim("history: updates in all", sum(history["updates"]), clf.n_updates_)
    a.claim("n_mistakes_ in all", int(clf.n_mistakes_.sum()), clf.n_updates_)
    if clf.stop_reason_ == "separated":
        a.claim("separated: some plane does", kind, "complete")
    if clf.stop_reason_ in ("cycle", "not_separable"):
        a.claim("no plane separates", kind == "complete", False)
    if clf.stop_reason_ == "max_passes":
        a.claim("max_passes: as many as allowed", clf.n_iter_, request["max_iter"])
    if request["keep"] == "pocket":
        a.claim("the errors of the pocket", history["pocket_errors"][-1], wrong)
    if request["keep"] == "last" and clf.random_from_ is None:
        w = [dot([eta * int(k) for k in clf.n_mistakes_], column) for column in zip(*t.signed, strict=True)]
        a.claim(
            "w is η times the sum of the signed points",
            [Fraction(v) for v in t.plane(clf.coef_[0].tolist(), float(clf.intercept_[0]))],
            w,
        )
    if clf.cycle_counts_ is not None:
        a.claim("cycle_counts_: no plane separates", kind == "complete", False)
        a.claim("cycle_counts_ add up to zero", sum_is_zero(clf.cycle_counts_.tolist(), t.signed), True)
        a.claim("cycle_counts_: some row is counted", int(clf.cycle_counts_.sum()) > 0, True)
    if clf.verdict_ is not None:
        _claims_of_verdict(a, clf.verdict_)
    run = in_order(request["order"], t.signed, clf.n_looks_, 0)
    if run is not None and clf.random_from_ is None:
        if clf.stop_reason_ != "separable":  # whose plane is computed
            w = t.plane(clf.coef_[0].tolist(), float(clf.intercept_[0]))
            claim_average(a, request["keep"], run, [Fraction(v) / eta for v in w])
        a.claim("n_updates_ and n_looks_", (clf.n_updates_, clf.n_looks_), (len(run.updates), run.looks))
        a.claim("n_mistakes_", clf.n_mistakes_.tolist(), run.counts)
        claims_of_history(a, history, run, eta)


def _claims_of_verdict(a: Audit, v: Any) -> None:
    """A verdict_, which does not hold the points."""
    t = a.table
    a.claim("verdict_: separable", v.separable, truth(t)[0] == "complete")
    a.claim("verdict_: classes", [str(c) for c in v.classes], t.sorted)
    a.claim("verdict_: n and d", (v.n, v.d), (len(t.points), len(t.points[0])))
    if v.separable:
        a.claim("verdict_: the plane", min(dot(t.plane(v.w, v.b), z) for z in t.signed) > 0, True)
    else:
        support = api.indices(a, v.support)
        proofs.claims_of_relation(a, support, v.weights)
        a.claim("verdict_: places", [str(v.place(i)) for i in v.support], [a.places[i] for i in support])


def audit_partial_fit(a: Audit, folder: Path, chance: random.Random) -> None:
    """Rows shown once, in two parts."""
    a.table = t = as_sorted(a.table)
    a.places, y = [str(i + 1) for i in range(len(t.points))], np.array(api.labels(t))
    X, cut = np.array([[float(v) for v in x] for x in t.points]), chance.randint(1, len(t.points) - 1)
    clf = nv.Perceptron(keep="last", fit_intercept=t.bias)
    clf.partial_fit(X[:cut], y[:cut], classes=np.unique(y)).partial_fit(X[cut:], y[cut:])
    run = cyclic(t.signed, len(t.points))
    of = [sum(k for k, c in zip(run.counts, t.labels, strict=True) if c == label) for label in t.sorted]
    a.command = f"partial_fit, {cut} rows first"
    a.claim("updates and looks", (clf.n_updates_, clf.n_looks_), (len(run.updates), len(t.points)))
    a.claim("mistakes by class", clf.n_mistakes_.tolist(), of)
    said = t.plane(clf.coef_[0].tolist(), float(clf.intercept_[0]))
    a.claim("weights", [Fraction(v) for v in said], run.w)
    a.claim("stop_reason_", clf.stop_reason_, "stream_ended")


def audit_widest(a: Audit, folder: Path, chance: random.Random) -> None:
    """`MaxMargin`, always with a bias."""
    points = api.given(a, folder, chance)
    a.table = t = as_sorted(a.table)
    free = chance.random() < 0.5
    try:
        clf = nv.MaxMargin(bias="free" if free else "padded").fit(*points)
    except nv.NotSeparableError as error:
        a.claim("not separable", truth(t)[0] == "complete", False)
        api.claims_of_refusal(a, error)
        return
    w, b = clf.coef_[0].tolist(), float(clf.intercept_[0])
    gamma2 = proofs.widths(t)["geometric" if free else "padded"]
    low, high = map(Fraction, clf.margin_)
    a.claim("margin_", low * low <= gamma2 <= high * high, True)
    a.claim("support_", clf.support_.tolist(), proofs.touching(t, {"w": w, "b": b}))
    least = min(dot([*w, b], z) for z in t.signed)
    a.near("y·score at the points that touch", least, Fraction(1))
    norm2 = dot(w, map(Fraction, w)) + (0 if free else Fraction(b) ** 2)
    a.near("1/γ² is the squared length", 1 / norm2, gamma2, Fraction(1, 10**9))
    dual = [Fraction(v) for v in clf.dual_coef_[0].tolist()]
    for said, column in zip(w, zip(*(t.points[i] for i in clf.support_), strict=True), strict=True):
        a.near("dual_coef_: w is the sum of these points", said, dot(dual, column), Fraction(1, 10**9))
    _claims_of_predictions(a, clf, points, list(t.labels))
    for said, x in zip(clf.decision_function(points[0]).tolist(), t.padded, strict=True):
        a.score("decision_function", said, dot([*w, b], x))
