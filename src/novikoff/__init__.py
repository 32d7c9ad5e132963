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
    "CertificateError": "novikoff.certify.check.verify",
    "InputError": "novikoff.errors",
    "MaxMargin": "novikoff.estimators.maxmargin_estimator",
    "NotSeparableError": "novikoff.errors",
    "NotSeparatedWarning": "novikoff.estimators.sklearn_glue.sklearn_params",
    "Perceptron": "novikoff.estimators.perceptron_estimator",
    "SoftMargin": "novikoff.estimators.soft_margin_estimator",
    "UndecidedError": "novikoff.errors",
    "WorkerError": "novikoff.errors",
    "decide": "novikoff.certify.decide.decide",
    "decide_pairs": "novikoff.certify.decide.pairs",
    "engine": "novikoff.engines.engine",
    "example": "novikoff.data.examples",
    "load": "novikoff.model",
    "margins": "novikoff.scoring.plane_margins",
    "open_data": "novikoff.io.reader",
    "read": "novikoff.io.reader",
    "save": "novikoff.model",
    "margin": "novikoff.maxmargin.margin",
    "report": "novikoff.data_report.report",
    "separation": "novikoff.certify.separation.separation",
    "removal": "novikoff.certify.decide.removal",
    "trace": "novikoff.perceptron.trace",
    "verify": "novikoff.certify.check.verify_fast",
}
__all__ = [
    "CertificateError",
    "InputError",
    "MaxMargin",
    "NotSeparableError",
    "NotSeparatedWarning",
    "Perceptron",
    "SoftMargin",
    "UndecidedError",
    "WorkerError",
    "__version__",
    "decide",
    "decide_pairs",
    "engine",
    "example",
    "load",
    "margin",
    "margins",
    "open_data",
    "read",
    "removal",
    "report",
    "save",
    "separation",
    "trace",
    "verify",
]

if TYPE_CHECKING:
    from typing import Any

    from novikoff.certify.check.verify import CertificateError as CertificateError
    from novikoff.certify.check.verify_fast import verify as verify
    from novikoff.certify.decide.decide import decide as decide
    from novikoff.certify.decide.pairs import decide_pairs as decide_pairs
    from novikoff.certify.decide.removal import removal as removal
    from novikoff.certify.separation.separation import separation as separation
    from novikoff.data.examples import example as example
    from novikoff.data_report.report import report as report
    from novikoff.engines.engine import engine as engine
    from novikoff.errors import InputError as InputError
    from novikoff.errors import NotSeparableError as NotSeparableError
    from novikoff.errors import UndecidedError as UndecidedError
    from novikoff.errors import WorkerError as WorkerError
    from novikoff.estimators.maxmargin_estimator import MaxMargin as MaxMargin
    from novikoff.estimators.perceptron_estimator import Perceptron as Perceptron
    from novikoff.estimators.sklearn_glue.sklearn_params import NotSeparatedWarning as NotSeparatedWarning
    from novikoff.estimators.soft_margin_estimator import SoftMargin as SoftMargin
    from novikoff.io.reader import open_data as open_data
    from novikoff.io.reader import read as read
    from novikoff.maxmargin.margin import margin as margin
    from novikoff.model import load as load
    from novikoff.model import save as save
    from novikoff.perceptron.trace import trace as trace
    from novikoff.scoring.plane_margins import margins as margins


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'novikoff' has no attribute {name!r}")
    thing = getattr(importlib.import_module(_WHERE[name]), name)
    globals()[name] = thing
    return thing


def __dir__() -> list[str]:
    return sorted(__all__)
