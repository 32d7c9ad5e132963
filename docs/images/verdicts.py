"""Draw verdicts.png of the README: points that a plane separates, and points of which four prove that none does."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import novikoff as nv

X, y = nv.example("iris")
petals = X[:, 2:]
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")

one = np.isin(y, ["setosa", "versicolor"])
nv.BoundaryDisplay.from_estimator(nv.Perceptron().fit(petals[one], y[one]), petals[one], y[one], ax=left)
left.set_title("separable: every point on its own side,\nchecked in exact arithmetic", fontsize=11)

two = np.isin(y, ["versicolor", "virginica"])
verdict = nv.decide(petals[two], y[two])
nv.HullsDisplay.from_verdict(verdict, petals[two], y[two], ax=right)
right.set_title("not separable: four of the points prove it,\ntheir hulls meet", fontsize=11)

for axes in (left, right):
    axes.set(xlabel="petal length", ylabel="petal width")
figure.savefig(Path(__file__).with_name("verdicts.png"), dpi=110)
