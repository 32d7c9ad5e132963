"""What a stall asks: is there a plane at all?

From the notes: T1 Z7 (a strict plane, or none), C4 (a criterion for "not separable"). The training loop does not know
who answers; here it is `decide`, which is loaded when it is asked for the first time.
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
    """Whether so many points of D numbers are worth the question: by their numbers only, never by the clock."""
    return min(n, D) ** 2 * D <= WORK


def decided(
    X: Any, y: Any, fit_intercept: bool, seconds: float | None, engine: Any = None, positive: Any = None
) -> Verdict | None:
    """Separable or not, with a proof that does not hold on to the points; None: undecided in the time given."""
    from novikoff.certify.decide.decide import decide

    verdict = decide(X, y, fit_intercept=fit_intercept, max_time=seconds, engine=engine, positive=positive)
    return None if verdict.separable is None else alone(verdict)


def alone(verdict: Verdict) -> Verdict:
    """The verdict without the points: what it finds in them when asked for is found now.

    The rows of the proof, at most D + 1, stay.
    """
    for name in ("kind", "weights"):
        with suppress(UndecidedError):  # no time for it: what is claimed stays
            getattr(verdict, name)
    return verdict.alone()
