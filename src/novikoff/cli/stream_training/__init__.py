"""Train on a stream from the command line: rows once, as they come; continue a saved stream."""
