"""
How many labellings can a plane make?
=====================================

Cover's theorem: of the labellings of P points in N dimensions nearly all are separable below P = 2N, half of them at
P = 2N, nearly none above. The points are measured: random labels, each decided with a proof.
"""

import novikoff as nv

found = nv.capacity_experiment(N=(5, 65), ratios=(0.5, 1, 1.5, 2, 2.5, 3), trials=40, seed=1)
nv.CoverDisplay.from_experiment(found)

# %%
# The count is exact for any size, and it can be made for your own points. Three points on a line are not in general
# position, so fewer labellings are separable.

print(nv.cover_count(130, 65) == 2**129, nv.separable_fraction(10, 5))
square = [[0, 0], [0, 1], [1, 0], [1, 1]]
print(nv.count_dichotomies(square), nv.cover_count(4, 2, fit_intercept=True))
print(nv.count_dichotomies([[0, 0], [0, 1], [1, 0], [2, 0]]))
print(nv.general_position([[0, 0], [0, 1], [1, 0], [1, 1], [2, 2]]))
