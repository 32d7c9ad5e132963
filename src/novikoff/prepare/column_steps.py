"""The columns of the training rows, each with its preparation step, in the order of the prepared columns.

missing values first; numbers, then each column of categories, then each column of text; then steps for whole rows
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from novikoff.data.column_names import check_names
from novikoff.errors import InputError
from novikoff.prepare.hashing import Hash
from novikoff.prepare.imputation import Impute
from novikoff.prepare.onehot import OneHot
from novikoff.prepare.products import Products, UnitRows
from novikoff.prepare.raw_columns import Raw, joined, numbered
from novikoff.prepare.scaling import Scale, Unscaled
from novikoff.prepare.step import Step
from novikoff.prepare.word_counts import Words

SHOWN = 5  # names
OF_NUMBERS: dict[str, type[Unscaled]] = {step.kind: step for step in (Unscaled, Scale)}
OF_TEXT: dict[str, type[Words] | type[Hash]] = {Words.kind: Words, Hash.kind: Hash}
OF_ROWS: dict[str, type[Products] | type[UnitRows]] = {Products.kind: Products, UnitRows.kind: UnitRows}


@dataclass
class ColumnSteps:
    """d numeric columns (with names, or None), categorical and text columns, each with its steps.

    others: indices (from 0) of the other columns of a table without names. cells: imputes missing values.
    """

    d: int = 0
    named: tuple[str, ...] | None = None
    numbers: Unscaled | None = None
    categories: dict[str, OneHot] = field(default_factory=dict)
    text: dict[str, Words | Hash] = field(default_factory=dict)
    rows: list[Products | UnitRows] = field(default_factory=list)
    others: frozenset[int] = frozenset()
    cells: Impute | None = None

    @property
    def number_names(self) -> Sequence[str]:
        return numbered(self.d, self.others) if self.named is None else self.named

    @property
    def names(self) -> Sequence[str]:
        """Names of the prepared columns."""
        return self._names(self.number_names)

    @property
    def unit_names(self) -> Sequence[str]:
        """`names`, with "(scaled)" where the numbers are in other units than those of the file."""
        if any(isinstance(step, UnitRows) for step in self.rows):
            return [f"{name} (scaled)" for name in self.names]
        if isinstance(self.numbers, Scale):
            return self._names([f"{name} (scaled)" for name in self.number_names])
        return self.names

    def _names(self, numbers: Sequence[str]) -> Sequence[str]:
        """Return the names of the prepared columns; numbers: those of the numeric ones."""
        parts: list[Sequence[str]] = [numbers]
        parts += [step.names(name) for name, step in self.categories.items()]
        parts += [step.names(name, len(self.text) == 1) for name, step in self.text.items()]
        names: Sequence[str] = joined(parts)
        for step in self.rows:
            names = step.names(names)
        return names

    def shown(self) -> str:
        """Return an example of such rows for a message: Raw([…], ['age'], text={'message': […]})."""
        said = ["[[…], …]"] if self.d else []
        if self.d and self.named is not None:
            said.append(f"[{', '.join([*map(repr, self.named[:SHOWN]), *(['…'] if self.d > SHOWN else [])])}]")
        for role, names in (("text", list(self.text)), ("categories", list(self.categories))):
            if names:
                few = [f"{name!r}: […]" for name in names[:SHOWN]] + (["…"] if len(names) > SHOWN else [])
                said.append(f"{role}={{{', '.join(few)}}}")
        return f"Raw({', '.join(said)})"

    def look(self, raw: Raw) -> None:
        """Fit on some training rows."""
        if self.numbers is not None:
            self.numbers.look(raw.numbers)
        for name, one_hot in self.categories.items():
            one_hot.look(raw.categories[name], name)
        for name, text in self.text.items():
            text.look(raw.text[name])

    def settle(self) -> dict[str, Any]:
        """Finish fitting and return the report."""
        report: dict[str, Any] = {}
        if self.numbers is not None:
            report["numbers"] = {"columns": self.d, **self.numbers.settle(self.number_names)}
        if self.categories:
            report["categories"] = {name: step.settle() for name, step in self.categories.items()}
        if self.text:
            report["text"] = {name: step.settle(name) for name, step in self.text.items()}
        return report

    def steps(self) -> Iterator[tuple[Step, str | None]]:
        """Yield (step, its column if it has its own) in the order of a record."""
        if self.cells is not None:
            yield self.cells, None
        if self.numbers is not None:
            yield self.numbers, None
        yield from ((step, name) for name, step in self.categories.items())
        yield from ((step, name) for name, step in self.text.items())
        yield from ((step, None) for step in self.rows)

    def complete(self, raw: Raw) -> Raw:
        """Return these columns of rows without missing values; raise InputError if none are imputed."""
        raw = self.in_order(raw)
        if self.cells is not None:
            return self.cells.apply(raw)
        return Raw(raw.numbers, raw.names, raw.text, raw.categories) if raw.gaps else raw

    def in_order(self, raw: Raw) -> Raw:
        """Return the rows with these columns in this order; raise InputError if columns are missing or new."""
        check_names(tuple(raw.text), tuple(self.text), in_order=False)
        check_names(tuple(raw.categories), tuple(self.categories), in_order=False)
        if self.named is None or raw.names is None:
            if raw.d != self.d:
                raise InputError(f"numbers: found {raw.d} columns, expected {self.d} as in training; give the same")
            return raw
        theirs = tuple(raw.names)
        if theirs == self.named:
            return raw
        check_names(theirs, self.named, in_order=False)
        at = {name: j for j, name in enumerate(theirs)}
        return raw.with_numbers(raw.numbers[:, [at[name] for name in self.named]], self.named)
