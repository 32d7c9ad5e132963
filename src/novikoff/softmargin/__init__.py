"""The soft margin: losses, penalties, solvers, and a proved bound on what a solution lacks.

The words for the choices stand here, so that help can name them without loading anything else.
"""

from __future__ import annotations

LOSS_NAMES = ("hinge", "squared_hinge", "logistic")
PENALTIES = ("l2", "l1")
PERCEPTRON_LOSS = (
    "found 'perceptron'; with a penalty its only optimum is w = 0, because the loss of t·w is t times that of w: use "
    "'hinge', which is the perceptron loss with a threshold, or novikoff.Perceptron"
)
BIASES = ("padded", "free")
SOLVERS = ("newton", "coordinates", "gram", "coordinates_newton", "proximal_newton")
STOP_REASONS = {
    "gap": "the requested gap is proved",
    "precision": "rounding errors prevent a smaller proved gap",
    "stalled": "the solver made no progress",
    "max_iter": "the limit of steps was reached",
    "max_time": "the time limit was reached",
    "interrupted": "it was interrupted",
}
