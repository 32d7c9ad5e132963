"""scikit-learn's callbacks, where it has them (1.9 or later): a fit is a task, and each pass a part of it.

`set_callbacks(ProgressBar())` shows the passes, `set_callbacks(ScoringMonitor(scoring="accuracy"))` scores the weights
after each of them. A callback of one's own finds the number of the pass in `context.task_id` (from 0) and all else in
the `fitted_estimator` of its `on_fit_task_end`: the estimator as if the run had ended there, with `history_` (mistakes,
errors, …), weights and predictions; it is made only where a callback asks for it. Returning True ends the run
(`stop_reason_` "interrupted"). Before scikit-learn 1.9 nothing here does anything.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import replace
from typing import Any

from novikoff.estimators.learner import Take
from novikoff.perceptron.run.observer import Observer
from novikoff.perceptron.run.run import Run

try:
    from sklearn.callback import CallbackSupportMixin as CallbackSupport
    from sklearn.callback import with_callbacks
except ImportError:

    class CallbackSupport:  # type: ignore[no-redef]
        """Nothing to support."""

    def with_callbacks(method: Callable[..., Any]) -> Callable[..., Any]:
        """The method itself."""
        return method


__all__ = ["CallbackSupport", "Callbacks", "with_callbacks"]


class Callbacks(Observer):
    """Calls the callbacks of an estimator at the beginning and the end of the fit and of each pass.

    `with_callbacks` releases them when `fit` ends.
    """

    def __init__(self, estimator: Any, X: Any, y: Any, take: Take) -> None:
        self._estimator, self._take = estimator, take
        self._info = {"estimator": estimator, "X": X, "y": y}

    def begin(self, run: Run) -> None:
        self._fit = self._estimator._init_callback_context(max_subtasks=run.plan.stops.max_passes)
        self._fit.call_on_fit_task_begin(**self._info)

    def begin_pass(self, run: Run) -> None:
        self._pass = self._fit.subcontext(task_name="pass")
        self._pass.call_on_fit_task_begin(**self._info)

    def end_pass(self, run: Run) -> None:
        """End the task of the pass; the run ends if a callback returns True."""
        stop = self._end(self._pass, run)
        if stop and run.reason is None:
            run.reason = "interrupted"

    def end(self, run: Run) -> None:
        self._end(self._fit, run)

    def _end(self, task: Any, run: Run) -> Any:
        return task.call_on_fit_task_end(**self._info, reconstruction_attributes=lambda: self.as_if_ended(run))

    def as_if_ended(self, run: Run) -> dict[str, Any]:
        """The attributes that the estimator would have if the run had ended here."""
        model = copy(self._estimator)
        model.warm_start = False  # the run goes on, and must not be stored
        so_far = run.result()
        so_far = replace(so_far, stop_reason=run.reason or "interrupted", mistakes=so_far.mistakes.copy())
        self._take(model, so_far)
        return {name: value for name, value in vars(model).items() if name != "warm_start"}
