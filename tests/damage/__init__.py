"""Damaged files, in two ways.

mutate    bytes, words and contents changed at random, mostly caught by a checksum or a parser
forge     files that are well formed, with right checksums, and lie in one field (`formats`); each (lie, verb) pair is
          judged against an independent reader (`meaning`): `python tests/damage/forge.py --kind npz --pairs 500`
"""

from damage.mutate import BYTES, PLAIN, TEXTS, put_together, taken_apart

__all__ = ["BYTES", "PLAIN", "TEXTS", "put_together", "taken_apart"]
