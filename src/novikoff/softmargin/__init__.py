"""The soft margin: losses, penalties, solvers, and a proved bound on what a solution lacks."""
