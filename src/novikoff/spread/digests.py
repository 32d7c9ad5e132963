"""The digest of labelled points, its blocks of rows hashed by any engine."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import Any

from novikoff.points.digest import BLOCK, block_digests, demand_labels, digest_from, label_texts
from novikoff.points.problem import Problem
from novikoff.spread.engine import SERIAL, Engine
from novikoff.spread.partitions import partitions_of


class BlockDigests:
    """SHA-256 of each block of rows of a partition, whose y are the numbers of the labels' texts."""

    def __init__(self, texts: list[str]) -> None:
        self.texts = texts

    def __call__(self, part: Problem) -> list[bytes]:
        return block_digests(part, self.texts, part.y)


def digest_of(problem: Problem, y: Any, engine: Engine = SERIAL) -> str:
    """The same as `points.digest.digest_of`."""
    texts, codes = label_texts(y)
    demand_labels(problem.n, codes.size)
    coded = replace(problem, y=codes)
    blocks = engine.map(BlockDigests(texts), coded, partitions_of(problem, of=BLOCK))
    return digest_from(chain.from_iterable(blocks), problem.n, problem.d)
