"""Write certificates, the documents that `verify` checks; docs/certificate.md specifies them.

The sections of a certificate are made here from integers: planes, rows with weights, and the complement of the span of
the zero-sum rows, which FLINT computes in echelon form.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from flint import fmpz_mat

from novikoff.data.plain_files import label_text
from novikoff.errors import InputError
from novikoff.exact.integer_rows import digits
from novikoff.proof.verify import LARGEST_FILE
from novikoff.records.atomic_write import replace_file

FORMAT = "novikoff-proof/1"
NOTHING: dict[str, Any] = {"rows": [], "against": [], "weights": []}


@dataclass(frozen=True)
class Certificate:
    """A certificate, as the fields that `verify` checks."""

    fields: Mapping[str, Any]

    def record(self) -> dict[str, Any]:
        """Return the certificate as plain values, ready for JSON."""
        return dict(self.fields)

    def to_json(self) -> str:
        """Return the certificate as JSON, one field per line: the same text for the same certificate."""
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


def certificate_of(claim: str, digest: str, shape: Sequence[int], model: Mapping[str, Any],
                   file: Mapping[str, Any] | None, **sections: Any) -> Certificate:  # fmt: skip
    """Return the certificate of a claim about points of this shape; sections that are not given are empty.

    file: `data.file`, and `made_by` if the points were made from another file; None: the CSV that `convert` writes.
    """
    rows, columns = (int(v) for v in shape)
    how = dict(file or written_file(columns))
    data = {"digest": digest, "rows": rows, "columns": columns, "made_by": how.pop("made_by", None), "file": how}
    empty: dict[str, Any] = {
        "strict": None,
        "directions": [],
        "zero_sum": NOTHING,
        "complement": [],
        "coefficients": None,
        "margins": None,
    }
    return Certificate({"format": FORMAT, "claim": claim, "data": data, "model": dict(model)} | empty | sections)


def written_file(columns: int) -> dict[str, Any]:
    """Return `data.file` of the CSV file that `convert` writes: a header, and the label last."""
    return {"csv": {"delimiter": ",", "header": True, "label": columns}, "svmlight": None}


def labels_model(classes: Sequence[Any], intercept: Any) -> dict[str, Any]:
    """Return `model` of labels: the reference first; None is a class that does not occur."""
    texts = [None if c is None else label_text(c) for c in classes]
    return {"family": "labels", "classes": texts, "trials": None, "intercept": bool(intercept)}


# ---- sections ------------------------------------------------------------------------------------------------------


def vector(values: Mapping[int, Any] | Sequence[Any]) -> dict[str, Any]:
    """Return the integers that are not zero, with their places."""
    items = sorted(values.items()) if isinstance(values, Mapping) else enumerate(values)
    there = [(int(j), v) for j, v in items if v]
    return {"at": [j for j, _ in there], "values": [digits(v) for _, v in there]}


def weights(rows: Iterable[Any], against: Iterable[Any], values: Iterable[Any]) -> dict[str, Any]:
    """Return positive weights of vectors, each of a row against a class."""
    return {"rows": [*map(int, rows)], "against": [*map(int, against)], "weights": [*map(digits, values)]}


def between(lower: Fraction, upper: Fraction) -> dict[str, str]:
    """Return bounds of a square."""
    ends = {"lower": lower, "upper": upper}
    return {name: f"{digits(v.numerator)}/{digits(v.denominator)}" for name, v in ends.items()}


def complement(
    zero_sum: Sequence[Sequence[int]], directions: Sequence[Sequence[int]], places: Sequence[int]
) -> list[dict[str, Any]]:
    """Return vectors that complete the directions to a basis of what is orthogonal to the zero-sum vectors.

    All vectors are integers at the given places of the certificate's coefficients.
    """
    D = len(places)
    H, directed = [list(z) for z in zero_sum if any(z)], [list(b) for b in directions if any(b)]
    table, den, rank = fmpz_mat(H or [[0] * D]).rref()
    if rank + (fmpz_mat(directed).rank() if directed else 0) == D:
        return []
    made: list[dict[str, Any]] = []
    echelon = [[int(v) for v in row] for row in table.tolist()[:rank]]
    pivots = [next(j for j, v in enumerate(row) if v) for row in echelon]
    for j in sorted(set(range(D)) - set(pivots)):
        found = {j: int(den)} | {p: -row[j] for p, row in zip(pivots, echelon, strict=True) if row[j]}
        divisor = math.gcd(*found.values())
        made.append(vector({places[k]: v // divisor for k, v in found.items()}))
    return made


def against_other(signs: Iterable[int]) -> Iterator[int]:
    """Return the class that each row of two classes is against: 0 for +1, 1 for −1."""
    return (0 if sign > 0 else 1 for sign in signs)


def check_path(path: Any) -> None:
    """Raise InputError for what is not the name of a file."""
    if not isinstance(path, str | os.PathLike) or not os.fspath(path):
        raise InputError(f"path: found {path!r}; the name of a file was expected, as in 'proof.json'")
