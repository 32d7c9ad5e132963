"""Read the response and the design of a statsmodels model, without importing statsmodels.

    Logit, Probit, MNLogit          labels
    GLM, family Binomial            labels; or proportions with numbers of trials, if the response has two columns
    Poisson, GLM, family Poisson    counts, with the log link

A fitted result has its model as `model`. Frequency and variance weights do not change which estimates exist, except
that a row of weight 0 has no effect. Neither do offsets and exposures, if they are finite (see `formulas`).
"""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import numpy as np

from novikoff.errors import InputError

LABELLED = ("Logit", "Probit", "MNLogit")
LINKS = {
    "Binomial": ("Logit", "Probit", "CLogLog", "LogLog", "Cauchy"),  # from 0 to 1
    "Poisson": ("Log",),
}


class RegressionModel(NamedTuple):
    """What `separation` needs of a model. index: the names of all its rows. numbering: the rows that are used."""

    X: np.ndarray
    y: Any
    names: tuple[str, ...]
    family: str
    counts: np.ndarray | None = None
    response: str = "auto"
    index: Any = None
    numbering: np.ndarray | None = None


def is_regression_model(X: Any) -> bool:
    """Return whether X is a model of statsmodels, or a fitted result."""
    if "statsmodels" not in sys.modules:
        return False
    return all(hasattr(getattr(X, "model", X), name) for name in ("endog", "exog", "exog_names"))


def regression_model(found: Any) -> RegressionModel:
    """Return the parts of a model; raise InputError for a family or link whose estimates it does not describe."""
    model = getattr(found, "model", found)
    kind = type(model).__name__
    X, names = np.asarray(model.exog), tuple(str(name) for name in model.exog_names)
    index = getattr(model.data, "row_labels", None)
    for name in ("offset", "exposure"):  # the exposure as its logarithm
        values = getattr(model, name, None)
        if values is not None and not np.isfinite(values).all():
            raise InputError(f"X: the {name} of the model is not finite in all rows; drop the rows where it is not")
    if kind in LABELLED:
        return RegressionModel(X, _labels(model), names, "binomial", index=index)
    if kind == "Poisson":
        return RegressionModel(X, np.asarray(model.endog), names, "poisson", index=index)
    family = type(getattr(model, "family", None)).__name__
    if kind != "GLM" or family not in LINKS:
        said = f"GLM with the family {family}" if kind == "GLM" else kind
        raise InputError(
            f"X: found a statsmodels model {said}; expected Logit, Probit, MNLogit, Poisson, or GLM with the family "
            "Binomial or Poisson"
        )
    link = type(model.family.link).__name__
    if link not in LINKS[family]:
        raise InputError(
            f"X: found the link {link} of the family {family}; expected {' or '.join(LINKS[family])}, for which "
            "separation has a known condition"
        )
    return _glm(model, RegressionModel(X, np.asarray(model.endog), names, family.lower(), index=index))


def _labels(model: Any) -> np.ndarray:
    """Return the labels of a discrete model; MNLogit has the names of its classes apart from their numbers."""
    y, known = np.asarray(model.endog), getattr(model, "_ynames_map", None)
    if not known:
        return y
    return np.array([known[int(k)] for k in y.tolist()])


def _glm(model: Any, found: RegressionModel) -> RegressionModel:
    """Return a GLM with the numbers of trials of its rows, if they are not all 1; rows of weight 0 have none."""
    weights = np.asarray(getattr(model, "freq_weights", 1.0)) * np.asarray(getattr(model, "var_weights", 1.0))
    trials = np.broadcast_to(np.asarray(getattr(model, "n_trials", 1.0), np.float64), (len(found.X),))
    if found.family == "poisson":
        used = np.flatnonzero(np.broadcast_to(weights > 0, (len(found.X),)))
        if used.size == len(found.X):
            return found
        return found._replace(X=found.X[used], y=found.y[used], numbering=used)
    if (trials == 1).all() and (weights > 0).all() and np.isin(found.y, (0, 1)).all():
        return found
    return found._replace(counts=trials * (weights > 0), response="proportions")
