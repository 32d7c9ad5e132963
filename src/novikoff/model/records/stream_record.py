"""Convert the state of a stream to plain values and tensors, and back, so that a saved stream can continue.

    stream.planes      (planes, d+1)  (w, b) after the last row, as trained
    stream.sums        (planes, d+1)  sums of the average, with keep "average" or "auto"
    stream.pocket      (planes, d+1)  the pocket, with keep "pocket"
    stream.counters    (planes, 6)    looks, updates, mistakes and the run of right looks of each plane
    stream.together    (6,)           the same, of all planes
    stream.seen, stream.mistakes      (classes,)  rows, and updates at rows, of each class

Bounds of |w| and float32 copies are computed again; no bit depends on them. A file is untrusted: before the stream
continues, the planes that its state returns must be those of the model.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

import numpy as np

from novikoff.data.problem import Problem
from novikoff.errors import InputError
from novikoff.estimators.fitted import Trained
from novikoff.estimators.stream import COLUMNS, Stream
from novikoff.kernels.reproducible_sums import root_above
from novikoff.model.records.vote_record import LIMIT, Tensors, tensor_in
from novikoff.perceptron import slots
from novikoff.perceptron.multiclass.scheme import Scheme
from novikoff.perceptron.orders import Order
from novikoff.perceptron.plan import Plan
from novikoff.perceptron.run.run import Run
from novikoff.perceptron.stops import NEVER, Stops
from novikoff.records.record_reader import Fields

PREFIX = "stream."
INPUT = "input"  # what a checkpoint has read of the stream
COUNTERS = [slots.LOOKS, slots.UPDATES, slots.MISTAKES, slots.CREATED, slots.LONGEST, slots.COUNTED]
NO_STATE = (
    "partial_fit: this model is from an older file, which stores a stream's weights but not its state (average, "
    "pocket, counts); to continue from the weights use fit(X, y, coef_init=clf.coef_, intercept_init=clf.intercept_) "
    "with max_iter=1"
)


@dataclass(frozen=True)
class SavedStream:
    """The state of a stream as it is stored; `opened` makes the stream when it continues."""

    record: dict[str, Any] = field(default_factory=dict)
    tensors: Tensors = field(default_factory=dict)

    @property
    def seen(self) -> np.ndarray:
        """How many rows of each class the stream has had."""
        return self.tensors["seen"]

    def opened(self, clf: Any) -> Stream:
        """Return the stream, ready for more rows."""
        return _stream(clf, self.record, self.tensors)


class EndedStream:
    """Replaces a stream whose state was not stored."""

    seen = np.zeros(0, np.int64)

    def opened(self, clf: Any) -> NoReturn:
        """Raise InputError: the stream cannot continue."""
        raise InputError(NO_STATE)


def stored_stream(clf: Any) -> tuple[dict[str, Any], Tensors] | None:
    """Return the record and the tensors of a perceptron's stream; None if it was not trained by a stream."""
    stream = getattr(clf, "_stream", None)
    if isinstance(stream, SavedStream):
        record = {name: value for name, value in stream.record.items() if name != INPUT}
        return record, {PREFIX + name: tensor for name, tensor in stream.tensors.items()}
    if not isinstance(stream, Stream):
        return None
    record = {
        "named": stream.fixed,
        "from_zero": stream.plan.rates.from_zero,
        "largest": root_above(stream.R2) ** 2,
        "radius2": float(stream.radius2),
    }
    tensors = {"seen": stream.seen, "mistakes": stream.mistakes} | ({} if stream.run is None else _of_run(stream.run))
    return record, {PREFIX + name: np.ascontiguousarray(tensor) for name, tensor in tensors.items()}


def _of_run(run: Run) -> Tensors:
    S = run.S
    tensors = {"planes": S.present, "counters": S.cnt[:, COUNTERS], "together": S.all[COUNTERS]}
    if run.keep.code == slots.SUMS:
        tensors["sums"] = np.column_stack([S.u, S.num[:, slots.UB]])
    if run.keep.planes is not None:
        tensors["pocket"] = run.keep.planes
    return tensors


def stream_in(fields: Fields, tensors: Tensors, clf: Trained) -> SavedStream | EndedStream | None:
    """Read the stored stream of a perceptron; raise InputError for anything that `stored_stream` does not write."""
    if not fields.has("stream"):
        return EndedStream() if clf.stop_reason_ == "stream_ended" else None
    own = fields.part("stream")
    record = {"named": own.truth("named"), "from_zero": own.truth("from_zero"), "largest": own.number("largest"),
              "radius2": own.number("radius2")}  # fmt: skip
    if own.has(INPUT):  # of a checkpoint
        record[INPUT] = own.take(INPUT, lambda v: isinstance(v, dict), "an object")
    own.done()
    for name in ("largest", "radius2"):
        if record[name] < 0:
            own.refuse(name, record[name], "a number that is not negative")
    found = {name.removeprefix(PREFIX): tensors.pop(name) for name in list(tensors) if name.startswith(PREFIX)}
    return SavedStream(record, _checked(found, clf, f"{fields.name}: {PREFIX}"))


def _checked(found: Tensors, clf: Trained, name: str) -> Tensors:
    """Return the tensors of a stream; raise InputError for other shapes, and numbers that no stream has."""
    K, planes, own = len(clf.classes_), clf.coef_.shape[0], dict(found)
    shape, keep = (planes, clf.n_features_in_ + 1), clf._chosen["keep"]
    made = {key: tensor_in(own, key, np.int64, (K,), name) for key in ("seen", "mistakes")}
    if "planes" in own:
        made["planes"] = tensor_in(own, "planes", np.float64, shape, name)
        made["counters"] = tensor_in(own, "counters", np.int64, (planes, len(COUNTERS)), name)
        made["together"] = tensor_in(own, "together", np.int64, (len(COUNTERS),), name)
        if keep in ("auto", "average"):
            made["sums"] = tensor_in(own, "sums", np.float64, shape, name)
        if keep == "pocket" and "pocket" in own:
            made["pocket"] = tensor_in(own, "pocket", np.float64, shape, name)
    if own:
        raise InputError(f"{name}{min(own)}: an unknown tensor")
    for key, tensor in made.items():
        whole = tensor.dtype == np.int64
        good = (
            (tensor >= 0) & (tensor < NEVER) if whole else np.abs(tensor) < (LIMIT * LIMIT if key == "sums" else LIMIT)
        )
        if not good.all():
            raise InputError(f"{name}{key}: {'counts' if whole else 'finite numbers below 2^500'} were expected")
    return made


def _stream(clf: Any, record: dict[str, Any], tensors: Tensors) -> Stream:
    """Return the stream of a state."""
    plan: Plan = clf._plan(Order("cyclic"), Stops(None, None, None, None), None, once=True)
    plan = replace(plan, rates=replace(plan.rates, from_zero=record["from_zero"]))
    rows = len(clf.history_.get("looks", []))
    history = {name: list(clf.history_.get(name, [None] * rows)) for name in COLUMNS}
    return Stream(
        plan, clf.multi_class_, clf.classes_, record["named"], clf.class_weight, None, clf.known_margin,
        _run(clf, plan, tensors) if "planes" in tensors else None,
        tensors["seen"].copy(), tensors["mistakes"].copy(), record["largest"], record["radius2"], history=history,
    )  # fmt: skip


def _run(clf: Any, plan: Plan, tensors: Tensors) -> Run:
    """Return the run of the planes, without points."""
    K, d = len(clf.classes_), clf.n_features_in_
    empty = np.zeros(0), np.zeros(0, np.int32), np.zeros(2, np.int32)
    y = np.zeros(1, np.int64) if K > 2 else np.ones(1, np.int8)
    points = Problem(empty, y, d, 1.0 if clf.fit_intercept else 0.0)
    plan = replace(plan, factors=(1.0,) * K)
    run = Run.begin(points, plan, tensors["planes"], None, Scheme(clf.multi_class_, K))
    S = run.S
    S.cnt[:, COUNTERS], S.all[COUNTERS] = tensors["counters"], tensors["together"]
    if "sums" in tensors:
        S.u[:], S.num[:, slots.UB] = tensors["sums"][:, :-1], tensors["sums"][:, -1]
    if "pocket" in tensors:
        run.keep.planes = tensors["pocket"].copy()
    run.set_rates()
    if not np.array_equal(run.kept(), clf._planes()[0]):
        raise InputError("partial_fit: the stored state is not that of the model's planes; train the model again")
    run.rest(None)
    return run
