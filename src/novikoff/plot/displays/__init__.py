"""Displays of models and proofs: each class computes the panels of one kind of picture."""
