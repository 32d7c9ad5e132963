"""`python -m corpus compare` or `python -m corpus record [PATTERN]`, from the folder tests."""

from __future__ import annotations

import sys

from corpus.record import compare, load, store
from corpus.runs import results

if __name__ == "__main__":
    verb, pattern = ([*sys.argv[1:], "compare", ""])[0], " ".join(sys.argv[2:])
    found = dict(results(pattern))
    before = load()
    for line in compare(before, found):
        print(line)
    if verb == "record":
        kept = {} if not pattern else before
        store(kept | found)
    print(f"{len(found)} runs")
