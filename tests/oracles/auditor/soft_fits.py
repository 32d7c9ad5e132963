"""`fit --soft`: the words and the JSON of a soft margin.

The gap is held against a lower bound of the minimum: D(a) in exact numbers, for multipliers a that are found here, by
other methods than the package's, and checked to be a dual point.
"""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

from oracles import soft_margin_gap as exact
from oracles.auditor.claims import Audit
from oracles.auditor.fits import called
from oracles.auditor.problems import Table
from oracles.auditor.proofs import sides_of

LOSSES, BIASES, GAPS = ("hinge", "squared_hinge", "logistic"), ("padded", "free"), ("auto", "auto", "1e-2", "1e-5")
WEIGHTS = (None, None, "balanced", (2.0, 0.5, 3.0))
SLACK = 1e-6  # of the lower bounds that are found here, relative to P
ENDS = {
    "gap": "SOLVED", "max_iter": "STOPPED: maximum passes (--max-passes)",
    "stalled": "STOPPED: no further progress (try --scale, or a smaller --C)",
    "precision": "SOLVED to the precision of binary64",
}  # fmt: skip
OUTCOME = (
    r"^(SOLVED(?: to the precision of binary64)?|STOPPED: [\w ]+ \([^)]*\))"
    r"  .*$(?s:.*)^gap    the objective(| of every plane) is at most (\S+) of itself above its minimum, proved\n"
    r"soft   (\w+(?: hinge)?) loss, (l1|l2) penalty, C = (\S+?), (.*)bias$"
)


def audit_soft(a: Audit, folder: Path, chance: random.Random) -> None:
    """One fit of two classes or more."""
    t = a.table
    loss, bias, gap, weights = (chance.choice(some) for some in (LOSSES, BIASES, GAPS, WEIGHTS))
    C, limit = chance.choice(["0.1", "1", "30"]), chance.random() < 0.2
    options = ["--soft", loss, "--soft-bias", bias, "--gap", gap, "--C", C]
    options += [] if len(t.sorted) == 2 else ["--multi", chance.choice(["ova", "ovo"])]
    options += ["--max-passes", "2"] if limit else []
    if weights is not None:
        pairs = ",".join(f"{c}={v}" for c, v in zip(t.sorted, weights, strict=False))
        options += ["--class-weight", weights if isinstance(weights, str) else pairs]
    a.run(folder, *options)
    if a.json is None:
        return
    _claims_of_labels(a)
    _claims_of_words(a, gap, limit)
    costs = [float(C) * factor for factor in _factors(t, weights)]
    sides = sides_of(t, a.json["multi"]) if a.json["multi"] else {"": dict(enumerate(t.signs))}
    W = a.json["w"] if a.json["multi"] else [a.json["w"]]
    b, gaps, objectives = (np.atleast_1d(a.json[name]).tolist() for name in ("b", "gap", "objective"))
    for w, c, said, objective, of in zip(W, b, gaps, objectives, sides.values(), strict=True):
        plane = np.array([*w, c]), np.array([*of.values()]), [*of]
        _claims_of_gap(a, plane, said, objective, costs, loss, bias == "free")


def _factors(t: Table, weights: Any) -> list[float]:
    """The weight of each row."""
    if weights is None:
        return [1.0] * t.n
    if weights == "balanced":
        return [t.n / (len(t.sorted) * t.labels.count(label)) for label in t.labels]
    return [float(weights[t.sorted.index(label)]) for label in t.labels]


def _claims_of_labels(a: Audit) -> None:
    """What is said of the points and their classes."""
    t, info = a.table, a.json
    a.shape()
    W, b = info["w"], info["b"]
    if info["multi"] is None and t.classes != t.sorted:  # the class that sorts last is the model's positive one
        W, b = [-v for v in W], -b
    errors = sum(called(t, W, b, info["multi"], x) != label for x, label in zip(t.padded, t.labels, strict=True))
    a.fields(info, train_errors=errors, separated=errors == 0)
    line = f"{errors} of {t.n} training points wrong" if errors else f"all {t.n} training points right"
    a.claim("errors in words", a.words.splitlines()[0].endswith(f"  {line}"), True)
    if info["multi"] is None:
        a.told("which class is +", r"− is (\S+), \+ is (\S+)", *t.classes, need=True)
        if any(info["w"]):
            a.plane(info["w"], info["b"])


def _claims_of_words(a: Audit, gap: str, limit: bool) -> None:
    """The sentence of the outcome says what the JSON says, and a bound that is not smaller."""
    info, line = a.json, a.told("the outcome", OUTCOME, need=True)
    if line is None:
        return
    shares = np.atleast_1d(info["gap"]) / np.atleast_1d(info["objective"])
    a.near("relative_gap", info["relative_gap"], Fraction(float(shares.max())))
    # words and JSON are two runs: tiny gaps depend on the last bits of the machine's linear algebra
    said, share = Fraction(line[3]), Fraction(info["relative_gap"])
    apart = Fraction(1001, 1000) if share > 1e-11 else Fraction(10)
    a.claim("the gap in words is not below the gap", said * apart >= share, True)
    a.claim("the gap in words is near the gap", said <= share * Fraction(11, 10) * apart, True)
    a.claim("planes in words", line[2] != "", info["multi"] is not None)
    loss, C = info["soft"].replace("_", " "), f"{info['C']:g}"
    a.claim("the objective in words", (line[4], line[5], line[6]), (loss, info["penalty"], C))
    a.claim("the bias in words", line[7].split()[-1], info["soft_bias"])
    weights = info.get("class_weight")
    if isinstance(weights, list):
        weights = "class weights " + ", ".join(f"{one['class']}={one['weight']:g}" for one in weights)
    elif weights is not None:
        weights = f"{weights} class weights"
    a.claim("class weights in words", line[7], f"{'' if weights is None else weights + ', '}{info['soft_bias']} ")
    reason = info["stop_reason"]
    a.claim("the end in words", line[1], ENDS.get(reason))
    if reason == "gap":
        requested = 1e-12 if gap == "auto" else float(gap)
        a.claim("the requested gap is reached", info["relative_gap"] <= requested * (1 + 1e-12), True)
    a.claim("a limit is reached only if there is one", reason == "max_iter" and not limit, False)


# ---- the gap -------------------------------------------------------------------------------------------------------


Plane = tuple[np.ndarray, np.ndarray, list[int]]  # (w, b), the sign of each of its rows, the rows


def _claims_of_gap(
    a: Audit, plane: Plane, gap: float, objective: float, costs: list[float], loss: str, free: bool
) -> None:
    """Objective and gap of one plane, and the margin where it is said to be the widest."""
    w, y, rows = plane
    X = np.array([[float(v) for v in a.table.points[i]] for i in rows])
    c = np.array([costs[i] for i in rows])
    with exact.precisely():
        P = number(exact.primal(X, y, c, w, loss, free, False))
        D = number(lower_bound(X, y, c, loss, free))
    a.near("objective", objective, P, Fraction(1, 10**11))
    a.claim("the objective is rounded down", Fraction(objective) <= P, True)
    slack = Fraction(SLACK) * P
    a.claim("the objective is not above its minimum by more than the gap", Fraction(gap) + slack >= P - D, True)
    a.claim("the lower bound of the audit is one", P + Fraction(1, 10**12) >= D, True)
    if a.json["hard_margin"]:
        used = w[:-1] if free else w
        least = min(exact.margins(X, y, w))
        # γ ≤ 1/√(2·min P) ≤ 1/√(2D), and the plane's margin is least/|w|
        size2 = sum((Fraction(float(v)) ** 2 for v in used), Fraction(0))
        a.claim("hard margin: points are on their own sides", least > 0, True)
        bound = Fraction(998, 1000) ** 2 * size2
        a.claim("hard margin: 0.999 of the maximum margin", least**2 * 2 * D >= bound, True)
    a.claim("hard margin in words", "\nmargin at least 0.999" in a.words, a.json["hard_margin"])


def number(value: Any) -> Fraction:
    """The middle of an interval, or a fraction as it is."""
    return value if isinstance(value, Fraction) else Fraction(float(value.mid()))


def lower_bound(X: np.ndarray, y: np.ndarray, c: np.ndarray, loss: str, free: bool) -> Any:
    """D(a) for a good dual point: a lower bound of the minimum, in exact numbers."""
    a = _dual_of_hinge(X, y, c, free) if loss == "hinge" else _dual_of_smooth(X, y, c, loss, free)
    rest = sum((Fraction(float(v)) * int(sign) for v, sign in zip(a, y, strict=True)), Fraction(0))
    room = np.where((y > 0) == (rest > 0), a, c - a if loss != "squared_hinge" else np.inf)
    point = exact.dual_point(a, y, int(np.argmax(room)), free)
    assert exact.is_feasible(X, y, c, point, loss, free, False)
    return exact.dual(X, y, c, point, loss, free, False)


def _dual_of_hinge(X: np.ndarray, y: np.ndarray, c: np.ndarray, free: bool) -> np.ndarray:
    """Multipliers of the hinge by sequential quadratic programming."""
    Z = y[:, None] * (X if free else np.column_stack([X, np.ones(len(X))]))
    K = Z @ Z.T
    sum_is_0 = {"type": "eq", "fun": lambda a: a @ y, "jac": lambda a: y.astype(float)}
    found = minimize(
        lambda a: 0.5 * a @ K @ a - a.sum(), np.minimum(c, c.min()) * 0.1, jac=lambda a: K @ a - 1.0, method="SLSQP",
        bounds=[(0.0, v) for v in c], constraints=[sum_is_0] if free else [], options={"ftol": 1e-14, "maxiter": 500},
    )  # fmt: skip
    a = np.clip(found.x, 0.0, c)
    if free:  # scale the larger class down: the sum is 0 up to rounding
        up, down = a[y > 0].sum(), a[y < 0].sum()
        a = np.where(y > 0, a * min(1.0, down / max(up, 1e-300)), a * min(1.0, up / max(down, 1e-300)))
    return np.asarray(a)


def _dual_of_smooth(X: np.ndarray, y: np.ndarray, c: np.ndarray, loss: str, free: bool) -> np.ndarray:
    """Multipliers −c·ℓ'(m) at the minimum, which is found by a quasi-Newton method and Newton steps."""
    Z = y[:, None] * np.column_stack([X, np.ones(len(X))])
    penalty = np.ones(Z.shape[1])
    penalty[-1] = 0.0 if free else 1.0

    def multipliers(w: np.ndarray) -> np.ndarray:
        m = Z @ w
        return np.asarray(c / (1.0 + np.exp(m)) if loss == "logistic" else 2.0 * c * np.maximum(0.0, 1.0 - m))

    def value(w: np.ndarray) -> float:
        m = Z @ w
        each = np.logaddexp(0.0, -m) if loss == "logistic" else np.maximum(0.0, 1.0 - m) ** 2
        return float(0.5 * penalty @ (w * w) + c @ each)

    w = minimize(value, np.zeros(Z.shape[1]), jac=lambda w: penalty * w - Z.T @ multipliers(w), tol=1e-12).x
    for _ in range(30):
        m, g = Z @ w, penalty * w - Z.T @ multipliers(w)
        h = multipliers(w) / (1.0 + np.exp(-m)) if loss == "logistic" else 2.0 * c * (m < 1.0)
        step = np.linalg.lstsq(np.diag(penalty) + Z.T @ (h[:, None] * Z), g, rcond=None)[0]
        if value(w - step) > value(w):
            break
        w = w - step
    a = multipliers(w)
    if free:
        up, down = a[y > 0].sum(), a[y < 0].sum()
        a = np.where(y > 0, a * min(1.0, down / max(up, 1e-300)), a * min(1.0, up / max(down, 1e-300)))
    return np.asarray(a)
