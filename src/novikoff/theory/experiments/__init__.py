"""Experiments: simulated draws in numbered trials, the same for every engine and number of workers."""
