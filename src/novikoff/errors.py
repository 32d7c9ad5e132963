"""What goes wrong with an input, said once and clearly."""

from __future__ import annotations


class InputError(ValueError):
    """Input that cannot be used: the argument, what was found, what was expected, and the way out."""


class InputTypeError(InputError, TypeError):
    """Input of a type that holds no numbers."""


class UndecidedError(RuntimeError):
    """A yes or no was asked of a decision that a limit ended before there was one."""
