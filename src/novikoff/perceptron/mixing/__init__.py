"""Parameter mixing: each partition of the rows makes a pass of its own, and the results are averaged."""
