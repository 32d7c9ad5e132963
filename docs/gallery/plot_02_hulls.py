"""
Why no line separates these points
==================================

XOR: the segment between the points of one class crosses the segment between the points of the other. The crossing is
a mean of points of both classes, which a line would have to put on both of its sides.
"""

import matplotlib.pyplot as plt

import novikoff as nv

X, y = nv.example("xor")
verdict = nv.decide(X, y)
nv.HullsDisplay.from_verdict(verdict, X, y)
print(verdict.explain())

# %%
# Two kinds of iris that are not separable: more than two columns, so the weights of the two means are shown.

X, y = nv.example("iris")
X, y = X[y != "setosa"], y[y != "setosa"]
proof = nv.decide(X, y).obstruction
plt.figure()
for side, sign in ((proof.positive, 1), (proof.negative, -1)):
    weights = [sign * float(weight) for weight in side.weights]
    plt.bar([f"{row + 1}" for row in side.rows], weights, label=side.label)
plt.xlabel("point")
plt.ylabel("weight in the mean of its class")
plt.legend()
plt.show()

# %%
# On XOR the perceptron returns to w = 0 after four updates, so it would go on for ever. The points that it added in
# between sum to zero: the same proof.

clf = nv.Perceptron(keep="last", order="cyclic").fit(*nv.example("xor"))
print(clf.stop_reason_, clf.n_updates_, clf.cycle_counts_)
