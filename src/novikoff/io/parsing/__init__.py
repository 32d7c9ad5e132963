"""Compiled tokenizers and the correctly rounded float parser."""
