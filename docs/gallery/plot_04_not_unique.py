"""
A hundred perceptrons and one widest plane
==========================================

The plane that a perceptron ends with depends on the order of the points and on the start. The widest plane depends on
neither.
"""

import matplotlib.pyplot as plt

import novikoff as nv

X, y = nv.example("cornwell")
figure, axes = plt.subplots(1, 2, figsize=(11, 4.5), layout="compressed")
for ax, found, title in zip(
    axes, (nv.orders_experiment(X, y), nv.starts_experiment(X, y)), ("100 orders", "100 starts"), strict=True
):
    nv.BoundaryDisplay.from_estimator(nv.MaxMargin().fit(X, y), X, y, ax=ax)
    for row in found.rows:
        w1, w2, b = row["plane"]
        ax.axline((-b / w1, 0), (-(b + w2) / w1, 1), color="grey", alpha=0.2, zorder=0)
    ax.legend_.remove()
    ax.set_title(title)
    updates = [row["updates"] for row in found.rows]
    print(title, "updates from", min(updates), "to", max(updates))
