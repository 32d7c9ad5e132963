"""
A line between four points
==========================

The perceptron on the four points of Chris Cornwell's lecture: nine updates, and the line that they end with. w is
orthogonal to the line; the dashed line is the widest one, and the circle is the ball of radius R.
"""

import matplotlib.pyplot as plt

import novikoff as nv

X, y = nv.example("cornwell")
clf = nv.Perceptron().fit(X, y)
print(clf.stop_reason_, clf.n_updates_, "updates", clf.coef_[0], clf.intercept_[0])

nv.BoundaryDisplay.from_estimator(clf, X, y, ball=True)

# %%
# Every update, in exact fractions: the point that was a mistake, and the weights after it.

print(nv.trace(X, y).to_text())

# %%
# The same plane as a network: each input times its weight, their sum, and a threshold.

weights = {"x1": clf.coef_[0, 0], "x2": clf.coef_[0, 1], "1": clf.intercept_[0]}
figure, axes = plt.subplots(figsize=(6, 3))
for place, (name, weight) in enumerate(weights.items()):
    axes.annotate("", (0.6, 0.5), (0.15, 0.85 - 0.35 * place), arrowprops={"arrowstyle": "->"})
    axes.text(0.1, 0.85 - 0.35 * place, name, ha="center", va="center", bbox={"boxstyle": "circle", "fc": "white"})
    axes.text(0.36, 0.74 - 0.25 * place, f"{weight:g}", bbox={"fc": "white", "ec": "none"})
axes.text(0.65, 0.5, "Σ", ha="center", va="center", bbox={"boxstyle": "circle", "fc": "white"})
axes.annotate("", (0.83, 0.5), (0.7, 0.5), arrowprops={"arrowstyle": "->"})
axes.text(0.9, 0.5, "> 0 ?", ha="center", va="center", bbox={"fc": "white"})
axes.set_axis_off()
