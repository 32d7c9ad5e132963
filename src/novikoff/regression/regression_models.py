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

from novikoff.data.row_numbers import RowNames, row_names_of
from novikoff.errors import InputError

LABELLED = ("Logit", "Probit", "MNLogit")
LINKS = {
    "Binomial": ("Logit", "Probit", "CLogLog", "LogLog", "Cauchy"),  # from 0 to 1
    "Poisson": ("Log",),
}


class RegressionModel(NamedTuple):
    """What `separation` needs of a model. row_names: of all its rows. origin: the numbers of the rows that are used."""

    X: np.ndarray
    y: Any
    names: tuple[str, ...]
    family: str
    counts: np.ndarray | None = None
    response: str = "auto"
    row_names: RowNames | None = None
    origin: np.ndarray | None = None


def is_regression_model(X: Any) -> bool:
    """Return whether X is a model of statsmodels, or a fitted result."""
    if "statsmodels" not in sys.modules:
        return False
    return all(hasattr(getattr(X, "model", X), name) for name in ("endog", "exog", "exog_names"))


def regression_model(found: Any) -> RegressionModel:
    """Return the parts of a model; raise InputError for a family or link whose estimates it does not describe."""
    model = getattr(found, "model", found)
    kind, family = type(model).__name__, type(getattr(model, "family", None)).__name__
    for name in ("offset", "exposure"):  # the exposure as its logarithm
        values = getattr(model, name, None)
        if values is not None and not np.isfinite(values).all():
            raise InputError(f"the {name} of the model is not finite in all rows; drop the rows where it is not", "X")
    if kind not in (*LABELLED, "Poisson") and (kind != "GLM" or family not in LINKS):
        said = f"GLM with the family {family}" if kind == "GLM" else kind
        raise InputError(
            f"found a statsmodels model {said}; expected Logit, Probit, MNLogit, Poisson, or GLM with the family "
            "Binomial or Poisson",
            "X",
        )
    index, y = getattr(model.data, "row_labels", None), np.asarray(model.endog)
    if kind in LABELLED and (known := getattr(model, "_ynames_map", None)):  # MNLogit has the names of its classes
        y = np.array([known[int(k)] for k in y.tolist()])
    names, row_names = tuple(map(str, model.exog_names)), None if index is None else row_names_of(index.to_frame())
    family = "poisson" if "Poisson" in (kind, family) else "binomial"
    made = RegressionModel(np.asarray(model.exog), y, names, family, row_names=row_names)
    return _glm(model, made) if kind == "GLM" else made


def _glm(model: Any, found: RegressionModel) -> RegressionModel:
    """Return a GLM with the numbers of trials of its rows, if they are not all 1; rows of weight 0 have none."""
    link, family = type(model.family.link).__name__, type(model.family).__name__
    if link not in LINKS[family]:
        raise InputError(
            f"found the link {link} of the family {family}; expected {' or '.join(LINKS[family])}, for which "
            "separation has a known condition",
            "X",
        )
    n, weights = len(found.X), np.asarray(getattr(model, "freq_weights", 1.0)) * getattr(model, "var_weights", 1.0)
    weights = np.broadcast_to(weights, n)
    if found.family == "poisson":
        used = np.flatnonzero(weights > 0)
        return found if used.size == n else found._replace(X=found.X[used], y=found.y[used], origin=used)
    trials = np.broadcast_to(np.asarray(getattr(model, "n_trials", 1.0), np.float64), n)
    if (trials == 1).all() and (weights > 0).all() and np.isin(found.y, (0, 1)).all():
        return found
    return found._replace(counts=trials * (weights > 0), response="proportions")
