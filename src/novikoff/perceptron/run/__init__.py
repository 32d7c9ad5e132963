"""A training run and its state."""
