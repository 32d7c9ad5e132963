"""The answer of `decide` for more than two classes: a verdict for each pair."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NoReturn

from novikoff.data.format_numbers import SHOWN, count
from novikoff.data.plain_files import plane_of
from novikoff.errors import InputError, UndecidedError
from novikoff.separate.verdict import Verdict


class PairVerdicts(dict[tuple[Any, Any], Verdict]):
    """The answer for each pair of classes: {(a, b): verdict}, a sorts before b.

    Each verdict is about the rows of its two classes, numbered as in all rows. A proof is saved of one pair:
    `pairs[a, b].save(path)`.
    """

    @property
    def separable(self) -> bool | None:
        """Whether every pair is separable; None: no pair is known not to be, and one or more are undecided."""
        answers = {verdict.separable for verdict in self.values()}
        return False if False in answers else None if None in answers else True

    def __bool__(self) -> bool:
        if self.separable is None:
            raise UndecidedError(f"decide: {self}. Allow more time with max_time")
        return self.separable

    @cached_property
    def kinds(self) -> dict[tuple[Any, Any], str]:
        """The kind of each pair; `not separable` where it was not found in time."""
        return {pair: verdict.kind_in_time() for pair, verdict in self.items()}

    def explain(self) -> str:
        """Return one line for each pair; points are numbered from 1."""
        named = [f"{a} | {b}" for a, b in self]
        width = max(map(len, named), default=0)
        lines = [f"  {name.ljust(width)}  {self._line(pair)}" for name, pair in zip(named, self, strict=True)]
        return "\n".join([str(self), *lines])

    def _line(self, pair: tuple[Any, Any]) -> str:
        verdict = self[pair]
        if verdict.separable is None or verdict.separable:
            return "separable" if verdict.separable else "undecided"
        places = [verdict.place(row) for row in verdict.support[:SHOWN]]
        named = ", ".join(place if isinstance(place, str) else f"{place:,}" for place in places)
        return f"NOT SEPARABLE, {self.kinds[pair]}: points {named}{', …' if len(verdict.support) > SHOWN else ''}"

    def certificate(self, *_: Any, **__: Any) -> NoReturn:
        """Raise InputError: a certificate is about two classes."""
        a, b = next(iter(self))
        raise InputError(
            f"certificate: found {count(len(self), 'pair')} of classes; a certificate is about two classes: take the "
            f"verdict of a pair, as in found[{a!r}, {b!r}].save(path)"
        )

    save = certificate

    def __str__(self) -> str:
        answers = [verdict.separable for verdict in self.values()]
        plane = plane_of(all(verdict.fit_intercept for verdict in self.values()))
        share = f"{answers.count(True):,} of {count(len(self), 'pair')}"
        rest = f"; {answers.count(None):,} undecided" if None in answers else ""
        return f"{share} of classes are separable, each by a {plane} checked exactly{rest}"

    def __repr__(self) -> str:
        return f"PairVerdicts({self})"
