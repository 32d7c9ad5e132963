"""
A line between four points
==========================

The perceptron on the four points of Chris Cornwell's lecture: nine updates, and the line that they end with. w is
orthogonal to the line; the dashed line is the widest one.
"""

import novikoff as nv

X, y = nv.example("cornwell")
clf = nv.Perceptron().fit(X, y)
print(clf.stop_reason_, clf.n_updates_, "updates", clf.coef_[0], clf.intercept_[0])

display = nv.BoundaryDisplay.from_estimator(clf, X, y, ball=True)

# %%
# Every update, in exact fractions: the point that was a mistake, and the weights after it.

print(nv.trace(X, y).to_text())
