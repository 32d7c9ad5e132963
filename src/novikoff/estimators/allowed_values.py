"""The values that a parameter may have: checked here, and translated for scikit-learn and for the command line.

`str` describes the values, as in a docstring; `check(name, value)` raises InputError for all others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from novikoff.arguments import argument_checks
from novikoff.perceptron import SCHEDULES
from novikoff.perceptron.schedules import schedule_of


class OneOf(NamedTuple):
    """One of some words."""

    words: tuple[str, ...]

    def check(self, name: str, value: Any) -> None:
        argument_checks.one_of(name, value, self.words)

    def __str__(self) -> str:
        return "{" + ", ".join(f'"{word}"' for word in self.words) + "}"


class Integer(NamedTuple):
    """An integer of at least `low`, None for no limit, or a word."""

    low: int
    word: str | None = None

    def check(self, name: str, value: Any) -> None:
        if self.word is None or value != self.word:
            argument_checks.whole(name, value, self.low)

    def __str__(self) -> str:
        return f"int ≥ {self.low}" + (" or None" if self.word is None else f', "{self.word}" or None')


class Positive(NamedTuple):
    """A finite number above 0; or None, or a word."""

    none: bool = False
    word: str | None = None

    def check(self, name: str, value: Any) -> None:
        if value is not None or not self.none:
            argument_checks.positive(name, value, self.word)

    def __str__(self) -> str:
        word = f' or "{self.word}"' if self.word else ""
        return f"float > 0{' or None' if self.none else ''}{word}"


class Checked(NamedTuple):
    """Values that a function checks."""

    text: str
    check: Callable[[str, Any], None]

    def __str__(self) -> str:
        return self.text


def _check_verbosity(name: str, value: Any) -> None:
    argument_checks.whole(name, int(value) if isinstance(value, bool) else value, 0, optional=False)


def _check_engine(name: str, value: Any) -> None:
    from novikoff.engines.engine import engine_of

    engine_of(value)


TRUTH = Checked("bool", argument_checks.truth)
SHARE = Checked("float between 0 and 1", argument_checks.share)
VERBOSITY = Checked("int ≥ 0", _check_verbosity)
SCHEDULE = Checked(f"{OneOf(SCHEDULES)} or a function", lambda name, value: schedule_of(value) and None)
CLASS_WEIGHTS = Checked('{class: weight}, "balanced" or None', lambda name, value: argument_checks.weights(value))
SEED = Checked("int ≥ 0, RandomState or None", lambda name, value: argument_checks.seed(value))
ENGINE = Checked("Engine or None", _check_engine)

Allowed = OneOf | Integer | Positive | Checked
