"""How fast it is, as ratios against named peers: one file per question."""
