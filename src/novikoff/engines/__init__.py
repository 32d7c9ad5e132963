"""One seam between the points and whoever works on them: checkpoints, partitions, engines."""
