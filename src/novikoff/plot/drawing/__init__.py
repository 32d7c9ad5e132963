"""Renderers: panels drawn with matplotlib, in a terminal, and written to files."""
