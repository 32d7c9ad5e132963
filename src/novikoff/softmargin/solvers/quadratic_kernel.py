"""Coordinate descent for a quadratic with an l1 penalty.  (compiled)"""

from __future__ import annotations

import numpy as np

from novikoff.kernels.mark import FAST, kernel


@kernel(FAST)
def minimize_quadratic(H, g, w, x, weights, tolerance, most):
    """Minimize g·(x − w) + ½(x − w)'H(x − w) + Σ weights_k|x_k| over x, from the given x; return the passes.

    H: both triangles. One coordinate at a time, each exactly (soft thresholding), until no change of x_k·H_kk is above
    the tolerance. Between full passes only coordinates that are not 0 are visited.
    """
    d = w.shape[0]
    r = np.empty(d)
    for j in range(d):
        r[j] = g[j]
    for k in range(d):
        step = x[k] - w[k]
        if step != 0.0:
            for j in range(d):
                r[j] += H[k, j] * step
    full = True
    for sweep in range(most):
        largest = 0.0
        for k in range(d):
            h = H[k, k]
            if h <= 0.0 or (not full and x[k] == 0.0):
                continue
            z = x[k] - r[k] / h
            t = weights[k] / h
            new = z - t if z > t else (z + t if z < -t else 0.0)
            step = new - x[k]
            if step != 0.0:
                x[k] = new
                for j in range(d):
                    r[j] += H[k, j] * step
                largest = max(largest, abs(step) * h)
        if largest < tolerance:
            if full:
                return sweep
            full = True
        else:
            full = False
    return most
