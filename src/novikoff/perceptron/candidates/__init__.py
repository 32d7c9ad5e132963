"""Candidates of the pocket that are counted during the pass after them."""
