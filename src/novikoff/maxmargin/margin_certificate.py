"""Write margins as a certificate for `verify`: planes and weights in integers, γ² and R² as fractions."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import gcd
from typing import Any

from novikoff.certify.check.proof import Proof, digits, whole
from novikoff.certify.check.verify import MARGIN, MARGIN_FORMAT
from novikoff.maxmargin.widest_plane import ProvedMargin


def margin_proof(
    data: Mapping[str, Any], geometric: ProvedMargin | None, padded: ProvedMargin, radius2: tuple[Fraction, Fraction]
) -> Proof:
    """Return the proof of the margins of points, and of bounds of R².

    data: the description of the points (`proof.data_record`). geometric is None without a bias, and for one class.
    """
    return Proof({
        "format": MARGIN_FORMAT,
        "claim": MARGIN,
        "data": dict(data),
        "geometric": None if geometric is None else _width(geometric, data["bias"]),
        "padded": _width(padded, data["bias"]),
        "radius2": _bounds(*radius2),
    })  # fmt: skip


def _width(proved: ProvedMargin, bias: bool) -> dict[str, Any]:
    plane = [digits(v) for v in whole(proved.plane)]
    common = gcd(*proved.weights.values())
    return {
        "w": plane[:-1] if bias else plane,
        "b": plane[-1] if bias else None,
        "rows": [int(i) for i in proved.weights],
        "weights": [digits(m // common) for m in proved.weights.values()],
        **_bounds(proved.low2, proved.high2),
    }


def _bounds(lower: Fraction, upper: Fraction) -> dict[str, str]:
    return {"lower": _text(lower), "upper": _text(upper)}


def _text(q: Fraction) -> str:
    return f"{digits(q.numerator)}/{digits(q.denominator)}"
