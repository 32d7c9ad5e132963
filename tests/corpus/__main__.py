"""`python -m corpus compare|record [PATTERN] [--compiled]`, from the folder tests."""

from __future__ import annotations

import sys

from corpus.record import compare, load, store
from corpus.runs import results
from data.kernel_mode import set_for_this_process

if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--compiled"]
    verb, pattern = [*words, "compare"][0], " ".join(words[1:])
    if "--compiled" in sys.argv:  # tiny work too, which is interpreted otherwise
        set_for_this_process("compiled")
    found = dict(results(pattern))
    before = load()
    for line in compare(before, found):
        print(line)
    if verb == "record":
        kept = {} if not pattern else before
        store(kept | found)
    print(f"{len(found)} runs")
