"""Which maximum-likelihood estimates of a regression exist."""
