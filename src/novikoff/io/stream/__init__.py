"""Sources of chunks: prefetch, compression, rows that stay in their file, memory limit."""
