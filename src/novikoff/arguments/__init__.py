"""Check arguments and explain unknown ones."""
