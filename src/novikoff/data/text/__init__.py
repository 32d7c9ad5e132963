"""Numbers and labelled points as text."""
