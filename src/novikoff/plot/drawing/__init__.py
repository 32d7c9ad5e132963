"""Renderers: panels drawn with matplotlib, and written to files."""
