"""Damaged files, in two ways.

mutate    bytes, words and contents changed at random, mostly caught by a checksum or a parser
forge     files that are well formed, with right checksums, and lie in one field; each (lie, verb) pair is judged
          against an independent reader: `python tests/damage/forge.py --kind npz --pairs 500 --seed 1`
"""

from damage.mutate import BYTES, PLAIN, TEXTS, forged, put_together, taken_apart

__all__ = ["BYTES", "PLAIN", "TEXTS", "forged", "put_together", "taken_apart"]
