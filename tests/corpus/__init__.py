"""Recorded results of some hundreds of runs: what a change of the code must leave as it was.

    python -m corpus compare            what differs from the record      (from the folder tests)
    python -m corpus record [PATTERN]   record again the runs whose name has this in it, and list what changed

A run is a name and a dictionary: counts, reasons and exit codes as they are, arrays and files as SHA-256. Seconds and
sentences are left out. Parameters are always explicit, so that a change of a default changes no run. Only the public
names and the command line are used, so that the record does not depend on where code stands.
"""
