"""Fit models to the rows that the options choose: perceptrons, soft margins, streams."""
