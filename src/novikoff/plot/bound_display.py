"""The two curves of the convergence proof, for one run.

From the notes: T4 R5 S10 C7 Z9 (mistakes ≤ (R/γ)²).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Self

from novikoff.arguments.signature_types import Labels, Points
from novikoff.data.format_numbers import count
from novikoff.errors import InputError
from novikoff.pages.proof_curves import proof_panel, reference_of
from novikoff.perceptron.trace_tables import Trace
from novikoff.plot.display import PanelDisplay

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class BoundDisplay(PanelDisplay):
    """The convergence proof for one run: ‖w‖ below R√k, ⟨w, u⟩ above kγ, until the two must meet at (R/γ)².

    k·γ ≤ ⟨w, u⟩ ≤ ‖w‖ ≤ √k·R   after k mistakes from w⁰ = 0 with η = 1;   u: the widest plane, of length 1

    Parameters
    ----------
    trace : of `trace`
    X, y : its points, separable

    Examples
    --------
    >>> import novikoff as nv
    >>> X, y = nv.example("cornwell")
    >>> nv.BoundDisplay(nv.trace(X, y), X, y).panels[0].title
    '9 mistakes of at most 55'
    """

    def __init__(self, trace: Trace, X: Points, y: Labels | None = None) -> None:
        from novikoff.maxmargin.margin import margin

        if not isinstance(trace, Trace):
            raise InputError(f"found {type(trace).__name__}; a trace was expected", "trace")
        reference = reference_of(trace, margin(X, y, trace.fit_intercept, positive=trace.classes[1]))
        panel = proof_panel(trace, reference)
        if panel is None:
            raise InputError("found no update, another rule than perceptron, or numbers beyond 1e140; a run of the "
                             "perceptron with an update was expected", "trace")  # fmt: skip
        most = "" if reference is None or reference.most is None else f" of at most {reference.most:,}"
        super().__init__([replace(panel, title=f"{count(len(trace.steps), 'mistake')}{most}")])

    @classmethod
    def from_trace(cls, trace: Trace, X: Points, y: Labels | None = None, ax: Axes | None = None) -> Self:
        """Draw the proof for one run.

        Parameters
        ----------
        trace : of `trace`
        X, y : its points, separable
        ax : as in `plot`
        """
        return cls(trace, X, y).plot(ax)
