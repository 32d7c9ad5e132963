"""The parameters of the estimators: the table, the values they may have, checks of combinations."""
