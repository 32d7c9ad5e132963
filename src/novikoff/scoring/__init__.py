"""Scores and sides of a problem's rows."""
