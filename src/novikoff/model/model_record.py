"""Convert a fitted estimator to plain values and tensors, and back: the part shared by all estimators.

Each estimator class is one line of KNOWN, imported when needed; a preparation has its own record.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

import novikoff
from novikoff.errors import InputError
from novikoff.estimators.fitted import Trained
from novikoff.model.vote_record import Tensors
from novikoff.prepare.preparation import Preparation as Steps
from novikoff.records.record_reader import Fields

DIGESTS = ("data_digest", "certificate_digest")
NO_DIGESTS: Mapping[str, str | None] = MappingProxyType(dict.fromkeys(DIGESTS))
PREFIX = "preparation."
_HEX = re.compile(r"[0-9a-f]{64}")


# estimator name in a file → module with its `stored` and `loaded`, imported when needed
KNOWN = {
    "Perceptron": "novikoff.model.perceptron_record",
    "MaxMargin": "novikoff.model.maxmargin_record",
    "SoftMargin": "novikoff.model.softmargin_record",
}
CLASSES = {
    "novikoff.estimators.perceptron_estimator.Perceptron": "Perceptron",
    "novikoff.estimators.learner.Learner": "Perceptron",
    "novikoff.estimators.fitted.Trained": "Perceptron",
    "novikoff.estimators.maxmargin_estimator.MaxMargin": "MaxMargin",
    "novikoff.estimators.soft_margin_estimator.SoftMargin": "SoftMargin",
}


def record_of(
    clf: Any, counts: bool = True, preparation: Any = None, digests: Mapping[str, str | None] = NO_DIGESTS
) -> tuple[dict[str, Any], Tensors]:
    """Return the record and the tensors of a fitted estimator."""
    kind: Any = type(clf)
    name = CLASSES.get(f"{kind.__module__}.{kind.__qualname__}")
    if name is None:
        raise InputError(f"clf: found {kind.__name__}; a fitted {' or '.join(KNOWN)} was expected")
    clf._check_fitted()
    origin = getattr(clf, "_origin", None)
    kept = origin[1] if origin is not None and origin[0] is _plane(clf) else {}
    for key, digest in digests.items():
        if digest is not None and not _HEX.fullmatch(digest):
            raise InputError(f"{key}: found {digest!r}; a SHA-256 of 64 hexadecimal digits was expected")
    values, tensors = importlib.import_module(KNOWN[name]).stored(clf, counts)
    prepared: dict[str, Any] | None = None
    preparation = kept.get("preparation") if preparation is None else preparation
    if preparation is not None:
        prepared, own = preparation.to_record()
        tensors |= {PREFIX + key: tensor for key, tensor in own.items()}
        if values["feature_names"] == _names(preparation):
            values["feature_names"] = None  # they are in the preparation
    record = {"estimator": name, "library": novikoff.__version__, **values, "preparation": prepared}
    return record | {key: digests.get(key) or kept.get(key) for key in DIGESTS}, tensors


def estimator_of(record: dict[str, Any], tensors: Tensors, name: str, kind: type) -> Any:
    """Return the estimator of a record, a perceptron as class `kind`; an InputError names the file and the fault."""
    fields, tensors = Fields(record, name), dict(tensors)
    known = KNOWN[fields.word("estimator", KNOWN)]
    fields.take("library", lambda v: isinstance(v, str) and len(v) < 100, "the version of the library")
    kept = {key: fields.take(key, _is_digest, "a SHA-256 or null") for key in DIGESTS}
    preparation = _preparation(fields, tensors)
    clf = importlib.import_module(known).loaded(fields, tensors, kind)
    fields.done()
    if tensors:
        raise InputError(f"{name}: {min(tensors)}: an unknown tensor")
    if preparation is not None:
        made = len(preparation.names)
        if made != clf.n_features_in_:
            fields.refuse("preparation", f"one that makes {made} columns", f"{clf.n_features_in_}, as the planes have,")
        clf.preparation_ = preparation
        names = _names(preparation)
        if names is not None and not hasattr(clf, "feature_names_in_") and len(names) == clf.n_features_in_:
            clf.feature_names_in_ = np.array(names, dtype=object)
    clf._origin = (_plane(clf), kept | {"preparation": preparation})  # valid while these are the planes
    return clf


def _plane(clf: Any) -> Any:
    """Return the array that identifies a fit."""
    return clf.as_trained()[0] if isinstance(clf, Trained) else clf.coef_


def _names(preparation: Any) -> list[str] | None:
    """Column names stored without a preparation, from a table read by the command line."""
    if not isinstance(preparation, Steps) or not preparation.is_plain or preparation.columns.named is None:
        return None
    return list(preparation.columns.named)


def _is_digest(value: Any) -> bool:
    return value is None or (isinstance(value, str) and bool(_HEX.fullmatch(value)))


def _preparation(fields: Fields, tensors: Tensors) -> Any:
    record = fields.take("preparation", lambda v: v is None or isinstance(v, dict), "null or an object")
    own = {key.removeprefix(PREFIX): tensors.pop(key) for key in list(tensors) if key.startswith(PREFIX)}
    if record is None:
        if own:
            raise InputError(f"{fields.name}: {PREFIX}{min(own)}: a tensor of a preparation that is not there")
        return None
    try:
        return Steps.from_record(record, own)
    except InputError as error:
        raise InputError(f"{fields.name}: {error}") from None
