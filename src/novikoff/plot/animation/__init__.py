"""Pictures of a run, update by update."""
