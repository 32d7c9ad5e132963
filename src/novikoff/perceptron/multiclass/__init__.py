"""Many classes: several planes trained side by side, and one answer from all of them."""
