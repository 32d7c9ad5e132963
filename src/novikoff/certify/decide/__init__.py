"""The question: separable or not, and why."""
