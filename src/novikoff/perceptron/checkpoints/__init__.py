"""Checkpoints: the state of a run in files, from which it can be resumed with the same bits."""
