"""Certificates: the one writer, and the checker."""
