"""Soft margins of real sets: the objective is within the stated gap of a tightly converged one.

The references are objectives of runs to a proved relative gap of 1e-9, of the problems of the benchmark `softmargin`
(padded bias), for C = 0.01, 1 and 100. LIBLINEAR and scikit-learn, where they arrive, agree with them in the benchmark.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest
import scipy.sparse as sp
from benchmarks import softmargin_sets as sets

from novikoff.softmargin import loss_sums
from novikoff.softmargin.certified_fit import fit_plane
from novikoff.softmargin.gap import proved_gap
from novikoff.softmargin.losses import LOSSES
from novikoff.softmargin.row_products import RowProducts
from novikoff.softmargin.soft_problem import Limits, SoftProblem

COSTS = (0.01, 1.0, 100.0)
TIGHT = 1e-9
# fmt: off
REFERENCES = {
    "a9a": {
        "hinge": (118.446259042, 11433.7002016, 1142271.47276),
        "squared_hinge": (138.892204524, 13742.3733055, 1373917.00172),
        "logistic": (112.734297522, 10529.3114042, 1050550.41238),
    },
    "adult": {
        "hinge": (115.086207552, 11093.5910958, 1107716.93849),
        "squared_hinge": (135.952351606, 13443.1213667, 1343678.97833),
        "logistic": (110.380198959, 10315.0575514, 1028355.61742),
    },
    "ijcnn1": {
        "hinge": (95.9983949997, 8590.69409735, 853926.509757),
        "squared_hinge": (121.901400713, 11021.5843399, 1100326.42044),
        "logistic": (137.646120961, 9390.61660756, 915676.388904),
    },
    "higgs_7k": {
        "hinge": (57.973637829, 5655.70943244, 565358.445794),
        "squared_hinge": (63.1311775964, 6296.35825684, 629618.024301),
        "logistic": (45.3315773037, 4467.95639002, 446692.781757),
    },
    "spambase": {
        "hinge": (11.6946085756, 883.153679148, 84771.6904452),
        "squared_hinge": (13.8685850827, 1215.29530744, 119353.675159),
        "logistic": (13.9721694974, 973.918798355, 91466.840324),
    },
    "covtype_10k": {
        "hinge": (26.9389582895, 2644.49895887, 264400.499005),
        "squared_hinge": (34.8208949627, 3432.36182612, 343177.39696),
        "logistic": (31.0646877046, 2649.09435642, 263771.512202),
    },
    "mnist_38": {
        "hinge": (12.7460727244, 772.931366953, 64095.3806955),
        "squared_hinge": (14.4396137507, 1064.39372174, 97599.3273478),
        "logistic": (18.0884923859, 997.303247447, 80917.1193139),
    },
    "spamassassin": {
        "hinge": (9.97137381705, 180.067977412, 256.842533976),
        "squared_hinge": (11.523453357, 136.71133446, 251.178775434),
        "logistic": (14.054712372, 507.264802715, 4422.59311758),
    },
    "newsgroups20": {
        "hinge": (12.0705101604, 494.623682232, 1079.33459801),
        "squared_hinge": (19.9485787866, 387.667249097, 1004.04302841),
        "logistic": (26.1167770816, 1354.42830618, 13244.358213),
    },
    "news20": {
        "hinge": (15.8684424514, 727.802551117, 3537.30699385),
        "squared_hinge": (22.5890659405, 604.546038314, 3619.53555183),
        "logistic": (33.9158148567, 1522.56431628, 21060.0482482),
    },
}
# fmt: on


def soft(name: str, loss: str, C: float) -> SoftProblem:
    """The problem of a set; skipped where the set is absent."""
    if reason := sets.why_absent(name):
        pytest.skip(reason)
    X, y = sets.problem(name)
    rows = (X.data, X.indices, X.indptr) if sp.issparse(X) else X
    return SoftProblem(RowProducts(rows, X.shape[1]), y, np.full(y.size, C), LOSSES[loss])


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("name", REFERENCES)
def test_the_objective_is_within_the_stated_gap_of_the_optimum(name: str, loss: str) -> None:
    for C, reference in zip(COSTS, REFERENCES[name][loss], strict=True):
        found = fit_plane(soft(name, loss, C), Limits(1e-4))
        assert found.stop_reason == "gap"
        assert found.gap <= 1e-4 * found.objective
        assert -2 * TIGHT * reference <= found.objective - reference <= found.gap + 2 * TIGHT * reference


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("name", ["a9a", "spambase"])
@pytest.mark.parametrize("loss", LOSSES)
def test_a_free_bias_has_a_smaller_objective(name: str, loss: str) -> None:
    padded = soft(name, loss, 1.0)
    free = SoftProblem(padded.products, padded.y, padded.costs, padded.loss, True)
    first, second = fit_plane(padded, Limits(1e-6)), fit_plane(free, Limits(1e-6))
    assert second.stop_reason == "gap"
    assert second.objective <= first.objective + second.gap


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("name", ["a9a", "mnist_38", "newsgroups20"])
@pytest.mark.parametrize("loss", LOSSES)
def test_a_proof_costs_at_most_four_plain_evaluations_of_the_gap(name: str, loss: str) -> None:
    """A plain evaluation: margins, v, and the sums of losses and Fenchel–Young terms; the best of ten each."""
    problem = soft(name, loss, 1.0)
    found = fit_plane(problem, Limits(1e-2))

    def plain() -> None:
        m = problem.margins(found.w)
        v = problem.products.combination(found.a * problem.y)
        problem.primal(found.w, m)
        problem.run(loss_sums.fenchel_young_sum, m, found.a, problem.costs)
        float((found.w - v) @ (found.w - v))

    def proof() -> None:
        proved_gap(problem, found.w, found.a)

    def seconds(call: Callable[[], object]) -> float:
        start = time.process_time()
        call()
        return time.process_time() - start

    plain()
    for _ in range(5):  # another process may disturb one attempt
        rounds = [(seconds(proof), seconds(plain)) for _ in range(10)]
        ratio = min(ours for ours, _ in rounds) / min(theirs for _, theirs in rounds)
        if ratio <= 4.0:
            break
    assert ratio <= 4.0
