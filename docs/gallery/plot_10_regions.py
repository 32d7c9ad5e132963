"""
Three classes: one against all, or one against one
==================================================

One-vs-all has a plane for each class, one-vs-one for each pair. The regions have exact edges. The lower pictures show
how many points the problem of each plane has on its two sides.
"""

import novikoff as nv

X, y = nv.example("iris")
models = [nv.Perceptron(multi_class=scheme, max_iter=50).fit(X[:, 2:], y) for scheme in ("ova", "ovo")]
for model in models:
    print(model.multi_class_, "errors:", (model.predict(X[:, 2:]) != y).sum())
nv.RegionsDisplay.from_estimator(models, X[:, 2:], y, balance=True)

# %%
# Which pairs of classes a plane separates, each with its proof:

print(nv.decide(X, y).explain())
