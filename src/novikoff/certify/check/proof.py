"""Store a proof, and write it as the certificate file that `verify` checks.

    complete         w·x + b > 0 on the positive side, < 0 on the other              w, b
    quasi-complete   the same with ≤, < for some rows; all others are held           w, b, held, held_weights
    overlap          all rows are held                                               held, held_weights
    not separable    Σ weight·y·(x, 1) = 0 over at most d+2 rows                     support, weights

A plane in floats or fractions is converted to integers: `whole` multiplies it by the smallest number that makes it so.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from novikoff.certify.check.verify import FORMAT, LARGEST_FILE
from novikoff.data.plain_files import label_text
from novikoff.errors import InputError
from novikoff.records.atomic_write import replace_file

SHORT = 600  # digits that Python always writes by itself
FIELDS = {  # of the proof of each kind
    "complete": ("w", "b"),
    "quasi-complete": ("support", "weights", "w", "b", "held", "held_weights"),
    "overlap": ("support", "weights", "held", "held_weights"),
    "not separable": ("support", "weights"),
}


@dataclass(frozen=True)
class Proof:
    """A proof, as the fields of the certificate that `verify` checks."""

    fields: Mapping[str, Any]

    def record(self) -> dict[str, Any]:
        """Return the certificate as plain values, ready for JSON."""
        return dict(self.fields)

    def to_json(self) -> str:
        """Return the certificate as JSON, one field per line: the same text for the same proof."""
        fields = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in self.fields.items()]
        return "{" + ",\n ".join(fields) + "}\n"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the certificate atomically; raise InputError if it is larger than checkers read."""
        check_path(path)
        text = self.to_json()
        if len(text.encode()) > LARGEST_FILE:
            raise InputError(
                f"{path}: the certificate would have {len(text):,} bytes, and checkers read {LARGEST_FILE:,}: it is "
                "not written"
            )
        replace_file(Path(path), text)


def proof_of_verdict(
    verdict: Any, classes: Sequence[Any], digest: str, file: Mapping[str, Any] | None = None, kind: str | None = None
) -> Proof:
    """Return the proof in a verdict about points of these classes: one, or two of which the last is positive.

    digest: of the data (`digest.digest_of`). kind: "not separable" is the claim without its kind.
    """
    negative, positive = (None, *classes)[-2:]
    kind, bias = kind or verdict.kind, verdict.fit_intercept
    names = {"support": "indices", "held": "held_indices"}  # among the points, as checkers count rows
    found = {name: getattr(verdict, names.get(name, name)) for name in FIELDS[kind]}
    w, b = found.get("w"), found.get("b")
    # an empty `held` is a proof about points that are zero vectors: they are in every span
    none: list[Any] | None = [] if "held" in found else None
    return Proof({
        "format": FORMAT,
        "claim": kind,
        "data": data_record(digest, verdict.n, verdict.d, (negative, positive), bias, file),
        "w": None if w is None else [digits(v) for v in w],
        "b": None if b is None or not (bias or b) else digits(b),
        "support": [int(i) for i in found.get("support", ())] or None,
        "weights": [digits(v) for v in found.get("weights", ())] or None,
        "held": [int(i) for i in found.get("held", ())] or none,
        "held_weights": [digits(v) for v in found.get("held_weights", ())] or none,
    })  # fmt: skip


def data_record(
    digest: str,
    n: int,
    d: int,
    classes: Sequence[Any],
    bias: bool,
    file: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the description of a certificate's points; classes: the negative one, the positive one."""
    negative, positive = (None if c is None else label_text(c) for c in classes)
    data = {"digest": digest, "n": int(n), "d": int(d), "positive": positive, "negative": negative}
    data |= {"bias": bool(bias), "numbers": "binary64"}
    return data | ({"file": dict(file)} if file else {})


def check_path(path: Any) -> None:
    """Raise InputError for what is not the name of a file."""
    if not isinstance(path, str | os.PathLike) or not os.fspath(path):
        raise InputError(f"path: found {path!r}; the name of a file was expected, as in 'proof.json'")


def whole(values: Iterable[Any]) -> tuple[int, ...]:
    """Return numbers times the smallest positive number that makes them integers: floats, fractions or integers.

    Examples
    --------
    >>> whole([4.0, -0.5, 1])
    (8, -1, 2)
    >>> whole([6, 1.5]), whole([0, 0])
    ((4, 1), (0, 0))
    """
    ratios = [value.as_integer_ratio() for value in values]
    scale = math.lcm(*(int(q) for _, q in ratios))
    integers = [int(p) * (scale // int(q)) for p, q in ratios]
    divisor = math.gcd(*integers) or 1
    return tuple(v // divisor for v in integers)


def digits(value: int) -> str:
    """Return the decimal digits of an integer of any length (Python refuses to write long ones)."""
    value = int(value)
    if value.bit_length() <= 3 * SHORT:
        return str(value)
    from flint import fmpz

    return str(fmpz(value))
