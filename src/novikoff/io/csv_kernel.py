"""Lines of cells with commas, tabs or semicolons between them, as numbers.  (compiled)

Blocks of text are as in `svmlight_kernel`. A cell that is not a plain number is left as NaN for a slower reader. A
quotation mark ends the reading: cells in quotes may hold anything, also a newline.
"""

from __future__ import annotations

import numpy as np

from novikoff.io.parse_float import number
from novikoff.kernels.mark import EXACT, kernel

FINE, TOO_FEW, TOO_MANY, QUOTED = range(4)  # what is wrong
NEWLINE, RETURN, SPACE, TAB, QUOTE = 10, 13, 32, 9, 34
TEXT = -1  # text column k goes by TEXT − k: it is not read as a number, its place is noted
PASSED_OVER = -1_000_000


@kernel(EXACT)
def read(buf, lo, hi, separator, point, kinds, values, spans, at):
    """Rows from lo to hi: (what is wrong, where, rows, the cell, cells left to do).

    kinds[c]: the column of `values` that cell c goes to, TEXT − k (spans[r, k] is where it is), or PASSED_OVER. at[r]:
    where row r begins.
    """
    s = lo
    r = 0
    hard = 0
    width = kinds.size
    while s < hi:
        if buf[s] == NEWLINE or (buf[s] == RETURN and buf[s + 1] == NEWLINE):
            s += 1
            continue
        at[r] = s
        for c in range(width):
            s = after_spaces(buf, s, separator)
            if buf[s] == QUOTE:
                return QUOTED, at[r], r, c, hard
            e = s
            if kinds[c] >= 0:
                x, e = number(buf, s, point, separator)
                e = after_spaces(buf, e, separator)
                if buf[e] != separator and buf[e] != NEWLINE:
                    x = np.nan
                values[r, kinds[c]] = x
                hard += np.isnan(x)
            while buf[e] != separator and buf[e] != NEWLINE:
                e += 1
            if kinds[c] < 0 and kinds[c] != PASSED_OVER:
                spans[r, TEXT - kinds[c], 0] = s
                spans[r, TEXT - kinds[c], 1] = e
            if buf[e] == NEWLINE and c < width - 1:
                return TOO_FEW, at[r], r, c + 1, hard
            s = e + 1
        if buf[s - 1] != NEWLINE:
            return TOO_MANY, at[r], r, width, hard
        r += 1
    return FINE, s, r, 0, hard


@kernel(EXACT)
def after_spaces(buf, s, separator):
    """Past spaces, tabs that do not separate, and a return before a newline."""
    while buf[s] == SPACE or (buf[s] == TAB and separator != TAB) or (buf[s] == RETURN and buf[s + 1] == NEWLINE):
        s += 1
    return s
