"""Rows of a file as preparation takes them: numbers, texts and categories, with their labels.

A model remembers how its training file was read (`Form`): which columns are what, and from which number on sparse
columns count. New rows are read in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from novikoff.data.labels.label_codes import Coded
from novikoff.data.labels.label_types import typed
from novikoff.data.storages import check_whole
from novikoff.data.text.plain_files import label_text
from novikoff.errors import InputError
from novikoff.io.formats.svmlight import Svmlight
from novikoff.io.parsing.growing_arrays import GrowingRows
from novikoff.io.reading import Column
from novikoff.io.stream.chunk_source import Chunk, Source
from novikoff.io.stream.memory_limit import machine
from novikoff.io.stream.read_all import read_all
from novikoff.kernels.structure_checks import highest
from novikoff.prepare.raw_columns import Raw

PLANE = 32  # bytes of memory for each column of sparse rows: a number of the plane, and copies of it


@dataclass(frozen=True)
class Form:
    """How a file was read, as plain data: columns by name, or by number from 0 where it has no header.

    width: columns of a table, the label among them; None for other files. first: the number of the first column of an
    svmlight file, None for other files.
    """

    label: Column | None = None
    text: tuple[Column, ...] = ()
    categories: tuple[Column, ...] = ()
    width: int | None = None
    first: int | None = None

    def plain(self) -> dict[str, Any]:
        """For a record."""
        return asdict(self) | {"text": list(self.text), "categories": list(self.categories)}


def form_of(plain: Any) -> Form:
    """The form in a model's record; InputError for what is none."""
    try:
        form = Form(**plain)
        form = replace(form, text=tuple(form.text), categories=tuple(form.categories))
        numbers = [c for c in (form.width, form.first) if c is not None]
        columns = [*form.text, *form.categories, *([] if form.label is None else [form.label])]
        if all(type(c) is int and c >= 0 for c in numbers) and all(type(c) in (str, int) for c in columns):
            return form
    except TypeError:
        pass
    raise InputError(f"preparation: found {str(plain)[:60]!r}; expected how a file was read; fit the model again")


@dataclass(frozen=True)
class Rows:
    """The rows of a file. raw: None where they stay in it. y: their labels, or None. form: how they were read."""

    raw: Any
    y: Any
    form: Form
    dropped: int = 0
    beyond: int = 0  # numbers in columns that a model does not have
    digest: str | None = None  # of all points and labels, where the file has it
    numbering: Any = None  # the number of each row in the file, where some were left out


@dataclass(frozen=True)
class ModelColumns:
    """What a model's rows have: d numeric columns, and the names of the others; svmlight columns count from `first`."""

    d: int
    text: tuple[str, ...]
    categories: tuple[str, ...]
    first: int = 1


def rows_of(
    source: Source,
    one_hot: bool = False,
    text: Sequence[Column] = (),
    model: ModelColumns | None = None,
    stream: bool = False,
) -> Rows:
    """Read all rows of a source into memory. stream: whether it is a stream whose rows are needed more than once."""
    found = read_all(source, True, stream)
    y, held, beyond = found.labels if labelled(source) else None, found.held, 0
    if found.held.is_sparse:
        d, first = (None, None) if model is None else (model.d, model.first)
        numbers, beyond = _sparse(held.sparse, first_of(source, first), d, source)
        raw, form = _made(source, numbers, source.names), form_in(source)
    else:
        raw = _raw(source, Chunk(y, held.whole(), None, held.words), one_hot, text, model)
        form = form_in(source, raw)
    return Rows(raw, y, form, source.dropped, beyond, source.digest, source.row_numbers())


def stream_of(
    source: Source,
    one_hot: bool = False,
    text: Sequence[Column] = (),
    model: ModelColumns | None = None,
    first: int = 1,
) -> Iterator[tuple[Any, Raw, int]]:
    """Labels (None where there are none) and rows, some at a time, and how many numbers no model has a column for.

    Without a model, sparse rows are as wide as the widest so far.
    """
    width, reader = 1, Reader(source, one_hot, text, model)
    for chunk in source.chunks():
        if not len(chunk.labels):
            continue
        labels = chunk.labels if labelled(source) else None
        if isinstance(chunk.rows, tuple) and model is None:
            numbers, beyond = _sparse(GrowingRows([chunk.rows]), first_of(source, first), None, source, width)
            width = numbers.shape[1]
            yield labels, _made(source, numbers, None), beyond
        else:
            yield labels, *reader(chunk)


@dataclass(frozen=True)
class Reader:
    """Makes rows to be prepared of the chunks of a source, and counts the numbers that no model has a column for.

    one_hot, text: which columns of an Arrow table are categories and texts. model: whose rows they are. sparse: the
    width and the first column of sparse rows, where there is no model.
    """

    source: Source
    one_hot: bool = False
    text: Sequence[Column] = ()
    model: ModelColumns | None = None
    sparse: tuple[int, int] | None = None

    def __call__(self, chunk: Chunk) -> tuple[Raw, int]:
        source, model = self.source, self.model
        if not isinstance(chunk.rows, tuple):
            return _raw(source, chunk, self.one_hot, self.text, model), 0
        width, first = (model.d, model.first) if model is not None else self.sparse or (None, None)
        numbers, beyond = _sparse(GrowingRows([chunk.rows]), first_of(source, first), width, source)
        return _made(source, numbers, source.names), beyond


def labelled(source: Source) -> bool:
    """Whether the rows have labels; known when the first chunk was read."""
    layout = getattr(source, "layout", None)
    return getattr(source, "has_label", True) if layout is None else layout.label is not None


def form_after(source: Source, first: int) -> Form:
    """How a stream was read, when it has ended; svmlight columns counted from `first`."""
    form = form_in(source)
    return form if form.first is None else replace(form, first=first)


def part(raw: Raw, which: np.ndarray) -> Raw:
    """Some rows, by their numbers."""
    listed = which.tolist()
    text = {name: [values[i] for i in listed] for name, values in raw.text.items()}
    categories = {name: [values[i] for i in listed] for name, values in raw.categories.items()}
    return Raw(None if raw.numbers is None else raw.numbers[which], raw.names, text, categories)


def class_numbers(
    labels: Any, classes: Any, name: str, seen: int = 0, place: Callable[[int], int] | None = None
) -> np.ndarray:
    """The number of each label's class; +1, 1 and 1.0 are one label. InputError for a label that no class has.

    place: the number in the file, from 1, of the row that is at this place, from 0, among those read.
    """
    if labels is None:
        raise InputError(f"{name}: found rows without a label; expected one, name its column with label=")
    known = {label_text(str(label)): k for k, label in enumerate(classes.tolist())}
    listed, which = (labels, None)
    if isinstance(labels, np.ndarray):  # each different number is looked at once
        listed, which = np.unique(labels, return_inverse=True)
    texts = [str(label) for label in (listed if which is None else listed.tolist())]
    found = {text: known.get(label_text(text)) for text in set(texts)}
    if None in found.values():
        every = texts if which is None else [texts[k] for k in which.tolist()]
        i = next(i for i, text in enumerate(every) if found[text] is None)
        at = seen + i + 1 if place is None else place(seen + i)
        those = ", ".join(map(str, classes.tolist()[:10])) + (", …" if len(classes) > 10 else "")
        raise InputError(
            f"{name}: found the label {label_text(every[i])!r} in row {at}; expected a class of the training "
            f"rows: {those}. Leave such rows out, or name them alike with label_as="
        )
    numbers = np.array([found[text] for text in texts], np.intp)
    return numbers if which is None else np.asarray(numbers[which])


def renamed(labels: Any, label_as: Sequence[tuple[str, str]]) -> Any:
    """Return labels by their new names: that of the first pair (pattern, name) whose pattern fits."""
    if not label_as:
        return labels
    if isinstance(labels, Coded):
        return labels.renamed(lambda classes: renamed(classes, label_as))
    listed = [str(label) for label in labels]
    names = {
        label: next((name for pattern, name in label_as if fnmatchcase(label, pattern)), label) for label in set(listed)
    }
    return typed([names[label] for label in listed])


def among(labels: Any, classes: Any, name: str, place: Callable[[int], int] | None = None) -> Any:
    """Return labels by their classes, as an array or `Coded` like the labels; InputError for a label of no class."""
    if not isinstance(labels, Coded):
        return classes[class_numbers(labels, classes, name, 0, place)]
    tidy = labels.tidy()
    known = {label_text(str(label)): k for k, label in enumerate(classes.tolist())}
    numbers = [known.get(label_text(str(label)), -1) for label in tidy.classes.tolist()]
    strange = np.flatnonzero(np.array(numbers)[tidy.codes] < 0)
    if strange.size:
        class_numbers(tidy[strange[:1]], classes, name, int(strange[0]))
    return Coded(classes, np.array(numbers)[tidy.codes])


# ---- a chunk -------------------------------------------------------------------------------------------------------


def _raw(source: Source, chunk: Chunk, one_hot: bool, text: Sequence[Column], model: ModelColumns | None) -> Raw:
    if not isinstance(chunk.rows, np.ndarray):
        return _from_arrow(source, chunk.rows, one_hot, text, model)
    layout = getattr(source, "layout", None)
    texts = set(chunk.words) if layout is None else {layout.name_of(c) for c in layout.text}
    words = ({k: v for k, v in chunk.words.items() if (k in texts) is wanted} for wanted in (True, False))
    by_role: list[Mapping[str, Sequence[str]]] = list(words)
    if model is not None:
        names = (model.text, model.categories)
        by_role = [_renamed(found, known) for found, known in zip(by_role, names, strict=True)]
    return _made(source, chunk.rows if chunk.rows.shape[1] else None, source.names or None, by_role[0], by_role[1])


def _made(source: Source, *parts: Any) -> Raw:
    """The rows of these parts; what is wrong with them is said with the file's name."""
    try:
        return Raw(*parts)
    except InputError as error:
        raise InputError(f"{source.name}: {error}") from error


def _renamed(found: Mapping[str, Sequence[str]], known: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """Columns by a model's names, where they were asked for by their places."""
    return dict(zip(known, found.values(), strict=True)) if len(found) == len(known) else found


def _from_arrow(source: Any, table: Any, one_hot: bool, text: Sequence[Column], model: ModelColumns | None) -> Raw:
    """The columns of an Arrow table: numbers as binary64, texts and categories as they are."""
    import pyarrow

    request = model.text if model is not None else [source.column(c) for c in text]
    wanted = model.categories if model is not None else ()
    numbers, names, texts, categories = [], [], {}, {}
    for name, column in zip(table.column_names, table.columns, strict=True):
        if column.null_count:
            raise InputError(
                f"{source.name}, column {name!r}: found a missing value; expected one in every row "
                "(missing='drop' leaves such rows out of training)"
            )
        kinds = pyarrow.types
        if name in request:
            texts[name] = [str(value) for value in column.to_pylist()]
        elif name in wanted or (one_hot and not _is_number(kinds, column.type)):
            categories[name] = [str(value) for value in column.to_pylist()]
        elif _is_number(kinds, column.type):
            numbers.append(_binary64(column.to_numpy(), f"{source.name}, column {name!r}"))
            names.append(name)
        else:
            raise _no_numbers(f"{source.name}, column {name!r}", column.type, f"text=[{name!r}], or one_hot=True")
    return _made(source, np.column_stack(numbers) if numbers else None, names or None, texts, categories)


def _binary64(numbers: np.ndarray, where: str) -> np.ndarray:
    """Numbers that binary64 holds: none is rounded."""
    check_whole(numbers, where)
    return numbers.astype(np.float64)


def _no_numbers(where: str, kind: Any, words: str) -> InputError:
    if str(kind).startswith("decimal"):
        return InputError(f"{where}: found {kind}; expected binary64 numbers: cast the column to double")
    return InputError(f"{where}: found {kind}; expected numbers, or {words}")


def _is_number(kinds: Any, kind: Any) -> bool:
    return bool(kinds.is_floating(kind) or kinds.is_integer(kind) or kinds.is_boolean(kind))


def first_of(source: Source, known: int | None = None) -> int:
    """The number of the first column: of an svmlight file what is known, else what all its rows say."""
    if not is_svmlight(source):
        return source.first_column
    if source.counts_from is not None:
        return source.counts_from
    return source.first_column if known is None else known


def is_svmlight(source: Any) -> bool:
    """Whether columns are numbered by the file, from 0 or from 1."""
    return isinstance(getattr(source, "now", source), Svmlight)


def _sparse(pile: GrowingRows, first: int, d: int | None, source: Source, least: int = 1) -> tuple[Any, int]:
    """Compressed sparse rows of d columns (or as many as there are), and how many numbers lie beyond them."""
    from scipy.sparse import csr_matrix

    data, places, ends = pile.rows(first)
    top = highest(places) if places.size else 0
    if top > np.iinfo(places.dtype).max:
        raise InputError(
            f"{source.name}: found column 0 where columns count from 1; expected the numbering of the first rows "
            "(first_column=0 lets them count from 0)"
        )
    widest = top + 1
    width = max(least, widest, source.width or 1) if d is None else d
    if d is None and width > most_columns():
        row = int(np.searchsorted(ends, places.argmax(), "right"))
        raise too_wide(f"{source.name}, row {row:,}", width + first - 1)
    beyond = 0
    if widest > width:
        inside = places < width
        beyond = int(places.size - inside.sum())
        kept = np.concatenate([[0], np.cumsum(inside)])
        data, places, ends = data[inside], places[inside], kept[ends]
    return csr_matrix((data, places, ends), shape=(len(ends) - 1, width)), beyond


def most_columns() -> int:
    """As many as a plane may have in the memory of this machine."""
    return machine() // PLANE


def too_wide(where: str, column: int) -> InputError:
    """The error for a column that no plane can have."""
    return InputError(
        f"{where}: found column {column:,}; expected at most {most_columns():,}, as a plane has a number for each and "
        "the memory no room for more. Mend the row, or number the columns without gaps"
    )


def form_in(source: Any, raw: Raw | None = None) -> Form:
    """How the source was read."""
    layout = getattr(source, "layout", None)
    if layout is not None:
        named = (lambda c: c) if layout.header is None else layout.name_of
        label = None if layout.label is None else named(layout.label)
        width = layout.width + (layout.label is None)
        return Form(label, tuple(map(named, layout.text)), tuple(map(named, layout.categories)), width)
    if raw is not None and hasattr(source, "label"):  # columns with names
        return Form(source.label, tuple(raw.text), tuple(raw.categories), len(source.names) + 1)
    return Form(first=first_of(source, None) if is_svmlight(source) else None)
