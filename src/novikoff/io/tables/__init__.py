"""Choose the columns of a table by what they contain."""
