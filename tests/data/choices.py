"""Choices of a run that go together."""

from __future__ import annotations

RULES = ("perceptron", "margin", "pa", "pa1", "pa2")
KEEPS = ("last", "pocket", "average", "vote", "auto")
FIXED_ORDERS = ("cyclic", "first", "shuffle", "random")
ORDERS = (*FIXED_ORDERS, "auto", "batch")
SCHEMES = ("ova", "ovo", "joint")
SCHEDULES = ("constant", "inverse", "inverse-sqrt")


def allowed(order: str, keep: str = "auto", rule: str = "perceptron") -> bool:
    """Whether a run of two classes may have these; order batch is for one rule, and not for a vote."""
    return order != "batch" or (rule == "perceptron" and keep != "vote")


def allowed_for_many(scheme: str, keep: str, rule: str = "perceptron") -> bool:
    """Whether a run of more classes may have these: no votes; joint planes have one rule, and no pocket."""
    return keep != "vote" and (scheme != "joint" or (rule == "perceptron" and keep != "pocket"))


KEEPS = ("last", "pocket", "average", "vote", "auto")
SCHEMES = ("ova", "ovo", "joint")
