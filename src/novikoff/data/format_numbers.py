"""Format numbers for people: 1,234 updates, −1/2, ≈0.333333, (1, −1/2), 4·x1 − x2 + 1."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Any

from novikoff.data.plain_files import plane_of

WIDE = 12  # with more columns ‖w‖² is shown instead of w
SHOWN = 12  # with more points a proof is shown by its counts
LONG = 12  # longer numbers are rounded
SHORT = 2000  # bits of an integer that Python writes itself: it refuses more than 640 digits at its strictest setting
MINUS, PLUS = "−", "+"
BEYOND = "a number beyond the range of doubles"


def by_what(bias: bool) -> str:
    """Return what follows "separable" and "not separable" where planes have no bias."""
    return "" if bias else f" by a {plane_of(bias)}"


def count(number: int, noun: str) -> str:
    """Format a count with its noun: `1 pass`, `1,234 updates`."""
    plural = noun + ("es" if noun.endswith("s") else "s")
    return f"{number:,} {noun if number == 1 else plural}"


def left_out(rows: int) -> str:
    """Format how many rows with a missing value were left out."""
    return f"{count(rows, 'row')} with a missing number, category or label {'was' if rows == 1 else 'were'} left out"


def exact(value: Fraction) -> str:
    """Format a number exactly: −1/2."""
    return plain(value).replace("-", MINUS)


def short(value: Fraction) -> str:
    """Format a number, rounded to six figures and marked ≈ if it is long."""
    text = exact(value)
    if len(text) <= LONG:
        return text
    rounded = Context(prec=6).divide(Decimal(value.numerator), Decimal(value.denominator))
    return "≈" + str(rounded.normalize()).replace("-", MINUS)


def plain(value: Fraction) -> str:
    """Format p or p/q in ASCII."""
    top, bottom = value.numerator, value.denominator
    return _digits(top) if bottom == 1 else f"{_digits(top)}/{_digits(bottom)}"


def _digits(value: int) -> str:
    """Format an integer; long ones through Decimal, which has no limit on the digits."""
    return str(value) if value.bit_length() < SHORT else f"{Decimal(value):f}"


def at_most(bound: float | Fraction, form: str = ".2g") -> str:
    """Format an upper bound, rounded up; every bound that is printed is rounded by this or by `at_least`.

    form: as of a float, with up to 15 figures: .2g, ,.6g or .2f.

    Examples
    --------
    >>> at_most(2.31e-13), at_most(0.5), at_most(0.0), at_most(31.25, ".3g"), at_least(31.25, ".3g")
    ('2.4e-13', '0.5', '0', '31.3', '31.2')
    """
    return _outward(bound, form, ROUND_CEILING)


def at_least(bound: float | Fraction, form: str = ".2g") -> str:
    """Format a lower bound, rounded down."""
    return _outward(bound, form, ROUND_FLOOR)


def _outward(bound: float | Fraction, form: str, rounding: str) -> str:
    if isinstance(bound, float) and not math.isfinite(bound):
        return format(bound, form)
    value, digits = Fraction(bound), int(form[:-1].partition(".")[2])
    if form[-1] == "f":
        scaled = value * 10**digits
        whole = math.floor(scaled) if rounding == ROUND_FLOOR else math.ceil(scaled)
        return format(Decimal(f"{_digits(whole)}e-{digits}"), form)
    context = Context(prec=digits, rounding=rounding)
    return format(float(context.divide(Decimal(value.numerator), Decimal(value.denominator))), form)


def ends_in_words(ends: Sequence[float], form: str = ".6g", joint: str = " … ", times: int = 1) -> str:
    """Format the ends of an interval, times a number, rounded outward.

    Examples
    --------
    >>> ends_in_words([0.31251, 0.99996], ".2f", " to ", times=100)
    '31.25 to 100.00'
    """
    low, high = (end if times == 1 else times * Fraction(end) for end in ends)
    return at_least(low, form) + joint + at_most(high, form)


def bounds(low: float, high: float) -> tuple[str, str]:
    """Format two doubles that enclose a number as decimals that enclose it too.

    The shortest decimal of a double may be on the inner side; then 17 figures, rounded outward, are used.

    Examples
    --------
    >>> bounds(0.1, 0.5), bounds(0.3, 0.3)
    (('0.1', '0.5'), ('0.29999999999999998', '0.3'))
    """
    down = repr(low) if Fraction(repr(low)) <= Fraction(low) else _figures(low, ROUND_FLOOR)
    return down, repr(high) if Fraction(repr(high)) >= Fraction(high) else _figures(high, ROUND_CEILING)


def bound_in_words(bound: float | None) -> str:
    """Format an upper bound with six figures, or say that it is larger than every double.

    Examples
    --------
    >>> bound_in_words(108894.5), bound_in_words(float("inf"))
    ('108,895', 'a number beyond the range of doubles')
    """
    return BEYOND if bound is None or math.isinf(bound) else at_most(bound, ",.6g")


def json_interval(interval: Sequence[float]) -> list[float | None]:
    """Return both ends; None for one that is beyond the range of doubles, since JSON has no infinity."""
    return [None if math.isinf(end) else end for end in interval]


def _figures(value: float, rounding: str) -> str:
    """Format 17 figures, rounded in this direction, as Python writes a double."""
    rounded = Context(prec=17, rounding=rounding).plus(Decimal(value))
    return f"{rounded:f}" if -5 < rounded.adjusted() < 16 else f"{rounded:e}"


def marked_once(text: str) -> str:
    """Put ≈ before the whole expression rather than before each number."""
    return "≈" + text.replace("≈", "") if "≈" in text else text


def vector(values: Iterable[Fraction]) -> str:
    """Format a vector: (1, −1/2, 0)."""
    return marked_once(f"({', '.join(map(short, values))})")


def sum_of(values: Sequence[Fraction], names: Sequence[str], write: Any) -> str:
    """Format a sum: 4·x1 − 1/2·x2 + 1, without zero terms and factors 1; an empty sum is 0."""
    terms = [(v < 0, _term(abs(v), name, write)) for v, name in zip(values, names, strict=True) if v]
    if not terms:
        return "0"
    (first_is_negative, first), *rest = terms
    head = (MINUS if first_is_negative else "") + first
    return head + "".join(f" {MINUS if negative else PLUS} {term}" for negative, term in rest)


def _term(size: Fraction, name: str, write: Any) -> str:
    if not name:
        return str(write(size))
    return name if size == 1 else f"{write(size)}·{name}"


def plane_equation(w: Sequence[float], b: float, names: Sequence[str] | None = None) -> str:
    """Format the plane as an equation: 4·x1 − 1/2·x2 + 1 = 0, with column names if there are any."""
    called = [*(names or (f"x{j}" for j in range(1, len(w) + 1))), ""]
    return marked_once(sum_of([Fraction(x) for x in [*w, b]], called, short) + " = 0")
