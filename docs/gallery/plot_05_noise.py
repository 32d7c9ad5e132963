"""
Noise: which weights to return
==============================

Points that no plane separates. The last weights depend on the last few mistakes. The pocket is the weight vector of the
run with the fewest training errors. The average of all weights is steadier than any one of them, and best here.
"""

import numpy as np

import novikoff as nv

rng = np.random.default_rng(0)
X = rng.normal(size=(1200, 20))
y = (X @ rng.normal(size=20) + 2 * rng.normal(size=1200) > 0).astype(int)
train, test = slice(0, 600), slice(600, None)
for keep in ("last", "pocket", "average"):
    clf = nv.Perceptron(keep=keep, order="shuffle", random_state=0, max_iter=60).fit(X[train], y[train])
    print(f"{keep:8} training {clf.score(X[train], y[train]):.3f}   test {clf.score(X[test], y[test]):.3f}")

# %%
# Mistakes in each pass, the errors of the pocket, and those on validation points. The run ends when the validation
# errors have not fallen for five passes.

clf = nv.Perceptron(keep="pocket", order="shuffle", random_state=0, train_patience=None, max_iter=200)
clf.fit(X[train], y[train], X_valid=X[test], y_valid=y[test])
print(clf.stop_reason_, clf.n_iter_)
nv.ErrorCurveDisplay.from_estimator(clf)
