"""Decimal digits as the nearest binary64 number.  (compiled)

    m·10^e,  m < 2^64          →  the binary64 number nearest to it, ties to even

Digits are read eight at a time. Where m < 2^53 and |e| ≤ 22, m and 10^|e| are exact and one multiplication or division
rounds correctly (Clinger 1990). Else m·5^e is bounded by a product with 128 digits of 5^e, which tells the nearest
number unless it lies too near to the middle between two (Eisel and Lemire; Lemire 2021, "Number parsing at a gigabyte
per second"); then, and for numbers below 2^−1022 or above the largest, the answer is NaN: left to a slower reader.
"""

from __future__ import annotations

import math

import numpy as np

from novikoff.kernels.mark import EXACT, kernel, load8, product_above, zeros_above, zeros_below

PLUS, MINUS, ZERO = 43, 45, 48
MOST_DIGITS = 19  # of a number, the zeros before them not counted: below 2^64
LARGEST_POWER = 4  # digits
LEAST, LARGEST = -342, 308  # powers of ten outside make 0 or infinity of any m < 2^64
EXACT_WHOLE = np.uint64(1 << 53)
POWERS = np.array([float(10**k) for k in range(23)])
TWOS = np.array([math.ldexp(1.0, power - 1075) for power in range(2047)])
TENS = 10 ** np.arange(9, dtype=np.uint64)

ZEROS = np.uint64(0x3030303030303030)
OVER_NINE = np.uint64(0x7676767676767676)
TOP_BITS = np.uint64(0x8080808080808080)
LOW_BYTES = np.uint64(0x000000FF000000FF)
HUNDREDS = np.uint64(0x000F424000000064)  # 100 and 1,000,000
ONES = np.uint64(0x0000271000000001)  # 1 and 10,000
HALF = np.uint64(0xFFFFFFFF)
BYTE = np.uint64(0xFF)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
NINE_ONES = np.uint64(0x1FF)
NOTHING, ONE, TWO, THREE, EIGHT, NINE, TEN, SIXTEEN, THIRTY_TWO, LAST = (
    np.uint64(v) for v in (0, 1, 2, 3, 8, 9, 10, 16, 32, 63)
)


def _fives() -> np.ndarray:
    """The first 128 binary digits of 5^e: (high, low) for e from LEAST to LARGEST; of a reciprocal, rounded up."""
    rows = []
    for e in range(LEAST, LARGEST + 1):
        five = 5 ** abs(e)
        length = five.bit_length()
        if e >= 0:
            top = five << (128 - length) if length <= 128 else five >> (length - 128)
        else:
            top = (1 << (length + 127)) // five + 1
            top >>= top.bit_length() - 128
        rows.append((top >> 64, top & (2**64 - 1)))
    return np.array(rows, np.uint64)


FIVES = _fives()


@kernel(EXACT, inside=True)
def number(buf, s, point, stop):
    """(the number at s, where it ends): at a blank, a newline or `stop`; NaN for what this reader does not do."""
    v, e = short_number(buf, s, point, stop)
    if np.isnan(v):
        v, e = any_number(buf, s, point, stop)
    return v, e


@kernel(EXACT, inside=True)
def short_number(buf, s, point, stop):
    """The same for at most 7 digits, or for them, a point and at most 23 more; NaN for others.

    No loop, and no question how many digits there are that the processor would have to guess at.
    """
    negative = byte(buf, s) == MINUS
    at = s + np.int64(negative)
    x = load8(buf, at) ^ ZEROS
    whole = x & BYTE
    k = np.int64(1)
    if whole > NINE or byte(buf, at + 1) != point:
        k = leading(x)
        if k == 0 or k == 8:
            return np.nan, at
        whole = value(x, k)
        c = byte(buf, at + k)
        if c <= 32 or c == stop:
            v = np.float64(whole)
            return (-v if negative else v), at + k
        if c != point:
            return np.nan, at
    at += k + 1
    x = load8(buf, at) ^ ZEROS
    y = load8(buf, at + 8) ^ ZEROS
    first = leading(x)
    second = leading(y) * (first >> 3)
    part = first + second
    m = (whole * TENS[np.uint64(first)] + value(x, first)) * TENS[np.uint64(second)] + value(y, second)
    if part == 16:
        z = load8(buf, at + 16) ^ ZEROS
        third = leading(z)
        part += third
        m = m * TENS[np.uint64(third)] + value(z, third)
    c = byte(buf, at + part)
    if (c > 32 and c != stop) or part + (k if whole else np.int64(0)) > MOST_DIGITS:
        return np.nan, at
    v = nearest(m, -part)
    return (-v if negative else v), at + part


@kernel(EXACT, inside=True)
def any_number(buf, s, point, stop):
    """The same for numbers of any length, with or without a power of ten."""
    c = buf[s]
    negative = c == MINUS
    if negative or c == PLUS:
        s += 1
    m, length = digits(buf, s, np.uint64(0))
    s += length
    there = length
    if m == np.uint64(0):
        length = 0
    e = np.int64(0)
    if buf[s] == point:
        s += 1
        begin = s
        if length == 0:
            while buf[s] == ZERO:
                s += 1
        m, part = digits(buf, s, m)
        s += part
        length += part
        there += s - begin
        e = np.int64(begin - s)
    if buf[s] | 32 == 101 and there > 0:
        s += 1
        c = buf[s]
        down = c == MINUS
        if down or c == PLUS:
            s += 1
        more, its = digits(buf, s, np.uint64(0))
        if its == 0 or its > LARGEST_POWER:
            return np.nan, s
        s += its
        e += -np.int64(more) if down else np.int64(more)
    if there == 0 or length > MOST_DIGITS or (buf[s] > 32 and buf[s] != stop):
        return np.nan, s
    x = nearest(m, e)
    return (-x if negative else x), s


@kernel(EXACT, inside=True)
def digits(buf, s, m):
    """(m followed by the digits at s, how many they are); m is right while it is below 2^64."""
    length = np.int64(0)
    while True:
        x = load8(buf, s + length) ^ ZEROS
        k = leading(x)
        m = m * TENS[np.uint64(k)] + value(x, k)
        length += k
        if k < 8:
            return m, length


@kernel(EXACT, inside=True)
def leading(x):
    """How many of eight bytes, a zero digit taken from each, are digits before the first that is none."""
    return zeros_below(((x + OVER_NINE) | x) & TOP_BITS) >> 3


@kernel(EXACT, inside=True)
def value(x, k):
    """The number that the first k of these digits make."""
    half = np.uint64(8 - k) << TWO  # a shift by all 64 binary digits would be none
    return eight_digits((x << half) << half)


@kernel(EXACT, inside=True)
def eight_digits(x):
    """The number that eight digits make, a zero digit taken from each; the last is the highest byte."""
    x = x * TEN + (x >> EIGHT)
    return (((x & LOW_BYTES) * HUNDREDS + ((x >> SIXTEEN) & LOW_BYTES) * ONES) >> THIRTY_TWO) & HALF


@kernel(EXACT, inside=True)
def byte(buf, s):
    """The byte at s: no question whether s counts from the end."""
    return np.int64(load8(buf, s) & BYTE)


@kernel(EXACT, inside=True)
def nearest(m, e):
    """m·10^e in binary64, or NaN."""
    if m < EXACT_WHOLE and -22 <= e <= 22:
        x = np.float64(m)
        return x / POWERS[np.uint64(-e)] if e < 0 else x * POWERS[np.uint64(e)]
    if m == NOTHING:
        return 0.0
    if e < LEAST or e > LARGEST:
        return np.nan
    shift = zeros_above(m)
    w = m << np.uint64(shift)
    row = np.uint64(e - LEAST)
    high, low = product_above(w, FIVES[row, 0]), w * FIVES[row, 0]
    if high & NINE_ONES == NINE_ONES:
        more = product_above(w, FIVES[row, 1])
        low = low + more
        if low < more:
            high += ONE
    if low == ALL and not (-27 <= e <= 55):
        return np.nan
    upper = high >> LAST
    digits53 = high >> (upper + NINE)
    power = ((217706 * e) >> 16) + 63 + np.int64(upper) - shift + 1023
    if power <= 0 or power >= 2046:
        return np.nan
    if low <= ONE and -4 <= e <= 23 and digits53 & THREE == ONE and digits53 << (upper + NINE) == high:
        digits53 -= ONE  # exactly the middle between two: to the even one
    digits53 = (digits53 + (digits53 & ONE)) >> ONE
    return np.float64(digits53) * TWOS[np.uint64(power)]
