"""Lines of svmlight text as numbers: `label column:number column:number … # comment`.  (compiled)

A block of text is a byte array with a newline at `hi` and ROOM more bytes that may be read and do not matter. What is
not a plain number is left as NaN; a slower reader does it, or says what is wrong.

Rows are read in two ways, with the same result. A plain row is a label and pairs `column:number` with one blank before
each, their columns of at most 7 digits and ascending. Its blanks, colons and newline are found 64 bytes at a time
(`find_marks`); between two marks the length of a number is known, so no pair waits for the one before it
(`plain_row`). Every other row, right or wrong, is read letter by letter (`any_row`).
"""

from __future__ import annotations

import numpy as np

from novikoff.io.parse_float import (
    BYTE,
    EIGHT,
    MOST_DIGITS,
    NINE,
    NOTHING,
    ONE,
    OVER_NINE,
    POWERS,
    SIXTEEN,
    TENS,
    THREE,
    TOP_BITS,
    TWO,
    ZEROS,
    byte,
    digits,
    eight_digits,
    leading,
    nearest,
    number,
    value,
)
from novikoff.kernels.mark import EXACT, kernel, load8, ones_in, separators, zeros_below

FINE, NOT_A_PAIR, COLUMN_TOO_LARGE, NOT_A_NUMBER, NO_ROOM, NOT_ASCENDING = range(6)  # what is wrong

NEWLINE, RETURN, BLANK, COMMENT, COLON, POINT, MINUS = 10, 13, 32, 35, 58, 46, 45
LONGEST_COLUMN = 18  # digits: below 2^63
NO_COLUMN = 2**63 - 1  # the least of no columns
ROOM = 64  # bytes after a block, which may be read
AT_ONCE = 64  # bytes, so at most as many marks
FEW, MORE = 12, 24  # marks of 64 bytes that are written without a question how many there are
PLAIN_COLUMN = 9_999_999  # of 7 digits
FARTHEST = 2**31  # a mark is a number of 32 bits
UNPLAIN, UNFINISHED = -1, -2
LONGER = np.uint64(MOST_DIGITS - 9)
SEVEN, ALL_BITS, BITS = (np.uint64(v) for v in (7, 64, 63))
COLON_BYTE, POINT_BYTE, BLANK_BYTE, MINUS_BYTE, ZERO_BYTE, NEWLINE_BYTE, RETURN_BYTE = (
    np.uint64(v) for v in (COLON, POINT, BLANK, MINUS, 48, NEWLINE, RETURN)
)


@kernel(EXACT)
def read(buf, lo, hi, widest, marks, labels, spans, starts, columns, values):
    """Rows from lo to hi: (what is wrong, where, rows, pairs, numbers left to do, the least column, the highest one).

    spans[r]: where the label of row r is, labels[r] its number or NaN; its pairs are columns and values
    [starts[r]:starts[r + 1]], columns as written, none above `widest`. Reading ends where an array is full. marks: room
    for some marks, at least 2·AT_ONCE; with less, every row is read letter by letter.
    """
    most_rows = min(labels.size, min(spans.shape[0], starts.size - 1))
    most_pairs = min(columns.size, values.size)
    plain = marks.size >= 2 * AT_ONCE and buf.size >= hi + ROOM and hi < FARTHEST and widest >= PLAIN_COLUMN
    s = lo
    r = 0
    q = 0
    hard = 0
    least = np.int64(NO_COLUMN)
    highest = np.int64(-1)
    found = 0  # marks
    p = 0  # the first mark at or after s
    starts[0] = 0
    while s < hi:
        if plain and r < most_rows and 2 * (most_pairs - q) >= marks.size:
            if p >= found:
                found = find_marks(buf, s, hi, marks)
                p = 0
            end = np.int64(marks[np.uint64(p)])
            label, e = number(buf, s, POINT, COMMENT)
            if np.isnan(label):
                e = end_of_word(buf, s)
            if e == end and e > s:
                at, pairs = plain_row(buf, marks, p, found, q, columns, values)
                if at == UNFINISHED and p > 0:
                    p = found
                    continue
                if at >= 0:
                    labels[r] = label
                    spans[r, 0] = s
                    spans[r, 1] = e
                    if pairs > q:
                        least = min(least, np.int64(columns[np.uint64(q)]))
                        highest = max(highest, np.int64(columns[np.uint64(pairs - 1)]))
                    s = np.int64(marks[np.uint64(at)]) + 1
                    p = at + 1
                    q = pairs
                    r += 1
                    starts[r] = q
                    continue
        s = after_blanks(buf, s)
        if byte(buf, s) == COMMENT:
            s = end_of_line(buf, s)
        if byte(buf, s) != NEWLINE:
            if r >= most_rows:
                return NO_ROOM, s, r, q, hard, least, highest
            spans[r, 0] = s
            labels[r], _ = number(buf, s, POINT, COMMENT)
            s = end_of_word(buf, s)
            spans[r, 1] = s
            wrong, s, pairs, left = any_row(buf, s, widest, q, most_pairs, columns, values)
            hard += left
            if wrong != FINE:
                return wrong, s, r, pairs, hard, least, highest
            for k in range(q, pairs):
                least = min(least, np.int64(columns[k]))
                highest = max(highest, np.int64(columns[k]))
            q = pairs
            r += 1
            starts[r] = q
        s += 1
        while p < found and np.int64(marks[np.uint64(p)]) < s:
            p += 1
    return FINE, s, r, q, hard, least, highest


@kernel(EXACT, inside=True)
def find_marks(buf, s, hi, marks):
    """Write where separators are, from s to hi, as many as there is room for; return their count."""
    k = np.uint64(0)
    room = np.uint64(marks.size - AT_ONCE)
    while s <= hi and k <= room:
        m = separators(buf, s)
        count = ones_in(m)
        if count <= FEW:
            for j in range(FEW):
                marks[k + np.uint64(j)] = s + zeros_below(m)
                m &= m - ONE
        elif count <= MORE:
            for j in range(MORE):
                marks[k + np.uint64(j)] = s + zeros_below(m)
                m &= m - ONE
        else:
            for j in range(count):
                marks[k + np.uint64(j)] = s + zeros_below(m)
                m &= m - ONE
        k += np.uint64(count)
        s += AT_ONCE
    while k > NOTHING and marks[k - ONE] > hi:
        k -= ONE
    return np.int64(k)


@kernel(EXACT, inside=True)
def plain_row(buf, marks, p, found, q, columns, values):
    """Pairs of a row after its label, which ends at mark p: (the mark of its newline, pairs so far).

    Instead of the mark UNFINISHED if the marks end before the row, UNPLAIN for a row that `any_row` must read.
    """
    P = np.uint64(p)
    Q = np.uint64(q)
    last_mark = np.uint64(found - 1)
    a = np.uint64(marks[P])
    last = np.int64(-1)
    w = load8(buf, a)
    while w & BYTE == BLANK_BYTE:
        if last_mark < P + TWO:
            return UNFINISHED, q
        c = np.uint64(marks[P + ONE])
        e = np.uint64(marks[P + TWO])
        size = c - a - ONE
        if size == NOTHING:
            break
        x = ((w >> EIGHT) ^ ZEROS) << ((ALL_BITS - (size << THREE)) & BITS)
        h = load8(buf, c)
        bad = (((x + OVER_NINE) | x) & TOP_BITS) | np.uint64(size > SEVEN) | ((h & BYTE) ^ COLON_BYTE)
        minus = np.uint64((h >> EIGHT) & BYTE == MINUS_BYTE)
        h >>= EIGHT + (minus << THREE)
        whole = (h & BYTE) ^ ZERO_BYTE
        begin = c + ONE + minus
        length = e - begin
        part = length - TWO
        if (h >> EIGHT) & BYTE == POINT_BYTE and part - ONE <= SEVEN:
            y = (load8(buf, begin + TWO) ^ ZEROS) << ((ALL_BITS - (part << THREE)) & BITS)
            bad |= (((y + OVER_NINE) | y) & TOP_BITS) | np.uint64(whole > NINE)
            v = np.float64(np.int64(whole * TENS[part] + eight_digits(y))) / POWERS[part]
        elif (h >> EIGHT) & BYTE == POINT_BYTE and part + np.uint64(whole != NOTHING) - NINE <= LONGER:
            m, wrong = more_digits(buf, begin + TWO, part, whole)
            v = nearest(m, -np.int64(part))
            bad |= wrong | np.uint64(np.isnan(v)) | np.uint64(whole > NINE)
        elif length == ONE:
            bad |= np.uint64(whole > NINE)
            v = np.float64(np.int64(whole))
        else:
            v, end = number(buf, np.int64(c + ONE), POINT, COMMENT)
            bad |= np.uint64(np.uint64(end) != e) | np.uint64(np.isnan(v))
            minus = NOTHING
        column = np.int64(eight_digits(x))
        if bad | np.uint64(column <= last):
            return UNPLAIN, q
        last = column
        columns[Q] = column
        values[Q] = -v if minus else v
        Q += ONE
        P += TWO
        a = e
        w = load8(buf, a)
    if w & BYTE == NEWLINE_BYTE:
        return np.int64(P), np.int64(Q)
    if (w & BYTE == BLANK_BYTE or w & BYTE == RETURN_BYTE) and (w >> EIGHT) & BYTE == NEWLINE_BYTE:
        return np.int64(P + ONE) if last_mark > P else UNFINISHED, np.int64(Q)
    return UNPLAIN, q


@kernel(EXACT, inside=True)
def more_digits(buf, s, part, whole):
    """The digits of a number with 9 to 19 after its point, which are at s: (as a whole number, 0 if all are digits)."""
    second = min(part, SIXTEEN) - EIGHT
    third = part - EIGHT - second
    x = load8(buf, s) ^ ZEROS
    y = (load8(buf, s + EIGHT) ^ ZEROS) << ((ALL_BITS - (second << THREE)) & BITS)
    wrong = (((x + OVER_NINE) | x) | ((y + OVER_NINE) | y)) & TOP_BITS
    m = (whole * TENS[EIGHT] + eight_digits(x)) * TENS[second] + eight_digits(y)
    if third > NOTHING:
        z = (load8(buf, s + SIXTEEN) ^ ZEROS) << ((ALL_BITS - (third << THREE)) & BITS)
        wrong |= ((z + OVER_NINE) | z) & TOP_BITS
        m = m * TENS[third] + eight_digits(z)
    return m, wrong


@kernel(EXACT, inside=True)
def any_row(buf, s, widest, q, most_pairs, columns, values):
    """Pairs of a row whose label ends at s: (what is wrong, where or the newline, pairs so far, numbers left to do)."""
    hard = 0
    last = np.int64(-1)
    s = after_blanks(buf, s)
    while byte(buf, s) != NEWLINE:
        x = load8(buf, s) ^ ZEROS
        length = leading(x)
        m = value(x, length)
        if length == 0 or length == 8:
            if byte(buf, s) == COMMENT:
                s = end_of_line(buf, s)
                break
            m, length = digits(buf, s, np.uint64(0))
        if length == 0 or byte(buf, s + length) != COLON:
            return NOT_A_PAIR, s, q, hard
        column = np.int64(m)
        if length > LONGEST_COLUMN or column > widest:
            return COLUMN_TOO_LARGE, s, q, hard
        if byte(buf, s + length + 1) <= BLANK:
            return NOT_A_NUMBER, s, q, hard
        if q >= most_pairs:
            return NO_ROOM, s, q, hard
        if column <= last:
            return NOT_ASCENDING, s, q, hard
        last = column
        columns[np.uint64(q)] = column
        v, e = number(buf, s + length + 1, POINT, COMMENT)
        values[np.uint64(q)] = v
        if np.isnan(v):
            hard += 1
            e = end_of_word(buf, s)
        q += 1
        s = after_blanks(buf, e)
    return FINE, s, q, hard


@kernel(EXACT, inside=True)
def after_blanks(buf, s):
    c = byte(buf, s)
    while c == 32 or c == 9 or c == 13:
        s += 1
        c = byte(buf, s)
    return s


@kernel(EXACT, inside=True)
def end_of_word(buf, s):
    while byte(buf, s) > 32 and byte(buf, s) != COMMENT:
        s += 1
    return s


@kernel(EXACT, inside=True)
def end_of_line(buf, s):
    while byte(buf, s) != NEWLINE:
        s += 1
    return s
