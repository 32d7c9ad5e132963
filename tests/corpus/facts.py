"""What the record has of a result: its meaning, as plain data that a person can read in a difference.

counts, reasons, exit codes, verdicts     as they are
weights, predictions, scores              the type, the shape and a digest of the bytes
other numbers                             12 digits, so that they may come from another order of the same sums
sentences                                 in full, without their numbers
files                                     that they were written; what a model file holds is asked of it
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np

import novikoff as nv

Facts = dict[str, Any]

SHORT = 40  # letters of a list or dictionary that is recorded as it is; of a longer one, the digest
DEPTH = 3  # dictionaries inside one another that are recorded as they are
IGNORED = ("seconds", "schema", "version", "digest", "sha256", "fitted_with")
EXACT = ("w", "b", "weights", "coef", "intercept")  # numbers that are compared to the last bit
NUMBER = re.compile(r"[-−+]?[0-9]+(?:[.,][0-9]+)*(?:e[-+]?[0-9]+)?")
PICTURE = re.compile(r"[▁-█⣀-⣿⠀-⣿]+")


def recorded(value: Any, depth: int = 0, exact: bool = False) -> Any:
    """A value as the record has it."""
    if isinstance(value, dict):
        value = {str(k): recorded(v, depth + 1, k in EXACT) for k, v in value.items() if k not in IGNORED}
    elif isinstance(value, Told):
        return value.lines
    elif isinstance(value, (list, tuple)):
        value = [recorded(v, depth + 1, exact) for v in value]
    elif isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {digest(np.ascontiguousarray(value).tobytes())}"
    elif isinstance(value, np.generic):
        return recorded(value.item(), depth, exact)
    elif isinstance(value, float):
        return value if exact or not math.isfinite(value) else float(f"{value:.12g}")
    elif isinstance(value, str):
        return words(value) if " " in value else value
    elif not isinstance(value, (int, bool, type(None))):
        value = str(value)
    text = json.dumps(value, sort_keys=True)
    short = len(text) <= SHORT or (isinstance(value, dict) and depth < DEPTH)
    return value if short else f"digest {digest(text.encode())}"


class Told:
    """Lines of text, recorded in full without their numbers."""

    def __init__(self, text: str) -> None:
        self.lines = words(text).splitlines()


def words(text: str) -> str:
    """A text without its numbers, bars and trailing spaces."""
    return "\n".join(
        re.sub(r"[ \t]+", " ", PICTURE.sub("▆", NUMBER.sub("#", line))).strip() for line in text.split("\n")
    )


def digest(content: bytes) -> str:
    """The SHA-256, short."""
    return hashlib.sha256(content).hexdigest()[:16]


def rounded(value: Any, digits: int = 6) -> Any:
    """Numbers that a solver may change in their last places: so many places of the largest."""
    numbers = np.ravel(np.asarray(value, float))
    unit = 10.0 ** (np.ceil(np.log10(max(np.abs(numbers).max(initial=0.0), 1e-300))) - digits)
    return [f"{round(v / unit) * unit + 0.0:.{digits}g}" for v in numbers]


def scores(clf: Any, X: Any) -> Facts:
    """The scores, which are sums in any order, and their signs (of two classes), which are exact."""
    found = clf.decision_function(X)
    signs = {"signs": np.sign(found).astype(np.int8)} if found.ndim == 1 else {}
    return {"scores": rounded(found, 9)} | signs


def refusal(error: Exception) -> Facts:
    """What an error says."""
    return {"refused": Told(str(error))}


def same(one: Any, other: Any, name: str) -> bool:
    """Whether two fitted models have the same value of an attribute, or both have none."""
    a, b = getattr(one, name, None), getattr(other, name, None)
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return np.array_equal(np.asarray(a), np.asarray(b))
    return bool(a == b)


def model(path: Path) -> Facts:
    """What a model file holds."""
    clf = nv.load(path)
    names = ("coef_", "intercept_", "classes_", "n_updates_", "n_looks_", "n_iter_", "stop_reason_", "n_features_in_")
    facts = {name: getattr(clf, name) for name in names if hasattr(clf, name)}
    preparation = getattr(clf, "preparation_", None)
    return facts | ({} if preparation is None else {"columns": list(map(str, preparation.names))})


def written(path: Path) -> Any:
    """What is recorded of a file that a command wrote."""
    if path.suffix == ".nvk":
        return model(path)
    return digest(path.read_bytes()) if path.suffix in (".csv", ".svm") else "written"
