"""
The perceptron loss, and two ways down
======================================

The perceptron is stochastic gradient descent on L(w) = mean of −min(y⟨w, x⟩, 0), with steps at mistakes only. The
batch step uses the mean of all mistakes of a pass.
"""

import matplotlib.pyplot as plt
import numpy as np

import novikoff as nv

X, y = nv.example("tao")
X = X + np.array([0.4, 0.1])
grid = np.linspace(-1, 3, 81)
signs = np.where(y == "red", 1, -1)
loss = [[nv.perceptron_loss(X, signs, [a, b], 0.0) for a in grid] for b in grid]
figure, axes = plt.subplots()
axes.contourf(grid, grid, loss, levels=20, cmap="Greys")
for order, style in (("cyclic", "o-"), ("batch", "s--")):
    run = nv.trace(X, signs, fit_intercept=False, order=order, w0=[-0.5, 2.5])
    path = np.array([[-0.5, 2.5], *[[float(v) for v in step.w] for step in run.steps]])
    axes.plot(path[:, 0], path[:, 1], style, label=f"{order}: {len(run.steps)} updates")
    print(order, len(run.steps), "updates, loss", nv.perceptron_loss(X, signs, path[-1], 0.0))
axes.set(xlabel="w1", ylabel="w2", title="L(w), and two runs from the same start")
axes.legend()
