"""What a fit learns from, chooses on and is tested on: rows of a file cut in parts, or of several files."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import click

from novikoff.cli import outside, points, words
from novikoff.cli.known import Known, known_of, tell
from novikoff.errors import InputError

part_options = points.options(
    click.option("--test", "test_file", type=click.Path(), metavar="FILE", help="Rows to test on."),
    click.option("--test-inside", default="", metavar="FOLDER", help="Of --test: only this folder of a tar."),
    click.option("--test-every", type=words.every, metavar="K|KxB",
                 help="Test on each K-th row, or on each K-th block of B rows."),
    click.option("--test-label", metavar="PATTERN", help="Test on the rows whose label, as in the file, fits (*, ?)."),
    click.option("--holdout", type=words.part, metavar="F", help="Test on this part of the rows, taken evenly."),
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
    known: Known
    is_example: bool = False
    digest: str | None = None  # of what is learned from, where the file has it

    @property
    def named(self) -> dict[str, str | None]:
        """Where the points come from, for a document."""
        return {"example": self.name, "data": None} if self.is_example else {"example": None, "data": self.name}


def parts_of(ctx: click.Context, asked: Mapping[str, Any]) -> Parts:
    """The parts that the options ask for; preparation learns from the rows that are learned from, and no others."""
    import numpy as np

    given = [option for name, option in TESTS.items() if asked[name]]
    if len(given) > 1:
        raise click.UsageError(f"{' and '.join(given)}: one test is enough", ctx)
    if asked["example"] is None and outside.stays(asked["data"], asked):
        parts = parts_in_file(asked)
        tell(parts.known, asked["quiet"])
        return parts
    data = points.training_rows(ctx, asked)
    if data.dropped and not asked["quiet"]:
        click.echo(f"{data.name}: {words.left_out(data.dropped)}", err=True)
    test = tested(data.labels, data.y, asked)
    learned = np.flatnonzero(~test)
    raw, y = (data.raw, data.y) if learned.size == len(data.y) else data.part(learned)
    prep = points.preparation(asked, bool(data.raw.categories))
    with words.rows_of_file(data.rows[learned]):
        X = prep.fit_transform(raw)
    prep.report["read"] = points.memory(data.form, asked)
    known, classes = known_of(prep), np.unique(y)
    X_test, y_test = X[:0], y[:0]
    if test.any():
        raw, y_test = data.part(np.flatnonzero(test))
        X_test = prep.transform(raw)
    elif asked["test_file"]:
        X_test, y_test = labelled(known, asked["test_file"], classes, asked, asked["test_inside"])
    X_valid, y_valid = None, None
    if asked["valid_file"]:
        X_valid, y_valid = labelled(known, asked["valid_file"], classes, asked)
    tell(known, asked["quiet"])
    rows, example = data.rows[learned], asked["example"] is not None
    digest = data.digest if X is data.raw.numbers else None
    return Parts(data.name, X, y, rows, X_test, y_test, X_valid, y_valid, data.fit_intercept, known, example, digest)


def parts_in_file(asked: Mapping[str, Any]) -> Parts:
    """The parts that the options ask for; preparation learns from the rows that are learned from, and no others."""
    import numpy as np

    from novikoff.files.outside import scanned

    path = asked["data"]
    _demand_order(path, asked)
    source = outside.source_in_file(path, asked)
    found = scanned(source, asked["one_hot"], asked["text"])
    outside.tell_of_rows(path, source, asked)
    y = found.labels.renamed(lambda labels: points.renamed(labels, asked["label_as"]))
    points.tell_of_labels(path, y, asked["quiet"])
    chosen = outside.rows_of_classes(y, path, asked["classes"])
    test = tested(found.labels.some(chosen), y.some(chosen), asked)
    learned = chosen.copy()
    learned[chosen] = ~test
    prep = points.preparation(asked, found.categories)
    found.fit(prep, learned)
    prep.report["read"] = points.memory(found.form, asked)
    known, y_learned = known_of(prep), (y if learned.all() else y.some(learned)).tidy()
    X = found.rows(prep, learned, y_learned)
    X_test, y_test = None, y_learned.some(np.zeros(0, np.intp))
    if test.any():
        testing = chosen & ~learned
        y_test = y.some(testing)
        X_test = found.rows(prep, testing, y_test)
    elif asked["test_file"]:
        X_test, y_test = labelled(known, asked["test_file"], y_learned.classes, asked, asked["test_inside"])
    X_valid, y_valid = None, None
    if asked["valid_file"]:
        X_valid, y_valid = labelled(known, asked["valid_file"], y_learned.classes, asked)
    bias = asked["bias"] is not False
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


def _demand_order(path: str, asked: Mapping[str, Any]) -> None:
    if asked["order"] not in ORDERS:
        raise InputError(
            f"--order {asked['order']}: it jumps between all rows, and those of {path} are larger than the memory "
            f"limit and stay in the file; use --order {' or '.join(ORDERS)}, raise --memory, or have the file in the "
            "cache, which is mapped: novikoff convert FILE FILE.nvc"
        )


def labelled(known: Known, path: str, classes: Any, asked: Mapping[str, Any], inside: str = "") -> tuple[Any, Any]:
    """All rows of another file, and their labels, which must be among the classes."""
    import numpy as np

    from novikoff.files.limit import LEAST, bytes_of, too_large

    how = {"kind": asked["kind"], "label": None, "no_label": False, "inside": inside, "memory": asked.get("memory")}
    if outside.stays(path, how):
        return outside.labelled_in_file(known, path, classes, how)
    found, held, limit = [], 0, points.limit_of(how)
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


def tested(labels: Any, y: Any, asked: Mapping[str, Any]) -> Any:
    """Which rows of the file are for the test; labels: as the file has them."""
    import numpy as np

    from novikoff.points.coded import class_counts

    n = len(y)
    test = held_out(n, asked["holdout"])
    if asked["test_every"]:
        many, block = asked["test_every"]
        test = np.arange(n) // block % many == many - 1
    if asked["test_label"]:
        from fnmatch import fnmatchcase

        fit = [label for label in class_counts(labels)[0].tolist() if fnmatchcase(str(label), asked["test_label"])]
        test = np.isin(np.asarray(labels), np.array(fit, labels[:0].dtype))
    option = next((option for name, option in TESTS.items() if asked[name] and name != "test_file"), None)
    if option is not None and not test.any():
        raise InputError(f"{option}: no row of {n:,} is for the test; ask for more")
    if test.all():
        raise InputError(f"{option}: no row of {n:,} is left to learn from; ask for less")
    left, out = ({*class_counts(_some(y, rows))[0].tolist()} for rows in (~test, test))
    if lost := sorted(out - left):
        said = f"--holdout {float(asked['holdout']):g}" if asked["holdout"] else option
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
