"""What a fit learns from, chooses on and is tested on: rows of a file cut in parts, or of several files."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import click

from novikoff.cli.options import out_of_core, row_options
from novikoff.cli.options.model_rows import ModelReader, model_reader_of, tell
from novikoff.cli.text import formatting
from novikoff.errors import InputError

part_options = row_options.options(
    click.option("--test", "test_file", type=click.Path(), metavar="FILE", help="Rows to test on."),
    click.option("--test-inside", default="", metavar="FOLDER", help="Of --test: only this folder of a tar."),
    click.option("--test-every", type=formatting.every, metavar="K|KxB",
                 help="Test on each K-th row, or on each K-th block of B rows."),
    click.option("--test-label", metavar="PATTERN", help="Test on the rows whose label, as in the file, fits (*, ?)."),
    click.option("--holdout", type=formatting.part, metavar="F", help="Test on this part of the rows, taken evenly."),
    click.option("--valid", "valid_file", type=click.Path(), metavar="FILE", help="Rows to choose the weights on."),
)  # fmt: skip
ORDERS = ("cyclic", "shuffle")
TESTS = {"test_file": "--test", "test_every": "--test-every", "test_label": "--test-label", "holdout": "--holdout"}


@dataclass(frozen=True)
class Parts:
    """Prepared points and labels; `rows`: the numbers of those learned from, in the file or example."""

    name: str
    X: Any
    y: Any
    rows: Any
    X_test: Any
    y_test: Any
    X_valid: Any
    y_valid: Any
    fit_intercept: bool
    known: ModelReader
    is_example: bool = False
    digest: str | None = None  # of what is learned from, where the file has it

    @property
    def named(self) -> dict[str, str | None]:
        """Where the points come from, for a document."""
        return {"example": self.name, "data": None} if self.is_example else {"example": None, "data": self.name}


def parts_of(ctx: click.Context, request: Mapping[str, Any]) -> Parts:
    """The parts that the options ask for; preparation learns from the rows that are learned from, and no others."""
    import numpy as np

    given = [option for name, option in TESTS.items() if request[name]]
    if len(given) > 1:
        raise click.UsageError(f"{' and '.join(given)}: one test is enough", ctx)
    if request["example"] is None and out_of_core.stays(request["data"], request):
        parts = parts_in_file(request)
        tell(parts.known, request["quiet"])
        return parts
    data = row_options.training_rows(ctx, request)
    if data.dropped and not request["quiet"]:
        click.echo(f"{data.name}: {formatting.left_out(data.dropped)}", err=True)
    test = tested(data.labels, data.y, request)
    learned = np.flatnonzero(~test)
    raw, y = (data.raw, data.y) if learned.size == len(data.y) else data.part(learned)
    prep = row_options.preparation(request, bool(data.raw.categories))
    with formatting.rows_of_file(data.rows[learned]):
        X = prep.fit_transform(raw)
    prep.report["read"] = row_options.memory(data.form, request)
    known, classes = model_reader_of(prep), np.unique(y)
    X_test, y_test = X[:0], y[:0]
    if test.any():
        raw, y_test = data.part(np.flatnonzero(test))
        X_test = prep.transform(raw)
    elif request["test_file"]:
        X_test, y_test = labelled(known, request["test_file"], classes, request, request["test_inside"])
    X_valid, y_valid = None, None
    if request["valid_file"]:
        X_valid, y_valid = labelled(known, request["valid_file"], classes, request)
    tell(known, request["quiet"])
    rows, example = data.rows[learned], request["example"] is not None
    digest = data.digest if X is data.raw.numbers else None
    return Parts(data.name, X, y, rows, X_test, y_test, X_valid, y_valid, data.fit_intercept, known, example, digest)


def parts_in_file(request: Mapping[str, Any]) -> Parts:
    """The parts that the options ask for; preparation learns from the rows that are learned from, and no others."""
    import numpy as np

    from novikoff.io.prepared_rows import scanned

    path = request["data"]
    _check_order(path, request)
    source = out_of_core.source_in_file(path, request)
    found = scanned(source, request["one_hot"], request["text"])
    out_of_core.report_rows(path, source, request)
    y = found.labels.renamed(lambda labels: row_options.renamed(labels, request["label_as"]))
    row_options.report_labels(path, y, request["quiet"])
    chosen = out_of_core.rows_of_classes(y, path, request["classes"])
    test = tested(found.labels.some(chosen), y.some(chosen), request)
    learned = chosen.copy()
    learned[chosen] = ~test
    prep = row_options.preparation(request, found.categories)
    found.fit(prep, learned)
    prep.report["read"] = row_options.memory(found.form, request)
    known, y_learned = model_reader_of(prep), (y if learned.all() else y.some(learned)).tidy()
    X = found.rows(prep, learned, y_learned)
    X_test, y_test = None, y_learned.some(np.zeros(0, np.intp))
    if test.any():
        testing = chosen & ~learned
        y_test = y.some(testing)
        X_test = found.rows(prep, testing, y_test)
    elif request["test_file"]:
        X_test, y_test = labelled(known, request["test_file"], y_learned.classes, request, request["test_inside"])
    X_valid, y_valid = None, None
    if request["valid_file"]:
        X_valid, y_valid = labelled(known, request["valid_file"], y_learned.classes, request)
    bias = request["bias"] is not False
    rows = Numbers(learned, source.row_numbers())
    return Parts(str(path), X, y_learned, rows, X_test, y_test, X_valid, y_valid, bias, known)


class Numbers:
    """The numbers of the rows of a mask, made when they are asked for; of all rows nothing is kept.

    numbering: in the file, of all rows, where some were left out.
    """

    def __init__(self, mask: Any, numbering: Any = None) -> None:
        self.n, self.mask, self.numbering = len(mask), None if mask.all() else mask, numbering

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        import numpy as np

        rows = np.arange(self.n) if self.mask is None else self.mask.nonzero()[0]
        return rows if self.numbering is None else self.numbering[rows]

    def __getitem__(self, which: Any) -> Any:
        return self.__array__()[which]


def _check_order(path: str, request: Mapping[str, Any]) -> None:
    if request["order"] not in ORDERS:
        raise InputError(
            f"--order {request['order']}: it jumps between all rows, and those of {path} are larger than the memory "
            f"limit and stay in the file; use --order {' or '.join(ORDERS)}, raise --memory, or have the file in the "
            "cache, which is mapped: novikoff convert FILE FILE.nvc"
        )


def labelled(
    known: ModelReader, path: str, classes: Any, request: Mapping[str, Any], inside: str = ""
) -> tuple[Any, Any]:
    """All rows of another file, and their labels, which must be among the classes."""
    import numpy as np

    from novikoff.io.stream.memory_limit import LEAST, bytes_of, too_large

    how = {"kind": request["kind"], "label": None, "no_label": False, "inside": inside, "memory": request.get("memory")}
    if out_of_core.stays(path, how):
        return out_of_core.labelled_in_file(known, path, classes, how)
    found, held, limit = [], 0, row_options.limit_of(how)
    for numbers, X in known.labelled(path, classes, how):
        found.append((numbers, X))
        held += bytes_of(X) + numbers.nbytes
        if held > max(limit, LEAST):
            raise too_large(path, limit)
    return stacked([X for _, X in found]), classes[np.concatenate([numbers for numbers, _ in found])]


def stacked(parts: list[Any]) -> Any:
    """Rows below each other."""
    import numpy as np

    if len(parts) == 1:
        return parts[0]
    if hasattr(parts[0], "indptr"):
        from scipy.sparse import csr_matrix, vstack

        return csr_matrix(vstack(parts, format="csr"))
    return np.concatenate(parts)


def tested(labels: Any, y: Any, request: Mapping[str, Any]) -> Any:
    """Which rows of the file are for the test; labels: as the file has them."""
    import numpy as np

    from novikoff.data.labels.label_codes import class_counts

    n = len(y)
    test = held_out(n, request["holdout"])
    if request["test_every"]:
        many, block = request["test_every"]
        test = np.arange(n) // block % many == many - 1
    if request["test_label"]:
        from fnmatch import fnmatchcase

        fit = [label for label in class_counts(labels)[0].tolist() if fnmatchcase(str(label), request["test_label"])]
        test = np.isin(np.asarray(labels), np.array(fit, labels[:0].dtype))
    option = next((option for name, option in TESTS.items() if request[name] and name != "test_file"), None)
    if option is not None and not test.any():
        raise InputError(f"{option}: no row of {n:,} is for the test; ask for more")
    if test.all():
        raise InputError(f"{option}: no row of {n:,} is left to learn from; ask for less")
    left, out = ({*class_counts(_some(y, rows))[0].tolist()} for rows in (~test, test))
    if lost := sorted(out - left):
        said = f"--holdout {float(request['holdout']):g}" if request["holdout"] else option
        raise InputError(f"{said}: no row of class {lost[0]} is left to learn from; ask for less")
    return test


def _some(y: Any, rows: Any) -> Any:
    return y.some(rows) if hasattr(y, "some") else y[rows]


def held_out(n: int, part: Fraction | None) -> Any:
    """Each row i where i·F crosses a whole number."""
    import numpy as np

    if not part:
        return np.zeros(n, bool)
    F = part
    if (n + 1) * F.numerator < 2**63:
        crossed = np.arange(n + 1) * F.numerator // F.denominator
        test = crossed[1:] > crossed[:-1]
    else:
        test = np.array([math.floor((i + 1) * F) > math.floor(i * F) for i in range(n)], dtype=bool)
    if not test.any():
        raise InputError(f"--holdout {float(part):g}: no row of {n} is left for the test; ask for 1/{n} or more")
    return test
