"""Whether points are separable, and why: the search, the verdict, its explanation."""
