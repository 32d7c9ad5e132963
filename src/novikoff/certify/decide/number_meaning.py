"""The points of a verdict by what their numbers mean: binary64 as the computer holds them, or decimal as written."""

from __future__ import annotations

from typing import Any

from novikoff.certify.decide.proof_points import Binary, ProofSource
from novikoff.engines.engine import SERIAL, Engine
from novikoff.errors import InputError


def source_of(
    X: Any, y: Any, fit_intercept: bool, numbers: str, engine: Engine = SERIAL, positive: Any = None
) -> ProofSource:
    """The user's points as a verdict reads them, now and later."""
    try:
        if numbers == "binary64":
            return Binary.of(X, y, fit_intercept, engine, positive)
        from novikoff.certify.decide.decimal_points import Decimals

        return Decimals.of(X, y, fit_intercept, positive)
    except InputError as error:
        if "multiclass" in str(error):
            raise InputError(f"{error}, or ask novikoff.decide_pairs about each pair") from None
        raise
