"""Maximum-margin planes, proved intervals for their margins, and the mistake bound."""
