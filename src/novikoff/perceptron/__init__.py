"""The algorithm: a rule, an order, a keep, a stop, and one loop.

The words for the choices stand here, so that help and the lecture can name them without loading anything else.
"""

from __future__ import annotations

RULES = ("perceptron",)
ORDERS = ("cyclic", "first", "shuffle", "random")
KEEPS = ("last", "pocket", "average", "vote")

LATER_RULES = ("margin", "pa", "pa1", "pa2")
LATER_ORDERS = ("worst",)
