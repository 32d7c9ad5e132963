"""The solvers of the soft margin, one file each, and the rule that chooses among them."""
