"""
Weights as images
=================

Ten planes, one for each digit against all others, and what they see: dark in an orange cell speaks for the digit, dark
in a purple cell against it. Rosenblatt's first demonstration, squares on the left or the right of a retina of 400
cells, comes after it.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.metrics import ConfusionMatrixDisplay

import novikoff as nv

X, y = nv.example("digits")
test = np.arange(len(y)) % 4 == 3
clf = nv.Perceptron(multi_class="ova", max_iter=20).fit(X[~test], y[~test])
print("test accuracy", round(clf.score(X[test], y[test]), 3))
limit = abs(clf.coef_).max()
figure, axes = plt.subplots(2, 5, figsize=(9, 4))
for ax, w, digit in zip(axes.flat, clf.coef_, clf.classes_, strict=True):
    ax.imshow(w.reshape(8, 8), cmap="PuOr_r", vmin=-limit, vmax=limit)
    ax.set(title=str(digit), xticks=[], yticks=[])

# %%
# Which digits are taken for which others:

ConfusionMatrixDisplay.from_estimator(clf, X[test], y[test])

# %%
# The retina: a cell's weight is positive where the squares of the one class lie.

X, y = nv.example("retina")
clf = nv.Perceptron().fit(X, y)
print(clf.stop_reason_, clf.n_updates_, "updates", clf.classes_)
plt.matshow(clf.coef_[0].reshape(20, 20), cmap="PuOr_r")
