"""The order batch: one update after each pass, with the sum of all mistaken points."""
