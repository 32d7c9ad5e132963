"""Choices of a run that go together."""

from __future__ import annotations


def allowed(order: str, keep: str = "auto", rule: str = "perceptron") -> bool:
    """Whether a run of two classes may have these; order batch is for one rule, and not for a vote."""
    return order != "batch" or (rule == "perceptron" and keep != "vote")
