"""How wide the gap is: the widest planes, their margins as proved intervals, and the mistake bound."""
