"""
Test
====
"""

import novikoff as nv

X, y = nv.example("cornwell")
print(nv.decide(X, y))
