"""Exact scores and sides of a problem's rows."""
