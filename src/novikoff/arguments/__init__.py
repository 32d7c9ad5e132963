"""Checks of arguments, and answers to unknown ones."""
