"""Compute the digest of labelled points with any engine, block by block."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

from novikoff.data.digest import BLOCK, Hashed, block_digests
from novikoff.data.problem import Problem
from novikoff.engines.engine import Engine
from novikoff.engines.partitions import partitions_of


def _of_partition(texts: list[str], part: Problem) -> list[bytes]:
    """Return the SHA-256 of each block of rows of a partition, whose y are the indices of the label texts."""
    return block_digests(part, texts, part.y)


def hashed_by(engine: Engine) -> Hashed:
    """Return the same as `digest.block_digests`, partition by partition."""

    def blocks(problem: Problem, texts: list[str], codes: Any) -> Iterator[bytes]:
        found = engine.map(partial(_of_partition, texts), replace(problem, y=codes), partitions_of(problem, of=BLOCK))
        return chain.from_iterable(found)

    return blocks
