"""Labelled points, wherever they live."""
