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
from novikoff.perceptron.run.run_base import Result, RunBase

try:
    from sklearn.callback import CallbackSupportMixin as CallbackSupport
    from sklearn.callback import with_callbacks
except ImportError:

    class CallbackSupport:  # type: ignore[no-redef]
        """Nothing to support."""

    def with_callbacks(method: Callable[..., Any]) -> Callable[..., Any]:
        """The method itself."""
        return method


__all__ = ["CallbackSupport", "watched", "with_callbacks"]


def watched(run: RunBase, estimator: Any, X: Any, y: Any, take: Take) -> Any:
    """The run, its passes told to the estimator's callbacks; the run itself where there are none.

    To be called inside a method marked `with_callbacks`, which lets the callbacks go at its end.
    """
    return Watched(run, estimator, X, y, take) if getattr(estimator, "_skl_callbacks", None) else run


class Watched:
    """A run whose passes are tasks: for the loop in `train` it is the run itself."""

    def __init__(self, run: RunBase, estimator: Any, X: Any, y: Any, take: Take) -> None:
        self._run, self._estimator, self._take = run, estimator, take
        self._info = {"estimator": estimator, "X": X, "y": y}
        self._fit = estimator._init_callback_context(max_subtasks=run.plan.stops.max_passes)
        self._fit.call_on_fit_task_begin(**self._info)
        if run.in_pass:
            self._begin_task()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._run, name)

    def begin_pass(self) -> None:
        """Begin a task, and its pass."""
        self._begin_task()
        self._run.begin_pass()

    def _begin_task(self) -> None:
        self._pass = self._fit.subcontext(task_name="pass")
        self._pass.call_on_fit_task_begin(**self._info)

    def end_pass(self) -> None:
        """End the pass, and its task; a callback may ask for an end of the run."""
        self._run.end_pass()
        stop = self._pass.call_on_fit_task_end(**self._info, reconstruction_attributes=self.as_if_ended)
        if stop and self._run.reason is None:
            self._run.reason = "interrupted"

    def result(self) -> Result:
        """End the whole task; what the run hands back."""
        self._fit.call_on_fit_task_end(**self._info, reconstruction_attributes=self.as_if_ended)
        return self._run.result()

    def as_if_ended(self) -> dict[str, Any]:
        """What the estimator would have learned if the run had ended here."""
        model = copy(self._estimator)
        model.warm_start = False  # the run goes on, and must not be stored
        so_far = self._run.result()
        so_far = replace(so_far, stop_reason=self._run.reason or "interrupted", mistakes=so_far.mistakes.copy())
        self._take(model, so_far)
        return {name: value for name, value in vars(model).items() if name != "warm_start"}
