"""A saved proof checked against the data: what does it cost?

    verify   the whole call: labels, digest of the data (SHA-256), the proof
    digest   the digest alone
    check    the exact proof without the digest: every sign, every sum

All for points in memory, against one product of matrix and vector.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import novikoff as nv
from benchmarks import data
from benchmarks.decide import Points, overlap
from benchmarks.harness import FULL, Row, Size, interleave, timed
from novikoff.data.digest import digest_of
from novikoff.data.problem import unlabelled
from novikoff.engines.engine import SERIAL
from novikoff.proof.check_fast import scanned
from novikoff.proof.verify import Question, conclude, read_certificate

PRODUCT, BAR = "X @ w", 1.3


def ask(size: Size) -> Iterator[Row]:
    """The rows of this question."""
    many = max(500, round(1_000_000 * size.dense[0] / FULL.dense[0]))
    yield from costs(f"separable, {many:,} × 20", data.teacher(many, 20, 0.0), size.repeats, BAR)
    yield from costs(f"separable, {many // 25:,} × 200", data.teacher(many // 25, 200, 0.0), size.repeats, BAR)
    yield from costs(f"overlap, {many:,} × 20", overlap(many, 20), size.repeats, BAR)
    text = data.teacher(many // 100, 2000, 1e-3, 50)
    yield from costs(f"sparse, {many // 100:,} × 2,000", text, size.repeats, None)
    few = max(50, many // 100)
    yield slow(f"separable, {few:,} × 20", data.teacher(few, 20, 0.0), size.repeats // 4 + 1)


def costs(what: str, points: Points, repeats: int, bar: float | None) -> Iterator[Row]:
    """The whole call, the digest and the check, each against the product."""
    X, y = points
    record, w = proof_of(X, y), np.ones(X.shape[1])
    question, rows = Question(read_certificate(record)), unlabelled(X)
    jobs = {
        "verify": lambda: nv.verify(record, X, y),
        "digest": lambda: digest_of(rows, y),
        "check": lambda: conclude(question, scanned(question, rows, y, SERIAL)),
        PRODUCT: lambda: X @ w,
    }
    rounds = interleave([timed(name, job) for name, job in jobs.items()], repeats)
    yield rounds.time(f"{what}: verify, digest and all", "verify", PRODUCT)
    yield rounds.time(f"{what}: digest alone", "digest", PRODUCT)
    yield rounds.time(f"{what}: exact check without digest", "check", PRODUCT, bar)


def slow(what: str, points: Points, repeats: int) -> Row:
    """The standard-library checker against the fast one."""
    X, y = points
    record = proof_of(X, y)
    jobs = [
        timed("verify", lambda: nv.verify(record, X, y)),
        timed("slow=True", lambda: nv.verify(record, X, y, slow=True)),
    ]
    return interleave(jobs, repeats).speed(f"{what}: fast against the standard-library checker", "verify", "slow=True")


def proof_of(X: Any, y: np.ndarray) -> dict[str, Any]:
    """The certificate of the points, as it is saved."""
    return nv.decide(X, y).certificate().record()
