"""Many classes: several planes trained side by side, and one answer from all of them.

    ova     one-vs-all: a plane for each class against all others; the class with the highest score
    ovo     one-vs-one: a plane for each pair; the class with the highest sum of its pairs' scores
    joint   one plane for each class, changed together (Kesler); the class with the highest score

From the notes: Z15 (c and c(c−1)/2 planes; argmax of scores, argmax of summed pairwise scores).
The pocket is one for all planes: those that put the fewest points into a wrong class among the sets that were counted.
"""

from __future__ import annotations

SCHEMES = ("ova", "ovo", "joint")
MOST = 4096  # rows of one stretch
