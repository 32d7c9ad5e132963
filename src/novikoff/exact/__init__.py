"""Exact numbers: integer rows, signed rows, subspaces."""
