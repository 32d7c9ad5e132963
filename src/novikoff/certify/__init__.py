"""Separable or not, proved."""
