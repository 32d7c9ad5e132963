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
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from novikoff.certify.check.verify import FORMAT, KINDS, LARGEST_FILE
from novikoff.data.text.plain_files import label_text
from novikoff.errors import InputError
from novikoff.records.atomic_write import replace_file

SHORT = 600  # digits that Python always writes by itself
FIELDS = {  # of the proof of each kind
    "complete": ("w", "b"),
    "quasi-complete": ("support", "weights", "w", "b", "held", "held_weights"),
    "overlap": ("support", "weights", "held", "held_weights"),
    "not separable": ("support", "weights"),
}


class SavedProof(ABC):
    """A proof that can be written as a certificate."""

    @abstractmethod
    def record(self) -> dict[str, Any]:
        """Return the certificate as plain values, ready for JSON."""

    def to_json(self) -> str:
        """Return the certificate as JSON, one field per line: the same text for the same proof."""
        fields = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in self.record().items()]
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


@dataclass(frozen=True)
class Proof(SavedProof):
    """A claim about n points of d numbers, with its proof; rows are numbered from 0, weights and planes are integers.

    positive and negative are the two labels, one of them None where only one class is there. `support` and `weights`
    are those of the strict claim, `held` and `held_weights` those of the kind. `digest` is that of the data
    (`digest.digest_of`), needed only where the proof is saved or checked.
    """

    kind: str
    n: int
    d: int
    bias: bool
    positive: Any
    negative: Any
    w: tuple[int, ...] | None = None
    b: int | None = None
    support: tuple[int, ...] | None = None
    weights: tuple[int, ...] | None = None
    held: tuple[int, ...] | None = None
    held_weights: tuple[int, ...] | None = None
    digest: str | None = None
    file: Mapping[str, Any] | None = None  # hints: sha256, format, label, header, first_column

    @classmethod
    def of(
        cls,
        verdict: Any,
        classes: Sequence[Any],
        digest: str,
        file: Mapping[str, Any] | None = None,
        kind: str | None = None,
    ) -> Proof:
        """Return the proof in a verdict about points of these classes: one, or two of which the last is positive.

        kind: "not separable" is the claim without its kind.
        """
        negative, positive = (None, *classes)[-2:]
        kind = kind or verdict.kind
        names = ("n", "d", *FIELDS[kind])
        counted = {"support": "indices", "held": "held_indices"}  # among the points, as checkers count rows
        fields = {name: getattr(verdict, counted.get(name, name)) for name in names}
        fields |= {"kind": kind, "bias": verdict.fit_intercept}
        return cls(**fields, positive=positive, negative=negative, digest=digest, file=file)

    def record(self) -> dict[str, Any]:
        """Return the certificate as plain values, ready for JSON."""
        if self.digest is None or self.kind not in KINDS:
            missing = "the digest of its data" if self.kind in KINDS else f"a kind ({', '.join(KINDS)})"
            raise InputError(f"proof: cannot be written without {missing}")
        data = data_record(self.digest, self.n, self.d, (self.negative, self.positive), self.bias, self.file)
        # an empty `held` is a proof about points that are zero vectors: they are in every span
        none: list[Any] | None = None if self.held is None or self.kind in ("complete", "not separable") else []
        return {
            "format": FORMAT,
            "claim": self.kind,
            "data": data,
            "w": _texts(self.w),
            "b": None if self.b is None or not (self.bias or self.b) else digits(self.b),
            "support": _rows(self.support) or None,
            "weights": _texts(self.weights) or None,
            "held": _rows(self.held) or none,
            "held_weights": _texts(self.held_weights) or none,
        }


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


def _texts(values: Iterable[int] | None) -> list[str] | None:
    return None if values is None else [digits(value) for value in values]


def _rows(values: Iterable[int] | None) -> list[int] | None:
    return None if values is None else [int(value) for value in values]
