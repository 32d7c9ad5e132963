"""The parameters of reading a file, in one record that the readers of all formats take."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass

Column = str | int  # by name, or by number from 0
WORDS = "one_hot=True takes words as categories, text= counts them"


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How to read a file. What is None is found from the file.

    format: one of `novikoff.io.reader.FORMATS`; by default by the name of the file
    label, text, categories: the columns of a table that are not numbers
    header: whether the first line of a table has the names of the columns
    decimal_comma: whether a table writes 0,5 for a half
    columns: the columns of a table to use, besides the label, texts and categories; None for all
    drop: columns of a table that are not read
    missing: what to do about a missing number, category or label: "fail"; "drop" the row; "numbers" to drop it, unless
        only a category is missing, by a word for that; or "impute": numbers are NaN, and only rows that miss the label
        are dropped
    transpose: whether a table has a column for each point
    one_hot: whether columns of words are categories
    first_column: the number of the first svmlight column
    limit: the memory, in bytes, that the part of the file in memory may take; by default half of the machine's
    words: the way out for a word where a number was expected
    advice: the way out for any cell that cannot be used, instead of the arguments that help
    name: how errors call the file, if not by its path
    readers: how many threads prefetch a table or svmlight file, 0 for none; by default one per processor, at most two

    For new rows of a model:

    labelled: whether a column is the label
    trained: the number of columns of the table that the model was trained on, including the label. New rows may lack
        the label: its name is missing, or there is one column fewer
    label_required: whether new rows must have the label, too
    label_known: whether the model knows the label's column; else one that must be found has a usual name, or no other
        column is left for it
    names: of the model's columns of numbers; a first line of exactly these is a header
    known: the names of all columns of the model; others of a table that has all of these are ignored
    """

    format: str | None = None
    label: Column | None = None
    text: tuple[Column, ...] = ()
    categories: tuple[Column, ...] = ()
    header: bool | None = None
    decimal_comma: bool = False
    columns: tuple[Column, ...] | None = None
    drop: tuple[Column, ...] = ()
    missing: str = "fail"
    transpose: bool = False
    one_hot: bool = False
    first_column: int | None = None
    limit: int | None = None
    words: str = WORDS
    advice: str | None = None
    name: str | None = None
    readers: int | None = None
    labelled: bool = True
    trained: int | None = None
    label_required: bool = False
    label_known: bool = True
    names: tuple[str, ...] = ()
    known: tuple[str, ...] = ()

    @property
    def uses_labels(self) -> bool:
        """Whether labels are needed, to train or to evaluate; else they are not checked."""
        return self.labelled and (self.trained is None or self.label_required)

    @property
    def drops_rows(self) -> bool:
        """Whether rows are dropped for a missing label; for other missing values `missing` says it."""
        return self.missing != "fail"

    @property
    def given(self) -> tuple[Column, ...]:
        """The columns that are given, in all roles."""
        label = () if self.label is None else (self.label,)
        return (*label, *self.text, *self.categories, *(self.columns or ()), *self.drop)

    def ignored(self, names: Sequence[str], label: int | None, others: Collection[int] = ()) -> tuple[int, ...]:
        """Return the indices of the columns of a table that are not used. others: those of texts and categories."""
        here, used = range(len(names)), {*others, *(() if label is None else (label,))}
        out = {names.index(c) if isinstance(c, str) else c for c in self.drop}
        if self.columns is not None:
            used |= {names.index(c) if isinstance(c, str) else c for c in self.columns}
            out |= {c for c in here if c not in used}
        return tuple(sorted(out))

    def unknown(self, names: Sequence[str]) -> set[str]:
        """Return the names that the model does not know, if it knows names and these have all of them."""
        known = {*self.known}
        return {*names} - known if known and known <= {*names} else set()

    def called(self, path: str | os.PathLike[str]) -> str:
        """Return how errors call a file."""
        return self.name or str(path)


DEFAULT = Reading()
