"""Pictures of the teacher experiments: the angle to the teacher, and medians against sizes on logarithmic axes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from novikoff.plot.experiments.experiment_display import ExperimentDisplay
from novikoff.plot.panel import BLUE, GREEN, GREY, INK, RED, STYLES, Curve, Item, Marks, Panel, series_look

Row = dict[str, Any]
DODGE = 1.025  # factor between the places of the intervals of two series at the same size
MOST_PLACES = 12  # sizes that are all named on their axis


class AngleDisplay(ExperimentDisplay):
    """The overlap of the weights with the teacher, their length and the cosine, update by update.

    ⟨w, w*⟩ ≥ n·δ        ‖w‖ ≤ √n·R        cosine ≥ √n·δ/R

    The bounds of the convergence proof are dashed, and a random walk of as many steps is dotted.

    From the notes: S9 (Sompolinsky, the angle to a teacher), S9a (the same under an unbiased random walk).

    Parameters
    ----------
    experiment : the result of `angle_experiment`
    """

    experiments = ("angle",)

    def _panels(self) -> list[Panel]:
        rows = self.experiment.rows
        column = {name: _column(rows, name) for name in rows[0]}
        n = column["update"]
        start = np.concatenate([[0.0], n])
        return [
            _three(start, "Overlap with the teacher", "⟨w, w*⟩", column, "overlap", "lower bound n·δ"),
            _three(start, "Length of the weights", "‖w‖", column, "norm", "upper bound √n·R"),
            _three(n, "Cosine of the angle to the teacher", "⟨w, w*⟩ / ‖w‖", column, "cosine", "lower bound √n·δ/R"),
        ]  # fmt: skip


def _three(n: np.ndarray, title: str, y_label: str, column: dict[str, np.ndarray], name: str, bound: str) -> Panel:
    """Return a panel of a quantity, its bound and its value on the random walk; from 0 unless it is a cosine."""

    def curve(values: np.ndarray, label: str, color: str, style: str, which: str) -> Curve:
        y = values if len(values) == len(n) else np.concatenate([[0.0], values])
        return Curve(n, y, label, color, style, name=which)

    items = (
        curve(column[name], "perceptron", BLUE, "solid", name),
        curve(column[f"{name}_bound"], bound, RED, "dashed", f"{name}_bound"),
        curve(column[f"walk_{name}"], "random walk", GREEN, "dotted", f"walk_{name}"),
    )
    limits = (-1.05, 1.05) if name == "cosine" else (0.0, 1.05 * max(map(_highest, items))) if name == "norm" else None
    return Panel(items, title, "updates n", y_label, (0.0, float(n[-1]) * 1.02), limits)


def _highest(curve: Curve) -> float:
    return float(curve.y.max())


class PowerLawDisplay(ExperimentDisplay):
    """Medians over the draws against the sizes P and N, on logarithmic axes, with the fitted powers.

    median ~ c·P^a·N^b: straight lines of slope a, or b

    From the notes: S11 (Sompolinsky, smallest margin and convergence time of typical inputs).

    Parameters
    ----------
    experiment : the result of `margin_experiment` or `convergence_experiment`
    """

    experiments = ("margin", "convergence")

    def _panels(self) -> list[Panel]:
        rows = self.experiment.rows
        several = {name: sorted({row[name] for row in rows}) for name in ("N", "P")}
        axis, series = ("P", "N") if len(several["P"]) >= 2 or len(several["N"]) < 2 else ("N", "P")
        margin = self.experiment.name == "margin"
        items: list[Item] = []
        for k, size in enumerate(several[series]):
            chosen = sorted((row for row in rows if row[series] == size), key=lambda row: row[axis])
            aside = DODGE ** (k - (len(several[series]) - 1) / 2) if margin else 1.0  # intervals stay apart
            items += self._series(k, f"{series} = {size:,}", chosen, axis, aside)
        if margin and items:
            items.append(Curve(np.array([np.nan]), np.array([np.nan]), "theory", GREY, "dotted", name="legend"))
        y_label = "teacher's smallest margin" if margin else "updates until separated"
        title = "Smallest margin, quartiles" if margin else "Convergence time: median (filled), longest (open)"
        title += f" (series shifted apart along {axis})" if margin and len(several[series]) > 1 else ""
        fitted = "\n" + self._fitted() if self.experiment.fits else ""
        places = tuple(float(size) for size in several[axis]) if len(several[axis]) <= MOST_PLACES else None
        x_label = "points P" if axis == "P" else "dimensions N"
        return [
            Panel(
                tuple(items),
                title + fitted,
                x_label,
                y_label,
                x_log=True,
                y_log=True,
                legend="outside",
                x_places=places,
            )
        ]

    def _series(self, k: int, label: str, rows: list[Row], axis: str, aside: float) -> Iterator[Item]:
        color, shape, _ = series_look(k)
        style = STYLES[k % STYLES.index("dotted")]  # dotted is the theory
        known = [row for row in rows if row["median"]]
        x = _column(known, axis)
        fit = self._line(rows)
        if fit is not None:
            yield Curve(_column(rows, axis), fit, None, color, style, 1.2, name=f"fit {label}")
        if self.experiment.name == "margin":
            yield Curve(x, _column(known, "theory"), None, GREY, "dotted", 1.2, name=f"theory {label}")
            low, high = _column(known, "quarter"), _column(known, "three_quarters")
            yield Marks(x * aside, _column(known, "median"), label, color, shape, 30.0, low=low, high=high,
                        name=f"median {label}")  # fmt: skip
            return
        yield Marks(x * aside, _column(known, "median"), label, color, shape, 34.0, name=f"median {label}")
        most = [row for row in rows if row["longest"]]
        yield Marks(_column(most, axis) * aside, _column(most, "longest"), None, color, shape, 30.0, filled=False,
                    name=f"longest {label}")  # fmt: skip

    def _line(self, rows: list[Row]) -> np.ndarray | None:
        """Return the fitted median of each row: the least-squares line passes through the mean of the logarithms."""
        exponents = {fit["in"]: fit["exponent"] for fit in self.experiment.fits}
        used = [row for row in self.experiment.rows if row["median"]]
        if not exponents:
            return None
        powers = [sum(e * math.log(row[name]) for name, e in exponents.items()) for row in used]
        start = float(np.mean([math.log(row["median"]) - power for row, power in zip(used, powers, strict=True)]))
        return np.array([math.exp(start + sum(e * math.log(row[n]) for n, e in exponents.items())) for row in rows])

    def _fitted(self) -> str:
        fits = self.experiment.fits
        return f"{fits[0]['of']} ~ " + "·".join(f"{fit['in']}^{fit['exponent']:.2f}".replace("-", "−") for fit in fits)


def _column(rows: list[Row], name: str) -> np.ndarray:
    return np.array([row[name] for row in rows], np.float64)


class WorstCaseDisplay(ExperimentDisplay):
    """Updates and the mistake bound (R/γ)² against 1/δ, on logarithmic axes.

    updates ≈ 1/(2δ²),   bound 5/(4δ²)

    From the notes: S12 (Sompolinsky, the worst case).

    Parameters
    ----------
    experiment : the result of `worst_case`
    """

    experiments = ("worst",)

    def _panels(self) -> list[Panel]:
        rows = sorted(self.experiment.rows, key=lambda row: -row["delta"])
        x = np.array([1 / row["delta"] for row in rows])
        items: list[Item] = [Curve(x, _column(rows, "bound"), "bound (R/γ)²", RED, "dashed", name="bound")]
        for finished, label, name in ((True, "updates", "updates"), (False, "stopped before the end", "stopped")):
            chosen = np.array([bool(row["finished"]) is finished for row in rows])
            if chosen.any():
                items.append(Marks(x[chosen], _column(rows, "updates")[chosen], label, BLUE if finished else INK,
                                   "square", filled=finished, name=name))  # fmt: skip
        return [Panel(tuple(items), "Two opposite points at distance 2δ", "1/δ", "updates", x_log=True, y_log=True)]


class PositionDisplay(ExperimentDisplay):
    """How often points with coordinates −1 and 1 are in general position, with 95 % intervals.

    From the notes: S4 (Sompolinsky, discrete inputs).

    Parameters
    ----------
    experiment : the result of `position_experiment`
    """

    experiments = ("position",)

    def _panels(self) -> list[Panel]:
        rows = [row for row in self.experiment.rows if row["fraction"] is not None]
        one_more = all(row["P"] == row["N"] + 1 for row in rows)
        items: list[Item] = []
        for k, P in enumerate([None] if one_more else sorted({row["P"] for row in rows})):
            color, shape, style = series_look(k)
            chosen = sorted((r for r in rows if P is None or r["P"] == P), key=lambda row: row["N"])
            x, y, label = _column(chosen, "N"), _column(chosen, "fraction"), "P = N + 1" if P is None else f"P = {P:,}"
            low, high = _column(chosen, "low"), _column(chosen, "high")
            items.append(Curve(x, y, None, color, style, 0.9, name=f"line {label}"))
            items.append(Marks(x, y, label, color, shape, low=low, high=high, name=f"fraction {label}"))
        return [
            Panel(
                tuple(items),
                "Points of −1 and 1 in general position\n(bars: 95 % intervals)",
                "dimensions N",
                "fraction of the draws",
                y_limits=(-0.03, 1.05),
            )
        ]
