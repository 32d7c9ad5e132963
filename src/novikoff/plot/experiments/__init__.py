"""Displays of experiments: theory and measurements in one picture."""
