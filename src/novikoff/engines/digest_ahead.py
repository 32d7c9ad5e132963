"""Compute the digest of labelled points in threads, while the points are trained on."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from novikoff.data.digest import begun_digest, digest_of
from novikoff.data.digest_kernel import begun_digests, block_threads
from novikoff.data.problem import Problem, labels_in_file
from novikoff.engines.engine import Engine
from novikoff.engines.parallel_digest import hashed_by


@contextlib.contextmanager
def digest_ahead(problem: Problem, y: Any, engine: Engine) -> Iterator[Callable[[], str]]:
    """Return the function that gives the digest. Threads hash sparse rows in memory meanwhile, if there are many; an
    engine hashes rows that stay in their file when the digest is asked for.
    """
    if labels_in_file(problem.rows, y):
        yield lambda: digest_of(problem, y, hashed_by(engine), in_parts=True)
        return
    with block_threads() as threads:
        yield begun_digest(problem, y, partial(begun_digests, threads))
