"""
A logistic regression without an estimate
=========================================

Nobody who got the drug died. The likelihood grows for ever as the coefficient of the drug falls: it has a supremum
and no maximum. The p-value of its Wald test means nothing; the likelihood ratio is finite.
"""

import matplotlib.pyplot as plt
import numpy as np

import novikoff as nv

drug = np.array([0, 0, 0, 0, 0, 0, 1, 1, 1, 1])
age = np.array([50, 61, 52, 49, 66, 58, 55, 48, 63, 60])
died = np.array([0, 1, 0, 1, 1, 0, 0, 0, 0, 0])
report = nv.separation(np.column_stack([drug, age]), died, names=["drug", "age"])
print(report)

# %%
# The log-likelihood along the direction that the report proves:

w = np.array([float(v) for v in report.direction])
X = np.column_stack([np.ones(10), drug, age])  # the intercept comes first
signs = np.where(died == 1, 1, -1)
t = np.linspace(0, 12, 100)
likelihood = [-np.logaddexp(0, -signs * (X @ (s * w / abs(w).max()))).sum() for s in t]
plt.plot(t, likelihood)
plt.xlabel("t: how far along the direction")
plt.ylabel("log-likelihood")
print(report.direction)
