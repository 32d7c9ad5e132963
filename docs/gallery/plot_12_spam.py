"""
Six mails and five words
========================

Hongyang Zhang's spam table. Algorithm 1 in cyclic order makes four updates; a new mail with the words *and* and
*viagra* scores +2. The order of presentation changes the weights, not the fact that all six mails are right.
"""

import matplotlib.pyplot as plt
import numpy as np

import novikoff as nv

X, y = nv.example("spam")
words = ["and", "viagra", "the", "of", "nigeria", "bias"]
runs = {order: nv.trace(X, y, order=order) for order in ("cyclic", "first")}
figure, axes = plt.subplots(figsize=(8, 3.5))
for shift, (order, run) in enumerate(runs.items()):
    axes.bar(np.arange(6) + 0.4 * shift, [float(v) for v in run.w], 0.4, label=f"{order}: {len(run.steps)} updates")
axes.set_xticks(np.arange(6) + 0.2, words)
axes.set_ylabel("weight")
axes.axhline(0, color="black", lw=0.5)
axes.legend()
mail = (1, 1, 0, 0, 0, 1)
print({order: str(sum(a * b for a, b in zip(run.w, mail, strict=True))) for order, run in runs.items()})
