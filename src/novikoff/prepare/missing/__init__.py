"""Missing values: imputation of numbers and categories, and exact medians."""
