"""Fit the learners of a report on the training rows, and count their errors there and on the held-out rows."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from novikoff.data.labels import known_numbers
from novikoff.data.plain_files import plane_of
from novikoff.errors import InputError, NotSeparableError, UndecidedError
from novikoff.estimators.fit_results import SOLVED
from novikoff.estimators.learner import Learner
from novikoff.scoring.metrics import Judged

PERCEPTRON, POCKET, AVERAGE, SOFT, WIDEST = "perceptron", "pocket", "average", "soft", "maxmargin"
NAMES = {
    PERCEPTRON: "perceptron (default)",
    POCKET: "pocket",
    AVERAGE: "averaged perceptron",
    SOFT: "soft margin (hinge, C = 1)",
    WIDEST: "maximum margin",
}
HAS_BIAS, FOR_TWO = "its plane has a bias, and the planes here have none", "it is for two classes"


@dataclass(frozen=True)
class TrainTest:
    """Training rows and held-out rows; X_test is None if no rows are held out.

    The preparation is fitted on the training rows only, so that their columns, with these names, may differ from those
    of all rows: words that only held-out rows have are not among them.
    """

    X: Any
    y: Any
    X_test: Any
    y_test: Any
    names: tuple[str, ...] | None = None
    note: str = ""  # why no rows are held out


@dataclass(frozen=True)
class LearnerResult:
    """A learner of the report: errors on the training rows and on the held-out rows; note: why there are none."""

    key: str
    model: Any
    n: int
    train_errors: int | None
    ended: str
    test: Judged | None = None  # of the held-out rows
    note: str = ""
    applies: bool = True  # to these classes and planes; else no command reproduces the note

    @property
    def name(self) -> str:
        """The learner's name for people."""
        return NAMES[self.key]

    @property
    def test_errors(self) -> int | None:
        """How many of the held-out rows get another class."""
        return None if self.test is None else self.test.n - self.test.accuracy.k

    def to_dict(self) -> dict[str, Any]:
        """Return the results as JSON values."""
        found: dict[str, Any] = {"learner": self.key, "n": self.n, "train_errors": self.train_errors}
        found |= {"stop_reason": self.ended}
        found |= {"test_accuracy_interval": self.test and list(self.test.accuracy.interval)}
        found |= {"test_n": self.test and self.test.n, "test_errors": self.test_errors, "note": self.note or None}
        return found | {"confusion": self.test and self.test.confusion.tolist()}


def compared(parts: TrainTest, fit_intercept: bool, max_time: float | None) -> list[LearnerResult]:
    """Return the results of all learners, in the order of the report."""
    from novikoff.estimators.maxmargin_estimator import MaxMargin
    from novikoff.estimators.soft_margin_estimator import SoftMargin

    perceptron = partial(Learner, fit_intercept=fit_intercept, max_time=max_time)
    made: dict[str, Callable[[], Any]] = {
        PERCEPTRON: perceptron,
        POCKET: partial(perceptron, keep="pocket"),
        AVERAGE: partial(perceptron, keep="average"),
        SOFT: partial(SoftMargin, max_time=max_time),
        WIDEST: MaxMargin,
    }
    learners = {key: make() for key, make in made.items()}
    learners[WIDEST]._max_time = max_time
    return [_result(key, model, parts, fit_intercept) for key, model in learners.items()]


def _result(key: str, model: Any, parts: TrainTest, fit_intercept: bool) -> LearnerResult:
    n = len(parts.y)
    if key in (SOFT, WIDEST) and not fit_intercept:
        return LearnerResult(key, None, n, None, "", note=HAS_BIAS, applies=False)
    if key == WIDEST and len(np.unique(np.asarray(parts.y))) > 2:
        return LearnerResult(key, None, n, None, "", note=FOR_TWO, applies=False)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(parts.X, parts.y)
    except NotSeparableError:
        return LearnerResult(key, None, n, None, "", note=f"no {plane_of(fit_intercept)} separates the training rows")
    except UndecidedError:
        return LearnerResult(key, None, n, None, "max_time", note="not found within the time limit")
    except InputError as error:
        return LearnerResult(key, None, n, None, "", note=f"not fitted: {error}")
    try:
        errors = errors_of(model, parts.X, parts.y)
        test = None if parts.X_test is None else tested(model, parts.X_test, parts.y_test)
    except InputError as error:
        return LearnerResult(key, None, n, None, "", note=f"fitted, but it cannot predict: {error}")
    ended = str(getattr(model, "stop_reason_", SOLVED))
    return LearnerResult(key, model, n, errors, ended, test)


def errors_of(model: Any, X: Any, y: Any) -> int:
    """Count the rows that do not get their own class; a tie is an error of a perceptron."""
    if isinstance(model, Learner):
        numbers = known_numbers(y, model.classes_, "y", "the classes of the model")
        return model.lost_and_tied(X, numbers)[0]
    return int((model.predict(X) != np.asarray(y)).sum())


def tested(model: Any, X: Any, y: Any) -> Judged:
    """Return how many rows of each class get each class."""
    truth = known_numbers(y, model.classes_, "y", "the classes of the model")
    called = known_numbers(model.predict(X), model.classes_, "y", "the classes of the model")
    many = len(model.classes_)
    counts = np.bincount(truth * many + called, minlength=many * many).reshape(many, many)
    return Judged(model.classes_.tolist(), counts)
