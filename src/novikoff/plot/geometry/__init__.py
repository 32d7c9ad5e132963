"""Lines, curves and projections computed from weights, never from a mesh."""
