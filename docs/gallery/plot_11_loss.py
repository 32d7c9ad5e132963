"""
The perceptron loss, and two ways down
======================================

The perceptron is stochastic gradient descent on L(w) = mean of −min(y⟨w, x⟩, 0), with steps at mistakes only. The
batch step uses the mean of all mistakes of a pass.
"""

import matplotlib.pyplot as plt
import numpy as np

import novikoff as nv

rng = np.random.default_rng(3)
X = rng.normal(size=(40, 2)).round(2)
score = X @ [1, 0.5]
X, signs = X[abs(score) > 0.2], np.sign(score[abs(score) > 0.2]).astype(int)
start, grid = [-3.0, 2.0], np.linspace(-4, 5, 91)
loss = [[nv.perceptron_loss(X, signs, [a, b], 0.0) for a in grid] for b in grid]
figure, axes = plt.subplots()
axes.contourf(grid, grid, loss, levels=20, cmap="Greys")
for order, style in (("cyclic", "o-"), ("batch", "s--")):
    run = nv.trace(X, signs, fit_intercept=False, order=order, w0=start)
    path = np.array([start, *[[float(v) for v in step.w] for step in run.steps]])
    axes.plot(path[:, 0], path[:, 1], style, ms=3, label=f"{order}: {len(run.steps)} updates")
    print(order, len(run.steps), "updates, loss", nv.perceptron_loss(X, signs, path[-1], 0.0))
axes.set(xlabel="w1", ylabel="w2", title="L(w), and two runs from the same start")
axes.legend()
