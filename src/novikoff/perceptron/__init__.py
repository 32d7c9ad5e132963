"""The algorithm: a rule, an order, a keep, a stop, and one loop."""
