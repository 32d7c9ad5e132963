"""The results of an experiment: a table with one row per cell, and exponents fitted to it."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from typing import Any

from novikoff.data.format_numbers import at_least, at_most, ends_in_words
from novikoff.errors import InputError

ROUNDED = {  # columns of bounds; all others are rounded to the nearest number
    **dict.fromkeys(("low", "overlap_bound", "cosine_bound"), at_least),
    **dict.fromkeys(("high", "norm_bound", "bound"), at_most),
}


@dataclass(frozen=True)
class Experiment:
    """Results of an experiment.

    name: of the experiment. seed, trials: as given. rows: one dict per cell. fits: exponents, each with its interval.
    notes: sentences about the results.
    """

    name: str
    seed: int
    trials: int
    rows: list[dict[str, Any]]
    fits: list[dict[str, Any]]
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return everything, ready for JSON."""
        return {"experiment": self.name, "seed": self.seed, "trials": self.trials, "rows": self.rows,
                "fits": self.fits, "notes": list(self.notes)}  # fmt: skip

    def to_csv(self) -> str:
        """Return the table as CSV, one line per cell."""
        text = io.StringIO()
        table = csv.DictWriter(text, list(self.rows[0]), lineterminator="\n")
        table.writeheader()
        table.writerows({k: json.dumps(v) if isinstance(v, list) else v for k, v in row.items()} for row in self.rows)
        return text.getvalue()

    def to_text(self) -> str:
        """Return the table for people, with the fitted exponents and the notes below it."""
        columns = [name for name, value in self.rows[0].items() if not isinstance(value, list)]
        cells = [columns, *([_shown(row[name], name) for name in columns] for row in self.rows)]
        widths = [max(len(row[j]) for row in cells) for j in range(len(columns))]
        lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in cells]
        return "\n".join([*lines, *(fit_in_words(fit) for fit in self.fits), *self.notes])

    def __str__(self) -> str:
        return self.to_text()


def of_experiment(found: Any, name: str) -> Experiment:
    """Return the results if they are those of this experiment; raise InputError for others."""
    if not isinstance(found, Experiment) or found.name != name:
        what = f"that of {found.name!r}" if isinstance(found, Experiment) else type(found).__name__
        raise InputError(f"found {what}; the result of the experiment {name!r} was expected", "experiment")
    return found


def fit_in_words(fit: dict[str, Any]) -> str:
    """Format a fitted exponent: what grows like which power, with its interval."""
    theory = "" if fit.get("theory") is None else f"; theory {fit['theory']:g}"
    ends = ends_in_words(fit["interval"], ".3f")
    return f"{fit['of']} ~ {fit['in']}^{fit['exponent']:.3f}   {fit['level']:.1%} interval {ends}{theory}"


def _shown(value: Any, name: str) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return ROUNDED.get(name, format)(value, ".4g")
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
