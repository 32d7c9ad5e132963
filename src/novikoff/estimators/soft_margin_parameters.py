"""The parameters of the soft margin, each stated once; see `parameter_table`.

This file imports neither numpy nor scikit-learn, so that `--help` starts fast.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from novikoff.estimators import allowed_values as values
from novikoff.estimators.parameter_table import (
    FIXED,
    FREE,
    CheckedParameters,
    Option,
    parameter,
    parameters_of,
)
from novikoff.softmargin import BIASES, LOSS_NAMES, PENALTIES, SOLVERS

if TYPE_CHECKING:
    from novikoff.arguments.signature_types import ClassWeights, Seed


@dataclass(kw_only=True, repr=False, eq=False)
class SoftMarginParameters(CheckedParameters):
    """The parameters of SoftMargin."""

    # fmt: off
    loss: str = parameter("hinge", values.OneOf(LOSS_NAMES), FIXED, Option("soft", default=None),
        "Fit a soft margin with this loss of a row.",
        '"hinge": max(0, 1 − m) for the margin m = y·(w·x + b). "squared_hinge": its square. "logistic": '
        "log(1 + exp(−m)), which gives probabilities")
    penalty: str = parameter("l2", values.OneOf(PENALTIES), FIXED, Option("penalty"), "Penalty of the weights.",
        '"l2": ½|w|². "l1": Σ|w_j|, which sets weights to 0; not with the hinge')
    C: float | str = parameter(1.0, values.Positive(word="auto"), FIXED, Option("C", "NUMBER|auto"),
        "Factor of the losses; the mean of the losses plus λ times the penalty has C = 1/(λn).",
        '"auto": the one of 11 values from 0.001 to 100 with the fewest errors on a held-out fifth of each class, of '
        "equal ones the smallest; then all rows are fitted")
    gap: float | str = parameter("auto", values.Positive(word="auto"), FIXED, Option("gap", "NUMBER|auto"),
        "Proved gap to the optimum, relative to the objective, at which to stop.",
        '"auto": 1e-12 for at most 100,000 numbers in X, else 1e-4')
    bias: str = parameter("padded", values.OneOf(BIASES), FIXED, Option("soft-bias"),
        "Whether the bias is penalized.",
        '"padded": as the weight of a column of ones. "free": not')
    class_weight: ClassWeights | None = parameter(None, values.CLASS_WEIGHTS, FIXED,
        "the option class-weight of a perceptron",
        "Weights of the classes, which multiply the losses of their rows.",
        '"balanced": Σ weights/(classes · Σ weights of the class)')
    multi_class: str = parameter("auto", values.OneOf(("auto", "ova", "ovo")), FIXED,
        "the option multi of a perceptron",
        "Multiclass scheme: one-vs-all or one-vs-one.",
        '"ova": one plane for each class against all others. "ovo": one for each pair of classes, and each pair votes. '
        '"auto": "ovo" for the hinge and its square if the weights of all pairs are no more numbers than X stores, '
        'else "ova"')
    solver: str = parameter("auto", values.OneOf(("auto", *SOLVERS)), FIXED, "no option: the solver is chosen",
        "Solver.",
        '"auto": chosen by shape, density, loss and C. "newton": semismooth Newton method. "coordinates": dual '
        'coordinates; padded bias. "gram", "coordinates_newton": then Newton on a Gram matrix, or by conjugate '
        'gradients; padded bias. "proximal_newton": for penalty "l1" only')
    max_iter: int | None = parameter(None, values.Integer(1), FIXED, "the option max-passes of a perceptron",
        "Stop after this many steps of the solver for each plane.")
    max_time: float | None = parameter(None, values.Positive(none=True), FREE, "the option max-seconds of a perceptron",
        "Time limit in seconds, for all planes together.")
    random_state: Seed | None = parameter(None, values.SEED, FIXED, "the option seed of a perceptron",
        'Seed of the order of "coordinates" and of the held-out rows.', "None: 0")
    # fmt: on


SOFT_MARGIN = parameters_of(SoftMarginParameters)
