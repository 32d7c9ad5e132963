"""Which side of the plane a point is on, decided exactly, wherever its row lives."""
