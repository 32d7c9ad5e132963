"""Report which maximum-likelihood estimates of a regression exist."""
