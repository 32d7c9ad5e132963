"""Recorded results of about 1,080 runs: what a change of the code must leave as it was.

    python -m corpus compare            what differs from the record      (from the folder tests)
    python -m corpus record [PATTERN]   record again the runs whose name has this in it, and list what changed

A run is a name and what it means, as plain data (`facts` says how each kind of value is recorded). Only the public
names and the command line are used, and no bytes of model files or proofs are compared, so that the record depends
neither on where code stands nor on a file format.
"""
