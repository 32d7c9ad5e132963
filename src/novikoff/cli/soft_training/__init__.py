"""Soft margins on the command line: `fit --soft`."""
