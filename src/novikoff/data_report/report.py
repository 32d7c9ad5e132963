"""Compute everything that is known about a data set, and write it as one self-contained page."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.arguments import argument_checks
from novikoff.arguments.signature_types import Label, Labels, Points
from novikoff.data.column_names import names_for_people
from novikoff.data.format_numbers import count, json_interval
from novikoff.data.labelled_points import Labelled, Numbered, unpacked_in_memory
from novikoff.data.labels import class_counts, labels_of
from novikoff.data.plain_files import plane_of
from novikoff.data.problem import unlabelled
from novikoff.data_report.capacity_section import capacity_of
from novikoff.data_report.compared_learners import LearnerResult, TrainTest, compared
from novikoff.errors import InputError, NotSeparableError, UndecidedError
from novikoff.io.dataset import Dataset
from novikoff.io.row_splits import rows_to_test
from novikoff.maxmargin.margin import Margin, margin
from novikoff.records.atomic_write import replace_file
from novikoff.separate.decide import decide, decide_pairs
from novikoff.separate.obstruction import plain_label
from novikoff.separate.pairs import PairVerdicts
from novikoff.theory.perfect_fit import in_words, separable_by_chance

MAX_TIME = 60.0  # seconds for each part
HOLDOUT = Fraction(1, 5)
NONE_HELD = (
    "No rows are held out: every fifth row is no row at all, or leaves no row of a class for training. The learners "
    "are trained on all rows."
)
IN_PYTHON = {
    "data": "numpy.unique(y, return_counts=True)",
    "verdict": "nv.decide(X, y)",
    "pairs": "nv.decide_pairs(X, y)",
    "margin": "nv.margin(X, y)",
    "capacity": "nv.separable_fraction(*X.shape, fit_intercept=True)",
    "perceptron": "nv.Perceptron().fit(X[~held], y[~held])",
    "pocket": 'nv.Perceptron(keep="pocket").fit(X[~held], y[~held])',
    "average": 'nv.Perceptron(keep="average").fit(X[~held], y[~held])',
    "soft": "nv.SoftMargin().fit(X[~held], y[~held])",
    "maxmargin": "nv.MaxMargin().fit(X[~held], y[~held])",
    "split": "held = numpy.arange(len(y)) % 5 == 4",
    "confusion": "sklearn.metrics.confusion_matrix(y[held], clf.predict(X[held]))",
    "weights": "clf.coef_, clf.intercept_",
}


@dataclass(frozen=True, eq=False)
class Report:
    """All results about a data set; `to_html` and `save` make the page, `to_dict` has the numbers.

    Attributes
    ----------
    title : what the points are, such as a file's name
    n, d, classes, counts, names, fit_intercept : the points; counts: rows of each class
    verdict : of two classes; pairs : of more, by pair
    margin : of two separable classes; margin_note : why there is none
    learners : their results, trained on four fifths of the rows
    split : training and held-out rows
    commands : for each part what reproduces its numbers
    """

    title: str
    points: Any = field(repr=False)
    classes: list[Any]
    counts: list[int]
    names: tuple[str, ...] | None
    fit_intercept: bool
    positive: Any
    verdict: Any
    pairs: PairVerdicts | None
    margin: Margin | None
    margin_note: str
    learners: list[LearnerResult]
    split: TrainTest = field(repr=False)
    commands: Mapping[str, str] = field(repr=False)
    max_time: float | None = MAX_TIME

    @property
    def axis_names(self) -> tuple[str, ...] | None:
        """Names of the columns for a picture; those of scaled columns say so."""
        return None if self.names is None else _unit_names(self.points, self.names)

    @property
    def n(self) -> int:
        return int(self.points.n)

    @property
    def d(self) -> int:
        return int(self.points.d)

    @property
    def separable(self) -> bool | None:
        """Whether a plane separates the classes; of more than two, whether one separates each pair; None: undecided."""
        if self.pairs is None:
            found: bool | None = self.verdict.separable
            return found
        return self.pairs.separable

    @property
    def answer(self) -> str:
        """Whether a plane separates the classes, in words."""
        if self.separable is None:
            return "undecided within the time limit"
        if self.pairs is None:
            return "separable" if self.separable else "not separable"
        return f"{'' if self.separable else 'not '}every pair of classes is separable"

    @property
    def chance(self) -> str:
        """That a perfect fit means little, in words; "" where it means more. Of pairs: of that with the fewest rows."""
        pairs = {f"{a} | {b}: ": v.n for (a, b), v in (self.pairs or {}).items()} or {"": self.n}
        few = min(pairs, key=lambda name: pairs[name])
        found = separable_by_chance(pairs[few], self.d + self.fit_intercept) if self.separable else None
        return "" if found is None else f"{few}{in_words(pairs[few], found)}"

    def to_html(self) -> str:
        """Return the page: one file that loads nothing, without script."""
        from novikoff.data_report.report_page import report_page

        return report_page(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page; an error leaves no partial file."""
        replace_file(Path(path), self.to_html())

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as JSON values; rows are numbered from 0."""
        found: dict[str, Any] = {"n": self.n, "d": self.d, "bias": self.fit_intercept}
        found["classes"] = [{"class": plain_label(c), "n": n} for c, n in zip(self.classes, self.counts, strict=True)]
        found["separable"] = self.separable
        if self.pairs is None:
            found |= {
                "kind": None if self.separable is None else self.verdict.kind_in_time(),
                "support": list(self.verdict.support),
            }
        else:
            found["pairs"] = [
                {"classes": [plain_label(a), plain_label(b)], "separable": v.separable}
                for (a, b), v in self.pairs.items()
            ]
        m = self.margin
        found["margin"] = None if m is None else {
            "geometric": m.geometric.gamma, "padded": m.padded.gamma, "radius": m.radius,
            "mistake_bound": json_interval(m.mistake_bound), "updates": m.updates,
        }  # fmt: skip
        found["capacity"] = capacity_of(self.n, self.d, self.fit_intercept)._asdict()
        return found | {"margin_note": self.margin_note or None, "learners": [one.to_dict() for one in self.learners]}

    def __str__(self) -> str:
        """Return the verdict and the errors of each learner, as `novikoff report` prints them."""
        size = f"{count(self.n, 'point')}, {count(self.d, 'feature')}, {len(self.classes):,} classes"
        lines = [f"{self.title}: {size}: {self.answer}"]
        lines += [f"chance {self.chance}"] if self.chance else []
        width = max(len(one.name) for one in self.learners)
        for one in self.learners:
            if one.model is None:
                lines.append(f"{one.name:<{width}}  {one.note}")
                continue
            test = "" if one.test is None else f", {one.test_errors:,} of {one.test.n:,} held-out errors"
            lines.append(f"{one.name:<{width}}  {one.train_errors:,} of {one.n:,} training errors{test}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """Return a summary for a notebook."""
        from novikoff.data_report.report_page import learner_table, summary
        from novikoff.pages.displays import display

        return display(summary(self), learner_table(self))


def report(
    X: Points,
    y: Labels | None = None,
    *,
    fit_intercept: bool = True,
    positive: Label | None = None,
    max_time: float | None = MAX_TIME,
    title: str = "the points",
    commands: Mapping[str, str] | None = None,
) -> Report:
    """Compute what is known about a data set: verdict and proof, margin and bound, five learners, their errors.

    Parameters
    ----------
    X, y : points (n, d) in memory and their labels of two classes or more; or points of `read` or `open_data`
    fit_intercept : whether planes may miss the origin
    positive : the class on which planes are above 0, as of `decide`
    max_time : seconds for each part; a part that is stopped by it says so. None: no limit
    title : what the points are, for the heading
    commands : for each part what reproduces its numbers; by default the calls in Python

    Raises
    ------
    InputError : fewer than two classes, or bad numbers

    Examples
    --------
    >>> import novikoff as nv
    >>> r = nv.report(*nv.example("cornwell"))
    >>> r.separable, r.margin.mistake_bound, {one.key: one.train_errors for one in r.learners}["maxmargin"]
    (True, (55.0, 55.0), 0)
    """
    argument_checks.truth("fit_intercept", fit_intercept)
    if max_time is not None:
        argument_checks.positive("max_time", max_time)
    names = X.names if isinstance(X, Labelled) else names_for_people(X)
    rows, labels = unpacked_in_memory(X, y, "a report")
    points = X if isinstance(X, Labelled) else Numbered(X, labels_of(labels))
    found, counts = class_counts(points.labels)
    classes = found.tolist()
    if len(classes) < 2:
        raise InputError(
            f"found one class, {classes[0]!r}; two or more were expected: is this the label's column?", "y"
        )
    how: dict[str, Any] = {"fit_intercept": bool(fit_intercept), "max_time": max_time}
    verdict, pairs = None, None
    if len(classes) == 2:
        verdict = decide(points, None, positive=positive, **how)
    else:
        pairs = decide_pairs(points, None, **how)
    widest, note = _margin(points, verdict, positive, how)
    given = None if names is None else tuple(map(str, names))
    parts = _split(X, rows, points.labels, given)
    learners = compared(parts, bool(fit_intercept), max_time)
    chosen = commands or _calls(bool(fit_intercept), not parts.note)
    return Report(title, points, classes, counts.tolist(), given, bool(fit_intercept), positive, verdict, pairs,
                  widest, note, learners, parts, chosen, max_time)  # fmt: skip


def _calls(fit_intercept: bool, has_test: bool) -> dict[str, str]:
    """Return the calls in Python that reproduce each part."""
    found = dict(IN_PYTHON)
    if not fit_intercept:
        found["capacity"] = "nv.separable_fraction(*X.shape)"
    if not has_test:
        del found["split"]
        found = {name: call.replace("[~held]", "") for name, call in found.items()}
    return found


def _margin(points: Any, verdict: Any, positive: Any, how: dict[str, Any]) -> tuple[Margin | None, str]:
    """Return the margin, or None and why there is none."""
    if verdict is None:
        return None, "A margin is between two classes; choose two of them to see theirs."
    if verdict.separable is None:
        return None, "Whether they are separable was not decided in time, so no margin is known."
    if not verdict.separable:
        plane = plane_of(verdict.fit_intercept)
        return None, f"No {plane} separates the points, so there is no margin and no bound of the mistakes."
    try:
        found = margin(points, None, positive=positive, **how)
        _ = found.padded, found.radius2, found.updates
    except NotSeparableError:
        return None, f"No {plane_of(verdict.fit_intercept)} separates the points."
    except UndecidedError as error:
        return None, f"Not found in time: {error}"
    return found, ""


def _split(X: Any, rows: Any, labels: Any, names: tuple[str, ...] | None) -> TrainTest:
    """Return four fifths of the rows to train on and each fifth row to test on; all rows to train on if that fails."""
    y = labels if isinstance(X, Dataset) else labels_of(labels)
    try:
        split = X.split(holdout=HOLDOUT) if isinstance(X, Dataset) else rows_to_test(y, HOLDOUT)
    except InputError:
        return TrainTest(rows, y, None, None, names, NONE_HELD)
    if isinstance(split, tuple):
        train, test = split
        X_train, X_test = train.rows, test.rows
        return TrainTest(X_train, train.labels, X_test, test.labels, _unit_names(train))
    problem = unlabelled(rows)
    X_train, X_test = (problem.part(which).matrix() for which in (np.flatnonzero(~split), np.flatnonzero(split)))
    return TrainTest(X_train, y[~split], X_test, y[split], names)


def _unit_names(points: Any, names: Any = None) -> tuple[str, ...] | None:
    """Return the names of the columns, those of scaled columns marked; None if they have none."""
    prep, names = getattr(points, "preparation", None), points.names if names is None else names
    return None if names is None else tuple(map(str, names if prep is None else prep.unit_names))
