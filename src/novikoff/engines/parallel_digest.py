"""The digest of labelled points, its blocks of rows hashed by any engine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

import numpy as np

from novikoff.data.digest import BLOCK, Hashed, block_digests
from novikoff.data.problem import Problem
from novikoff.engines.engine import Engine
from novikoff.engines.partitions import partitions_of


class BlockDigests:
    """SHA-256 of each block of rows of a partition, whose y are the numbers of the labels' texts."""

    def __init__(self, texts: list[str]) -> None:
        self.texts = texts

    def __call__(self, part: Problem) -> list[bytes]:
        return block_digests(part, self.texts, part.y)


def hashed_by(engine: Engine) -> Hashed:
    """The same as `digest.block_digests`, partition by partition."""

    def blocks(problem: Problem, texts: list[str], codes: np.ndarray) -> Iterator[bytes]:
        found = engine.map(BlockDigests(texts), replace(problem, y=codes), partitions_of(problem, of=BLOCK))
        return chain.from_iterable(found)

    return blocks
