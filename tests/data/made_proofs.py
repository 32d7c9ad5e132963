"""Proofs about two classes with any fields, true or false."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from novikoff.certify.check.proof import Proof, proof_of_verdict


@dataclass(frozen=True)
class MadeProof:
    """What a verdict says of n points of d numbers, with a digest."""

    kind: str
    n: int
    d: int
    bias: bool
    positive: Any
    negative: Any
    w: Any = None
    b: Any = None
    support: Any = ()
    weights: Any = ()
    held: Any = ()
    held_weights: Any = ()
    digest: str = "0" * 64
    file: Any = None

    @property
    def proof(self) -> Proof:
        return proof_of_verdict(self, (self.negative, self.positive), self.digest, self.file)

    @property
    def fit_intercept(self) -> bool:
        return self.bias

    @property
    def indices(self) -> Any:
        return self.support

    @property
    def held_indices(self) -> Any:
        return self.held

    def record(self) -> dict[str, Any]:
        return self.proof.record()

    def to_json(self) -> str:
        return self.proof.to_json()

    def save(self, path: Any) -> None:
        self.proof.save(path)
