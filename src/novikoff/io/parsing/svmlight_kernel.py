"""Lines of svmlight text as numbers: `label column:number column:number … # comment`.  (compiled)

A block of text is a byte array with a newline at `hi` and some more bytes that may be read and do not matter. What is
not a plain number is left as NaN; a slower reader does it, or says what is wrong.
"""

from __future__ import annotations

import numpy as np

from novikoff.io.parsing.parse_float import ZEROS, byte, digits, leading, number, value
from novikoff.kernels.mark import EXACT, kernel, load8

FINE, NOT_A_PAIR, COLUMN_TOO_LARGE, NOT_A_NUMBER, NO_ROOM = range(5)  # what is wrong

NEWLINE, COMMENT, COLON, POINT = 10, 35, 58, 46
QID = (113, 105, 100)
LONGEST_COLUMN = 18  # digits: below 2^63


@kernel(EXACT)
def read(buf, lo, hi, widest, labels, spans, starts, columns, values):
    """Rows from lo to hi: (what is wrong, where, rows, pairs, numbers left to do, rows whose columns do not ascend).

    spans[r]: where the label of row r is, labels[r] its number or NaN; its pairs are columns and values
    [starts[r]:starts[r + 1]], columns as written, none above `widest`. Reading ends where an array is full.
    """
    most_rows = min(labels.size, min(spans.shape[0], starts.size - 1))
    most_pairs = min(columns.size, values.size)
    s = lo
    r = 0
    q = 0
    hard = 0
    mixed = 0
    starts[0] = 0
    while s < hi:
        s = after_blanks(buf, s)
        if byte(buf, s) == COMMENT:
            s = end_of_line(buf, s)
        if byte(buf, s) == NEWLINE:
            s += 1
            continue
        if r >= most_rows:
            return NO_ROOM, s, r, q, hard, mixed
        spans[r, 0] = s
        labels[r], _ = number(buf, s, POINT, COMMENT)
        s = end_of_word(buf, s)
        spans[r, 1] = s
        s = after_blanks(buf, s)
        last = np.int64(-1)
        falls = 0
        while byte(buf, s) != NEWLINE:
            x = load8(buf, s) ^ ZEROS
            length = leading(x)
            m = value(x, length)
            if length == 0 or length == 8:
                if byte(buf, s) == COMMENT:
                    s = end_of_line(buf, s)
                    break
                if length == 0 and q == starts[r] and is_qid(buf, s):
                    s = after_blanks(buf, end_of_word(buf, s))
                    continue
                m, length = digits(buf, s, np.uint64(0))
            if length == 0 or byte(buf, s + length) != COLON:
                return NOT_A_PAIR, s, r, q, hard, mixed
            column = np.int64(m)
            if length > LONGEST_COLUMN or column > widest:
                return COLUMN_TOO_LARGE, s, r, q, hard, mixed
            if byte(buf, s + length + 1) <= 32:
                return NOT_A_NUMBER, s, r, q, hard, mixed
            if q >= most_pairs:
                return NO_ROOM, s, r, q, hard, mixed
            falls += column <= last
            last = column
            columns[np.uint64(q)] = column
            v, e = number(buf, s + length + 1, POINT, COMMENT)
            values[np.uint64(q)] = v
            if np.isnan(v):
                hard += 1
                e = end_of_word(buf, s)
            q += 1
            s = after_blanks(buf, e)
        s += 1
        r += 1
        starts[r] = q
        mixed += falls > 0
    return FINE, s, r, q, hard, mixed


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


@kernel(EXACT, inside=True)
def is_qid(buf, s):
    return buf[s] == QID[0] and buf[s + 1] == QID[1] and buf[s + 2] == QID[2] and buf[s + 3] == COLON
