"""Small raw rows for tests of preparation."""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.prepare import Raw

MAILS = ["free cash now", "call me now", "cash call", "free free"]
XOR = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])


def mails(texts: list[Any] | None = None) -> Raw:
    return Raw(text={"mail": MAILS if texts is None else texts})


def everything() -> Raw:
    numbers = np.array([[1.0, 20.0], [2.0, 20.0], [4.0, 20.0], [9.0, 20.0]])
    return Raw(numbers, ("age", "same"), {"mail": MAILS}, {"color": ["red", "blue", "red", "green"]})
