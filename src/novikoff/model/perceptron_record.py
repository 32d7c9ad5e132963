"""Convert a trained perceptron to plain values and tensors, and back.

    coef, intercept    as the estimator shows them          trained    the planes before η, where that is not 1
    votes.…           who votes, with keep="vote"          n_mistakes, cycle_counts    per training point
    partition_rows    of each partition, with mix=True

Decisions use the trained planes, so a loaded model scores and predicts exactly as the saved one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.estimators.fitted import Trained
from novikoff.estimators.parameter_table import FIXED_BY_A_RUN, PERCEPTRON
from novikoff.model.json_values import (
    classes_of,
    history_of,
    parameter_of,
    plain_classes,
    plain_history,
    plain_parameter,
    take_names,
)
from novikoff.model.vote_record import LIMIT, Tensors, tensors_of_votes, votes_of
from novikoff.perceptron import SCHEMES
from novikoff.perceptron.stops import REASONS
from novikoff.records.record_reader import Fields, tensor_in

COUNTS = {"n_mistakes": "n_mistakes_", "cycle_counts": "cycle_counts_"}


def stored(clf: Trained, counts: bool) -> tuple[dict[str, Any], Tensors]:
    """Return the record and tensors of a fitted perceptron; counts: whether those per training point are included."""
    trained, scale = clf.as_trained()
    coef, intercept = (np.array(v, np.float64) for v in (clf.coef_, clf.intercept_))
    tensors: Tensors = {"coef": coef, "intercept": intercept}
    if trained.tobytes() != np.column_stack([coef, intercept]).tobytes():
        tensors["trained"] = np.array(trained, np.float64)
    if clf._voters is not None:
        tensors |= tensors_of_votes(clf._voters)
        _votes(clf, dict(tensors), "clf")
    for key, attribute in COUNTS.items() if counts else ():
        if getattr(clf, attribute, None) is not None:
            tensors[key] = np.asarray(getattr(clf, attribute)).astype(np.int64)
    if getattr(clf, "partition_rows_", None) is not None:
        tensors["partition_rows"] = np.asarray(clf.partition_rows_).astype(np.int64)
    names = getattr(clf, "feature_names_in_", None)
    omitted = {name: info.default for name, info in PERCEPTRON.items() if not info.in_model}
    parameters, chosen = clf._parameters() | omitted, clf._chosen
    drawn = getattr(clf, "random_from_", None)
    return ({} if drawn is None else {"random_from": int(drawn)}) | {
        "parameters": {key: plain_parameter(key, value) for key, value in sorted(parameters.items())},
        "fitted_with": {key: plain_parameter(key, v) for key, v in sorted(chosen.items()) if not callable(v)},
        "classes": plain_classes(clf.classes_),
        "n_features": int(clf.n_features_in_),
        "feature_names": None if names is None else [str(label) for label in names],
        "multi_class": clf.multi_class_,
        "bias": clf._with_bias,
        "scale": float(scale),
        "stop_reason": clf.stop_reason_,
        "passes": int(clf.n_iter_),
        "updates": int(clf.n_updates_),
        "looks": int(clf.n_looks_),
        "seed": int(clf.seed_),
        "mistake_bound": None if clf.mistake_bound_ is None else float(clf.mistake_bound_),
        "history": plain_history(clf.history_),
    }, tensors


def loaded(fields: Fields, tensors: Tensors, kind: type[Trained]) -> Trained:
    """Return the perceptron, of this class; raise InputError for anything that `stored` does not write."""
    clf = _with_parameters(fields, kind)
    clf.classes_ = classes_of(fields.part("classes"))
    clf.n_features_in_ = fields.whole("n_features")
    take_names(fields, clf, clf.n_features_in_)
    clf.multi_class_, clf._with_bias = fields.word("multi_class", SCHEMES), fields.truth("bias")
    _take_planes(clf, tensors, fields.positive("scale"), fields)
    clf.stop_reason_ = fields.take("stop_reason", _is_reason, f"null or one of {', '.join(REASONS)}")
    clf.n_iter_, clf.n_updates_, clf.n_looks_ = (fields.whole(key) for key in ("passes", "updates", "looks"))
    clf.seed_, clf.mistake_bound_ = fields.whole("seed"), fields.optional("mistake_bound", fields.positive)
    clf.random_from_ = fields.whole("random_from", 1) if fields.has("random_from") else None
    clf.history_ = history_of(fields.part("history"))
    clf._voters = _votes(clf, tensors, fields.name) if clf._chosen["keep"] == "vote" else None
    _take_partitions(clf, tensors, fields)
    _take_counts(clf, tensors, fields)
    clf._stream = None
    return clf


def _with_parameters(fields: Fields, kind: type[Trained]) -> Trained:
    """Return a perceptron with its parameters, and those at the time of the fit."""
    own = fields.part("parameters")
    values = {name: parameter_of(value, own, name) for name, value in own.rest().items()}
    missing = [name for name in PERCEPTRON if name not in values]
    if missing:
        own.refuse(missing[0], None, "a value")
    for name in values.keys() - PERCEPTRON.keys():
        own.refuse(name, values[name], "no such parameter is known to this version: none")
    then = fields.part("fitted_with")
    chosen = {name: parameter_of(value, then, name) for name, value in then.rest().items()}
    if not set(FIXED_BY_A_RUN) - {"schedule"} <= chosen.keys() <= set(FIXED_BY_A_RUN):  # a function is not stored
        then.refuse("", sorted(chosen), f"a value for each of {', '.join(FIXED_BY_A_RUN)}")
    clf, before = kind(**values), kind(**(values | chosen))
    try:
        Trained.check_parameters(clf)
        Trained.check_parameters(before)
    except InputError as error:
        raise InputError(f"{fields.name}: parameters.{error}") from None
    clf._chosen = chosen
    return clf


def _take_planes(clf: Trained, tensors: Tensors, scale: float, fields: Fields) -> None:
    """Read the planes; the shown ones must equal the trained ones times η."""
    K, d, name = len(clf.classes_), clf.n_features_in_, f"{fields.name}: "
    planes = K * (K - 1) // 2 if clf.multi_class_ == "ovo" or K <= 2 else K
    if d == 0:
        fields.refuse("n_features", d, "at least 1")
    clf.coef_ = tensor_in(tensors, "coef", np.float64, (planes, d), name)
    clf.intercept_ = tensor_in(tensors, "intercept", np.float64, (planes,), name)
    shown = np.column_stack([clf.coef_, clf.intercept_])
    clf._plane, clf._scale = shown, scale
    if "trained" in tensors:
        clf._plane = tensor_in(tensors, "trained", np.float64, (planes, d + 1), name)
    with np.errstate(over="ignore", invalid="ignore"):
        made = clf._plane * scale
        if not (np.abs(clf._plane) < LIMIT).all() or not np.isfinite(shown).all():
            raise InputError(f"{name}coef, intercept: not finite, or beyond 2^500; smaller numbers were expected")
    if not np.array_equal(made, shown):
        raise InputError(f"{name}coef, intercept: not the trained planes times {scale!r}, as was expected")
    if not clf._with_bias and shown[:, -1].any():
        raise InputError(f"{name}intercept: not 0 in a model without a bias")


def _votes(clf: Trained, tensors: Tensors, name: str) -> Any:
    if len(clf.classes_) > 2:
        raise InputError(f"{name}fitted_with.keep: found 'vote' for {len(clf.classes_)} classes; 2 were expected")
    return votes_of(tensors, clf.n_features_in_, 1.0 if clf._with_bias else 0.0, name)


def _take_counts(clf: Trained, tensors: Tensors, fields: Fields) -> None:
    """Read the counts per point; without those of the cycle there was no cycle, unless all counts were omitted."""
    found = {key: tensor_in(tensors, key, np.int64, (None,), f"{fields.name}: ") for key in COUNTS if key in tensors}
    for key, counts in found.items():
        if (counts < 0).any() or counts.size != found.get("n_mistakes", counts[:0]).size:
            raise InputError(f"{fields.name}: {key}: counts of at least 0, one for each point, were expected")
    if "n_mistakes" in found:
        clf.n_mistakes_, clf.cycle_counts_ = found["n_mistakes"], found.get("cycle_counts")


def _take_partitions(clf: Trained, tensors: Tensors, fields: Fields) -> None:
    """Read the rows of each partition of a run with mixing, which has counts for each of them."""
    clf.partition_rows_ = None
    if not clf._chosen["mix"]:
        return
    rows = tensor_in(tensors, "partition_rows", np.int64, (None,), f"{fields.name}: ")
    if not rows.size or (rows < 1).any() or tensors.get("n_mistakes", rows).size != rows.size:
        raise InputError(f"{fields.name}: partition_rows: at least 1 row in each partition, as counted, was expected")
    clf.partition_rows_ = rows


def _is_reason(value: Any) -> bool:
    return value is None or (isinstance(value, str) and value in REASONS)
