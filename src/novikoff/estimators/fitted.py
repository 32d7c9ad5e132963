"""A fitted perceptron, without the training loop and without scikit-learn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff.estimators.parameter_checks import Parameters
from novikoff.estimators.plane_classifier import PlaneClassifier
from novikoff.perceptron.scheme import Scheme

if TYPE_CHECKING:
    from novikoff.estimators.stream import Stream


class Trained(PlaneClassifier, Parameters):
    """Base class with the fitted attributes; `novikoff.Perceptron` documents each of them."""

    stop_reason_: str | None
    n_iter_: int
    n_updates_: int
    n_looks_: int
    n_mistakes_: np.ndarray
    cycle_counts_: np.ndarray | None
    random_from_: int | None
    order_: str
    partition_rows_: np.ndarray | None
    verdict_: Any
    mistake_bound_: float | None
    history_: dict[str, list[Any]]
    seed_: int
    _stream: Stream | None = None  # after partial_fit: the stream; None after `fit` and in a loaded model
    _chosen: dict[str, Any]  # FIXED_BY_A_RUN, at the time of the fit

    def scheme_of_many(self) -> Scheme:
        """Return the planes of the classes and how they decide."""
        return Scheme(self.multi_class_, len(self.classes_), self._chosen["ovo"])
