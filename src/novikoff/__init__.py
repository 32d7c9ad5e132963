"""The perceptron, complete and with proof: linear classification that is exact, fast and honest.

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
    "CertificateError": "novikoff.certify.verify",
    "InputError": "novikoff.errors",
    "MaxMargin": "novikoff.maxmargin",
    "NotSeparableError": "novikoff.errors",
    "NotSeparatedWarning": "novikoff.constraints",
    "Perceptron": "novikoff.estimators",
    "UndecidedError": "novikoff.errors",
    "WorkerError": "novikoff.errors",
    "decide": "novikoff.certify.decide",
    "decide_pairs": "novikoff.certify.pairs",
    "engine": "novikoff.spread.engine",
    "example": "novikoff.points.examples",
    "load": "novikoff.model",
    "margins": "novikoff.sides.margins",
    "read": "novikoff.files.read",
    "save": "novikoff.model",
    "margin": "novikoff.width.margin",
    "separation": "novikoff.certify.separation",
    "removal": "novikoff.certify.removal",
    "trace": "novikoff.perceptron.trace",
    "verify": "novikoff.certify.fast",
}
__all__ = [
    "CertificateError",
    "InputError",
    "MaxMargin",
    "NotSeparableError",
    "NotSeparatedWarning",
    "Perceptron",
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
    "read",
    "removal",
    "save",
    "separation",
    "trace",
    "verify",
]

if TYPE_CHECKING:
    from typing import Any

    from novikoff.certify.decide import decide as decide
    from novikoff.certify.fast import verify as verify
    from novikoff.certify.pairs import decide_pairs as decide_pairs
    from novikoff.certify.removal import removal as removal
    from novikoff.certify.separation import separation as separation
    from novikoff.certify.verify import CertificateError as CertificateError
    from novikoff.constraints import NotSeparatedWarning as NotSeparatedWarning
    from novikoff.errors import InputError as InputError
    from novikoff.errors import NotSeparableError as NotSeparableError
    from novikoff.errors import UndecidedError as UndecidedError
    from novikoff.errors import WorkerError as WorkerError
    from novikoff.estimators import Perceptron as Perceptron
    from novikoff.files.read import read as read
    from novikoff.maxmargin import MaxMargin as MaxMargin
    from novikoff.model import load as load
    from novikoff.model import save as save
    from novikoff.perceptron.trace import trace as trace
    from novikoff.points.examples import example as example
    from novikoff.sides.margins import margins as margins
    from novikoff.spread.engine import engine as engine
    from novikoff.width.margin import margin as margin


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'novikoff' has no attribute {name!r}")
    thing = getattr(importlib.import_module(_WHERE[name]), name)
    globals()[name] = thing
    return thing


def __dir__() -> list[str]:
    return sorted(__all__)
