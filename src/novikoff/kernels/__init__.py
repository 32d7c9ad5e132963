"""Decide exactly on which side of a plane a point is, for every storage."""
