"""Displays: each class computes the panels of one kind of picture."""
