"""The solvers: working set, active set, Wolfe's method, facial reduction."""
