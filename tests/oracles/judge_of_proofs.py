"""An independent judge of certificates: fractions, ranks, and nothing of novikoff.

A row is held when it adds nothing to the rank of the rows with weights; that is asked by computing ranks, row by row.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
from fractions import Fraction
from typing import Any

Rows = list[tuple[str, list[str]]]  # (label, numbers as texts) of each point


def number(text: str) -> Fraction:
    return Fraction(float(text))


def rank(rows: list[list[Fraction]]) -> int:
    """By elimination from the last column to the first."""
    rows, found = [list(row) for row in rows], 0
    for j in reversed(range(len(rows[0]) if rows else 0)):
        pivot = next((row for row in rows if row[j] != 0), None)
        if pivot is None:
            continue
        rows.remove(pivot)
        rows = [[a - row[j] / pivot[j] * p for a, p in zip(row, pivot, strict=True)] for row in rows]
        found += 1
    return found


def digest(rows: Rows) -> str:
    """The digest, written down from the format's description."""

    def padded(raw: bytes) -> bytes:
        return len(raw).to_bytes(8, "little") + raw + b"\0" * ((8 - len(raw) % 8) % 8)

    def one(label: str, texts: list[str]) -> bytes:
        out = []
        for j, text in enumerate(texts):
            if number(text):
                raw = bytes(ctypes.c_double.__ctype_le__(float(text)))
                out.append(j.to_bytes(8, "little") + raw)
        return padded(label.encode()) + len(out).to_bytes(8, "little") + b"".join(out)

    blocks = [rows[k : k + 4096] for k in range(0, len(rows), 4096)]
    leaves = [hashlib.sha256(b"".join(one(*row) for row in block)).digest() for block in blocks]
    sizes = len(rows).to_bytes(8, "little") + len(rows[0][1]).to_bytes(8, "little")
    return hashlib.sha256(padded(b"novikoff-digest/1 binary64") + sizes + b"".join(leaves)).hexdigest()


def judged(certificate: Any, rows: Rows) -> str | None:
    """The kind that is proved about the rows, or None."""
    try:
        return _judged(json.loads(certificate) if isinstance(certificate, str) else certificate, rows)
    except (ArithmeticError, AttributeError, KeyError, IndexError, TypeError, ValueError):
        return None


def _judged(c: dict[str, Any], rows: Rows) -> str | None:
    data = c["data"]
    if c["format"] != "novikoff-certificate/1" or data["numbers"] != "binary64" or data["digest"] != digest(rows):
        return None
    if (data["n"], data["d"]) != (len(rows), len(rows[0][1])):
        return None
    positive, negative = data.get("positive"), data.get("negative")
    if positive == negative or {label for label, _ in rows} - {positive, negative}:
        return None
    Z = []
    for label, texts in rows:
        sign = 1 if label == positive else -1
        x = [number(text) for text in texts]
        Z.append([sign * value for value in [*x, *([Fraction(1)] if data["bias"] else [])]])
    held, support = (_summed(c, Z, *names) for names in (("held", "held_weights"), ("support", "weights")))
    if held is False or support is False:
        return None
    if c.get("w") is None and held is None:
        return "not separable" if support and c["claim"] == "not separable" else None
    v = [Fraction(0)] * len(Z[0])
    if c.get("w") is not None:
        v = [Fraction(int(text)) for text in [*c["w"], *([c["b"]] if data["bias"] else [])]]
    sides = [sum((a * b for a, b in zip(z, v, strict=True)), Fraction(0)) for z in Z]
    T = [Z[i] for i in held or []]
    for z, side in zip(Z, sides, strict=True):
        if side < 0 or (side == 0 and rank([*T, z]) != rank(T)):
            return None
    kinds = {(True, False): "complete", (True, True): "quasi-complete", (False, True): "overlap"}
    kind = kinds[any(side > 0 for side in sides), any(side == 0 for side in sides)]
    return kind if kind == c["claim"] else None


def _summed(c: dict[str, Any], Z: list[list[Fraction]], rows: str, weights: str) -> Any:
    """The rows with weights if these sum to zero; None where there are none, False where the sum is not zero."""
    if c.get(rows) is None and c.get(weights) is None:
        return None
    terms = [(int(i), Fraction(int(text))) for i, text in zip(c[rows], c[weights], strict=True)]
    if any(weight <= 0 or i < 0 for i, weight in terms) or len({i for i, _ in terms}) < len(terms):
        return False
    total = [sum((weight * Z[i][j] for i, weight in terms), Fraction(0)) for j in range(len(Z[0]))]
    return [i for i, _ in terms] if not any(total) else False


def judged_margin(certificate: Any, rows: Rows) -> bool:
    """Whether a certificate of margins is true of the rows, from the definitions."""
    try:
        return _judged_margin(json.loads(certificate) if isinstance(certificate, str) else certificate, rows)
    except (ArithmeticError, AttributeError, KeyError, IndexError, TypeError, ValueError):
        return False


def _judged_margin(c: dict[str, Any], rows: Rows) -> bool:
    data = c["data"]
    if (c["format"], c["claim"]) != ("novikoff-certificate/2", "margin") or data["digest"] != digest(rows):
        return False
    signs = [{data["positive"]: 1, data["negative"]: -1}[label] for label, _ in rows]
    X = [[number(text) for text in texts] for _, texts in rows]
    Z = [[s * v for v in (*x, *([1] if data["bias"] else []))] for x, s in zip(X, signs, strict=True)]
    for name in ("geometric", "padded"):
        if (width := c[name]) is None:
            continue
        v = [Fraction(int(text)) for text in [*width["w"], *([width["b"]] if data["bias"] else [])]]
        least = min(sum(a * b for a, b in zip(z, v, strict=True)) for z in Z)
        length2 = sum(a * a for a in (v[:-1] if name == "geometric" else v))
        lower, upper = (Fraction(*map(int, width[end].split("/"))) for end in ("lower", "upper"))
        weights = [(int(i), int(text)) for i, text in zip(width["rows"], width["weights"], strict=True)]
        if min(m for _, m in weights) <= 0 or min(i for i, _ in weights) < 0 or len(dict(weights)) < len(weights):
            return False
        if name == "geometric":
            sides = [_mean([(X[i], m) for i, m in weights if signs[i] == side]) for side in (1, -1)]
            mixed = [(a - b) / 2 for a, b in zip(*sides, strict=True)]
        else:
            mixed = _mean([(Z[i], m) for i, m in weights])
        if not (least > 0 and least * least >= lower * length2 and sum(a * a for a in mixed) <= upper and lower > 0):
            return False
        if lower > upper:
            return False
    lower, upper = (Fraction(*map(int, c["radius2"][end].split("/"))) for end in ("lower", "upper"))
    return 0 < lower <= max(sum(a * a for a in z) for z in Z) <= upper


def _mean(terms: list[tuple[list[Fraction], int]]) -> list[Fraction]:
    total = sum(m for _, m in terms)
    return [sum((x[j] * m for x, m in terms), Fraction(0)) / total for j in range(len(terms[0][0]))]
