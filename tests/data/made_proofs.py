"""Certificates about two classes with any sections, true or false."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from novikoff.data.digest import digest_of
from novikoff.data.problem import unlabelled
from novikoff.exact.integer_rows import whole
from novikoff.proof.certificate import Certificate, certificate_of, complement, labels_model, vector, weights


@dataclass(frozen=True)
class MadeProof:
    """What a certificate says of points with labels; the positive class sorts last."""

    X: Any = field(repr=False)
    y: Any = field(repr=False)
    kind: str = "complete"
    bias: bool = True
    w: Any = None
    b: Any = None
    support: Any = ()
    weights: Any = ()
    held: Any = ()
    held_weights: Any = ()

    @property
    def classes(self) -> list[Any]:
        texts = sorted(set(np.asarray(self.y).tolist()))
        return [texts[0], texts[-1]] if len(texts) > 1 else [None, texts[0]]

    def sum_of(self, rows: Any, values: Any) -> dict[str, Any]:
        """Weights of rows, each against the other class."""
        labels = np.asarray(self.y).tolist()
        return weights(rows, [int(labels[i] != self.classes[1]) for i in rows], values)

    @property
    def proof(self) -> Certificate:
        points, sections = unlabelled(self.X), dict[str, Any]()
        D = points.d + self.bias
        plane = [] if self.w is None else [[*self.w, *([self.b or 0] if self.bias else [])]]
        sections["directions"] = [vector(one) for one in plane]
        if self.support:
            sections["strict"] = self.sum_of(self.support, self.weights)
        if self.kind in ("overlap", "quasi-complete"):
            X = np.asarray(self.X, np.float64)[np.array(self.held, np.int64)].tolist()
            rows = [whole([*x, 1.0]) if self.bias else whole(x) for x in X]
            sections |= {
                "zero_sum": self.sum_of(self.held, self.held_weights),
                "complement": complement(rows, plane, range(D)),
            }
        shape, model = (points.n, points.d), labels_model(self.classes, self.bias)
        return certificate_of(self.kind, digest_of(points, np.asarray(self.y)), shape, model, None, **sections)

    def record(self) -> dict[str, Any]:
        return self.proof.record()

    def save(self, path: Any) -> None:
        self.proof.save(path)
