"""Exact, fast and reproducible linear classification with the perceptron, and proofs of linear separability.

    >>> import novikoff as nv
    >>> X, y = nv.example("cornwell")
    >>> clf = nv.Perceptron().fit(X, y)
    >>> clf.stop_reason_, clf.n_updates_, clf.coef_.tolist(), clf.intercept_.tolist()
    ('separated', 9, [[4.0, -0.5]], [1.0])

Names are imported when they are first used: `import novikoff` loads neither Numba nor scikit-learn.
"""

from __future__ import annotations

import importlib

TYPE_CHECKING = False  # that of typing, which takes longer to import than all else here

__version__ = "0.1.0"

_WHERE = {
    "BoundDisplay": "novikoff.plot.bound_display",
    "BoundaryDisplay": "novikoff.plot.boundary_display",
    "CertificateError": "novikoff.proof.verify",
    "CoverDisplay": "novikoff.plot.cover_display",
    "ErrorCurveDisplay": "novikoff.plot.error_curves",
    "HullsDisplay": "novikoff.plot.hulls_display",
    "InputError": "novikoff.errors",
    "MaxMargin": "novikoff.estimators.maxmargin_estimator",
    "NotSeparableError": "novikoff.errors",
    "NotSeparatedWarning": "novikoff.estimators.sklearn_classifier",
    "Perceptron": "novikoff.estimators.perceptron_estimator",
    "RegionsDisplay": "novikoff.plot.regions_display",
    "SoftMargin": "novikoff.estimators.soft_margin_estimator",
    "UndecidedError": "novikoff.errors",
    "UnknownCategoryWarning": "novikoff.errors",
    "WorkerError": "novikoff.errors",
    "angle_experiment": "novikoff.theory.experiments.angle_experiment",
    "approximate_fraction": "novikoff.theory.cover_logs",
    "auto": "novikoff.model.automatic_model",
    "bits_needed": "novikoff.theory.bits",
    "bits_used": "novikoff.theory.bits",
    "capacity_experiment": "novikoff.theory.experiments.capacity_experiment",
    "convergence_experiment": "novikoff.theory.experiments.teacher_experiments",
    "count_dichotomies": "novikoff.theory.dichotomies",
    "cover_count": "novikoff.theory.cover",
    "decide": "novikoff.separate.decide",
    "decide_pairs": "novikoff.separate.decide",
    "encoding_bits": "novikoff.theory.bits",
    "engine": "novikoff.engines.choose_engine",
    "example": "novikoff.data.examples",
    "general_position": "novikoff.theory.position",
    "generalization_bound": "novikoff.theory.generalization",
    "load": "novikoff.model",
    "log10_cover_count": "novikoff.theory.cover_logs",
    "log10_fraction": "novikoff.theory.cover_logs",
    "margin": "novikoff.maxmargin.margin",
    "margin_experiment": "novikoff.theory.experiments.teacher_experiments",
    "margins": "novikoff.scoring.plane_margins",
    "open_data": "novikoff.io.reader",
    "orders_experiment": "novikoff.theory.experiments.orders_and_starts",
    "perceptron_loss": "novikoff.scoring.plane_margins",
    "position_experiment": "novikoff.theory.experiments.position_experiment",
    "read": "novikoff.io.reader",
    "removal": "novikoff.separate.removal",
    "report": "novikoff.data_report.report",
    "sample_size": "novikoff.theory.generalization",
    "save": "novikoff.model",
    "separable_fraction": "novikoff.theory.cover",
    "separation": "novikoff.regression.separation",
    "starts_experiment": "novikoff.theory.experiments.orders_and_starts",
    "to_sklearn": "novikoff.model.to_sklearn",
    "trace": "novikoff.perceptron.trace",
    "verify": "novikoff.proof.check_fast",
    "worst_case": "novikoff.theory.experiments.worst_case",
}
__all__ = [
    "BoundDisplay",
    "BoundaryDisplay",
    "CertificateError",
    "CoverDisplay",
    "ErrorCurveDisplay",
    "HullsDisplay",
    "InputError",
    "MaxMargin",
    "NotSeparableError",
    "NotSeparatedWarning",
    "Perceptron",
    "RegionsDisplay",
    "SoftMargin",
    "UndecidedError",
    "UnknownCategoryWarning",
    "WorkerError",
    "__version__",
    "angle_experiment",
    "approximate_fraction",
    "auto",
    "bits_needed",
    "bits_used",
    "capacity_experiment",
    "convergence_experiment",
    "count_dichotomies",
    "cover_count",
    "decide",
    "decide_pairs",
    "encoding_bits",
    "engine",
    "example",
    "general_position",
    "generalization_bound",
    "load",
    "log10_cover_count",
    "log10_fraction",
    "margin",
    "margin_experiment",
    "margins",
    "open_data",
    "orders_experiment",
    "perceptron_loss",
    "position_experiment",
    "read",
    "removal",
    "report",
    "sample_size",
    "save",
    "separable_fraction",
    "separation",
    "starts_experiment",
    "to_sklearn",
    "trace",
    "verify",
    "worst_case",
]

if TYPE_CHECKING:
    from typing import Any

    from novikoff.data.examples import example as example
    from novikoff.data_report.report import report as report
    from novikoff.engines.choose_engine import engine as engine
    from novikoff.errors import (
        InputError as InputError,
        NotSeparableError as NotSeparableError,
        UndecidedError as UndecidedError,
        UnknownCategoryWarning as UnknownCategoryWarning,
        WorkerError as WorkerError,
    )
    from novikoff.estimators.maxmargin_estimator import MaxMargin as MaxMargin
    from novikoff.estimators.perceptron_estimator import Perceptron as Perceptron
    from novikoff.estimators.sklearn_classifier import NotSeparatedWarning as NotSeparatedWarning
    from novikoff.estimators.soft_margin_estimator import SoftMargin as SoftMargin
    from novikoff.io.reader import open_data as open_data, read as read
    from novikoff.maxmargin.margin import margin as margin
    from novikoff.model import load as load, save as save
    from novikoff.model.automatic_model import auto as auto
    from novikoff.model.to_sklearn import to_sklearn as to_sklearn
    from novikoff.perceptron.trace import trace as trace
    from novikoff.plot.bound_display import BoundDisplay as BoundDisplay
    from novikoff.plot.boundary_display import BoundaryDisplay as BoundaryDisplay
    from novikoff.plot.cover_display import CoverDisplay as CoverDisplay
    from novikoff.plot.error_curves import ErrorCurveDisplay as ErrorCurveDisplay
    from novikoff.plot.hulls_display import HullsDisplay as HullsDisplay
    from novikoff.plot.regions_display import RegionsDisplay as RegionsDisplay
    from novikoff.proof.check_fast import verify as verify
    from novikoff.proof.verify import CertificateError as CertificateError
    from novikoff.regression.separation import separation as separation
    from novikoff.scoring.plane_margins import margins as margins, perceptron_loss as perceptron_loss
    from novikoff.separate.decide import decide as decide, decide_pairs as decide_pairs
    from novikoff.separate.removal import removal as removal
    from novikoff.theory.bits import bits_needed as bits_needed, bits_used as bits_used, encoding_bits as encoding_bits
    from novikoff.theory.cover import cover_count as cover_count, separable_fraction as separable_fraction
    from novikoff.theory.cover_logs import (
        approximate_fraction as approximate_fraction,
        log10_cover_count as log10_cover_count,
        log10_fraction as log10_fraction,
    )
    from novikoff.theory.dichotomies import count_dichotomies as count_dichotomies
    from novikoff.theory.experiments.angle_experiment import angle_experiment as angle_experiment
    from novikoff.theory.experiments.capacity_experiment import capacity_experiment as capacity_experiment
    from novikoff.theory.experiments.orders_and_starts import (
        orders_experiment as orders_experiment,
        starts_experiment as starts_experiment,
    )
    from novikoff.theory.experiments.position_experiment import position_experiment as position_experiment
    from novikoff.theory.experiments.teacher_experiments import (
        convergence_experiment as convergence_experiment,
        margin_experiment as margin_experiment,
    )
    from novikoff.theory.experiments.worst_case import worst_case as worst_case
    from novikoff.theory.generalization import generalization_bound as generalization_bound, sample_size as sample_size
    from novikoff.theory.position import general_position as general_position


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'novikoff' has no attribute {name!r}")
    thing = getattr(importlib.import_module(_WHERE[name]), name)
    globals()[name] = thing
    return thing


def __dir__() -> list[str]:
    return sorted(__all__)
