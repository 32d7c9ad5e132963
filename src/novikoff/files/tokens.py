"""Lines of svmlight text as numbers: `label column:number column:number … # comment`.  (compiled)

A block of text is a byte array with a newline at `hi` and some more bytes that may be read and do not matter. What is
not a plain number is left as NaN; a slower reader does it, or says what is wrong.
"""

from __future__ import annotations

import numpy as np

from novikoff.files.decimals import digits, number
from novikoff.kernel import EXACT, kernel

FINE, NOT_A_PAIR, COLUMN_TOO_LARGE = range(3)  # what is wrong

NEWLINE, COMMENT, COLON, POINT = 10, 35, 58, 46
QID = (113, 105, 100)
LONGEST_COLUMN = 18  # digits: below 2^63


@kernel(EXACT)
def read(buf, lo, hi, labels, spans, starts, columns, values):
    """Rows from lo to hi: (what is wrong, where, rows, pairs, numbers left to do, rows whose columns do not ascend).

    spans[r]: where the label of row r is, labels[r] its number or NaN; its pairs are columns and values
    [starts[r]:starts[r + 1]], columns as written.
    """
    s = lo
    r = 0
    q = 0
    hard = 0
    mixed = 0
    starts[0] = 0
    while s < hi:
        s = after_blanks(buf, s)
        if buf[s] == COMMENT:
            s = end_of_line(buf, s)
        if buf[s] == NEWLINE:
            s += 1
            continue
        spans[r, 0] = s
        labels[r], _ = number(buf, s, POINT, COMMENT)
        s = end_of_word(buf, s)
        spans[r, 1] = s
        s = after_blanks(buf, s)
        last = np.int64(-1)
        falls = 0
        while buf[s] != NEWLINE:
            if buf[s] == COMMENT:
                s = end_of_line(buf, s)
                break
            m, length = digits(buf, s, np.uint64(0))
            if length == 0 and q == starts[r] and is_qid(buf, s):
                s = after_blanks(buf, end_of_word(buf, s))
                continue
            if length == 0 or buf[s + length] != COLON:
                return NOT_A_PAIR, s, r, q, hard, mixed
            if length > LONGEST_COLUMN:
                return COLUMN_TOO_LARGE, s, r, q, hard, mixed
            column = np.int64(m)
            falls += column <= last
            last = column
            columns[q] = column
            x, e = number(buf, s + length + 1, POINT, COMMENT)
            values[q] = x
            if np.isnan(x):
                hard += 1
                e = end_of_word(buf, s)
            q += 1
            s = after_blanks(buf, e)
        s += 1
        r += 1
        starts[r] = q
        mixed += falls > 0
    return FINE, s, r, q, hard, mixed


@kernel(EXACT)
def after_blanks(buf, s):
    while buf[s] == 32 or buf[s] == 9 or buf[s] == 13:
        s += 1
    return s


@kernel(EXACT)
def end_of_word(buf, s):
    while buf[s] > 32 and buf[s] != COMMENT:
        s += 1
    return s


@kernel(EXACT)
def end_of_line(buf, s):
    while buf[s] != NEWLINE:
        s += 1
    return s


@kernel(EXACT)
def is_qid(buf, s):
    return buf[s] == QID[0] and buf[s + 1] == QID[1] and buf[s + 2] == QID[2] and buf[s + 3] == COLON
