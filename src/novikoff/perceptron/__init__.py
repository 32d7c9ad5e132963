"""The perceptron algorithm: update rule, order of rows, returned weights, stopping rules, and the training loop.

The words for the choices stand here, so that help and the lecture can name them without loading anything else.
"""

from __future__ import annotations

RULES = ("perceptron", "margin", "pa", "pa1", "pa2")
FIXED_ORDERS = ("cyclic", "first", "shuffle", "random")  # the same in every pass, an update at each mistake
TRACED_ORDERS = (*FIXED_ORDERS, "batch")
ORDERS = (*FIXED_ORDERS, "auto", "batch")
SHUFFLED_FROM = 11  # the first pass of order "auto" that is shuffled, and of keep "auto" that the average counts
SETTLED = 20  # passes that a run makes though it is proved whether a plane separates the points
KEEPS = ("last", "pocket", "average", "vote", "auto")
SCHEDULES = ("constant", "inverse", "inverse-sqrt")
SCHEMES = ("ova", "ovo", "joint")  # or "auto": "ovo" or "ova", chosen by the points
PAIRS = ("vote", "sum")  # how one-vs-one decides
