"""The perceptron algorithm: update rule, order of rows, returned weights, stopping rules, and the training loop.

The words for the choices stand here, so that help and the lecture can name them without loading anything else.
"""

from __future__ import annotations

RULES = ("perceptron", "margin", "pa", "pa1", "pa2")
ORDERS = ("cyclic", "first", "shuffle", "random", "worst")
KEEPS = ("last", "pocket", "average", "vote")
SCHEDULES = ("constant", "inverse", "inverse-sqrt")
SCHEMES = ("ova", "ovo", "joint")
PAIRS = ("vote", "sum")  # how one-vs-one decides
