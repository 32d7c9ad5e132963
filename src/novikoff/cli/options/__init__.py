"""Options, and the data that they choose."""
