"""Wording, help and progress."""
