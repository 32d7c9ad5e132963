"""
The soft margin, from small C to large
======================================

A small C makes w short and accepts errors; a large C accepts none on separable points, and gives the widest plane.
"""

import matplotlib.pyplot as plt
import numpy as np

import novikoff as nv

X, y = nv.example("iris")
some = y != "virginica"
X, y = X[some][:, [0, 1]], y[some]
figure, axes = plt.subplots(1, 3, figsize=(13, 4), layout="compressed")
for ax, C in zip(axes, (0.01, 1, 1e5), strict=True):
    clf = nv.SoftMargin(C=C, bias="free").fit(X, y)
    nv.BoundaryDisplay.from_estimator(clf, X, y, ax=ax)
    ax.legend_.remove()
    ax.set_title(f"C = {C:g}: {(clf.predict(X) != y).sum()} errors, hard margin proved: {clf.hard_margin_}", fontsize=9)

# %%
# With ``C="auto"`` the value is chosen on held-out rows. The gap is a proved distance from the optimum.

X, y = nv.example("breast-cancer")
X = (X - X.mean(axis=0)) / X.std(axis=0)
clf = nv.SoftMargin(loss="logistic", C="auto").fit(X, y)
print("C =", clf.C_, "  proved gap below 1e-12 of the objective:", bool(clf.gap_ <= 1e-12 * clf.objective_))
figure, axes = plt.subplots()
axes.semilogx(clf.path_["C"], np.asarray(clf.path_["errors"]), "o-")
axes.set(xlabel="C", ylabel="errors on held-out rows")
