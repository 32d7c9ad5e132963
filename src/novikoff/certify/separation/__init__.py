"""Separation for statisticians: which estimates exist."""
