"""Decide whether any plane separates the points of a stalled run.

From the notes: T1 Z7 (a strict plane, or none), C4 (a criterion for "not separable"). The training loop does not know
how this is decided; `decide` is imported when it is first needed.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from novikoff.errors import UndecidedError

if TYPE_CHECKING:
    from novikoff.certify.decide.verdict import Verdict

# min(n, D)²·D, at most: D = 66 on many points. Up to here an answer takes milliseconds, an exact finish about two
# seconds, and only columns that floats cannot tell apart take minutes; at D = 200 an exact finish would.
WORK = 300_000


def answerable(n: int, D: int) -> bool:
    """Return whether `decide` is fast for n points of D numbers; this does not depend on the machine."""
    return min(n, D) ** 2 * D <= WORK


def decided(
    X: Any, y: Any, fit_intercept: bool, seconds: float | None, engine: Any = None, positive: Any = None
) -> Verdict | None:
    """Return separable or not, with a proof that keeps only its own rows (at most D + 1); None if time ran out."""
    from novikoff.certify.decide.decide import decide

    verdict = decide(X, y, fit_intercept=fit_intercept, max_time=seconds, engine=engine, positive=positive)
    if verdict.separable is None:
        return None
    for name in ("kind", "weights"):  # they are computed from the points, which are released here
        with suppress(UndecidedError):
            getattr(verdict, name)
    return verdict.alone()
