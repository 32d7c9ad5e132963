"""Draw verdicts.png of the README: wines that a plane separates, and wines of which four prove that none does."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import novikoff as nv

X, y = nv.example("wine")
X = X[:, [0, 6]]
figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 4.2), layout="constrained")

some = np.isin(y, ["class_0", "class_2"])
nv.BoundaryDisplay.from_estimator(nv.Perceptron().fit(X[some], y[some]), X[some], y[some], ax=left)
left.set_title("separable: a plane has every wine on its own side,\nchecked in exact arithmetic", fontsize=11)

some = np.isin(y, ["class_0", "class_1"])
nv.HullsDisplay.from_verdict(nv.decide(X[some], y[some]), X[some], y[some], ax=right)
right.set_title("not separable: four of the wines prove it,\ntheir hulls meet", fontsize=11)

for axes in (left, right):
    axes.set(xlabel="alcohol", ylabel="flavanoids", ylim=(0, 5.9), aspect="auto")
left.set_xlim(11.9, 14.6)
right.set_xlim(10.9, 15.1)
figure.savefig(Path(__file__).with_name("verdicts.png"), dpi=110)
