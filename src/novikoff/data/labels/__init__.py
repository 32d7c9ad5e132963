"""Labels: classes, codes, types, the positive class."""
