"""
Novikoff's theorem in one picture
=================================

After k mistakes the length of w is at most R√k, and its component along the widest plane is at least kγ. A length
cannot be smaller than a component, so the curves must meet, at k = (R/γ)² at the latest.
"""

import novikoff as nv

X, y = nv.example("cornwell")
nv.BoundDisplay.from_trace(nv.trace(X, y), X, y)
print(len(nv.trace(X, y).steps), "mistakes of at most", nv.margin(X, y).mistake_bound[1])

# %%
# Tao's four points reach the bound: two updates, and (R/γ)² = 2.

X, y = nv.example("tao")
m = nv.margin(X, y, fit_intercept=False)
print(m.mistake_bound, m.updates)
nv.BoundDisplay.from_trace(nv.trace(X, y, fit_intercept=False), X, y)

# %%
# The worst case: two points of different classes move together. Updates grow as the bound does.

print(nv.worst_case().to_text())
