"""Labelled points, wherever they live."""

from __future__ import annotations

EXAMPLES = ("tao", "cornwell", "spam", "or", "xor", "and", "digits", "iris", "wine", "breast-cancer", "retina")
