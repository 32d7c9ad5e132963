"""Sources of chunks: prefetch, compression, memory limit."""
