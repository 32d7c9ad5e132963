"""Points in files: formats, compression, positions."""
